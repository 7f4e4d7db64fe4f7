"""What agents keep of a session, one JSON object a line: as a conversation, and as calls that can be judged again.

Each agent says what its lines mean (`LogFormat`). The formats are undocumented and grow, so a reader takes what it
knows and passes over everything else.
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from vetgate.agents.conversation import (
    NO_CONVERSATION,
    Conversation,
    Preset,
    RecordedCall,
    SeenText,
    Speaker,
    TranscriptMessage,
    latest,
)
from vetgate.agents.hook_payload import text_in
from vetgate.agents.hook_settings import object_in
from vetgate.agents.tools import patch_proposals, proposals
from vetgate.source.edit import Proposal
from vetgate.source.patch import PatchError
from vetgate.tool_input import COMMANDS, EDITS, PATCH

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    Record = dict[str, Any]

_MOST_DECODED = 512 << 10
# Bytes before that which are looked through for what a person said; nothing else is decoded there.
_MOST_SEARCHED = 4 << 20


@dataclass(frozen=True, slots=True)
class LoggedWords:
    speaker: Speaker
    text: str


@dataclass(frozen=True, slots=True)
class LoggedCall:
    """With the tool and what it was given as every tier reads them; `cwd` where the line says it."""

    id: str
    tool: str
    given: Mapping[str, Any]
    at: str = ""
    cwd: str = ""


@dataclass(frozen=True, slots=True)
class LoggedResult:
    """One that was `denied` never ran; `found` is what stood in the file before."""

    id: str
    text: str
    failed: bool = False
    denied: bool = False
    found: SeenText | None = None


Entry = LoggedWords | LoggedCall | LoggedResult


@dataclass(frozen=True, slots=True)
class Origin:
    """Whose log it is, by its first line; in that of a subagent another agent speaks in the person's place."""

    session: str = ""
    cwd: str = ""
    is_subagent: bool = False


@dataclass(frozen=True, slots=True)
class LogFormat:
    """How an agent writes: `entries` leaves out what a person went back before; lines with a `mark` may be a person's.

    `reports` are tools whose results tell what others did.
    """

    origin: Callable[[Record, Path], Origin]
    entries: Callable[[Iterable[Record]], Iterable[Entry]]
    mark: bytes
    reports: frozenset[str] = frozenset()

    def recent(self, transcript: Path, preset: Preset, subagent: str = "") -> Conversation:
        """The end of the conversation; of a subagent in another's log only what the person asked for."""
        try:
            first, records = _tail(transcript, self.mark)
        except OSError:
            return NO_CONVERSATION
        origin = self.origin(first, transcript)
        wanted = preset if not subagent or origin.is_subagent else Preset(preset.users, characters=preset.characters)
        messages = [_message(each, is_task=origin.is_subagent) for each in self.entries(records)]
        is_compacted = any(each.speaker is Speaker.SUMMARY for each in messages)
        chosen = latest(messages, wanted, self.reports)
        return Conversation(chosen, compacted=is_compacted, characters=preset.characters)

    def below(self, project: Path, files: Iterable[Path]) -> tuple[Path, ...]:
        """Those of sessions in this folder and those below it, oldest first."""
        return newest_last(file for file in files if is_below(project, self.origin(_first(file), file).cwd))

    def calls(self, transcript: Path) -> Iterator[RecordedCall]:
        """In the order in which the agent made them; raises OSError."""
        with transcript.open("rb") as stream:
            records = list(decoded(stream))
        origin = self.origin(records[0], transcript) if records else Origin()
        entries = list(self.entries(records))
        results = {each.id: each for each in entries if isinstance(each, LoggedResult)}
        session = origin.session or transcript.stem
        for call in entries:
            if isinstance(call, LoggedCall):
                result = results.get(call.id, LoggedResult(call.id, ""))
                recorded = _recorded(call, result, session, Path(call.cwd or origin.cwd or "/"))
                if recorded is not None:
                    yield recorded


def is_below(project: Path, folder: str) -> bool:
    return folder == str(project) or folder.startswith(f"{project}/")


def newest_last(files: Iterable[Path]) -> tuple[Path, ...]:
    return tuple(sorted(files, key=lambda file: file.stat().st_mtime))


def objects(value: object) -> list[dict[str, Any]]:
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []


def object_at(source: object, key: str) -> dict[str, Any]:
    found = source.get(key) if isinstance(source, dict) else None
    return found if isinstance(found, dict) else {}


def _first(transcript: Path) -> Record:
    """Of a file that may be long; nothing where it cannot be read."""
    try:
        with transcript.open("rb") as stream:
            return next(decoded([stream.readline()]), {})
    except OSError:
        return {}


def _tail(path: Path, mark: bytes) -> tuple[Record, list[Record]]:
    """The first line, and the last ones: all that may be a person's words, and everything in the last stretch."""
    with path.open("rb") as stream:
        first = stream.readline()
        end = os.fstat(stream.fileno()).st_size
        near = _line_at(stream, end - _MOST_DECODED)
        far = _line_at(stream, near - _MOST_SEARCHED)
        stream.seek(far)
        words = [line for line in stream.read(near - far).splitlines() if mark in line]
        stream.seek(near)
        lines = stream.read(end - near).splitlines()
    return next(decoded([first]), {}), [*decoded(words), *decoded(lines)]


def _line_at(stream: Any, offset: int) -> int:
    """The start of the first line from there on."""
    if offset <= 0:
        return 0
    stream.seek(offset - 1)
    stream.readline()
    return int(stream.tell())


def decoded(lines: Iterable[bytes]) -> Iterator[Record]:
    """Without what is cut off, or nothing of ours."""
    for line in lines:
        if line.strip() and (record := object_in(line)) is not None:
            yield record


def _message(entry: Entry, *, is_task: bool) -> TranscriptMessage:
    if isinstance(entry, LoggedCall):
        return TranscriptMessage(Speaker.CALL, arguments(entry.given), entry.tool, entry.id)
    if isinstance(entry, LoggedResult):
        is_failed = entry.failed and not entry.denied
        return TranscriptMessage(Speaker.RESULT, entry.text, call=entry.id, failed=is_failed, denied=entry.denied)
    speaker = Speaker.TASK if is_task and entry.speaker is Speaker.USER else entry.speaker
    return TranscriptMessage(speaker, entry.text)


def arguments(given: object) -> str:
    """Of a call, as a judge sees them."""
    if not isinstance(given, dict):
        return ""
    return "\n".join(f"{key}: {value if isinstance(value, str) else json.dumps(value)}" for key, value in given.items())


def _recorded(call: LoggedCall, result: LoggedResult, session: str, cwd: Path) -> RecordedCall | None:
    has_run = result.denied or not result.failed
    is_edit = call.tool in EDITS or call.tool.startswith("mcp__")
    wanted = tuple(_proposed(call)) if is_edit and has_run else ()
    command = text_in(call.given, "command") if call.tool in COMMANDS else ""
    if not (wanted or command or result.found):
        return None
    return RecordedCall(
        id=call.id,
        session=session,
        at=call.at,
        cwd=cwd,
        proposals=wanted,
        command=command,
        found=result.found,
        refused=result.denied,
    )


def _proposed(call: LoggedCall) -> Iterable[Proposal]:
    if call.tool != PATCH:
        return proposals(call.given, call.tool)
    try:
        found = patch_proposals(text_in(call.given, "patch"))
    except PatchError:
        return ()
    # A file that a patch writes whole needs nothing that stood there before.
    written = (each.patch.content if each.patch else None for each in found)
    return (
        each if content is None else Proposal(each.path, content=content)
        for each, content in zip(found, written, strict=True)
    )
