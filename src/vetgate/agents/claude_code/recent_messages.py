"""The latest messages of a Claude Code transcript, read from its end: a long session costs no more than a short one.

The format is undocumented and grows, so the reader takes what it knows and passes over everything else. The lines form
a tree by `parentUuid`: where a person went back and asked again, what they left is no part of the conversation. When
the client compacts it, a summary takes the place of what stood before.
"""

from __future__ import annotations

import os
from bisect import bisect_left
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import msgspec

from vetgate.agents.claude_code.wire import STARTS_AGENT
from vetgate.agents.conversation import NO_CONVERSATION, Conversation, Preset, Speaker, TranscriptMessage, latest
from vetgate.agents.session_log import arguments

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path
    from typing import BinaryIO

_CHUNK = 64 << 10
_MOST_DECODED = 512 << 10
# Bytes that are looked through for what a person said before that; nothing is decoded there but what is found.
_MOST_SEARCHED = 2 << 20
_STRETCH = 512 << 10
# How far a person may have gone back; asked for only where they did.
_MOST_REWOUND = 4 << 20
_MOST_FILES = 64
_REMINDERS = ("system-reminder", "task-notification", "local-command-caveat")
_COMMAND, _COMMAND_ARGUMENTS = "command-name", "command-args"
# Lines of the kind `user` that the client writes by itself.
_BY_CLIENT = (
    *(
        "<task-notification",
        "<system-reminder",
        "<local-command-",
        "<bash-stdout",
        "<bash-stderr",
        "<user-memory-input",
    ),
    *("<command-message", "Stop hook feedback:", "SubagentStop hook feedback:", "[Request interrupted by user"),
    *("Caveat: The messages below were generated", "This session is being continued from a previous conversation"),
)
_SHOWS_PLAN, _PLAN = "ExitPlanMode", "plan: "
# Their results tell what others did, and the call does not say which files that was about.
_REPORTS = STARTS_AGENT | {"TaskOutput", "AgentOutputTool", "BashOutput"}
_QUEUED, _HEAD = b'"queued_command"', 200
_HOOK_ERROR = " hook error: "


class _TranscriptLine(msgspec.Struct, rename="camel"):
    """One line, with as little of it decoded as decides whether the rest is wanted."""

    type: Any = None
    uuid: str | None = None
    parent_uuid: str | None = None
    logical_parent_uuid: str | None = None
    source: str | None = msgspec.field(name="sourceToolAssistantUUID", default=None)
    is_sidechain: Any = False
    is_meta: Any = False
    is_compact_summary: Any = False
    agent_id: Any = None
    subtype: Any = None
    summary: Any = None
    tool_denial_kind: Any = None
    prompt_source: Any = None
    origin: Any = None
    attachment: msgspec.Raw = msgspec.Raw(b"null")
    message: msgspec.Raw = msgspec.Raw(b"null")
    read: Any = msgspec.field(name=" ", default=None)  # what it says, once somebody asked

    @property
    def parent(self) -> str | None:
        return self.parent_uuid or self.logical_parent_uuid

    @property
    def is_summary(self) -> bool:
        return bool(self.is_compact_summary) or self.type == "summary"


_Lines = list[tuple[int, _TranscriptLine]]  # each with its offset
_DECODER = msgspec.json.Decoder(_TranscriptLine)


@dataclass(slots=True)
class _Searched:
    """Where in a file the words of a person stand: `starts` of lines between `low` and `high`."""

    inode: int
    low: int
    high: int
    starts: list[int] = field(default_factory=list)


_searched: dict[str, _Searched] = {}


def recent(transcript: Path, preset: Preset, subagent: str = "") -> Conversation:
    """The end of a session's conversation; nothing where there is no file yet.

    A subagent has a conversation of its own, at whose beginning another agent speaks. The words of the person stand in
    that of the session, and come first.
    """
    if not subagent:
        return _read_file(transcript, preset)
    words = _read_file(transcript, Preset(preset.users, characters=preset.characters))
    own = transcript.with_suffix("") / "subagents" / f"agent-{subagent}.jsonl"
    inside = _read_file(own, preset, whole=True) if own.is_file() else _read_file(transcript, preset, subagent)
    tasks = (replace(each, speaker=Speaker.TASK) if each.speaker is Speaker.USER else each for each in inside.messages)
    return replace(inside, messages=(*words.of(Speaker.USER), *tasks), rewound=words.rewound)


def _read_file(path: Path, preset: Preset, side: str = "", *, whole: bool = False) -> Conversation:
    try:
        with path.open("rb") as stream:
            return _TailReader(stream, str(path), preset, side, whole=whole).conversation()
    except OSError:
        return NO_CONVERSATION


class _TailReader:
    """`side` is the subagent whose lines are wanted of a file that holds others as well; `whole` files are all its."""

    def __init__(self, stream: BinaryIO, path: str, preset: Preset, side: str, *, whole: bool) -> None:
        self._stream, self._path, self._preset, self._side, self._whole = stream, path, preset, side, whole
        status = os.fstat(stream.fileno())
        self._inode, self._size = status.st_ino, status.st_size
        self._spaced = False

    def conversation(self) -> Conversation:
        lines, low = self._tail(self._size)
        chain, rewound = _chain(lines)
        first = chain[0][1] if chain else None
        if first is not None and first.parent and _says(first) and chain[0][0] != lines[0][0]:
            low, chain, rewound = self._before_rewind(lines, low, chain)
        begins = bool(chain) and chain[0][1].parent is None and _says(chain[0][1])
        found = [each for _, line in chain for each in _messages(line)]
        wanted = self._preset.users - sum(each.speaker is Speaker.USER for each in found)
        if wanted > 0 and low > 0 and not (begins or self._side or self._whole):
            taken = {line.parent for _, line in chain if _says(line)}
            found = [*self._words_before(low, wanted, taken), *found]
        messages = latest(found, self._preset, _REPORTS)
        compacted = any(line.is_summary or line.subtype == "compact_boundary" for _, line in chain)
        return Conversation(messages, rewound, compacted, _agreed_plan(found), self._preset.characters)

    def _before_rewind(self, lines: _Lines, low: int, chain: _Lines) -> tuple[int, _Lines, bool]:
        """The first words on the chain answer something that is not among what was read: it may lie far before it."""
        start = self._line_with(f'"uuid":{self._gap}"{chain[0][1].parent}"'.encode(), low)
        if start is None:
            return low, *_chain(lines, linear=True)
        self._stream.seek(start)
        earlier, low = self._tail(start + len(self._stream.readline()))
        return low, [*_chain(earlier)[0], *chain], True

    @property
    def _gap(self) -> str:
        return " " if self._spaced else ""

    def _tail(self, end: int) -> tuple[_Lines, int]:
        """Lines up to `end`, from the offset that is returned on: as many as the preset wants, or may be decoded."""
        lines: _Lines = []
        rest, start, low = b"", end, end
        # More lines than are asked for: one may hold words alone, or nothing that is wanted.
        enough = 8 + 3 * (self._preset.assistants + 2 * self._preset.tools)
        while start > 0 and end - start < _MOST_DECODED:
            size = min(_CHUNK, start)
            start -= size
            self._stream.seek(start)
            data = self._stream.read(size) + rest
            # What stands before the first line break may begin further up.
            cut = 0 if start == 0 else data.find(b"\n") + 1
            if start and not cut:
                rest = data
                continue
            rest, data = data[:cut], data[cut:]
            self._spaced = self._spaced or b'"type": "' in data[:_CHUNK]
            fresh = list(self._decoded(data, start + cut))
            lines, low = [*fresh, *lines], start + cut
            enough -= sum(line.type in {"user", "assistant"} for _, line in fresh)
            if enough <= 0:
                break
        return lines, low

    def _decoded(self, data: bytes, offset: int) -> Iterator[tuple[int, _TranscriptLine]]:
        for raw in data.split(b"\n"):
            line = _decode(raw) if raw else None
            if line is not None and self._is_wanted(line):
                yield offset, line
            offset += len(raw) + 1

    def _is_wanted(self, line: _TranscriptLine) -> bool:
        if self._side:
            return bool(line.agent_id == self._side)
        return self._whole or not line.is_sidechain

    def _words_before(self, high: int, wanted: int, taken: set[str | None]) -> list[TranscriptMessage]:
        """What a person said further up; of two sayings that answer the same message, only the later one stands."""
        found: list[TranscriptMessage] = []
        for start in self._starts(high):
            self._stream.seek(start)
            line = _decode(self._stream.readline(_MOST_DECODED))
            if line is None or line.is_sidechain or not _says(line) or (line.parent and line.parent in taken):
                continue
            taken.add(line.parent)
            found += [each for each in _messages(line) if each.speaker is Speaker.USER]
            if len(found) >= wanted:
                break
        return found[::-1]

    def _starts(self, high: int) -> Iterator[int]:
        """Lines before `high` that may hold a person's words, last first; what was searched once is not read again."""
        lowest = max(0, high - _MOST_SEARCHED)
        known = _searched.pop(self._path, None)
        if known is None or known.inode != self._inode or not lowest <= known.high <= self._size:
            known = _Searched(self._inode, high, high)
        if known.high < high:
            known.starts += self._search(known.high, high)
            known.high = high
        while len(_searched) >= _MOST_FILES:
            _searched.pop(next(iter(_searched)))
        _searched[self._path] = known
        yield from reversed(known.starts[: bisect_left(known.starts, high)])
        while known.low > lowest:
            low = max(lowest, known.low - _STRETCH)
            fresh = self._search(low, known.low)
            known.starts[:0], known.low = fresh, low
            yield from reversed(fresh)

    def _search(self, low: int, high: int) -> list[int]:
        gap = self._gap
        shapes = [f'"role":{gap}"user",{gap}"content":{gap}{each}' for each in ('"', f'[{{"type":{gap}"text"')]
        shapes.append(f'"attachment":{gap}{{"type":{gap}"queued_command"')
        self._stream.seek(low)
        data = self._stream.read(high - low)
        starts = set()
        for shape in (each.encode() for each in shapes):
            at = data.find(shape)
            while at >= 0:
                line = data.rfind(b"\n", 0, at) + 1
                starts.add(low + line if line or not low else self._line_start(low))
                at = data.find(shape, at + 1)
        return sorted(starts)

    def _line_start(self, offset: int) -> int:
        """Where the line begins that `offset` cuts; its head is short, however long the line."""
        low = max(0, offset - _CHUNK)
        self._stream.seek(low)
        return low + self._stream.read(offset - low).rfind(b"\n") + 1

    def _line_with(self, words: bytes, high: int) -> int | None:
        """Where the last line before `high` begins that holds these words; None where there is none nearby."""
        low = max(0, high - _MOST_REWOUND)
        self._stream.seek(low)
        data = self._stream.read(high - low)
        at = data.rfind(words)
        return None if at < 0 else low + data.rfind(b"\n", 0, at) + 1


def _decode(raw: bytes) -> _TranscriptLine | None:
    try:
        return _DECODER.decode(raw)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):  # cut off, or nothing of ours
        return None


def _chain(lines: _Lines, *, linear: bool = False) -> tuple[_Lines, bool]:
    """The lines that lead to the last one, and whether a person's words were left on the way.

    Results of calls that ran side by side hang on their own call and stay. Where a parent is not among the lines, the
    line before is taken for it; not so for a person's words, which then end the chain, except in `linear` reading.
    """
    positions: dict[str | None, list[int]] = {}
    for number, (_, line) in enumerate(lines):
        positions.setdefault(line.uuid, []).append(number)
    kept = [len(lines) - 1] if lines else []
    while kept and (above := _above(lines, kept[-1], positions, linear=linear)) is not None:
        kept.append(above)
    on_chain = {lines[each][1].uuid for each in kept} - {None}
    missed = sorted(set(range(min(kept, default=0), len(lines))).difference(kept))
    beside = [each for each in missed if not _says(lines[each][1]) and _hangs_on(lines[each][1]) & on_chain]
    rewound = any(_says(lines[each][1]) for each in missed)
    return [lines[each] for each in sorted({*kept, *beside})], rewound


def _above(lines: _Lines, number: int, positions: Mapping[str | None, list[int]], *, linear: bool) -> int | None:
    """The line that a line answers; None where the chain ends."""
    line = lines[number][1]
    before = number - 1 if number > 0 else None
    if line.uuid is None:
        return before
    if line.parent is None:
        return None if _says(line) or line.subtype == "compact_boundary" else before
    known = positions.get(line.parent, [])
    nearest = bisect_left(known, number) - 1  # the client may have copied it: the last copy counts
    if nearest >= 0:
        return known[nearest]
    return None if _says(line) and not linear else before


def _hangs_on(line: _TranscriptLine) -> set[str | None]:
    return {line.parent_uuid, line.source} if line.type == "user" else set()


def _says(line: _TranscriptLine) -> bool:
    """Whether a person speaks in it."""
    return line.type in {"user", "attachment"} and any(each.speaker is Speaker.USER for each in _messages(line))


def _messages(line: _TranscriptLine) -> tuple[TranscriptMessage, ...]:
    if not isinstance(line.read, tuple):
        line.read = tuple(_read(line))
    return line.read


def _read(line: _TranscriptLine) -> Iterator[TranscriptMessage]:
    if line.type == "summary" and isinstance(line.summary, str):
        yield TranscriptMessage(Speaker.SUMMARY, line.summary)
        return
    if line.type in {"user", "assistant"}:
        for block in _blocks(line.message):
            yield from _of_block(line, block)
    elif line.type == "attachment" and _QUEUED in memoryview(line.attachment)[:_HEAD].tobytes():
        yield from _queued(line)


def _queued(line: _TranscriptLine) -> Iterator[TranscriptMessage]:
    """What a person typed while the agent was at work."""
    try:
        told = msgspec.json.decode(line.attachment)
    except msgspec.MsgspecError:
        return
    if not isinstance(told, dict) or told.get("commandMode", "prompt") != "prompt" or _is_machine(told.get("origin")):
        return
    for block in _content(told.get("prompt")):
        yield from _of_block(line, block)


def _is_machine(origin: object) -> bool:
    return isinstance(origin, dict) and origin.get("kind", "human") != "human"


def _blocks(message: msgspec.Raw) -> Iterator[Mapping[str, Any]]:
    try:
        decoded = msgspec.json.decode(message)
    except msgspec.MsgspecError:
        return
    yield from _content(decoded.get("content") if isinstance(decoded, dict) else None)


def _content(content: object) -> Iterator[Mapping[str, Any]]:
    if isinstance(content, str):
        yield {"type": "text", "text": content}
    elif isinstance(content, list):
        yield from (block for block in content if isinstance(block, dict))


def _of_block(line: _TranscriptLine, block: Mapping[str, Any]) -> Iterator[TranscriptMessage]:
    kind = block.get("type")
    if kind == "text" and isinstance(block.get("text"), str):
        speaker, text = _spoken(line, block["text"])
        if text:
            yield TranscriptMessage(speaker, text)
    elif kind == "tool_use" and line.type == "assistant":
        tool, call = str(block.get("name", "")), str(block.get("id", ""))
        yield TranscriptMessage(Speaker.CALL, arguments(block.get("input")), tool, call)
    elif kind == "tool_result" and line.type == "user":
        text = _result_text(block.get("content"))
        denied = line.tool_denial_kind is not None or _HOOK_ERROR in text[:200]
        failed = block.get("is_error") is True and not denied
        call = str(block.get("tool_use_id", ""))
        yield TranscriptMessage(Speaker.RESULT, text, call=call, failed=failed, denied=denied)


def _spoken(line: _TranscriptLine, text: str) -> tuple[Speaker, str]:
    """Whose words these are; "" for what the client wrote in a person's place."""
    if line.type == "assistant":
        return Speaker.ASSISTANT, text.strip()
    if line.is_compact_summary:
        return Speaker.SUMMARY, text.strip()
    if line.is_meta or line.prompt_source == "system" or _is_machine(line.origin):
        return Speaker.USER, ""
    if f"<{_COMMAND}>" in text[:400]:
        return Speaker.USER, f"{_inside(text, _COMMAND)} {_inside(text, _COMMAND_ARGUMENTS)}".strip()
    words = _without_reminders(text).strip()
    return Speaker.USER, "" if words.startswith(_BY_CLIENT) else words


def _inside(text: str, tag: str) -> str:
    return text.partition(f"<{tag}>")[2].partition(f"</{tag}>")[0].strip()


def _without_reminders(text: str) -> str:
    """In one pass for each kind, however many are opened and never closed."""
    for tag in _REMINDERS:
        pieces, at = [], 0
        while (opened := text.find(f"<{tag}>", at)) >= 0 and (closed := text.find(f"</{tag}>", opened)) >= 0:
            pieces.append(text[at:opened])
            at = closed + len(tag) + 3
        text = "".join((*pieces, text[at:])) if at else text
    return text


def _result_text(content: Any) -> str:
    if isinstance(content, str):
        return content
    blocks = content if isinstance(content, list) else ()
    return "\n".join(
        block["text"] for block in blocks if isinstance(block, dict) and isinstance(block.get("text"), str)
    )


def _agreed_plan(messages: list[TranscriptMessage]) -> str:
    refused = {each.call for each in messages if each.speaker is Speaker.RESULT and (each.failed or each.denied)}
    answered = {each.call for each in messages if each.speaker is Speaker.RESULT} - refused
    shown = [each.text for each in messages if each.tool == _SHOWS_PLAN and each.call in answered]
    return shown[-1].partition(_PLAN)[2] if shown else ""
