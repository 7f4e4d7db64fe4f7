"""The pieces that judges put their questions together from; each is text that somebody else wrote."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from rapidfuzz.distance import Indel

from vetgate.agents.conversation import Speaker
from vetgate.judgement import Part
from vetgate.judges.judge import MOST_CHANGED_LINES
from vetgate.judges.path_rules import PathRules
from vetgate.judges.prompt import clean, cut
from vetgate.judges.withheld import NOTE, command_without, messages_without, words_without

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from vetgate.agents.conversation import TranscriptMessage
    from vetgate.judges.judge import Context
    from vetgate.model import Change, File

_MOST_RULES = 20_000
_LONGEST_COMMAND = 8_000
_LONGEST_LINE = 1_000
# A change of long lines is cut before it has so many: what is sent has to fit into a model.
_ROOM_A_LINE, _LEAST_ROOM = 50, 20_000
_AROUND = 3
# Pairs of lines; with more of them the two sides are not compared: time and memory grow with their number.
_MOST_COMPARED = 100_000_000


class DiffLine(NamedTuple):
    """`number` is the line in the new file, 0 for one that is gone."""

    sign: str
    number: int
    text: str

    def __str__(self) -> str:
        number = str(self.number) if self.number else ""
        more = len(self.text) - _LONGEST_LINE
        if more <= 0:
            return f"{self.sign}{number:>6}| {self.text}"
        return f"{self.sign}{number:>6}| {clean(self.text)[:_LONGEST_LINE]} [… {more} characters omitted …]"


def said(context: Context) -> Part:
    """What a person said, oldest first."""
    spoken = (each for each in _messages(context) if each.speaker is Speaker.USER)
    return Part("What the user said, oldest first", _spoken(context, spoken))


def conversation(context: Context) -> Part:
    return Part("The conversation so far, oldest first", _spoken(context, _earlier_messages(context)))


def _earlier_messages(context: Context) -> list[TranscriptMessage]:
    """Without the call in question, which the client may have written down already."""
    asked = context.event.call
    return [each for each in _messages(context) if not (asked and each.call == asked)]


def _messages(context: Context) -> list[TranscriptMessage]:
    """Without what they quote of files that nobody sends anywhere."""
    return messages_without(context.conversation.messages, PathRules(context.root, context.sensitive))


def announced(context: Context) -> Part:
    """What the agent said last, before it acted."""
    spoken = (each for each in _messages(context) if each.speaker is Speaker.ASSISTANT)
    return Part("What the agent said last", _spoken(context, spoken))


def words(context: Context, text: str, most: int) -> str:
    """What an agent wrote, as long as it may be."""
    return cut(words_without(text, PathRules(context.root, context.sensitive)), most)


def results(context: Context) -> Part:
    latest = [each for each in _earlier_messages(context) if each.speaker in {Speaker.CALL, Speaker.RESULT}]
    return Part("The latest calls and their results", _spoken(context, latest))


def rules(context: Context) -> tuple[Part, ...]:
    """The project's own instructions to agents; none where there are none."""
    texts = [f"{path}\n{quoted(cut(text, _MOST_RULES))}" for path, text in context.rules]
    return (Part("The project's rules for agents", "\n\n".join(texts)),) if texts else ()


def call(context: Context, most: int = MOST_CHANGED_LINES) -> Part:
    """What the agent is about to do: an edit, a command or another tool."""
    event = context.event
    lines = [f"tool: {event.tool}"] if event.tool else []
    if event.command:
        command = command_without(event.command, PathRules(context.root, context.sensitive))
        lines += ["command:", quoted(cut(command, _LONGEST_COMMAND))]
    lines += [f"{touch.how}: {touch.path}" for touch in event.touches]
    change = event.change or context.change
    if change is not None:
        lines.append(diff_of(change, context, most))
    elif not event.command:
        lines += _arguments(context)
    return Part("The call that the agent is about to make", "\n".join(lines))


def _arguments(context: Context) -> list[str]:
    """Of a tool that neither edits nor runs anything, as the transcript has them."""
    asked = context.event.call
    called = (each for each in _messages(context) if asked and each.call == asked and each.speaker is Speaker.CALL)
    most = context.conversation.characters
    return [line for each in called for line in ("arguments:", quoted(cut(each.text, most)))]


def change(context: Context, most: int = MOST_CHANGED_LINES) -> Part:
    wanted = context.event.change or context.change
    text = diff_of(wanted, context, most) if wanted is not None else ""
    return Part("The change, with the line numbers of the new files", text)


def paths_of(context: Context) -> list[str]:
    wanted = context.event.change or context.change
    return [file.path for file in wanted.files] if wanted is not None else []


def diff_of(change: Change, context: Context, most: int = MOST_CHANGED_LINES) -> str:
    """At most so many changed lines; what is left out is counted. Files that nobody sends anywhere are only named."""
    return diff_and_omitted(change, context, most)[0]


def diff_and_omitted(change: Change, context: Context, most: int = MOST_CHANGED_LINES) -> tuple[str, int]:
    """The same, with the number of lines that are left out."""
    paths = PathRules(change.root, context.sensitive)
    written, left, omitted = [], most, 0
    room = max(_LEAST_ROOM, most * _ROOM_A_LINE)
    for file in sorted(change.files, key=lambda each: each.path):
        header = _header(file)
        if paths.is_withheld(file.path) or (file.was and paths.is_withheld(file.was)):
            written.append(f"{header}\n{NOTE}")
            continue
        lines = list(diff_lines(file))
        kept = list(_first(lines, left, room))
        changed, shown = _count(lines), _count(kept)
        left -= shown
        room -= sum(min(len(line.text), _LONGEST_LINE) for line in kept)
        omitted += changed - shown
        written.append("\n".join((header, *map(str, kept))))
    if omitted:
        written.append(f"[… {omitted} lines omitted …]")
    return "\n\n".join(written), omitted


def quoted(text: str) -> str:
    """Each line behind a bar: no text can pass for a heading of ours."""
    return "\n".join(f"| {line}" for line in text.split("\n"))


def changed_lines(change: Change) -> int:
    """How many lines a change adds and removes."""
    sides = (_differing(file)[1:] for file in change.files)
    return sum(len(old) + len(new) if _are_many(old, new) else Indel.distance(old, new) for old, new in sides)


def replaces_lines(file: File) -> bool:
    return bool(file.before) and file.after is not None and any(line.sign == "-" for line in diff_lines(file))


def _header(file: File) -> str:
    if file.before is None:
        return f"new file {file.path}"
    if file.after is None:
        return f"deleted file {file.path}"
    return f"file {file.path}, was {file.was}" if file.was else f"file {file.path}"


def _count(lines: Iterable[DiffLine]) -> int:
    return sum(line.sign != " " for line in lines)


def _first(lines: list[DiffLine], most: int, room: int) -> Iterator[DiffLine]:
    for line in lines:
        most -= line.sign != " "
        room -= min(len(line.text), _LONGEST_LINE)
        if most < 0 or room < 0:
            return
        yield line


def _differing(file: File) -> tuple[int, list[str], list[str]]:
    """How many lines of the beginning stayed, and what stands on either side from the first line that differs on."""
    before, after = _lines(file.before), _lines(file.after)
    head = _shared(before, after)
    tail = _shared(before[head:][::-1], after[head:][::-1])
    return head, before[head : len(before) - tail], after[head : len(after) - tail]


def _are_many(old: list[str], new: list[str]) -> bool:
    return len(old) * len(new) > _MOST_COMPARED


def diff_lines(file: File) -> Iterator[DiffLine]:
    head, old, new = _differing(file)
    after = _lines(file.after)
    start = max(0, head - _AROUND)
    yield from (DiffLine(" ", start + number, text) for number, text in enumerate(after[start:head], 1))
    yield from _compared(old, new, head)
    last = head + len(new)
    yield from (DiffLine(" ", last + number, text) for number, text in enumerate(after[last : last + _AROUND], 1))


def _lines(text: str | None) -> list[str]:
    lines = (text or "").split("\n")
    return lines[:-1] if not lines[-1] else lines


def _shared(one: list[str], other: list[str]) -> int:
    return next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


def _compared(old: list[str], new: list[str], head: int) -> Iterator[DiffLine]:
    """Between the first line that differs and the last; long stretches that stayed are left out."""
    if _are_many(old, new):
        yield from (DiffLine("-", 0, text) for text in old)
        yield from (DiffLine("+", head + number, text) for number, text in enumerate(new, 1))
        return
    gone = come = 0
    for block in Indel.opcodes(old, new).as_matching_blocks():
        yield from (DiffLine("-", 0, text) for text in old[gone : block.a])
        yield from (DiffLine("+", head + number + 1, new[number]) for number in range(come, block.b))
        gone, come = block.a + block.size, block.b + block.size
        for number in range(block.b, come):
            if number < block.b + _AROUND or number >= come - _AROUND:
                yield DiffLine(" ", head + number + 1, new[number])


def _spoken(context: Context, messages: Iterable[TranscriptMessage]) -> str:
    """Each under a line of ours, with its own lines behind a bar: no message can pass for another one."""
    most = context.conversation.characters
    written = [f"{number}. {_speaker(each)}\n{quoted(cut(each.text, most))}" for number, each in enumerate(messages, 1)]
    return "\n".join(written) or "(nothing)"


def _speaker(message: TranscriptMessage) -> str:
    words = {
        Speaker.CALL: f"the agent calls {message.tool}",
        Speaker.RESULT: f"result of {message.tool or 'a tool'}",
        Speaker.TASK: "the agent that started this one",
        Speaker.SUMMARY: "summary of what was compacted, by a model",
        Speaker.ASSISTANT: "the agent",
    }
    outcome = ", which failed" if message.failed else ", which was denied" if message.denied else ""
    return words.get(message.speaker, str(message.speaker)) + outcome
