"""What Codex keeps of a session (`rollout-*.jsonl`): as a conversation, and as calls that can be judged again.

A script of code mode stands there as the text of the script; the edits and commands that it made stand beside it, each
with a name of its own. Those that a hook stopped are only told in the script's output.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from vetgate.agents.codex import form
from vetgate.agents.codex.registration import config_dir
from vetgate.agents.conversation import Speaker
from vetgate.agents.hook_payload import text_in
from vetgate.agents.hook_settings import object_in
from vetgate.agents.session_log import (
    Entry,
    LogFormat,
    LoggedCall,
    LoggedResult,
    LoggedWords,
    Origin,
    object_at,
    objects,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

_BLOCKED = "Command blocked by PreToolUse hook:"
_FAILED = re.compile(r"Exit code: [1-9]|apply_patch verification failed")
# What Codex itself says in a person's place, for lines of versions that do not name the source.
_BY_CODEX = (
    "<environment_context>",
    "<user_instructions>",
    "<hook_prompt",
    "<turn_aborted>",
    "# AGENTS.md instructions",
)
_RESULTS = frozenset({"function_call_output", "custom_tool_call_output"})


def transcripts(project: Path) -> tuple[Path, ...]:
    files = (config_dir() / "sessions").glob("*/*/*/rollout-*.jsonl")
    return _FORMAT.below(project, files)


def _origin(first: Mapping[str, Any], _file: Path) -> Origin:
    started = object_at(first, "payload") if first.get("type") == "session_meta" else {}
    is_subagent = "subagent" in object_at(started, "source") or started.get("thread_source") == "subagent"
    return Origin(text_in(started, "id"), text_in(started, "cwd"), is_subagent)


def _entries(records: Iterable[dict[str, Any]]) -> list[Entry]:
    found: list[Entry] = []
    for record in records:
        payload, at = object_at(record, "payload"), text_in(record, "timestamp")
        if payload.get("type") == "thread_rolled_back":
            _roll_back(found, payload.get("num_turns"))
        elif record.get("type") == "compacted":
            found.append(LoggedWords(Speaker.SUMMARY, text_in(payload, "message")))
        elif record.get("type") == "response_item":
            found += _of_item(payload, at)
        elif payload.get("type") == "item_completed":
            found += _made_by_script(object_at(payload, "item"), at)
    return found


def _roll_back(found: list[Entry], turns: object) -> None:
    starts = [n for n, each in enumerate(found) if isinstance(each, LoggedWords) and each.speaker is Speaker.USER]
    if isinstance(turns, int) and turns > 0 and starts:
        del found[starts[-min(turns, len(starts))] :]


def _of_item(item: Mapping[str, Any], at: str) -> Iterator[Entry]:
    kind, call = text_in(item, "type"), text_in(item, "call_id")
    if kind == "message":
        yield from _spoken(item)
    elif kind == "function_call":
        yield _called(call, text_in(item, "name"), object_in(text_in(item, "arguments")) or {}, at)
    elif kind == "custom_tool_call":
        yield _called(call, text_in(item, "name"), {"command": text_in(item, "input")}, at)
    elif kind in _RESULTS:
        text = _text_of(item.get("output"))
        is_denied = text.startswith(_BLOCKED)
        is_failed = not is_denied and (_FAILED.match(text) is not None)
        yield LoggedResult(call, text, failed=is_failed, denied=is_denied)


def _spoken(item: Mapping[str, Any]) -> Iterator[LoggedWords]:
    speaker = {"user": Speaker.USER, "assistant": Speaker.ASSISTANT}.get(text_in(item, "role"))
    sources = objects(object_at(item, "internal_chat_message_metadata_passthrough").get("content_item_metadata"))
    is_by_codex = any(text_in(object_at(each, "provenance"), "type") not in {"", "user"} for each in sources)
    text = _text_of(item.get("content")).strip()
    is_by_codex = speaker is Speaker.USER and (is_by_codex or text.startswith(_BY_CODEX))
    if speaker and text and not is_by_codex:
        yield LoggedWords(speaker, text)


def _called(call: str, tool: str, given: Mapping[str, Any], at: str) -> LoggedCall:
    """In the words of its hook, which calls a shell by another name."""
    cwd = ""
    if tool in {"exec_command", "shell_command", "shell"}:
        said = given.get("cmd", given.get("command"))
        tool, cwd = "Bash", text_in(given, "workdir")
        given = {"command": said if isinstance(said, str) else " ".join(map(str, said or ()))}
    raw = form.shaped({"hook_event_name": "PreToolUse", "tool_name": tool, "tool_input": given}, "") or {}
    return LoggedCall(call, raw["tool_name"], raw["tool_input"], at, cwd)


def _made_by_script(item: Mapping[str, Any], at: str) -> Iterator[LoggedCall]:
    """A direct call has its own line; that of a script has only this one."""
    call = text_in(item, "id")
    if not call.startswith("exec-"):
        return
    if item.get("type") == "FileChange":
        patch = "".join(_patch_of(path, each) for path, each in object_at(item, "changes").items())
        yield _called(call, "apply_patch", {"command": f"*** Begin Patch\n{patch}*** End Patch\n"}, at)
    elif item.get("type") == "CommandExecution" and isinstance(item.get("command"), list) and item["command"]:
        cwd = unquote(text_in(item, "cwd").removeprefix("file://"))
        yield _called(call, "exec_command", {"cmd": str(item["command"][-1]), "workdir": cwd}, at)


def _patch_of(path: str, change: object) -> str:
    kind = text_in(change, "type")
    if kind == "delete":
        return f"*** Delete File: {path}\n"
    if kind == "add":
        return f"*** Add File: {path}\n" + "".join(f"+{line}\n" for line in text_in(change, "content").splitlines())
    moved = text_in(change, "move_path")
    lines = text_in(change, "unified_diff").splitlines()
    hunks = "".join("@@\n" if line.startswith("@@") else f"{line}\n" for line in lines)
    return f"*** Update File: {path}\n" + (f"*** Move to: {moved}\n" if moved else "") + hunks


def _text_of(content: object) -> str:
    if isinstance(content, str):
        return content
    return "\n".join(text_in(each, "text") for each in objects(content))


_FORMAT = LogFormat(_origin, _entries, b'"user"')
recent, calls = _FORMAT.recent, _FORMAT.calls
