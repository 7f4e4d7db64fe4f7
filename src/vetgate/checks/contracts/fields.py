"""Whether a class has a name in another way than by a method: a field, or what its objects are given."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from vetgate.expression import expression
from vetgate.index.resolve import SCRIPTS
from vetgate.source.language import language_of

if TYPE_CHECKING:
    from vetgate.index.lineage import Home
    from vetgate.index.view import View

_CLOSED = expression(r"\}")
_AT_MARGIN = expression(r"(?:class|def|async|if|for|try|with|while)\s|@|[A-Za-z_]\w*\s*[=.(\[:]")
_INDENT = expression(r"[ \t]*")
# What may stand before a field of a script; and before a parameter that becomes one.
_WORDS = r"(?:public|private|protected|readonly|static|declare|override|abstract|accessor)"
_BECOMING = r"(?:public|private|protected|readonly)"
# How something is given to an object or a class by whoever knows it.
ASSIGNED = r"\.{name}(?:(?:,\s*[\w.]+)+\s+|\s*(?::[^=\n]+)?)=(?![=>])"


def has_field(view: View, home: Home, name: str) -> bool:
    body = class_body(view.text(home.path), home)
    if language_of(home.path) in SCRIPTS:
        return bool(_script_field(name).search(body))
    indent = _INDENT.match(body)
    return bool(_python_field(name, indent[0] if indent else "").search(body))


def class_body(text: str, home: Home) -> str:
    """From where a class begins to the first line at the margin that ends it."""
    ends = _CLOSED if language_of(home.path) in SCRIPTS else _AT_MARGIN
    first, *lines = text.split("\n")[home.definition.line - 1 :] or [""]
    end = next((number for number, each in enumerate(lines) if ends.match(each)), len(lines))
    return "\n".join((first, *lines[:end]))


@cache
def _python_field(name: str, indent: str) -> re.Pattern[str]:
    """What stands deeper is a variable of a method."""
    plain, level = re.escape(name), rf"^{indent}(?: {{1,4}}|\t)"
    # One of several names, or behind another statement.
    # An argument by name that has a line of its own is none.
    listed = rf"{level}(?:[^\n#(]*[,;=]\s*)?{plain}(?:\s*:|\s+=(?!=)|=(?!=|[^\n]*[,(]\s*$)|\s*,[^\n=]*=(?!=))"
    alone = rf"^{indent}class\b[^\n]*:\s*{plain}\s*="
    inside = rf"{level}class\s+{plain}\b"
    return re.compile(f"{listed}|{alone}|{inside}|{ASSIGNED.format(name=plain)}", re.MULTILINE)


@cache
def _script_field(name: str) -> re.Pattern[str]:
    plain = re.escape(name)
    ahead = rf"(?:^|[{{;]|\*/|\))[ \t]*(?:@[\w.]+[ \t]+)*(?:{_WORDS}\s+)*"
    field = rf"{ahead}{plain}\s*[?!]?\s*(?:[:=](?![=>])|;|$)"
    becoming = rf"(?<![.\w$]){_BECOMING}\s+{plain}\s*[?!]?\s*[:=,)]"
    return re.compile(f"{field}|{becoming}|{ASSIGNED.format(name=plain)}", re.MULTILINE)
