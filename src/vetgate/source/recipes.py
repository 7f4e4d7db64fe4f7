"""What a target of make or a recipe of just runs, as text for a shell, with those that it needs first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vetgate.expression import expression

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

MAKEFILES = ("GNUmakefile", "makefile", "Makefile")
JUSTFILES = ("justfile", "Justfile", ".justfile")
_LARGEST = 1 << 18
_MOST_TARGETS = 32
# A value stands in as often as it is named.
_LONGEST_VALUE = 1_000
# A head, what it needs first, and the indented lines below it.
_TARGET = expression(r"(?m)^([^\s#:][^:\n]*):{1,2}(?![=:])([^\n]*)\n((?:[ \t][^\n]*\n|\n)*)")
_VARIABLE = expression(r"(?m)^(\w+)[ \t]*[:?]?:?=[ \t]*([^\n]*)$")
_USE = expression(r"\$[({](\w+)[)}]|\{\{\s*(\w+)\s*\}\}")
_MARKS = "@-+"


def recipe_text(place: Path, files: Sequence[str], named: list[str]) -> str:
    """By the first of these files; of its first target where none is named. "" where nothing runs."""
    text = next(filter(None, (small_text(place / each) for each in files)), "")
    values = {"MAKE": "make"} | {name: value[:_LONGEST_VALUE] for name, value in _VARIABLE.findall(text)}
    targets: dict[str, tuple[list[str], str]] = {}
    for head, needs, body in _TARGET.findall(f"{text}\n"):
        for name in head.lstrip(_MARKS).split():
            targets.setdefault(name, (needs.partition("#")[0].split(), body))
    named = named or [next((each for each in targets if not each.startswith(".")), "")]
    return "".join(_lines(named, targets, values))


def _lines(named: list[str], targets: Mapping[str, tuple[list[str], str]], values: Mapping[str, str]) -> Iterator[str]:
    seen: set[str] = set()
    waiting = list(reversed(named))
    while waiting and len(seen) < _MOST_TARGETS:
        name = waiting.pop()
        if name in seen or name not in targets:
            continue
        seen.add(name)
        needs, body = targets[name]
        waiting += needs
        for line in body.splitlines():
            step = _USE.sub(lambda use: values.get(use[1] or use[2], use[0]).strip("'\""), line.strip())
            yield f"{step.lstrip(_MARKS).replace('$$', '$')}\n"


def small_text(file: Path) -> str:
    try:
        if not file.is_file():  # a pipe would never end
            return ""
        with file.open(encoding="utf-8", errors="replace") as opened:
            return opened.read(_LARGEST)
    except (OSError, ValueError):  # a NUL in the name
        return ""
