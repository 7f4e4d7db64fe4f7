"""What is written down about ends of turns and sweeps, and what is said about the record itself."""

from __future__ import annotations

import pytest

from fixtures import BAD, GOOD, Session
from vetgate.config.load import defaults
from vetgate.model import Change, Decision, Event, EventKind, File, Override, Verdict
from vetgate.project import SessionMemory
from vetgate.record import record
from vetgate.store import Hand


@pytest.fixture
def session(tmp_path):
    made = Session(tmp_path)
    made.put("a.py", GOOD)
    made.trust("version: 1\n")
    made.commit()
    made.send("SessionStart", source="startup")
    return made


def rows(session, event):
    return [row for row in session.app.project(session.root).store.decisions() if row.event == event]


def store(session):
    return session.app.project(session.root).store


def test_equal_ends_of_turns_are_decisions_of_their_own(session):
    session.put("a.py", BAD)
    assert [session.stop(tool_use_id="")["decision"] for _ in range(2)] == ["block", "block"]
    first, second = rows(session, "stop")
    assert first.id != second.id


def test_the_end_of_a_turn_names_the_files(session):
    session.put("a.py", BAD)
    session.stop(tool_use_id="")
    assert [row.stored["files"] for row in rows(session, "stop")] == [["a.py"]]


@pytest.mark.parametrize(("text", "decision"), [(BAD, "block"), (GOOD + "x = 1\n", "allow")], ids=["told", "passed"])
def test_a_sweep_names_the_files(session, text, decision):
    session.put("a.py", text)
    session.tool("Bash", event="PostToolUse", command="make")
    (row,) = rows(session, "after_command")
    assert (row.stored["decision"], row.stored["files"]) == (decision, ["a.py"])


def gone(session):
    for file in store(session).file.parent.glob("store.db*"):
        file.unlink()


def test_a_store_that_is_gone_is_said_once_and_held_once(session):
    gone(session)
    said = session.send("PreToolUse", tool_name="Bash", tool_input={"command": "ls"})[1]
    assert "the store was deleted" in said["hookSpecificOutput"]["additionalContext"]
    assert session.send("PreToolUse", tool_name="Bash", tool_input={"command": "ls"})[1] is None
    held = session.stop(tool_use_id="")
    assert held["decision"] == "block"
    assert "the store was deleted" in held["reason"]
    assert "block" not in str(session.stop(tool_use_id=""))


def test_a_session_that_began_without_it_is_told_then_and_not_held(session):
    gone(session)
    session.id = "session-2"
    said = session.send("SessionStart", source="startup")[1]
    assert "the store was deleted" in said["systemMessage"]
    assert session.send("PreToolUse", tool_name="Bash", tool_input={"command": "ls"})[1] is None
    assert session.stop(tool_use_id="") == {}


def test_a_refusal_says_what_it_is_about_and_the_next_event_the_rest(session):
    gone(session)
    reply, decision, output = session.write("b.py", BAD)
    assert (reply.status, decision) == (2, "deny")
    assert "store was deleted" not in output["permissionDecisionReason"]
    assert "the store was deleted" in str(session.send("PostToolUse", tool_name="Bash", tool_input={"command": "ls"}))


def test_what_was_accepted_is_told_at_the_next_start_and_once(session):
    store(session).grant("abcdefgh", 1e12, Hand("ann", "pts/7"))
    session.id = "session-2"
    said = session.send("SessionStart", source="startup")[1]["systemMessage"]
    assert "the command with the code abcdefgh allowed once by ann on pts/7, 20" in said
    session.id = "session-3"
    assert "abcdefgh" not in str(session.send("SessionStart", source="startup")[1])


class Sink:
    """Keeps decisions, and what a session owes, in lists."""

    def __init__(self):
        self.rows, self.marks = [], []

    def record(self, row):
        self.rows.append(row)

    def is_marked(self, session, path, kind, subject=""):
        return (session, path, kind, subject) in self.marks

    def mark(self, session, path, kind, subject=""):
        self.marks.append((session, path, kind, subject))

    def unmark(self, session, path, kind):
        self.marks = [each for each in self.marks if each[:3] != (session, path, kind)]

    def marked(self, session, kind, subject=""):
        return tuple(path for one, path, *rest in self.marks if (one, *rest) == (session, kind, subject))


def test_decisions_go_wherever_somebody_keeps_them(tmp_path):
    sink = Sink()
    change = Change(tmp_path, (File("a.py", None, GOOD),))
    event = Event("claude-code", EventKind.BEFORE_EDIT, "s", tmp_path, "Write", change)
    record(sink, event, Verdict(Decision.WARN, id="d1", overridden=Override.RETRIES), defaults(), 1.0)
    (row,) = sink.rows
    assert (row.id, row.session, row.event) == ("d1", "s", "before_edit")
    assert (row.stored["files"], row.stored["overridden"]) == (["a.py"], "retries")


class Both:
    def __init__(self, *sinks):
        self.sinks = sinks

    def record(self, row):
        for sink in self.sinks:
            sink.record(row)


def test_the_decisions_of_a_project_can_go_to_another_sink_as_well(session):
    project, sink = session.app.project(session.root), Sink()
    project.decisions = Both(project.store, sink)
    session.put("a.py", BAD)
    session.tool("Bash", event="PostToolUse", command="make")
    session.write("a.py", BAD + "x = 1\n")
    session.stop(tool_use_id="")
    assert [row.event for row in sink.rows] == ["after_command", "before_edit", "stop"]
    assert sink.rows == project.store.decisions(3)[::-1]


def test_what_a_session_owes_is_remembered_wherever_somebody_keeps_it(tmp_path):
    sink = Sink()
    main, other = (SessionMemory(sink, tmp_path, "s", "cfg", agent) for agent in ("", "a7"))
    other.owe("a.py")
    assert main.owes("a.py")
    assert other.due() == main.due() == {"a.py"}
    assert SessionMemory(sink, tmp_path, "s", "cfg", "b8").due() == frozenset()
    main.settle("a.py")
    assert sink.marks == []
