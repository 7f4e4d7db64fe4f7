"""Files that are tangled, on purpose or not, cost a bounded amount of work, and it is said what was left off."""

from __future__ import annotations

from functools import partial

import pytest

from vetgate.checks.security import CHECK, match
from vetgate.checks.security.findings import found
from vetgate.checks.security.scan import FileScan, visitor_of
from vetgate.checks.security.taint import Effort
from vetgate.config.load import defaults
from vetgate.engine.check import CheckInput
from vetgate.model import UncheckedKind
from vetgate.source.clock import Deadline
from vetgate.source.language import language_of
from vetgate.source.syntax import Source, Syntax, parse
from vetgate.source.walk import walk

VIEW = """
import os
from flask import request

def view():
    first = request.args["name"]
    second = first
    third = second
    os.system("ls " + third)
"""


def noted(path: str, code: str) -> FileScan:
    syntax = parse(Source(path, code, language_of(path)))
    assert isinstance(syntax, Syntax)
    state: FileScan = walk(syntax, [visitor_of(syntax.language)], Deadline.never()).states[0]
    return state


def doubled(times: int) -> str:
    lines = [f"    x{each + 1} = x{each} + x{each} + f'{{x{each}}}'" for each in range(times)]
    return "\n".join(["import os", "def view(x0):", *lines, f"    os.system(x{times})"])


def test_nothing_is_left_off_in_an_ordinary_file() -> None:
    state = noted("view.py", VIEW)
    assert [finding.rule for finding in found(state, "view.py")] == ["shell-command"]
    assert state.unfinished == ""


def test_when_the_effort_is_spent_it_is_said() -> None:
    state = noted("view.py", VIEW)
    state.matcher.effort.left = 2
    assert [finding.severity.name for finding in found(state, "view.py")] == ["WARNING"]
    assert "tangled" in state.unfinished


def test_when_time_is_up_it_is_said() -> None:
    state = noted("view.py", VIEW)
    assert list(found(state, "view.py", deadline=Deadline.after(-1))) == []
    assert "time" in state.unfinished


@pytest.mark.parametrize(
    ("left", "deadline", "kind"),
    [(2, Deadline.never(), UncheckedKind.OTHER), (1_000, Deadline.after(-1), UncheckedKind.UNFINISHED)],
)
def test_only_what_time_did_not_suffice_for_is_unfinished(
    left: int, deadline: Deadline, kind: UncheckedKind, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(match, "Effort", partial(Effort, left))
    source = Source(f"view{left}.py", VIEW, language_of("view.py"))
    syntax = parse(source)
    assert isinstance(syntax, Syntax)
    seen = CheckInput(source, syntax)
    assert [each.kind for each in CHECK.report(seen, defaults(), deadline).unchecked] == [kind]


@pytest.mark.parametrize(
    ("path", "code"),
    [
        pytest.param("x.py", doubled(200), id="a text that is doubled two hundred times"),
        pytest.param("x.py", doubled(200).replace("(x0)", "():\n    x0 = 'a'"), id="a constant that is doubled"),
        pytest.param(
            "x.py",
            "import os\ndef f():\n    while True:\n        a = b\n        b = a\n        os.system('x' + a)\n",
            id="two names that stand for each other",
        ),
        pytest.param(
            "x.js",
            "function f() { while (1) { a = b || a; b = a ? b : a; el.innerHTML = '<b>' + a; } }",
            id="two names of JavaScript that stand for each other",
        ),
    ],
)
def test_tangled_code_ends(path: str, code: str) -> None:
    state = noted(path, code)
    assert len(list(found(state, path))) <= 1
