"""The argument a call passes for a parameter, whether all calls are in sight, and what `map` and the like go over."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vetgate.checks.security import expression as ex
from vetgate.checks.security.values import function_called

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

    from vetgate.checks.security.expression import Expression
    from vetgate.checks.security.scope import Module

    Item = Node | Expression


_OWN = (["self"], ["cls"])
_MOST_CALLS = 40


def argument_for(module: Module, parameter: Expression, call: Expression) -> Item | None:
    """The argument for this parameter; None when it is left out or cannot be told."""
    names = [module.language.text(pattern) for pattern, _, _ in module.language.parameters(parameter.value)]
    name = module.language.text(parameter.node)
    position = int(parameter.name) - (names[:1] in _OWN)
    given = zip(call.items[1:], call.keys, strict=False)
    found = [item for at, (item, key) in enumerate(given) if key == name or (key is None and at == position)]
    return found[0] if found else None


def arguments_of_all_calls(module: Module, parameter: Expression) -> list[Item]:
    """What every caller passes, if all of them are in this file for sure; else nothing."""
    function: Node = parameter.value
    name = module.language.name_of(function)
    calls = module.calls_of(name)
    if not _is_private(module, function, name) or not 0 < len(calls) <= _MOST_CALLS:
        return []
    given = list(_each(module, parameter, calls))
    return [item for item in given if item is not None] if None not in given else []


def _each(module: Module, parameter: Expression, calls: list[Node]) -> Iterator[Item | None]:
    for node in calls:
        call = module.lower(node)
        called = function_called(module, module.lower(call.items[0])) if call.kind == ex.CALL else None
        is_ours = called is not None and called.id == parameter.value.id
        yield argument_for(module, parameter, call) if is_ours else None


def _is_private(module: Module, function: Node, name: str) -> bool:
    if name.startswith(("_", "#")) and not name.startswith("__"):
        return True
    return any(module.language.text(child) == "private" for child in function.children[:2])


_LEVELS = 3  # a function, its argument, the list of arguments
_COUNTED = ("index", "enumerate", "reduce", "fold", "inject")


def iterated_value(module: Module, parameter: Expression) -> Node | Expression | None:
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
