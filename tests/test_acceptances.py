"""What people accepted, in the sealed log: honoured from there alone, used up once, lost aloud."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import sqlite3
import stat
import threading
from datetime import date

import pytest

from vetgate.model import UserError, Waiver
from vetgate.store import Evidence, Hand, RecordedDecision, open_project_store, was_set_up
from vetgate.store.schema import MIGRATIONS, SEALED_SINCE

ANN = Hand("ann", "pts/7")
WAIVER = Waiver("security", "legacy/**", "removed with the old login", "ann", date(2030, 1, 1), 3)


@pytest.fixture
def place(tmp_path):
    project = tmp_path / "project"
    project.mkdir()
    return tmp_path / "state", project


def full(place):
    store = open_project_store(*place)
    store.set_trusted("abc", "version: 1\n", ANN)
    store.waive(WAIVER, ANN)
    store.set_baseline('{"version": 1, "files": {}}', ANN)
    store.grant("code", 1e12, ANN)
    return store


def held(store):
    return store.trusted(), store.waivers(), store.baseline(), dict(store.standing().grants)


ALL = (("abc", "version: 1\n"), (WAIVER,), '{"version": 1, "files": {}}', {"code": 1e12})
NOTHING = (None, (), None, {})


def tamper(store, *statements):
    with contextlib.closing(sqlite3.connect(store.file)) as other:
        for statement in statements:
            other.execute(statement)
        other.commit()


def test_all_of_it_is_read_by_the_next_process(place):
    full(place).close()
    store = open_project_store(*place)
    assert held(store) == ALL
    assert (store.problem, store.broken()) == ("", "")


def test_every_acceptance_is_on_record_with_who_and_where(place):
    rows = [row for _, row in full(place).decisions_after(0)]
    assert [row.event for row in rows] == ["trust", "waiver", "baseline", "grant"]
    assert {(row.stored["by"]["user"], row.stored["by"]["terminal"]) for row in rows} == {("ann", "pts/7")}


def test_what_another_process_accepts_counts_at_once(place):
    one, other = open_project_store(*place), open_project_store(*place)
    assert held(one) == NOTHING
    other.set_trusted("abc", "version: 1\n", ANN)
    assert one.trusted() == ("abc", "version: 1\n")
    other.waive(WAIVER)
    assert one.waivers() == (WAIVER,)
    one.unwaive((WAIVER,))
    assert other.waivers() == ()
    other.forget_trusted()
    assert one.trusted() is None


def test_the_key_is_for_its_owner_and_lies_apart(place):
    store = full(place)
    key = place[0] / "key"
    assert stat.S_IMODE(key.stat().st_mode) == 0o600
    assert key.read_bytes() not in store.file.read_bytes()
    assert not store.file.is_relative_to(place[1])


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE decision SET body = replace(body, 'abc', 'abd') WHERE event = 'trust'",
        "UPDATE decision SET time = 5.0 WHERE event = 'trust'",
        "UPDATE decision SET event = 'waiver' WHERE event = 'trust'",
        "DELETE FROM decision WHERE event = 'trust'",
        "DELETE FROM decision WHERE event = 'grant'",
        "DELETE FROM decision",
        "DELETE FROM content",
        "UPDATE content SET text = 'version: 1' || char(10) || 'enabled: false'",
        "UPDATE decision SET seq = 99 WHERE event = 'grant'",
    ],
)
@pytest.mark.parametrize("fresh", [False, True], ids=["seen by whoever has it open", "by the next process"])
def test_when_one_of_these_rows_is_touched_nothing_counts(place, statement, fresh):
    store = full(place)
    assert held(store) == ALL
    tamper(store, statement)
    store = open_project_store(*place) if fresh else store
    assert held(store) == NOTHING
    assert "vetgate trust" in store.problem
    assert store.broken()
    store.record(RecordedDecision("d1", 1.0, "s", "before_edit", {}))
    assert store.broken(), "what follows does not hide it"


def test_a_row_that_is_not_ours_is_told_and_takes_nothing_away(place):
    store = full(place)
    columns = "seq, id, time, session, event, body, digest, before"
    body = json.dumps({"decision": "allowed", "grant": {"code": "mine", "until": 1e12}, "after": [4, ""]})
    tamper(store, f"INSERT INTO decision ({columns}) VALUES (5, 'd', 1.0, '', 'grant', '{body}', '00', '')")
    assert held(store) == ALL
    assert not store.take_grant("mine", 1.0)
    assert "row 5 (d) of the log was not written by vetgate" in store.problem


@pytest.mark.parametrize("name", ["trusted_digest", "last_good", "baseline", "accepted_told"])
def test_a_fact_that_somebody_wrote_is_none(place, name):
    store = open_project_store(*place)
    tamper(store, f"INSERT INTO fact VALUES ('{name}', 'version: 1')")
    assert (store.trusted(), store.last_good(), store.baseline()) == (None, None, None)
    assert store.accepted_since_report() == ()


def test_a_run_of_the_tests_that_somebody_wrote_proves_nothing(place):
    store = open_project_store(*place)
    store.prove(Evidence("tree", "own", "test", 0, 5.5, "gate"))
    store.set_first_tree("s", "/p", "tree", 5.5)
    tamper(
        store,
        "INSERT INTO evidence VALUES ('tree', 'forged', 'test', 0, 9.0, 'gate', '00')",
        "INSERT INTO evidence VALUES ('other', 'own', 'test', 0, 9.0, 'gate', (SELECT mark FROM evidence LIMIT 1))",
        "INSERT INTO first_tree VALUES ('t', '/p', 'tree', 9.0, (SELECT mark FROM first_tree))",
    )
    assert [each.command for each in store.proofs("tree")] == ["own"]
    assert store.proofs("other") == ()
    assert (store.first_tree("s", "/p"), store.first_tree("t", "/p")) == ("tree", None)


def test_another_projects_log_is_not_valid_here(place, tmp_path):
    other = tmp_path / "other"
    other.mkdir()
    loose = full((place[0], other))
    store = open_project_store(*place)
    loose.close()
    store.close()
    for file in loose.file.parent.glob("store.db*"):
        shutil.copy(file, store.file.parent)
    anchors = sorted((place[0] / "anchors").iterdir(), key=lambda each: each.read_text())
    shutil.copy(anchors[1], anchors[0])
    assert held(open_project_store(*place)) == NOTHING


def test_a_grant_is_used_once_by_however_many(place):
    stores = [full(place), *(open_project_store(*place) for _ in range(3))]
    taken: list[bool] = []
    threads = [
        threading.Thread(target=lambda store=store: taken.append(store.take_grant("code", 1.0))) for store in stores
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(taken) == [False, False, False, True]
    assert [row.stored["decision"] for _, row in stores[0].decisions_after(3)] == ["allowed", "used"]


def test_a_grant_that_cannot_be_used_up_is_none(place):
    store = full(place)
    assert "code" in store.standing().grants
    store._connection.execute("PRAGMA query_only = 1")
    assert not store.take_grant("code", 1.0)
    with pytest.raises(UserError, match="nothing can be recorded"):
        store.waive(WAIVER)


def test_a_grant_that_ended_is_none(place):
    store = full(place)
    store.grant("short", 10.0)
    assert not store.take_grant("short", 11.0)


@pytest.mark.parametrize(
    ("harm", "said"),
    [
        (lambda state, store: store.file.unlink(), "the store was deleted"),
        (lambda state, store: shutil.rmtree(store.file.parent), "the store was deleted"),
        (lambda state, store: shutil.rmtree(state / "projects"), "the store was deleted"),
        (lambda state, store: store.file.write_bytes(b"\xff" * 9000), "the store was damaged"),
        (lambda state, store: os.truncate(store.file, 100), "the store was damaged"),
        (lambda state, store: shutil.rmtree(state / "anchors"), "the anchor is gone"),
        (lambda state, store: (state / "key").unlink(), "not written with the key of this machine"),
        (lambda state, store: (state / "key").write_text("7" * 64), "not written with the key of this machine"),
        (lambda state, store: (state / "key").write_text("short"), "not written with the key of this machine"),
    ],
    ids=["file", "folder", "all projects", "garbage", "truncated", "anchors", "no key", "another key", "half a key"],
)
def test_a_loss_is_said_until_a_person_begins_anew(place, harm, said):
    state, _ = place
    store = full(place)
    store.close()
    for name in ("store.db-wal", "store.db-shm"):
        store.file.with_name(name).unlink(missing_ok=True)
    harm(state, store)
    for _ in range(2):
        store = open_project_store(*place)
        assert said in store.problem
        assert said in store.broken()
        assert held(store) == NOTHING
        assert was_set_up(*place), "the gate stays on"
        store.record(RecordedDecision("d1", 1.0, "s", "before_edit", {}))
        store.close()
    store = open_project_store(*place)
    store.set_trusted("def", "version: 1\n", ANN)
    for each in (store, open_project_store(*place)):
        assert (each.problem, each.broken()) == ("", "")
        assert held(each) == (("def", "version: 1\n"), (), None, {})
    assert [row.stored["acknowledges"] for _, row in store.decisions_after(0) if "acknowledges" in row.stored]


def test_a_store_deleted_under_a_process_that_has_it_open_is_noticed(place):
    store = full(place)
    assert held(store) == ALL
    for file in store.file.parent.glob("store.db*"):
        file.unlink()
    assert "the store was deleted" in store.problem
    assert held(store) == NOTHING
    store.record(RecordedDecision("d1", 1.0, "s", "before_edit", {}))
    assert open_project_store(*place).decision("d1"), "and what is written from now on is on disk"


def test_an_older_copy_shows_by_its_anchor(place, tmp_path):
    store = full(place)
    store.close()
    shutil.copytree(store.file.parent, tmp_path / "copy")
    store = open_project_store(*place)
    store.unwaive((WAIVER,))
    store.close()
    shutil.rmtree(store.file.parent)
    shutil.copytree(tmp_path / "copy", store.file.parent)
    store = open_project_store(*place)
    assert held(store) == NOTHING
    assert "from another time" in store.problem


def test_rows_after_the_last_acceptance_that_a_power_cut_took_leave_what_was_accepted(place):
    store = full(place)
    for number in range(3):
        store.record(RecordedDecision(f"d{number}", 1.0, "s", "before_edit", {}))
    tamper(store, "DELETE FROM decision WHERE seq > 5")
    assert held(store) == ALL
    assert "rows 6 to 7 are gone, at the end" in store.broken()
    assert "rows 6 to 7 are gone" in store.tampered()


def test_taking_the_gate_out_switches_it_off_and_only_that(place):
    store = full(place)
    assert was_set_up(*place)
    store.forget_trusted(ANN)
    assert not was_set_up(*place)
    store.set_up(ANN)
    assert was_set_up(*place)


def test_an_anchor_that_claims_nobody_set_it_up_is_not_believed(place):
    full(place)
    (anchor,) = (place[0] / "anchors").iterdir()
    anchor.write_text('[0, "", 0, "", false, "00"]')
    assert was_set_up(*place)


def test_each_acceptance_is_told_once(place):
    store = full(place)
    told = store.accepted_since_report()
    assert [each.row.event for each in told] == ["trust", "waiver", "baseline", "grant"]
    assert told[0].by == ANN
    store.mark_accepted_reported(told[-1].seq)
    assert open_project_store(*place).accepted_since_report() == ()


# A store as a version before the key left it.


def test_a_store_without_a_sealed_log_is_set_aside_and_nothing_in_it_counts(place):
    store = open_project_store(*place)
    store.close()
    for path in (*store.file.parent.glob("store.db*"), *(place[0] / "anchors").iterdir()):
        path.unlink()
    with contextlib.closing(sqlite3.connect(store.file, isolation_level=None)) as old:
        for statement in (each for statements in MIGRATIONS[: SEALED_SINCE - 1] for each in statements):
            old.execute(statement)
        old.execute("INSERT INTO fact VALUES ('trusted_digest', 'abc')")
        old.execute("INSERT INTO granted VALUES ('code', 1e12)")
        old.execute(f"PRAGMA user_version = {SEALED_SINCE - 1}")
    store = open_project_store(*place)
    assert held(store) == NOTHING
    assert "its log is not sealed" in store.problem
    assert [*store.file.parent.glob("store.damaged-*.db")]
