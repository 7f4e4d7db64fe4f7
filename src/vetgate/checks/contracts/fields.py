"""Whether a class has a name in another way than by a method: a field, or what its objects are given."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from vetgate.expression import expression
from vetgate.index.resolve import SCRIPTS
from vetgate.source.language import language_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vetgate.index.inheritance import SourceDefinition
    from vetgate.index.view import View

_CLOSED = expression(r"\}")
_METHOD = expression(r"([ \t]+)(?:async\s+)?def\s")
_INDENT = expression(r"[ \t]*")
# What may stand before a field of a script; and before a parameter that becomes one.
_WORDS = r"(?:public|private|protected|readonly|static|declare|override|abstract|accessor)"
_BECOMING = r"(?:public|private|protected|readonly|override)"
# How something is given to an object or a class by whoever knows it; and not by the class itself.
ASSIGNED = r"\.{name}(?:(?:,\s*[\w.]+)+\s+|\s*(?::[^=\n]+)?)=(?![=>])"
OTHERS = r"(?<!\bself)(?<!\bthis)"


def has_field(view: View, klass: SourceDefinition, name: str) -> bool:
    if not view.once(("said", klass.path, name), lambda: name in view.text(klass.path)):
        return False
    if view.once(("given", klass.path, name), lambda: bool(_assignment_elsewhere(name).search(view.text(klass.path)))):
        return True
    body = class_body(view.text(klass.path), klass)
    if name not in body:
        return False
    if _assigned(name).search(body):
        return True
    if language_of(klass.path) in SCRIPTS:
        return bool(_script_field(name).search(body))
    return bool(_python_field(name).search("\n".join(_without_methods(body))))


def class_body(text: str, klass: SourceDefinition) -> str:
    """From where a class begins to what ends it, or to the next thing that is defined."""
    first, last = klass.definition.line - 1, None
    lines = text.split("\n")
    if language_of(klass.path) in SCRIPTS:
        last = next((number for number in range(first + 1, len(lines)) if _CLOSED.match(lines[number])), None)
    else:
        others = (each.line - 1 for each in klass.facts.definitions if "." not in each.symbol)
        last = min((line for line in others if line > first), default=None)
    return "\n".join(lines[first:last])


def _without_methods(body: str) -> Iterator[str]:
    """The lines of a class in Python that stand in none of its functions."""
    inside: int | None = None
    for line in body.split("\n"):
        indent = _INDENT.match(line)
        depth = len(indent[0]) if indent else 0
        if inside is not None and (depth > inside or not line.strip()):
            continue
        method = _METHOD.match(line)
        inside = len(method[1]) if method else None
        if not method:
            yield line


@lru_cache(maxsize=256)
def _assignment_elsewhere(name: str) -> re.Pattern[str]:
    plain = re.escape(name)
    return re.compile(rf"{OTHERS}{ASSIGNED.format(name=plain)}|\bsetattr\(\s*[\w.]+\s*,\s*[\"']{plain}[\"']")


@lru_cache(maxsize=256)
def _assigned(name: str) -> re.Pattern[str]:
    return re.compile(ASSIGNED.format(name=re.escape(name)))


@lru_cache(maxsize=256)
def _python_field(name: str) -> re.Pattern[str]:
    plain = re.escape(name)
    # One of several names, or behind another statement; an argument by name that has a line of its own is none.
    value = r"(?:\s*:|\s+=(?!=)|=(?!=|[^\n]*[,(]\s*$)|\s*[,)\]][^\n=]*=(?!=))"
    listed = rf"^[ \t]+(?:[^\n#]*[,;=(\[*]\s*)?{plain}{value}"
    alone = rf"^[ \t]*class\b[^\n]*[:;]\s*{plain}\s*[:=]"
    inside = rf"^[ \t]+class\s+{plain}\b"
    return re.compile(f"{listed}|{alone}|{inside}", re.MULTILINE)


@lru_cache(maxsize=256)
def _script_field(name: str) -> re.Pattern[str]:
    plain = re.escape(name)
    ahead = rf"(?:^|[{{;]|\*/|\))[ \t]*(?:@[\w.]+[ \t]+)*(?:{_WORDS}\s+)*"
    field = rf"{ahead}{plain}\s{{0,9}}[?!]?\s{{0,9}}(?:[:=](?![=>])|;|$|//)"
    becoming = rf"(?<![.\w$]){_BECOMING}\s+{plain}\s{{0,9}}[?!]?\s{{0,9}}[:=,)]"
    return re.compile(f"{field}|{becoming}", re.MULTILINE)
