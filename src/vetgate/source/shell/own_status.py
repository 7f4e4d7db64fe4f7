"""Commands whose exit status is that of the whole line: no pipe, no `|| true`, no `;`, nothing behind them."""

from __future__ import annotations

import posixpath
from dataclasses import dataclass

from vetgate.source.shell.model import Literal, Simple, Unreadable, Word
from vetgate.source.shell.placeholders import UNQUOTED, without_placeholders
from vetgate.source.shell.script import read

_MARKS = frozenset(UNQUOTED.values())
# Of the shell itself: after them a name may be another program, a status another's, or nothing runs at all.
_CHANGES_SHELL = frozenset(
    """
    exit exec return logout eval source . alias unalias export declare typeset readonly local read printf mapfile
    readarray getopts hash trap pushd popd chdir builtin command enable disable set shopt unset setopt unsetopt emulate
    autoload zmodload
    """.split()
)
_ACTIVATES = ("source", ".")


@dataclass(frozen=True, slots=True)
class StatusCommand:
    """`words` as the program gets them, in the folder `cwd`, "" for where the shell was."""

    words: tuple[str, ...]
    cwd: str = ""


def own_commands(text: str, *, passed: bool) -> tuple[StatusCommand, ...]:
    """Which commands of the line are known to have ended as it did.

    If it passed, all that `&&` joins have; if it failed, that is known of one that stands alone. A `cd` only says
    where those behind it ran.
    """
    try:
        commands = read(text).commands
    except Unreadable:
        return ()
    simple = [command for command in commands if isinstance(command, Simple)]
    if len(simple) != len(commands) or not simple or not _are_joined(simple, without_placeholders(text)):
        return ()
    folder = ""
    found: list[StatusCommand] = []
    for command in simple:
        words = _words(command)
        if words is None or _changes_shell(words):
            return ()
        if words[0] == "cd":
            folder = posixpath.join(folder, words[1]) if not words[1].startswith("~") else words[1]
        elif words[0] not in _ACTIVATES:
            found.append(StatusCommand(words, folder))
    return tuple(found) if passed or len(found) == 1 else ()


def _changes_shell(words: tuple[str, ...]) -> bool:
    """More than the folder, or the environment of a project's own programs."""
    if words[0] == "cd":
        return len(words) != 2 or words[1].startswith("-")
    if words[0] in _ACTIVATES:
        return len(words) != 2 or not words[1].endswith("/bin/activate")
    return words[0] in _CHANGES_SHELL


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
