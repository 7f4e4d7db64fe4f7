"""Variables of a shell and of files read like its own: what `$A$B`, `key+=...` and `${A:-default}` come to."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from vetgate.checks.secrets.match import Pair

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_KINDS = frozenset(
    "sh bash zsh ksh env envrc profile bashrc zshrc settings mk makefile dockerfile containerfile".split()
)
_SET = re.compile(
    rb"(?:^|[;&|{(])[ \t]*(?:(?:export|local|readonly|declare|typeset|ENV|ARG)[ \t]+)?([A-Za-z_]\w{0,60})[ \t]?(\+|:)?="
    rb"([^\n;&|]{0,400})",
    re.MULTILINE,
)
_USED = re.compile(rb"[^\s]{0,200}\$\{?[A-Za-z_][^\n]{0,400}")
_NAME = re.compile(rb"\$(?:\{([A-Za-z_]\w{0,60})[^}\n]{0,40}\}|\(([A-Za-z_]\w{0,60})\)|([A-Za-z_]\w{0,60}))")
_DROPPED = re.compile(rb"[\"'\\]")
_LONGEST, _MOST = 2_000, 2_000
FOLDED = "put together from pieces"


def expanded(kind: str, data: bytes) -> Iterator[Pair]:
    """By no name: what its shape alone tells."""
    if kind not in _KINDS or b"=" not in data or (b"$" not in data and b"+=" not in data):
        return
    has: dict[bytes, bytes] = {}
    for number, found in enumerate(_SET.finditer(data)):
        name, grows, given = found[1], found[2] == b"+", found[3].strip()
        value = (has.get(name, b"") if grows else b"") + _filled(given, has)
        has[name] = value[:_LONGEST]
        if grows or b"$" in given:
            yield _pair(value, *found.span())
        if number > _MOST:
            return
    for number, found in enumerate(_USED.finditer(data) if has else ()):
        yield _pair(_filled(found[0], has), *found.span())
        if number > _MOST:
            return


def _filled(text: bytes, has: dict[bytes, bytes]) -> bytes:
    """What nobody knows is empty, as it is in a shell."""
    return _DROPPED.sub(b"", _NAME.sub(lambda name: has.get(name[1] or name[2] or name[3], b""), text))


def _pair(value: bytes, start: int, end: int) -> Pair:
    return Pair("", value[:_LONGEST].decode("utf-8", "replace"), start, end, FOLDED)


_DEFAULT = re.compile(r"\$\{([A-Za-z_][\w.-]{1,100}?)(?::-|:=|:)([^{}$\s]{6,300})\}")


def with_defaults(pairs: Iterable[Pair]) -> Iterator[Pair]:
    for pair in pairs:
        yield pair
        found = _DEFAULT.search(pair.value) if "${" in pair.value else None
        if found is not None:
            start = pair.start + len(pair.value[: found.start(2)].encode("utf-8", "replace"))
            end = start + len(found[2].encode("utf-8", "replace"))
            yield Pair(found[1].replace(".", "_"), found[2], start, end)
