"""What stood there before a session is the person's; and how often the end of a turn is held back."""

from __future__ import annotations

import json
import os
import shutil
import subprocess

import pytest

from fixtures import BAD, GOOD, Session, branches, wait_for_tick
from vetgate.project import Project

TEST = "from src.a import fine\n\n\ndef test_one():\n    assert fine(1) == 1\n"
# Written the other way round, so that nobody takes this file for one that holds it.
PASSWORD = "13Pzl-Qkd92-kX"[::-1].replace("-", "")
ADDRESS = f"DATABASE_URL=postgres://app:{PASSWORD}@db.internal/prod\n"


@pytest.fixture(params=[True, False], ids=["watched", "scanned"])
def session(request, tmp_path):
    session = Session(tmp_path)
    session.app.stays = request.param
    session.put("src/a.py", GOOD)
    session.put("src/debt.py", branches("owed", 14))
    session.put("tests/test_a.py", TEST)
    session.put(".gitignore", ".env\n")
    session.commit()
    yield session
    session.app.project(session.root).tree.close()


def begin(session):
    wait_for_tick()
    session.send("SessionStart", source="startup")
    wait_for_tick()


def shell(session, command):
    subprocess.run(["sh", "-c", command], cwd=session.root, check=False, env={"PATH": os.environ["PATH"]})
    _, said = session.send("PostToolUse", tool_name="Bash", tool_input={"command": command})
    return (said or {}).get("hookSpecificOutput", {}).get("additionalContext", "")


def test_a_test_that_a_person_deleted_is_not_the_session_s(session):
    (session.root / "tests/test_a.py").unlink()
    begin(session)
    assert shell(session, "true") == ""
    assert session.stop() == {}


def test_what_a_person_keeps_in_an_ignored_file_is_theirs(session):
    session.put(".env", ADDRESS)
    begin(session)
    assert shell(session, "echo DEBUG=1 >> .env") == ""
    assert "secrets/" in shell(session, f"echo OTHER_{ADDRESS.strip().replace('app', 'root')} >> .env")


@pytest.mark.parametrize("git", ["", "git init -q", "git init -q && git add -A"], ids=["no git", "no commit", "staged"])
def test_without_a_commit_what_stood_there_is_not_new_either(session, git):
    shutil.rmtree(session.root / ".git")
    subprocess.run(["sh", "-c", git], cwd=session.root, check=True)
    begin(session)
    assert shell(session, "sed -i 's/a += 3/a += 5/' src/debt.py") == ""
    assert "complexity/cyclomatic" in shell(session, f"cat >> src/a.py <<'EOF'\n{BAD}EOF\n")


def test_what_the_first_command_wrote_while_nobody_looked_yet_is_the_session_s(session):
    """It runs before there was time to see what was there."""
    payload = {"session_id": "late", "cwd": str(session.root), "hook_event_name": "PreToolUse", "tool_name": "Bash"}
    call = json.dumps({**payload, "tool_input": {"command": "make"}}).encode()
    session.app.answer("claude-code", call, str(session.root))
    wait_for_tick()
    session.put("src/new.py", BAD)
    session.app.flush()
    session.id = "late"
    assert "complexity/cyclomatic" in shell(session, "true")


@pytest.mark.parametrize(
    "command", ["rm tests/test_a.py", "git rm -q tests/test_a.py", "rm -r tests", "mv tests/test_a.py cases.py"]
)
def test_what_the_first_command_deleted_while_nobody_looked_yet_is_the_session_s(session, command):
    payload = {"session_id": "late", "cwd": str(session.root), "hook_event_name": "PreToolUse", "tool_name": "Bash"}
    call = json.dumps({**payload, "tool_input": {"command": "make"}}).encode()
    session.app.answer("claude-code", call, str(session.root))
    wait_for_tick()
    subprocess.run(["sh", "-c", command], cwd=session.root, check=True)
    session.app.flush()
    session.id = "late"
    assert "weakened-test/removed-test" in shell(session, "true")


def test_what_a_person_deleted_before_is_theirs_also_where_others_change_the_folder(session):
    session.put("tests/test_b.py", TEST)
    session.commit()
    (session.root / "tests/test_a.py").unlink()
    begin(session)
    assert shell(session, "touch tests/data.txt") == ""
    assert session.stop() == {}


def test_the_last_round_is_announced_and_then_a_person_is_told_what_is_open(session):
    begin(session)
    shell(session, f"cat > src/new.py <<'EOF'\n{BAD}EOF\n")
    said = [session.stop().get("reason", "") for _ in range(3)]
    assert ["last time" in each for each in said] == [False, False, True]
    told = session.stop()
    assert "decision" not in told
    assert "complexity/cyclomatic in src/new.py" in told["systemMessage"]


def test_another_process_that_stays_watches_again(session):
    begin(session)
    session.app.project(session.root).tree.close()
    shell(session, "true")
    assert session.app.project(session.root).tree.is_watched == session.app.stays


def test_when_a_session_began_is_asked_once_in_a_call(session, monkeypatch):
    begin(session)
    asked, real = [], Project.start

    def start(project, *about):
        asked.append(about)
        return real(project, *about)

    monkeypatch.setattr(Project, "start", start)
    session.put("src/a.py", f"{GOOD}\n# changed\n")
    session.stop_reason()
    assert len(asked) == 1


def test_a_repository_made_anew_between_two_calls_is_looked_at_anew(session):
    """What was known of a call is not kept for the next one: the session's commit is none of the new repository's."""
    begin(session)
    session.put("src/b.py", BAD)
    session.commit()
    assert "complexity/cyclomatic" in session.stop_reason()
    (session.root / ".git").rename(session.root.parent / "before")
    subprocess.run(["git", "init", "-q"], cwd=session.root, check=True)
    session.commit()
    assert "complexity/cyclomatic" in session.stop_reason()
