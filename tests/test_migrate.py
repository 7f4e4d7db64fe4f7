"""A gates.json of the older design as a vetgate.yaml: every example configuration of that design."""

from __future__ import annotations

import json

import pytest
import yaml

from fixtures import Clone
from test_gates_run import Scripted
from vetgate.checks import known_names
from vetgate.config.load import loaded
from vetgate.config.migrate import flat, is_gates_file, migrated_gates
from vetgate.config.schema import GateSequence
from vetgate.config.template import SHAPES, review_template
from vetgate.engine.decide import decided
from vetgate.gates.sequence import run_steps
from vetgate.judgement import Consensus, Model
from vetgate.judges import all_judges
from vetgate.model import Decision, EventKind, GateKind, Status, UserError
from vetgate.service.configuration import migrated_configuration
from vetgate.severity import Severity
from vetgate.source.tasks import KINDS

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
    return loaded(migrated_gates(data).text.encode(), None, None).config


@pytest.mark.parametrize("data", EXAMPLES.values(), ids=EXAMPLES)
def test_every_gate_keeps_its_command_and_its_actions(data):
    assert is_gates_file(data)
    found = config(data).gates
    for name, gate in data["gates"].items():
        assert found[name].command == gate["command"]
        assert found[name].on_pass == gate.get("on_pass", "CONTINUE")
        assert found[name].on_fail == gate.get("on_fail", "BLOCK")
        assert found[name].description == gate.get("description", "")


def test_the_head_says_what_each_key_became():
    head = [line for line in migrated_gates(OVERVIEW).text.splitlines() if line.startswith("# ")]
    assert "# gates.check: `gates.check`" in head
    assert "# hooks.PostToolUse: `on.after_edit`" in head
    assert "# hooks.PostToolUse.enabled_tools: `tools` of it" in head
    assert "# hooks.SubagentStop.enabled_agents: `agents` of it" in head


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
    outcomes = run_steps(found.sequences[AT_END].steps, found, {GateKind.COMMAND: Scripted(went)})
    assert [each.gate for each in outcomes] == order.split()
    assert decided(outcomes, found) is decision


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
    text = migrated_gates(
        {"gates": {"a": {"command": "x", "retry": 3}}, "hooks": {"SlashCommandStart": {"gates": ["a"]}}}
    ).text
    assert "# not migrated: retry" in text
    assert "# not migrated: SlashCommandStart runs a" in text


def test_nothing_of_a_name_becomes_a_line_of_its_own():
    hooks = {"PreToolUse": {"gates": ["a\ngates: {evil: {command: x}}"]}, "Stop": {"gates": ["a"], "every\nx": 3}}
    text = migrated_gates({"gates": {"a": {"command": "x"}}, "hooks": hooks}).text
    assert "  # not migrated: PreToolUse runs a?gates: {evil: {command: x}}\n" in text
    assert "  # not migrated from Stop: every?x\n" in text


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
    assert said.out == migrated_gates(CHAIN).text
    assert not (gates_json.root / "vetgate.yaml").exists()


def test_the_command_writes_where_there_is_none(gates_json, call):
    said = call("migrate", "gates.json", "--write")
    assert said.status == 0, said.err
    assert "vetgate trust" in said.out
    assert (gates_json.root / "vetgate.yaml").read_text() == migrated_gates(CHAIN).text
    gates_json.put("vetgate.yaml", "version: 1\n")
    again = call("migrate", "gates.json", "--write")
    assert again.status == 3
    assert "there is a vetgate.yaml already" in again.err
    assert (gates_json.root / "vetgate.yaml").read_text() == "version: 1\n"


NOT_SUCH_A_FILE = {
    "no file": (None, "does not exist"),
    "neither JSON nor YAML": ('{"gates": ', "not valid YAML"),
    "something else": ("[1]", "is none of the files that can be migrated"),
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


REVIEW = """
loop1: {tier1_timeout: 45, tier2_timeout: 240, parallel_tier1: true, fail_fast_tier2: true}
loop2: {enabled: true, model: sonnet, spawn_fresh_context: true, include_specs: false, include_commits: 3}
loop3: {enabled: true, rate_limit_per_hour: 4, skip_on_rate_limit: true, block_on_new_issues: true}
blocking:
  critical_blocks_ship: true
  major_blocks_ship: true
  minor_blocks_ship: false
  secrets_block_ship: true
  build_failure_blocks_ship: true
  test_failure_blocks_ship: false
output: {show_progress_spinners: true, show_elapsed_time: true, unified_report: true, save_logs: true}
paths: {state_dir: .claude/state, log_dir: .claude/logs, config_dir: .claude/config}
"""
JUDGE = {
    "enabled": True,
    "logLevel": "warn",
    "maxRetries": 4,
    "include": ["**/*.ts"],
    "exclude": ["**/*.test.ts", "**/gen/**"],
    "complexity": {"maxCyclomaticComplexity": 12, "maxParameterCount": 6},
    "semantics": {
        "enabled": True,
        "checks": [
            {"type": "naming", "enabled": False, "severity": "warning"},
            {"type": "duplicate-code", "enabled": True, "severity": "error"},
            {"type": "api-contract", "enabled": True},
            {"type": "astrology", "enabled": True},
        ],
        "detectDuplicates": True,
        "duplicateThreshold": 0.85,
    },
    "security": {"enabled": True, "rules": [{"id": "weak-crypto", "enabled": False}, {"id": "slow-regex"}]},
    "tests": {"enabled": True, "frameworks": ["vitest"], "timeoutMs": 60000, "failOnError": False},
    "consensus": {"enabled": False, "strategy": "majority"},
    "output": {"format": "json", "includeCodeSnippets": False, "maxSuggestions": 5},
    "telemetry": {"endpoint": "x"},
}


@pytest.fixture
def migrated_file(tmp_path):
    def migrate(name, text):
        (tmp_path / name).write_text(text)
        found = migrated_configuration(tmp_path / name, tmp_path)
        return found, loaded(found.text.encode(), known_names(), None).config

    return migrate


def test_the_loops_of_a_review_file(migrated_file):
    _, config = migrated_file("review-config.yaml", REVIEW)
    assert [(loop.name, loop.steps, loop.timeout, loop.blocks) for loop in config.loops] == [
        ("quick", (("lint", "types", "format"),), 45, True),
        ("tests", (("secrets",), ("build",), ("test",)), 240, True),
        ("model", (("reviewer",),), 300, True),
        ("coderabbit", (("coderabbit",),), 180, True),
    ]
    assert [config.gates[name].timeout for name in ("lint", "build", "test")] == [120, 240, 240]
    reviewer, outside = config.gates["reviewer"], config.gates["coderabbit"]
    assert (reviewer.models, reviewer.include_specs, reviewer.include_commits) == (("sonnet",), False, 3)
    assert (reviewer.block_at, outside.quota, outside.on_fail) == (Severity.ERROR, 4, "BLOCK")
    assert (config.gates["test"].on_fail, config.gates["build"].on_fail) == ("CONTINUE", "BLOCK")
    assert outside.block_at is Severity.NOTE, "any new issue blocks"
    assert config.on[EventKind.SHIP] == ("reviewed",)


def test_what_a_key_became_is_not_taken_for_a_secret(tmp_path):
    clone = Clone(tmp_path)
    clone.put("review-config.yaml", REVIEW + "\n")
    said = clone.vetgate("migrate", "review-config.yaml").stdout
    assert "[hidden" not in said


def test_a_command_of_the_project_comes_before_that_of_the_older_design(migrated_file, tmp_path):
    (tmp_path / "Makefile").write_text("lint:\n\ttrue\n")
    _, config = migrated_file("review-config.yaml", "loop1: {tier1_timeout: 9}\n")
    assert (config.gates["lint"].command, config.gates["test"].command) == ("make lint", "pnpm run test")


def test_loops_that_were_off_are_left_out(migrated_file):
    _, config = migrated_file("review-config.yaml", "loop2: {enabled: false}\nloop3: {enabled: false}\n")
    assert [loop.name for loop in config.loops] == ["quick", "tests"]


CONSENSUS = {
    "enabled": True,
    "strategy": "security-override",
    "models": [
        {"name": "primary", "type": "internal", "weight": 0.7, "specialties": ["complexity", "semantics"]},
        {
            "name": "secondary",
            "type": "api",
            "endpoint": "https://api.anthropic.com/v1/messages",
            "apiKey": "never-taken-over",
            "model": "claude-sonnet-4.5-20250929",
            "weight": 0.3,
            "specialties": ["security", "architecture"],
        },
        {"name": "glm-4.7", "type": "api", "endpoint": "https://models.example/v1/chat/completions"},
    ],
    "timeout": 15000,
    "fallbackOnTimeout": "primary-only",
}


def test_the_consensus_of_a_judge_file(migrated_file):
    found, config = migrated_file("judge.config.json", json.dumps({"judge": {"consensus": CONSENSUS}}))
    assert config.consensus == Consensus("security-override", 15.0, "primary")
    assert config.models == {
        "secondary": Model(
            "secondary",
            "anthropic",
            "claude-sonnet-4.5-20250929",
            weight=0.3,
            specialties=("security", "architecture"),
        ),
        "glm-4.7": Model("glm-4.7", "openai", "glm-4.7", "https://models.example/v1", "$GLM_4_7_API_KEY"),
    }
    assert "never-taken-over" not in found.text
    assert "# consensus.models.primary: not migrated" in found.text
    assert "name several in a gate with a judge" in found.text


def test_the_judge_file(migrated_file):
    found, config = migrated_file("judge.config.json", json.dumps(JUDGE))
    assert (config.options["complexity.cyclomatic"], config.options["complexity.parameters"]) == (12, 6)
    assert (config.retries.max, config.log_level, config.consensus.strategy) == (4, "warning", "majority")
    assert config.paths.is_test("a.test.ts")
    assert not config.paths.checks("gen/a.ts")
    assert config.rules["naming"] is None
    assert config.rules["duplicates"] == Severity.ERROR
    assert config.rules["security/weak-hash"] is None
    assert (config.gates["test"].command, config.gates["test"].on_fail) == ("npx vitest", "CONTINUE")
    assert config.on[EventKind.STOP] == ("code", "test")
    left = dict(found.left)
    assert set(left) == {"semantics.checks.astrology", "semantics.duplicateThreshold", "telemetry.endpoint"}


@pytest.mark.parametrize(
    ("name", "text"),
    [("review-config.yaml", REVIEW), ("judge.config.json", json.dumps(JUDGE))],
    ids=["review", "judge"],
)
def test_every_key_is_accounted_for(migrated_file, name, text):
    found, _ = migrated_file(name, text)
    said = {key for key, _ in (*found.became, *found.left)}
    data = json.loads(text) if name.endswith("json") else yaml.safe_load(text)
    keys = {key for key, value in flat(data) if not isinstance(value, list) or isinstance(value[0], str)}
    assert keys <= said
    assert all(f"# {key}: " in found.text for key in said)


BROKEN = {
    "neither": ("x.json", '{"a": 1}', "is none of the files that can be migrated"),
    "a number that is text": ("review-config.yaml", "loop1: {tier1_timeout: soon}\n", "`loop1.tier1_timeout`"),
    "a list that is text": ("judge.config.json", '{"maxRetries": 1, "complexity": {}, "include": "x"}', "`include`"),
    "a level nobody knows": ("judge.config.json", '{"maxRetries": 1, "logLevel": "loud"}', "`logLevel`"),
}


@pytest.mark.parametrize(("name", "text", "told"), BROKEN.values(), ids=BROKEN)
def test_a_broken_file_is_told(tmp_path, name, text, told):
    (tmp_path / name).write_text(text)
    with pytest.raises(UserError) as caught:
        migrated_configuration(tmp_path / name, tmp_path)
    assert told in caught.value.message


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("kinds", [(), ("lint", "test"), ("check",), tuple(KINDS)], ids=["none", "few", "check", "all"])
def test_the_loops_that_are_proposed_can_be_read(shape, kinds):
    text = "version: 1\n" + review_template(shape, [(kind, f"make {kind}") for kind in kinds])
    config = loaded(text.encode(), known_names(), None).config
    listed = [name for loop in config.loops for name in loop.names]
    assert {config.gates[name].command for name in listed if name in kinds} == {
        f"make {kind}" for kind in kinds if kind in listed
    }
    assert ("make check" in {config.gates[name].command for name in listed}) == (kinds == ("check",))


def test_the_model_that_a_proposed_reviewer_needs_is_named():
    text = "version: 1\n" + review_template("tiers", [])
    assert f"`models.{all_judges()['reviewer'].tier}`" in text


@pytest.mark.parametrize("shape", SHAPES)
def test_a_command_may_take_the_time_of_its_loop(shape):
    text = "version: 1\n" + review_template(shape, [(kind, f"make {kind}") for kind in KINDS])
    config = loaded(text.encode(), known_names(), None).config
    for loop in config.loops:
        for gate in (config.gates[name] for name in loop.names if config.gates[name].command):
            assert gate.timeout >= loop.timeout, f"{gate.id} of {loop.name}"
