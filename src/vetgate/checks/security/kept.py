"""Does an option stay in this file? One of our own functions may call its option what a library calls its."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from vetgate.checks.security import expression as ex
from vetgate.checks.security.values import function_called
from vetgate.expression import expression

if TYPE_CHECKING:
    from tree_sitter import Node

    from vetgate.checks.security.expression import Expression
    from vetgate.checks.security.flow import Flow
    from vetgate.checks.security.match import Matcher
    from vetgate.checks.security.scope import Module

_LEVELS = 6
_REACHES_OUT = expression(
    r"https?|tls|ssl|fetch|axios|\bgot\b|request|agent|connect|client|pool|session|socket|urlopen|super", re.IGNORECASE
)


def kept_here(matcher: Matcher, parts: list[str | Expression], _flow: Flow) -> bool:
    """Handed to a function of this file that neither hands it on nor talks to anybody."""
    part = parts[0] if len(parts) == 1 else ""
    call = _call_around(matcher.module, part.node) if not isinstance(part, str) else None
    if call is None:
        return False
    function = function_called(matcher.module, matcher.module.lower(call.items[0]))
    return function is not None and not _hands_on(matcher.module, function)


def _call_around(module: Module, node: Node) -> Expression | None:
    current: Node | None = node
    for _ in range(_LEVELS):
        if current is None or current.type in module.language.functions:
            return None
        if current.type in module.language.calls:
            call = module.lower(current)
            return call if call.kind == ex.CALL else None
        current = current.parent
    return None


def _hands_on(module: Module, function: Node) -> bool:
    body = function.child_by_field_name("body")
    text = module.language.text(body) if body is not None else ""
    names = [module.language.text(pattern) for pattern, _, _ in module.language.parameters(function)]
    passed = "|".join(re.escape(name) for name in names if name.isidentifier() and name not in {"self", "cls"})
    given = re.search(rf"[(,={{]\s*(?:\*\*|\.\.\.)?(?:{passed})\s*[,)}}]", text) if passed else None
    return given is not None or _REACHES_OUT.search(text) is not None
