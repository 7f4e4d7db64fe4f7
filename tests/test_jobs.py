"""What ends later: joined, kept, told once, lost with its process, dropped with its content."""

from __future__ import annotations

import contextlib
import json
import sqlite3
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import msgspec
import pytest

from fixtures import wait_for
from secret_samples import chance
from test_gates_long import LONG, hurried
from test_gates_respond import context, with_a_file
from vetgate.gates import locks
from vetgate.gates.jobs import RUNS, Runs, claim_finished
from vetgate.gates.locks import lives, presence
from vetgate.gates.process import LOST
from vetgate.model import Finding, Outcome, Span, Status, Step
from vetgate.severity import Severity
from vetgate.store import Evidence, Job, open_project_store
from vetgate.store.schema import MIGRATIONS
from vetgate.suite_results import TestFailure, TestResults

PASSED = Outcome("g", Status.PASSED)
FULL = Outcome(
    "g",
    Status.FAILED,
    (Finding("command", "g", Span("a\udc80.py", 3), "it is bad", Severity.ERROR, steps=(Step(1, "x"),), cwe=(89,)),),
    error="why",
    output="all of it",
    exit_status=2,
    results=TestResults("pytest", 1, 1, 0, 0.5, (TestFailure("test_x", "a.py", 3, "no"),)),
)


def job(name, root="root", *, session="", gate="g", outcome=None):
    return Job(name, root, session, gate, "", "", "", outcome)


def of(gate):
    return lambda job: job.gate == gate


def always(_):
    return True


def never(_):
    return False


@pytest.fixture
def store(tmp_path):
    return open_project_store(tmp_path / "state", tmp_path)


class Held:
    """A run that ends when it is let go."""

    def __init__(self):
        self.go, self.began = threading.Event(), 0

    def __call__(self):
        self.began += 1
        self.go.wait(60)
        return PASSED


def test_a_second_request_joins_the_run_under_way(store):
    runs, held = Runs(), Held()
    assert runs.join(store, job("a"), held, 0.0) is None
    held.go.set()
    assert runs.join(store, job("a"), held, 60.0) == PASSED
    assert held.began == 1


def test_who_joins_a_run_that_another_gave_up_is_the_only_one_told(store):
    runs, held = Runs(), Held()
    assert runs.join(store, job("a"), held, 0.0) is None
    threading.Timer(0.05, held.go.set).start()
    assert runs.join(store, job("a"), held, 60.0) == PASSED
    assert store.claim_jobs("root", "s", of("g"), never) == []


def test_who_gives_up_while_another_waits_leaves_it_to_them(store):
    runs, held = Runs(), Held()
    with ThreadPoolExecutor(1) as other:
        waits = other.submit(runs.join, store, job("a"), held, 60.0)
        wait_for(lambda: held.began)
        assert runs.join(store, job("a"), held, 0.0) is None
        held.go.set()
        assert waits.result() == PASSED
    assert store.claim_jobs("root", "s", of("g"), never) == []


def test_what_another_process_was_told_meanwhile_is_not_told_again(store):
    runs, other, held = Runs(), Runs(), Held()
    assert runs.join(store, job("a"), held, 0.0) is None
    assert other.join(store, job("a"), lambda: PASSED, 60.0) == PASSED
    held.go.set()
    wait_for(lambda: not runs.is_busy)
    assert store.claim_jobs("root", "s", of("g"), never) == []


def test_what_ended_when_nobody_waited_is_given_to_whoever_asks_first(store):
    runs, held = Runs(), Held()
    for each in (job("a"), job("b"), job("c", "elsewhere")):
        assert runs.join(store, each, held, 0.0) is None
    assert store.claim_jobs("root", "s", of("g"), always) == [], "they run"
    held.go.set()
    wait_for(lambda: not runs.is_busy)
    assert [each.id for each in store.claim_jobs("elsewhere", "s", of("g"), always)] == ["c"]
    assert runs.join(store, job("a"), Held(), 60.0) == PASSED, "the same run asks for its own result"
    assert [each.id for each in store.claim_jobs("root", "s", of("g"), always)] == ["b"]
    assert store.claim_jobs("root", "s", of("g"), always) == []


def test_a_crash_that_nobody_waited_for_is_no_result(store):
    runs, go = Runs(), threading.Event()

    def crash():
        go.wait(60)
        raise ValueError

    assert runs.join(store, job("a"), crash, 0.0) is None
    go.set()
    wait_for(lambda: not runs.is_busy)
    (told,) = store.claim_jobs("root", "s", of("g"), always)
    assert told.outcome == Outcome("g", Status.ERRORED, error=LOST)


def test_a_store_that_fails_keeps_nobody_waiting(store, monkeypatch):
    def fails(_):
        raise RuntimeError

    raised = []
    monkeypatch.setattr(threading, "excepthook", raised.append)
    monkeypatch.setattr(store, "drop_job", fails)
    assert Runs().join(store, job("a"), lambda: PASSED, 5.0) == PASSED
    wait_for(lambda: raised)


def test_an_outcome_comes_back_as_it_was(store, tmp_path):
    store.put_job(job("a", outcome=FULL))
    (told,) = open_project_store(tmp_path / "state", tmp_path).claim_jobs("root", "s", of("g"), always)
    assert told.outcome == FULL


UPPER = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"


@pytest.mark.parametrize(("before", "secret"), [("", "AKIA" + chance(16, UPPER)), ("password=", chance(14, seed=6))])
def test_no_secret_of_an_outcome_is_kept(store, before, secret):
    said = f'Object of type `Literal["{before}{secret}"]` is not `int`'
    found = Finding("types", "ty", Span("a.py", 3), said, Severity.ERROR)
    store.put_job(job("one", outcome=Outcome("g", Status.FAILED, (found,))))
    ((kept,),) = store._rows("SELECT outcome FROM job")
    assert secret not in kept
    told = store.claim_job("one", always)
    assert "[hidden " in told.outcome.findings[0].message


def test_each_session_gets_its_own_and_what_is_everybodys(store):
    for name, session in (("a", ""), ("b", "s"), ("c", "other")):
        store.put_job(job(name, session=session, outcome=PASSED))
    assert {each.id for each in store.claim_jobs("root", "s", of("g"), always)} == {"a", "b"}
    assert [each.id for each in store.claim_jobs("root", "other", of("g"), always)] == ["c"]


def test_only_the_gates_that_are_asked_for(store):
    store.put_job(job("a", gate="types", outcome=PASSED))
    assert store.claim_jobs("root", "s", of("g"), always) == []
    assert store.claim_jobs("root", "s", always, always) != []


def test_a_row_that_vetgate_did_not_write_tells_nothing(store):
    store.put_job(job("a", outcome=PASSED))
    store._run("UPDATE job SET outcome = replace(outcome, 'passed', 'failed')")
    assert store.jobs_of("root", "s") == []
    assert store.claim_jobs("root", "s", of("g"), always) == []
    assert store.claim_job("a", always) is None


CLAIMS = """
import sys
from pathlib import Path
from vetgate.store import open_project_store
store = open_project_store(Path(sys.argv[1]), Path(sys.argv[2]))
print("ready", flush=True)
sys.stdin.readline()
claimed = store.claim_jobs("root", sys.argv[3], lambda job: job.gate == "g", lambda owner: True)
print(*(each.id for each in claimed), sep=",")
"""


def test_of_processes_that_ask_at_once_each_job_has_one(store, tmp_path):
    for number in range(30):
        store.put_job(job(str(number), outcome=PASSED))
    words = [sys.executable, "-c", CLAIMS, str(tmp_path / "state"), str(tmp_path)]
    asking = [
        subprocess.Popen([*words, name], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) for name in "abcd"
    ]
    assert [each.stdout.readline() for each in asking] == ["ready\n"] * 4
    for each in asking:
        each.stdin.write("\n")
        each.stdin.flush()
    told = [name for each in asking for name in each.communicate(timeout=60)[0].strip().split(",") if name]
    assert sorted(told, key=int) == [str(number) for number in range(30)]


def test_of_threads_that_ask_at_once_each_job_has_one(store):
    for number in range(100):
        store.put_job(job(str(number), outcome=PASSED))
    with ThreadPoolExecutor(8) as asking:
        told = [asking.submit(store.claim_jobs, "root", "s", of("g"), always) for _ in range(8)]
    assert sorted(int(each.id) for found in told for each in found.result()) == list(range(100))


LIVES = """
import sys, time
from pathlib import Path
from vetgate.gates.locks import presence
print(presence(Path(sys.argv[1])), flush=True)
time.sleep(600)
"""


def test_a_process_is_known_to_live_until_it_is_killed(tmp_path):
    assert lives(tmp_path, presence(tmp_path))
    with subprocess.Popen([sys.executable, "-c", LIVES, str(tmp_path)], stdout=subprocess.PIPE, text=True) as process:
        name = process.stdout.readline().strip()
        assert lives(tmp_path, name)
        process.kill()
    assert not lives(tmp_path, name)
    assert not (tmp_path / name).exists()
    assert not lives(tmp_path, name)


def test_a_lock_that_another_process_deletes_before_it_is_held_is_made_anew(tmp_path, monkeypatch):
    opened, descriptors, meanwhile = locks.opened, Path("/proc/self/fd"), [True]

    def looked_at(file):
        lock = opened(file)
        if meanwhile and meanwhile.pop():
            assert not lives(tmp_path, file.name)
        return lock

    monkeypatch.setattr(locks, "opened", looked_at)
    before = len(list(descriptors.iterdir()))
    assert [presence(tmp_path)] == [file.name for file in tmp_path.iterdir()]
    assert len(list(descriptors.iterdir())) == before + 1


@pytest.fixture
def session(tmp_path):
    made = with_a_file(tmp_path)
    made.app.stays = True
    made.configure(gates={"test": {"command": LONG}}, on={"stop": ["test"]})
    made.start()
    made.put("a.txt", "x\n")
    yield made
    let_go(made)


def let_go(session):
    (session.root.parent / "go").touch()
    wait_for(lambda: not RUNS.is_busy)


def prompted(session):
    return context(session.said("UserPromptSubmit", prompt="go on"))


def test_what_is_about_content_that_is_gone_is_dropped(session):
    hurried(session, "Stop")
    session.put("a.txt", "y\n")
    let_go(session)
    assert prompted(session) == ""
    session.put("a.txt", "x\n")
    assert prompted(session) == "", "for good"


def test_what_changes_after_the_end_drops_it_too(session):
    hurried(session, "Stop")
    let_go(session)
    session.put("a.txt", "y\n")
    assert prompted(session) == ""


def test_what_a_command_leaves_behind_does_not_make_it_another_content(tmp_path):
    session = with_a_file(tmp_path)
    session.app.stays = True
    session.configure(gates={"test": {"command": f"echo x > report.xml; {LONG}"}}, on={"stop": ["test"]})
    session.start()
    session.put("a.txt", "x\n")
    hurried(session, "Stop")
    let_go(session)
    assert "it is bad" in prompted(session)


def test_what_another_command_leaves_behind_does_not_either(session):
    hurried(session, "Stop")
    let_go(session)
    session.put("report.xml", "x\n")
    assert "it is bad" in prompted(session)


def test_what_is_deleted_beside_what_came_later_is_gone(session):
    hurried(session, "Stop")
    let_go(session)
    session.put("report.xml", "x\n")
    (session.root / "a.txt").unlink()
    assert prompted(session) == ""


def test_two_sessions_ask_at_once_and_one_is_told(session):
    hurried(session, "Stop")
    let_go(session)
    project = session.app.project(session.root)
    with ThreadPoolExecutor(2) as asking:
        both = [asking.submit(claim_finished, project, session, ["test"], []) for session in ("s", "other")]
    told = [outcome for each in both for outcome in each.result()]
    assert [(each.gate, each.status, each.late) for each in told] == [("test", Status.FAILED, True)]


TELLS = """
import sys, time
from pathlib import Path
from vetgate.app import App
from vetgate.gates.jobs import claim_finished
root = Path(sys.argv[1])
print(*(each.gate for each in claim_finished(App(root.parent / "state").project(root), "s", ["test"], [])), flush=True)
time.sleep(600)
"""


def test_who_dies_before_the_answer_is_out_leaves_it_to_the_next(session):
    hurried(session, "Stop")
    let_go(session)
    words = [sys.executable, "-c", TELLS, str(session.root)]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "test\n"
        assert prompted(session) == "", "somebody else is telling it"
        process.kill()
    assert "it is bad" in prompted(session)
    assert prompted(session) == ""


def test_an_answer_that_never_came_to_an_end_does_not_keep_it_for_ever(store):
    store.put_job(job("a", outcome=FULL))
    me = "process-1.lock"
    assert store.claim_jobs("root", "s", of("g"), always, lambda: me) != []
    assert store.claim_jobs("root", "s", of("g"), always, lambda: me) == []
    store._run("UPDATE job SET time = ?", time.time() - 1000)
    assert store.claim_jobs("root", "s", of("g"), always, lambda: me) != []


def test_what_ended_about_an_earlier_text_does_not_replace_what_runs(store):
    first = msgspec.structs.replace(job("a"), owner="p", content="1")
    second = msgspec.structs.replace(first, content="2")
    store.put_job(first)
    store.put_job(second)
    store.finish_job(msgspec.structs.replace(first, outcome=PASSED))
    store.drop_own_jobs([first])
    assert store.claim_jobs("root", "s", of("g"), always) == []
    store.finish_job(msgspec.structs.replace(second, outcome=PASSED))
    assert [each.content for each in store.claim_jobs("root", "s", of("g"), always)] == ["2"]


DAEMON = """
import json, os, sys
from pathlib import Path
from vetgate.app import App
root = Path(sys.argv[1])
app = App(root.parent / "state")
app.stays = True
event = {"session_id": "s", "cwd": str(root), "hook_event_name": "Stop"}
reply = app.answer("claude-code", json.dumps(event).encode(), str(root), seconds=float(sys.argv[2]))
app.flush()
print(json.dumps(reply.stdout.decode()), flush=True)
sys.stdin.readline()
from vetgate.gates.process import end_all
end_all()
os._exit(0)
"""


@pytest.fixture
def daemon(tmp_path):
    """Another process that stays, with a gate under way that nobody waits for."""
    session = with_a_file(tmp_path)
    session.configure(gates={"test": {"command": LONG}}, on={"stop": ["test"]})
    session.start()
    session.put("a.txt", "x\n")
    words = [sys.executable, "-c", DAEMON, str(session.root), "2.5"]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert "is still running" in json.loads(process.stdout.readline())
        wait_for(lambda: session.count)
        yield session, process
        (tmp_path / "go").touch()
        process.kill()


def test_a_job_of_a_process_that_lives_is_left_alone(daemon):
    session, _ = daemon
    assert prompted(session) == ""


def test_what_ended_in_a_daemon_that_died_is_told_by_the_next_once(daemon):
    session, process = daemon
    (session.root.parent / "go").touch()
    store = session.app.project(session.root).store
    wait_for(lambda: store._one("SELECT 1 FROM job WHERE outcome != ''"))
    process.kill()
    process.wait()
    assert "it is bad" in prompted(session)
    assert prompted(session) == ""


def end(process, how):
    if how == "killed":
        process.kill()
    else:
        process.stdin.write("\n")
        process.stdin.flush()
    process.wait()


@pytest.mark.parametrize("how", ["killed", "told to leave"])
def test_what_ran_in_a_daemon_that_died_is_told_as_lost_once(daemon, how):
    session, process = daemon
    end(process, how)
    said = ""
    while not said:  # a child of it that was being started holds its lock for a moment longer
        said = prompted(session)
    assert f"Gate 'test' could not run: {LOST}" in said
    assert "It does not hold you back." in said
    assert prompted(session) == ""


@pytest.mark.parametrize("how", ["killed", "told to leave"])
def test_what_was_lost_is_run_anew_where_the_turn_ends(daemon, how):
    session, process = daemon
    end(process, how)
    (session.root.parent / "go").touch()
    said = session.stop()
    assert said["decision"] == "block"
    assert "it is bad" in said["reason"]
    assert LOST not in said["reason"]
    assert prompted(session) == ""


def test_what_was_lost_is_not_told_of_content_that_is_gone(daemon):
    session, process = daemon
    process.kill()
    process.wait()
    session.put("a.txt", "y\n")
    assert prompted(session) == ""


def test_jobs_that_nobody_asked_for_do_not_pile_up(store, tmp_path):
    store.put_job(job("a", outcome=PASSED))
    store._run("UPDATE job SET time = ?", time.time() - 40 * 86400)
    again = open_project_store(tmp_path / "state", tmp_path)
    assert again.claim_jobs("root", "s", of("g"), always) == []


def test_a_store_from_before_there_were_jobs_keeps_its_rows(store, tmp_path):
    proof = Evidence("tree", "command", "test", 0, time.time(), "gate test")
    store.prove(proof)
    (row,) = store._rows("SELECT * FROM evidence")
    store.close()
    for path in store.folder.glob("store.db*"):
        path.unlink()
    number = next(at for at, steps in enumerate(MIGRATIONS) if "CREATE TABLE job" in steps[0])
    with contextlib.closing(sqlite3.connect(store.folder / "store.db")) as old:
        for statement in (each for step in MIGRATIONS[:number] for each in step):
            old.execute(statement)
        old.execute("INSERT INTO evidence VALUES (?, ?, ?, ?, ?, ?, ?)", row)
        old.execute(f"PRAGMA user_version = {number}")
        old.commit()
    again = open_project_store(tmp_path / "state", tmp_path)
    assert again.problem == ""
    assert again.proofs("tree") == (proof,)
    again.put_job(job("a", outcome=PASSED))
    assert [each.id for each in again.claim_jobs("root", "s", of("g"), always)] == ["a"]
