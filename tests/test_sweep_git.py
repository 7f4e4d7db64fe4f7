"""What git does to a tree behind the gate's back: what a command commits is found, what git brings is not blamed."""

from __future__ import annotations

import os
import subprocess
import time

import pytest

from fixtures import BAD, GOOD, Session, branches, wait_for_tick

TEST = "from src.a import fine\n\n\ndef test_one():\n    assert fine(1) == 1\n"
DEBT = branches("owed", 14)
# Git counts in whole seconds: what was committed in the one in which a session began counts as from before.
LATER = f"@{int(time.time()) + 3600} +0000"
IDENTITY = {f"GIT_{who}_{what}": "t@example.org" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}


@pytest.fixture(params=[True, False], ids=["watched", "scanned"])
def session(request, tmp_path):
    session = Session(tmp_path)
    session.app.stays = request.param
    session.put("src/a.py", GOOD)
    session.put("old/debt.py", DEBT)
    session.put("tests/test_a.py", TEST)
    session.commit()
    yield session
    session.app.project(session.root).tree.close()


def git(session, script):
    """As a person would, before the session."""
    _run(session, script, {})


def begin(session):
    session.send("SessionStart", source="startup")
    wait_for_tick()


def shell(session, command):
    _run(session, command, {"GIT_COMMITTER_DATE": LATER})
    _, said = session.send("PostToolUse", tool_name="Bash", tool_input={"command": command})
    return (said or {}).get("hookSpecificOutput", {}).get("additionalContext", "")


def _run(session, script, more):
    environment = {"PATH": os.environ["PATH"], "HOME": os.environ["HOME"], "GIT_EDITOR": "true", **IDENTITY, **more}
    subprocess.run(["sh", "-c", script], cwd=session.root, check=False, env=environment, capture_output=True)


def heredoc(path, text, how=">"):
    return f"cat {how} {path} <<'EOF'\n{text}EOF\n"


@pytest.mark.parametrize(
    ("command", "rule"),
    [
        (heredoc("src/new.py", BAD) + "git add -A && git commit -qm x", "complexity/cyclomatic"),
        (heredoc("src/a.py", BAD, ">>") + "git commit -qam x", "complexity/cyclomatic"),
        (heredoc("src/a.py", BAD, ">>") + "git commit -qa --amend -m x", "complexity/cyclomatic"),
        ("git rm -q tests/test_a.py && git commit -qm x", "weakened-test/removed-test"),
    ],
    ids=["a new file", "a changed file", "an amended commit", "a deleted test"],
)
def test_what_a_command_writes_and_commits_in_one_go_is_found(session, command, rule):
    begin(session)
    assert rule in shell(session, command)
    assert rule in session.stop_reason()
    shell(session, "touch src/*.py")
    # A removed test is for a person to settle: it holds once.
    assert (rule in session.stop_reason()) is (rule != "weakened-test/removed-test")


THEIRS = (
    "git checkout -q -b theirs; " + heredoc("src/b.py", BAD) + heredoc("src/a.py", DEBT, ">>") + "git add -A; "
    "git commit -qm theirs; git checkout -q -; sed -i '1i # mine' src/a.py; echo '# mine' >> tests/test_a.py; "
    "git commit -qam mine; "
)
HOOKS = (
    "mkdir .husky; echo npm test > .husky/pre-commit; git add -A; git commit -qm x; git checkout -q -b theirs; "
    "echo npm run all > .husky/pre-commit; git commit -qam theirs; git checkout -q -"
)
CONFLICT = "git checkout -q theirs; echo '# theirs' >> tests/test_a.py; git commit -qam more; git checkout -q -"


@pytest.mark.parametrize(
    ("before", "command"),
    [
        (THEIRS, "git checkout -q theirs"),
        (THEIRS, "git merge -q --no-edit theirs"),
        (THEIRS, "git rebase -q theirs"),
        (THEIRS + CONFLICT, "git merge -q theirs; git checkout -q --ours tests/test_a.py"),
        ("", "mv old new"),
        ("", "git mv old new"),
        ("", "git worktree add -q .trees/x -b x; sed -i 's/a += 3/a += 5/' .trees/x/old/debt.py"),
        ("", "git clone -q . inner; sed -i 's/a += 3/a += 5/' inner/old/debt.py"),
        (HOOKS, "git checkout -q theirs"),
        ("", "mkfifo pipe.txt; ln -s .. up; ln -s nowhere gone.py"),
    ],
    ids=[
        "another branch",
        "a merge",
        "a rebase",
        "a merge that is not done yet",
        "a folder that moved",
        "a folder that git moved",
        "a work tree inside",
        "a clone inside",
        "hooks of another branch",
        "what is no file",
    ],
)
def test_what_git_brings_is_not_the_session_s(session, before, command):
    git(session, before)
    begin(session)
    assert shell(session, command) == ""
    assert session.stop_reason() == ""


def test_what_is_edited_on_another_branch_starts_from_there(session):
    git(session, THEIRS)
    begin(session)
    session.edit("src/a.py", "return a", "return (a)")
    shell(session, "git checkout -q theirs")
    assert session.edit("src/a.py", "return a\ndef", "return (a)\ndef")[1] is None
    assert session.write("src/a.py", GOOD + DEBT + branches("new", 12))[1] == "deny"


def test_a_branch_with_many_files_is_nothing_to_tell(session):
    git(session, "git checkout -q -b many; seq 500 | xargs -I@ sh -c 'echo x = @ > src/m@.py'; git add -A; "
                 "git commit -qm many; git checkout -q -")  # fmt: skip
    begin(session)
    assert shell(session, "git checkout -q many") == ""


def test_of_many_files_that_changed_none_is_forgotten(session):
    git(session, "seq 100 550 | xargs -I@ sh -c 'echo x = @ > src/m@.py'; git add -A; git commit -qm many")
    begin(session)
    told = shell(session, "sed -i 's/x/y/' src/m*.py; " + heredoc("src/m550.py", BAD))
    assert "more than 400 files changed at once" in told
    assert "src/m550.py" in session.stop_reason()
