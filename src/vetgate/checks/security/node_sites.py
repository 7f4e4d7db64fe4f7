"""Which nodes of a language are calls, assignments and so on, as its own tables say, noted on the walk."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vetgate.checks.security.match import ELEMENT, VIEW

if TYPE_CHECKING:
    from tree_sitter import Node

    from vetgate.checks.security.scan import FileScan
    from vetgate.source.walk import See

_LONGEST_NAME = 64
_VARIABLE = "$"  # of PHP: whatever it holds is called


def _call(noted: FileScan, node: Node) -> None:
    name = noted.module.language.called(node)
    if not name:
        return
    noted.module.see_call(name, node)
    if name == "require":
        noted.add_required(node)
    if name in noted.names or name in noted.aliases or name.startswith(_VARIABLE):
        noted.places.append(("call", name, node))


def _within(noted: FileScan, node: Node) -> None:
    """Calls that the grammar does not know as such."""
    for call in noted.module.language.within(node):
        callee = noted.module.lower(call.items[0])
        noted.module.take_as(call.node, call)
        if callee.name in noted.names or callee.name in noted.aliases:
            noted.places.append(("call", callee.name, call.node))


def _assign(noted: FileScan, node: Node) -> None:
    left, _ = noted.module.language.assigned(node)
    if left is None:
        return
    name = noted.module.language.target(left) or ELEMENT
    if name in noted.names:
        noted.places.append(("assign", name, node))


def _key(noted: FileScan, node: Node) -> None:
    key, _ = noted.module.language.pair(node)
    if key is None or key.end_byte - key.start_byte > _LONGEST_NAME:
        return
    name = noted.syntax.text(key).strip("'\"")
    if name in noted.names:
        noted.places.append(("key", name, node))


def _viewed(noted: FileScan, node: Node) -> None:
    """A view that gives back what stands last in it."""
    if VIEW in noted.names and noted.module.language.is_view(node):
        noted.places.extend(("returned", VIEW, each) for each in noted.module.language.returned(node))


def _returned(noted: FileScan, node: Node) -> None:
    """What a view returns is an answer, without any call."""
    if VIEW not in noted.names or not node.named_children:
        return
    function = noted.module.function_around(node)
    if function is not None and noted.module.language.is_view(function):
        noted.places.append(("returned", VIEW, node))


ROLES: dict[str, See] = {
    "call": _call,
    "assign": _assign,
    "key": _key,
    "returned": _returned,
    "view": _viewed,
    "within": _within,
}
