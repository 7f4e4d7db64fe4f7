"""The plugin is made of what `init` writes, and its hooks stand back where settings run ours already."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from fixtures import lay
from vetgate import __version__
from vetgate.agents.claude_code.known import read_settings
from vetgate.agents.claude_code.plugin import (
    COMMAND,
    FOLDER,
    HOOKS,
    Naming,
    find_plugin,
    plugin_files,
    stands_back,
    texts,
)
from vetgate.agents.claude_code.settings import LISTENING
from vetgate.launcher import shared_command
from vetgate.mcp.server import GateServer
from vetgate.service.caller import Caller

REPOSITORY = Path(__file__).parents[1]
GUARD = next(row for row in LISTENING if row.event == "PreToolUse")


def test_the_files_are_what_they_are_made_of():
    wanted = plugin_files()
    there = {
        str(path.relative_to(REPOSITORY))
        for folder in (".claude-plugin", FOLDER)
        for path in (REPOSITORY / folder).rglob("*")
        if path.is_file()
    }
    assert there == wanted.keys(), "run python scripts/docs.py"
    for name, text in wanted.items():
        assert (REPOSITORY / name).read_text() == text, "run python scripts/docs.py"


def test_it_has_the_version_of_the_package():
    files = plugin_files()
    manifest = json.loads(files[f"{FOLDER}/.claude-plugin/plugin.json"])
    (listed,) = json.loads(files[".claude-plugin/marketplace.json"])["plugins"]
    assert manifest["version"] == listed["version"] == __version__


@pytest.mark.parametrize("prefix", ["mcp__vetgate__", "mcp__plugin_vetgate_vetgate__"])
def test_every_tool_that_a_text_names_exists(prefix, tmp_path):
    tools = {each.name for each in GateServer(Caller(tmp_path))._tool_manager.list_tools()}
    found = "\n".join((*texts(Naming(tool=prefix)).values(), *plugin_files().values()))
    named = set(re.findall(rf"{prefix}(\w+)", found))
    assert {"check", "confirm", "commit", "push"} <= named <= tools
    assert "@" not in re.sub(r"vetgate@vetgate", "", "".join(texts(Naming()).values()))


def registered(command, **other):
    group = GUARD.group(command)
    group["hooks"][0] |= other
    return {"hooks": {"PreToolUse": [group]}}


@pytest.fixture
def machine(tmp_path, monkeypatch):
    """A home, a project and our launcher; `stands` asks for one event of a session in the project."""
    home, project, state = tmp_path / "home", tmp_path / "project", tmp_path / "state"
    launcher = state / "bin/vetgate-hook"
    for folder in (home / ".claude", project / "sub", launcher.parent):
        folder.mkdir(parents=True)
    launcher.write_text("")
    monkeypatch.setenv("HOME", str(home))

    class Machine:
        own = home / ".claude/settings.json"
        shared = project / ".claude/settings.json"
        command = str(launcher)
        root = project

        def stands_back(self, event="PreToolUse", folder=project):
            return stands_back(event, state, {"CLAUDE_PROJECT_DIR": str(folder)})

    return Machine()


def test_it_stands_back_from_what_init_writes(machine):
    assert not machine.stands_back()
    lay(machine.own, registered(machine.command))
    assert machine.stands_back()
    assert not machine.stands_back("Stop")
    machine.own.unlink()
    lay(machine.shared, registered(shared_command()))
    assert machine.stands_back()
    assert not machine.stands_back(folder=machine.root / "sub")


def test_a_longer_timeout_for_judges_is_what_init_writes_too(machine):
    lay(
        machine.own,
        registered(machine.command, timeout=40, statusMessage="vetgate waits for a judge (a language model)"),
    )
    assert machine.stands_back()


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (registered("/elsewhere/vetgate-hook"), "a program of that name"),
        (registered("true # command -v vetgate-hook"), "a comment"),
        (registered(COMMAND), "the plugin's own command, which would stand back from itself"),
        (registered(shared_command(), timeout=1), "a timeout that nobody keeps"),
        (registered(shared_command(), onFailure="allow"), "another word on failure"),
        ({"hooks": {"PreToolUse": [GUARD.group(shared_command()) | {"matcher": "Read"}]}}, "a narrower matcher"),
        (registered(shared_command()) | {"permissions": {"allow": "no list"}}, "a file that the client skips"),
    ],
    ids=lambda each: each if isinstance(each, str) else "",
)
def test_nothing_else_silences_it(machine, content, why):
    lay(machine.shared, content)
    assert not machine.stands_back(), why


def test_a_launcher_that_is_gone_does_not_count(machine):
    lay(machine.own, registered(machine.command))
    Path(machine.command).unlink()
    assert not machine.stands_back()


def installed(machine, **switches):
    folder = machine.own.parent / "plugins/cache/vetgate"
    for name, text in plugin_files().items():
        if name.startswith(f"{FOLDER}/"):
            path = folder / name.removeprefix(f"{FOLDER}/")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
    entry = {"scope": "user", "installPath": str(folder), "version": __version__}
    lay(machine.own.parent / "plugins/installed_plugins.json", {"version": 2, "plugins": {"vetgate@team": [entry]}})
    for name, value in switches.items():
        lay(getattr(machine, name), {"enabledPlugins": {"vetgate@team": value}})
    return find_plugin(machine.root, {})


def test_it_is_found_where_the_client_has_it(machine):
    assert find_plugin(machine.root, {}) is None
    plugin = installed(machine, own=True)
    assert plugin.is_on
    assert plugin.is_as_shipped()
    assert {entry.event for entry in plugin.entries()} == {row.event for row in LISTENING}
    (plugin.folder / HOOKS).write_text("{}")
    assert not plugin.is_as_shipped()


def test_a_repository_can_switch_it_off_and_that_is_found(machine):
    plugin = installed(machine, own=True, shared=False)
    assert not plugin.is_on
    assert plugin.switched_off == machine.shared
    assert not plugin.entries()


def test_settings_without_it_are_weaker():
    on = read_settings('{"enabledPlugins": {"vetgate@team": true, "other@x": true}}')
    off = read_settings('{"enabledPlugins": {"vetgate@team": false}}')
    assert on.ours == {"enabledPlugins": ["vetgate@team"]}
    assert "enabledPlugins" in off.switched_on
    assert not read_settings('{"enabledPlugins": {"other@x": false}}').switched_on


def test_an_agent_does_not_take_it_away(clone):
    assert clone.init("--yes").returncode == 0
    hooks = clone.home / ".claude/plugins/cache/vetgate/vetgate/0.1.0/hooks/hooks.json"
    hooks.parent.mkdir(parents=True)
    hooks.write_text(plugin_files()[f"{FOLDER}/{HOOKS}"])
    off = json.dumps({"enabledPlugins": {"vetgate@vetgate": False}})
    refused = [
        ("Write", {"file_path": str(hooks), "content": "{}"}),
        ("Write", {"file_path": str(clone.root / ".claude/settings.json"), "content": off}),
        ("Bash", {"command": f"sed -i s/vetgate-hook/true/ {hooks}"}),
        ("Bash", {"command": "claude plugin disable vetgate@vetgate"}),
        ("Bash", {"command": "claude plugin marketplace remove vetgate"}),
        ("Bash", {"command": f"claude -p hi --settings '{off}'"}),
    ]
    for tool, given in refused:
        assert answered(clone, tool, given), given
    assert not answered(clone, "Bash", {"command": "claude plugin list"})


def answered(clone, tool, given):
    """What the hook prints of this call; nothing where it passes."""
    event = {"session_id": "5e55", "transcript_path": "/dev/null", "cwd": str(clone.root), "permission_mode": "default"}
    event |= {"hook_event_name": "PreToolUse", "tool_name": tool, "tool_input": given, "tool_use_id": "t"}
    done = subprocess.run(
        [sys.executable, "-P", "-m", "vetgate", "hook"],
        cwd=clone.root,
        env=clone.env,
        input=json.dumps(event),
        capture_output=True,
        text=True,
        check=False,
    )
    return "permissionDecision" in done.stdout
