"""What variables and properties of PHP hold: by the type that is written, or by the `new` that fills them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vetgate.expression import expression
from vetgate.index.objects import bind, lose
from vetgate.index.reading import CLASS
from vetgate.source.syntax import children_in

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from tree_sitter import Node

    from vetgate.index.objects import Names
    from vetgate.index.reading import Reading, See

NAMES = frozenset({"name", "qualified_name", "relative_name"})
THIS = "$this"
# How the name of a property begins.
PROPERTY = f"{THIS}->"
# Which class these are nobody can tell, or another one for every subclass.
_VAGUE = frozenset({"static", "parent"})
# What may give a value to any name.
FILLING = frozenset({"extract", "parse_str", "eval", "mb_parse_str"})
# What is asked what it is.
ASKING = frozenset({"is_a", "is_subclass_of", "get_class", "get_debug_type", "get_parent_class", "method_exists"})
_MADE = "object_creation_expression"
_ANNOTATED = expression(r"@(?:phpstan-|psalm-)?var\s+\S[^$\n]*(\$\w+)")


def written_type(reading: Reading, node: Node | None) -> str:
    """`C` of `C`, of `?C` and of `C|null`; "" for what is no single class."""
    parts = node.named_children if node is not None and node.type in {"optional_type", "union_type"} else [node]
    named = [part for part in parts if part is not None and reading.text(part).lower() != "null"]
    if len(named) != 1 or named[0].type != "named_type":
        return ""
    return _class_name(reading, named[0].named_children[0])


def made_type(reading: Reading, node: Node | None) -> str:
    """Of `new C(1)` and of `(new C)`."""
    while node is not None and node.type == "parenthesized_expression" and node.named_children:
        node = node.named_children[0]
    if node is None or node.type != _MADE or not node.named_children:
        return ""
    return _class_name(reading, node.named_children[0])


def _class_name(reading: Reading, node: Node) -> str:
    name = reading.text(node) if node.type in NAMES else ""
    return name if name not in _VAGUE else ""


def bind_parameters(reading: Reading, function: Node, inside: Node) -> None:
    """Those of a function, for all that stands at the node."""
    for child in children_in(function, "parameters"):
        name = reading.text(child.child_by_field_name("name"))
        is_plain = child.type != "variadic_parameter" and child.child_by_field_name("reference_modifier") is None
        kind = written_type(reading, child.child_by_field_name("type"))
        _bind(reading, inside, name, kind if is_plain else "")
        if child.type == "property_promotion_parameter":
            bind(reading.scope(child, CLASS), f"{PROPERTY}{name[1:]}", kind)


def held(reading: Reading, target: Node) -> tuple[str, Names] | None:
    """The name of what a method is called on, and the scope that has it."""
    if target.type == "variable_name":
        return reading.text(target), reading.scope(target)
    of, name = target.child_by_field_name("object"), target.child_by_field_name("name")
    is_own = target.type.endswith("member_access_expression") and of is not None and reading.text(of) == THIS
    if not is_own or name is None or name.type != "name":
        return None
    return f"{PROPERTY}{reading.text(name)}", reading.scope(target, CLASS)


def _bind(reading: Reading, node: Node, name: str, kind: str) -> None:
    bind(reading.scope(node), name, kind)


def _unknown(reading: Reading, nodes: Iterable[Node | None]) -> None:
    for each in _variables(nodes):
        _bind(reading, each, reading.text(each), "")


def _variables(nodes: Iterable[Node | None]) -> Iterator[Node]:
    pending = list(nodes)
    while pending:
        here = pending.pop()
        if here is not None and here.type == "variable_name":
            yield here
        elif here is not None:
            pending.extend(here.named_children)


def _assigned(reading: Reading, node: Node) -> None:
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if right is not None and right.type == "null":
        return
    if left is not None and left.type == "variable_name":
        _bind(reading, left, reading.text(left), made_type(reading, right))
    elif left is not None and left.type == "list_literal":
        _unknown(reading, [left])


def _aliased(reading: Reading, node: Node) -> None:
    _unknown(reading, [node.child_by_field_name("left"), node.child_by_field_name("right")])


def _changed(reading: Reading, node: Node) -> None:
    _unknown(reading, [node.child_by_field_name("left")])


def _looped(reading: Reading, node: Node) -> None:
    body = node.child_by_field_name("body")
    _unknown(reading, (child for child in node.named_children[1:] if child != body))


def _named(reading: Reading, node: Node) -> None:
    _unknown(reading, [node.child_by_field_name("name")])


def _all(reading: Reading, node: Node) -> None:
    _unknown(reading, [node])


def _asked(reading: Reading, node: Node) -> None:
    """Behind an `instanceof` it may be used as a subclass."""
    if any(child.type == "instanceof" for child in node.children[1:2]):
        doubt(reading, node.children[0])


def doubt(reading: Reading, asked: Node | None) -> None:
    """Of what somebody asks what it is."""
    own = held(reading, asked) if asked is not None else None
    if own is not None:
        bind(own[1], own[0], "")
    else:
        _unknown(reading, [asked])


def _class_asked(reading: Reading, node: Node) -> None:
    """`$m::class`."""
    doubt(reading, node.named_children[0] if node.named_children else None)


def _annotated(reading: Reading, node: Node) -> None:
    """Who writes down what it is there knows better."""
    for name in _ANNOTATED.findall(reading.text(node)):
        _bind(reading, node, name, "")


def _filled(reading: Reading, node: Node) -> None:
    lose(reading.scope(node))


def _taken_along(reading: Reading, node: Node) -> None:
    """`use ($a, &$b)`."""
    inner, outer = reading.scope(node), reading.scope(node, above=1)
    for child in node.named_children:
        name = reading.text(child).lstrip("& ")
        if child.type == "variable_name":
            reading.objects.merge_scope(name, inner, outer)
        else:
            bind(inner, name, "")
            bind(outer, name, "")


def _arrow(reading: Reading, node: Node) -> None:
    """It has the names of what it stands in, and its own."""
    bind_parameters(reading, node, node)


def _property(reading: Reading, node: Node) -> None:
    kind = written_type(reading, node.child_by_field_name("type"))
    for child in node.named_children:
        if child.type == "property_element":
            name = reading.text(child.child_by_field_name("name"))
            bind(reading.scope(node, CLASS), f"{PROPERTY}{name[1:]}", kind)


READERS: Mapping[str, See] = {
    "assignment_expression": _assigned,
    "reference_assignment_expression": _aliased,
    "augmented_assignment_expression": _changed,
    "foreach_statement": _looped,
    "catch_clause": _named,
    "global_declaration": _all,
    "static_variable_declaration": _named,
    "by_ref": _all,
    "binary_expression": _asked,
    "class_constant_access_expression": _class_asked,
    "comment": _annotated,
    "dynamic_variable_name": _filled,
    "include_expression": _filled,
    "include_once_expression": _filled,
    "require_expression": _filled,
    "require_once_expression": _filled,
    "anonymous_function_use_clause": _taken_along,
    "arrow_function": _arrow,
    "property_declaration": _property,
}
