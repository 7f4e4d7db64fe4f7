"""What a conversation quotes of files that nobody sends anywhere: it is taken out of calls, results and commands.

A call that names such a file is shown without the text that it writes, and its result not at all. Of other results the
lines and diffs are left out that say which file they are of.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from vetgate.agents.conversation import Speaker
from vetgate.expression import expression

if TYPE_CHECKING:
    import re
    from collections.abc import Iterable, Iterator

    from vetgate.agents.conversation import TranscriptMessage
    from vetgate.judges.path_rules import PathRules

NOTE = "[withheld: a sensitive file]"
_FIELD = expression(r"(?m)^([A-Za-z_]\w{0,40}): ")
# What a call writes or says; a file that is only spoken of there is not the one it is about.
_WRITTEN = frozenset(
    {"content", "contents", "new_string", "old_string", "new_source", "edits", "text", "prompt", "description", "plan"}
    | {"new_str", "old_str", "file_text", "insert_text", "input", "patch", "diff", "value"}
)
_WORD = expression(r"[^\s'\"`;|&<>()\[\]{},=]{1,400}")
_MOST_WORDS, _MOST_LINKS = 1_000, 20
_LONGEST_FIELD = 300
# Where a command writes into a file that it names: what it assigns is what will stand there.
_INTO = expression(r"(?:>>?\|?|\btee\b(?:[ \t]+-a)?)[ \t]*['\"]?([^\s'\"`;|&<>()]{1,400})")
_VALUE = expression(
    r"(?m)((?:\b[A-Za-z_][\w.-]{0,80}=|^[ \t]{0,40}[\"']?[\w.-]{1,80}[\"']?:[ \t]{1,9}))"
    r"(\"[^\"\n]{0,4000}\"|'[^'\n]{0,4000}'|[^\s'\"]\S{0,4000})"
)
_OF_FILE = expression(r"^(?:\./)?([^\s:]{1,300}):(?:\d{1,9}[:-])?")
# Patches name their files in headings of their own, whatever the argument is called that carries them.
_PATCHED = expression(
    r"(?m)(?:^|: )(?:\*\*\* (?:(?:Add|Update|Delete) File|Move to): |(?:\+\+\+|---) (?:[ab]/)?)(.{1,400})$"
)
_DIFF = expression(r"(?m)^diff --git \"?a/(.{1,400}?)\"? \"?b/(.{1,400}?)\"?$")


def messages_without(messages: Iterable[TranscriptMessage], rules: PathRules) -> list[TranscriptMessage]:
    """The same messages, as they may be shown."""
    listed = list(messages)
    calls = {each.call: _is_about(each.text, rules) for each in listed if each.speaker is Speaker.CALL}
    return [_without(each, is_sensitive=calls.get(each.call, False), rules=rules) for each in listed]


def command_without(command: str, rules: PathRules) -> str:
    """A command with the values hidden that it writes into such a file."""
    into = (found[1] for found in _INTO.finditer(command))
    return _VALUE.sub(_masked, command) if any(map(rules.is_withheld, into)) else command


def _masked(found: re.Match[str]) -> str:
    return f"{found[1]}[hidden]"


def _without(message: TranscriptMessage, *, is_sensitive: bool, rules: PathRules) -> TranscriptMessage:
    if message.speaker is Speaker.CALL and is_sensitive:
        return replace(message, text="\n".join(_fields_shown(message.text, rules)))
    if message.speaker is Speaker.RESULT:
        return replace(message, text=NOTE if is_sensitive else _result_without(message.text, rules))
    return message


def _fields(text: str) -> Iterator[tuple[str, str]]:
    """The arguments of a call as the transcript has them, each with its name."""
    starts = [(found[1], found.start(), found.end()) for found in _FIELD.finditer(text)]
    if not starts or starts[0][1]:
        yield "", text[: starts[0][1]] if starts else text
    for number, (name, _, begin) in enumerate(starts):
        end = starts[number + 1][1] if number + 1 < len(starts) else len(text)
        yield name, text[begin:end].removesuffix("\n")


def _patches_withheld(text: str, rules: PathRules) -> bool:
    return any(rules.is_withheld(found[1].strip()) for found in _PATCHED.finditer(text))


def _is_about(text: str, rules: PathRules) -> bool:
    if _patches_withheld(text, rules):
        return True
    wanted = (value for name, value in _fields(text) if name not in _WRITTEN)
    words = list(dict.fromkeys(found[0] for value in wanted for found in _WORD.finditer(value)))
    # Which of them is a link to such a file is asked of the disk, and of a few only.
    return any(map(rules.is_named_withheld, words[:_MOST_WORDS])) or any(map(rules.is_withheld, words[:_MOST_LINKS]))


def _fields_shown(text: str, rules: PathRules) -> Iterator[str]:
    for name, value in _fields(text):
        yield (f"{name}: " if name else "") + _field_shown(name, value, rules)
        if name in _WRITTEN:
            return  # a line of what is written can look like the next field


def _field_shown(name: str, value: str, rules: PathRules) -> str:
    if name in {"command", "cmd", "script"}:
        return NOTE if _patches_withheld(value, rules) else command_without(value, rules)
    is_short = "\n" not in value and len(value) <= _LONGEST_FIELD
    return value if is_short and name not in _WRITTEN else NOTE


def _result_without(text: str, rules: PathRules) -> str:
    if "diff --git " in text:
        text = "".join(_diffs_without(text, rules))
    known: dict[str, bool] = {}
    lines = text.split("\n")
    for number, line in enumerate(lines):
        found = _OF_FILE.match(line)
        if found is None:
            continue
        if found[1] not in known and len(known) < _MOST_WORDS:
            known[found[1]] = rules.is_named_withheld(found[1])
        if known.get(found[1]):
            lines[number] = f"{found[0]} {NOTE}"
    return "\n".join(lines)


def _diffs_without(text: str, rules: PathRules) -> Iterator[str]:
    starts = [(found.start(), found.end(), {found[1], found[2]}) for found in _DIFF.finditer(text)]
    yield text[: starts[0][0]] if starts else text
    for number, (start, header, paths) in enumerate(starts):
        end = starts[number + 1][0] if number + 1 < len(starts) else len(text)
        yield f"{text[start:header]}\n{NOTE}\n" if any(map(rules.is_withheld, paths)) else text[start:end]
