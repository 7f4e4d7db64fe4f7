"""Commands and the MCP server that `init` adds where an agent has a place for them: written, left alone, taken back."""

from __future__ import annotations

import json
import os
import re
import sys
import tomllib
from dataclasses import replace
from pathlib import Path

import pytest

from agent_rules import OTHERS
from agent_setup import THEIRS, files_in, install, taken_back
from vetgate.agents import agent
from vetgate.agents.command_files import COMMAND_NAMES
from vetgate.agents.installation import Installation, Receipts, Scope
from vetgate.mcp.server import GateServer
from vetgate.service.caller import Caller

HERE = [sys.executable, "-P", "-m", "vetgate", "mcp"]
SERVERS = {
    "codex": (".codex/config.toml", "mcp_servers"),
    "copilot": (".copilot/mcp-config.json", "mcpServers"),
    "cursor": (".cursor/mcp.json", "mcpServers"),
    "gemini": (".gemini/settings.json", "mcpServers"),
    "opencode": (".config/opencode/opencode.json", "mcp"),
    "qwen": (".qwen/settings.json", "mcpServers"),
}
IN_PROJECT = {
    "copilot": ".github/mcp.json",
    "cursor": ".cursor/mcp.json",
    "gemini": ".gemini/settings.json",
    "opencode": "opencode.json",
    "qwen": ".qwen/settings.json",
}
COMMANDS = {
    "codex": ".codex/skills/vetgate-{}/SKILL.md",
    "copilot": ".copilot/skills/vetgate-{}/SKILL.md",
    "cursor": ".cursor/commands/vetgate-{}.md",
    "gemini": ".gemini/commands/vetgate-{}.toml",
    "opencode": ".config/opencode/command/vetgate-{}.md",
    "qwen": ".qwen/commands/vetgate-{}.md",
}
NAMES = {"status" if name == "vetgate" else name for name in COMMAND_NAMES}


@pytest.fixture
def whole(place, monkeypatch):
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    return replace(place, commands=True, mcp=True)


def server(name, home):
    path, key = SERVERS[name]
    text = (home / path).read_text()
    return (tomllib.loads(text) if path.endswith("toml") else json.loads(text)).get(key, {}).get("vetgate")


def words(entry):
    return entry["command"] if isinstance(entry["command"], list) else [entry["command"], *entry["args"]]


@pytest.mark.parametrize("theirs", [True, False], ids=["beside others", "alone"])
@pytest.mark.parametrize("name", OTHERS)
def test_they_are_added_once_and_go_to_the_byte(name, theirs, whole):
    home = Path.home()
    for path, text in THEIRS[name].items() if theirs else ():
        (home / path).parent.mkdir(parents=True, exist_ok=True)
        (home / path).write_text(text)
    before = files_in(home)
    install(whole, name)
    assert words(server(name, home)) == HERE
    for each in NAMES:
        assert (home / COMMANDS[name].format(each)).exists(), each
    assert not [each for each in agent(name).registration.install(whole).writings if each.changes], "twice is once"
    taken_back(whole, name)
    assert files_in(home) == before


SPELLED = {"opencode": {"type": "local", "enabled": True}, "copilot": {"type": "local", "tools": ["*"]}}


@pytest.mark.parametrize("name", OTHERS)
def test_the_entry_is_spelled_as_the_agent_reads_it(name, whole):
    install(whole, name)
    entry = server(name, Path.home())
    assert {key: value for key, value in entry.items() if key not in {"command", "args"}} == SPELLED.get(name, {})


@pytest.mark.parametrize("name", OTHERS)
def test_both_can_be_declined(name, place):
    install(place, name)
    path = Path.home() / SERVERS[name][0]
    assert not path.exists() or server(name, Path.home()) is None
    assert not list(Path.home().rglob("vetgate-check*"))


@pytest.mark.parametrize("name", OTHERS)
def test_in_a_file_that_changed_since_only_our_server_goes(name, whole):
    install(whole, name)
    path = Path.home() / SERVERS[name][0]
    if name == "codex":
        path.write_text(path.read_text() + '\n[mcp_servers.other]\ncommand = "x"\n')
    else:
        value = json.loads(path.read_text())
        value[SERVERS[name][1]]["other"] = {"command": "x"}
        path.write_text(json.dumps(value))
    taken_back(whole, name)
    text = path.read_text()
    rest = tomllib.loads(text) if name == "codex" else json.loads(text)
    assert rest[SERVERS[name][1]] == {"other": {"command": "x"}}
    assert "vetgate" not in text


@pytest.mark.parametrize("name", OTHERS)
@pytest.mark.parametrize("theirs", [["mine"], ["vetgate", "mcp"]], ids=["another", "ours, by hand"])
def test_a_server_that_a_person_wrote_stays(name, theirs, whole):
    path, key = Path.home() / SERVERS[name][0], SERVERS[name][1]
    path.parent.mkdir(parents=True, exist_ok=True)
    if name == "codex":
        entry = f"command = {json.dumps(theirs[0])}\nargs = {json.dumps(theirs[1:])}\n"
        path.write_text(f"[{key}.vetgate]\n{entry}")
    else:
        spelled = {"command": theirs} if name == "opencode" else {"command": theirs[0], "args": theirs[1:]}
        path.write_text(json.dumps({key: {"vetgate": spelled | {"timeout": 9}}}, indent=2))
    before = path.read_bytes()
    plan = install(whole, name)
    said = [each for each in plan.notes if "not the one that init writes" in each]
    assert len(said) == (theirs == ["mine"])
    if theirs == ["mine"]:
        assert words(server(name, Path.home())) == theirs
    taken_back(whole, name)
    assert path.read_bytes() == before


@pytest.mark.parametrize("name", ["copilot", "cursor", "opencode"])
def test_a_file_of_servers_that_cannot_be_read_is_left_alone_and_the_hooks_are_registered(name, whole):
    path = Path.home() / SERVERS[name][0]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("{ // mine\n}")
    plan = install(whole, name)
    assert any("cannot be read" in each for each in plan.notes)
    assert path.read_text() == "{ // mine\n}"
    assert agent(name).registration.hook_seconds(agent(name).examination._EXAMINEE.guard, whole.root, os.environ)


def test_servers_in_a_line_that_nothing_can_be_added_to_are_left_alone(whole):
    config = Path.home() / ".codex" / "config.toml"
    config.parent.mkdir()
    config.write_text('mcp_servers = { other = { command = "x" } }\n')
    plan = install(whole, "codex")
    assert any("vetgate's server cannot be added to it" in each for each in plan.notes)
    assert tomllib.loads(config.read_text())["mcp_servers"] == {"other": {"command": "x"}}
    assert "trusted_hash" in config.read_text(), "and the hooks are trusted"


@pytest.mark.parametrize("name", OTHERS)
def test_another_project_keeps_them(name, whole, tmp_path):
    other = replace(whole, root=tmp_path / "other")
    other.root.mkdir()
    install(whole, name)
    install(other, name)
    for receipt in list(Receipts(whole.state).all()):
        Receipts(whole.state).keep(receipt.with_project(other.root))
    before = files_in(Path.home())
    left = taken_back(whole, name)
    assert files_in(Path.home()) == before
    assert any("the commands in" in each for each in left)


@pytest.mark.parametrize("name", OTHERS)
def test_for_all_who_work_in_a_project_they_stand_in_it(name, whole):
    shared = replace(whole, scope=Scope.PROJECT)
    before = files_in(whole.root)
    install(shared, name)
    if name in IN_PROJECT:
        text = (whole.root / IN_PROJECT[name]).read_text()
        assert words(json.loads(text)[SERVERS[name][1]]["vetgate"]) == ["vetgate", "mcp"], "by its name"
        assert sys.executable not in text
    assert any("vetgate-check" in path for path in files_in(whole.root))
    taken_back(shared, name)
    assert files_in(whole.root) == before


@pytest.mark.parametrize("name", OTHERS)
def test_a_repair_adds_nothing_that_was_declined(name, place):
    install(place, name)
    repairs = agent(name).examination.repairs(Installation(place.root, place.state, None))
    assert repairs
    assert not [each.path for each in repairs if each.changes]


@pytest.mark.parametrize("name", OTHERS)
def test_a_command_of_your_own_is_named_and_kept(name, whole):
    own = Path.home() / COMMANDS[name].format("check")
    own.parent.mkdir(parents=True)
    own.write_text("mine")
    plan = install(whole, name)
    assert any(f"{own} was left alone" in each for each in plan.notes)
    taken_back(whole, name)
    assert own.read_text() == "mine"


TOOLS = {
    "codex": "mcp__vetgate__",
    "copilot": "vetgate-",
    "cursor": "",
    "gemini": "mcp_vetgate_",
    "opencode": "vetgate_",
    "qwen": "mcp__vetgate__",
}


@pytest.mark.parametrize("name", OTHERS)
def test_a_text_names_tools_as_the_agent_calls_them_and_holds_nothing_that_it_would_run(name, whole, tmp_path):
    install(whole, name)
    tools = {each.name for each in GateServer(Caller(tmp_path))._tool_manager.list_tools()}
    for each in NAMES:
        text = (Path.home() / COMMANDS[name].format(each)).read_text()
        if name == "gemini":
            parsed = tomllib.loads(text)
            assert parsed["description"]
            text = parsed["prompt"]
        called = set(re.findall(r"(?:call|tool) `([\w-]+)`", text))
        assert {word.removeprefix(TOOLS[name]) for word in called} <= tools, each
        assert all(word.startswith(TOOLS[name]) for word in called)
        for mark in ("@", "!{", "!`", "CLAUDE", "subagent", "$ARGUMENTS" if name != "opencode" else "{{"):
            assert mark not in text, each


def test_init_says_what_it_adds_and_a_dry_run_shows_it(clone):
    (clone.home / ".codex").mkdir()
    shown = clone.init("--dry-run", "--no-git")
    assert "[mcp_servers.vetgate]" in shown.stdout
    assert f"+++ {clone.home}/.codex/skills/vetgate-check/SKILL.md" in shown.stdout
    assert not list((clone.home / ".codex").iterdir())
    done = clone.init("--yes", "--no-git", "--no-mcp", "--no-commands")
    assert done.returncode == 0, done.stderr
    assert "mcp_servers" not in (clone.home / ".codex" / "config.toml").read_text()
    assert not (clone.home / ".codex" / "skills").exists()
    assert clone.init("--yes", "--no-git").returncode == 0
    examined = clone.vetgate("doctor").stdout
    assert f"the MCP server in {clone.home}/.codex/config.toml answers" in examined
    assert clone.init("--yes", "--remove").returncode == 0
    assert not list(clone.home.glob(".codex/**/*"))


def test_pages_for_agents_get_lines_only_on_request_and_lose_exactly_them(clone):
    (clone.home / ".codex").mkdir()
    clone.hook(clone.bin / "qwen", "#!/bin/sh\necho 0.24.4\n")
    mine = "# How we work\n\nSmall steps.\n\n\n"
    clone.put("AGENTS.md", mine)
    options = ("--yes", "--no-git", "--no-mcp", "--no-commands")
    assert clone.init(*options).returncode == 0
    assert (clone.root / "AGENTS.md").read_text() == mine
    assert "+## vetgate" in clone.init("--dry-run", "--no-git", "--instructions").stdout
    assert clone.init(*options, "--instructions").returncode == 0
    assert "nothing was changed" in clone.init(*options, "--instructions").stdout
    agents, qwen = (clone.root / "AGENTS.md").read_text(), (clone.root / "QWEN.md").read_text()
    assert agents.startswith("# How we work\n\nSmall steps.\n\n## vetgate\n")
    assert qwen.startswith("## vetgate\n")
    assert not (clone.root / "GEMINI.md").exists()
    left = clone.init("--yes", "--remove", "--agent", "qwen").stdout
    assert not (clone.root / "QWEN.md").exists()
    assert (clone.root / "AGENTS.md").read_text() == agents, left
    assert clone.init("--yes", "--remove").returncode == 0
    assert (clone.root / "AGENTS.md").read_text() == mine


def test_of_a_page_that_was_written_on_only_our_lines_go(clone):
    (clone.home / ".codex").mkdir()
    clone.init("--yes", "--no-git", "--no-mcp", "--no-commands", "--instructions")
    page = clone.root / "AGENTS.md"
    page.write_text(f"# Mine\n\n{page.read_text()}\nAnd more.\n")
    assert clone.init("--yes", "--remove").returncode == 0
    assert page.read_text() == "# Mine\n\nAnd more.\n"
