"""The client's own record of hook failures: ours are found, decisions of ours are not mistaken for failures."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from vetgate.agents.claude_code.client_record import failures
from vetgate.agents.hook_entries import reaches_us

HOOK = "/home/dev/.local/state/vetgate/bin/vetgate-hook"
PROJECT = Path("/home/dev/my_app")
AT = "2026-11-15T06:25:04.158Z"


def attachment(**fields):
    facts = {"toolUseID": "toolu_1", "hookEvent": "PreToolUse", "hookName": "PreToolUse:Write", **fields}
    return {"type": "attachment", "attachment": facts, "timestamp": AT, "cwd": str(PROJECT)}


def blocking(text, event="Stop", command=HOOK):
    return attachment(
        type="hook_blocking_error", hookEvent=event, blockingError={"blockingError": text, "command": command}
    )


def refused(text):
    return {
        "type": "user",
        "toolUseResult": f"Error: PreToolUse:Write hook error: {text}",
        "sourceToolAssistantUUID": "u1",
        "timestamp": AT,
        "cwd": str(PROJECT),
    }


def summary(errors, commands=(HOOK,)):
    return {
        "type": "system",
        "subtype": "stop_hook_summary",
        "hookInfos": [{"command": command, "durationMs": 3} for command in commands],
        "hookErrors": errors,
        "toolUseID": "toolu_1",
        "timestamp": AT,
        "cwd": str(PROJECT),
    }


def write(folder, lines, name="-home-dev-my-app/s.jsonl"):
    path = folder / "projects" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join((line if isinstance(line, str) else json.dumps(line)) + "\n" for line in lines))


FAILED = {
    "an exit status that does not block": (
        attachment(type="hook_non_blocking_error", command=HOOK, stderr="Failed: oops", exitCode=1),
        ("PreToolUse", True, "Failed: oops"),
    ),
    "a timeout": (
        attachment(type="hook_cancelled", command=HOOK, timedOut=True, timeoutMs=10000),
        ("PreToolUse", True, "timed out after 10000 ms"),
    ),
    "a call stopped because the hook failed": (
        refused(f'[{HOOK}]: failed; blocking because onFailure is "block"\nnot found'),
        ("PreToolUse", False, 'failed; blocking because onFailure is "block" not found'),
    ),
    "a call stopped without a decision": (
        refused(f"[{HOOK}]: vetgate: the hook could not run"),
        ("PreToolUse", False, "vetgate: the hook could not run"),
    ),
    "an end of turn stopped without a decision": (blocking(f"[{HOOK}]: gone"), ("Stop", False, "gone")),
    "an error that only the summary tells": (summary(["Failed with status 1"]), ("Stop", True, "Failed with status 1")),
}


@pytest.mark.parametrize(("line", "expected"), FAILED.values(), ids=FAILED.keys())
def test_a_failure_of_ours_is_found(tmp_path, line, expected):
    write(tmp_path, [line])
    (found,) = failures(tmp_path, PROJECT, reaches_us)
    assert (found.event, found.passed, found.detail, found.at) == (*expected, AT)


FINE = {
    "a deny of ours": refused("Cyclomatic complexity 14, limit 10"),
    "a stop of ours": blocking("Two files are still too complex"),
    "a stop of ours in the summary": summary(["Two files are still too complex"]),
    "a failure of a stranger": attachment(type="hook_non_blocking_error", command="guard.sh", stderr="x"),
    "a call a stranger stopped": refused("[guard.sh]: no"),
    "a stranger's error in a summary of several": summary(["Failed: x"], (HOOK, "guard.sh")),
    "a hook a person cancelled": attachment(type="hook_cancelled", command=HOOK, timedOut=False),
    "a success": attachment(type="hook_success", command=HOOK),
    "another project beside": {
        **attachment(type="hook_non_blocking_error", command=HOOK, stderr="x"),
        "cwd": "/home/dev/my_app_two",
    },
    "a line cut off": '{"type": "attachment", "attachment": {"type": "hook_',
    "a list": '["hook"]',
    "unexpected shapes": {"attachment": {"type": ["hook"], "blockingError": 3}, "toolUseResult": {"hook": 1}},
}


@pytest.mark.parametrize("line", FINE.values(), ids=FINE.keys())
def test_what_is_no_failure_of_ours_is_passed_over(tmp_path, line):
    write(tmp_path, [line])
    assert failures(tmp_path, PROJECT, reaches_us) == []


def test_one_failure_told_twice_counts_once(tmp_path):
    told = attachment(type="hook_non_blocking_error", hookEvent="Stop", command=HOOK, stderr="Failed: x")
    write(tmp_path, [told, summary(["Failed: x"])])
    assert len(failures(tmp_path, PROJECT, reaches_us)) == 1


def test_sessions_of_subfolders_and_subagents_count(tmp_path):
    first = attachment(type="hook_non_blocking_error", command=HOOK, stderr="x", toolUseID="a")
    second = {**attachment(type="hook_non_blocking_error", command=HOOK, stderr="x", toolUseID="b")}
    write(tmp_path, [{**first, "cwd": f"{PROJECT}/src"}], "-home-dev-my-app-src/s.jsonl")
    write(tmp_path, [second], "-home-dev-my-app/s/subagents/agent-1.jsonl")
    assert len(failures(tmp_path, PROJECT, reaches_us)) == 2


def test_of_a_long_transcript_the_end_is_read(tmp_path):
    failed = attachment(type="hook_non_blocking_error", command=HOOK, stderr="late")
    padding = [json.dumps({"hook": "x" * 1000})] * 3000
    write(tmp_path, [*padding, failed])
    assert [each.detail for each in failures(tmp_path, PROJECT, reaches_us)] == ["late"]


def test_no_transcripts_are_no_failures(tmp_path):
    assert failures(tmp_path / "nowhere", PROJECT, reaches_us) == []
