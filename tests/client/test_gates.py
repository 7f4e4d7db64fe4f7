"""The project's own commands as gates, in real sessions: told with the output, fixed, let go."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

from .gate import PERSON
from .model_server import Model, Say, ToolResult, Use
from .session import Options
from .test_every_mode import PROMPT, in_every_mode, write

if TYPE_CHECKING:
    from .conftest import GateMaker
    from .gate import Gate

ERRAND = "Go and count things."
# Passes once the number is right, and says where it is not.
TEST = "grep -qx 3 number.txt || { echo 'number.txt:1: expected 3'; exit 1; }"
CONFIG = f"""\
version: 1
gates:
  test: {{command: "{TEST}", description: "The number is right"}}
on:
  stop: [code, test]
  subagent_stop: {{agents: ["general-*"], gates: [test]}}
"""


def accepted(gate: Gate, config: str) -> None:
    """As a person does in a terminal."""
    (gate.project / "vetgate.yaml").write_text(config)
    digest = sha256(config.encode()).hexdigest()
    told = gate.vetgate("trust", "--digest", digest, program=PERSON)
    assert told.returncode == 0, told.stdout + told.stderr


def test_a_failing_gate_is_told_with_its_output_fixed_and_passes(gate_in: GateMaker) -> None:
    def scenario(gate: Gate) -> list[ToolResult]:
        accepted(gate, CONFIG)
        replies = [
            write(gate, "number.txt", "2\n"),
            Say("Done."),
            write(gate, "number.txt", "3\n"),
            Say("Mended."),
        ]
        session = gate.session(Model({PROMPT: replies}))
        requests = session.model.requests
        assert "test (`grep -qx 3 number.txt" in requests[0].text, "told at the start which gates stand here"
        assert "Gate 'test' (The number is right) failed with exit status 1" in requests[2].text
        assert "number.txt:1: expected 3" in requests[2].text
        assert len(requests) == len(replies), "let go when it was fixed"
        return [session.model.result(0)]

    in_every_mode(gate_in, scenario)


def test_a_subagent_is_held_back_by_the_gate_of_its_kind(gate: Gate) -> None:
    accepted(gate, CONFIG)
    errand = {"description": "Count", "prompt": ERRAND, "subagent_type": "general-purpose", "run_in_background": False}
    replies = {
        PROMPT: [Use("Agent", errand), Say("All done.")],
        ERRAND: [
            write(gate, "number.txt", "2\n"),
            Say("Counted."),
            write(gate, "number.txt", "3\n"),
            Say("Counted again."),
        ],
    }
    session = gate.session(Model(replies))
    mine = [request for request in session.model.requests if request.conversation == ERRAND]
    assert "test (`grep -qx 3 number.txt" in mine[0].text, "told at its start which gates stand here"
    assert len(mine) == len(replies[ERRAND]), "it had to go on, and then ended"
    assert "number.txt:1: expected 3" in mine[2].text
    assert (gate.project / "number.txt").read_text() == "3\n"


def test_a_stranger_s_commands_do_not_run(gate: Gate) -> None:
    (gate.project / "vetgate.yaml").write_text(
        'version: 1\ngates: {evil: {command: "touch pwned"}}\n'
        "on: {session_start: [evil], prompt: [evil], after_edit: [evil], after_command: [evil], stop: [evil]}\n"
    )
    shell = Use("Bash", {"command": "ls", "description": "look"})
    session = gate.session(Model({PROMPT: [write(gate, "a.txt", "x\n"), shell, Say("Done.")]}))
    assert "gates.evil.command is new" in session.model.requests[0].text
    assert not (gate.project / "pwned").exists()


# Counts its runs outside of the project, where that is no change.
COUNTED = f"echo ran >> ../runs; {TEST}"


def script(gate: Gate, text: str) -> None:
    gate.home.commit("check.sh", text + "\n")


def runs(gate: Gate) -> int:
    file = gate.project.parent / "runs"
    return len(file.read_text().split()) if file.exists() else 0


def test_what_the_agent_ran_itself_is_evidence_that_spares_a_run(gate: Gate) -> None:
    script(gate, COUNTED)
    accepted(gate, 'version: 1\ngates: {test: {command: "sh check.sh"}}\non: {stop: [test]}\n')
    check = Use("Bash", {"command": "sh check.sh", "description": "test"})
    replies = [write(gate, "number.txt", "2\n"), check, write(gate, "number.txt", "3\n"), check, Say("Done.")]
    session = gate.session(Model({PROMPT: replies}), Options(mode="bypassPermissions"))
    assert session.model.result(1).is_error, "it saw the failure itself"
    assert len(session.model.requests) == len(replies), "not held back"
    assert runs(gate) == 2, "both of them the agent's own"


def test_after_an_edit_the_agent_is_told_at_once(gate: Gate) -> None:
    accepted(
        gate,
        f'version: 1\ngates: {{test: {{command: "{TEST}"}}}}\non: {{after_edit: {{tools: [Write], gates: [test]}}}}\n',
    )
    replies = [write(gate, "number.txt", "2\n"), write(gate, "number.txt", "3\n"), Say("Done.")]
    requests = gate.session(Model({PROMPT: replies})).model.requests
    assert "number.txt:1: expected 3" in requests[1].text
    assert requests[2].text.count("expected 3") == requests[1].text.count("expected 3"), "said once"


def test_a_gate_may_end_the_run(gate: Gate) -> None:
    accepted(gate, f'version: 1\ngates: {{test: {{command: "{TEST}", on_fail: STOP}}}}\non: {{after_edit: [test]}}\n')
    session = gate.session(
        Model({PROMPT: [write(gate, "number.txt", "2\n"), write(gate, "more.txt", "x\n"), Say("Done.")]})
    )
    assert len(session.model.requests) == 1, "the model was not asked again"
    assert not (gate.project / "more.txt").exists()
