"""What a value is called by those who take it: variables, keys, functions, other calls."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from vetgate.checks.security.values import function_called

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

    from vetgate.checks.security.scope import Module

_LONGEST_FUNCTION = 8000
_ROLES = ("name", "left", "key", "function", "attribute", "pattern")
_BLOCKS = frozenset({"do_block"})  # of Ruby: the call before it says what it is for
_LEVELS = 12
_LONGEST = 80
_MOST_CALLS = 12


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


def calls_for(module: Module, node: Node) -> Iterator[Node]:
    """Calls in this file of a function that gives back what is made at `node`."""
    function = module.function_around(node)
    while function is not None and not (name := module.language.name_of(function)):
        function = module.function_around(function)
    if function is None or not _gives_back(module, function, node):
        return
    for call in module.calls_of(name)[:_MOST_CALLS]:
        called = function_called(module, module.lower(module.lower(call).items[0]))
        if called is not None and called.id == function.id and not _is_within(call, function):
            yield call


def _gives_back(module: Module, function: Node, node: Node) -> bool:
    """Whether the value, or a variable that it is put into, is in what the function returns."""
    returned = module.scope(function).returns
    if any(_is_within(node, each) for each in returned):
        return True
    text = " ".join(module.language.text(each) for each in returned)
    return any(
        re.search(rf"(?<![\w.$]){re.escape(name)}(?![\w$])", text) for name in _variables(module, node, function)
    )


def _variables(module: Module, node: Node, function: Node) -> Iterator[str]:
    parent = node.parent
    while parent is not None and parent.id != function.id:
        for role in ("left", "name"):
            target = parent.child_by_field_name(role)
            if target is not None and target.end_byte < node.start_byte:
                yield module.language.text(target).partition("[")[0]
        parent = parent.parent


def _is_within(node: Node, outer: Node) -> bool:
    return outer.start_byte <= node.start_byte and node.end_byte <= outer.end_byte


def _held_as(module: Module, holder: Node) -> Iterator[str]:
    for role in _ROLES:
        name = holder.child_by_field_name(role)
        if name is not None and name.end_byte - name.start_byte < _LONGEST:
            yield module.language.text(name)
    if module.language.places.get(holder.type) == "key":
        key, _ = module.language.pair(holder)
        if key is not None and key.end_byte - key.start_byte < _LONGEST:
            yield module.language.text(key)


def _class_of(module: Module, block: Node) -> str:
    holder = block.parent
    name = holder.child_by_field_name("name") if holder is not None and "class" in holder.type else None
    return module.language.text(name) if name is not None else ""


def text_around(module: Module, node: Node) -> str:
    """The function around, with its decorators; for a decorator the function that it stands before."""
    decorated = node.parent if node.type == "decorator" else None
    if decorated is not None and decorated.type == "decorated_definition":
        return module.language.text(decorated)[:_LONGEST_FUNCTION]
    function = module.function_around(node) or module.root
    if function.type in _BLOCKS and function.parent is not None:
        function = function.parent
    before = ""
    sibling = function.prev_named_sibling if function.type in {"method_definition", "function_definition"} else None
    while sibling is not None and sibling.type == "decorator":
        before += f"{module.language.text(sibling)}\n"
        sibling = sibling.prev_named_sibling
    return before + module.language.text(function)[:_LONGEST_FUNCTION]
