"""A configuration file as values that know their place, and what is wrong with them.

Named tuples here and in the modules that read a file: a hook without a daemon pays for every class it defines, and
a dataclass costs six times as much.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from vetgate.model import UserError
from vetgate.redact import redacted

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    Value = None | bool | int | float | str | list["ConfigNode"] | dict[str, "ConfigNode"]

# Begins the name of a file that comes with vetgate.
PRESET = "preset "
_MOST_SHOWN = 20
_HINT = "`vetgate config schema` prints every key; `vetgate config show` prints what is in force"


class Position(NamedTuple):
    """Lines and columns count from 1. `file` is what a person calls it: relative to the project, or a preset."""

    file: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


class ConfigNode(NamedTuple):
    """A value and where it stands; `key` is the place of its key when it is in a mapping."""

    value: Value
    place: Position
    key: Position | None = None

    @property
    def entries(self) -> dict[str, ConfigNode]:
        return self.value if isinstance(self.value, dict) else {}

    @property
    def items(self) -> list[ConfigNode]:
        return self.value if isinstance(self.value, list) else []

    def at(self, *keys: str) -> ConfigNode:
        """What is under these keys; an empty node where nothing is."""
        node = self
        for key in keys:
            node = node.entries.get(key, ConfigNode(None, node.place))
        return node

    @property
    def plain(self) -> object:
        if isinstance(self.value, dict):
            return {key: node.plain for key, node in self.value.items()}
        if isinstance(self.value, list):
            return [node.plain for node in self.value]
        return self.value


class Problem(NamedTuple):
    place: Position
    key: str
    message: str

    def __str__(self) -> str:
        return f"{self.place}: {self.key}: {self.message}" if self.key else f"{self.place}: {self.message}"


def failure(problems: Iterable[Problem]) -> UserError:
    """All of them at once, in the order of the files: nobody likes to fix a file one run at a time."""
    ordered = sorted(set(problems), key=lambda each: (each.place.file, each.place.line, each.place.column, each.key))
    lines = [str(problem) for problem in ordered[:_MOST_SHOWN]]
    if len(ordered) == 1:
        return UserError(lines[0], hint=_HINT)
    if len(ordered) > _MOST_SHOWN:
        lines.append(f"and {len(ordered) - _MOST_SHOWN} more")
    return UserError("\n  ".join([f"{len(ordered)} problems in the configuration", *lines]), hint=_HINT)


def shown(value: object) -> str:
    """A value as it may stand in a message: short, on one line, and no more of it than is needed to find it."""
    if isinstance(value, dict):
        return "a mapping"
    if isinstance(value, list):
        return "a list"
    if value is None:
        return "nothing"
    text = str(value).lower() if isinstance(value, bool) else redacted(str(value))
    text = text if len(text) <= 40 else text[:37] + "..."
    printable = "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in text)
    return f'"{printable}"' if isinstance(value, str) else printable


def did_you_mean(word: object, known: Sequence[str]) -> str:
    """The end of a message about a word that is not known."""
    if not isinstance(word, str) or len(word) > 100:
        return ""
    import difflib  # noqa: PLC0415 - only a broken file pays for it

    lowered = {each.lower(): each for each in known}
    near = difflib.get_close_matches(word.lower(), list(lowered), n=1, cutoff=0.6)
    return f'; did you mean "{lowered[near[0]]}"?' if near else ""
