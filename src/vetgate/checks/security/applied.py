"""Functions that a call applies to every element of something."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vetgate.checks.security import expression as ex

if TYPE_CHECKING:
    from tree_sitter import Node

    from vetgate.checks.security.expression import Expression
    from vetgate.checks.security.scope import Module

_LEVELS = 3  # a function, its argument, the list of arguments
_COUNTED = ("index", "enumerate", "reduce", "fold", "inject")


def gone_through(module: Module, parameter: Expression) -> Node | Expression | None:
    """`names.each { |name| … }`, `array_map(fn($name) => …, $names)`: the names, for the parameter `name`."""
    function: Node = parameter.value
    call = _call_around(module, function)
    if call is None:
        return None
    callee = module.lower(call.items[0])
    counts = callee.name.endswith(_COUNTED) or callee.name.startswith(_COUNTED)
    if callee.name not in module.language.facts.each or (int(parameter.name) > 0 and counts):
        return None
    if callee.kind == ex.ATTR:
        return callee.items[0]
    others = (item for item in call.items[1:] if module.lower(item).node.id != function.id)
    return next(others, None)


def _call_around(module: Module, function: Node) -> Expression | None:
    holder = function.parent
    for _ in range(_LEVELS):
        if holder is None:
            return None
        if holder.type in module.language.calls:
            call = module.lower(holder)
            return call if call.kind == ex.CALL else None
        holder = holder.parent
    return None
