"""The gate's own program, and what decides about git's hooks, between the start of a session and the end of a turn."""

from __future__ import annotations

import json
import os
import subprocess

import pytest

from fixtures import GOOD, Clone, Session
from vetgate.checks.protected_file.facts import facts_of, weaker
from vetgate.respond.protected_files import digest_of
from vetgate.source.protected import Protected, ProtectedKind


@pytest.fixture
def session(tmp_path, monkeypatch):
    """With a program of its own, so that nobody has to touch the one that runs."""
    program = tmp_path / "site-packages" / "vetgate"
    (program / "checks").mkdir(parents=True)
    (program / "app.py").write_text("x = 1\n")
    (program / "checks" / "a.py").write_text("y = 1\n")
    monkeypatch.setattr("vetgate.app.__file__", str(program / "app.py"))
    session = Session(tmp_path)
    session.program = program
    session.put("src/a.py", GOOD)
    session.commit()
    session.send("SessionStart", source="startup")
    return session


@pytest.mark.parametrize(
    "change",
    [
        lambda program: (program / "checks" / "a.py").write_text("y = 2\n"),
        lambda program: (program / "checks" / "a.py").unlink(),
        lambda program: (program / "checks" / "new.py").write_text(""),
    ],
    ids=["changed", "gone", "new"],
)
def test_a_replaced_program_holds_the_turn_and_says_how_to_go_on(session, change):
    assert session.stop_reason() == ""
    change(session.program)
    said = session.stop_reason()
    assert "protected-file/gate" in said
    assert "it is not what it was when the session began (vetgate " in said
    assert "new session" in said


def test_a_forged_time_hides_nothing(session):
    file = session.program / "app.py"
    before = file.stat()
    file.write_text("x = 2\n")
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert "protected-file/gate" in session.stop_reason()


def test_what_python_runs_before_any_program_counts(session):
    (session.program.parent / "sitecustomize.py").write_text("import os\n")
    assert "protected-file/gate" in session.stop_reason()


def test_a_link_to_another_interpreter_is_another_program(tmp_path):
    for name in ("one", "other"):
        (tmp_path / name).write_text(name)
    link = tmp_path / "python"
    link.symlink_to("one")
    before = digest_of(str(link))
    link.unlink()
    link.symlink_to("other")
    assert digest_of(str(link)) != before


def test_bytecode_and_times_are_no_change(session):
    (session.program / "__pycache__").mkdir()
    (session.program / "__pycache__" / "app.cpython-311.pyc").write_bytes(b"x")
    os.utime(session.program / "app.py")
    assert session.stop_reason() == ""


def test_a_new_session_begins_afresh_after_an_upgrade(session):
    (session.program / "app.py").write_text("x = 2\n")
    assert session.stop_reason()
    session.id = "a-session-that-began-later"
    session.send("SessionStart", source="startup")
    assert session.stop_reason() == ""


def test_what_is_not_there_has_no_digest(tmp_path):
    assert digest_of(str(tmp_path / "none")) == ""


# What counts in git's settings


@pytest.mark.parametrize(
    "line",
    [
        "[core]\n\thooksPath = /tmp",
        "[core] hooksPath=/tmp",
        '[include]\n\tpath = "../x"',
        '[includeIf "gitdir:/x/"]\n\tpath = y',
        "[alias]\n\tci = commit --no-verify",
        "[alias]\n\tci = commit -anm",
        "[alias]\n\tx = !sh -c evil",
        "[alias]\n\tx = -c core.hooksPath=/tmp commit",
        "[core]\n\thooks\\\nPath = /tmp",
    ],
)
@pytest.mark.parametrize("kind", [ProtectedKind.GIT_CONFIG, ProtectedKind.PERSON_GIT_CONFIG])
def test_settings_that_decide_about_hooks(kind, line):
    assert weaker(facts_of(kind, None), facts_of(kind, line))


@pytest.mark.parametrize(
    "line",
    [
        "[user]\n\tname = A",
        "[alias]\n\tst = status",
        "[alias]\n\tlg = log --oneline --graph",
        "[credential]\n\thelper = store",
        '[filter "lfs"]\n\tprocess = git-lfs filter-process\n\tclean = git-lfs clean -- %f',
        '[merge "ours"]\n\tdriver = true',
        "[extensions]\n\tworktreeConfig = true",
        "[core]\n\tsparseCheckout = true",
    ],
)
@pytest.mark.parametrize("kind", [ProtectedKind.GIT_CONFIG, ProtectedKind.PERSON_GIT_CONFIG])
def test_settings_that_people_and_git_change_every_day(kind, line):
    assert not weaker(facts_of(kind, None), facts_of(kind, line))


def test_references_come_and_go_but_replacements_show():
    before = facts_of(ProtectedKind.GIT_HISTORY, "# pack-refs with: peeled\nabc refs/heads/main\n^def\n")
    assert not weaker(before, facts_of(ProtectedKind.GIT_HISTORY, "123 refs/heads/main\n456 refs/tags/v1\n"))
    assert weaker(before, facts_of(ProtectedKind.GIT_HISTORY, "abc refs/heads/main\n789 refs/replace/abc\n"))


def test_settings_of_work_trees_and_included_ones_are_among_the_protected(tmp_path):
    root, home = tmp_path / "repo", tmp_path / "home"
    for folder in (root, home):
        folder.mkdir()
    environment = {"HOME": str(home), "PATH": os.environ["PATH"]}
    for words in (["init", "-q"], ["config", "--global", "include.path", "more.ini"]):
        subprocess.run(["git", *words], cwd=root, check=True, env=environment)
    (home / "more.ini").write_text("[user]\n")
    (root / ".git" / "worktrees" / "w").mkdir(parents=True)
    (root / ".git" / "worktrees" / "w" / "config.worktree").write_text("")
    kinds = dict(Protected(root, home).files())
    assert kinds[home / "more.ini"] is ProtectedKind.PERSON_GIT_CONFIG
    assert kinds[root / ".git" / "worktrees" / "w" / "config.worktree"] is ProtectedKind.GIT_CONFIG


# The doctor


def test_the_doctor_says_that_git_shows_other_history(tmp_path):
    clone = Clone(tmp_path).gated()
    clone.put("a.py", GOOD)
    clone.git("add", "-A")
    clone.git("commit", "-qm", "one")
    clone.git("commit", "-qm", "two", "--allow-empty")
    clone.git("replace", "HEAD", "HEAD~1")
    report = json.loads(clone.vetgate("doctor", "--format", "json").stdout)
    told = [each["what"] for each in report["findings"] if each["id"] == "git" and each["status"] == "note"]
    assert any("other history" in what and "refs/replace" in what for what in told)
