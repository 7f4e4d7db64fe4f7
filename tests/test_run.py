"""Gates over a change, and what their outcomes mean: the engine as values."""

from __future__ import annotations

import threading
from dataclasses import replace
from pathlib import Path

import pytest

from vetgate.config.load import defaults
from vetgate.engine.analysis import Analyzer, changed_lines, source_of
from vetgate.engine.check import Check, Report, Rule, Safeguard
from vetgate.engine.decide import decided
from vetgate.engine.run import CheckRunner
from vetgate.failure import FAILS
from vetgate.model import Change, Decision, File, Finding, Gate, Outcome, Span, Status, Unchecked, UncheckedKind
from vetgate.severity import Severity
from vetgate.source.clock import Deadline
from vetgate.source.walk import Visitor

ROOT = Path("/project")


def finds_words(check_input, config, deadline):
    """One finding per line that says `bad`; crashes on `boom`, gives up on `slow`."""
    source = check_input.source
    if "boom" in source.text:
        raise RuntimeError("it broke")
    findings = [
        Finding("words", "bad", Span(source.path, number), "bad word", Severity.ERROR, evidence=line)
        for number, line in enumerate(source.text.split("\n"), start=1)
        if "bad" in line
    ]
    unchecked = (Unchecked(source.path, UncheckedKind.UNFINISHED, "ran out of time"),) if "slow" in source.text else ()
    return Report(tuple(findings), unchecked)


def stumbles(state, node):
    raise ValueError("it stumbled")


def check(name, visit=None):
    visitor = Visitor(lambda walk: None, visit or {})
    rules = (Rule("bad", Severity.ERROR, "bad"),)
    return Check(name, "Bad words.", rules, frozenset({"python"}), lambda language: visitor, finds_words)


WORDS = check("words")
GATE = Gate("words", ("words",))


def run(change, gate=GATE):
    return CheckRunner(change, Analyzer({"words": WORDS}), defaults(), Deadline.never()).run(gate)


def change(*files, unchecked=()):
    return Change(ROOT, tuple(files), unchecked=tuple(unchecked))


def new_lines(outcome):
    return [(finding.span.path, finding.span.line) for finding in outcome.findings if finding.new]


def test_only_what_the_change_introduces_is_new():
    outcome = run(change(File("a.py", "bad 1\n", "bad 1\nbad 2\n")))
    assert new_lines(outcome) == [("a.py", 2)]
    assert outcome.status is Status.FAILED


def test_what_moves_from_file_to_file_in_one_change_is_not_new():
    outcome = run(change(File("a.py", "bad 1\n", "x\n"), File("b.py", None, "bad 1\n")))
    assert new_lines(outcome) == []
    assert outcome.status is Status.PASSED


def test_what_moves_out_of_a_deleted_file_is_not_new():
    assert new_lines(run(change(File("a.py", "bad 1\n", None), File("b.py", None, "bad 1\n")))) == []


def test_a_copy_beside_the_original_in_one_file_is_new():
    outcome = run(change(File("a.py", "bad 1\n", "bad 1\nbad 1\n"), File("b.py", "x\n", "y\n")))
    assert new_lines(outcome) == [("a.py", 2)]


def test_the_scope_of_the_file_takes_everything():
    gate = replace(GATE, scope="file")
    assert new_lines(run(change(File("a.py", "bad 1\n", "bad 1\n")), gate)) == [("a.py", 1)]


def test_a_deleted_file_has_no_findings():
    assert run(change(File("a.py", "bad\n", None))).findings == ()


@pytest.mark.parametrize("path", ["a.txt", "node_modules/a.py"])
def test_other_languages_and_excluded_paths_are_not_looked_at(path):
    assert run(change(File(path, None, "bad\n"))).findings == ()


def test_a_gate_may_ask_for_one_rule():
    assert run(change(File("a.py", None, "bad\n")), Gate("g", ("words/bad",))).findings
    assert not run(change(File("a.py", None, "bad\n")), Gate("g", ("words/other",))).findings


def test_a_crash_of_a_check_is_data():
    outcome = run(change(File("a.py", None, "boom\n"), File("b.py", None, "bad\n")))
    assert outcome.status is Status.ERRORED
    assert outcome.failed_checks == ("words",)
    assert "RuntimeError: it broke" in outcome.error
    assert new_lines(outcome) == [("b.py", 1)]


def test_a_visitor_that_crashes_the_walk_takes_no_other_check_along():
    checks = {"words": WORDS, "clumsy": check("clumsy", {"identifier": stumbles})}
    runner = CheckRunner(change(File("a.py", None, "bad = 1\n")), Analyzer(checks), defaults(), Deadline.never())
    outcome = runner.run(Gate("both", ("words", "clumsy")))
    assert outcome.failed_checks == ("clumsy",)
    assert [finding.check for finding in outcome.findings] == ["words"]


@pytest.mark.parametrize("deadline", [Deadline.after(600), Deadline.never()], ids=["some time", "no deadline"])
def test_a_text_that_is_being_looked_at_is_waited_for(deadline):
    """Whoever reads a file edits it a moment later, and the look at what was read has not ended yet."""
    began, ends = threading.Event(), threading.Event()
    looked = []

    def report(check_input, config, deadline):
        looked.append(check_input.source.text)
        began.set()
        assert ends.wait(20)
        return Report()

    analyzer = Analyzer({"words": replace(WORDS, report=report)})
    read = source_of("a.py", "x = 1\n", root=ROOT)
    ahead = threading.Thread(target=analyzer.analyze, args=(GATE, defaults(), read, Deadline.never()))
    ahead.start()
    assert began.wait(20)
    runner = CheckRunner(change(File("a.py", "x = 1\n", "x = 2\n")), analyzer, defaults(), deadline)
    edit = threading.Thread(target=runner.run, args=(GATE,))
    edit.start()
    edit.join(0.2)
    assert looked == ["x = 1\n"]
    ends.set()
    for each in (ahead, edit):
        each.join(20)
    assert looked == ["x = 1\n", "x = 2\n"]


def test_a_look_that_does_not_end_is_not_waited_for_any_longer():
    began, ends = threading.Event(), threading.Event()

    def report(check_input, config, deadline):
        if not began.is_set():
            began.set()
            ends.wait(30)
        return Report()

    analyzer = Analyzer({"words": replace(WORDS, report=report)})
    read = source_of("a.py", "x = 1\n", root=ROOT)
    stuck = threading.Thread(target=analyzer.analyze, args=(GATE, defaults(), read, Deadline.never()))
    stuck.start()
    assert began.wait(20)
    analyzer.wait_for(GATE, defaults(), read, Deadline.after(600))
    assert stuck.is_alive()
    ends.set()
    stuck.join(20)


def test_a_crash_is_not_remembered():
    analyzer = Analyzer({"words": WORDS})
    runner = CheckRunner(change(File("a.py", None, "boom\n")), analyzer, defaults(), Deadline.never())
    assert runner.run(GATE).failed_checks
    assert runner.run(GATE).failed_checks


def test_old_debt_is_not_new_because_time_ran_out_while_looking_at_it():
    outcome = run(change(File("a.py", "bad 1\nslow\n", "bad 2\n")))
    assert [finding.advisory for finding in outcome.findings] == [True]
    assert [item.path for item in outcome.unchecked] == ["a.py"]


def test_what_was_not_looked_at_is_in_the_outcome():
    outcome = run(
        change(
            File("a.py", None, "slow\n"),
            unchecked=[
                Unchecked("b.py", UncheckedKind.UNREADABLE, "too large"),
                Unchecked("c.png", UncheckedKind.UNREADABLE, "too large"),
            ],
        )
    )
    assert [item.path for item in outcome.unchecked] == ["b.py", "a.py"]


def finding(severity, *, new=True):
    return Finding("words", "bad", Span("a.py", 1), "m", severity, new=new)


DECISIONS = [
    ("nothing found", {}, {}, Decision.ALLOW),
    ("a new error", {"findings": (finding(Severity.ERROR),)}, {}, Decision.BLOCK),
    ("an old error", {"findings": (finding(Severity.ERROR, new=False),)}, {}, Decision.ALLOW),
    ("a new warning", {"findings": (finding(Severity.WARNING),)}, {}, Decision.WARN),
    ("a new note", {"findings": (finding(Severity.NOTE),)}, {}, Decision.ALLOW),
    (
        "a warning where warnings block",
        {"findings": (finding(Severity.WARNING),)},
        {"block_at": Severity.WARNING},
        Decision.BLOCK,
    ),
    (
        "an error where only critical blocks",
        {"findings": (finding(Severity.ERROR),)},
        {"block_at": Severity.CRITICAL},
        Decision.WARN,
    ),
    ("findings that end the run", {"findings": (finding(Severity.ERROR),)}, {"on_fail": "STOP"}, Decision.HALT),
    ("findings that are only told", {"findings": (finding(Severity.ERROR),)}, {"on_fail": "CONTINUE"}, Decision.WARN),
    ("a failed check that fails open", {"failed_checks": ("complexity",)}, {}, Decision.WARN),
    ("a failed check that fails closed", {"failed_checks": ("secrets",)}, {}, Decision.BLOCK),
    ("an open check under a gate that asks", {"failed_checks": ("complexity",)}, {"on_error": "ask"}, Decision.ASK),
    ("an open check under a closed gate", {"failed_checks": ("complexity",)}, {"on_error": "closed"}, Decision.BLOCK),
    (
        "a closed check under a gate that would open",
        {"failed_checks": ("secrets",)},
        {"on_error": "open"},
        Decision.BLOCK,
    ),
    ("a check nobody gave a direction", {"failed_checks": ("words",)}, {}, Decision.WARN),
    (
        "a limit of an open check",
        {"unchecked": (Unchecked("a.py", UncheckedKind.NOT_PARSED, "large"),)},
        {"checks": ("complexity/nesting",)},
        Decision.WARN,
    ),
    (
        "a limit of a closed check",
        {"unchecked": (Unchecked("a.py", UncheckedKind.NOT_PARSED, "large"),)},
        {"checks": ("secrets",)},
        Decision.BLOCK,
    ),
]


@pytest.mark.parametrize(
    ("outcome", "gate", "expected"), [row[1:] for row in DECISIONS], ids=[row[0] for row in DECISIONS]
)
def test_what_an_outcome_means(outcome, gate, expected):
    outcome = Outcome("words", Status.PASSED, **outcome)
    assert decided([outcome], replace(defaults(), gates={"words": replace(GATE, **gate)})) is expected


def test_the_strongest_gate_wins():
    soft, hard = Gate("soft", ("words",), block_at=Severity.CRITICAL), Gate("hard", ("words",))
    found = (finding(Severity.ERROR),)
    outcomes = [Outcome("hard", Status.FAILED, found), Outcome("soft", Status.FAILED, found)]
    assert decided(outcomes, replace(defaults(), gates={"soft": soft, "hard": hard})) is Decision.BLOCK


def test_the_closed_checks_are_those_that_were_promised():
    assert {name for name, direction in FAILS.items() if direction == "closed"} == {
        "secrets",
        "unsafe-command",
        "protected-file",
    }


@pytest.mark.parametrize(
    ("before", "after", "lines"),
    [
        ("a\nb\nc", "a\nX\nc", (2, 2)),
        ("a\nb\nc", "a\nb\nc\nd\ne", (4, 5)),
        ("a\nb\nc", "a\nc", (2, 2)),
        ("a", "a", (2, 2)),
        ("", "a\nb", (1, 2)),
    ],
)
def test_the_changed_lines_lie_between_first_and_last_difference(before, after, lines):
    assert changed_lines(before, after) == (lines,)


def counts_promises(check_input, config, deadline):
    """One safeguard per line `promise NAME VALUE`; a finding per line that says `bad`."""
    safeguards = [
        Safeguard("words", "broken", words[1], int(words[2]), evidence=words[1][:1], line=number)
        for number, line in enumerate(check_input.source.text.split("\n"), start=1)
        if (words := line.split()) and words[0] == "promise"
    ]
    report = finds_words(check_input, config, deadline)
    return replace(report, safeguards=tuple(safeguards))


def broken(loss):
    if any(f"promise {loss.symbol} " in text for _, text in loss.others(loss.symbol)):
        return None
    left = loss.now.value if loss.now else 0
    span = Span(loss.source.path, loss.now.line if loss.now else 1)
    return Finding("words", "broken", span, f"{loss.symbol}: {loss.value} to {left}", Severity.ERROR, loss.symbol)


PROMISES = replace(
    WORDS,
    rules=(*WORDS.rules, Rule("broken", Severity.ERROR, "broken")),
    languages=frozenset(),
    plain=True,
    compares=True,
    report=counts_promises,
    on_lost_safeguard=broken,
)


def promised(*files, compares=True):
    runner = CheckRunner(change(*files), Analyzer({"words": PROMISES}), defaults(), Deadline.never(), compares=compares)
    return [finding.message for finding in runner.run(GATE).findings if finding.new]


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ("promise a 3\n", "promise a 3\n", []),
        ("promise a 3\n", "x\npromise a 4\n", []),
        ("promise a 3\n", "promise a 2\n", ["a: 3 to 2"]),
        ("promise a 3\n", "", ["a: 3 to 0"]),
        ("promise a 3\n", None, ["a: 3 to 0"]),
        ("promise a 3\n", "promise another 3\n", []),
        ("promise a 3\npromise b 1\n", "promise b 1\n", ["a: 3 to 0"]),
        (None, "promise a 3\n", []),
    ],
    ids=[
        "what stays is kept",
        "what grows is kept",
        "what shrinks is lost",
        "what is gone is lost",
        "what goes with its file is lost",
        "what has another name and the same content is kept",
        "each is known by its name",
        "what is new was never lost",
    ],
)
def test_what_is_of_worth_must_not_get_lost(before, after, said):
    assert promised(File("notes.txt", before, after)) == said


def test_what_moved_to_another_file_of_the_change_is_not_lost():
    assert promised(File("a.txt", "promise a 3\n", ""), File("b.txt", "", "promise a 3\n")) == []


def test_a_check_may_weigh_what_it_finds_by_what_was_known_before():
    forgiving = replace(
        PROMISES, compare_with_before=lambda found, known, _: () if any(each.is_safeguard for each in known) else found
    )
    rest = (Analyzer({"words": forgiving}), defaults(), Deadline.never())
    changes = [change(File("a.txt", before, "promise a 1\nbad\n")) for before in ("promise a 1\n", "")]
    told = [[finding.message for finding in CheckRunner(each, *rest).run(GATE).findings] for each in changes]
    assert told == [[], ["bad word"]]


def test_what_was_lost_is_told_beside_all_that_stood_and_stands_there():
    seen = []
    watching = replace(PROMISES, on_lost_safeguard=lambda loss: seen.append((loss.before, loss.after)))
    runner = CheckRunner(
        change(File("a.txt", "promise a 2\npromise b 1\n", "promise b 1\n")),
        Analyzer({"words": watching}),
        defaults(),
        Deadline.never(),
    )
    runner.run(GATE)
    ((before, after), *_) = seen
    assert [each.symbol for each in before] == ["a", "b"]
    assert [each.symbol for each in after] == ["b"]


def test_a_renamed_file_was_what_its_old_name_made_it():
    only_old = replace(
        PROMISES, report=lambda s, c, d: counts_promises(s, c, d) if s.source.path == "old" else Report()
    )
    runner = CheckRunner(
        change(File("new", "promise a 1\n", "promise a 1\n", was="old")),
        Analyzer({"words": only_old}),
        defaults(),
        Deadline.never(),
    )
    outcome = runner.run(GATE)
    assert [finding.message for finding in outcome.findings] == ["a: 1 to 0"]


def test_a_check_that_compares_is_silent_where_nothing_is_known_of_before():
    assert promised(File("a.txt", None, "bad\n"), compares=False) == []
    assert promised(File("a.txt", None, "bad\n")) == ["bad word"]


def test_a_limit_that_one_check_reached_is_no_failure_of_another():
    gate = Gate("g", ("words", "secrets"))
    gave_up = Outcome("g", Status.PASSED, unchecked=(Unchecked("a.py", UncheckedKind.NOT_PARSED, "too big", "words"),))
    assert decided([gave_up], replace(defaults(), gates={"g": gate})) is Decision.WARN
    nobody_looked = Outcome("g", Status.PASSED, unchecked=(Unchecked("a.py", UncheckedKind.UNREADABLE, "unreadable"),))
    assert decided([nobody_looked], replace(defaults(), gates={"g": gate})) is Decision.BLOCK


def beyond(report):
    rules = (Rule("bad", Severity.ERROR, "bad"),)
    return Check("beyond", "Bad changes.", rules, frozenset({"python"}), on_whole_change=lambda whole: report)


def run_beyond(report, deadline, *files):
    gate = Gate("code", ("beyond", "secrets"))
    checks = {"beyond": beyond(report), "secrets": check("secrets")}
    runner = CheckRunner(change(*files), Analyzer(checks), defaults(), deadline)
    return gate, runner, runner.whole_change(gate, change(*files))


def test_what_no_time_was_left_for_beside_the_rest_of_the_project_is_unchecked():
    changed = [File("a.py", "x\n", "y\n"), File("b.py", "x\n", None), File("same.py", "x\n", "x\n")]
    _, _, analysis = run_beyond(Report(), Deadline.after(-1), *changed, File("notes.md", "x", "y"))
    assert [(item.path, item.check) for item in analysis.unchecked] == [("a.py", "beyond"), ("b.py", "beyond")]
    assert "time " in analysis.unchecked[0].reason
    assert run_beyond(Report(), Deadline.never(), *changed)[2].unchecked == ()


def test_a_check_of_the_whole_change_that_gives_up_speaks_for_itself_alone():
    report = Report(unchecked=(Unchecked("a.py", UncheckedKind.UNFINISHED, "it gave up"),))
    gate, runner, analysis = run_beyond(report, Deadline.never(), File("a.py", "x\n", "y\n"))
    assert analysis.unchecked == (Unchecked("a.py", UncheckedKind.UNFINISHED, "it gave up", "beyond"),)
    outcome = runner.run(gate)
    assert decided([outcome], replace(defaults(), gates={"code": gate})) is Decision.WARN


def test_a_gate_has_no_more_time_than_it_says():
    """Also where nobody else has a clock, as at a commit."""

    def takes_long(whole):
        assert 0 < whole.deadline.left() <= 1
        return Report()

    rules = (Rule("bad", Severity.ERROR, "bad"),)
    slow = Check("slow", "Slow.", rules, frozenset({"python"}), on_whole_change=takes_long)
    runner = CheckRunner(change(File("a.py", "x\n", "y\n")), Analyzer({"slow": slow}), defaults(), Deadline.never())
    assert runner.run(Gate("code", ("slow",), timeout=1)).status is Status.PASSED
    assert runner.run(Gate("code", ("slow",))).status is Status.ERRORED, "without one there is no limit"
    outcome = runner.run(Gate("code", ("slow",), timeout=1e-9))
    assert [(item.check, item.kind) for item in outcome.unchecked] == [("slow", UncheckedKind.UNFINISHED)]


def test_a_gate_has_no_more_time_beside_the_rest_of_the_project_either():
    report = Report(unchecked=(Unchecked("a.py", UncheckedKind.UNFINISHED, "it gave up"),))
    _, runner, _ = run_beyond(report, Deadline.never(), File("a.py", "x\n", "y\n"))
    outcome = runner.run_beside(Gate("code", ("beyond",), timeout=1e-9))
    assert [item.reason for item in outcome.unchecked] == [
        "the time to compare it with the rest of the project ran out"
    ]
