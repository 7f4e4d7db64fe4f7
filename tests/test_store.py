"""The store against real files: races, damage, disk trouble, tampering."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import stat
import subprocess
import sys
import threading
import time
from types import SimpleNamespace

import pytest

from vetgate.model import Known
from vetgate.respond.session_files import SessionFiles
from vetgate.store import RecordedDecision, Seen, SessionMark, StartFiles, folder_of, open_project_store
from vetgate.store.file import Connection
from vetgate.store.schema import MIGRATIONS

# The step that gave marks of sessions their kinds.
MARKED_SINCE = next(
    number for number, step in enumerate(MIGRATIONS, 1) if any("CREATE TABLE mark" in each for each in step)
)


@pytest.fixture
def project(tmp_path):
    folder = tmp_path / "project"
    folder.mkdir()
    return folder


def opened(tmp_path, project):
    return open_project_store(tmp_path / "state", project)


def anchor_of(tmp_path):
    (found,) = (tmp_path / "state" / "anchors").iterdir()
    return found


def row(number, decision="allow"):
    return RecordedDecision(f"d{number}", 1000.0 + number, "s", "before_edit", {"decision": decision})


def test_only_the_owner_can_read_it(tmp_path, project):
    store = opened(tmp_path, project)
    assert store.problem == ""
    assert stat.S_IMODE(store.file.stat().st_mode) == 0o600
    assert stat.S_IMODE(store.file.parent.stat().st_mode) == 0o700
    assert stat.S_IMODE((tmp_path / "state").stat().st_mode) == 0o700


def test_what_is_trusted_survives_reopening(tmp_path, project):
    store = opened(tmp_path, project)
    assert store.trusted() is None
    store.set_trusted("abc", "version: 1\n")
    store.close()
    assert opened(tmp_path, project).trusted() == ("abc", "version: 1\n")
    assert opened(tmp_path, project).last_good() == "version: 1\n"


def test_what_stood_at_the_start_of_a_session_is_forgotten_with_it(tmp_path, project, monkeypatch):
    store = opened(tmp_path, project)
    files = StartFiles(frozenset({"notes.txt"}), frozenset({7}))
    store.set_start_files("new", project, files)
    then = time.time() - 31 * 86_400
    with monkeypatch.context() as past:
        past.setattr(time, "time", lambda: then)
        store.set_start_files("old", project, files)
    store.close()
    again = opened(tmp_path, project)
    assert again.start_files("new", project) == files
    assert again.start_files("old", project) is None


def test_what_stood_at_the_start_is_read_once_for_all_files(tmp_path, project, monkeypatch):
    store = opened(tmp_path, project)
    (project / "notes.txt").write_text("x")
    store.set_start_files("s", project, StartFiles(frozenset({"notes.txt"}), frozenset()))
    read = store.start_files
    reads = []
    monkeypatch.setattr(store, "start_files", lambda *asked: reads.append(asked) or read(*asked), raising=False)
    call = SimpleNamespace(event=SimpleNamespace(session="s"), project=SimpleNamespace(root=project, store=store))
    files = SessionFiles(call)
    assert [files.is_new(project / name) for name in ("notes.txt", "a.txt", "b.txt")] == [False, True, True]
    assert len(reads) == 1


def test_what_is_forgotten_was_never_trusted(tmp_path, project):
    store = opened(tmp_path, project)
    store.set_trusted("abc", "version: 1\n")
    store.forget_trusted()
    assert store.trusted() is None
    assert store.last_good() is None


def test_a_file_is_remembered_per_session(tmp_path, project):
    store = opened(tmp_path, project)
    seen = Seen("cfg", (Known("complexity/cyclomatic", "f", "e", 12),), "digest", "")
    store.see("one", "/p/a.py", seen)
    assert store.seen("one", "/p/a.py") == seen
    assert store.seen("two", "/p/a.py") is None
    assert list(store.seen_in("one")) == ["/p/a.py"]


def test_a_mark_is_of_a_session_a_path_a_kind_and_a_subject(tmp_path, project):
    store = opened(tmp_path, project)
    for _ in range(2):
        store.mark("one", "a.py", SessionMark.SWEPT, "x")
    assert store.is_marked("one", "a.py", SessionMark.SWEPT, "x")
    for other in (
        ("two", "a.py", SessionMark.SWEPT, "x"),
        ("one", "b.py", SessionMark.SWEPT, "x"),
        ("one", "a.py", SessionMark.SAID, "x"),
        ("one", "a.py", SessionMark.SWEPT, "y"),
        ("one", "a.py", SessionMark.SWEPT),
    ):
        assert not store.is_marked(*other)
    assert store.marked("one", SessionMark.SWEPT, "x") == ("a.py",)
    store.unmark("one", "a.py", SessionMark.SWEPT)
    assert store.marked("one", SessionMark.SWEPT, "x") == ()


WORDS = {
    "owed": (SessionMark.OWED, ""),
    "owed a7": (SessionMark.OWED, "a7"),
    "edited": (SessionMark.EDITED, ""),
    "changed before the session": (SessionMark.THEIRS, ""),
    "taken in": (SessionMark.FORCED, ""),
    "half-written": (SessionMark.HALF_WRITTEN, ""),
    "outside of every project": (SessionMark.OUTSIDE, ""),
    "swept gone": (SessionMark.SWEPT, "gone"),
    "claim 12ab": (SessionMark.CLAIM, "12ab"),
    "asked d1 12ab": (SessionMark.ASKED, "d1 12ab"),
    "gates after_edit 12ab ": (SessionMark.GATES_RAN, "after_edit 12ab "),
    "gates told 12ab": (SessionMark.GATES_TOLD, "12ab"),
    "record held 12ab": (SessionMark.RECORD_HELD, "12ab"),
    "record start 12ab": (SessionMark.RECORD_KNOWN, "12ab"),
    "record said 12ab": (SessionMark.RECORD_TOLD, "12ab"),
    "tampered 12ab 34cd": (SessionMark.TAMPERED, "12ab 34cd"),
    "unchecked larger than 20 MiB": (SessionMark.UNCHECKED, "larger than 20 MiB"),
    "something else": (SessionMark.SAID, "something else"),
    "0123456789abcdef:None": (SessionMark.SAID, "0123456789abcdef:None"),
}


@pytest.fixture
def before_marks(tmp_path, project):
    """A store of the version before."""
    folder = folder_of(tmp_path / "state", project)
    folder.mkdir(mode=0o700, parents=True)
    with contextlib.closing(sqlite3.connect(folder / "store.db", check_same_thread=False)) as old:
        for statement in (each for step in MIGRATIONS[: MARKED_SINCE - 1] for each in step):
            old.execute(statement)
        old.execute(f"PRAGMA user_version = {MARKED_SINCE - 1}")
        old.execute("PRAGMA journal_mode = WAL")
        yield old


def test_who_comes_while_another_takes_the_store_over_waits(tmp_path, project, before_marks):
    before_marks.execute("BEGIN IMMEDIATE")
    ends = threading.Timer(1.5, before_marks.rollback)
    ends.start()
    store = opened(tmp_path, project)
    ends.join()
    assert store.problem == ""
    assert store._one("PRAGMA busy_timeout") == (500,)


def test_what_was_said_before_is_taken_over_without_a_look_at_every_word(before_marks):
    now, steps = time.time(), []
    rows = [("one", "a.py", f"{number:016x}:None", now - number % 2 * 40 * 86400) for number in range(2000)]
    before_marks.executemany("INSERT INTO told VALUES (?, ?, ?, ?)", rows)
    before_marks.set_progress_handler(lambda: steps.append(1), 1000)
    for statement in MIGRATIONS[MARKED_SINCE - 1]:
        before_marks.execute(statement)
    assert before_marks.execute("SELECT count(*), min(kind), max(kind) FROM mark").fetchone() == (1000, "said", "said")
    assert len(steps) < 150


def test_marks_of_the_version_before_are_kept(tmp_path, project, before_marks):
    now = time.time()
    before_marks.execute("INSERT INTO seen VALUES ('one', '/p/a.py', 'cfg', '[]', '', '', ?)", (now,))
    before_marks.executemany("INSERT INTO told VALUES ('one', 'a.py', ?, ?)", [(words, now) for words in WORDS])
    before_marks.commit()
    store = opened(tmp_path, project)
    assert store.problem == ""
    assert list(store.seen_in("one")) == ["/p/a.py"]
    since = {SessionMark.ACKNOWLEDGED, SessionMark.FAILED_MODEL, SessionMark.JUDGED_SO_FAR, SessionMark.NEXT_EVENT}
    since |= {SessionMark.REMOVED_BY_REQUEST, SessionMark.SCHEDULED, SessionMark.REQUESTED}
    since |= {
        SessionMark.LEFT_TOLD,
        SessionMark.LEFT_HELD,
        SessionMark.GIT_SEARCHED,
        SessionMark.PROMPTS,
        SessionMark.ALLOWED,
    }
    assert {kind for kind, _ in WORDS.values()} == set(SessionMark) - since
    for kind, subject in WORDS.values():
        assert store.is_marked("one", "a.py", kind, subject), (kind, subject)


def test_a_decision_is_found_again(tmp_path, project):
    store = opened(tmp_path, project)
    store.record(row(1))
    store.record(row(2, "block"))
    assert store.decision("d2")[0].stored == {"decision": "block"}
    assert store.decision("nope") == []
    assert [each.id for each in store.decisions()] == ["d2", "d1"]


@pytest.mark.parametrize(
    "tamper",
    [
        pytest.param('UPDATE decision SET body = \'{"decision":"allow"}\' WHERE seq = 2', id="a row is changed"),
        pytest.param("DELETE FROM decision WHERE seq = 2", id="a row is deleted from the middle"),
        pytest.param("DELETE FROM decision WHERE seq = 3", id="the tail is cut off"),
        pytest.param("DELETE FROM decision", id="everything is deleted"),
    ],
)
def test_tampering_with_decisions_shows(tmp_path, project, tamper):
    store = opened(tmp_path, project)
    for number in (1, 2, 3):
        store.record(row(number, "block"))
    assert not store.broken()
    other = sqlite3.connect(store.file)
    other.execute(tamper)
    other.commit()
    other.close()
    assert store.broken()


@pytest.mark.parametrize(
    ("tamper", "said"),
    [
        ("DELETE FROM decision WHERE seq = 2", "row 2 is gone (between row 1 and row 3"),
        ("DELETE FROM decision WHERE seq IN (2, 3)", "rows 2 to 3 are gone"),
        ("UPDATE decision SET body = '{}' WHERE seq = 2", "row 2 (d2) is not what was written"),
        ("DELETE FROM decision", "rows 1 to 3 are gone"),
    ],
    ids=["a row is gone", "the tail is cut", "a row is changed", "all are gone"],
)
@pytest.mark.parametrize("later", [False, True], ids=["at once", "after another decision"])
def test_it_is_said_which_row_it_is_and_what_follows_does_not_hide_it(tmp_path, project, tamper, said, later):
    store = opened(tmp_path, project)
    for number in (1, 2, 3):
        store.record(row(number, "block"))
    assert store.broken() == ""
    with contextlib.closing(sqlite3.connect(store.file)) as other:
        other.execute(tamper)
        other.commit()
    if later:
        store.record(row(4))
    assert store.broken().startswith(said)


@pytest.mark.parametrize("content", [b"not a database at all" * 500, b"SQLite format 3\0" + b"\xff" * 4096])
def test_a_damaged_store_is_set_aside_and_said(tmp_path, project, content):
    file = opened(tmp_path, project).file
    for path in file.parent.glob("store.db*"):
        path.unlink(missing_ok=True)
    file.write_bytes(content)
    store = opened(tmp_path, project)
    assert "damaged" in store.problem
    store.record(row(1))
    assert [path.read_bytes() for path in file.parent.glob("store.damaged-*")] == [content]


@pytest.mark.parametrize("kind", ["state is a file", "store is a folder", "written by a newer version"])
def test_a_store_that_cannot_be_opened_still_works_in_memory(tmp_path, project, kind):
    if kind == "state is a file":
        (tmp_path / "state").write_text("")
    else:
        file = opened(tmp_path, project).file
        if kind == "store is a folder":
            for path in file.parent.glob("store.db*"):
                path.unlink(missing_ok=True)
            file.mkdir()
        else:
            other = sqlite3.connect(file)
            other.execute("PRAGMA user_version = 999")
            other.close()
    store = opened(tmp_path, project)
    assert "cannot be used" in store.problem
    store.record(row(1))
    assert store.decision("d1")


def _full(store):
    store._connection.execute("PRAGMA max_page_count = 1")  # the file may not grow: a full disk, as SQLite sees it


def _locked(store):
    other = sqlite3.connect(store.file, isolation_level=None, factory=Connection)
    other.execute("BEGIN IMMEDIATE")
    store.other = other


def _malformed(store):
    store._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    data = bytearray(store.file.read_bytes())
    data[4096:] = b"\xff" * (len(data) - 4096)
    store.file.write_bytes(data)
    store._connection.close()
    store._connection = sqlite3.connect(store.file, isolation_level=None, check_same_thread=False, factory=Connection)


def _closed(store):
    store._connection.close()


@pytest.mark.parametrize("break_it", [_full, _locked, _malformed, _closed], ids=lambda f: f.__name__.strip("_"))
def test_a_store_that_fails_later_loses_memory_and_nothing_else(tmp_path, project, break_it):
    store = opened(tmp_path, project)
    store.set_trusted("abc", "version: 1\n")
    break_it(store)
    for number in range(200):
        store.record(RecordedDecision(f"d{number}", 1.0, "s", "e", {"text": "x" * 1000}))
    store.see("s", "/p/a.py", Seen("c", (Known("a/b", "f", "e", 1),)))
    assert store.decision("d199")
    assert store.seen("s", "/p/a.py") is not None
    if break_it is _malformed:
        assert list(store.file.parent.glob("store.damaged-*"))
        for each in (store, opened(tmp_path, project), opened(tmp_path, project)):
            assert "the store was damaged" in each.problem
            assert each.trusted() is None
            assert each.broken()
    elif break_it is _closed:  # with it goes the journal, so the file is opened anew
        assert not store.problem
        assert store.trusted() == ("abc", "version: 1\n")
    else:
        assert "failed" in store.problem
    if break_it in {_full, _locked}:
        assert store.trusted() == ("abc", "version: 1\n")


def test_a_store_that_a_newer_version_takes_over_meanwhile_is_left_to_it(tmp_path, project):
    store = opened(tmp_path, project)
    with contextlib.closing(sqlite3.connect(store.file)) as newer:
        newer.execute("ALTER TABLE mark RENAME TO session_mark")
        newer.execute(f"PRAGMA user_version = {len(MIGRATIONS) + 1}")
        newer.commit()
    store.mark("s", "a.py", SessionMark.EDITED)
    assert store.is_marked("s", "a.py", SessionMark.EDITED)
    assert "failed" in store.problem
    assert store.file.exists()
    assert not list(store.file.parent.glob("store.damaged-*"))


def test_text_that_no_encoding_knows_is_remembered(tmp_path, project):
    store = opened(tmp_path, project)
    store.see("s\ud800", "/p/\udcff.py", Seen("c", (Known("a/b", "f\ud800", "e", 1),)))
    assert store.seen("s\ud800", "/p/\udcff.py").findings[0].symbol == "f\ud800"
    store.record(RecordedDecision("d1", 1.0, "s\ud800", "e", {"path": "\udcff"}))
    assert store.decision("d1")[0].stored == {"path": "\udcff"}


def test_a_deleted_anchor_shows(tmp_path, project):
    store = opened(tmp_path, project)
    store.record(row(1))
    anchor_of(tmp_path).unlink()
    assert store.broken()
    store.record(row(2))
    assert "the anchor is gone" in opened(tmp_path, project).broken(), "what follows does not hide it"


@pytest.mark.skipif(not hasattr(os, "umask"), reason="no umask here")
def test_nothing_of_it_is_readable_for_others_whatever_the_umask(tmp_path, project):
    before = os.umask(0)
    try:
        store = opened(tmp_path, project)
        store.record(row(1))
    finally:
        os.umask(before)
    assert {stat.S_IMODE(path.stat().st_mode) & 0o077 for path in store.file.parent.iterdir()} == {0}


_WRITER = """
import sys
from pathlib import Path
from vetgate.store import open_project_store, RecordedDecision
store = open_project_store(Path(sys.argv[1]), Path(sys.argv[2]))
assert store.problem == "", store.problem
for n in range(25):
    store.record(RecordedDecision(f"{sys.argv[3]}-{n}", 1.0, "s", "e", {}))
"""


def test_processes_that_start_and_write_at_once_lose_nothing(tmp_path, project):
    writers = [
        subprocess.Popen([sys.executable, "-c", _WRITER, str(tmp_path / "state"), str(project), str(number)])
        for number in range(6)
    ]
    assert [writer.wait() for writer in writers] == [0] * 6
    store = opened(tmp_path, project)
    assert len(store.decisions(1000)) == 150
    assert not store.broken()


_VISITOR = """
import sys
from pathlib import Path
from vetgate.respond.session_files import SessionFiles
from vetgate.store import RecordedDecision, open_project_store
store = open_project_store(Path(sys.argv[1]), Path(sys.argv[2]))
store.record(RecordedDecision("visitor", 2000.0, "s", "commit", {"decision": "allow"}))
store.close()
"""


def test_a_second_work_tree_of_the_daemon_does_not_end_the_locks_of_the_first(tmp_path, project):
    """Both have one store. A git hook that is done with it removed the log of changes that the daemon went on with."""
    first = opened(tmp_path, project)
    first.record(row(1))
    second = opened(tmp_path, project)
    visitor = [sys.executable, "-c", _VISITOR, str(tmp_path / "state"), str(project)]
    for number in (2, 4):
        subprocess.run(visitor, check=True)
        first.record(row(number))
        second.record(row(number + 1))
    subprocess.run(visitor, check=True)
    assert not first.broken()
    assert len(opened(tmp_path, project).decisions(100)) == 8


def test_a_link_in_the_place_of_the_store_is_not_followed(tmp_path, project):
    file = opened(tmp_path, project).file
    for path in file.parent.glob("store.db*"):
        path.unlink(missing_ok=True)
    target = tmp_path / "elsewhere"
    target.write_text("precious")
    file.symlink_to(target)
    assert "cannot be used" in opened(tmp_path, project).problem
    assert target.read_text() == "precious"
