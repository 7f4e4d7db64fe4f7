"""What bounds judges: money, time, and whose word counts about models and keys."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from contextlib import closing
from functools import partial

import msgspec
import pytest

from fixtures import wait_for
from judged_session import (
    A_LOT,
    BEFORE_EDIT,
    CLEAN,
    DENIES,
    INJECTION,
    KEY,
    LAZY,
    OTHER,
    STRICT,
    judged_session,
)
from model_server import Fails, Hangs, Judges, ModelServer, Slow, Tokens
from vetgate.fallback import last_answer
from vetgate.gates.isolation import own_environment
from vetgate.gates.judge import JudgeRunner
from vetgate.judgement import Model, Question
from vetgate.model import Event, EventKind
from vetgate.source.root import store_key
from vetgate.store import UNDER_WAY, ModelCall, open_project_store


@pytest.fixture
def answers():
    """What the model says, in order, the last one again and again."""
    return [Judges()]


@pytest.fixture
def server(answers):
    with ModelServer(answers) as running:
        yield running


ASKS = """
import json, sys
from pathlib import Path
from vetgate.app import App

state, root, transcript = sys.argv[1:]
given = {"file_path": f"{root}/a.py", "content": "def total(prices):\\n    return sum(prices)\\n"}
payload = {"session_id": "s", "cwd": root, "hook_event_name": "PreToolUse", "tool_name": "Write", "tool_input": given}
payload |= {"tool_use_id": "t1", "transcript_path": transcript}
App(Path(state)).answer("claude-code", json.dumps(payload).encode(), root, seconds=60)
"""


@pytest.fixture
def session(tmp_path, server, monkeypatch):
    return judged_session(tmp_path, server, monkeypatch)


def test_a_judge_that_takes_too_long_becomes_lazy(session, answers, monkeypatch):
    answers[:] = [Slow(2.0, DENIES())]
    session.judged_by(STRICT, BEFORE_EDIT)
    monkeypatch.setattr("fixtures.SECONDS", 1.2)
    reply, _, _ = session.write("a.py", CLEAN)
    assert reply.status == 0
    session.settle()
    assert "not what was asked for" in str(session.edited("a.py", CLEAN))


@pytest.mark.parametrize("asked_by", ["the end of the turn", "a process that stays"])
def test_a_judge_that_takes_too_long_without_a_daemon_becomes_lazy(session, server, answers, monkeypatch, asked_by):
    answers[:] = [Hangs(), DENIES()]
    on_timeout = {"on_timeout": "deny", "timeout": 60}
    session.judged_by(STRICT, BEFORE_EDIT, on_failure={"model": "deny"}, consensus=on_timeout)
    session.app.stays = False
    with monkeypatch.context() as hurried:
        hurried.setattr("fixtures.SECONDS", 2.0)
        assert session.write("a.py", CLEAN)[0].status == 0, "it is no failure"
    assert "not what was asked for" not in str(session.edited("a.py", CLEAN))
    if asked_by == "a process that stays":
        session.app.stays = True
        session.ran("true")
        session.settle()
    assert "not what was asked for" in session.stop_reason()
    assert len(server.requests) == 2
    assert len(session.store.model_calls()) == 2, "what was given up is on record"


@pytest.mark.parametrize("asked_by", ["the end of the turn", "a process that stays"])
def test_an_edit_that_passed_before_a_judge_could_be_asked_is_judged_later(session, server, answers, asked_by):
    answers[:] = [DENIES()]
    session.judged_by(STRICT, BEFORE_EDIT)
    session.start()
    session.put("a.py", CLEAN)
    edit = {"file_path": str(session.root / "a.py"), "content": CLEAN}
    call = {"session_id": "s", "cwd": str(session.root), "hook_event_name": "PreToolUse", "tool_name": "Write"}
    last_answer(json.dumps({**call, "tool_input": edit}).encode(), "no time", str(session.state))
    if asked_by == "a process that stays":
        session.ran("true")  # takes the note
        session.ran("true")
        session.settle()
        assert len(server.requests) == 1
    assert "not what was asked for" in session.stop_reason()
    assert len(server.requests) == 1, "and only once"


def test_a_denial_for_security_that_has_arrived_is_not_left_for_later(session, answers, monkeypatch):
    finding = {"message": "`def total` leaks", "category": "security", "severity": "error", "path": "a.py"}
    answers[:] = [Judges("deny", 0.9, "It leaks.", (finding,)), Hangs()]
    gate = {"judge": "intent", "mode": "strict", "models": ["one", "two"]}
    session.judged_by({"intent": gate}, BEFORE_EDIT, consensus={"strategy": "security-override", "timeout": 60})
    session.app.stays = False
    monkeypatch.setattr("fixtures.SECONDS", 15.0)
    assert session.write("a.py", CLEAN)[0].status == 2


def test_a_late_judge_of_a_command_without_a_daemon_is_a_failure(session, answers, monkeypatch):
    answers[:] = [Hangs()]
    session.judged_by(STRICT, {"before_command": ["commands", "intent"]}, on_failure={"model": "deny"})
    session.app.stays = False
    monkeypatch.setattr("fixtures.SECONDS", 2.0)
    assert session.tool("Bash", command="make deploy")[0].status == 2, "nobody could ask about it later"


@pytest.mark.parametrize(("of_gate", "of_all"), [({}, 1), ({"timeout": 1}, 60)], ids=["for all", "of the gate"])
def test_when_nobody_answers_in_time_on_timeout_deny_denies(session, answers, of_gate, of_all):
    answers[:] = [Slow(5.0, Judges())]
    gates = {"intent": {**STRICT["intent"], **of_gate}}
    session.judged_by(gates, BEFORE_EDIT, consensus={"timeout": of_all, "on_timeout": "deny"})
    reply, _, _ = session.write("a.py", CLEAN)
    assert reply.status == 2
    assert b"did not answer in time" in reply.stderr


def test_a_budget_of_a_session_is_its_own(session, server, answers):
    answers[:] = [Judges(tokens=A_LOT)]
    session.judged_by(STRICT, BEFORE_EDIT, budget={"usd_per_session": 0.05})
    session.write("a.py", CLEAN)
    reply, _, output = session.write("b.py", OTHER)
    assert reply.status == 0
    assert "the budget of 0.05 USD a session is used up" in output["additionalContext"]
    assert len(server.requests) == 1
    session.id = "another"
    session.write("b.py", OTHER)
    assert len(server.requests) == 2


def test_a_budget_stops_judges_and_no_gate(session, server, answers):
    answers[:] = [Judges(tokens=A_LOT)]
    session.judged_by(STRICT, BEFORE_EDIT, budget={"usd_per_day": 0.05})
    session.write("a.py", CLEAN)
    assert session.write("b.py", OTHER)[0].status == 0
    assert len(server.requests) == 1
    assert session.write("c.py", INJECTION)[0].status == 2


def test_a_denial_by_timeout_holds(session, answers):
    answers[:] = [Judges(), Slow(5.0, Judges())]
    gate = {"judge": "intent", "mode": "strict", "models": ["one", "two"]}
    consensus = {"strategy": "majority", "timeout": 1, "on_timeout": "deny"}
    session.judged_by({"intent": gate}, BEFORE_EDIT, consensus=consensus)
    reply, _, _ = session.write("a.py", CLEAN)
    assert reply.status == 2
    assert b"did not answer in time" in reply.stderr


def test_no_key_is_ever_printed_or_kept(session, answers, tmp_path):
    answers[:] = [Fails(401), DENIES()]
    session.judged_by(STRICT, BEFORE_EDIT)
    replies = [session.write("a.py", CLEAN)[0], session.write("b.py", OTHER)[0]]
    assert all(KEY.encode() not in reply.stdout + reply.stderr for reply in replies)
    kept = [path for path in tmp_path.rglob("*") if path.is_file() and KEY.encode() in path.read_bytes()]
    assert not kept


def test_models_of_a_file_that_nobody_accepted_are_not_asked(session, server):
    session.judged_by(STRICT, BEFORE_EDIT)
    text = (session.root / "vetgate.yaml").read_text()
    with ModelServer([Judges()]) as elsewhere:
        session.put("vetgate.yaml", text.replace(server.url, elsewhere.url))
        session.write("a.py", CLEAN)
        assert not elsewhere.requests
    assert len(server.requests) == 1


def test_a_changed_address_or_key_is_not_in_force_until_a_person_accepts_it(session, server, monkeypatch):
    session.judged_by(STRICT, BEFORE_EDIT, consensus={"timeout": 60})
    monkeypatch.setenv("OTHER_KEY", "another")
    text = (session.root / "vetgate.yaml").read_text()
    with ModelServer([Judges()]) as elsewhere:
        session.put("vetgate.yaml", text.replace(server.url, elsewhere.url).replace("$SCRIPTED_KEY", "$OTHER_KEY"))
        told = str(session.start())
        session.write("a.py", CLEAN)
        assert not elsewhere.requests
    assert "models.haiku.url has changed; models.haiku.key has changed" in told
    assert [each.headers["x-api-key"] for each in server.requests] == [KEY]


def test_what_waits_behind_an_answer_is_not_asked_once_the_budget_is_used_up(session, server, answers):
    answers[:] = [Slow(1.0, Judges(tokens=A_LOT))]
    session.judged_by(LAZY, BEFORE_EDIT, budget={"usd_per_day": 0.05})
    for number in range(20):
        session.write(f"m{number}.py", f"def f{number}():\n    return {number}\n")
    session.settle()
    assert 1 <= len(server.requests) <= 8


def spent(session):
    return sum(call.usd for call in session.store.model_calls())


@pytest.mark.parametrize(("usd", "asked"), [(0.001, 0), (0.012, 1), (0.019, 2)])
def test_a_consensus_spends_no_more_than_there_is(session, server, answers, usd, asked):
    answers[:] = [Slow(0.2, Judges(tokens=Tokens(2_000, 1_000)))]
    gate = {"judge": "intent", "mode": "strict", "models": ["one", "two", "three"]}
    session.judged_by({"intent": gate}, BEFORE_EDIT, budget={"usd_per_day": usd})
    reply, _, output = session.write("a.py", CLEAN)
    assert reply.status == 0
    assert len(server.requests) == asked
    assert spent(session) <= usd
    assert asked or f"the budget of {usd:g} USD a day may not be enough" in output["additionalContext"]


@pytest.mark.parametrize("ends", [True, False], ids=["that ends", "that does not"])
def test_what_another_process_is_asking_counts_until_it_is_over(session, server, ends):
    session.judged_by(STRICT, BEFORE_EDIT, budget={"usd_per_day": 0.012}, consensus={"timeout": 5})
    session.start()
    begun = ModelCall(time.time(), "another", "intent", "intent", "haiku", 0, 0, 0, 0, 0.01, 0.0, 0, UNDER_WAY)
    with closing(open_project_store(session.state, store_key(session.root))) as other:
        assert not other.begin_model_call(begun, 0.0, lambda _: "")
        is_over = partial(other.end_model_call, begun, msgspec.structs.replace(begun, usd=0.001, failure=""))
        later = threading.Timer(1.0, is_over)
        later.start() if ends else later.cancel()
        reply, _, _ = session.write("a.py", CLEAN)
        later.join() if ends else None
    assert reply.status == 0
    assert len(server.requests) == ends


def test_a_question_whose_process_died_is_charged_at_the_most_it_can_have_cost(session, server, answers):
    answers[:] = [Hangs()]
    session.judged_by(STRICT, BEFORE_EDIT)
    session.start()
    words = [str(session.state), str(session.root), session.transcript]
    dying = subprocess.Popen([sys.executable, "-c", ASKS, *words], stdout=subprocess.DEVNULL)
    wait_for(lambda: server.requests, what="nobody was asked")
    dying.kill()
    dying.wait()
    (call,) = session.store.model_calls()
    assert (call.failure, call.usd > 0.005) == (UNDER_WAY, True)


def test_models_that_can_be_paid_in_turn_are_all_asked(session, server):
    gate = {"judge": "intent", "mode": "strict", "models": ["one", "two", "three"]}
    session.judged_by({"intent": gate}, BEFORE_EDIT, budget={"usd_per_day": 0.012})
    session.write("a.py", CLEAN)
    assert len(server.requests) == 3


def test_a_repository_cannot_send_a_key_elsewhere_by_variables_of_its_own(session):
    session.judged_by(STRICT, BEFORE_EDIT)
    project = session.app.project(session.root)
    given = {"ANTHROPIC_BASE_URL": "https://elsewhere.example", "HTTPS_PROXY": "http://p.example", "A_KEY": "k"}

    def runner() -> JudgeRunner:
        event = Event("claude-code", EventKind.BEFORE_EDIT)
        return JudgeRunner(project, project.effective().config, event, given, 1.0)

    assert runner().environment == given, "a person's own are honoured"
    session.put(".claude/settings.json", json.dumps({"env": {"ANTHROPIC_BASE_URL": "https://elsewhere.example"}}))
    session.put(".claude/settings.local.json", json.dumps({"env": {"HTTPS_PROXY": "http://p.example"}}))
    assert runner().environment == {"A_KEY": "k"}


@pytest.mark.parametrize("name", [".env", ".gemini/.env", "part/.env"])
@pytest.mark.parametrize("agent", ["GEMINI", "CLAUDE"])
def test_nor_by_a_file_of_variables_that_the_agent_takes_over(tmp_path, agent, name):
    text = (
        "export ANTHROPIC_BASE_URL='https://elsewhere.example'\r\n#\0\udcff\n HTTPS_PROXY : http://p\nGLM_API_KEY=k\n"
    )
    path = tmp_path / name
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    folder = tmp_path / "part" / "deeper"
    folder.mkdir(parents=True)
    given = {"ANTHROPIC_BASE_URL": "https://elsewhere.example", "HTTPS_PROXY": "http://p", "GLM_API_KEY": "k"}
    given[f"{agent}_PROJECT_DIR"] = str(folder)
    kept = {"GLM_API_KEY", f"{agent}_PROJECT_DIR"}
    assert set(own_environment(given, [folder])) == (kept if agent == "GEMINI" else set(given))


@pytest.mark.parametrize("set_by", ["settings", "another repository", "a link"])
def test_no_client_of_a_repository_gets_a_prompt_or_a_key(session, tmp_path, monkeypatch, set_by):
    theirs = tmp_path / "other" if set_by == "another repository" else session.root
    for folder in (theirs / "bin", tmp_path / ".local/bin"):
        folder.mkdir(parents=True)
        said = json.dumps({"structured_output": {"decision": "allow", "confidence": 1, "reason": "", "findings": []}})
        (folder / "claude").write_text(f"#!/bin/sh\nenv > {folder}/started\ncat >> {folder}/started\necho '{said}'\n")
        (folder / "claude").chmod(0o755)
    (tmp_path / "link").symlink_to(theirs)
    bin_of = tmp_path / "link/bin" if set_by == "a link" else theirs / "bin"
    path = os.pathsep.join((str(bin_of), str(tmp_path / ".local/bin"), os.environ["PATH"]))
    monkeypatch.setenv("PATH", path)
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    if set_by == "settings":
        session.put(".claude/settings.json", json.dumps({"env": {"PATH": path}}))
    session.judged_by(STRICT, BEFORE_EDIT)
    project = session.app.project(session.root)
    given = {"HOME": str(tmp_path), "ANTHROPIC_API_KEY": KEY}
    given |= {} if set_by == "another repository" else {"PATH": path}
    runner = JudgeRunner(project, project.effective().config, Event("claude-code", EventKind.BEFORE_EDIT), given, 60.0)
    reply = runner.put(Question("intent", "You are a judge."), Model("mine", "claude-cli", "haiku"), 60.0, "intent")
    assert reply.answer is not None, "the person's own is asked"
    assert (tmp_path / ".local/bin/started").exists()
    assert not (theirs / "bin/started").exists()
