"""The gate at work in real sessions: the same verdicts with a warm daemon, with none and with one that hangs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .gate import Daemon, Gate
from .model_server import Model, Say, ToolResult, Use
from .samples import BRANCH_LINES, PLAIN, TANGLED, TELLS
from .session import Options

if TYPE_CHECKING:
    from collections.abc import Callable

    from .conftest import GateMaker

PROMPT = "Please write the routing."


def in_every_mode(gate_in: GateMaker, scenario: Callable[[Gate], list[ToolResult]]) -> None:
    told = {}
    for daemon in Daemon:
        gate = gate_in(daemon)
        told[daemon] = [gate.without_particulars(result) for result in scenario(gate)]
        gate.assert_daemon_is_still_as_wanted()
    assert told[Daemon.WARM] == told[Daemon.NONE]
    assert told[Daemon.HUNG] == told[Daemon.NONE]


def write(gate: Gate, name: str, content: str, first: Callable[[], object] | None = None) -> Use:
    return Use("Write", {"file_path": str(gate.project / name), "content": content}, first)


def assert_told_why(result: ToolResult) -> None:
    assert result.is_error
    for detail in TELLS:
        assert detail in result.text
    assert any(str(line) in result.text for line in BRANCH_LINES)
    assert "vetgate-hook" not in result.text, "the command line leaked"


def test_a_denied_write_never_reaches_the_disk_and_the_model_is_told_why(gate_in: GateMaker) -> None:
    def scenario(gate: Gate) -> list[ToolResult]:
        session = gate.session(Model({PROMPT: [write(gate, "routing.py", TANGLED), Say("I see.")]}))
        denied = session.model.result(0)
        assert_told_why(denied)
        assert not (gate.project / "routing.py").exists()
        return [denied]

    in_every_mode(gate_in, scenario)


def test_the_corrected_write_lands(gate_in: GateMaker) -> None:
    def scenario(gate: Gate) -> list[ToolResult]:
        replies = [write(gate, "routing.py", TANGLED), write(gate, "routing.py", PLAIN), Say("Better.")]
        session = gate.session(Model({PROMPT: replies}))
        denied, landed = session.model.result(0), session.model.result(1)
        assert denied.is_error
        assert not landed.is_error
        assert (gate.project / "routing.py").read_text() == PLAIN
        return [denied, landed]

    in_every_mode(gate_in, scenario)


def test_an_edit_that_keeps_old_debt_passes(gate_in: GateMaker) -> None:
    def scenario(gate: Gate) -> list[ToolResult]:
        old = gate.home.commit("routing.py", TANGLED)
        edit = {"file_path": str(old), "old_string": "        return 9\n", "new_string": "        return 10\n"}
        session = gate.session(
            Model({PROMPT: [Use("Read", {"file_path": str(old)}), Use("Edit", edit), Say("Changed.")]})
        )
        landed = session.model.result(1)
        assert not landed.is_error, landed.text
        assert old.read_text() == TANGLED.replace("return 9\n", "return 10\n")
        return [landed]

    in_every_mode(gate_in, scenario)


def test_the_daemon_killed_between_two_calls_changes_nothing(gate_in: GateMaker) -> None:
    def scenario(gate: Gate) -> list[ToolResult]:
        replies = [
            write(gate, "one.py", TANGLED),
            write(gate, "two.py", TANGLED, first=gate.kill_daemon),
            write(gate, "two.py", PLAIN),
            Say("Done."),
        ]
        session = gate.session(Model({PROMPT: replies}))
        before, after, landed = (session.model.result(turn) for turn in range(3))
        assert_told_why(before)
        assert_told_why(after)
        assert not landed.is_error
        assert not (gate.project / "one.py").exists()
        assert (gate.project / "two.py").read_text() == PLAIN
        return [before, after, landed]

    in_every_mode(gate_in, scenario)


def test_started_in_a_subdirectory_the_gate_still_works(gate_in: GateMaker) -> None:
    def scenario(gate: Gate) -> list[ToolResult]:
        gate.home.commit("services/web/README", "Routes.\n")
        target = "services/web/routing.py"
        replies = [write(gate, target, TANGLED), write(gate, target, PLAIN), Say("Done.")]
        session = gate.session(Model({PROMPT: replies}), Options(folder="services/web"))
        denied, landed = session.model.result(0), session.model.result(1)
        assert_told_why(denied)
        assert not landed.is_error
        assert (gate.project / target).read_text() == PLAIN
        return [denied, landed]

    in_every_mode(gate_in, scenario)
