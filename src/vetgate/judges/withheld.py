"""What a conversation quotes of files that nobody sends anywhere: it is taken out of calls, results and commands.

A call that names such a file is shown without the text that it writes, and its result not at all; of a command that
names one only the programs and paths are shown. Of other results the lines and diffs are left out that say which file
they are of; what answers a call that nobody read is not shown.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING

from vetgate.agents.conversation import Speaker
from vetgate.expression import expression
from vetgate.source.shell.placeholders import shown

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from vetgate.agents.conversation import TranscriptMessage
    from vetgate.judges.path_rules import PathRules
    from vetgate.source.shell.runs import ProgramRun

NOTE = "[withheld: a sensitive file]"
_UNREAD = "[withheld: the call that it answers was not read]"
_FIELD = expression(r"(?m)^([A-Za-z_]\w{0,40}): ")
# What a call writes or says; a file that is only spoken of there is not the one it is about.
_WRITTEN = frozenset(
    {"content", "contents", "new_string", "old_string", "new_source", "edits", "text", "prompt", "description", "plan"}
    | {"new_str", "old_str", "file_text", "insert_text", "input", "patch", "diff", "value"}
)
_WORD = expression(r"[^\s'\"`;|&<>()\[\]{},=]{1,400}")
_MOST_WORDS, _MOST_LINKS, _MOST_HEADINGS = 20_000, 40, 1_000
_LONGEST_FIELD = 300
_COMMANDS = frozenset({"command", "cmd", "script"})
_AFTER_COMMAND = "\ndescription: "
_PROGRAM = expression(r"[A-Za-z0-9_][\w.+-]{0,40}")
_MOST_RUNS = 40
# What somebody tells of such a file in words: behind an equals sign or an arrow, behind a colon at the beginning of a
# line or after a quoted name, and in the second column of a table.
_VALUE = expression(
    r"(?m)((?:(?<![\w.-])[A-Za-z_][\w.-]{0,80}[`*\"']{0,3}[ \t]{0,9}(?:=>|:=|=|->|\u2192)"
    r"|^[ \t]{0,40}(?:(?:[-*+\u2022>{]|\d{1,3}[.)])[ \t]{1,9})?"
    r"[`*\"']{0,3}[\w.-]{1,80}[`*\"']{0,3}[ \t]{0,3}:[`*]{0,3}(?=[ \t])"
    r"|[`\"'][\w.-]{1,80}[`\"'][ \t]{0,3}:|^[ \t]{0,40}\|[^|\n]{1,80}\|)[ \t]{0,9})"
    r"(\"[^\"\n]{0,4000}\"|'[^'\n]{0,4000}'|`[^`\n]{0,4000}`|[^\s'\"`]\S{0,4000})"
)
_OF_FILE = expression(r"^(?:\./)?([^\s:]{1,300}):(?:\d{1,9}[:-])?")
# Patches name their files in headings of their own, whatever the argument is called that carries them.
_PATCHED = expression(
    r"(?m)(?:^|: )(?:\*\*\* (?:(?:Add|Update|Delete) File|Move to): |(?:\+\+\+|---) (?:[ab]/)?)(.{1,400})$"
)
_CONTEXT = expression(r"-\d{1,9}-")
_HEADING = expression(
    r"(?m)^(?:diff .{1,800}|--- .{1,400}\n\+\+\+ .{1,400}|==> .{1,400} <==|--- .{1,400} ---"
    r"|[^\s:]{1,300}(?=\n\d{1,9}[:-]))$"
)
_SIDE = expression(r"(?<![^\s\"])[a-z]/")
_MOST_DASHES = 5


def messages_without(messages: Iterable[TranscriptMessage], rules: PathRules) -> list[TranscriptMessage]:
    """The same messages, as they may be shown."""
    listed = list(messages)
    calls = {each.call: each.text for each in listed if each.speaker is Speaker.CALL}
    return [replace(each, text=_text_without(each, calls.get(each.call), rules)) for each in listed]


def words_without(text: str, rules: PathRules) -> str:
    """What somebody says, without what is assigned there where it names such a file."""
    return _VALUE.sub(r"\1[hidden]", text) if _names_withheld(text, rules) else text


def command_without(command: str, rules: PathRules) -> str:
    """Of a command that names such a file its programs and the paths that are there; no other word of it."""
    runs = rules.programs(command)
    if not (_names_withheld(command, rules) or _are_withheld(_words(runs), rules)):
        return command
    lines = [" ".join(_run_shown(run, rules)) for run in runs[:_MOST_RUNS]]
    return "\n".join((NOTE, *filter(None, lines)))


def _words(runs: Iterable[ProgramRun]) -> list[str]:
    said = (word for run in runs for word in (*run.arguments, *(each.path for each in run.writes), *run.reads))
    return list(dict.fromkeys(said))


def _run_shown(run: ProgramRun, rules: PathRules) -> Iterator[str]:
    if _PROGRAM.fullmatch(run.name):
        yield run.name
    words = _words((run,))[:_MOST_LINKS]
    words = [shown(word) for word in words if rules.is_there(word, run.cwd) or rules.is_withheld(word)]
    yield from filter(_WORD.fullmatch, words)  # code that ends with such a name is no path


def _text_without(message: TranscriptMessage, call: str | None, rules: PathRules) -> str:
    """`call` is the call that it belongs to, None where that was not read."""
    text = message.text
    if message.speaker is Speaker.CALL:
        return "\n".join(_fields_shown(text, rules)) if _is_about(text, rules) else text
    if message.speaker is Speaker.RESULT:
        if call is None:
            return _UNREAD
        # What another agent is told to do is about all that is named there, and so is what it tells.
        is_told = message.is_report and (_names_withheld(call, rules) or _names_withheld(text, rules))
        return NOTE if is_told or _is_about(call, rules) else _result_without(text, rules)
    return words_without(text, rules)


def _fields(text: str) -> Iterator[tuple[str, str]]:
    """The arguments of a call as the transcript has them, each with its name."""
    starts = [(found[1], found.start(), found.end()) for found in _FIELD.finditer(text)]
    if not starts or starts[0][1]:
        yield "", text[: starts[0][1]] if starts else text
    for number, (name, _, begin) in enumerate(starts):
        if name in _COMMANDS:  # a line of it can look like the next field
            yield name, text[begin:]
            return
        end = starts[number + 1][1] if number + 1 < len(starts) else len(text)
        yield name, text[begin:end].removesuffix("\n")


def _is_about(text: str, rules: PathRules) -> bool:
    if any(rules.is_withheld(found[1].strip()) for found in _PATCHED.finditer(text)):
        return True
    fields = [(name, value) for name, value in _fields(text) if name not in _WRITTEN]
    return any(_names_withheld(value, rules) for _, value in fields) or any(
        command_without(value, rules) != value for name, value in fields if name in _COMMANDS
    )


def _names_withheld(text: str, rules: PathRules, *, links: bool = True) -> bool:
    whole = (found[0].rstrip(":!?") for found in _WORD.finditer(text))
    words = list(dict.fromkeys(part for word in whole for part in {word, *word.split(":")}))  # as in HEAD:path
    return _are_withheld(words, rules, links=links)


def _are_withheld(words: Sequence[str], rules: PathRules, *, links: bool = True) -> bool:
    """Whether one of them is such a file; of more words than anybody looks through it is assumed."""
    if len(words) > _MOST_WORDS or any(map(rules.is_named_withheld, words)):
        return True
    # Which of them is a link to such a file is asked of the disk, and of a few only.
    return links and any(map(rules.is_withheld, words[:_MOST_LINKS]))


def _fields_shown(text: str, rules: PathRules) -> Iterator[str]:
    for name, value in _fields(text):
        yield (f"{name}: " if name else "") + _field_shown(name, value, rules)
        if name in _WRITTEN | _COMMANDS:
            return  # a line of what is written can look like the next field


def _field_shown(name: str, value: str, rules: PathRules) -> str:
    if name in _COMMANDS:
        return command_without(value.partition(_AFTER_COMMAND)[0], rules)
    if name in _WRITTEN or len(value) > _LONGEST_FIELD or not _WORD.fullmatch(value):
        return NOTE
    # Whatever a tool calls what it writes, the path of a file is no part of it.
    return value if rules.is_there(value, "") or rules.is_withheld(value) else NOTE


def _result_without(text: str, rules: PathRules) -> str:
    known: dict[str, bool] = {}

    def is_withheld(path: str) -> bool:
        if path not in known:
            known[path] = len(known) >= _MOST_WORDS or rules.is_named_withheld(path)
        return known[path]

    lines = "".join(_sections_without(text, rules)).split("\n")
    for number, line in enumerate(lines):
        path = next(filter(is_withheld, _files_of(line)), None)
        if path is not None:
            lines[number] = f"{path}: {NOTE}"
    return "\n".join(lines)


def _files_of(line: str) -> Iterator[str]:
    """Of which file a line of a search may be; a path may hold what stands behind others."""
    found = _OF_FILE.match(line)
    if found is not None:
        yield found[1]
    for each in islice(_CONTEXT.finditer(line[:_LONGEST_FIELD]), _MOST_DASHES):
        yield line[: each.start()].removeprefix("./")


def _sections_without(text: str, rules: PathRules) -> Iterator[str]:
    """Diffs, and what is printed below the name of a file."""
    starts = [(found.start(), found.end()) for found in islice(_HEADING.finditer(text), _MOST_HEADINGS + 1)]
    yield text[: starts[0][0]] if starts else text
    for number, (start, end) in enumerate(starts):
        if number == _MOST_HEADINGS:
            yield NOTE  # nobody looks through more of them
            return
        heading = text[start:end]
        after = starts[number + 1][0] if number + 1 < len(starts) else len(text)
        is_withheld = _names_withheld(f"{heading}\n{_SIDE.sub('', heading)}", rules, links=number < _MOST_LINKS)
        yield f"{heading}\n{NOTE}\n" if is_withheld else text[start:after]
