"""The project that a session began in judges what guards the person, wherever the session goes."""

from __future__ import annotations

import json
import os
import time
from hashlib import sha256

import pytest

from fixtures import Session, WorkTree, wait_for_tick
from secret_samples import chance
from vetgate import client
from vetgate.app import App
from vetgate.config.load import defaults, loaded
from vetgate.config.outside_config import outside_config, outside_config_in
from vetgate.model import EventKind
from vetgate.store import open_home_projects

LONG = "def busy(a):\n" + "".join(f"    if a == {n}:\n        return {n}\n" for n in range(12))
WIDE = "def f(a, b, c):\n    return a\n"
TOKEN = "ghp_" + chance(36)


class Roaming(Session):
    """A session that leaves the project it began in, its home; the hooks are there for all projects."""

    def __init__(self, folder):
        super().__init__(folder)
        self.folder = folder
        self.home = self.root
        self.accept(self, "version: 1\n")

    def repository(self, name, config=None):
        made = WorkTree(self.folder / name)
        if config is not None:
            self.accept(made, config)
        return made.root

    def accept(self, tree, config):
        tree.put("vetgate.yaml", config)
        self.app.project(tree.root).store.set_trusted(sha256(config.encode()).hexdigest(), config)

    def send(self, name, cwd, session="s", started="", **fields):
        event = {"session_id": session, "cwd": str(cwd), "hook_event_name": name, **fields}
        reply = self.app.answer(
            "claude-code",
            json.dumps(event).encode(),
            str(cwd),
            only_set_up=True,
            environment={"CLAUDE_PROJECT_DIR": str(started)},
        )
        self.app.flush()
        return reply

    def write(self, path, text, **more):
        given = {"file_path": str(path), "content": text}
        return self.send("PreToolUse", path.parent, tool_name="Write", tool_input=given, **more)

    def bash(self, command, cwd, **more):
        return self.send("PreToolUse", cwd, tool_name="Bash", tool_input={"command": command}, **more)


@pytest.fixture
def roaming(tmp_path):
    return Roaming(tmp_path)


def parsed(text):
    return loaded(text.encode(), None, None).config


def test_another_process_knows_where_the_session_began(roaming):
    roaming.send("SessionStart", roaming.home, started=roaming.home)
    roaming.app = App(roaming.state)
    assert roaming.bash("rm -rf ~", roaming.folder).status == 2


def test_a_session_that_began_outside_is_left_alone_and_leaves_no_trace(roaming):
    before = sorted(roaming.state.rglob("*"))
    for name in ("SessionStart", "Stop", "UserPromptSubmit"):
        assert roaming.send(name, roaming.folder, started=roaming.folder).stdout == b""
    assert roaming.bash("rm -rf ~", roaming.folder, started=roaming.folder).stdout == b""
    assert roaming.write(roaming.folder / "a.env", f"K={TOKEN}\n", started=roaming.folder).stdout == b""
    assert sorted(roaming.state.rglob("*")) == before


def test_one_that_began_outside_is_judged_in_a_gated_project_and_free_again_behind_it(roaming):
    roaming.send("SessionStart", roaming.folder, started=roaming.folder)
    assert roaming.bash("rm -rf ~", roaming.home, started=roaming.folder).status == 2
    assert roaming.bash("rm -rf ~", roaming.folder, started=roaming.folder).stdout == b""


def test_two_sessions_have_two_homes(roaming):
    roaming.send("SessionStart", roaming.home, started=roaming.home)
    roaming.send("SessionStart", roaming.folder, session="other", started=roaming.folder)
    assert roaming.bash("rm -rf ~", roaming.folder).status == 2
    assert roaming.bash("rm -rf ~", roaming.folder, session="other", started=roaming.folder).stdout == b""


def test_code_is_judged_by_the_nearest_configuration_that_a_person_accepted(roaming):
    other = roaming.repository("other", "version: 1\ncomplexity: {cyclomatic: 40}\n")
    roaming.send("SessionStart", roaming.home, started=roaming.home)
    assert roaming.write(other / "a.py", LONG).status == 0
    assert roaming.write(roaming.home / "a.py", LONG).status == 2


def test_commands_and_secrets_are_judged_by_the_home_project(roaming):
    other = roaming.repository("other", "version: 1\nenabled: false\n")
    roaming.send("SessionStart", roaming.home, started=roaming.home)
    assert roaming.write(other / "a.py", LONG).status == 0
    assert roaming.write(other / "a.py", f"KEY = '{TOKEN}'\n").status == 2
    assert roaming.bash("git commit --no-verify -m x", other).status == 2
    assert roaming.write(other / ".git" / "hooks" / "pre-commit", "#!/bin/sh\n").stdout


def test_what_a_person_allowed_elsewhere_is_not_allowed_here(roaming):
    loose = "version: 1\ncommands: {effects: {skips-hooks: allow}}\nrules: {secrets: off}\n"
    other = roaming.repository("other", loose)
    roaming.send("SessionStart", roaming.home, started=roaming.home)
    assert roaming.bash("git commit --no-verify -m x", other).status == 2
    assert roaming.write(other / "a.py", f"KEY = '{TOKEN}'\n").status == 2


def test_what_the_home_project_allows_is_allowed_elsewhere(roaming):
    text = "version: 1\ncommands: {effects: {skips-hooks: allow}}\n"
    home = roaming.repository("free", text)
    roaming.send("SessionStart", home, started=home)
    assert roaming.bash("git commit --no-verify -m x", roaming.folder).stdout == b""


def test_decisions_on_commands_are_on_record_at_home(roaming):
    nested = roaming.repository("project/nested")
    roaming.send("SessionStart", roaming.home, started=roaming.home)
    roaming.bash("rm -rf ~", nested)
    assert [row.event for row in roaming.app.project(roaming.home).store.decisions()] == ["before_command"]


def test_no_program_runs_where_nobody_accepted_anything():
    config = parsed("version: 1\ngates: {tests: {command: make test}}\non: {stop: [code, tests]}\n")
    assert outside_config(config).on[EventKind.STOP] == ("code",)
    assert not outside_config(config).sequences


def test_the_same_configuration_is_left_as_it_is():
    assert outside_config_in(defaults(), defaults()) == defaults()


def test_gates_of_both_stand_side_by_side():
    near = parsed("version: 1\ngates: {style: {checks: [complexity, secrets]}}\non: {before_edit: [style]}\n")
    both = outside_config_in(near, defaults())
    assert both.on[EventKind.BEFORE_EDIT] == ("style", "home-code")
    assert both.gates["style"].checks == ("complexity",)
    assert both.gates["home-code"].checks == ("secrets",)
    assert both.on[EventKind.BEFORE_COMMAND] == ("home-commands",)
    assert {gate.id for gate in both.gates.values()} == set(both.gates)


def test_a_push_from_a_repository_that_was_there_before_is_left_to_a_person(roaming):
    other = roaming.repository("other")
    wait_for_tick(2)
    roaming.send("SessionStart", roaming.home, started=roaming.home)
    made = roaming.repository("made")
    said = [json.loads(roaming.bash("git push", root).stdout)["hookSpecificOutput"] for root in (other, made)]
    assert [each["permissionDecision"] for each in said] == ["ask", "deny"]


def test_a_push_from_another_gated_repository_is_judged_by_its_own_hook(roaming):
    other = roaming.repository("other", "version: 1\n")
    roaming.send("SessionStart", roaming.home, started=roaming.home)
    assert b"no hook of vetgate" in roaming.bash("git push", other).stdout
    hook = other / ".git" / "hooks" / "pre-push"
    hook.write_text("#!/bin/sh\nexec vetgate hook pre-push\n")
    hook.chmod(0o755)
    assert roaming.bash("git push", other).stdout == b""


def test_one_daemon_serves_a_session_wherever_it_goes(roaming, monkeypatch):
    nested = roaming.repository("project/nested")
    monkeypatch.setenv("CLAUDE_PROJECT_DIR", str(roaming.home))
    assert client.project_of_session(str(nested)) == str(roaming.home)
    monkeypatch.setenv("CLAUDE_PROJECT_DIR", "relative")
    assert client.project_of_session(str(nested)) == str(nested)


def test_a_project_that_the_gate_was_taken_out_of_is_no_home_any_more(roaming):
    roaming.send("SessionStart", roaming.home, started=roaming.home)
    other = roaming.repository("other", "version: 1\n")
    roaming.send("SessionStart", other, session="other", started=other)
    open_home_projects(roaming.state).forget(roaming.home)
    homes = open_home_projects(roaming.state)
    assert (homes.of("s"), homes.of("other")) == (None, other)


def test_a_home_is_forgotten_after_a_month(roaming):
    homes = open_home_projects(roaming.state)
    homes.keep("old", roaming.home)
    (file,) = (roaming.state / "sessions").iterdir()
    long_ago = time.time() - 40 * 86400
    os.utime(file, (long_ago, long_ago))
    homes.keep("new", roaming.home)
    assert open_home_projects(roaming.state).of("old") is None
    assert open_home_projects(roaming.state).of("new") == roaming.home


def test_an_edit_in_a_project_that_is_a_home_folder_is_asked_of_its_place(roaming, monkeypatch):
    monkeypatch.setenv("HOME", str(roaming.home))
    roaming.send("SessionStart", roaming.home, started=roaming.home)
    assert roaming.write(roaming.home / ".config" / "gh" / "hosts.yml", "a: 1\n").status == 2
    assert roaming.write(roaming.home / "a.py", WIDE).status == 0


@pytest.mark.parametrize("place", [".", "state", "state/projects"])
def test_what_the_gate_itself_writes_is_not_held_against_a_session_beside_its_folder(roaming, place):
    folder = roaming.folder / place
    roaming.send("SessionStart", roaming.home, source="startup")
    roaming.bash("make", folder)
    call = {"tool_name": "Bash", "tool_input": {"command": "make"}, "tool_response": {"stdout": ""}}
    assert not roaming.send("PostToolUse", folder, **call).stdout
    assert not roaming.send("Stop", folder).stdout


def test_a_secret_beside_the_gates_own_folder_is_found(roaming):
    roaming.send("SessionStart", roaming.home, source="startup")
    roaming.bash("make", roaming.folder)
    (roaming.folder / "notes.txt").write_text(f"token = {TOKEN}\n")
    assert b"block" in roaming.send("Stop", roaming.folder).stdout
