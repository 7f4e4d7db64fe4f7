"""The complexity check as the engine runs it: findings, their steps and fixes, and what it does under stress."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest

from complexity_table import functions
from vetgate.checks.complexity import CHECK, measure
from vetgate.config.load import defaults
from vetgate.engine.analysis import run_check
from vetgate.model import Step
from vetgate.severity import Severity
from vetgate.source.clock import Deadline
from vetgate.source.syntax import Source

TIGHT = {"cyclomatic": 2, "cognitive": 3, "nesting": 1, "length": 5, "parameters": 1}

CODE = """\
import os


class Shop:
    def ship(self, orders, dry):
        for order in orders:
            if order.paid:
                if order.ready and not dry:
                    send(order)
            else:
                remind(order)
        return orders
"""


def check(code: str, language: str = "python", deadline: Deadline | None = None, **limits: int):
    config = defaults()
    config = replace(config, options=config.options | {f"complexity.{name}": limits[name] for name in limits})
    return run_check(CHECK, Source(f"a.{language}", code, language), config, deadline or Deadline.never())


def finding(rule: str, **limits: int):
    return next(each for each in check(CODE, **(limits or TIGHT)).findings if each.rule == rule)


def test_every_measure_above_its_limit_is_a_finding():
    findings = check(CODE, **TIGHT).findings
    assert [(each.rule, each.value, each.limit, each.severity) for each in findings] == [
        ("cyclomatic", 4, 2, Severity.ERROR),
        ("cognitive", 8, 3, Severity.ERROR),
        ("nesting", 3, 1, Severity.WARNING),
        ("length", 8, 5, Severity.WARNING),
        ("parameters", 2, 1, Severity.WARNING),
    ]
    assert {each.symbol for each in findings} == {"Shop.ship"}


def test_a_value_at_its_limit_is_none():
    assert check(CODE, cyclomatic=4, cognitive=8, nesting=3, length=8, parameters=2).findings == ()


def test_the_span_is_the_head_of_the_function():
    span = finding("cyclomatic").span
    assert (span.line, span.column, span.end_line, span.end_column) == (5, 5, 5, 33)


def test_the_message_names_function_value_limit_and_definition():
    assert finding("cyclomatic").message == "`Shop.ship` has cyclomatic complexity 4, limit 2 (ruff C901)."
    assert finding("length").message == "`Shop.ship` has 8 lines, limit 5 (without comments)."


def test_steps_say_which_line_adds_how_much():
    assert finding("cyclomatic").steps == (Step(6, "+1 for"), Step(7, "+1 if"), Step(8, "+1 if"))
    assert finding("cognitive").steps == (
        Step(6, "+1 for"),
        Step(7, "+2 if (nesting 1)"),
        Step(8, "+3 if (nesting 2)"),
        Step(8, "+1 and"),
        Step(10, "+1 else"),
    )
    assert finding("nesting").steps == (Step(6, "level 1: for"), Step(7, "level 2: if"), Step(8, "level 3: if"))


@pytest.mark.parametrize("measure_name", ["cyclomatic", "cognitive"])
@pytest.mark.parametrize("nested", [False, True], ids=["alone", "with a nested function"])
def test_steps_add_up_to_the_value(measure_name, nested):
    body = "".join(f"    {line}\n" for line in CODE.splitlines()[4:]) if nested else ""
    code = f"def outer(a):\n    x = 1\n{body}    if a and x or a:\n        return x\n"
    outer = functions(code, "python")[0]
    added = sum(int(step.text.split()[0]) for step in outer.steps[measure_name])
    assert added + (measure_name == "cyclomatic") == getattr(outer, measure_name)


@pytest.mark.parametrize(
    ("rule", "limits", "says"),
    [
        ("cyclomatic", {"cyclomatic": 2}, "Extract lines 7-11 (the `if`, with 2 of the 3 branches)"),
        ("cognitive", {"cognitive": 3}, "Extract lines 7-11 (the `if`, 7 of 8 points)"),
        (
            "nesting",
            {"nesting": 2},
            "Turn the `if` on line 7 into a guard that returns or continues early, or extract lines 7-11",
        ),
        ("parameters", {"parameters": 1}, "one object"),
    ],
)
def test_the_fix_names_the_costliest_lines(rule, limits, says):
    assert says in finding(rule, **limits).fix


def test_many_cases_are_better_as_a_table():
    code = "function f(a) { switch (a) {" + "".join(f"case {n}: return {n};\n" for n in range(12)) + "} }"
    assert "Replace the 12 cases by a table" in check(code, "javascript", variant="classic").findings[0].fix
    assert check(code, "javascript").findings == ()


SWITCHES = {
    "javascript": ("function f(a) { switch (a) {", "case %d: return 1;\n", "} }"),
    "typescript": ("function f(a: number) { switch (a) {", "case %d: return 1;\n", "} }"),
    "python": ("def f(a):\n    match a:\n", "        case %d: return 1\n", ""),
    "go": ("package a\nfunc f(a int) int { switch a {\n", "case %d: return 1\n", "}\nreturn 2 }\n"),
    "java": ("class A { int f(int a) { switch (a) {", "case %d: return 1;\n", "} return 2; } }"),
    "rust": ("fn f(a: i32) -> i32 { match a {", "%d => 1,\n", "_ => 2 } }"),
    "csharp": ("class A { int F(int a) { switch (a) {", "case %d: return 1;\n", "} return 2; } }"),
    "php": ("<?php function f($a) { switch ($a) {", "case %d: return 1;\n", "} }"),
    "ruby": ("def f(a)\n  case a\n", "  when %d then 1\n", "  end\nend\n"),
}


@pytest.mark.parametrize("language", SWITCHES)
def test_a_switch_counts_once_against_the_limit_and_fully_as_a_metric(language):
    head, case, tail = SWITCHES[language]
    code = head + "".join(case % number for number in range(15)) + tail
    (function,) = functions(code, language)
    assert function.cyclomatic == 16
    assert check(code, language).findings == ()
    (found,) = check(code, language, cyclomatic=1).findings
    assert found.value == 2
    assert [each.value for each in check(code, language, variant="classic").findings] == [16]


@pytest.mark.parametrize(
    ("language", "code"),
    [
        ("python", 'def f(a):\n    """One.\n\n    Two.\n    """\n    # three\n    a()\n    return a\n'),
        ("javascript", "function f(a) {\n  // one\n  /* two\n     three */\n  a();\n}\n"),
        ("go", "package a\nfunc f() {\n\t// one\n\t// two\n\tg()\n\tg()\n}\n"),
    ],
)
def test_comments_and_documentation_do_not_count_for_length(language, code):
    assert check(code, language, length=4).findings == ()
    assert [each.rule for each in check(code, language, length=2).findings] == ["length"]


def test_a_line_of_code_with_a_comment_counts():
    code = "def f(a):\n" + "    a()  # call\n" * 5
    assert [each.value for each in check(code, length=5).findings] == [6]


def test_what_to_extract_is_only_said_where_it_suffices():
    blocks = "".join(f"    if a == {each}:\n        b()\n        c()\n" for each in range(20))
    fix = next(each.fix for each in check(f"def f(a):\n{blocks}").findings if each.rule == "cyclomatic")
    assert "Extract" not in fix
    long = "def f(a):\n" + "    if a:\n        b()\n        c()\n" + "    b()\n" * 120
    fix = next(each.fix for each in check(long).findings if each.rule == "length")
    assert "Extract" not in fix


def test_the_evidence_outlives_reformatting_and_nothing_else():
    same = (
        CODE.replace("        ", "    \t  ").replace("\n", "\r\n").replace("if order.ready and", "if  order.ready\tand")
    )
    other = CODE.replace("send(order)", "send(orders)")
    original, reformatted, changed = (functions(code, "python")[0] for code in (CODE, same, other))
    assert original.digest == reformatted.digest != changed.digest


def test_line_ends_do_not_change_a_measure():
    one, other = functions(CODE, "python")[0], functions(CODE.replace("\n", "\r\n"), "python")[0]
    assert (one.line, one.end_line, one.cognitive, one.column) == (
        other.line,
        other.end_line,
        other.cognitive,
        other.column,
    )


def test_lone_surrogates_and_a_byte_order_mark_do_no_harm():
    found = functions("\ufeffdef f(a):\n    '\udcff\ud83d'\n    if a: return '\udcfe'\n", "python")
    assert [(each.name, each.cyclomatic, each.length) for each in found] == [("f", 2, 3)]


@pytest.mark.parametrize(
    ("language", "code"),
    [
        (
            "python",
            "def good(a):\n    if a:\n        return 1\n\ndef broken(:\n    if\n\ndef last(a):\n    if a: return 2\n",
        ),
        (
            "typescript",
            "function good(a) { if (a) {} }\nfunction broken( { if ( }\n}\nfunction last(a) { if (a) {} }\n",
        ),
        ("go", "func good(a bool) { if a {} }\nfunc broken( {\n}\nfunc last(a bool) { if a {} }\n"),
    ],
)
def test_what_parses_is_measured_around_what_does_not(language, code):
    measured = {each.name.rpartition(".")[2]: each.cyclomatic for each in functions(code, language)}
    assert measured["good"] == 2
    assert measured["last"] == 2


@pytest.mark.parametrize("language", sorted(CHECK.languages))
@pytest.mark.parametrize(
    "noise",
    [
        "",
        "\n",
        "}{)(][",
        "if",
        "class",
        "def def def",
        "function(",
        "\udcff" * 50,
        "/*",
        '"',
        "<?php",
        "func (",
        "fn f(",
        "=>",
        "a ? b",
    ],
)
def test_noise_is_never_an_error(language, noise):
    assert check(noise * 3, language).unchecked == ()


@pytest.mark.parametrize(
    ("language", "code", "expected"),
    [
        ("javascript", "function f(a) {" + "if (a) {" * 50_000 + "}" * 50_000 + "}", (50_001, 50_000)),
        ("javascript", "function f(a) { return " + "(" * 20_000 + "a && b" + " && c)" * 20_000 + "}", (20_002, 0)),
        ("javascript", "function f(a) { return " + "a ? b : " * 20_000 + "c }", (20_001, 0)),
        ("python", "def f(a):\n    return " + " and ".join("a" * 50_000) + "\n", (1, 0)),
        ("go", "package a\nfunc f(a bool) {" + "if a {} else " * 20_000 + "{}}", (20_001, 1)),
    ],
    ids=["nested ifs", "nested parentheses", "chained ternaries", "a long condition", "a chain of else if"],
)
def test_depth_is_no_limit(language, code, expected):
    function = functions(code, language)[0]
    assert (function.cyclomatic, function.nesting) == expected
    assert function.steps["cyclomatic"] is not None


def test_functions_nest_without_limit():
    found = functions("function f(a) { if (a) {" + "(() => {" * 20_000 + "})" * 20_000 + "} }", "javascript")
    assert len(found) == 20_001
    assert max(len(each.name) for each in found) < 300


def test_python_functions_fold_without_limit():
    depth = 90
    code = "".join(f"{' ' * n}def f{n}(a):\n{' ' * n} x = 1\n{' ' * n} if a: pass\n" for n in range(depth))
    found = functions(code, "python")
    assert found[0].cyclomatic == 2 * depth
    assert found[0].cognitive == sum(range(1, depth + 1))


def test_when_there_is_no_time_the_verdict_says_what_was_left_out():
    report = check(CODE, deadline=Deadline(0.0))
    assert report.findings == ()
    assert [each.reason for each in report.unchecked] == ["lines 1-12: the time for this check ran out"]


def test_what_was_measured_before_time_ran_out_stands():
    class Soon(Deadline):
        """Passes after a number of looks."""

        looks = 0

        def passed(self):
            Soon.looks += 1
            return Soon.looks > 2

    code = "".join(f"def f{n}(a):\n    if a:\n        return {n}\n" for n in range(1500))
    source = Source("a.py", code, "python", first=((3001, 3003),))
    measured = measure(source, Soon(time.monotonic() + 60))
    assert "f1000" in {each.name for each in measured.functions}
    assert len(measured.functions) < 1500
    assert measured.unchecked[0].reason.startswith("lines ")


def test_a_file_that_is_too_big_is_unchecked():
    report = check("x = 1\n" * 20_001)
    assert report.findings == ()
    assert "20,000 lines" in report.unchecked[0].reason
