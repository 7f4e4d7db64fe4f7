"""`vetgate log`: filtered, followed, exported, verified; and what `explain` says would have changed an answer."""

from __future__ import annotations

import contextlib
import json
import os
import re
import sqlite3
import subprocess
import sys
import time

import pytest

from fixtures import BAD, GOOD, Session
from test_waivers import WEAK, person, waiver  # noqa: F401 - a fixture
from vetgate.store import Hand


@pytest.fixture
def session(tmp_path, home, monkeypatch):
    """Two sessions that did a few things, in the folder where the command line looks."""
    made = Session(tmp_path)
    monkeypatch.setenv("VETGATE_STATE_DIR", str(made.state))
    made.trust("version: 1\n")
    made.write("src/a.py", BAD)
    made.write("src/b.py", GOOD)
    made.id = "another"
    made.write("lib/c.py", WEAK)
    made.tool("Bash", command="rm -rf ~")
    return made


def ids(said):
    return [line.split()[2] for line in said.out.splitlines()]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ([], ["accepted", "block", "allow", "block", "block"]),
        (["--decision", "accepted"], ["accepted"]),
        (["--session", "s"], ["block", "allow"]),
        (["--session", "another"], ["block", "block"]),
        (["--decision", "allow"], ["allow"]),
        (["--decision", "allow", "--decision", "block"], ["block", "allow", "block", "block"]),
        (["--rule", "complexity/cyclomatic"], ["block"]),
        (["--rule", "security"], ["block"]),
        (["--rule", "fast-password-hash"], ["block"]),
        (["--path", "src/**"], ["block", "allow"]),
        (["--since", "1h"], ["accepted", "block", "allow", "block", "block"]),
        (["--since", "2099-01-01"], []),
        (["--last", "1"], ["block"]),
        (["--last", "0"], []),
    ],
    ids=lambda each: " ".join(each) or "none",
)
def test_filters(session, call, words, expected):
    said = call("log", *words)
    assert said.status == 0, said.err
    assert [line.split()[3] for line in said.out.splitlines()] == expected


def test_every_decision_says_who_what_where_how_sure_and_how_long(session, call):
    first = json.loads(call("log", "--format", "jsonl").out.splitlines()[1])
    assert {
        "id",
        "time",
        "session",
        "event",
        "agent",
        "client",
        "gates",
        "findings",
        "elapsed_ms",
        "cost",
    } <= first.keys()
    finding = first["findings"][0]
    wanted = {"gate", "check", "rule", "severity", "confidence", "evidence", "fingerprint", "line", "path"}
    assert wanted <= finding.keys()
    assert json.loads(call("log", "--format", "json").out)[1] == first


def test_the_audit_record_of_the_judge_hook(session, call):
    first, second, *_, command = map(json.loads, call("log", "--format", "audit").out.splitlines())
    assert (first["file"], first["decision"], first["sessionId"]) == ("src/a.py", "deny", "s")
    assert first["issuesCount"] == len(first["issues"]) > 0
    assert {"type", "severity", "message"} <= first["issues"][0].keys()
    assert first["metrics"]["complexity"]["cyclomaticComplexity"] == 13
    assert first["timestamp"].endswith("Z")
    assert (second["decision"], second["issues"], second["confidence"]) == ("allow", [], 1.0)
    assert (command["file"], command["issues"][0]["type"]) == ("", "unsafe-command")


def test_the_audit_record_names_what_a_command_has_changed(session, call):
    session.put("lib/d.py", WEAK)
    session.tool("Bash", event="PostToolUse", command="cp lib/c.py lib/d.py")
    *_, last = map(json.loads, call("log", "--format", "audit").out.splitlines())
    assert (last["file"], last["issues"][0]["type"]) == ("lib/d.py", "security")


@pytest.mark.parametrize(
    ("lines", "version"),
    [
        (['{"type": "user", "version": "2.1.325"}', '{"type": "assistant"}'], "2.1.325"),
        (['{"version": "2.1.300"}', '{"version": "2.1.325"}', '{"version": '], "2.1.325"),
        (['{"message": {"version": "9.9.9"}}'], ""),
        (['{"version": 3}', '{"version": "rm -rf"}', '["version"]'], ""),
        (["x" * 300_000, '{"version": "2.1.325"}'], "2.1.325"),
    ],
    ids=["said", "the newest says", "of something else", "nonsense", "behind much text"],
)
def test_the_version_of_the_client_is_what_its_transcript_says(session, call, tmp_path, lines, version):
    transcript = tmp_path / "transcript.jsonl"
    transcript.write_text("\n".join(lines))
    tool_input = {"file_path": str(session.root / "d.py"), "content": WEAK}
    session.send("PreToolUse", tool_name="Write", tool_input=tool_input, transcript_path=str(transcript))
    assert json.loads(call("log", "--format", "json").out)[-1]["client"] == version


def test_a_transcript_that_is_a_pipe_makes_nobody_wait(session, tmp_path):
    os.mkfifo(tmp_path / "pipe")
    session.send("PreToolUse", tool_name="Bash", tool_input={"command": "ls"}, transcript_path=str(tmp_path / "pipe"))


def test_verify(session, call):
    assert call("log", "--verify").out == "5 decisions, each as it was written\n"
    file = session.app.project(session.root).store.file
    with contextlib.closing(sqlite3.connect(file)) as other:
        other.execute("DELETE FROM decision WHERE seq = 2")
        other.commit()
    said = call("log", "--verify")
    assert said.status == 1
    assert "row 2 is gone" in said.out


@pytest.mark.parametrize("harm", ["damaged", "deleted"])
def test_verify_of_a_store_that_is_not_there_any_more_fails(session, call, harm):
    file = session.app.project(session.root).store.file
    session.app.project(session.root).store.close()
    for path in file.parent.glob("store.db*"):
        path.unlink(missing_ok=True)
    if harm == "damaged":
        file.write_bytes(b"\xff" * 9000)
    for _ in range(2):
        said = call("log", "--verify")
        assert said.status == 1
        assert f"the store was {harm}" in said.out
        assert "vetgate trust" in said.out
    kept = [path.read_bytes() for path in file.parent.glob("store.damaged-*")]
    assert kept == ([b"\xff" * 9000] if harm == "damaged" else [])
    assert harm in call("doctor", "--format", "json").out


def test_a_waiver_is_on_record(session, call):
    session.app.project(session.root).store.waive(waiver("security", "lib/**"), Hand("ann", "pts/7"))
    said = call("log", "--last", "1")
    assert "security in lib/** waived (until" in said.out
    assert "by ann on pts/7, 20" in said.out
    assert "an old friend" in said.out
    assert call("explain", said.out.split()[2]).out.strip() == said.out.strip()
    assert call("log", "--decision", "waived", "--rule", "security").out == said.out


def test_follow_prints_what_comes(session, tmp_path):
    words = [sys.executable, "-m", "vetgate", "log", "--follow", "--format", "jsonl", "--path", "new.py"]
    with subprocess.Popen(words, cwd=session.root, env={**os.environ}, stdout=subprocess.PIPE, text=True) as process:
        session.write("other.py", GOOD)
        session.write("new.py", GOOD)
        assert json.loads(process.stdout.readline())["files"] == ["new.py"]
        process.terminate()


@pytest.mark.parametrize(
    ("words", "said"),
    [(["--since", "soon"], "is not a time"), (["--path", ""], ""), (["--path", "[z-a]"], "--path")],
    ids=["a moment", "no glob", "a wrong glob"],
)
def test_wrong_usage(session, call, words, said):
    assert said in call("log", *words).err


def test_where_nothing_is_recorded(tree, call):
    assert "nothing is recorded" in call("log").err


def decision_of(session, name):
    store = session.app.project(session.root).store
    return next(row.id for row in store.decisions() if name in str(row.stored))


@pytest.mark.parametrize(
    ("name", "told"),
    [
        (
            "src/a.py",
            ["complexity/cyclomatic of 10 or less, not 13 (the limit is `complexity.cyclomatic`)", "vetgate waive "],
        ),
        ("lib/c.py", ["vetgate waive ", "`rules: {security/fast-password-hash: warning}`", "gates.code.block_at"]),
        (
            "unsafe-command",
            [
                "`commands.effects.deletes-files` set to ask or allow",
                "vetgate allow CODE",
                "finding  the command  error",
            ],
        ),
    ],
    ids=["a measure", "a rule", "a command"],
)
def test_explain_says_what_would_have_changed_the_answer(session, call, name, told):
    said = call("explain", decision_of(session, name)).out
    assert "what would have changed the verdict" in said
    for each in told:
        assert each in said


def test_an_answer_that_stopped_nobody_has_nothing_to_change(session, call):
    assert "would have changed" not in call("explain", decision_of(session, "src/b.py")).out


def test_rows_carry_their_time(session, call):
    (first, *_) = json.loads(call("log", "--format", "json").out)
    assert abs(time.time() - session.app.project(session.root).store.decisions()[-1].time) < 3600
    assert first["time"].startswith(time.strftime("%Y-", time.gmtime()))


def test_the_command_is_named(session, call):
    last = call("log").out.splitlines()[-1]
    assert "`rm -rf ~`" in last
    [name] = [word for word in last.split() if re.fullmatch("d[0-9a-f]{10}", word)]
    assert "  command  rm -rf ~" in call("explain", name).out.splitlines()


class TestSummary:
    def test_what_the_last_session_came_to(self, session, call):
        said = call("summary")
        assert said.status == 0, said.err
        head, refused, *rest = said.out.splitlines()
        assert head.startswith("session another, ")
        assert "2 calls judged" in head
        assert refused.split() == ["refused", "2"]
        assert "rm -rf ~" not in head
        assert any("lib/c.py" in line and "security/" in line for line in rest)

    def test_what_was_left_to_the_person_is_not_refused(self, session, call):
        reply = session.send(
            "PreToolUse", tool_name="Bash", tool_input={"command": "npm publish"}, permission_mode="default"
        )[0]
        assert b'"ask"' in reply.stdout
        lines = call("summary").out.splitlines()
        assert ["asked", "you", "1"] in [line.split() for line in lines]
        assert "npm publish" not in "".join(lines[: lines.index("asked you    1")])

    def test_what_was_corrected(self, session, call):
        session.id = "s"
        session.write("src/a.py", GOOD)
        found = json.loads(call("summary", "--session", "s", "--format", "json").out)
        assert found["judged"] == 3
        assert [each["about"] for each in found["refused"]] == ["src/a.py"]
        assert found["corrected"]["complexity/cyclomatic"] == 1

    def test_a_session_that_nobody_knows(self, session, call):
        said = call("summary", "--session", "x")
        assert (said.status, "no session 'x' is on record" in said.err) == (3, True)
