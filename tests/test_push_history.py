"""What a push is compared with when the remote does not say what it has, and that nothing is searched twice."""

from __future__ import annotations

import socket

import pytest

from fixtures import GOOD
from secret_samples import chance
from vetgate.service.git_hooks import HookSurface, answer_hook
from vetgate.source import git_outgoing
from vetgate.source.git_remote import refs_of

NOTHING = "0" * 40
TOKEN = "gh" + "p_" + chance(36)
# Nobody listens there.
SILENT = "http://127.0.0.1:1/x.git"


@pytest.fixture
def pushed(session):
    """The hook's answer to a push of HEAD: its status, what it said, and how many objects it had searched so far."""
    session.configure()

    def push(address: str, remote: str = "origin"):
        said, counts = [], []
        lines = f"refs/heads/main {session.git('rev-parse', 'HEAD')} refs/heads/main {NOTHING}\n"
        surface = HookSurface(
            lambda: lines,
            said.append,
            lambda run: " ".join(each.check for each in run.verdict.findings),
            lambda *_: None,
            counts.append,
        )
        status = answer_hook("git", ["pre-push", remote, address], session.root, session.state, surface)
        return status, "".join(said), counts

    return push


@pytest.fixture
def read(monkeypatch):
    """The names of all objects that were read."""
    names: list[str] = []
    whole = git_outgoing._read

    def noted(reader, wanted):
        names.extend(name for name, _ in wanted)
        return whole(reader, wanted)

    monkeypatch.setattr(git_outgoing, "_read", noted)
    return names


def test_what_was_searched_is_not_read_again_for_another_remote(session, pushed, read, tmp_path):
    for name in ("one", "two"):
        session.git("init", "-q", "--bare", str(tmp_path / f"{name}.git"))
    for number in range(5):
        session.put(f"f{number}.py", f"{GOOD}# {number}\n")
        session.commit(f"c{number}")
    assert pushed(str(tmp_path / "one.git"))[0] == 0
    first = list(read)
    assert session.git("rev-parse", "HEAD:f4.py") in first
    assert len(first) == len(set(first))
    read.clear()
    status, _, counts = pushed(str(tmp_path / "two.git"), "other")
    assert status == 0
    assert not read
    assert counts[-1] >= len(first)


def test_one_new_file_is_all_that_is_read_of_a_long_history(session, pushed, read):
    session.put("a.py", GOOD)
    session.commit()
    assert pushed(SILENT)[0] == 0
    read.clear()
    session.put("b.py", f"{GOOD}\n")
    session.commit()
    assert pushed(SILENT)[0] == 0
    assert session.git("rev-parse", "HEAD:b.py") in read
    assert session.git("rev-parse", "HEAD:a.py") not in read


def test_a_remote_that_does_not_answer_has_what_was_pushed_before(session, pushed):
    session.put("a.txt", "a\n")
    session.commit()
    assert pushed(SILENT)[0] == 0
    session.put("k.env", f"T={TOKEN}\n")
    session.git("add", "-f", "k.env")
    session.commit()
    session.git("rm", "-q", "k.env")
    session.commit()
    # A script says that the remote has all of it.
    session.git("update-ref", "refs/remotes/origin/main", "HEAD")
    status, said, _ = pushed(SILENT)
    assert status != 0
    assert said.startswith("secrets")


def test_a_remote_that_takes_its_time_is_not_waited_for(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as server:  # which accepts, and never says a word
        address = f"http://127.0.0.1:{server.getsockname()[1]}/x.git"
        assert refs_of(address, tmp_path, seconds=0.5) is None
