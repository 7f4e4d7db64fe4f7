"""What a session committed on other branches is searched when its turn ends: once, and only where something moved."""

from __future__ import annotations

import os
import shutil
import subprocess

import pytest

from fixtures import GOOD, Session, wait_for_tick
from secret_samples import chance
from vetgate.respond import landing, session_commits
from vetgate.source.text import LARGEST

TOKEN = "ghp_" + chance(36)
_LEAVES_A_KEY_BEHIND = f"""git checkout -q -b z; echo 'k = {TOKEN}' > k.txt; git add -A; git commit -qm x
git checkout -q main; git branch -qD z"""
# Asked for this search alone.
_SEARCH = "for-each-ref"


@pytest.fixture
def session(tmp_path, monkeypatch):
    session = Session(tmp_path)
    session.put("src/a.py", GOOD)
    session.commit()
    _git(session, "git branch -M main")
    bin_ = tmp_path.parent / f"{tmp_path.name}-bin"
    bin_.mkdir()
    (bin_ / "git").write_text(f'#!/bin/sh\necho "$*" >> {bin_}/asked\nexec {shutil.which("git")} "$@"\n')
    (bin_ / "git").chmod(0o755)
    wait_for_tick()
    session.send("SessionStart", source="startup")
    wait_for_tick()
    monkeypatch.setenv("PATH", f"{bin_}:{os.environ['PATH']}")
    session.asked = bin_ / "asked"
    return session


def _git(session, script):
    who = {f"GIT_{who}_{what}": "t@example.org" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    environment = {"PATH": os.environ["PATH"], "HOME": os.environ["HOME"], **who}
    subprocess.run(["sh", "-c", script], cwd=session.root, check=True, env=environment, capture_output=True)


def _stop(session):
    """Whether it held, and how often git was asked for the search."""
    session.asked.unlink(missing_ok=True)
    _, said = session.send("Stop", stop_hook_active=False)
    asked = session.asked.read_text() if session.asked.exists() else ""
    return (said or {}).get("decision") == "block", asked.count(_SEARCH)


def test_a_turn_in_which_nothing_moved_asks_git_for_nothing(session):
    assert _stop(session) == (False, 0)


def test_the_same_commits_are_searched_once(session):
    _git(session, "git commit -q --allow-empty -m x")
    assert [_stop(session), _stop(session)] == [(False, 1), (False, 0)]


def test_a_secret_on_a_branch_that_is_gone_holds_the_turn_once(session):
    _git(session, _LEAVES_A_KEY_BEHIND)
    assert [_stop(session)[0], _stop(session)[0]] == [True, False]


def test_a_later_commit_does_not_hold_for_the_same_again(session):
    _git(session, _LEAVES_A_KEY_BEHIND)
    assert _stop(session)[0]
    _git(session, "git commit -q --allow-empty -m y")
    assert _stop(session) == (False, 1)


def test_what_is_too_large_for_a_commit_to_be_searched_does_not_hold_where_time_is_short(session, monkeypatch):
    monkeypatch.setattr(session_commits, "_SHARE_OF_LARGE", 0.0)
    searched, search = [], landing.Search._is_suspect

    def is_suspect(self, each, *about):
        searched.append(each.path)
        return search(self, each, *about)

    monkeypatch.setattr(landing.Search, "_is_suspect", is_suspect)
    _git(session, f"head -c {LARGEST + 1} /dev/zero > intro.mp4; git add -A; git commit -qm video")
    assert not _stop(session)[0]
    assert searched
    assert "intro.mp4" not in searched
