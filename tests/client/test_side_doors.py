"""Around the gate by a shell, by its settings, by waiting: each is found, told, and holds the end of the turn."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from .model_server import Model, Say, ToolResult, Use
from .samples import PLAIN, TANGLED
from .test_every_mode import PROMPT, in_every_mode, write

if TYPE_CHECKING:
    from .conftest import GateMaker
    from .gate import Gate


def shell(command: str) -> Use:
    return Use("Bash", {"command": command, "description": "work"})


def heredoc(name: str, text: str) -> str:
    return f"cat > {name} <<'EOF'\n{text}EOF"


def test_what_a_shell_writes_is_told_and_holds_the_turn_until_it_is_fixed(gate_in: GateMaker) -> None:
    def scenario(gate: Gate) -> list[ToolResult]:
        replies = [
            shell(heredoc("routing.py", TANGLED)),
            Say("Done."),
            shell(heredoc("routing.py", PLAIN)),
            Say("Mended."),
        ]
        session = gate.session(Model({PROMPT: replies}))
        requests = session.model.requests
        assert "complexity/cyclomatic at routing.py" in requests[1].text, "told after the command"
        assert "must be corrected before it ends" in requests[2].text, "held back at the end"
        assert len(requests) == len(replies), "and let go when it was fixed"
        assert (gate.project / "routing.py").read_text() == PLAIN
        return [session.model.result(0)]

    in_every_mode(gate_in, scenario)


def test_a_command_that_cannot_be_taken_back_does_not_run(gate_in: GateMaker) -> None:
    def scenario(gate: Gate) -> list[ToolResult]:
        kept = gate.home.commit("kept.txt", "one\n")
        kept.write_text("two\n")
        session = gate.session(Model({PROMPT: [shell("git reset --hard"), shell("git status --short"), Say("I see.")]}))
        denied, passed = session.model.result(0), session.model.result(1)
        assert denied.is_error
        assert "loses changes" in denied.text
        assert not passed.is_error
        assert kept.read_text() == "two\n"
        return [denied]

    in_every_mode(gate_in, scenario)


def test_the_agent_s_own_settings_are_not_to_be_weakened(gate_in: GateMaker) -> None:
    def scenario(gate: Gate) -> list[ToolResult]:
        replies = [
            write(gate, ".claude/settings.local.json", '{"disableAllHooks": true}\n'),
            shell("""printf '{"disableAllHooks": true}' > .claude/settings.local.json"""),
            Say("I see."),
        ]
        session = gate.session(Model({PROMPT: replies}))
        results = [session.model.result(0), session.model.result(1)]
        assert all(result.is_error for result in results)
        assert "protected" in results[0].text
        assert not (gate.project / ".claude" / "settings.local.json").exists()
        return results

    in_every_mode(gate_in, scenario)


def test_the_gate_is_still_there_after_a_pause(gate: Gate) -> None:
    def pause() -> None:
        time.sleep(5)

    replies = [write(gate, "one.py", PLAIN), write(gate, "two.py", TANGLED, first=pause), Say("I see.")]
    session = gate.session(Model({PROMPT: replies}))
    assert session.model.result(1).is_error
    assert not (gate.project / "two.py").exists()
