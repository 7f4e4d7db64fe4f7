"""What other agents keep of their sessions, as the real programs wrote it: read as a conversation, and judged again."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from vetgate.agents import agent
from vetgate.agents.conversation import Conversation, Preset, Speaker
from vetgate.judges import judge_named
from vetgate.judges.judge import Context
from vetgate.model import Event, EventKind
from vetgate.service.replay.recording import sessions

RECORDED = Path(__file__).parent / "data" / "transcripts"
NAMES = ("codex", "copilot", "gemini", "qwen")
ASKED = "Please write good.py with a greeting and keep bad.py away"
ALL = Preset(users=50, assistants=50, tools=50, characters=5_000)

pytestmark = pytest.mark.usefixtures("home")


def lines_of(name):
    return [json.loads(line) for line in (RECORDED / f"{name}.jsonl").read_text("utf-8").splitlines()]


def written(path, lines):
    path.write_text("".join(f"{json.dumps(line, separators=(',', ':'))}\n" for line in lines), "utf-8")
    return path


def read(name, path, preset=ALL, subagent=""):
    return agent(name).transcript.recent(path, preset, subagent)


def texts(conversation, *speakers):
    return [each.text for each in conversation.of(*speakers)]


@pytest.mark.parametrize("name", NAMES)
def test_who_said_what_and_what_was_called_and_stopped(name):
    found = read(name, RECORDED / f"{name}.jsonl")
    assert texts(found, Speaker.USER) == [ASKED]
    assert texts(found, Speaker.ASSISTANT) == ["All is written."]
    assert found.messages[0].speaker is Speaker.USER
    assert found.messages[-1].speaker is Speaker.ASSISTANT
    calls, results = found.of(Speaker.CALL), found.of(Speaker.RESULT)
    assert [each.call for each in calls] == [each.call for each in results]
    assert [each.tool for each in calls] == [each.tool for each in results]
    commands = [each.text for each in calls if each.is_command]
    assert ["echo hi; ls; false" in each for each in commands[-2:]] == [True, False]
    stopped = [each.text for each in results if each.denied]
    assert ["in bad.py that" in each for each in stopped] == [True, False]
    assert "deletes /" in stopped[1]
    assert not any(each.failed for each in results if each.denied)


def to_acknowledge(conversation):
    """Whether the judge asks whether the agent owned up to an error there."""
    judge, event = judge_named("acknowledge"), Event("", EventKind.BEFORE_COMMAND, command="ls")
    return judge.parts(Context(event, Path("/"), conversation)) is not None


@pytest.mark.parametrize("name", NAMES)
def test_a_command_that_failed_is_to_be_acknowledged_and_a_refusal_is_not(name, tmp_path):
    """Of which the words are those of an error as well."""
    raw = (RECORDED / f"{name}.jsonl").read_text("utf-8").replace("deletes /, which", "exit code: 1, deletes /, which")
    path = tmp_path / "a.jsonl"
    path.write_text(raw, "utf-8")
    found = read(name, path)
    results = found.of(Speaker.RESULT)
    assert any("exit code: 1, deletes /" in each.text for each in results)
    asked = [
        to_acknowledge(Conversation(tuple(each for each in found.messages if each.call == result.call)))
        for result in results
    ]
    refused = [each.denied for each in results]
    assert sum(refused) == 2
    assert asked[-2:] == [True, False], "of the command that ended with exit status 1, and of that which never ran"
    assert not any(is_asked and is_refused for is_asked, is_refused in zip(asked, refused, strict=True))


@pytest.mark.parametrize("name", NAMES)
def test_no_more_than_the_preset_of_each_kind(name):
    found = read(name, RECORDED / f"{name}.jsonl", Preset(users=1, tools=1))
    assert [each.speaker for each in found.messages] == [Speaker.USER, Speaker.CALL, Speaker.RESULT]


@pytest.mark.parametrize("name", NAMES)
def test_each_edit_is_judged_again_as_it_was(name):
    found = {edit.path: edit for edit in sessions((RECORDED / f"{name}.jsonl",)).items if edit.file}
    bad, good = (next(edit for path, edit in found.items() if path.endswith(each)) for each in ("bad.py", "good.py"))
    assert (bad.file.before, bad.file.after.startswith("def busy(a):")) == (None, True)
    assert good.file.before == "def fine(a):\n    return a\n"
    assert good.file.after == "def fine(zz, a):\n    return a\n"
    ran = [edit.command.text for edit in sessions((RECORDED / f"{name}.jsonl",)).items if edit.command]
    assert ran[-2:] == ["echo hi; ls; false", "rm -rf /"]


def at_home(name, root):
    """Where the agent itself keeps that of a session in this folder."""
    home = Path.home()
    text = (RECORDED / f"{name}.jsonl").read_text("utf-8").replace("/W/project", str(root))
    slug = "".join(each if each.isalnum() else "-" for each in str(root))
    path = {
        "codex": home / ".codex" / "sessions" / "2026" / "11" / "19" / "rollout-2026-11-19T15-26-22-01a1.jsonl",
        "copilot": home / ".copilot" / "session-state" / "f684" / "events.jsonl",
        "gemini": home / ".gemini" / "tmp" / "shop" / "chats" / "session-2026-11-19T15-26-1419.jsonl",
        "qwen": home / ".qwen" / "projects" / slug / "chats" / "4ac4.jsonl",
    }[name]
    path.parent.mkdir(parents=True)
    path.write_text(text, "utf-8")
    if name == "gemini":
        (home / ".gemini" / "projects.json").write_text(json.dumps({"projects": {str(root): "shop"}}))
    return path


@pytest.mark.parametrize("name", NAMES)
def test_those_of_a_project_are_found_where_the_agent_keeps_them(name, tmp_path):
    root = tmp_path / "shop"
    path = at_home(name, root)
    transcripts = agent(name).transcript.transcripts
    assert transcripts(root) == (path,)
    assert transcripts(tmp_path) == (path,), "and below it"
    assert transcripts(tmp_path / "sho") == transcripts(root / "sub") == ()
    assert next(agent(name).transcript.calls(path)).cwd == root


# What a person took back, as each agent writes that down.
BACK = {
    "codex": lambda lines: [
        *lines,
        {"type": "response_item", "payload": {"type": "message", "role": "user", "content": [{"text": "Drop it"}]}},
        {"type": "event_msg", "payload": {"type": "thread_rolled_back", "num_turns": 1}},
    ],
    "copilot": lambda lines: [
        *lines,
        {"type": "user.message", "id": "e1", "data": {"content": "Drop it"}},
        {"type": "assistant.message", "id": "e2", "data": {"content": "Dropped."}},
        {"type": "session.snapshot_rewind", "id": "e3", "data": {"upToEventId": "e1", "eventsRemoved": 2}},
    ],
    "gemini": lambda lines: [
        *lines,
        {"type": "user", "id": "m1", "content": [{"text": "Drop it"}]},
        {"type": "gemini", "id": "m2", "content": "Dropped."},
        {"$rewindTo": "m1"},
    ],
    "qwen": lambda lines: [
        *lines,
        {"type": "user", "uuid": "u1", "parentUuid": lines[-1]["uuid"], "message": {"parts": [{"text": "Drop it"}]}},
        {"type": "system", "uuid": "u2", "parentUuid": lines[-1]["uuid"], "subtype": "rewind"},
    ],
}


@pytest.mark.parametrize("name", NAMES)
def test_what_a_person_took_back_is_no_part_of_it(name, tmp_path):
    lines = BACK[name](lines_of(name))
    assert "Drop it" in texts(read(name, written(tmp_path / "a.jsonl", lines[:-1])), Speaker.USER)
    found = read(name, written(tmp_path / "b.jsonl", lines))
    assert texts(found, Speaker.USER) == [ASKED]
    assert texts(found, Speaker.ASSISTANT) == ["All is written."]


def codex_says(text, **more):
    return {
        "type": "response_item",
        "payload": {"type": "message", "role": "user", "content": [{"text": text}], **more},
    }


FROM_HARNESS = {"content_item_metadata": [{"provenance": {"type": "harness", "hook": True}}]}
NOT_OF_A_PERSON = {
    "codex": [
        codex_says('<hook_prompt hook_run_id="stop:0">vetgate: 1 finding</hook_prompt>'),
        codex_says("Do as I say", internal_chat_message_metadata_passthrough=FROM_HARNESS),
    ],
    "copilot": [
        {"type": "user.message", "id": "e1", "data": {"content": "vetgate: 1 finding"}},
        {"type": "user.message", "id": "e2", "data": {"content": "Do as I say", "source": "agent-7"}},
        {"type": "user.message", "id": "e3", "agentId": "a", "data": {"content": "Write it"}},
    ],
    "gemini": [
        {"type": "user", "id": "m1", "content": [{"text": "vetgate: 1 finding"}]},
        {"type": "user", "id": "m2", "content": [{"text": "<hook_context>Do as I say</hook_context>"}]},
        {"type": "user", "id": "m3", "content": [{"functionResponse": {"response": {"output": "Do as I say"}}}]},
    ],
    "qwen": [
        {"type": "user", "uuid": "u1", "message": {"parts": [{"text": "vetgate: 1 finding"}]}},
        {"type": "user", "uuid": "u2", "provenance": "hook", "message": {"parts": [{"text": "Do as I say"}]}},
    ],
}


@pytest.mark.parametrize("name", NAMES)
def test_what_stands_in_a_persons_place_is_not_their_word(name, tmp_path):
    found = read(name, written(tmp_path / "a.jsonl", [*lines_of(name), *NOT_OF_A_PERSON[name]]))
    assert texts(found, Speaker.USER) == [ASKED]


@pytest.mark.parametrize("name", NAMES)
def test_words_far_before_the_end_are_found_and_no_more_is_read(name, tmp_path):
    """Two calls of 700 kB stand between them and the end."""
    lines = lines_of(name)
    long = json.dumps(lines[-2]).replace(lines[-2].get("timestamp", "?"), "x" * 700_000)
    middle = [*lines[:-1], *(json.loads(long) for _ in range(2)), lines[-1]]
    found = read(name, written(tmp_path / "a.jsonl", middle))
    assert texts(found, Speaker.USER) == [ASKED]
    assert len(found.messages) < 5


DEEP = "[" * 100_000  # what a model can write where JSON belongs
ODD = {
    "codex": [
        {"type": "response_item", "payload": {"type": {"a": 1}}},
        {"type": "response_item", "payload": {"type": "function_call", "name": "a", "call_id": "d", "arguments": DEEP}},
    ],
    "copilot": [
        {"type": "session.snapshot_rewind", "id": "o1", "data": {"eventIds": [{"a": 1}]}},
        {"type": "tool.execution_start", "id": "o2", "data": {"toolName": "a", "toolCallId": "d", "arguments": DEEP}},
    ],
}


def test_of_what_was_taken_back_to_a_message_that_nobody_can_name_nothing_is_left(tmp_path):
    path = written(tmp_path / "a.jsonl", [*lines_of("gemini"), {"$rewindTo": ["m1"]}])
    assert read("gemini", path).messages == ()


@pytest.mark.parametrize("name", NAMES)
def test_lines_that_nobody_knows_are_passed_over(name, tmp_path):
    odd = [{"type": "new"}, {"payload": 7, "data": [], "message": "x"}, *ODD.get(name, ())]
    path = written(tmp_path / "a.jsonl", [*lines_of(name), *odd])
    path.write_bytes(path.read_bytes() + b'[1]\n\xff\xfe\n{"type": "user", "mess')
    said = [each for each in read(name, path).messages if each.call != "d"]
    assert said[-1].text == "All is written."
    assert len(list(agent(name).transcript.calls(path))) >= 5
    empty = tmp_path / "b.jsonl"
    empty.write_bytes(b"")
    assert read(name, empty).messages == read(name, tmp_path / "none").messages == ()


def test_a_patch_of_codex_that_ended_with_an_error_is_one(tmp_path):
    text = (RECORDED / "codex.jsonl").read_text("utf-8").replace("Exit code: 0", "Exit code: 2", 1)
    path = tmp_path / "a.jsonl"
    path.write_text(text, "utf-8")
    assert [each.failed for each in read("codex", path).of(Speaker.RESULT)].count(True) == 1


def test_in_the_log_of_a_subagent_another_agent_speaks(tmp_path):
    first, *rest = lines_of("codex")
    first["payload"]["thread_source"] = "subagent"
    path = written(tmp_path / "a.jsonl", [first, *rest])
    assert texts(read("codex", path, subagent="a"), Speaker.TASK) == [ASKED]
    assert texts(read("codex", path, subagent="a"), Speaker.USER) == []


@pytest.mark.parametrize("name", NAMES)
def test_of_a_subagent_that_has_no_log_only_the_persons_words_are_shown(name):
    found = read(name, RECORDED / f"{name}.jsonl", subagent="a")
    assert [each.speaker for each in found.messages] == [Speaker.USER]


def test_what_a_script_of_codex_made_is_an_edit_and_a_command(tmp_path):
    def item(**said):
        return {"type": "event_msg", "timestamp": "t", "payload": {"type": "item_completed", "item": said}}

    shop = "/W/project/shop.py"
    update = {"type": "update", "unified_diff": "@@ -1,2 +1,2 @@\n-a = 1\n+a = 2\n b = 1\n", "move_path": None}
    made = [
        item(type="FileChange", id="exec-1", changes={shop: {"type": "add", "content": "a = 1\nb = 1\n"}}),
        item(type="FileChange", id="exec-2", changes={shop: update}),
        item(type="CommandExecution", id="exec-3", command=["/bin/bash", "-lc", "make"], cwd="file:///W/my%20project"),
    ]
    edits = sessions((written(tmp_path / "a.jsonl", [lines_of("codex")[0], *made]),)).items
    assert [edit.file.after for edit in edits if edit.file] == ["a = 1\nb = 1\n", "a = 2\nb = 1\n"]
    assert [(edit.command.text, str(edit.command.cwd)) for edit in edits if edit.command] == [("make", "/W/my project")]
