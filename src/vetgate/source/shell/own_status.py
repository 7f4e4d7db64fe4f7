"""Commands whose exit status is that of the whole line: no pipe, no `|| true`, no `;`, nothing behind them."""

from __future__ import annotations

from dataclasses import dataclass

from vetgate.source.shell.marks import UNQUOTED, without_marks
from vetgate.source.shell.model import Literal, Simple, Unreadable, Word
from vetgate.source.shell.script import read

_MARKS = frozenset(UNQUOTED.values())


@dataclass(frozen=True, slots=True)
class Own:
    """`words` as the program gets them, in the folder `cwd`, "" for where the shell was."""

    words: tuple[str, ...]
    cwd: str = ""


def own_commands(text: str, *, passed: bool) -> tuple[Own, ...]:
    """Which commands of the line are known to have ended as it did.

    If it passed, all that `&&` joins have; if it failed, that is known of one that stands alone. A `cd` before them
    only says where.
    """
    try:
        commands = read(text).commands
    except Unreadable:
        return ()
    simple = [command for command in commands if isinstance(command, Simple)]
    if len(simple) != len(commands) or not simple or not _are_joined(simple, without_marks(text)):
        return ()
    folder = ""
    found: list[Own] = []
    for command in simple:
        words = _words(command)
        if words is None:
            return ()
        if words[0] == "cd" and len(words) == 2 and not found:
            folder = words[1]
        else:
            found.append(Own(words, folder))
    return tuple(found) if passed or len(found) == 1 else ()


def _are_joined(commands: list[Simple], text: str) -> bool:
    """By `&&` alone, with nothing before the first and behind the last."""
    ends = [0, *(command.end for command in commands)]
    starts = [*(command.start for command in commands), len(text)]
    between = [text[end:start].strip() for end, start in zip(ends, starts, strict=True)]
    return between == ["", *["&&"] * (len(commands) - 1), ""]


def _words(command: Simple) -> tuple[str, ...] | None:
    """None for what is not known before it runs, and for variables that could make it another program."""
    if command.assignments or not command.words:
        return None
    words = tuple(_plain(word) for word in command.words)
    return None if None in words else tuple(word for word in words if word is not None)


def _plain(word: Word) -> str | None:
    texts = [part.text for part in word.parts if isinstance(part, Literal)]
    text = "".join(texts)
    return text if len(texts) == len(word.parts) and not _MARKS & set(text) else None
