"""Every agent but the first: how it is registered and taken back, and what switches its hooks off is seen."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from agent_rules import GUARDS, OTHERS
from agent_setup import THEIRS, files_in, install, taken_back
from fixtures import GOOD
from hook_path import own_daemon
from vetgate import client
from vetgate.agents import agent
from vetgate.agents.installation import Scope
from vetgate.app import App
from vetgate.checks import known_names
from vetgate.config.load import load
from vetgate.model import EventKind
from vetgate.project import Project
from vetgate.service.model_health import examine_models


@pytest.mark.parametrize("theirs", [True, False], ids=["beside others", "alone"])
@pytest.mark.parametrize("name", OTHERS)
def test_it_is_registered_once_and_taken_back_to_the_byte(name, theirs, place):
    home = Path(os.environ["HOME"])
    for path, text in THEIRS[name].items() if theirs else ():
        (home / path).parent.mkdir(parents=True, exist_ok=True)
        (home / path).write_text(text)
    before = files_in(home)
    install(place, name)
    assert agent(name).registration.hook_seconds(GUARDS[name], place.root, os.environ) == 10.0
    assert not [each for each in agent(name).registration.install(place).writings if each.changes], "twice is once"
    again = files_in(home)
    assert all(
        again.get(path) == data or b"vetgate-hook" in again[path] or path.endswith("toml")
        for path, data in before.items()
    )
    taken_back(place, name)
    assert files_in(home) == before


@pytest.mark.parametrize("name", OTHERS)
def test_our_own_time_ends_before_the_agent_gives_up(name, place):
    """Each of them goes on as if nothing had been said then; the end of a session holds nothing."""
    install(place, name)
    gated = agent(name).known.gated
    for event, kinds in gated.events.items():
        waited = agent(name).registration.hook_seconds(event, place.root, os.environ)
        if kinds != (EventKind.SESSION_END,):
            assert 0 < client.LONG_DEADLINES.get(event.encode(), client.PATIENCE) < waited, event


@pytest.mark.parametrize("name", [each for each in OTHERS if each not in {"copilot", "opencode"}])
def test_what_others_wrote_meanwhile_stays(name, place):
    install(place, name)
    path = next(each.path for each in agent(name).registration.install(place).writings if each.path.suffix == ".json")
    value = json.loads(path.read_text())
    value["hooks"].setdefault("Other", []).append(
        {"hooks": [{"type": "command", "command": "mine"}], "command": "mine"}
    )
    path.write_text(json.dumps(value))
    taken_back(place, name)
    rest = json.loads(path.read_text())
    assert "vetgate" not in path.read_text()
    assert "mine" in json.dumps(rest)


def _examined(place, name):
    examination = agent(name).examination.examine(place, lambda *_: None)
    return {each.what: each.health for each in examination.registration}


SWITCHES = {
    "codex": [(".codex/config.toml", "[features]\nhooks = false\n", "`hooks = false`")],
    "copilot": [(".github/copilot/settings.json", '{"disableAllHooks": true}', "disableAllHooks")],
    "gemini": [
        (".gemini/settings.json", '{"hooksConfig": {"enabled": false}}', "hooksConfig.enabled=false"),
        (".gemini/settings.json", '{"hooksConfig": {"disabled": ["/x/vetgate-hook"]}}', "hooksConfig.disabled"),
    ],
    "qwen": [(".qwen/settings.json", '{"disableAllHooks": true}', "disableAllHooks")],
}


@pytest.mark.parametrize(("name", "path", "text", "told"), [(n, *row) for n, rows in SWITCHES.items() for row in rows])
def test_a_repository_that_switches_hooks_off_is_seen(name, path, text, told, place):
    install(place, name)
    assert all(health != "bad" for what, health in _examined(place, name).items()), "it is on"
    (place.root / path).parent.mkdir(parents=True, exist_ok=True)
    (place.root / path).write_text(text)
    assert [what for what, health in _examined(place, name).items() if health == "bad" and told in what]


def test_a_judge_that_has_nothing_to_go_by_with_an_agent_is_named(place):
    models = "models: {haiku: {api: claude-cli, model: haiku}}"
    gates = "gates: {said: {judge: align}, intent: {judge: intent}}"
    (place.root / "vetgate.yaml").write_text(f"version: 1\n{models}\n{gates}\n")
    config = load(place.root / "vetgate.yaml", known_names(), place.root)

    def named():
        found = examine_models(config, Project(place.root, place.state), asks=False)
        return [each.what for each in found if "nothing to ask" in each.what]

    install(place, "claude-code")
    assert not named()
    install(place, "codex")
    assert not named()
    install(place, "opencode")
    assert named() == ["the gate `said` has nothing to ask about OpenCode"]


@pytest.mark.parametrize(("name", "path", "text"), [(n, *row[:2]) for n, rows in SWITCHES.items() for row in rows])
@pytest.mark.parametrize("other", ["claude-code", "codex"])
def test_it_is_told_at_the_start_of_a_session_of_any_agent(name, path, text, other, place):
    (place.root / path).parent.mkdir(parents=True, exist_ok=True)
    (place.root / path).write_text(text)
    start = {"hook_event_name": "SessionStart", "session_id": "s", "cwd": str(place.root), "source": "startup"}
    app = App(place.state)
    said = app.answer(other, json.dumps(start).encode(), str(place.root), environment={}).stdout.decode()
    app.flush()
    assert path in said
    assert f"switches off every hook of {agent(name).known.title}" in said
    assert any(row.body.findings for row in app.project(place.root).store.decisions(5)), "and it is on record"


def test_a_hook_that_is_not_trusted_or_was_changed_is_seen(place):
    install(place, "codex")
    hooks, config = (Path(os.environ["HOME"], ".codex", each) for each in ("hooks.json", "config.toml"))
    trust = config.read_text()
    config.write_text("")
    assert any("does not trust vetgate's hook for PreToolUse" in what for what in _examined(place, "codex"))
    config.write_text(trust)
    hooks.write_text(hooks.read_text().replace('"timeout": 10\n', '"timeout": 11\n'))
    assert any("PreToolUse in" in what and "was changed" in what for what in _examined(place, "codex"))
    hooks.write_text('{"more": 1, ' + hooks.read_text().lstrip()[1:])
    assert any("`more` beside its hooks" in what for what in _examined(place, "codex"))


@pytest.mark.parametrize("name", ["gemini", "qwen"])
def test_a_timeout_in_the_wrong_unit_is_seen(name, place):
    install(place, name)
    path = Path(os.environ["HOME"], f".{name}", "settings.json")
    path.write_text(path.read_text().replace('"timeout": 10000', '"timeout": 10'))
    assert any("is 10 ms" in what for what in _examined(place, name))


@pytest.mark.parametrize("name", ["copilot", "gemini", "qwen"])
def test_that_a_start_in_a_subfolder_leaves_the_repositorys_hooks_out_is_said(name, place):
    install(replace(place, scope=Scope.PROJECT), name)
    (said,) = [what for what in _examined(place, name) if "subfolder" in what]
    install(place, name)
    assert said not in _examined(place, name), "those of a person run everywhere"


def test_a_repository_that_codex_does_not_trust_is_seen(place):
    install(replace(place, scope=Scope.PROJECT), "codex")
    assert "bad" not in _examined(place, "codex").values()
    config = Path(os.environ["HOME"], ".codex", "config.toml")
    config.write_text(f'{config.read_text()}\n[projects."{place.root}"]\ntrust_level = "untrusted"\n')
    assert any("untrusted" in what for what, health in _examined(place, "codex").items() if health == "bad")


def test_a_hook_of_cursor_that_fails_open_is_seen(place):
    install(place, "cursor")
    path = Path(os.environ["HOME"], ".cursor", "hooks.json")
    path.write_text(path.read_text().replace('"failClosed": true', '"failClosed": false'))
    assert any("without `failClosed`" in what for what, health in _examined(place, "cursor").items() if health == "bad")


@pytest.mark.skipif(shutil.which("node") is None, reason="it is JavaScript")
def test_a_plugin_that_does_not_load_is_seen(place, monkeypatch):
    install(place, "opencode")
    assert "bad" not in _examined(place, "opencode").values()
    monkeypatch.setenv("OPENCODE_PURE", "1")
    assert any("OPENCODE_PURE is set" in what for what in _examined(place, "opencode"))
    path = Path(os.environ["HOME"], ".config", "opencode", "plugin", "vetgate.js")
    path.write_text(f"{path.read_text()}}}\n")
    assert any("does not load" in what for what, health in _examined(place, "opencode").items() if health == "bad")


ALONE = """
import sys
from vetgate.agents import agent
from vetgate.app import App
name, state, root, payload = sys.argv[1:]
App(__import__("pathlib").Path(state)).answer(name, payload.encode(), root, environment={})
print(*(each for each in sys.modules if each.startswith("vetgate.agents.")))
"""


@pytest.mark.parametrize("name", ["codex", "copilot", "opencode"])
def test_a_call_imports_nothing_of_another_agent_but_what_its_files_are(name, place):
    """That is data: it says which files and commands belong to it, and are protected from every other one."""
    payload = agent(name).session_wire.edit_payload(str(place.root / "a.py"), GOOD, str(place.root), "s").decode()
    words = [sys.executable, "-P", "-c", ALONE, name, str(place.state), str(place.root), payload]
    done = subprocess.run(words, capture_output=True, text=True, timeout=60, check=True)
    others = [each.split(".") for each in done.stdout.split() if each.count(".") > 2]
    assert {each[2] for each in others} >= {name}
    assert {each[3] for each in others if each[2] != name} <= {"known"}


@pytest.mark.parametrize("name", OTHERS)
def test_of_an_agent_that_nobody_has_nothing_is_said(name, place, monkeypatch):
    monkeypatch.setenv("PATH", "/nowhere")
    assert _examined(place, name) == {}


def test_a_project_can_be_registered_for_all_who_work_there(place):
    for name in OTHERS:
        plan = agent(name).registration.install(replace(place, scope=Scope.PROJECT))
        written = [each for each in plan.writings if each.path.is_relative_to(place.root)]
        assert len(written) == 1, name
        assert b"command -v vetgate-hook" in (written[0].after or b""), "who has no vetgate is not locked out"


@pytest.fixture
def daemon(clone):
    with own_daemon() as variables:
        clone.env |= variables
        yield


@pytest.mark.usefixtures("daemon")
def test_a_canary_is_stopped_by_what_is_registered_with_each_agent(clone):
    for name in OTHERS:
        (clone.home / agent(name).known.folder).mkdir()
    done = clone.init(
        "--yes", "--no-git", "--no-mcp", "--no-commands", *(w for name in OTHERS for w in ("--agent", name))
    )
    assert done.returncode == 0, done.stderr
    examined = clone.vetgate("doctor").stdout
    for name in OTHERS:
        assert f"{agent(name).known.title}: a canary was stopped" in examined


@pytest.mark.usefixtures("daemon")
def test_init_gates_the_agents_that_are_here(clone):
    (clone.home / ".codex").mkdir()
    clone.hook(clone.bin / "qwen", "#!/bin/sh\necho 0.24.4\n")
    shown = clone.init("--dry-run", "--no-git")
    assert f"+++ {clone.home}/.codex/hooks.json" in shown.stdout
    assert not (clone.home / ".codex" / "hooks.json").exists()
    done = clone.init("--yes", "--no-git")
    assert done.returncode == 0, done.stderr
    assert "Codex may run these hooks: exactly these" in done.stderr
    assert (clone.home / ".codex" / "hooks.json").exists()
    assert (clone.home / ".qwen" / "settings.json").exists()
    assert not clone.user.exists(), "nobody has the first one here"
    examined = clone.vetgate("doctor").stdout
    assert "Codex: a canary was stopped" in examined
    assert "Qwen Code: a canary was stopped" in examined
    assert "Qwen Code 0.24.4" in examined
    removed = clone.init("--yes", "--remove", "--agent", "codex")
    assert removed.returncode == 0, removed.stderr
    assert not (clone.home / ".codex" / "hooks.json").exists()
    assert (clone.home / ".qwen" / "settings.json").exists()
    assert (clone.root / "vetgate.yaml").exists()
