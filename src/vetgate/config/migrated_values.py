"""What a file of an older design becomes, and what each of its keys became."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

from vetgate.expression import expression
from vetgate.model import UserError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_SIMPLE = expression(r"[A-Za-z][A-Za-z0-9_/.-]*")
_NOT_PLAIN = frozenset({"true", "false", "null", "True", "False", "Null", "TRUE", "FALSE", "NULL"})
_LONGEST = 100


class Migration(NamedTuple):
    """The text of a vetgate.yaml; `became` and `left` say what each key of the old file is there, or why it is not."""

    text: str
    became: tuple[tuple[str, str], ...] = ()
    left: tuple[tuple[str, str], ...] = ()


class OldKeys:
    """Keys of a file, each taken once; what nobody takes is left."""

    def __init__(self, data: Mapping[str, Any], name: str) -> None:
        self._values = dict(flat(data))
        self._name = name
        self.became: list[tuple[str, str]] = []
        self.left: list[tuple[str, str]] = []

    def take(self, key: str, kind: type | tuple[type, ...], became: str) -> Any:
        """None where it is not given; `became` is a template with the value in it."""
        value = self._value(key, kind)
        if value is not None:
            self.became.append((key, became.format(word(value))))
        return value

    def leave(self, key: str, why: str) -> None:
        if self._values.pop(key, None) is not None:
            self.left.append((key, why))

    def rest(self, why: str) -> None:
        for key in list(self._values):
            self.leave(key, why)

    def _value(self, key: str, kind: type | tuple[type, ...]) -> Any:
        value = self._values.pop(key, None)
        if value is None:
            return None
        is_flag = isinstance(value, bool)
        if not isinstance(value, kind) or (is_flag and kind is not bool):
            raise UserError(f"`{key}` of {self._name} is {word(value)}", hint="put it right there, or take it out")
        return value

    def migration(self, text: str) -> Migration:
        return Migration(text, tuple(self.became), tuple(self.left))


def flat(data: Mapping[str, Any], before: str = "") -> Iterator[tuple[str, Any]]:
    """Each value under its whole key; an empty table is nothing."""
    for name, value in data.items():
        key = f"{before}{name}"
        if isinstance(value, dict):
            yield from flat(value, f"{key}.")
        elif value is not None:
            yield key, value


def comments(migration: Migration) -> str:
    """For the head of the file."""
    lines = [f"# {key}: {what}" for key, what in migration.became]
    lines += [f"# {key}: not taken over ({why})" for key, why in migration.left]
    return "".join(f"{printable(line)}\n" for line in lines)


def word(value: Any) -> str:
    """As YAML reads it back."""
    if isinstance(value, str):
        value = value.encode("utf-8", "replace").decode()  # JSON can spell half a character, which no file can hold
    bare = isinstance(value, str) and _SIMPLE.fullmatch(value) and value not in _NOT_PLAIN
    return str(value) if bare else json.dumps(value, ensure_ascii=False)


def flow(names: list[str]) -> str:
    return f"[{', '.join(map(word, names))}]"


def printable(text: str) -> str:
    return "".join(char if char.isprintable() else "?" for char in text)[: 2 * _LONGEST]
