"""Our entries in a settings file: exactly one per event, everything else untouched, and out again without a trace."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from vetgate.agents.claude_code.accepts import refusals
from vetgate.agents.claude_code.registration import hook_seconds
from vetgate.agents.claude_code.settings import LISTENING, differences, registered, settings_path
from vetgate.agents.hook_entries import is_ours, our_entries, unregister
from vetgate.agents.installation import Scope

COMMAND = "/home/dev/.local/state/vetgate/bin/vetgate-hook"
OLD = "/opt/old/bin/vetgate-hook"
SHARED = "if command -v vetgate-hook >/dev/null; then exec vetgate-hook; fi; echo missing >&2"
STRANGER = {"matcher": "Bash", "hooks": [{"type": "command", "command": "guard.sh", "timeout": 3}]}

FILES = {
    "an empty object": "{}\n",
    "an empty object over two lines": "{\n}\n",
    "no final newline": '{"model": "opus"}',
    "two spaces": json.dumps({"model": "opus", "hooks": {"PreToolUse": [STRANGER]}}, indent=2) + "\n",
    "four spaces": json.dumps({"permissions": {"allow": ["Read"]}, "zzz": {"b": 1, "a": 2}}, indent=4),
    "tabs": json.dumps({"hooks": {"Stop": [STRANGER, STRANGER]}, "env": {}}, indent="\t") + "\n",
    "windows line ends": json.dumps({"hooks": {"PreToolUse": [STRANGER]}}, indent=2).replace("\n", "\r\n"),
    "one line": json.dumps({"hooks": {"PreToolUse": [STRANGER], "Other": []}}),
    "odd spacing": '{ "b" : 1 ,\n\n "a":[ 1,2 ] , "hooks" : { "Stop":[] } }',
    "letters beyond ASCII": '{\n  "note": "naïve — 日本 \\u00e9"\n}\n',
    "empty hooks": '{\n  "hooks": {}\n}\n',
    "empty lists of ours": '{\n  "hooks": {\n    "PreToolUse": []\n  }\n}\n',
}


def register(text, command, judged=0.0):
    return registered(text.encode(), command, judged).decode()


@pytest.mark.parametrize("before", FILES.values(), ids=FILES.keys())
def test_registering_adds_one_entry_per_event_and_nothing_else(before):
    after = register(before, COMMAND)
    found = our_entries(after)
    assert sorted(e.event for e in found) == sorted(row.event for row in LISTENING)
    assert [difference for e in found for difference in differences(e, COMMAND)] == []
    assert refusals(after) == []
    kept = json.loads(before)
    now = json.loads(after)
    for event, groups in kept.get("hooks", {}).items():
        assert now["hooks"][event][: len(groups)] == groups
    assert {k: v for k, v in now.items() if k != "hooks"} == {k: v for k, v in kept.items() if k != "hooks"}


@pytest.mark.parametrize("before", FILES.values(), ids=FILES.keys())
def test_registering_twice_changes_nothing(before):
    after = register(before, COMMAND)
    assert register(after, COMMAND) == after


@pytest.mark.parametrize("before", FILES.values(), ids=FILES.keys())
def test_unregistering_means_the_same_as_before(before):
    assert json.loads(unregister(register(before, COMMAND), before)) == json.loads(before)


LAID_OUT = {name: text for name, text in FILES.items() if name not in {"an empty object over two lines", "odd spacing"}}


@pytest.mark.parametrize("before", LAID_OUT.values(), ids=LAID_OUT.keys())
def test_unregistering_gives_back_every_byte_without_help_of_a_copy(before):
    assert unregister(register(before, COMMAND), before) == before


def test_a_missing_file_starts_as_an_object():
    assert json.loads(register("", COMMAND))["hooks"].keys() == {row.event for row in LISTENING}


def test_the_entry_before_a_tool_blocks_when_the_gate_itself_fails():
    hooks = json.loads(register("{}", COMMAND))["hooks"]
    assert hooks["PreToolUse"] == [
        {
            "matcher": "*",
            "hooks": [{"type": "command", "command": COMMAND, "timeout": 10, "onFailure": "block"}],
        }
    ]
    assert "matcher" not in hooks["Stop"][0]


def test_an_older_path_of_ours_is_replaced_where_it_stands():
    before = json.dumps({"hooks": {"PreToolUse": [STRANGER]}}, indent=2)
    old = register(before, OLD)
    assert register(old, COMMAND) == register(before, COMMAND)


def test_the_shared_form_is_replaced_by_the_launcher_and_back():
    shared = register("{}\n", SHARED)
    assert register(register(shared, COMMAND), SHARED) == shared


@pytest.mark.parametrize(
    "damage",
    [
        lambda hook, group: hook.update(timeout=600),
        lambda hook, group: hook.pop("onFailure"),
        lambda hook, group: hook.update({"async": True}),
        lambda hook, group: group.update(matcher="Write"),
        lambda hook, group: hook.update({"if": "Bash(git *)"}),
    ],
    ids=["a longer timeout", "no word on failure", "run in the background", "a narrower matcher", "a condition"],
)
def test_a_weakened_entry_is_seen_and_put_right(damage):
    good = register("{}\n", COMMAND)
    settings = json.loads(good)
    group = settings["hooks"]["PreToolUse"][0]
    damage(group["hooks"][0], group)
    bad = json.dumps(settings, indent=2) + "\n"
    weak = next(entry for entry in our_entries(bad) if entry.event == "PreToolUse")
    assert differences(weak, COMMAND)
    assert register(bad, COMMAND) == good


def test_duplicates_and_events_we_no_longer_use_are_taken_out():
    settings = json.loads(register("{}", COMMAND))
    settings["hooks"]["PreToolUse"] *= 3
    settings["hooks"]["Notification"] = [{"hooks": [{"type": "command", "command": OLD}]}, STRANGER]
    after = json.loads(register(json.dumps(settings), COMMAND))
    assert len(after["hooks"]["PreToolUse"]) == 1
    assert after["hooks"]["Notification"] == [STRANGER]


def test_an_entry_that_others_share_a_group_with_leaves_them_alone():
    theirs = {"type": "command", "command": "guard.sh"}
    ours = {"type": "command", "command": OLD}
    before = {"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [theirs, ours]}]}}
    after = json.loads(register(json.dumps(before), COMMAND))
    assert after["hooks"]["PreToolUse"][0] == {"matcher": "Bash", "hooks": [theirs]}
    assert after["hooks"]["PreToolUse"][1]["matcher"] == "*"
    gone = json.loads(unregister(json.dumps(after)))
    assert gone == {"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [theirs]}]}}


def test_entries_added_around_ours_survive_the_removal():
    settings = json.loads(register("{}", COMMAND))
    settings["hooks"]["PreToolUse"].insert(0, STRANGER)
    settings["hooks"]["PreToolUse"].append(STRANGER)
    settings["model"] = "opus"
    after = json.loads(unregister(json.dumps(settings, indent=2)))
    assert after == {"hooks": {"PreToolUse": [STRANGER, STRANGER]}, "model": "opus"}


OURS = {
    "the launcher": (COMMAND, True),
    "the launcher in a quoted path": ("'/home/a b/bin/vetgate-hook'", True),
    "the shared form": (SHARED, True),
    "a person's own wrapping": ("nice /opt/bin/vetgate-hook", False),
    "another tool of a like name": ("/opt/bin/vetgate-hooks", False),
    "a relative path": ("bin/vetgate-hook", False),
    "a broken quote": ("'/x/vetgate-hook", False),
}


@pytest.mark.parametrize(("command", "ours"), OURS.values(), ids=OURS.keys())
def test_only_what_we_wrote_is_ours(command, ours):
    assert is_ours(command) is ours


def test_the_home_folder_is_looked_up_when_asked(monkeypatch, tmp_path):
    monkeypatch.delenv("CLAUDE_CONFIG_DIR", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "one"))
    assert settings_path(Scope.USER, tmp_path) == tmp_path / "one" / ".claude" / "settings.json"
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "two"))
    assert settings_path(Scope.USER, tmp_path) == tmp_path / "two" / "settings.json"
    assert settings_path(Scope.LOCAL, tmp_path) == tmp_path / ".claude" / "settings.local.json"


def _hook(**fields):
    return {"hooks": {"PreToolUse": [{"hooks": [{"type": "command", "command": "true", **fields}]}]}}


REFUSED = {
    "a group without hooks": ({"hooks": {"PreToolUse": [{"matcher": "x"}]}}, "hooks.PreToolUse[0]"),
    "a group that is a word": ({"hooks": {"PreToolUse": ["x"]}}, "hooks.PreToolUse[0]"),
    "a matcher that is a number": (
        {"hooks": {"PreToolUse": [{"matcher": 5, "hooks": []}]}},
        "hooks.PreToolUse[0].matcher",
    ),
    "a hook without a command": (
        {"hooks": {"PreToolUse": [{"hooks": [{"type": "command"}]}]}},
        "hooks.PreToolUse[0].hooks[0]",
    ),
    "a hook without a type": (
        {"hooks": {"PreToolUse": [{"hooks": [{"command": "x"}]}]}},
        "hooks.PreToolUse[0].hooks[0].type",
    ),
    "an unknown type": ({"hooks": {"PreToolUse": [{"hooks": [{"type": "z"}]}]}}, "hooks.PreToolUse[0].hooks[0].type"),
    "a timeout in words": (_hook(timeout="10"), "hooks.PreToolUse[0].hooks[0].timeout"),
    "a timeout of nothing": (_hook(timeout=0), "hooks.PreToolUse[0].hooks[0].timeout"),
    "no timeout at all": (_hook(timeout=None), "hooks.PreToolUse[0].hooks[0].timeout"),
    "an unknown failure mode": (_hook(onFailure="deny"), "hooks.PreToolUse[0].hooks[0].onFailure"),
    "arguments in one string": (_hook(args="x"), "hooks.PreToolUse[0].hooks[0].args"),
    "a status message that is a number": (_hook(statusMessage=1), "hooks.PreToolUse[0].hooks[0].statusMessage"),
    "permissions that are a list": ({"permissions": []}, "permissions"),
    "rules that are not a list": ({"permissions": {"allow": "Read"}}, "permissions.allow"),
    "an unknown mode": ({"permissions": {"defaultMode": "zzz"}}, "permissions.defaultMode"),
    "an environment that is a list": ({"env": []}, "env"),
    "a switch in words": ({"disableAllHooks": "no"}, "disableAllHooks"),
    "a file that is a list": ([], ""),
}


@pytest.mark.parametrize(("settings", "where"), REFUSED.values(), ids=REFUSED.keys())
def test_what_makes_the_client_skip_the_file_is_named(settings, where):
    found = refusals(json.dumps(settings))
    assert [(r.where, r.drops_file) for r in found] == [(where, True)]


ACCEPTED = {
    "an unknown event": {"hooks": {"Nope": []}},
    "an unknown field": _hook(zzz=1),
    "an unknown key": {"zzz": 1},
    "a rule that is a number": {"permissions": {"allow": [1]}},
    "an environment value that is a number": {"env": {"A": 1}},
    "an empty command": {"hooks": {"PreToolUse": [{"hooks": [{"type": "command", "command": ""}]}]}},
    "the other types of hook": {
        "hooks": {
            "Stop": [
                {"hooks": [{"type": "http", "url": "http://127.0.0.1:1/"}, {"type": "prompt", "prompt": "x"}]},
                {"hooks": [{"type": "mcp_tool", "server": "a", "tool": "b"}, {"type": "agent", "prompt": "x"}]},
            ]
        }
    },
}


@pytest.mark.parametrize("settings", ACCEPTED.values(), ids=ACCEPTED.keys())
def test_what_the_client_takes_is_not_complained_about(settings):
    assert refusals(json.dumps(settings)) == []


def test_a_bad_entry_of_another_event_is_told_as_the_lesser_evil_it_is():
    found = refusals(json.dumps({"hooks": {"Stop": [{"hooks": [{"type": "zzz"}]}]}}))
    assert [r.drops_file for r in found] == [False]


def test_a_broken_file_is_named_with_its_line():
    assert [(r.line, r.drops_file) for r in refusals('{\n  "a": 1,\n}')] == [(2, True)]


def test_an_empty_file_is_no_settings():
    assert refusals(" \n") == []


def test_the_page_tells_the_events_and_timeouts_of_the_table():
    page = (Path(__file__).parent.parent / "docs" / "claude-code.md").read_text()
    rows = [line.split("|")[1:3] for line in page.splitlines() if line.startswith("|")]
    told = {event.strip(): cells[1] for cells in rows for event in cells[0].split(",")}
    for row in LISTENING:
        assert f" {row.timeout} s" in told[row.event]
        assert (row.on_failure is not None) is ("onFailure" in told[row.event])


def guard_in(text):
    return json.loads(text)["hooks"]["PreToolUse"][0]["hooks"][0]


def test_where_judges_are_waited_for_the_client_waits_longer_and_says_for_what():
    plain, judged = register("", COMMAND), register("", COMMAND, 15.0)
    assert (guard_in(plain)["timeout"], guard_in(judged)["timeout"]) == (10, 25)
    assert "statusMessage" not in guard_in(plain)
    assert "judge" in guard_in(judged)["statusMessage"]
    assert register(plain, COMMAND, 15.0) == judged
    (guard,) = (entry for entry in our_entries(plain) if entry.event == "PreToolUse")
    assert any("timeout is 10, not 25" in each for each in differences(guard, COMMAND, 15.0))


def test_a_project_without_judges_leaves_another_one_its_time():
    judged = register("", COMMAND, 15.0)
    assert register(judged, COMMAND) == judged
    assert guard_in(register(judged, COMMAND, 40.0))["timeout"] == 50
    (guard,) = (entry for entry in our_entries(judged) if entry.event == "PreToolUse")
    assert not differences(guard, COMMAND)


def test_whose_settings_say_how_long_the_hook_has(home):
    project = home / "project"
    for folder, text in ((home, register("", COMMAND, 15.0)), (project, register("", COMMAND, 500.0))):
        (folder / ".claude").mkdir(parents=True)
        (folder / ".claude" / "settings.json").write_text(text)
    assert hook_seconds("PreToolUse", project, {}) == 25, "not as long as a repository would like"
    (home / ".claude" / "settings.json").write_text("{}")
    assert hook_seconds("PreToolUse", project, {}) == 510
    (project / ".claude" / "settings.json").write_text("not JSON")
    assert hook_seconds("PreToolUse", project, {}) == 0
