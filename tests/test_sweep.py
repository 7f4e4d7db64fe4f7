"""What a command, or a tool nobody knows, changed: the same gates as for an edit, on real trees with real git."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess

import pytest

from fixtures import BAD, GOOD, Session, branches, wait_for_tick
from vetgate.app import App
from vetgate.source.tree import Tree


@pytest.fixture(params=[True, False], ids=["watched", "scanned"])
def session(request, tmp_path):
    session = Session(tmp_path)
    session.app.stays = request.param
    session.put("src/a.py", GOOD)
    session.put("src/debt.py", branches("owed", 14))
    session.put("src/test_a.py", "def test_a():\n    assert True\n")
    session.commit()
    session.send("SessionStart", source="startup")
    wait_for_tick()
    yield session
    session.app.project(session.root).tree.close()


def shell(session, command, event="PostToolUse", **more):
    """A command as the client has it run: asked before, told after; what is told to the agent."""
    session.send("PreToolUse", tool_name="Bash", tool_input={"command": command})
    subprocess.run(["sh", "-c", command], cwd=session.root, check=False, env={"PATH": os.environ["PATH"]})
    _, said = session.send(event, tool_name="Bash", tool_input={"command": command}, **more)
    return (said or {}).get("hookSpecificOutput", {}).get("additionalContext", "")


def heredoc(path, text):
    return f"cat > {path} <<'EOF'\n{text}EOF\n"


ROUTES = {
    "a heredoc": heredoc("src/new.py", BAD),
    "a heredoc over a file": heredoc("src/a.py", BAD),
    "more at the end": f"cat >> src/a.py <<'EOF'\n{BAD}EOF\n",
    "a write that then fails": heredoc("src/new.py", BAD) + "exit 1",
    "a forged time": heredoc("src/new.py", BAD) + "touch -d 2001-01-01 src/new.py",
    "from outside": heredoc("/tmp/vetgate-$$.py", BAD) + "mv /tmp/vetgate-$$.py src/b.py",
    "into a new folder": "mkdir -p x/y && " + heredoc("x/y/new.py", BAD),
    "into an ignored folder": "echo gen > .gitignore; mkdir gen; " + heredoc("gen/new.py", BAD),
    "by an interpreter": f"python3 - <<'EOF'\nopen('src/new.py', 'w').write({BAD!r})\nEOF\n",
}


def test_what_is_written_through_a_second_name_outside_holds_the_end_back(session, tmp_path):
    """The kernel's list knows nothing of it; what is done behind the answer to the command does."""
    second = tmp_path / "second"
    shell(session, f"ln src/a.py {second}")
    wait_for_tick()
    shell(session, f"cat > {second} <<'EOF'\n{BAD}EOF\n")
    assert "complexity/cyclomatic" in session.stop_reason()
    assert "complexity/cyclomatic" in session.stop_reason()


class KilledError(Exception):
    pass


def test_a_process_that_ends_before_it_has_asked_every_file_loses_nothing(session, tmp_path, monkeypatch):
    def killed(tree, since):
        raise KilledError

    second = tmp_path / "second"
    second.hardlink_to(session.root / "src/a.py")
    wait_for_tick(2)
    session.stop_reason()
    wait_for_tick(4)
    session.id = "a session that has not seen the file"
    session.send("SessionStart", source="startup")
    wait_for_tick(2)
    second.write_text(BAD)
    wait_for_tick(4)
    with monkeypatch.context() as patch, contextlib.suppress(KilledError):
        patch.setattr(Tree, "verify", killed)
        session.send("PostToolUse", tool_name="Bash", tool_input={"command": "true"})
    gone = session.app
    gone.project(session.root).tree.close()
    session.app = App(session.state)
    session.app.stays = gone.stays
    wait_for_tick(2)
    assert "complexity/cyclomatic" in session.stop_reason()


def test_what_a_program_in_the_background_writes_through_a_second_name_holds_the_end_back(session, tmp_path):
    second = tmp_path / "second"
    shell(session, f"ln src/a.py {second}")
    shell(session, "true")
    wait_for_tick(2)
    second.write_text(BAD)
    assert "complexity/cyclomatic" in session.stop_reason()


def test_a_folder_that_was_made_elsewhere_holds_the_end_back(session, tmp_path):
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "new.py").write_text(BAD)
    wait_for_tick(2)
    shell(session, "true")
    wait_for_tick(2)
    shell(session, "true")
    assert "complexity/cyclomatic" in shell(session, f"mv {outside} src/inside")
    assert "complexity/cyclomatic" in session.stop_reason()


def test_two_sessions_in_one_tree_are_both_held_back(session):
    first = session.id
    session.id = "session-2"
    session.send("SessionStart", source="startup")
    wait_for_tick(2)
    shell(session, heredoc("src/new.py", BAD))
    assert "complexity/cyclomatic" in session.stop_reason()
    session.id = first
    assert "complexity/cyclomatic" in session.stop_reason()


def test_a_removed_test_holds_one_end_of_a_turn_and_is_then_left_to_the_person(session):
    (session.root / "src/test_a.py").unlink()  # by a program in the background
    held = session.stop()
    assert "weakened-test/removed-test" in held["reason"]
    assert "vetgate allow " in held["systemMessage"]
    assert "vetgate allow " not in held["reason"].replace("vetgate allow\n", "")
    then = session.stop()
    assert "reason" not in then
    assert "weakened-test/removed-test in src/test_a.py" in then["systemMessage"]
    assert "vetgate allow " in then["systemMessage"]


def test_a_removed_test_that_a_person_allowed_is_not_held_again(session):
    (session.root / "src/test_a.py").unlink()
    session.allow(session.answer("Stop"))
    assert session.stop() == {}
    assert session.stop() == {}


@pytest.mark.parametrize("command", ROUTES.values(), ids=ROUTES)
def test_what_a_shell_writes_is_found_and_holds_the_end_back(session, command):
    assert "complexity/cyclomatic" in shell(session, command)
    assert "complexity/cyclomatic" in session.stop_reason()


@pytest.mark.parametrize(
    "command",
    [
        "true",
        heredoc("src/new.py", GOOD),
        "mv src/debt.py src/moved.py",
        "git mv src/debt.py src/moved.py",
        "sed -i s/unknown/other/ src/debt.py",
        "touch src/debt.py",
        "mkdir -p node_modules/x; " + heredoc("node_modules/x/y.py", BAD),
        "git checkout -q -b other && git checkout -q -",
        "printf x > picture.png",
    ],
    ids=[
        "nothing",
        "good code",
        "a move",
        "a move by git",
        "old debt edited",
        "old debt touched",
        "what is excluded",
        "another branch",
        "a picture",
    ],
)
def test_what_is_no_worse_is_not_told(session, command):
    assert shell(session, command) == ""
    assert session.stop_reason() == ""


def test_a_command_that_failed_is_looked_at_too(session):
    told = shell(session, heredoc("src/new.py", BAD) + "exit 1", event="PostToolUseFailure", error="Exit code 1")
    assert "complexity/cyclomatic" in told


def test_a_tool_nobody_knows_is_looked_at(session):
    session.put("src/new.py", BAD)
    _, said = session.send("PostToolUse", tool_name="mcp__x__generate", tool_input={"what": "code"})
    assert "complexity/cyclomatic" in said["hookSpecificOutput"]["additionalContext"]


def test_what_a_person_left_uncommitted_is_not_the_session_s(tmp_path):
    session = Session(tmp_path)
    session.put("src/a.py", GOOD)
    session.commit()
    session.put("src/a.py", BAD)
    session.put("src/untracked.py", BAD)
    session.send("SessionStart", source="startup")
    wait_for_tick()
    assert shell(session, "echo '# more' >> src/a.py; echo '# more' >> src/untracked.py") == ""


def test_it_is_told_once_and_open_until_it_is_fixed(session):
    assert shell(session, heredoc("src/new.py", BAD))
    assert shell(session, "true") == ""
    assert "src/new.py" in session.stop_reason()
    shell(session, heredoc("src/new.py", GOOD))
    assert session.stop_reason() == ""


def test_what_runs_on_in_the_background_is_found_when_the_turn_ends(session):
    shell(session, "true")
    session.put("src/late.py", BAD)
    assert "src/late.py" in session.stop_reason()


def test_an_edit_that_passed_is_not_judged_again(session):
    session.write("src/b.py", GOOD)
    session.put("src/b.py", GOOD)
    session.landed("src/b.py")
    assert shell(session, "true") == ""


def test_files_that_the_client_saw_change_are_looked_at(session):
    session.put("src/new.py", BAD)
    response = {"stdout": "", "bashEditDiff": {"files": [], "changedFiles": [str(session.root / "src/new.py")]}}
    assert "src/new.py" in shell(session, "true", tool_response=response)


def test_the_kept_moment_is_the_session_s_own(session):
    shell(session, heredoc("src/new.py", BAD))
    other = json.dumps({"session_id": "another", "cwd": str(session.root), "hook_event_name": "SessionStart"})
    session.app.answer("claude-code", other.encode(), str(session.root))
    session.app.flush()
    session.id = "another"
    assert session.stop_reason() == ""


OURS = json.dumps({"hooks": {"PreToolUse": [{"hooks": [{"type": "command", "command": "/state/bin/vetgate-hook"}]}]}})


@pytest.fixture
def guarded(tmp_path):
    session = Session(tmp_path)
    session.put("a.py", GOOD)
    session.put(".claude/settings.json", OURS)
    session.commit()
    session.send("SessionStart", source="startup")
    wait_for_tick()
    return session


TAMPERING = {
    "hooks taken out of settings": "echo '{}' > .claude/settings.json",
    "settings deleted": "rm .claude/settings.json",
    "hooks switched off elsewhere": """echo '{"disableAllHooks": true}' > .claude/settings.local.json""",
    "hooks that only keep the name": "sed -i 's#/state/bin/#true #' .claude/settings.json",
    "git's hooks elsewhere": "git config core.hooksPath /dev/null",
    "a new hook": "printf '#!/bin/sh\nexit 0\n' > .git/hooks/pre-commit",
}


@pytest.mark.parametrize("command", TAMPERING.values(), ids=TAMPERING)
def test_what_is_done_to_protected_files_is_told_and_holds_the_end_back(guarded, command):
    assert "protected" in shell(guarded, command)
    assert "protected" in guarded.stop_reason()


@pytest.mark.parametrize(
    "command",
    ["git config user.name x", "git remote add origin /nowhere", "touch .claude/settings.json", "mkdir .claude/agents"],
)
def test_what_leaves_the_gates_alone_is_not_told(guarded, command):
    assert shell(guarded, command) == ""
    assert guarded.stop_reason() == ""


def test_what_was_fixed_is_not_held_against_anybody(guarded):
    assert shell(guarded, "cp .claude/settings.json /tmp/vg-$$; echo '{}' > .claude/settings.json")
    guarded.put(".claude/settings.json", OURS)
    assert guarded.stop_reason() == ""


def test_settings_that_drop_our_hooks_are_not_taken_over(guarded):
    guarded.put(".claude/settings.json", "{}")
    path = str(guarded.root / ".claude/settings.json")
    _, said = guarded.send("ConfigChange", source="project_settings", file_path=path)
    assert said["decision"] == "block"
    guarded.put(".claude/settings.json", OURS.replace('"type"', '"timeout": 9, "type"'))
    assert guarded.send("ConfigChange", source="project_settings", file_path=path)[1] is None


def test_an_edit_of_settings_is_asked_about_or_refused(guarded):
    assert guarded.write(".claude/settings.json", "{}")[1] == "deny"
    reply, decision, _ = guarded.write(".claude/settings.json", OURS + "\n")
    assert decision == "deny"
    guarded.allow(reply)
    assert guarded.write(".claude/settings.json", OURS + "\n")[1] is None
