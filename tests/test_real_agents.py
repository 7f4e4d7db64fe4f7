"""The real programs of other agents, from npm, against a scripted model on loopback: is what they do really held?

`make long` installs them once into `.cache/agents`, some 1.1 GB.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from fixtures import BAD, GOOD
from scripted_agents import Call, Machine
from vetgate import client

pytestmark = [pytest.mark.long, pytest.mark.skipif(shutil.which("npm") is None, reason="they come from npm")]
AGENTS = ("codex", "copilot", "gemini", "opencode", "qwen")
WHY = "complexity/cyclomatic"
DONE = ["done"] * 12


@pytest.fixture
def machine():
    """Not below pytest's own folder: the name of a socket has to be short."""
    made = []
    with tempfile.TemporaryDirectory(prefix="vg-", dir="/tmp") as folder:

        def make(agent: str) -> Machine:
            made.append(Machine(Path(folder, f"m{len(made)}"), agent))
            made[-1].set_up()
            return made[-1]

        yield make
        for each in made:
            each.end_daemon()


def patch(name: str, text: str) -> str:
    lines = "".join(f"+{line}\n" for line in text.splitlines())
    return f"*** Begin Patch\n*** Add File: {name}\n{lines}*** End Patch\n"


def write(machine: Machine, name: str, text: str) -> Call:
    path = str(machine.root / name)
    return {
        "codex": Call("apply_patch", text=patch(name, text)),
        "copilot": Call("create", {"path": path, "file_text": text}),
        "gemini": Call("write_file", {"file_path": path, "content": text}),
        "opencode": Call("write", {"filePath": path, "content": text}),
        "qwen": Call("write_file", {"file_path": path, "content": text}),
    }[machine.agent]


def shell(machine: Machine, command: str) -> Call:
    more = {"description": "d"}
    return {
        "codex": Call("exec_command", {"cmd": command}),
        "copilot": Call("bash", {"command": command, "mode": "sync", **more}),
        "gemini": Call("run_shell_command", {"command": command, **more}),
        "opencode": Call("bash", {"command": command, **more}),
        "qwen": Call("run_shell_command", {"command": command, "is_background": False}),
    }[machine.agent]


@pytest.mark.parametrize("agent", AGENTS)
def test_a_bad_edit_is_stopped_a_good_one_lands_and_the_turn_is_held_for_what_a_command_wrote(agent, machine):
    here = machine(agent)
    side_door = shell(here, f"cat > side.py <<'X'\n{BAD}X")
    said, done = here.session(write(here, "bad.py", BAD), write(here, "good.py", GOOD), side_door, *DONE)
    assert not (here.root / "bad.py").exists(), done.stderr
    assert (here.root / "good.py").read_text() == GOOD
    assert (here.root / "side.py").exists(), "what a command writes is seen afterwards"
    assert said.heard(f"error {WHY} at bad.py:1"), "the model hears why"
    assert said.heard("side.py:1")
    quote = '\\"\\"' if agent == "opencode" else '\\"'  # `opencode run` quotes what it is given
    assert said.heard(f"The task is still: {quote}do it{quote}"), "in the person's own words"
    log = here.vetgate("log", "--format", "jsonl").stdout
    stops = [row["decision"] for row in map(json.loads, log.splitlines()) if row["event"] == "stop"]
    if agent == "opencode":
        assert stops[:1] == ["block"], "it ended before it heard"
    else:
        assert sorted(stops) == ["block", "block", "block", "warn"], "held, and not for ever"
        assert said.heard("the last time that the turn is held")
        replayed = here.vetgate("replay", "--sessions", "--format", "json").stdout
        assert '"bad.py"' in replayed, "its transcript is found, and says what was stopped"
    examined = here.vetgate("doctor").stdout
    assert "a canary was stopped" in examined
    assert "the gate is on" in examined


@pytest.mark.parametrize("agent", AGENTS)
def test_without_a_warm_process_it_is_the_same(agent, machine):
    here = machine(agent)
    said, _ = here.session(write(here, "bad.py", BAD), *DONE, VETGATE_DAEMON="off")
    assert not (here.root / "bad.py").exists()
    assert said.heard(WHY)


BREAKS = {
    "no interpreter": lambda text: text.replace(sys.executable, "/nowhere/python"),
    "a client that crashes": lambda text: text.replace(f"{client.PACKAGE}/client.py", f"{client.PACKAGE}/__main__.py"),
}


@pytest.mark.parametrize("breaks", BREAKS.values(), ids=BREAKS.keys())
@pytest.mark.parametrize("agent", AGENTS)
def test_a_hook_that_is_broken_stops_the_edit_and_the_model_hears_that(agent, breaks, machine):
    here = machine(agent)
    launcher = here.home / ".local" / "state" / "vetgate" / "bin" / agent / "vetgate-hook"
    launcher.write_text(breaks(launcher.read_text()))
    said, _ = here.session(write(here, "good.py", GOOD), *DONE)
    assert not (here.root / "good.py").exists()
    assert said.heard("vetgate is no longer at") or said.heard("vetgate: the hook could not run")


@pytest.mark.parametrize("agent", ["copilot", "opencode"])
def test_a_patch_of_another_model_is_judged(agent, machine):
    here = machine(agent)
    text = patch("bad.py", BAD)
    call = (
        Call("apply_patch", {"patchText": text}) if agent == "opencode" else Call("apply_patch", {"input": text}, text)
    )
    said, _ = here.session(call, *DONE, model="gpt-5.5")
    assert not (here.root / "bad.py").exists()
    assert said.heard(WHY)


KNOWN = json.loads((Path(__file__).parent / "data" / "agent_tools.json").read_text("utf-8"))


@pytest.mark.parametrize(
    ("agent", "model"),
    [("copilot", ""), ("copilot", "gpt-5.5"), ("gemini", ""), ("opencode", ""), ("opencode", "gpt-5.5"), ("qwen", "")],
)
def test_every_tool_that_the_model_is_given_is_known(agent, model, machine):
    """One that is not might write files without anybody knowing what it does."""
    said, done = machine(agent).session(*DONE, model=model)
    assert said.tools, done.stderr
    assert {each for each in said.tools if "vetgate" not in each} <= KNOWN[agent].keys()


@pytest.mark.parametrize("agent", ["copilot", "gemini", "opencode", "qwen"])
def test_what_a_tool_does_not_take_hides_nothing(agent, machine):
    here = machine(agent)
    call = write(here, "bad.py", BAD)
    beside = {"file_path": "good.txt", "absolute_path": "good.txt", "path": "good.txt", "content": "x", "dryRun": True}
    said, done = here.session(Call(call.tool, beside | call.given), *DONE)
    assert not (here.root / "bad.py").exists(), done.stderr
    assert said.heard("only one of them counts")


def test_a_cell_of_a_notebook_is_judged(machine):
    here = machine("qwen")
    cell = {"cell_type": "code", "id": "a", "metadata": {}, "outputs": [], "execution_count": None, "source": ["x"]}
    path = here.root / "a.ipynb"
    path.write_text(json.dumps({"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}))
    edit = Call("notebook_edit", {"notebook_path": str(path), "cell_id": "a", "new_source": BAD})
    said, done = here.session(Call("read_file", {"file_path": str(path)}), edit, *DONE)
    assert "busy" not in path.read_text(), done.stderr
    assert said.heard(WHY)


def test_a_patch_in_a_shell_command_is_judged(machine):
    here = machine("codex")
    said, _ = here.session(shell(here, f"apply_patch <<'EOF'\n{patch('bad.py', BAD)}EOF\n"), *DONE)
    assert not (here.root / "bad.py").exists()
    assert said.heard(f"error {WHY} at bad.py:1")


def test_what_a_script_of_code_mode_calls_is_judged(machine):
    here = machine("codex")
    script = f"const r = await tools.apply_patch({json.dumps(patch('bad.py', BAD))}); text(JSON.stringify(r));"
    said, _ = here.session(Call("exec", text=script), *DONE, model="gpt-6-sol")
    assert not (here.root / "bad.py").exists()
    assert said.heard(WHY)


OURS = {
    "copilot": "vetgate-check",
    "gemini": "mcp_vetgate_check",
    "opencode": "vetgate_check",
    "qwen": "mcp__vetgate__check",
}
# Codex starts servers beside the session, and gives them to scripts of code mode.
ASKED_BY_A_SCRIPT = (
    Call("exec", text='text(JSON.stringify(await tools.exec_command({cmd: "sleep 5"})))'),
    Call("exec", text='text(JSON.stringify(await tools.mcp__vetgate__check({paths: ["old.py"]})))'),
)


@pytest.mark.parametrize("agent", AGENTS)
def test_the_server_that_init_registered_is_started_in_the_project_and_answers(agent, machine):
    here = machine(agent)
    (here.root / "old.py").write_text(BAD)
    turns = [Call(OURS[agent], {"paths": ["old.py"]})] if agent in OURS else [*ASKED_BY_A_SCRIPT]
    said, done = here.session(*turns, *DONE, model="" if agent in OURS else "gpt-6-sol")
    assert said.heard("no findings in 0 files") is False, done.stderr
    assert said.heard("cyclomatic"), done.stderr


@pytest.mark.parametrize("agent", AGENTS)
def test_a_command_that_init_wrote_is_known_to_the_agent(agent, machine):
    here = machine(agent)
    if agent == "gemini":  # what a hook says at the start comes before the prompt there, which is no command then
        settings = here.home / ".gemini" / "settings.json"
        known = json.loads(settings.read_text())
        del known["hooks"]["SessionStart"]
        settings.write_text(json.dumps(known))
    typed = f"{'$' if agent == 'codex' else '/'}vetgate-check a.py"
    said, done = here.session(*DONE, prompt=typed)
    if agent == "copilot":  # the model is given the list, and asks for the text
        assert said.heard("Check the uncommitted change, or the files you name"), done.stderr
    else:
        assert said.heard("Offer the fixes."), done.stderr


def test_settings_of_another_agent_are_answered_in_the_form_that_is_read_and_nothing_is_judged_twice(machine):
    here = machine("copilot")
    own = here.home / ".copilot" / "hooks" / "vetgate.json"
    done = here.vetgate("init", "--yes", "--no-git", "--no-mcp", "--no-commands", "--agent", "claude-code")
    assert done.returncode == 0, done.stderr
    (here.root / ".claude").mkdir()
    shutil.copy(here.home / ".claude" / "settings.json", here.root / ".claude" / "settings.json")
    said, _ = here.session(write(here, "bad.py", BAD), *DONE)
    assert said.heard(WHY)
    assert _judged(here) == 1, "both hooks run, and one of them answers"
    own.unlink()
    said, _ = here.session(write(here, "worse.py", BAD), *DONE)
    assert not (here.root / "worse.py").exists()
    assert said.heard(f"error {WHY} at worse.py:1"), "with the reason"


def _judged(here: Machine) -> int:
    rows = map(json.loads, here.vetgate("log", "--format", "jsonl").stdout.splitlines())
    return sum(row["event"] == "before_edit" for row in rows)


@pytest.mark.parametrize(
    ("agent", "path", "text"),
    [
        ("codex", ".codex/config.toml", "[features]\nhooks = false\n"),
        ("gemini", ".gemini/settings.json", '{"hooksConfig": {"enabled": false}}'),
        ("qwen", ".qwen/settings.json", '{"disableAllHooks": true}'),
        ("copilot", ".github/copilot/settings.json", '{"disableAllHooks": true}'),
    ],
)
def test_a_repository_that_switches_hooks_off_is_seen_by_the_doctor(agent, path, text, machine):
    here = machine(agent)
    (here.root / path).parent.mkdir(parents=True, exist_ok=True)
    (here.root / path).write_text(text)
    here.session(write(here, "bad.py", BAD), *DONE)
    assert (here.root / "bad.py").exists(), "no hook was asked"
    assert "neither a repository's nor your own" in here.vetgate("doctor").stdout


def test_what_opencode_left_open_is_held_at_the_commit_and_told_at_the_next_session(machine):
    here = machine("opencode")
    assert here.vetgate("init", "--yes", "--agent", "opencode").returncode == 0, "with git's hooks"
    here.session(shell(here, f"cat > side.py <<'X'\n{BAD}X"), *DONE)
    here.git("add", "-A")
    said, _ = here.session(shell(here, "git commit -qm next"), *DONE)
    assert said.heard("the last session's turn was held for complexity/cyclomatic at side.py:1")
    with pytest.raises(subprocess.CalledProcessError):
        here.git("commit", "-qm", "next")
