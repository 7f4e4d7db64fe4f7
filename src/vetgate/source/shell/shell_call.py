"""How a shell itself is called: where its script comes from, and what it is given."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from vetgate.expression import expression

if TYPE_CHECKING:
    from collections.abc import Sequence

_CLUSTER = expression(r"[-+][a-zA-Z]+")
_WITH_VALUE = frozenset({"-o", "+o", "-O", "+O", "--rcfile", "--init-file"})


class ShellInput(NamedTuple):
    """A script, a file that holds one, or neither: then it comes from stdin."""

    script: str | None
    file: str
    arguments: tuple[str, ...]
    program: str = "bash"


def script_of(arguments: Sequence[str]) -> ShellInput:
    letters, rest = options_of(arguments)
    if "c" in letters:
        return ShellInput("".join(rest[:1]), "", rest[2:], "".join(rest[1:2]) or "bash")
    if "s" in letters or not rest:
        return ShellInput(None, "", rest)
    return ShellInput(None, rest[0], rest[1:])


def options_of(arguments: Sequence[str]) -> tuple[str, tuple[str, ...]]:
    """The letters of all options, and what comes after."""
    letters = ""
    index = 0
    while index < len(arguments) and arguments[index].startswith(("-", "+")):
        argument = arguments[index]
        index += 2 if argument in _WITH_VALUE else 1
        if argument in ("--", "-"):
            break
        if _CLUSTER.fullmatch(argument):
            letters += argument
        elif argument in ("--command", "--commands"):
            letters += "c"
    return letters, tuple(arguments[index:])
