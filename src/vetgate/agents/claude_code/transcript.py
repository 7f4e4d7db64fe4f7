"""The tool calls of a Claude Code transcript, with what each found in the files it was about.

The format is undocumented and grows, so the reader takes what it knows and passes over everything else.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from vetgate.agents.claude_code.recent_messages import recent
from vetgate.agents.claude_code.settings import config_dir
from vetgate.agents.conversation import Hunk, RecordedCall, SeenText
from vetgate.agents.hook_payload import text_in
from vetgate.agents.session_log import decoded, newest_last
from vetgate.agents.tools import proposals
from vetgate.tool_input import COMMANDS, EDITS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


__all__ = ["calls", "recent", "transcripts"]

_NEVER_RUN = ("<tool_use_error>", "Error: No such tool")


def calls(transcript: Path) -> Iterator[RecordedCall]:
    """In the order in which the agent made them; raises OSError."""
    with transcript.open("rb") as stream:
        lines = list(decoded(stream))
    results = {call: (line, block) for line in lines for call, block in _results(line)}
    for line in lines:
        for use in _uses(line):
            call = _call(transcript, line, use, *results.get(use["id"], ({}, {})))
            if call is not None:
                yield call


def transcripts(project: Path) -> tuple[Path, ...]:
    """The transcripts that the client keeps of sessions in this folder and those below it, oldest first."""
    name = re.sub(r"[^a-zA-Z0-9]", "-", str(project))
    folders = sorted((config_dir() / "projects").glob(f"{name}*"))
    return newest_last(file for folder in folders for file in folder.glob("**/*.jsonl"))


def _blocks(line: Mapping[str, Any], kind: str) -> list[dict[str, Any]]:
    message = line.get("message")
    content = message.get("content") if isinstance(message, dict) else None
    blocks = content if isinstance(content, list) else ()
    return [block for block in blocks if isinstance(block, dict) and block.get("type") == kind]


def _uses(line: Mapping[str, Any]) -> list[dict[str, Any]]:
    uses = _blocks(line, "tool_use") if line.get("type") == "assistant" else ()
    return [use for use in uses if isinstance(use.get("id"), str) and isinstance(use.get("input"), dict)]


def _results(line: Mapping[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    blocks = _blocks(line, "tool_result") if line.get("type") == "user" else []
    # Details stand beside the message, once: with several results in it nobody knows whose they are.
    known = [block for block in blocks if isinstance(block.get("tool_use_id"), str)]
    return [(block["tool_use_id"], block) for block in known] if len(blocks) == 1 else []


def _call(
    transcript: Path, line: Mapping[str, Any], use: Mapping[str, Any], told: Mapping[str, Any], block: Mapping[str, Any]
) -> RecordedCall | None:
    tool, given = text_in(use, "name"), use["input"]
    refused = "toolDenialKind" in told or " hook error: " in text_in(block, "content")[:200]
    is_error = block.get("is_error") is True
    failed = is_error and not refused
    never_ran = is_error and text_in(block, "content").startswith(_NEVER_RUN)
    is_edit = tool in EDITS or tool.startswith("mcp__")
    wanted = proposals(given, tool) if is_edit and not failed else ()
    command = text_in(given, "command") if tool in COMMANDS and not never_ran else ""
    details = told.get("toolUseResult")
    found = _found(details) if isinstance(details, dict) else None
    if not (wanted or command or found):
        return None
    return RecordedCall(
        id=use["id"],
        session=text_in(line, "sessionId") or transcript.stem,
        at=text_in(line, "timestamp"),
        cwd=Path(text_in(line, "cwd") or "/"),
        proposals=wanted,
        command=command,
        found=found,
        refused=refused,
        hunks=_hunks(details) if isinstance(details, dict) and details.get("userModified") is True else (),
    )


def _found(details: Mapping[str, Any]) -> SeenText | None:
    path = text_in(details, "filePath") or text_in(details, "notebook_path")
    for key in ("originalFile", "original_file"):
        if path and key in details and isinstance(details[key], str | None):
            return SeenText(Path(path), details[key])
    return _read(details.get("file"))


def _read(file: object) -> SeenText | None:
    """What a look at a file showed, when it showed all of it."""
    if not isinstance(file, dict) or file.get("startLine") != 1 or file.get("numLines") != file.get("totalLines"):
        return None
    path, text = text_in(file, "filePath"), file.get("content")
    return SeenText(Path(path), text) if path and isinstance(text, str) else None


def _hunks(details: Mapping[str, Any]) -> tuple[Hunk, ...]:
    patch = details.get("structuredPatch")
    return tuple(_hunk(part) for part in patch if isinstance(part, dict)) if isinstance(patch, list) else ()


def _hunk(part: Mapping[str, Any]) -> Hunk:
    start, lines = part.get("oldStart"), part.get("lines")
    told = [line for line in lines if isinstance(line, str)] if isinstance(lines, list) else []
    old = tuple(line[1:] for line in told if line[:1] in {" ", "-"})
    new = tuple(line[1:] for line in told if line[:1] in {" ", "+"})
    return Hunk(start if isinstance(start, int) else 1, old, new)
