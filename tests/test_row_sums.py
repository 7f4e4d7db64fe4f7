"""What is remembered of a session, changed by others: it shows at once, to the next process, until a person knows."""

from __future__ import annotations

import contextlib
import sqlite3
import time

import pytest

from vetgate.store import RECENT, Attempt, Hand, Seen, SessionMark, open_project_store
from vetgate.store.records import StartFiles
from vetgate.store.row_sums import SUMMED
from vetgate.store.schema import MIGRATIONS, SUMMED_SINCE

ANN = Hand("ann", "pts/7")
CHANGED = "was changed by a program other than vetgate"
SESSION = "what is remembered of session s "
# Sealed one by one, or of no session, or worth nothing without a code that is made with our key.
SEALED = {"first_tree", "job", "model_call", "decision", "pending_grant", "row_sum"}


@pytest.fixture
def place(tmp_path):
    project = tmp_path / "project"
    project.mkdir()
    return tmp_path / "state", project


def full(place):
    """A row in each of the tables."""
    store = open_project_store(*place)
    root = place[1]
    store.begin("s", root, 5)
    store.visit("s", root)
    store.see("s", "/p/a.py", Seen("c", (), "1"))
    store.see("s", "/p/a.py", Seen("c", (), "2"))
    store.mark("s", "/p/a.py", SessionMark.EDITED)
    store.mark("s", "/p/a.py", SessionMark.SWEPT)
    store.unmark("s", "/p/a.py", SessionMark.SWEPT)
    store.hold("s", "why")
    store.guard("s", {"/p/x": ("kind", {"a": 1})})
    store.attempt("s", [Attempt("a.py", "x", "y", "z", "block", time.time())])
    store.ask("s", "call", "ask")
    store.set_task("s", "do it")
    store.set_tips("s", "/p/.git", ["a1", "b2"])
    store.set_start_files("s", root, StartFiles(frozenset({"a"}), frozenset({1})))
    store.add_remote_tips([("origin", "a1")])
    store.mark("other", "/p/a.py", SessionMark.EDITED)
    return store


def run(store, *statements):
    with contextlib.closing(sqlite3.connect(store.file)) as other:
        for statement in statements:
            other.execute(statement)
        other.commit()


def said(store, session="s"):
    return store.session_troubles(session, RECENT)[0]


def test_every_table_of_sessions_is_summed_or_sealed(place):
    with contextlib.closing(sqlite3.connect(full(place).file)) as other:
        names = [name for (name,) in other.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        of_sessions = {
            name for name in names if any(row[1] == "session" for row in other.execute(f"PRAGMA table_info({name})"))
        }
        assert of_sessions - SEALED == set(SUMMED)
        assert all(other.execute(f"SELECT 1 FROM {name} WHERE session = 's'").fetchone() for name in SUMMED)


def test_what_our_own_processes_write_is_no_change(place):
    one = full(place)
    assert said(one) == ""
    two = open_project_store(*place)
    two.unmark("s", "/p/a.py", SessionMark.EDITED)
    two.see("s", "/p/b.py", Seen("c", ()))
    two.forget_attempts(time.time() + 5)
    assert (said(one), said(two)) == ("", "")
    one.let_go("s")
    one.verify_sessions()
    two.verify_sessions()
    assert (one.broken(), two.broken()) == ("", "")


@pytest.mark.parametrize("fresh", [False, True], ids=["seen by whoever has it open", "by the next process"])
@pytest.mark.parametrize("statement", ["DELETE FROM {}", "UPDATE {} SET time = time + 1"])
@pytest.mark.parametrize("table", SUMMED)
def test_a_row_that_somebody_touched_shows(place, table, statement, fresh):
    store = full(place)
    assert said(store) == ""
    run(store, statement.format(table))
    store = open_project_store(*place) if fresh else store
    assert SESSION + CHANGED in said(store)
    assert CHANGED in store.tampered()
    assert said(store).count("row ") == 1, "it is on record once"


@pytest.mark.parametrize(
    "statement",
    [
        "INSERT INTO mark VALUES ('s', '', 'said', 'x', 1e12)",
        "INSERT INTO seen VALUES ('s', '/p/z.py', 'c', '[[\"security/x\", \"\", \"\", null]]', '', '', 1e12)",
        "DELETE FROM row_sum",
        "UPDATE row_sum SET value = '0'",
        "UPDATE row_sum SET time = 0.0, writes = 0",
        "CREATE TRIGGER x AFTER INSERT ON mark BEGIN DELETE FROM seen; END",
        "CREATE VIEW x AS SELECT 1",
    ],
)
def test_a_forged_row_sum_or_trigger_shows(place, statement):
    store = full(place)
    run(store, statement)
    assert CHANGED in said(store)
    store.mark("s", "/p/c.py", SessionMark.EDITED)
    assert store.seen("s", "/p/a.py"), "no trigger of others stays"


def test_all_of_a_session_put_back_as_it_was_shows_to_whoever_saw_more(place):
    store = full(place)
    names = (*SUMMED, "row_sum")
    run(store, *(f"CREATE TABLE kept_{name} AS SELECT * FROM {name}" for name in names))
    store.mark("s", "/p/owed.py", SessionMark.OWED)
    assert said(store) == ""
    back = [(f"DELETE FROM {name}", f"INSERT INTO {name} SELECT * FROM kept_{name}") for name in names]
    run(store, *(statement for pair in back for statement in pair))
    assert CHANGED in said(store)


def test_another_session_is_not_told_until_a_person_asks_and_trust_ends_it(place):
    store = full(place)
    run(store, "DELETE FROM seen")
    assert said(store, "other") == ""
    store.verify_sessions()
    assert CHANGED in store.broken()
    store.set_trusted("abc", "version: 1\n", ANN)
    store.verify_sessions()
    assert (store.problem, store.broken()) == ("", "")


def test_objects_of_a_remote_that_somebody_named_show(place):
    store = full(place)
    run(store, "INSERT INTO remote_tip VALUES ('origin', 'c3', 1.0)")
    assert "the project's remotes " + CHANGED in said(store)


def test_objects_that_somebody_calls_searched_are_not(place):
    store = full(place)
    name = bytes(16)
    with contextlib.closing(sqlite3.connect(store.file)) as other:
        other.execute("INSERT INTO searched VALUES (?)", (name,))
        other.commit()
    assert store.searched([name]) == set()
    store.add_searched([name])
    assert store.searched([name]) == {name}


def test_what_an_earlier_version_left_counts(place):
    store = full(place)
    store.close()
    with contextlib.closing(sqlite3.connect(store.file)) as other:
        other.execute("DROP TABLE row_sum")
        for statements in MIGRATIONS[SUMMED_SINCE:]:
            assert not statements, "undo here what later versions add"
        other.execute(f"PRAGMA user_version = {SUMMED_SINCE - 1}")
        other.commit()
    store = open_project_store(*place)
    assert said(store) == ""
    run(store, "DELETE FROM mark WHERE session = 's'")
    assert CHANGED in said(store)
