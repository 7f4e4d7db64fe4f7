"""Before the index of a project is built nothing is silently off: the turn's end makes up for what an edit missed."""

from __future__ import annotations

import subprocess
import sys

import pytest

from fixtures import Session
from test_duplicates import LONG
from vetgate.index.build import may_begin, single_builder
from vetgate.respond import project_index

TWIN = LONG.format(name="yearly")


@pytest.fixture
def begun(tmp_path):
    """Begins a session in a project that nobody has read yet."""

    def begin() -> Session:
        session = Session(tmp_path)
        session.put("src/reports.py", LONG.format(name="monthly"))
        session.commit()
        session.send("SessionStart", source="startup")
        return session

    return begin


def write(session, name, text):
    decision = session.write(name, text)[1]
    if decision is None:
        session.put(name, text)
        session.landed(name)
    return decision


def index_of(session):
    project = session.app.project(session.root)
    return project.index(project.effective().config)


def sent(monkeypatch):
    """Whom somebody would have sent; nobody is."""
    started = []

    def start(root, state, waits=0.0):
        started.append(waits)
        child = subprocess.Popen([sys.executable, "-c", ""])
        child.wait()
        return child

    monkeypatch.setattr(project_index, "_start_builder", start)
    return started


def test_a_small_project_is_read_after_the_first_answer_without_a_daemon(begun):
    session = begun()
    assert index_of(session).is_ready
    assert write(session, "src/new.py", TWIN) == "deny"


def test_an_edit_while_it_is_being_built_passes_silently_and_is_found_when_the_turn_ends(begun, monkeypatch):
    monkeypatch.setattr(project_index, "_AT_ONCE", 0)
    started = sent(monkeypatch)
    session = begun()
    assert write(session, "src/new.py", TWIN) is None
    assert started == [0.0], "one builder is sent, once"
    assert "duplicates/function" in session.stop_reason()


def test_a_contract_that_nobody_could_look_up_is_looked_up_when_the_turn_ends(begun, monkeypatch):
    monkeypatch.setattr(project_index, "_AT_ONCE", 0)
    sent(monkeypatch)
    session = begun()
    session.put("src/user.py", "from reports import monthly\n\nmonthly([], 'EUR')\n")
    session.commit()
    assert write(session, "src/reports.py", LONG.format(name="monthly").replace("orders, currency", "orders")) is None
    assert "contracts/" in session.stop_reason()


def test_the_end_of_a_turn_waits_for_who_reads_a_large_project(begun, monkeypatch):
    monkeypatch.setattr(project_index, "_AT_ONCE", 0)
    monkeypatch.setattr(project_index, "_AT_THE_END", 0)
    monkeypatch.setattr(project_index, "_build", lambda *_: None)
    session = begun()
    session.app.answer = _patient(session.app.answer)
    assert write(session, "src/new.py", TWIN) is None
    assert "duplicates/function" in session.stop_reason()


def _patient(answer):
    return lambda *words, **more: answer(*words, **{**more, "seconds": 100.0})


def test_what_could_not_be_compared_holds_the_turn_once_and_says_why(begun, monkeypatch):
    monkeypatch.setattr(project_index, "_AT_ONCE", 0)
    monkeypatch.setattr(project_index, "_AT_THE_END", 0)
    sent(monkeypatch)
    session = begun()
    assert write(session, "src/new.py", TWIN) is None
    said = session.stop_reason()
    assert "not checked" in said.lower()
    assert "vetgate index --build" in said
    assert session.stop_reason() == ""


def test_what_nothing_is_compared_with_waits_for_nobody(begun, monkeypatch):
    monkeypatch.setattr(project_index, "_AT_ONCE", 0)
    monkeypatch.setattr(project_index, "_AT_THE_END", 0)
    started = sent(monkeypatch)
    session = begun()
    assert write(session, "README.md", "# A project\n") is None
    assert session.stop_reason() == ""
    assert started == [0.0], "nobody waited for one"


def test_one_builder_at_a_time_for_all_processes(tmp_path):
    assert may_begin(tmp_path, 60)
    assert not may_begin(tmp_path, 60), "one was sent moments ago"
    assert may_begin(tmp_path, 0), "it did not come back"
    with single_builder(tmp_path) as ours:
        assert ours
        assert not may_begin(tmp_path, 0), "somebody is at it"
        with single_builder(tmp_path, 0.1) as second:
            assert not second
