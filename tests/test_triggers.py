"""Strict or lazy, as a table: what makes a judge worth waiting for."""

from __future__ import annotations

import pytest

from vetgate.judges.triggers import PathTrust, SessionCounters, Waiting, waiting_for
from vetgate.model import Event, EventKind

LATER = SessionCounters(tools=10, since_prompt=4)
EDIT, COMMAND, TOOL = EventKind.BEFORE_EDIT, EventKind.BEFORE_COMMAND, EventKind.BEFORE_TOOL
TRUSTED, SPECIAL, UNTRUSTED, SENSITIVE = PathTrust

TABLE = [
    ("a small edit in the middle of a session", EDIT, {}, LATER, 3, TRUSTED, "lazy"),
    ("the first tool after a user message", EDIT, {}, SessionCounters(10, 0), 3, TRUSTED, "strict"),
    ("the second tool after a user message", EDIT, {}, SessionCounters(10, 1), 3, TRUSTED, "lazy"),
    ("after a denial", EDIT, {}, SessionCounters(10, 4, denied=True), 3, TRUSTED, "strict"),
    ("after an error", EDIT, {}, SessionCounters(10, 4, failed=True), 3, TRUSTED, "strict"),
    ("an edit of 20 lines", EDIT, {}, LATER, 20, TRUSTED, "lazy"),
    ("an edit of 21 lines", EDIT, {}, LATER, 21, TRUSTED, "strict"),
    ("the first tool of a session", EDIT, {}, SessionCounters(0, 4), 3, TRUSTED, "strict"),
    ("the third tool of a session", EDIT, {}, SessionCounters(2, 4), 3, TRUSTED, "strict"),
    ("the fourth tool of a session", EDIT, {}, SessionCounters(3, 4), 3, TRUSTED, "lazy"),
    ("plan mode", EDIT, {"plans": True}, LATER, 3, TRUSTED, "strict"),
    ("plan mode of a subagent", EDIT, {"plans": True, "subagent": "explore"}, LATER, 3, TRUSTED, "lazy"),
    ("the first tool of a subagent", EDIT, {"subagent": "explore"}, SessionCounters(), 3, TRUSTED, "lazy"),
    ("a denial of a subagent", EDIT, {"subagent_id": "a1"}, SessionCounters(denied=True), 3, TRUSTED, "strict"),
    ("a special file", EDIT, {}, LATER, 3, SPECIAL, "strict"),
    ("an untrusted path", EDIT, {}, LATER, 3, UNTRUSTED, "strict"),
    ("a sensitive path", EDIT, {}, LATER, 3, SENSITIVE, "strict"),
    ("a command", COMMAND, {}, LATER, 0, TRUSTED, "strict"),
    ("a command of a subagent", COMMAND, {"subagent": "explore"}, LATER, 0, TRUSTED, "strict"),
    ("an agent is started", TOOL, {"starts_agent": True}, LATER, 0, TRUSTED, "strict"),
    ("another tool", TOOL, {}, LATER, 0, TRUSTED, "lazy"),
    ("a search first thing after a prompt", TOOL, {"only_reads": True}, SessionCounters(), 0, TRUSTED, "skip"),
    ("a look at the project's rules", TOOL, {"only_reads": True}, SessionCounters(), 0, SPECIAL, "skip"),
    ("a look at a sensitive file", TOOL, {"only_reads": True}, LATER, 0, SENSITIVE, "strict"),
    ("a look outside", TOOL, {"only_reads": True}, LATER, 0, UNTRUSTED, "strict"),
    ("what has happened", EventKind.AFTER_EDIT, {}, LATER, 3, TRUSTED, "lazy"),
    ("the end of a turn", EventKind.STOP, {}, LATER, 0, TRUSTED, "strict"),
    ("a review", EventKind.REVIEW, {}, LATER, 400, TRUSTED, "strict"),
]


@pytest.mark.parametrize("case", TABLE, ids=[each[0] for each in TABLE])
def test_what_is_waited_for(case):
    _, kind, fields, session, lines, trust, expected = case
    waiting, why = waiting_for(Event("claude-code", kind, **fields), session, lines, trust)
    assert waiting == expected
    assert bool(why) == (waiting is Waiting.STRICT)


def through(*steps):
    session = SessionCounters()
    for step in steps:
        kind, denied, failed = step if isinstance(step, tuple) else (step, False, False)
        session = session.after(Event("claude-code", kind, failed=failed), denied=denied)
    return session


def test_counters_follow_the_session():
    after_edit = EventKind.AFTER_EDIT
    assert through(EventKind.PROMPT, EDIT, after_edit, COMMAND) == SessionCounters(2, 2)
    assert through(EDIT, EventKind.PROMPT, TOOL, EDIT) == SessionCounters(3, 2)
    looks = SessionCounters().after(Event("claude-code", TOOL, only_reads=True))
    assert looks == SessionCounters(), "who reads first still has the first call before them"
    assert through(EDIT, EDIT, EventKind.SESSION_START) == SessionCounters()


def test_a_denial_and_an_error_count_once():
    denied, failed = (EDIT, True, False), (EventKind.AFTER_COMMAND, False, True)
    assert through(EDIT, denied).denied
    assert not through(EDIT, denied, EDIT).denied
    assert through(COMMAND, failed).failed
    assert through(COMMAND, failed, EventKind.PROMPT).failed
    assert not through(COMMAND, failed, EDIT).failed
    assert not through(COMMAND, EventKind.AFTER_COMMAND).failed
