"""What each agent is told, word for word: tests/snapshots/AGENT/*.txt. VETGATE_SNAPSHOTS=write renews them."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from fixtures import BAD, GOOD, Clone, Session, branches

SNAPSHOTS = Path(__file__).parent / "snapshots"
DECISION = re.compile(r"\bd[0-9a-f]{10}\b")
FOLDER = SNAPSHOTS / "claude-code"
SQL = 'def find(db, request):\n    return db.execute("SELECT * FROM t WHERE id = " + request.args["id"])\n'
HASH = "import hashlib\n\n\ndef keep(password):\n    return hashlib.md5(password.encode())\n"
MANY = "".join(branches(f"busy{number}", 11 + number) + "\n\n" for number in range(5))
TASK = "Add an endpoint that finds users by their name"


def measure(session):
    return session.write("a.py", BAD)


def with_a_task(session):
    session.send("UserPromptSubmit", prompt=TASK)
    return session.write("a.py", SQL + BAD)


def a_machine_prompt_is_no_task(session):
    session.send("UserPromptSubmit", prompt="<task-notification>done</task-notification>")
    return session.write("a.py", HASH)


def several(session):
    return session.write("a.py", MANY + HASH)


def second_attempt(session):
    session.send("UserPromptSubmit", prompt=TASK)
    session.write("a.py", BAD)
    return session.write("a.py", branches("busy", 14))


def unchanged(session):
    session.write("a.py", MANY)
    return session.write("a.py", MANY)


def left_to_a_person(session):
    for number in range(3):
        session.write("a.py", branches("busy", 12 + number))
    return session.write("a.py", branches("busy", 20))


def refused_for_good(session):
    session.trust("version: 1\nretries: {max: 1, then: block}\n")
    session.write("a.py", BAD)
    return session.write("a.py", BAD)


def let_through_at_last(session):
    session.trust("version: 1\nretries: {max: 1, then: allow}\n")
    session.write("a.py", BAD)
    return session.write("a.py", BAD)


def by_another_route(session):
    session.write("a.py", BAD)
    return session.write("b.py", BAD)


def copies(session):
    session.send("SessionStart", source="startup")
    session.tool("Bash", command="cp b.py c.py")
    for name in ("b.py", "c.py", "d.py"):
        session.put(name, HASH)
    return session.tool("Bash", event="PostToolUse", command="cp b.py c.py")


def very_many(session):
    session.send("UserPromptSubmit", prompt=f"\x1b[1m{TASK}")
    return session.write("a.py", "".join(branches(f"busy{number}", 11) + "\n\n" for number in range(60)))


def without_snippets(session):
    session.trust("version: 1\noutput: {snippets: false, max_suggestions: 1}\n")
    return session.write("a.py", BAD + HASH)


def a_command(session):
    session.send("UserPromptSubmit", prompt=TASK)
    return session.tool("Bash", command="rm -rf ~")


def half_written(session):
    return session.write("a.py", "def fine(a):\n    return (a +\n")


def beyond_a_limit(session):
    return session.write("a.py", "x = 1\n" * 400_000)


CASES = {
    each.__name__: each
    for each in (
        measure,
        with_a_task,
        a_machine_prompt_is_no_task,
        several,
        second_attempt,
        unchanged,
        left_to_a_person,
        refused_for_good,
        let_through_at_last,
        by_another_route,
        copies,
        very_many,
        without_snippets,
        a_command,
        half_written,
        beyond_a_limit,
    )
}


@pytest.fixture
def session(tmp_path):
    session = Session(tmp_path)
    session.put("a.py", GOOD)
    session.commit()
    return session


@pytest.mark.parametrize("name", CASES)
def test_the_words(session, name):
    reply, _, output = CASES[name](session)
    text = output.get("permissionDecisionReason") or output["additionalContext"]
    text = text.replace(os.environ["HOME"], "HOME")
    said = f"[status {reply.status}]\n{DECISION.sub('dXXXXXXXXXX', text)}\n"
    same_as(FOLDER / f"{name}.txt", said)
    assert len(text) <= 9_500, "what a client shows"


def same_as(file, said):
    if os.environ.get("VETGATE_SNAPSHOTS") == "write":
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(said)
    assert file.read_text() == said


def test_the_words_at_a_commit(tmp_path):
    clone = Clone(tmp_path).gated()
    clone.git("add", "-A")
    clone.git("commit", "-q", "--no-verify", "-m", "begin")
    clone.put("a.py", BAD + HASH)
    clone.git("add", "a.py")
    said = clone.stopped("commit", "-m", "bad")
    said = re.sub(r"\([0-9.]+ m?s\)", "(TIME)", DECISION.sub("dXXXXXXXXXX", said))
    same_as(SNAPSHOTS / "git" / "commit.txt", said)


def test_the_task_is_kept_short_and_for_the_session_alone(session):
    store = session.app.project(session.root).store
    session.send("UserPromptSubmit", prompt="word " * 400)
    assert len(store.task(session.id)) == 200
    session.write("a.py", BAD)
    assert store.attempts(session.id, 0)
    session.send("SessionEnd", reason="exit")
    assert store.task(session.id) == ""
    assert store.attempts(session.id, 0) == []


def test_every_snapshot_is_of_a_case():
    assert {file.stem for file in FOLDER.iterdir()} == CASES.keys()
