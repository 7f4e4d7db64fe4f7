"""What a call hands over for a parameter, and whether all calls of a function are in sight."""

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


def handed(module: Module, parameter: Expression, call: Expression) -> Item | None:
    """The argument for this parameter; None when it is left out or cannot be told."""
    names = [module.language.text(pattern) for pattern, _, _ in module.language.parameters(parameter.value)]
    name = module.language.text(parameter.node)
    position = int(parameter.name) - (names[:1] in _OWN)
    given = zip(call.items[1:], call.keys, strict=False)
    found = [item for at, (item, key) in enumerate(given) if key == name or (key is None and at == position)]
    return found[0] if found else None


def handed_by_all(module: Module, parameter: Expression) -> list[Item]:
    """What every caller hands over, if all of them are in this file for sure; else nothing."""
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
        yield handed(module, parameter, call) if is_ours else None


def _is_private(module: Module, function: Node, name: str) -> bool:
    if name.startswith(("_", "#")) and not name.startswith("__"):
        return True
    return any(module.language.text(child) == "private" for child in function.children[:2])
