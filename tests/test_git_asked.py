"""How often git is asked while a session goes on, and that what it was not asked about is found all the same."""

from __future__ import annotations

import os
import random
import shutil
import string
import subprocess
import sys
from pathlib import Path

import pytest

from fixtures import GOOD, Session, wait_for, wait_for_tick

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the kernel keeps no list")

GIT = shutil.which("git")
KEPT = "export const one = 1;\n"
LONG = "function long() {\n" + "".join(f"  const a{number} = {number};\n" for number in range(80)) + "}\n"


@pytest.fixture
def session(tmp_path, monkeypatch):
    """With a git that writes down what it is asked, and folders that nobody lints: git's own, ignored, and half so."""
    session = Session(tmp_path)
    session.app.stays = True
    session.put("src/a.py", GOOD)
    session.put("src/long.ts", LONG)
    session.put("vendor/kept.js", KEPT)
    session.put("dist/kept.js", KEPT)
    session.commit()
    session.put(".gitignore", "dist/\nbuild/\nsrc/build/\n")
    session.put("build/made.js", KEPT)
    session.commit()
    programs = tmp_path / "programs"
    programs.mkdir()
    session.asked = tmp_path / "asked"
    (programs / "git").write_text(f'#!/bin/sh\necho "$*" >> {session.asked}\nexec {GIT} "$@"\n')
    (programs / "git").chmod(0o755)
    monkeypatch.setenv("PATH", f"{programs}:{os.environ['PATH']}")
    session.send("SessionStart", source="startup")
    wait_for_tick()
    end_turn(session)
    yield session
    session.app.project(session.root).tree.close()


def secret():
    chance = random.SystemRandom()
    return "AKIA" + "".join(chance.choice(string.ascii_uppercase + "234567") for _ in range(16))


def end_turn(session):
    return (session.send("Stop", stop_hook_active=False)[1] or {}).get("reason", "")


def assert_settles(session):
    """What has just changed may be asked about; after that a command and the end of a turn start no git."""

    def is_quiet():
        wait_for_tick()
        session.asked.write_text("")
        session.send("PostToolUse", tool_name="Bash", tool_input={"command": "true"})
        end_turn(session)
        return session.asked.read_text() == ""

    wait_for(is_quiet, what="git is asked at every turn")


def shell(session, command):
    environment = {"PATH": f"{Path(GIT).parent}:/usr/bin:/bin", "HOME": os.environ["HOME"]}
    subprocess.run(["sh", "-c", command], cwd=session.root, check=True, env=environment, capture_output=True)


def test_a_turn_that_edits_files_starts_no_git(session):
    session.asked.write_text("")
    file = session.root / "src/a.py"
    old, new = "return", "return 1 +"
    session.edit("src/a.py", old, new)
    file.write_text(file.read_text().replace(old, new, 1))
    session.tool("Edit", event="PostToolUse", file_path=str(file), old_string=old, new_string=new)
    assert_settles(session)


def test_a_long_function_that_grows_starts_no_git(session):
    session.asked.write_text("")
    session.edit("src/long.ts", "  const a0 = 0;", "  const a0 = 0;\n" + "  b();\n" * 5)
    assert session.asked.read_text() == ""


@pytest.mark.parametrize(
    ("command", "path"),
    [
        ("cp {} vendor/kept.js", "vendor/kept.js"),
        ("mkdir -p vendor/deep && cp {} vendor/deep/new.js", "vendor/deep/new.js"),
        ("mkdir -p src/vendor && cp {} src/vendor/new.js", "src/vendor/new.js"),
        ("cp {} dist/kept.js", "dist/kept.js"),
        ("cp {} dist/new.js && git add -f dist/new.js", "dist/new.js"),
        ("cp {} build/new.js && echo dist/ > .gitignore", "build/new.js"),
        ("mkdir src/build && cp {} src/build/new.js && echo dist/ > .gitignore", "src/build/new.js"),
        ("cp {} build/new.js && printf '!build/\\n' > build/../.gitignore", "build/new.js"),
    ],
    ids=[
        "a file that git keeps where nobody lints",
        "a new file there",
        "in a new folder of that kind",
        "a file that git keeps in an ignored folder",
        "a file that git was made to take in",
        "a rule that is gone",
        "a new folder and a rule that is gone",
        "a rule that is taken back",
    ],
)
def test_what_changes_where_nobody_lints_is_found_when_the_turn_ends(session, command, path):
    source = session.root.parent / "new.js"
    source.write_text(f'export const key = "{secret()}";\n')
    shell(session, command.format(source))
    wait_for_tick()
    assert path in end_turn(session)


def test_what_is_ignored_holds_up_no_turn(session):
    shell(session, f"echo 'export const key = \"{secret()}\";' > build/made.js")
    wait_for_tick()
    assert end_turn(session) == ""


def test_a_commit_of_the_session_is_looked_up_once(session):
    shell(session, "echo 'x = 1' > src/b.py && git add -A && git -c user.name=t -c user.email=t@t commit -qm x")
    wait_for_tick()
    assert_settles(session)


def test_the_first_command_of_a_session_starts_no_git_where_a_file_was_only_touched(session):
    file = session.root / "vendor/kept.js"
    file.write_text(file.read_text())
    wait_for_tick()
    session.id = "another"
    session.send("SessionStart", source="startup")
    session.asked.write_text("")
    session.send("PostToolUse", tool_name="Bash", tool_input={"command": "true"})
    assert "diff" not in session.asked.read_text()
