"""Gates with commands in vetgate.yaml: what may be said, where what is wrong stands, and that a stranger's wait."""

from __future__ import annotations

import json

import pytest

from vetgate.config.load import defaults, loaded
from vetgate.config.outside_config import guards_only, outside_config, outside_config_in
from vetgate.config.plain import changes, plain, show, text
from vetgate.config.schema import GateSequence
from vetgate.config.stricter import tighten
from vetgate.config.trust import effective
from vetgate.model import EventKind, UserError

HEAD = "version: 1\n"
TWO = "gates:\n  check: {command: make check}\n  test: {command: make test}\n"


def config(content: str):
    return loaded((HEAD + content).encode(), None, None).config


SEQUENCES = {
    "a list runs in order": ("[check, test]", GateSequence((("check",), ("test",)))),
    "a nested list runs at once": ("[[check, test]]", GateSequence((("check", "test"),))),
    "tools filter": (
        "{tools: [Edit, mcp__*], gates: [check]}",
        GateSequence((("check",),), tools=("Edit", "mcp__*")),
    ),
    "agents filter": (
        "{agents: [rust-engineer], gates: [[check, test]]}",
        GateSequence((("check", "test"),), agents=("rust-engineer",)),
    ),
    "nothing": ("[]", GateSequence()),
}


@pytest.mark.parametrize(("written", "expected"), SEQUENCES.values(), ids=SEQUENCES)
def test_the_gates_of_an_event(written, expected):
    found = config(f"{TWO}on:\n  stop: {written}\n")
    assert found.sequences[EventKind.STOP] == expected
    assert found.on[EventKind.STOP] == expected.names
    again = loaded(text(found).encode(), None, None).config
    assert again.sequences == found.sequences
    assert plain(again) == plain(found)
    assert again.digest == found.digest


def test_a_gate_with_a_command_has_the_defaults_of_the_design():
    gate = config("gates: {test: {command: make test}}\n").gates["test"]
    assert (gate.on_pass, gate.on_fail, gate.timeout, gate.rounds) == ("CONTINUE", "BLOCK", 120, 3)


def test_a_gate_with_checks_takes_what_one_with_a_command_takes():
    written = "{checks: [secrets], timeout: 2, on_pass: code, on_fail: STOP}"
    found = config(f"gates: {{quick: {written}, test: {{command: x, on_fail: quick}}}}\non: {{stop: [test]}}\n")
    gate = found.gates["quick"]
    assert (gate.timeout, gate.on_pass, gate.on_fail, found.gates["code"].timeout) == (2, "code", "STOP", 0)
    again = loaded(text(found).encode(), None, None).config
    assert (again.gates, again.digest) == (found.gates, found.digest)
    assert found.reached(["test"]) == ("test", "quick", "code")


PROBLEMS = {
    "an unknown judge": (
        "gates: {a: {judge: intend}}\n",
        'gates.a.judge: unknown judge "intend"; did you mean "intent"?',
    ),
    "an unknown model": (
        "gates: {a: {judge: intent, models: [x]}}\n",
        'gates.a.models[0]: there is no model "x"; define it under `models`',
    ),
    "a judge and checks": (
        "gates: {a: {judge: intent, checks: [naming]}}\n",
        "gates.a.judge: is set together with checks; a gate runs one or the other",
    ),
    "models of a command": (
        "gates: {a: {command: x, mode: lazy}}\n",
        "gates.a.mode: belongs to a gate with a judge",
    ),
    "a check that a judge could open": (
        "gates: {a: {checks: [naming], on_fail: b}, b: {judge: appeal}}\n",
        "gates.a.on_fail: leads to a judge",
    ),
    "a command that a judge could open": (
        "gates: {a: {command: x, on_fail: b}, b: {judge: intent}}\n",
        "gates.a.on_fail: leads to a judge",
    ),
    "a ship gate elsewhere": (
        "gates: {a: {ship: true}}\non: {stop: [a]}\n",
        'the gate "a" asks whether something was reviewed; list it under ship',
    ),
    "another gate where code leaves": (
        "gates: {a: {checks: [naming]}}\non: {ship: [a]}\n",
        'the gate "a" does not ask whether something was reviewed',
    ),
    "a proof before an edit": (
        "gates: {a: {prove: tests}}\non: {before_edit: [a]}\n",
        'the gate "a" runs tests on older code; list it under stop or review',
    ),
    "a ship gate that is none": ("gates: {a: {ship: false}}\n", "gates.a.ship: must be true"),
    "a key of reviewers": (
        "gates: {a: {judge: intent, refute: true}}\n",
        "gates.a.refute: belongs to a gate with `judge: reviewer`",
    ),
    "both forms of a review": (
        "review: [{name: one, gates: [code]}]\non: {review: [code]}\n",
        "review: is set together with on.review",
    ),
    "two loops of one name": (
        "gates: {a: {checks: [naming]}}\nreview: [{name: one, gates: [code]}, {name: one, gates: [a]}]\n",
        'review[1].name: another loop is already called "one"',
    ),
    "a gate in two loops": (
        "review: [{name: one, gates: [code]}, {name: two, gates: [code]}]\n",
        'review[1].gates[0]: the gate "code" is listed twice',
    ),
    "a loop with an unknown gate": (
        "review: [{name: one, gates: [cod]}]\n",
        'review[0].gates[0]: there is no gate "cod"; did you mean "code"?',
    ),
    "a quota nobody can read": ("gates: {a: {command: x, quota: 8}}\n", "gates.a.quota: must be how often an hour"),
    "a judge where it never speaks": (
        "gates: {a: {judge: off-topic}}\non: {before_edit: [a]}\n",
        'the gate "a" asks a judge that is not asked here; list it under stop or subagent_stop',
    ),
    "a judge at a prompt": (
        "gates: {a: {judge: intent}}\non: {prompt: [a]}\n",
        'the gate "a" asks a judge that is not asked here',
    ),
    "plain http": (
        "models: {a: {api: openai, model: m, url: 'http://models.example/v1'}}\n",
        "models.a.url: plain http would show your key to the network; use https",
    ),
    "a service without an address": ("models: {a: {api: openai, model: m}}\n", "models.a.url: is missing"),
    "a key in the file": (
        "models: {a: {api: anthropic, model: m, key: abcdef}}\n",
        "or keyring:SERVICE/USER; the value is not shown: it may be a secret",
    ),
    "a password in an address": (
        "models: {a: {api: openai, model: m, url: 'https://me:abcdef@a.example'}}\n",
        "models.a.url: must be the base address of a service (https://...); the value is not shown",
    ),
    "a key of the client": (
        "models: {a: {api: claude-cli, model: m, key: $A_KEY}}\n",
        "models.a.key: is set by the installed client",
    ),
    "a client that is to investigate": (
        "models: {a: {api: claude-cli, model: m}}\ngates: {g: {judge: intent, models: [a], investigate: true}}\n",
        ':54: gates.g.investigate: the model "a" has `api: claude-cli`, which cannot investigate',
    ),
    "a client that investigates by default": (
        "models: {haiku: {api: claude-cli, model: m}}\ngates: {g: {judge: intent, investigate: true}}\n",
        'gates.g.investigate: the model "haiku" has `api: claude-cli`',
    ),
    "a client that decides between those who do": (
        (
            "models: {a: {api: anthropic, model: m}, b: {api: claude-cli, model: m}}\nconsensus: {adjudicator: b}\n"
            "gates: {g: {judge: intent, models: [a], investigate: true}}\n"
        ),
        'gates.g.investigate: the model "b" has `api: claude-cli`',
    ),
    "an unknown adjudicator": ("consensus: {adjudicator: x}\n", 'consensus.adjudicator: there is no model "x"'),
    "an event names a gate that is not there": (
        f"{TWO}on:\n  stop: [check, [tset]]\n",
        '6:18: on.stop[1][0]: there is no gate "tset"; did you mean "test"?',
    ),
    "so does one with filters": (
        f"{TWO}on:\n  stop:\n    agents: [a]\n    gates: [nope]\n",
        '8:13: on.stop.gates[0]: there is no gate "nope"; define it under `gates`',
    ),
    "a gate listed twice": (
        f"{TWO}on:\n  stop: [check, [check]]\n", 'on.stop[1][0]: the gate "check" is listed twice',
    ),
    "a gate without anything to run": ("gates:\n  lost: {timeout: 3}\n", "3:3: gates.lost: has nothing to run"),
    "an action that is no gate": (
        "gates:\n  a: {command: x, on_fail: nope}\n",
        '3:28: gates.a.on_fail: there is no gate "nope"',
    ),
    "an action in small letters": (
        "gates:\n  a: {command: x, on_pass: block}\n",
        '3:28: gates.a.on_pass: there is no gate "block"; did you mean "BLOCK"?',
    ),
    "a chain that calls itself": (
        "gates:\n  a: {command: x, on_pass: b}\n  b: {command: x, on_fail: a}\n",
        "4:28: gates.b.on_fail: calls itself: a -> b -> a",
    ),
    "a gate that calls itself": (
        "gates:\n  a: {command: x, on_fail: a}\n",
        "3:28: gates.a.on_fail: calls itself: a -> a",
    ),
    "a chain of checks to a command before an edit": (
        f"{TWO}  a: {{checks: [secrets], on_pass: b}}\n  b: {{checks: [naming], on_fail: test}}\non: {{push: [a]}}\n",
        'on.push[0]: the gate "a" calls "test", which runs a command',
    ),
    "a chain of a command to checks at a prompt": (
        "gates:\n  a: {command: x, on_fail: code}\non: {prompt: [a]}\n",
        'on.prompt[0]: the gate "a" calls "code", which runs checks',
    ),
    "a chain of checks and commands that calls itself": (
        "gates:\n  a: {checks: [secrets], on_pass: b}\n  b: {command: x, on_fail: a}\n",
        "4:28: gates.b.on_fail: calls itself: a -> b -> a",
    ),
    "checks and a command": ("gates: {code: {command: x}}\n", "gates.code.command: is set together with checks"),
    "a command's key beside checks": (
        "gates: {code: {rounds: 3}}\n",
        "gates.code.rounds: belongs to a gate with a command",
    ),
    "a check's key beside a command": (
        "gates: {a: {command: x, block_at: note}}\n",
        "gates.a.block_at: belongs to a gate with checks",
    ),
    "a command before an edit": (
        f"{TWO}on: {{before_edit: [test]}}\n", 'on.before_edit[0]: the gate "test" runs a command',
    ),
    "checks at a prompt": ("on: {prompt: [code]}\n", 'on.prompt[0]: the gate "code" runs checks'),
    "filters before an edit": ("on: {before_edit: {tools: [Edit], gates: [code]}}\n", "on.before_edit: must be a list"),
    "filters without gates": (f"{TWO}on: {{stop: {{agents: [a]}}}}\n", "on.stop.gates: is missing"),
    "an empty group": (f"{TWO}on: {{stop: [[]]}}\n", "on.stop[0]: must not be empty"),
    "a group in a group": (f"{TWO}on: {{stop: [[[test]]]}}\n", "on.stop[0][0]: must be a gate's name"),
    "files within a script of their own": (
        "gates:\n  a: {command: 'sh -c \"lint {files}\"'}\n",
        "3:16: gates.a.command: has {files} within quoted text",
    ),
    "an action as a name": ("gates: {STOP: {command: x}}\n", "STOP is an action and cannot be used as a name"),
}  # fmt: skip


@pytest.mark.parametrize(("content", "expected"), PROBLEMS.values(), ids=PROBLEMS)
def test_what_is_wrong_is_told_when_the_file_is_loaded(content, expected):
    with pytest.raises(UserError) as caught:
        config(content)
    assert expected in caught.value.message


@pytest.mark.parametrize("command", ["x {files}", 'x "{files}"', "x --only='{files}' 'a b'", "echo it\\'s {files} \\'"])
def test_files_stand_beside_quoted_text_or_are_all_of_it(command):
    content = json.dumps({"version": 1, "gates": {"a": {"command": command}}})
    assert loaded(content.encode(), None, None).config.gates["a"].command == command


def test_a_web_of_chains_is_read_in_good_time():
    """Every gate calls the next one twice: as many ways as 2 to the power of 200."""
    gates = {f"g{n}": {"command": "x", "on_pass": f"g{n + 1}", "on_fail": f"g{n + 1}"} for n in range(200)}
    gates["g200"] = {"command": "x"}
    found = loaded(json.dumps({"version": 1, "gates": gates}).encode(), None, None).config
    assert found.gates["g0"].on_fail == "g1"


def test_a_project_s_list_replaces_a_team_s_filters(tmp_path):
    (tmp_path / "team.yaml").write_text(f"{HEAD}{TWO}on: {{stop: {{agents: [a], gates: [check]}}}}\n")
    content = f"{HEAD}extends: [./team.yaml]\non: {{stop: [test]}}\n"
    found = loaded(content.encode(), None, tmp_path).config
    assert found.sequences[EventKind.STOP] == GateSequence((("test",),))


CALLS = "gates:\n  quick: {checks: [secrets], timeout: 9, on_fail: code}\non: {stop: [code, quick]}\n"


def test_what_nobody_accepted_calls_no_gate_and_has_no_less_time():
    new = tighten(defaults(), config(CALLS))
    assert new.waiting == ("gates.quick.on_fail calls code",)
    assert new.config.gates["quick"].on_fail == "BLOCK"
    accepted = config(CALLS)
    assert tighten(accepted, accepted).ignored == ()
    less = config(CALLS.replace("timeout: 9", "timeout: 1").replace("on_fail: code", "on_fail: CONTINUE"))
    result = tighten(accepted, less)
    assert result.ignored == (
        "gates.quick.on_fail CONTINUE is looser than code",
        "gates.quick.timeout 1 is looser than 9",
    )
    assert result.config.gates["quick"] == accepted.gates["quick"]
    assert tighten(config(CALLS.replace("timeout: 9, ", "")), accepted).ignored == (
        "gates.quick.timeout 9 is looser than none",
    )


def test_away_from_home_a_call_of_what_is_not_there_holds():
    home = config("gates: {mine: {checks: [secrets], on_fail: test}, test: {command: x}}\non: {stop: [mine, test]}\n")
    near = config("gates: {theirs: {checks: [naming], on_pass: quick}, quick: {checks: [secrets]}}\n")
    assert outside_config(home).gates["mine"].on_fail == "BLOCK"
    assert guards_only(home).gates["mine"].on_fail == "BLOCK"
    assert outside_config_in(near, home).gates["home-mine"].on_fail == "BLOCK"
    assert outside_config_in(near, home).gates["theirs"].on_pass == "CONTINUE"
    chained = config("gates: {mine: {checks: [secrets], on_pass: more}, more: {checks: [secrets]}}\n")
    assert outside_config_in(near, chained).gates["home-mine"].on_pass == "home-more"


WITH_COMMANDS = f"{TWO}on: {{stop: [code, check, test], subagent_stop: {{agents: [x], gates: [test]}}}}\n"


def test_the_commands_of_a_file_that_nobody_accepted_run_nowhere():
    result = tighten(defaults(), config(WITH_COMMANDS))
    assert {name for name, gate in result.config.gates.items() if gate.command} == set()
    assert result.config.on[EventKind.STOP] == ("code",)
    assert result.config.sequences[EventKind.SUBAGENT_STOP].steps == ()
    assert result.waiting == ("gates.check.command is new", "gates.test.command is new")
    assert plain(result.config)["on"]["stop"] == ["code"]


def test_opening_a_hostile_repository_says_what_waits(tmp_path):
    (tmp_path / "vetgate.yaml").write_text(HEAD + WITH_COMMANDS)
    found = effective(tmp_path, None, None)
    assert not [gate for gate in found.config.gates.values() if gate.command]
    assert "gates.check.command is new" in found.notes[0]
    assert "vetgate trust" in found.notes[0]


CHANGED = {
    "the command": (WITH_COMMANDS.replace("make test", "curl evil"), "gates.test has another command"),
    "what follows": (
        WITH_COMMANDS.replace("{command: make test}", "{command: make test, on_fail: CONTINUE}"),
        "gates.test has another on_fail",
    ),
    "its variables": (
        WITH_COMMANDS.replace("{command: make test}", "{command: make test, env: [AWS_SECRET]}"),
        "gates.test has another env",
    ),
    "who it is for": (WITH_COMMANDS.replace("agents: [x]", "agents: [y]"), "on.subagent_stop has other agents"),
    "that it runs": (WITH_COMMANDS.replace("[code, check, test]", "[code, check]"), "on.stop leaves out test"),
    "where it runs": (WITH_COMMANDS.replace("subagent_stop", "prompt"), "on.prompt runs test"),
}


@pytest.mark.parametrize(("content", "said"), CHANGED.values(), ids=CHANGED)
def test_a_later_file_cannot_change_what_a_person_accepted(content, said):
    base = config(WITH_COMMANDS)
    result = tighten(base, config(content))
    assert said in (*result.ignored, *result.waiting)
    assert result.config.gates == base.gates
    assert result.config.sequences[EventKind.STOP] == base.sequences[EventKind.STOP]
    assert result.config.sequences[EventKind.SUBAGENT_STOP] == base.sequences[EventKind.SUBAGENT_STOP]
    assert result.config.on[EventKind.PROMPT] == ()


def test_an_accepted_file_that_stays_says_nothing():
    base = config(WITH_COMMANDS)
    result = tighten(base, config(WITH_COMMANDS))
    assert (result.ignored, result.waiting) == ((), ())
    assert result.config.digest == base.digest


def test_a_looser_action_of_a_gate_with_checks_is_ignored_and_a_stricter_one_taken():
    looser = tighten(defaults(), config("gates: {code: {on_fail: CONTINUE}}\n"))
    assert looser.config.gates["code"].on_fail == "BLOCK"
    assert "gates.code.on_fail CONTINUE is looser than BLOCK" in looser.ignored
    assert tighten(defaults(), config("gates: {code: {on_fail: STOP}}\n")).config.gates["code"].on_fail == "STOP"


def test_nested_lists_are_compared_and_shown():
    before = config(f"{TWO}on: {{stop: [code, [check, test]]}}\n")
    after = config(f"{TWO}on: {{stop: [code, check]}}\n")
    assert changes(before, after) == ("on.stop: - ['check', 'test']", "on.stop: + check")
    tree = loaded(f"{HEAD}{TWO}on: {{stop: [code, [check, test]]}}\n".encode(), None, None).tree
    assert "stop: [code, [check, test]]" in show(before, tree)
