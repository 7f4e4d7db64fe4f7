"""The class of what a call gives: by the type that is written for what its function returns."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from vetgate.expression import expression
from vetgate.index.facts import NEW, SELVES, SUPER
from vetgate.index.objects import BROUGHT, ITSELF, NOTHING, UNSURE, held

if TYPE_CHECKING:
    from tree_sitter import Node

    from vetgate.index.facts import Definition
    from vetgate.index.reading import Reading

# How the kind of something ends that a call gives, and how it begins where that is waited for.
RESULT, AWAITED = "()", "await "
_OWN = SELVES | {SUPER}
_NO_CLASS = frozenset({UNSURE, NOTHING, ITSELF, BROUGHT})
_CALLEE = expression(r"[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*")
_NAME = expression(r"[A-Za-z_][\w.]*")
_OPTIONAL = expression(r"(?:\w+\.)?Optional\[(.+)\]")
_SCRIPT_NAME = expression(r"[A-Za-z_$][\w$.]*")
_GENERIC = expression(r"([A-Za-z_$][\w$.]*)<[^|&]*>")
_PROMISE = expression(r"Promise<(.+)>", re.DOTALL)
_MISSING = frozenset({"None", "null", "undefined"})
_ITSELF = frozenset({"Self", "typing.Self", "typing_extensions.Self", "this"})


def method_by_class(reading: Reading, node: Node, callee: str) -> str:
    """A method by its class, where it is asked of `self`, of `this` or of a variable that holds such an object."""
    first, _, rest = callee.partition(".")
    if not rest or "." in rest:
        return callee
    if first in _OWN:
        return f"{owner}.{rest}" if (owner := reading.owner(node)) else callee
    kind = held(first, reading.functions_around(node))
    if kind in {None, BROUGHT}:
        return callee
    is_class = kind not in _NO_CLASS and not (kind or "").endswith(RESULT)
    return f"{(kind or '').removeprefix(NEW)}.{rest}" if is_class else UNSURE


def result_of(callee: str, *, awaited: bool = False) -> str:
    """The kind of what a call of this name gives."""
    if not _CALLEE.fullmatch(callee) or callee.partition(".")[0] in _OWN:
        return UNSURE
    return f"{AWAITED if awaited else ''}{callee}{RESULT}"


def python_class(text: str) -> str:
    """The class that is written: one that may be missing counts, as no method can be called on nothing."""
    text = text.strip("\"'")
    inner = _OPTIONAL.fullmatch(text)
    parts = {part.strip() for part in (inner[1] if inner else text).split("|")} - _MISSING
    name = parts.pop().strip("\"'") if len(parts) == 1 else ""
    return name if _NAME.fullmatch(name) else UNSURE


def script_class(text: str) -> str:
    text = text.lstrip(": \n")
    if generic := _GENERIC.fullmatch(text):
        return generic[1]
    parts = {part.strip() for part in text.split("|")} - _MISSING
    name = parts.pop() if len(parts) == 1 else ""
    return name if _SCRIPT_NAME.fullmatch(name) else UNSURE


def promised(text: str) -> str:
    """What a promise is of, or what is no promise."""
    found = _PROMISE.fullmatch(text)
    return found[1] if found else text


def returned_class(definition: Definition, kind: str, *, is_python: bool) -> str:
    """The class that a function says it gives, "" where it says none; the one that it belongs to by its symbol."""
    awaited, text = kind.startswith(AWAITED), definition.returns
    if awaited != (definition.is_async if is_python else promised(text) != text):
        return ""
    name = python_class(text) if is_python else script_class(promised(text))
    if name in _ITSELF:
        return definition.symbol.rpartition(".")[0]
    return name if name != UNSURE else ""
