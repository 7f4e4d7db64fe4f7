"""A gates.json of the older design as a vetgate.yaml: every example configuration of that design."""

from __future__ import annotations

import json

import pytest

from test_gates_run import Scripted
from vetgate.config.load import loaded
from vetgate.config.migrate import is_gates_file, migrated
from vetgate.config.schema import GateSequence
from vetgate.engine.decide import decided
from vetgate.gates.sequence import run_steps
from vetgate.model import Decision, EventKind, GateKind, Status, UserError

CHECK = {"description": "Quality checks", "command": "mise run check"}
TEST = {"description": "Test suite", "command": "mise run test"}
BOTH = {"on_pass": "CONTINUE", "on_fail": "BLOCK"}
WARN = {"on_pass": "CONTINUE", "on_fail": "CONTINUE"}
AT_END = EventKind.SUBAGENT_STOP

OVERVIEW = {
    "gates": {
        "check": {
            "description": "Run project quality checks (formatting, linting, types)",
            "command": "mise run check",
            "on_pass": "BLOCK",
            "on_fail": "STOP",
        },
        "test": {"description": "Run project test suite", "command": "mise run test"},
        "build": {"description": "Run project build", "command": "mise run build", "on_fail": "CONTINUE"},
        "format": {
            "description": "Auto-format code",
            "command": "mise run format",
            "on_pass": "check",
            "on_fail": "STOP",
        },
    },
    "hooks": {
        "PostToolUse": {"enabled_tools": ["Edit", "Write", "mcp__serena__replace_symbol_body"], "gates": ["check"]},
        "SubagentStop": {
            "enabled_agents": ["rust-engineer", "code-reviewer", "ultrathink-debugger"],
            "gates": ["check", "test"],
        },
    },
}
ONE = {"gates": {"check": {"description": "Run project quality checks", "command": "mise run check", **BOTH}}}
CHAIN = {
    "gates": {
        "format": {"command": "mise run format", "on_pass": "check", "on_fail": "STOP"},
        "check": {"command": "mise run check", **BOTH},
        "test": {"command": "mise run test"},
    },
    "hooks": {"SubagentStop": {"gates": ["format", "test"]}},
}
RETICULATE = {
    "gates": {
        "check": {"command": "mise run check", "on_pass": "reticulate"},
        "reticulate": {"description": "Reticulate splines", "command": "mise run reticulate"},
        "test": {"command": "mise run test"},
    },
    "hooks": {"SubagentStop": {"gates": ["check", "test"]}},
}
DESCRIBED = {
    "gates": {
        "check": CHECK | {"on_pass": "reticulate"},
        "reticulate": {"description": "Reticulate splines", "command": "mise run reticulate"},
        "test": TEST,
    },
    "hooks": {"SubagentStop": {"gates": ["check", "test"]}},
}
STRICT = {"gates": {"check": CHECK | BOTH, "test": TEST | BOTH}}
PERMISSIVE = {"gates": {"check": CHECK | WARN, "test": TEST | WARN}}
PIPELINE = {
    "gates": {
        "format": {"command": "mise run format", "on_pass": "check", "on_fail": "STOP"},
        "check": CHECK | {"on_pass": "test", "on_fail": "BLOCK"},
        "test": TEST | BOTH,
    },
    "hooks": {"SubagentStop": {"gates": ["format"]}},
}
CRITICAL = {
    "gates": {
        "security-scan": {
            "description": "Run security vulnerability scan",
            "command": "mise run security-scan",
            "on_pass": "CONTINUE",
            "on_fail": "STOP",
        }
    }
}
INVERTED = {"gates": {"check": CHECK | {"on_pass": "BLOCK", "on_fail": "STOP"}}}

EXAMPLES = {
    "the whole of it": OVERVIEW,
    "one gate": ONE,
    "chaining": CHAIN,
    "a subroutine": RETICULATE,
    "a subroutine, described": DESCRIBED,
    "strict": STRICT,
    "permissive": PERMISSIVE,
    "a pipeline": PIPELINE,
    "critical": CRITICAL,
    "unusual": INVERTED,
}


def config(data):
    return loaded(migrated(data).encode(), None, None).config


@pytest.mark.parametrize("data", EXAMPLES.values(), ids=EXAMPLES)
def test_every_gate_keeps_its_command_and_its_actions(data):
    assert is_gates_file(data)
    found = config(data).gates
    for name, gate in data["gates"].items():
        assert found[name].command == gate["command"]
        assert found[name].on_pass == gate.get("on_pass", "CONTINUE")
        assert found[name].on_fail == gate.get("on_fail", "BLOCK")
        assert found[name].description == gate.get("description", "")


def test_events_with_their_filters():
    found = config(OVERVIEW).sequences
    tools = ("Edit", "Write", "mcp__serena__replace_symbol_body")
    agents = ("rust-engineer", "code-reviewer", "ultrathink-debugger")
    assert found[EventKind.AFTER_EDIT] == GateSequence((("check",),), tools=tools)
    assert found[AT_END] == GateSequence((("check",), ("test",)), agents=agents)
    assert found[EventKind.STOP].names == ("code",), "what is not spoken of stays"


PASS, FAIL = Status.PASSED, Status.FAILED
RUNS = {
    "chaining, all pass": (CHAIN, {}, "format check test", Decision.ALLOW),
    "chaining, format fails": (CHAIN, {"format": FAIL}, "format", Decision.HALT),
    "chaining, check fails": (CHAIN, {"check": FAIL}, "format check", Decision.BLOCK),
    "a subroutine passes": (RETICULATE, {}, "check reticulate test", Decision.ALLOW),
    "a subroutine fails": (RETICULATE, {"reticulate": FAIL}, "check reticulate", Decision.BLOCK),
    "a described one fails": (DESCRIBED, {"reticulate": FAIL}, "check reticulate", Decision.BLOCK),
    "a pipeline": (PIPELINE, {}, "format check test", Decision.ALLOW),
    "a pipeline, its middle fails": (PIPELINE, {"check": FAIL}, "format check", Decision.BLOCK),
    "a pipeline, its start fails": (PIPELINE, {"format": FAIL}, "format", Decision.HALT),
    "the whole of it blocks on a pass": (OVERVIEW, {}, "check", Decision.BLOCK),
    "the whole of it stops on a failure": (OVERVIEW, {"check": FAIL}, "check", Decision.HALT),
}


@pytest.mark.parametrize(("data", "went", "order", "decision"), RUNS.values(), ids=RUNS)
def test_a_migrated_sequence_runs_as_it_did(data, went, order, decision):
    found = config(data)
    outcomes = run_steps(found.sequences[AT_END].steps, found.gates, {GateKind.COMMAND: Scripted(went)})
    assert [each.gate for each in outcomes] == order.split()
    assert decided(outcomes, found.gates) is decision


def test_what_stands_at_an_event_goes_on_standing_there():
    data = {"gates": {"test": TEST}, "hooks": {"Stop": {"gates": ["test"]}, "PostToolUse": {"gates": ["test"]}}}
    found = config(data).on
    assert found[EventKind.STOP] == ("code", "test")
    assert found[EventKind.AFTER_COMMAND] == ("code", "test")
    assert found[EventKind.AFTER_EDIT] == ("test",)


def test_a_name_of_ours_gives_way():
    data = {
        "gates": {"code": {"command": "x"}, "a": {"command": "y", "on_pass": "code"}},
        "hooks": {"Stop": {"gates": ["code"]}},
    }
    found = config(data)
    assert found.gates["code-command"].command == "x"
    assert found.gates["a"].on_pass == "code-command"
    assert found.on[EventKind.STOP] == ("code", "code-command")


def test_what_cannot_be_taken_over_is_said():
    text = migrated({"gates": {"a": {"command": "x", "retry": 3}}, "hooks": {"SlashCommandStart": {"gates": ["a"]}}})
    assert "# not taken over: retry" in text
    assert "# not taken over: SlashCommandStart runs a" in text


def test_nothing_of_a_name_becomes_a_line_of_its_own():
    hooks = {"PreToolUse": {"gates": ["a\ngates: {evil: {command: x}}"]}, "Stop": {"gates": ["a"], "every\nx": 3}}
    text = migrated({"gates": {"a": {"command": "x"}}, "hooks": hooks})
    assert "  # not taken over: PreToolUse runs a?gates: {evil: {command: x}}\n" in text
    assert "  # not taken over of Stop: every?x\n" in text


WRONG = {
    "no command": ({"gates": {"a": {"description": "x"}}}, "has no command"),
    "an undefined gate": ({"hooks": {"Stop": {"gates": ["nope"]}}}, 'there is no gate "nope"'),
    "an undefined action": ({"gates": {"a": {"command": "x", "on_fail": "nope"}}}, 'there is no gate "nope"'),
    "a circle": ({"gates": {"a": {"command": "x", "on_fail": "a"}}}, "calls itself: a -> a"),
    "a name that is none": ({"gates": {"a b": {"command": "x"}}}, "cannot be called"),
    "an action as a name": ({"gates": {"stop": {"command": "x"}}}, "cannot be called"),
    "an action that is no name": ({"gates": {"a": {"command": "x", "on_fail": []}}}, "gates.a.on_fail: must be"),
    "gates as a list": ({"gates": []}, "is not a mapping"),
    "names that are none": ({"gates": {}, "hooks": {"Stop": {"gates": [1]}}}, "is not a list of names"),
}


@pytest.mark.parametrize(("data", "said"), WRONG.values(), ids=WRONG)
def test_what_is_wrong_is_said(data, said):
    with pytest.raises(UserError) as caught:
        config(data)
    assert said in caught.value.message


def test_text_of_any_kind_survives():
    command = "echo \"a: b\" # 'c' \\ \u00e9 {x}"
    assert config({"gates": {"a": {"command": command, "description": "on: two\nlines"}}}).gates["a"].command == command


def test_half_a_character_is_replaced():
    assert config({"gates": {"a": {"command": "echo \ud800"}}}).gates["a"].command == "echo ?"


@pytest.fixture
def gates_json(tree):
    tree.put("gates.json", json.dumps(CHAIN))
    return tree


def test_the_command_prints_what_it_would_write(gates_json, call):
    said = call("migrate", "gates.json")
    assert said.status == 0, said.err
    assert said.out == migrated(CHAIN)
    assert not (gates_json.root / "vetgate.yaml").exists()


def test_the_command_writes_where_there_is_none(gates_json, call):
    said = call("migrate", "gates.json", "--write")
    assert said.status == 0, said.err
    assert "vetgate trust" in said.out
    assert (gates_json.root / "vetgate.yaml").read_text() == migrated(CHAIN)
    gates_json.put("vetgate.yaml", "version: 1\n")
    again = call("migrate", "gates.json", "--write")
    assert again.status == 3
    assert "there is a vetgate.yaml already" in again.err
    assert (gates_json.root / "vetgate.yaml").read_text() == "version: 1\n"


NOT_SUCH_A_FILE = {
    "no file": (None, "cannot be read"),
    "not JSON": ("gates: {}", "is not JSON"),
    "something else": ("[1]", "is not a gates.json"),
    "a circle": (json.dumps({"gates": {"a": {"command": "x", "on_pass": "a"}}}), "calls itself"),
}


@pytest.mark.parametrize(("text", "said"), NOT_SUCH_A_FILE.values(), ids=NOT_SUCH_A_FILE)
def test_the_command_says_what_is_wrong_and_writes_nothing(tree, call, text, said):
    if text is not None:
        tree.put("gates.json", text)
    done = call("migrate", "gates.json", "--write")
    assert done.status == 3
    assert said in done.err
    assert not (tree.root / "vetgate.yaml").exists()
