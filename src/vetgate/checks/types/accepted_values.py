"""Where a value that its type denies is right after all: somebody knows, or the type has another meaning here."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from vetgate.checks.types.declared_types import SCRIPTS, known_names
from vetgate.expression import expression

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

    from vetgate.source.syntax import Syntax

# Whoever wrote this knows; whether that may be is for another check to say.
_HERE = (b"type: ignore", b"noqa", b"pyright:", b"ty: ignore", b"@ts-ignore", b"@ts-expect-error")
_ABOVE = (b"@ts-ignore", b"@ts-expect-error")
_MADE = expression(rb"^[ \t]*(?:[\w]+[ \t]+)*(?:class|type|interface|enum|struct|record)[ \t]+(\w+)", re.MULTILINE)
_GIVEN = expression(rb"^(\w+)[ \t]*=[^=]|^[ \t]*import\b.*\bas[ \t]+(\w+)", re.MULTILINE)
_PYTHON_IMPORT = expression(rb"^[ \t]*from[ \t]+([\w.]+)[ \t]+import[ \t]+(\([^)]*\)|[^\n]*)", re.MULTILINE)
_SCRIPT_IMPORT = expression(rb"\bimport\b[^;'\"]*?\{([^}]*)\}")
_AS_ALWAYS = frozenset({b"typing", b"typing_extensions", b"builtins", b"__future__"})


def is_accepted(syntax: Syntax, node: Node, declared: str) -> bool:
    return _is_silenced(syntax, node) or not _made_here(syntax).isdisjoint(known_names(declared, syntax.language))


def _is_silenced(syntax: Syntax, node: Node) -> bool:
    start = syntax.data.rfind(b"\n", 0, node.start_byte) + 1
    above = syntax.data.rfind(b"\n", 0, max(start - 1, 0)) + 1
    end = syntax.data.find(b"\n", node.end_byte)
    here = syntax.data[start : end if end >= 0 else len(syntax.data)]
    return any(word in here for word in _HERE) or any(word in syntax.data[above:start] for word in _ABOVE)


def _made_here(syntax: Syntax) -> frozenset[str]:
    """Names that this file makes or brings in itself: a `List` of its own is not the one everybody knows."""
    return frozenset(name.decode("utf-8", "replace") for name in _names(syntax))


def _names(syntax: Syntax) -> Iterator[bytes]:
    data = syntax.data
    yield from _MADE.findall(data)
    for pair in _GIVEN.findall(data):
        yield from filter(None, pair)
    if syntax.language == "python":
        for module, listed in _PYTHON_IMPORT.findall(data):
            yield from re.findall(rb"\w+", listed) if module not in _AS_ALWAYS else ()
    for listed in _SCRIPT_IMPORT.findall(data) if syntax.language in SCRIPTS else ():
        yield from re.findall(rb"\w+", listed)
