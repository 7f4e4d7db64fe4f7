"""What a change is held to account for, as a table of values."""

from __future__ import annotations

import pytest

from vetgate.engine.settle import matched, numbered, settled
from vetgate.model import Finding, Known, Span
from vetgate.severity import Severity

BLOCKS, TOLD, OLD = "blocks", "told", "old"


def measure(symbol, value, evidence="", line=1, rule="cyclomatic"):
    span = Span("a.py", line)
    evidence = evidence or f"{symbol}:{value}"
    return Finding("complexity", rule, span, "m", Severity.ERROR, symbol, evidence=evidence, value=value, limit=10)


def pattern(evidence, symbol="f", line=1):
    return Finding("security", "sql-concatenation", Span("a.py", line), "m", Severity.ERROR, symbol, evidence=evidence)


def known(*findings):
    return tuple(Known.of(finding) for finding in findings)


def verdicts(findings):
    def said(finding):
        if not finding.new:
            return OLD
        return BLOCKS if not finding.advisory else TOLD

    return [said(finding) for finding in findings]


CASES = [
    ("a new function above the limit blocks", [measure("f", 12)], [], [], [BLOCKS]),
    ("old debt that is not touched passes", [measure("f", 12)], [measure("f", 12)], [measure("f", 12)], [OLD]),
    ("a fall passes", [measure("f", 12)], [measure("f", 15)], [measure("f", 15)], [OLD]),
    ("a rise by two is told", [measure("f", 14)], [measure("f", 12)], [measure("f", 12)], [TOLD]),
    ("a rise by three blocks", [measure("f", 15)], [measure("f", 12)], [measure("f", 12)], [BLOCKS]),
    ("three are as many in what is huge", [measure("f", 43)], [measure("f", 40)], [measure("f", 40)], [BLOCKS]),
    ("creep in small steps adds up to a block", [measure("f", 15)], [measure("f", 12)], [measure("f", 14)], [BLOCKS]),
    (
        "a renamed function is the same debt",
        [measure("g", 12, "e")],
        [measure("f", 12, "e")],
        [measure("f", 12, "e")],
        [OLD],
    ),
    ("a renamed and fixed function is told", [measure("g", 11)], [measure("f", 12)], [measure("f", 12)], [TOLD]),
    (
        "a renamed function with a small rise is told",
        [measure("g", 14)],
        [measure("f", 12)],
        [measure("f", 12)],
        [TOLD],
    ),
    (
        "a worse function in the place of another blocks",
        [measure("g", 15)],
        [measure("f", 12)],
        [measure("f", 12)],
        [BLOCKS],
    ),
    (
        "a function split in two halves is told",
        [measure("f", 16), measure("g", 16)],
        [measure("f", 31)],
        [measure("f", 31)],
        [OLD, TOLD],
    ),
    (
        "a function split unevenly under new names is told",
        [measure("g", 20), measure("h", 13)],
        [measure("f", 31)],
        [measure("f", 31)],
        [TOLD, TOLD],
    ),
    (
        "a split into two that are as bad blocks",
        [measure("f", 28), measure("g", 28)],
        [measure("f", 31)],
        [measure("f", 31)],
        [OLD, BLOCKS],
    ),
    (
        "what was fixed earlier in the session is no credit for something new",
        [measure("brandnew", 19)],
        [measure("old", 21)],
        [],
        [BLOCKS],
    ),
    (
        "a second anonymous function does not borrow the first one's debt",
        [measure("<anonymous>", 20, "new", 1), measure("<anonymous>", 12, "old", 9)],
        [measure("<anonymous>", 12, "old")],
        [measure("<anonymous>", 12, "old")],
        [BLOCKS, OLD],
    ),
    (
        "another rule's debt pays for nothing",
        [measure("f", 20, rule="cognitive")],
        [measure("f", 30)],
        [measure("f", 30)],
        [BLOCKS],
    ),
    ("what the session wrote behind the gate still blocks", [measure("f", 20)], [], [measure("f", 20)], [BLOCKS]),
    ("half a fix of what the session wrote passes", [measure("f", 14)], [], [measure("f", 20)], [TOLD]),
    (
        "one of two session findings fixed lets the edit through",
        [measure("f", 20)],
        [],
        [measure("f", 20), measure("g", 15)],
        [TOLD],
    ),
    (
        "fixing one and adding another does not",
        [measure("f", 20), measure("h", 16)],
        [],
        [measure("f", 20), measure("g", 15)],
        [BLOCKS, BLOCKS],
    ),
    (
        "the same pattern in another function after a move is old",
        [pattern("q(x)", "g")],
        [pattern("q(x)", "f")],
        [pattern("q(x)", "f")],
        [OLD],
    ),
    (
        "a second copy of an old pattern is new",
        [pattern("q(x)"), pattern("q(x)", line=5)],
        [pattern("q(x)")],
        [pattern("q(x)")],
        [OLD, BLOCKS],
    ),
]


@pytest.mark.parametrize(
    ("after", "baseline", "disk", "expected"), [case[1:] for case in CASES], ids=[case[0] for case in CASES]
)
def test_a_change_answers_for_what_it_introduces(after, baseline, disk, expected):
    assert verdicts(settled(numbered(after), known(*baseline), known(*disk))) == expected


def test_code_moved_from_another_file_is_not_new():
    assert verdicts(settled([measure("f", 20, "e")], (), (), frozenset({"e"}))) == [OLD]


def test_each_known_problem_serves_once():
    pair = matched([measure("f", 12, "a"), measure("f", 12, "b")], known(measure("f", 12, "c")))
    assert [each is not None for each in pair] == [True, False]


def test_ordinals_follow_the_lines_and_enter_the_fingerprint():
    first, second = numbered([measure("f", 12, line=9), measure("f", 12, line=2)])
    assert (first.span.line, first.ordinal, second.ordinal) == (2, 0, 1)
    assert first.fingerprint != second.fingerprint


def test_a_fingerprint_knows_neither_line_nor_path_nor_a_measure_s_text():
    one, other = measure("f", 12, "x", 1), measure("f", 15, "y", 70)
    assert one.fingerprint == other.fingerprint
