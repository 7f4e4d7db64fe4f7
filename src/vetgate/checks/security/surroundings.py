"""What a value is called by those who take it: variables, keys, functions, other calls."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

    from vetgate.checks.security.scope import Module

_ROLES = ("name", "left", "key", "function", "attribute")
_LEVELS = 12
_LONGEST = 80


def names_around(module: Module, node: Node) -> Iterator[str]:
    parent = node.parent
    for _ in range(_LEVELS):
        if parent is None:
            return
        yield from _held_as(module, parent)
        if parent.type in module.language.blocks:
            yield _class_of(module, parent)
            parent = module.function_around(parent)
        if parent is None:
            return
        name = module.language.name_of(parent) if parent.type in module.language.functions else ""
        if name:
            yield name
            return
        parent = parent.parent  # what a callback gives is taken by whoever takes what it is handed to


def _held_as(module: Module, holder: Node) -> Iterator[str]:
    for role in _ROLES:
        name = holder.child_by_field_name(role)
        if name is not None and name.end_byte - name.start_byte < _LONGEST:
            yield module.language.text(name)


def _class_of(module: Module, block: Node) -> str:
    holder = block.parent
    name = holder.child_by_field_name("name") if holder is not None and "class" in holder.type else None
    return module.language.text(name) if name is not None else ""
