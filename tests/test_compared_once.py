"""The past is compared once when a turn ends: each file by one look at what stood there, whoever asks."""

from __future__ import annotations

from collections import Counter

import pytest

from fixtures import GOOD, Session, wait_for_tick
from vetgate.respond import session_diff
from vetgate.source.git_base import BaseCommits

FILES = 30
MORE = "\n\ndef more(b):\n    return b\n"


class Comparisons:
    """How often each file was compared with what it was, and asked of git in each repository."""

    def __init__(self, monkeypatch):
        self.files = Counter()
        self.asked = Counter()
        compare, texts = session_diff._diff, BaseCommits.texts

        def counted(file, was, root):
            self.files[file.path] += 1
            return compare(file, was, root)

        def asked(commits, paths):
            self.asked.update((commits.top, path) for path in paths)
            return texts(commits, paths)

        monkeypatch.setattr(session_diff, "_diff", counted)
        monkeypatch.setattr(BaseCommits, "texts", asked)


@pytest.fixture(params=[True, False], ids=["watched", "scanned"])
def session(request, tmp_path):
    session = Session(tmp_path)
    session.app.stays = request.param
    for number in range(FILES):
        session.put(name_of(number), GOOD.replace("fine", f"fine{number}"))
    session.commit()
    wait_for_tick()  # what changed just before a session begins is looked at as well
    session.start()
    wait_for_tick()
    assert session.stop_reason() == ""
    yield session
    session.app.project(session.root).tree.close()


def name_of(number):
    return f"src/a{number}.py"


def edit_by_hand(session, number):
    text = (session.root / name_of(number)).read_text() + MORE.replace("more", f"more{number}")
    assert session.write(name_of(number), text)[1] is None
    session.edited(name_of(number), text)


def write_behind_the_gate(session, number):
    file = session.root / name_of(number)
    file.write_text(file.read_text() + MORE.replace("more", f"swept{number}"))


def compared_at_the_end(session, monkeypatch):
    wait_for_tick()
    with monkeypatch.context() as patch:
        found = Comparisons(patch)
        assert session.stop_reason() == ""
    assert found.files, "nothing was compared"
    return found


def assert_once(found):
    assert {path: count for path, count in found.files.items() if count > 1} == {}
    assert {path: count for path, count in found.asked.items() if count > 1} == {}


def test_ten_edited_files(session, monkeypatch):
    for number in range(10):
        edit_by_hand(session, number)
    found = compared_at_the_end(session, monkeypatch)
    assert len(found.files) == 10
    assert_once(found)


def test_edited_files_swept_ones_and_what_moved_or_is_gone(session, monkeypatch):
    for number in range(10):
        edit_by_hand(session, number)
    for number in range(5, 20):
        write_behind_the_gate(session, number)
    (session.root / name_of(25)).unlink()
    (session.root / name_of(26)).rename(session.root / "src/moved.py")
    found = compared_at_the_end(session, monkeypatch)
    assert len(found.files) == 23
    assert_once(found)


def test_after_a_command_that_was_looked_at_already(session, monkeypatch):
    for number in range(3):
        write_behind_the_gate(session, number)
    session.ran("make format")
    for number in range(2, 6):
        write_behind_the_gate(session, number)
    assert_once(compared_at_the_end(session, monkeypatch))


def test_files_that_a_merge_brought_along(session, monkeypatch):
    session.git("switch", "-q", "-c", "other", "HEAD")
    for number in range(4):
        write_behind_the_gate(session, number)
    session.commit()
    session.git("switch", "-q", "-")
    session.git("merge", "-q", "other")
    edit_by_hand(session, 2)
    assert_once(compared_at_the_end(session, monkeypatch))


def test_a_repository_inside_is_asked_for_its_own_files(session, monkeypatch):
    session.git("clone", "-q", str(session.root), str(session.root / "inner"))
    inner = session.root / "inner" / name_of(1)
    inner.write_text(GOOD.replace("fine", "inside"))
    edit_by_hand(session, 1)
    found = compared_at_the_end(session, monkeypatch)
    assert {top for top, _ in found.asked} == {session.root, session.root / "inner"}
    assert_once(found)
