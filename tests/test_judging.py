"""Judges in the gate, through the real program and a scripted model on loopback."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from fixtures import wait_for
from injections import TEXTS
from judged_session import (
    BEFORE_EDIT,
    CLEAN,
    DENIES,
    INJECTION,
    LAZY,
    OTHER,
    STRICT,
    WRONG,
    judged_session,
)
from model_server import Fails, Hangs, Judges, ModelServer, Slow
from secret_samples import chance
from vetgate.gates.judge import JudgeRunner
from vetgate.model import Change, Event, EventKind, File
from vetgate.store import Job, SessionMark


@pytest.fixture
def answers():
    """What the model says, in order, the last one again and again."""
    return [Judges()]


@pytest.fixture
def server(answers):
    with ModelServer(answers) as running:
        yield running


@pytest.fixture
def session(tmp_path, server, monkeypatch):
    return judged_session(tmp_path, server, monkeypatch)


def test_a_strict_judge_that_denies_stops_an_edit_and_says_why(session, server, answers):
    answers[:] = [DENIES()]
    session.judged_by(STRICT, BEFORE_EDIT)
    reply, _, _ = session.write("a.py", CLEAN)
    assert reply.status == 2
    assert b"not what was asked for" in reply.stderr
    assert len(server.requests) == 1
    assert "authority" not in server.requests[0].text, "no tag in a message speaks for anybody but its author"


def test_one_that_allows_says_nothing_and_is_on_record_with_its_cost(session, server):
    session.judged_by(STRICT, BEFORE_EDIT)
    reply, _, _ = session.write("a.py", CLEAN)
    assert (reply.status, reply.stdout) == (0, b"")
    assert len(server.requests) == 1
    (call,) = session.store.model_calls()
    assert (call.judge, call.model, call.input, call.output, call.failure) == ("intent", "haiku", 100, 20, "")
    assert call.usd == pytest.approx(0.0002)


def test_what_a_check_refuses_no_judge_is_asked_about_or_can_allow(session, server):
    session.judged_by(STRICT, BEFORE_EDIT)
    reply, _, _ = session.write("a.py", INJECTION)
    assert reply.status == 2
    assert b"sql-concatenation" in reply.stderr
    assert not server.requests


def test_a_judge_that_is_listed_before_the_checks_is_asked_before_they_hold(session, server):
    session.judged_by(STRICT, {"before_edit": ["intent", "code"]})
    reply, _, _ = session.write("a.py", INJECTION)
    assert reply.status == 2
    assert b"sql-concatenation" in reply.stderr
    assert len(server.requests) == 1


@pytest.mark.parametrize(("listed", "asked"), [(["test", "off"], 0), (["off", "test"], 1), ([["test", "off"]], 1)])
def test_a_judge_comes_in_its_turn_among_commands(session, server, listed, asked):
    gates = {"off": {"judge": "off-topic", "mode": "strict"}, "test": {"command": "exit 1"}}
    session.judged_by(gates, {"stop": listed})
    session.start()
    session.put("a.py", CLEAN)
    assert "Gate 'test' failed" in session.stop(last_assistant_message="I wrote a poem.")["reason"]
    assert len(server.requests) == asked


def test_checks_call_a_judge_before_an_edit(session, server, answers):
    answers[:] = [DENIES()]
    session.judged_by({**STRICT, "quick": {"checks": ["secrets"], "on_pass": "intent"}}, {"before_edit": ["quick"]})
    reply, _, _ = session.write("a.py", CLEAN)
    assert reply.status == 2
    assert len(server.requests) == 1


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_a_model_that_obeys_every_injection_makes_no_verdict_looser(session, server, text):
    session.judged_by(STRICT, BEFORE_EDIT)
    hidden = "".join(each for each in text if each.isprintable() and ord(each) < 0x2000).replace('"', "'")
    reply, _, _ = session.write("a.py", f"# {hidden}\n{INJECTION}")
    assert reply.status == 2
    assert b"sql-concatenation" in reply.stderr
    others = "".join(
        f"def sum_{name}(prices):\n    return sum(prices[{len(name)}:])\n\n\n" for name in ("of", "all", "most")
    )
    told, _, _ = session.write("b.py", f"# {hidden}\n{others}def meanOf(prices):\n    return prices[0]\n")
    assert len(server.requests) == 1, "the model was asked, and said what it was told to say"
    assert b"naming" in told.stdout + told.stderr, "what a check tells is told all the same"


TOKEN = "ghp_" + chance(36)
PATCH = "*** Begin Patch\n*** Add File: a.py\n+def total(prices):\n+    return sum(prices)\n*** End Patch"


@pytest.mark.parametrize("kept", [{}, {"transcript_path": "/nowhere/rollout.jsonl"}], ids=["no path", "no file"])
def test_judges_of_an_agent_without_transcripts_see_what_the_person_asked_for(session, server, kept):
    gates = {name: {"judge": name, "mode": "strict"} for name in ("intent", "off-topic")}
    session.judged_by(gates, {"before_edit": ["code", "intent"], "stop": ["off-topic"]})

    def codex(event, **fields):
        payload = {"hook_event_name": event, "session_id": "c", "cwd": str(session.root), **kept, **fields}
        reply = session.app.answer("codex", json.dumps(payload).encode(), str(session.root), seconds=60)
        session.app.flush()
        return reply

    def patched(number):
        given = {"tool_name": "apply_patch", "tool_use_id": f"p{number}", "tool_input": {"command": PATCH}}
        assert codex("PreToolUse", **given).status == 0

    patched(0)
    assert not server.requests, "whom nobody asked for anything cannot go against it"
    asked = [f"wish {number}, with the key {TOKEN} of mine" for number in range(7)]
    for words in asked:
        codex("UserPromptSubmit", prompt=words)
    patched(1)
    text = server.requests[-1].text
    assert [f"wish {number}" in text for number in range(7)] == [False] * 4 + [True] * 3, "as many as its preset says"
    assert TOKEN not in text
    assert TOKEN not in str(session.store.subjects("c", "", SessionMark.PROMPTS))
    codex("Stop", stop_hook_active=False, last_assistant_message="I wrote a poem.")
    assert "wish 2" in server.requests[-1].text
    assert "I wrote a poem." in server.requests[-1].text
    codex("SessionEnd")
    assert not session.store.subjects("c", "", SessionMark.PROMPTS)
    session.said("UserPromptSubmit", prompt="go on")
    assert not session.store.subjects(session.id, "", SessionMark.PROMPTS), (
        "where there is a transcript nothing is kept"
    )


ENDS = {
    "codex": {"hook_event_name": "Stop", "session_id": "c", "last_assistant_message": "It is done."},
    "copilot": {"sessionId": "c", "stopReason": "end_turn"},
    "gemini": {"hook_event_name": "AfterAgent", "session_id": "c", "prompt_response": "It is done."},
    "qwen": {"hook_event_name": "Stop", "session_id": "c", "last_assistant_message": "It is done."},
}


@pytest.mark.parametrize("name", ENDS)
def test_a_judge_sees_the_conversation_with_any_agent_that_keeps_it(name, session, server, tmp_path, monkeypatch):
    session.judged_by({"off-topic": {"judge": "off-topic", "mode": "strict"}}, {"stop": ["off-topic"]})
    talk = tmp_path / "session-state" / "c" / "events.jsonl"
    talk.parent.mkdir(parents=True)
    talk.write_bytes((Path(__file__).parent / "data" / "transcripts" / f"{name}.jsonl").read_bytes())
    monkeypatch.setenv("COPILOT_HOME", str(tmp_path))  # its events do not always say where that is
    payload = ENDS[name] | {"cwd": str(session.root)} | ({} if name == "copilot" else {"transcript_path": str(talk)})
    session.app.answer(name, json.dumps(payload).encode(), str(session.root), seconds=60)
    assert "Please write good.py with a greeting" in server.requests[-1].text
    assert "All is written." in server.requests[-1].text


def test_what_a_lazy_judge_allowed_is_put_on_record_behind_the_next_answer(session, answers, monkeypatch):
    answers[:] = [Judges(reason="As asked for.")]
    session.judged_by(LAZY, BEFORE_EDIT)
    session.write("a.py", CLEAN)
    session.settle()
    session.put("a.py", CLEAN)

    def kept():
        jobs = session.store.jobs_of(str(session.root), "s")
        return [(job.path, job.owner) for job in jobs if job.outcome is not None]

    def recorded():
        return sum("As asked for." in str(row.stored) for row in session.store.decisions())

    with monkeypatch.context() as held:
        held.setattr(session.app, "flush", lambda: None)
        assert session.write("b.py", OTHER)[0].stdout == b""
    assert (kept(), recorded()) == ([("a.py", "")], 0), "nobody waits for its answer"
    session.app.flush()
    session.settle()
    assert (kept(), recorded()) == ([("b.py", "")], 1)


def test_a_lazy_judge_is_told_after_the_edit_has_landed(session, server, answers):
    answers[:] = [DENIES()]
    session.judged_by(LAZY, BEFORE_EDIT)
    reply, _, _ = session.write("a.py", CLEAN)
    assert (reply.status, reply.stdout) == (0, b"")
    session.settle()
    assert len(server.requests) == 1
    told = session.edited("a.py", CLEAN)
    assert "not what was asked for" in str(told)
    assert "not what was asked for" not in str(session.edited("a.py", CLEAN)), "told once"


def test_a_lazy_denial_stops_the_next_call_once_and_says_that_it_is_about_an_earlier_one(session, server, answers):
    answers[:] = [DENIES(), Judges()]
    session.judged_by(LAZY, BEFORE_EDIT)
    session.write("a.py", CLEAN)
    session.put("a.py", CLEAN)
    session.settle()
    stopped, _, _ = session.write("b.py", OTHER)
    assert stopped.status == 2
    assert b"the judge intent denied an earlier call after it had passed" in stopped.stderr
    assert b"a.py:1" in stopped.stderr
    assert b"Attempt" not in stopped.stderr, "it is no attempt at anything that was refused"
    assert len(server.requests) == 1, "a call that is stopped is not paid for"
    again, _, _ = session.write("b.py", OTHER)
    assert (again.status, again.stdout) == (0, b""), "once, and the same call may be made again"


def test_a_lazy_denial_is_heard_before_anything_leaves(session, answers):
    answers[:] = [DENIES()]
    session.judged_by(LAZY, BEFORE_EDIT)
    session.write("a.py", CLEAN)
    session.put("a.py", CLEAN)
    session.settle()
    looks = session.answer("PreToolUse", tool_name="Read", tool_use_id="r", tool_input={"file_path": "a.py"})
    assert (looks.status, looks.stdout) == (0, b""), "looking is never stopped"
    push = session.answer("PreToolUse", tool_name="Bash", tool_use_id="c", tool_input={"command": "git push"})
    assert push.status == 2
    assert b"vetgate stopped this command: the judge intent denied an earlier call" in push.stderr


def test_a_lazy_denial_is_appealed_before_anybody_hears_of_it(session, server, answers):
    answers[:] = [DENIES(), Judges("allow", 0.9, "The user asked for it.")]
    gates = {"intent": {"judge": "intent", "mode": "lazy", "on_fail": "appeal"}, "appeal": {"judge": "appeal"}}
    session.judged_by(gates, BEFORE_EDIT)
    session.write("a.py", CLEAN)
    session.put("a.py", CLEAN)
    session.settle()
    assert len(server.requests) == 2
    assert "not what was asked for" in server.requests[1].text
    next_call, _, _ = session.write("b.py", OTHER)
    assert next_call.status == 0
    assert session.stop_reason() == ""


def test_an_adjudicator_sees_what_the_others_answered_and_its_price_is_the_dearest(session, server, answers):
    answers[:] = [DENIES(), Judges(), Judges("allow", 0.9, "A false alarm.")]
    model = {"api": "anthropic", "model": "scripted", "url": server.url, "key": "$SCRIPTED_KEY"}
    models = {name: {**model, "price": {"input": 100, "output": 500}} for name in ("one", "two")}
    session.configure(
        models={**models, "opus": model},
        gates={"intent": {"judge": "intent", "mode": "strict", "models": ["one", "two"]}},
        on=BEFORE_EDIT,
        consensus={"strategy": "unanimous", "adjudicator": "opus"},
    )
    assert session.write("a.py", CLEAN)[0].status == 0
    asked = server.requests[2].text
    assert "What other models answered to the same question" in asked
    assert "`def total` is not what was asked for" in asked
    costs = {call.model: call.usd for call in session.store.model_calls()}
    assert costs["opus"] == costs["one"] == pytest.approx(0.02)


def test_a_lazy_denial_that_nobody_heard_holds_the_end_of_the_turn(session, answers):
    answers[:] = [DENIES()]
    session.judged_by(LAZY, BEFORE_EDIT)
    session.write("a.py", CLEAN)
    session.put("a.py", CLEAN)
    session.settle()
    assert "not what was asked for" in session.stop_reason()


def test_what_was_said_about_a_text_that_is_gone_is_dropped(session, answers):
    answers[:] = [DENIES(), Judges()]
    session.judged_by(LAZY, BEFORE_EDIT)
    session.write("a.py", CLEAN)
    session.settle()
    session.write("a.py", OTHER)
    session.settle()
    assert "not what was asked for" not in str(session.edited("a.py", OTHER))


@pytest.mark.parametrize("is_changed", [False, True], ids=["they stay", "one of them changes"])
def test_an_answer_about_several_files_is_told_while_all_of_them_stay(session, answers, is_changed):
    answers[:] = [DENIES()]
    session.judged_by(LAZY, BEFORE_EDIT)
    session.start()
    project = session.app.project(session.root)
    config = project.effective().config
    texts = {"a.py": CLEAN, "lib/b.py": OTHER}
    change = Change(session.root, tuple(File(path, None, text) for path, text in texts.items()))
    event = Event("claude-code", EventKind.BEFORE_EDIT, "s", session.root, change=change)
    event = replace(event, transcript=Path(session.transcript))
    JudgeRunner(project, config, event, os.environ, 60.0, stays=True).begin_later(config.gates["intent"])
    for path, text in texts.items():
        session.put(path, text)
    session.settle()
    if is_changed:
        session.put("lib/b.py", CLEAN)
    assert ("not what was asked for" in str(session.ran("true"))) != is_changed


def test_what_is_denied_again_and_again_is_left_to_a_person(session, answers):
    answers[:] = [DENIES()]
    session.judged_by(STRICT, BEFORE_EDIT)
    told = [session.write("a.py", f"{CLEAN}# {number}\n")[0].stdout for number in range(4)]
    assert b"Attempt 3 of 3" in told[2]
    assert b"person" in told[3], told[3]


@pytest.mark.parametrize("tool", ["Agent", "Task"])
def test_starting_an_agent_waits_for_a_judge(session, server, answers, tool):
    answers[:] = [Judges("deny", 0.95, "Nobody asked for another agent.")]
    session.judged_by({"intent": {"judge": "intent"}}, {"before_tool": ["intent"]})
    given = {"tool_name": tool, "tool_use_id": "t1", "tool_input": {"prompt": "do it", "description": "work"}}
    reply = session.answer("PreToolUse", **given)
    assert reply.status == 2
    assert b"vetgate stopped this call: the judge intent denied it" in reply.stderr
    assert len(server.requests) == 1


def test_looking_around_in_the_project_asks_nobody_and_outside_it_waits(session, server, answers, tmp_path):
    answers[:] = [Judges("deny", 0.95, "Nobody asked for that file.")]
    session.judged_by({"intent": {"judge": "intent"}}, {"before_tool": ["intent"]})
    session.put("a.py", CLEAN)
    (tmp_path / "notes.txt").write_text("of another project\n")

    def read(path):
        return session.answer("PreToolUse", tool_name="Read", tool_use_id="r", tool_input={"file_path": str(path)})

    assert read(session.root / "a.py").status == 0
    assert not server.requests
    assert read(tmp_path / "notes.txt").status == 2


def test_an_edit_in_another_repository_is_judged_by_the_project_that_the_session_began_in(session, server, answers):
    answers[:] = [Judges(), Judges(), Judges(), DENIES()]
    session.judged_by({"intent": {"judge": "intent"}}, BEFORE_EDIT)
    session.start()
    for number in range(3):
        session.write(f"a{number}.py", CLEAN)
    other = session.root.parent / "other"
    session.git("init", "-q", str(other))
    given = {"file_path": str(other / "b.py"), "content": OTHER}
    reply = session.answer("PreToolUse", tool_name="Write", tool_use_id="o", tool_input=given)
    assert reply.status == 2
    assert len(server.requests) == 4


def test_what_a_judge_says_of_no_file_is_told_in_words_of_the_event(session, answers):
    answers[:] = [Judges("deny", 0.95, "Nobody asked for a poem.")]
    gates = {"intent": {"judge": "intent"}, "off-topic": {"judge": "off-topic"}}
    session.judged_by(gates, {"before_command": ["commands", "intent"], "stop": ["code", "off-topic"]})
    held = session.answer("PreToolUse", tool_name="Bash", tool_use_id="c", tool_input={"command": "ls"})
    assert b"vetgate stopped this command: the judge intent denied it. It did not run." in held.stderr
    session.edited("a.py", CLEAN)
    reason = session.stop(last_assistant_message="A poem.")["reason"]
    assert "vetgate stopped the end of this turn: the judge off-topic denied it." in reason
    assert "a.py" not in reason, "it is about no file"


def test_a_late_denial_of_a_command_is_told(session, answers):
    answers[:] = [DENIES()]
    session.judged_by({"intent": {"judge": "intent", "mode": "lazy"}}, {"before_command": ["commands", "intent"]})
    session.answer("PreToolUse", tool_name="Bash", tool_use_id="c", tool_input={"command": "ls"})
    session.settle()
    told = session.answer("PostToolUse", tool_name="Read", tool_use_id="r", tool_input={"file_path": "a.py"})
    assert b"the judge intent denied this call after it had passed" in told.stdout


def test_a_process_that_does_not_stay_leaves_a_lazy_question_to_one_that_does(session, server, answers):
    answers[:] = [DENIES()]
    session.judged_by(LAZY, BEFORE_EDIT)
    session.app.stays = False
    session.write("a.py", CLEAN)
    session.put("a.py", CLEAN)
    session.ran("true")
    assert not server.requests
    session.app.stays = True
    session.ran("true")
    session.settle()
    assert len(server.requests) == 1
    assert "not what was asked for" in str(session.ran("true"))


def test_a_lost_question_about_a_command_is_told_as_not_asked(session):
    session.judged_by(STRICT, {"before_command": ["commands", "intent"]})
    gone = Job("j", str(session.root), "s", "intent", "", "", "a process that is gone")
    session.store.put_job(gone)
    assert "what it came to is lost" in str(session.ran("true"))


def test_a_model_that_fails_is_told_once_and_nothing_else_changes(session, answers):
    answers[:] = [Fails(401)]
    session.judged_by(STRICT, BEFORE_EDIT)
    reply, _, output = session.write("a.py", CLEAN)
    assert reply.status == 0
    assert "refused the key" in output["additionalContext"]
    reply, _, _ = session.write("b.py", OTHER)
    assert (reply.status, reply.stdout) == (0, b"")


def test_a_word_about_a_model_does_not_take_the_place_of_a_question_to_a_person(session, answers):
    answers[:] = [Fails(401)]
    session.judged_by(STRICT, BEFORE_EDIT)
    for number in range(3):
        assert session.write("a.py", f"{INJECTION}# {number}\n")[0].status == 2
    reply, decision, _ = session.write("a.py", f"{INJECTION}# 4\n")
    assert (reply.status, decision) in {(0, "ask"), (2, "deny")}


def test_with_on_failure_deny_a_model_that_fails_stops_the_edit(session, answers):
    answers[:] = [Fails(401)]
    session.judged_by(STRICT, BEFORE_EDIT, on_failure={"model": "deny"})
    assert session.write("a.py", CLEAN)[0].status == 2


def test_without_a_key_everything_else_works(session, server, monkeypatch):
    monkeypatch.delenv("SCRIPTED_KEY")
    session.judged_by(STRICT, BEFORE_EDIT)
    assert session.write("a.py", CLEAN)[0].status == 0
    assert session.write("b.py", INJECTION)[0].status == 2
    assert not server.requests


def test_an_appeal_overturns_the_judge_that_it_appeals(session, server, answers):
    answers[:] = [DENIES(), Judges("allow", 0.9, "The user asked for it.")]
    gates = {"intent": {"judge": "intent", "mode": "strict", "on_fail": "appeal"}, "appeal": {"judge": "appeal"}}
    session.judged_by(gates, BEFORE_EDIT)
    assert session.write("a.py", CLEAN)[0].status == 0
    assert len(server.requests) == 2
    assert "not what was asked for" in server.requests[1].text


def test_an_appeal_that_is_lost_stops_it(session, answers):
    answers[:] = [DENIES(), Judges("deny", 0.9, "It stays denied.")]
    gates = {"intent": {"judge": "intent", "mode": "strict", "on_fail": "appeal"}, "appeal": {"judge": "appeal"}}
    session.judged_by(gates, BEFORE_EDIT)
    reply, _, _ = session.write("a.py", CLEAN)
    assert reply.status == 2
    assert b"It stays denied" in reply.stderr


@pytest.mark.parametrize("appeal", [Fails(401), Judges("deny", 0.9, "It stays.")], ids=["fails", "is lost"])
def test_an_appeal_without_an_answer_overturns_nothing(session, answers, appeal):
    answers[:] = [DENIES(), appeal]
    gates = {"intent": {"judge": "intent", "mode": "strict", "on_fail": "appeal"}, "appeal": {"judge": "appeal"}}
    session.judged_by(gates, BEFORE_EDIT)
    assert session.write("a.py", CLEAN)[0].status == 2


def test_a_lazy_denial_that_could_be_appealed_holds_all_the_same(session, answers):
    answers[:] = [DENIES()]
    gates = {"intent": {"judge": "intent", "mode": "lazy", "on_fail": "appeal"}, "appeal": {"judge": "appeal"}}
    session.judged_by(gates, BEFORE_EDIT)
    session.write("a.py", CLEAN)
    session.put("a.py", CLEAN)
    session.settle()
    assert "not what was asked for" in session.stop_reason()


@pytest.mark.parametrize("path", ["x" * 300, "\udc80.py", "a\x00b"], ids=["long", "surrogate", "nul"])
def test_no_path_that_a_model_makes_up_loses_its_denial(session, answers, path):
    answers[:] = [Judges("deny", 0.9, "no", ({**WRONG, "path": path},))]
    session.judged_by(STRICT, BEFORE_EDIT)
    reply, _, _ = session.write("a.py", CLEAN)
    assert reply.status == 2 or b"(model)" in reply.stdout


def test_the_same_edit_asked_about_twice_is_told_once_and_not_lost(session, answers):
    answers[:] = [Slow(0.5, DENIES())]
    session.judged_by(LAZY, BEFORE_EDIT)
    session.write("a.py", CLEAN)
    session.write("a.py", CLEAN)
    session.settle()
    session.write("a.py", CLEAN)
    session.settle()
    assert "not what was asked for" in str(session.edited("a.py", CLEAN))


def test_a_stubborn_judge_holds_the_end_of_a_turn_three_times(session, answers):
    answers[:] = [Judges("deny", 0.95, "Nobody asked for a poem.")]
    session.judged_by({"off-topic": {"judge": "off-topic"}}, {"stop": ["code", "off-topic"]})
    session.edited("a.py", CLEAN)
    held = [session.stop(last_assistant_message="A poem.").get("decision") for _ in range(4)]
    assert held == ["block", "block", "block", None]


def test_several_models_are_joined_and_who_was_overruled_is_told(session, server, answers):
    answers[:] = [DENIES(), Judges(), Judges()]
    gate = {"judge": "intent", "mode": "strict", "models": ["one", "two", "three"]}
    session.judged_by({"intent": gate}, BEFORE_EDIT, consensus={"strategy": "majority"})
    reply, _, _ = session.write("a.py", CLEAN)
    assert reply.status == 0
    assert b"not what was asked for" in reply.stdout
    assert len(server.requests) == 3


def test_an_off_topic_end_of_a_turn_is_held(session, answers):
    answers[:] = [Judges("deny", 0.95, "Nobody asked for a poem.")]
    session.judged_by({"off-topic": {"judge": "off-topic"}}, {"stop": ["code", "off-topic"]})
    session.edited("a.py", CLEAN)
    held = session.stop(last_assistant_message="Here is a poem about prices.")
    assert held.get("decision") == "block"
    assert "poem" in held["reason"]


def test_one_row_of_the_session_decides_who_waits(session, server):
    session.judged_by({"intent": {"judge": "intent"}}, BEFORE_EDIT)
    for number in range(3):
        session.write(f"a{number}.py", CLEAN)
    assert len(server.requests) == 3
    before = len(session.store.subjects("s", "", "judged_so_far"))
    assert before == 1


@pytest.mark.parametrize("path", ["../secret.txt", "/etc/hostname", ".env", "nowhere.py"])
def test_no_line_is_quoted_from_a_file_that_a_model_names_and_nobody_may_see(session, answers, tmp_path, path):
    (tmp_path / "secret.txt").write_text("do not quote me\n")
    session.put(".env", "do not quote me\n")
    answers[:] = [Judges("deny", 0.9, "no", ({**WRONG, "path": path, "line": 1},))]
    session.judged_by(STRICT, BEFORE_EDIT)
    reply, _, _ = session.write("a.py", CLEAN)
    assert reply.status == 2
    assert b"do not quote me" not in reply.stdout + reply.stderr


# A process that stays, as a daemon does: it lets a hundred edits pass, asks about them and never hears an answer.
ASKS_AND_DIES = """
import json, os, signal, sys
from pathlib import Path
from vetgate.app import App

state, root, transcript = sys.argv[1:]
app = App(Path(state))
app.stays = True
for number in range(100):
    path = f"{root}/m{number}.py"
    content = f"def f{number}():\\n    return {number}\\n"
    given = {"file_path": path, "content": content}
    payload = {"session_id": "s", "cwd": root, "hook_event_name": "PreToolUse", "tool_name": "Write"}
    payload |= {"tool_input": given, "tool_use_id": f"t{number}", "transcript_path": transcript}
    assert app.answer("claude-code", json.dumps(payload).encode(), root, seconds=60).status == 0
    app.flush()
    Path(path).write_text(content)
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_a_hundred_pending_judgements_survive_the_death_of_who_asked(session, server, answers):
    answers[:] = [Hangs()]
    session.judged_by(LAZY, BEFORE_EDIT, consensus={"timeout": 600})
    session.start()
    words = [str(session.state), str(session.root), session.transcript]
    died = subprocess.run([sys.executable, "-c", ASKS_AND_DIES, *words], capture_output=True, check=False)
    assert died.returncode == -signal.SIGKILL, died.stderr
    assert len(server.requests) <= 8, "a few at a time"
    asked = len(server.requests)
    answers[:] = [Judges()]
    session.ran("true")
    session.settle()
    assert len(server.requests) - asked == 100, "each is asked again"
    session.ran("true")
    left = session.store.jobs_of(str(session.root), "s")
    assert not left, "and none is left"


def test_an_edit_made_while_another_of_the_file_is_judged_is_judged_too(session, server, answers):
    answers[:] = [Slow(3.0, DENIES()), Judges()]
    session.judged_by(LAZY, BEFORE_EDIT)
    session.write("a.py", CLEAN)
    wait_for(lambda: server.requests, what="nobody was asked")
    session.write("a.py", OTHER)
    wait_for(lambda: len(server.requests) > 1, what="the later text was not judged")
    wait_for(server.dropped.is_set, what="the earlier question was not given up")
    session.settle()
    assert "not what was asked for" not in str(session.edited("a.py", OTHER))
