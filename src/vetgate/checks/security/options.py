"""Options passed as an object: written there, named, spread or put together; and whether they stay in this file."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from vetgate.checks.security import expression as ex
from vetgate.checks.security.expression import Expression
from vetgate.checks.security.values import function_called
from vetgate.expression import expression

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tree_sitter import Node

    from vetgate.checks.security.expression import Item
    from vetgate.checks.security.flow import Flow
    from vetgate.checks.security.match import Matcher
    from vetgate.checks.security.scope import Module


_STEPS = 6
_DEEPEST = 4
SPREAD = "*"
_MERGES = frozenset({"Object.assign", "Object.freeze", "Object.seal"})


def option(module: Module, name: str, items: Iterable[Item]) -> Item | None:
    """`{ name: value }` among the arguments, also by way of a variable; a dot goes one level deeper."""
    first, _, rest = name.partition(".")
    for item in items:
        found = _entry(module, item, first)
        if found is not None:
            return option(module, rest, (found,)) if rest else found
    return None


def _entry(module: Module, item: Item, name: str, depth: int = 0) -> Item | None:
    """What the object has under this name; the last one that says so counts."""
    holder = literal(module, item)
    if holder is None or depth > _DEEPEST:
        return None
    for key, value in zip(reversed(holder.keys), reversed(holder.items), strict=True):
        found = value if key == name else _entry(module, value, name, depth + 1) if key == SPREAD else None
        if found is not None:
            return found
    return None


def is_open(module: Module, item: Item, depth: int = 0) -> bool:
    """Whether something is spread into the object that this file does not tell."""
    holder = literal(module, item)
    if holder is None or depth > _DEEPEST:
        return depth > 0
    spread = [value for key, value in zip(holder.keys, holder.items, strict=True) if key == SPREAD]
    return any(is_open(module, value, depth + 1) for value in spread)


def literal(module: Module, item: Item) -> Expression | None:
    """The object that certainly stands here, with what it is put together from as spread entries."""
    expression = module.lower(item)
    for _ in range(_STEPS):
        if expression.kind == ex.PASS:
            expression = module.lower(expression.items[0])
        elif expression.kind == ex.NAME:
            values = module.reaching(expression.name, expression.node)
            if len(values) != 1:
                return None
            expression = values[0]
        else:
            break
    if expression.kind == ex.CALL:
        return _merged(module, expression)
    return expression if expression.kind == ex.DICT else None


def _merged(module: Module, call: Expression) -> Expression | None:
    """`dict(name=value, **more)`, `Object.assign({}, base, more)`."""
    callee = module.lower(call.items[0])
    given = call.items[1:]
    if callee.kind == ex.NAME and callee.name == "dict":
        return Expression(ex.DICT, call.node, items=given, keys=tuple(key or SPREAD for key in call.keys))
    if callee.kind == ex.ATTR and module.language.text(callee.node) in _MERGES:
        return Expression(ex.DICT, call.node, items=given, keys=(SPREAD,) * len(given))
    return None


_LEVELS = 6
_REACHES_OUT = expression(
    r"https?|tls|ssl|fetch|axios|\bgot\b|request|agent|connect|client|pool|session|socket|urlopen|super", re.IGNORECASE
)


def stays_in_file(matcher: Matcher, parts: list[str | Expression], _flow: Flow) -> bool:
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
