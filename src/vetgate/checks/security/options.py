"""Options that are handed over as an object: written there, under a name, spread or put together from several."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vetgate.checks.security import expression as ex
from vetgate.checks.security.expression import Expression

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tree_sitter import Node

    from vetgate.checks.security.scope import Module

    Item = Node | Expression

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
