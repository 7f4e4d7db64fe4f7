"""Classes of the file: what their fields are set to, and which method or constructor is meant."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vetgate.checks.security.scope import FIELDS, FUNCTIONS
from vetgate.expression import expression
from vetgate.source.syntax import enclosing

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

    from vetgate.checks.security.expression import Item
    from vetgate.checks.security.scope import Module

CONSTRUCTORS = frozenset({"constructor", "__init__", "__construct"})
_OWN = expression(r"(?:this\.|self\.|cls\.|\$this->|self::\$|@(?!@))(.+)")
_DECLARING = frozenset({"property_declaration", "const_declaration"})  # hold several names
_BODIES = frozenset({"class_body", "class_definition", "declaration_list", "class"})
_HOLDING = frozenset({"class_definition", "class"})  # of Python and Ruby: what they hold is their body
_PROPERTIES = frozenset({"accessibility_modifier", "readonly", "override_modifier", "visibility_modifier"})


def body_around(node: Node) -> Node | None:
    holder = enclosing(node.parent, _BODIES)
    held = holder is not None and holder.type in _HOLDING
    return holder.child_by_field_name("body") if holder is not None and held else holder


def name_of(module: Module, body: Node) -> str:
    name = body.parent.child_by_field_name("name") if body.parent is not None else None
    return module.language.text(name) if name is not None else ""


def method(module: Module, body: Node | None, name: str) -> Node | None:
    module.asked.add((FUNCTIONS, name))
    if body is None:
        return None
    known = module.methods.get(body.id)
    if known is None:
        known = module.methods[body.id] = {}
        for each in _methods(module, body):
            known.setdefault(module.language.name_of(each), each)
    return known.get(name)


def constructor(module: Module, name: str) -> Node | None:
    """The function that `new Name(…)` or `Name(…)` calls."""
    body = module.class_named(name)
    found = (method(module, body, each) for each in CONSTRUCTORS)
    return next((each for each in found if each is not None), None)


def fields(module: Module, body: Node | None, name: str) -> list[Item]:
    """What a field of this name is set to, in the class itself or by any of its methods."""
    module.asked.add((FIELDS, name))
    if body is None:
        return []
    known = module.fields.get(body.id)
    if known is None:
        known = module.fields[body.id] = {}
        for field, value in _all_fields(module, body):
            known.setdefault(field, []).append(value)
    return known.get(name, [])


def _methods(module: Module, body: Node | None) -> Iterator[Node]:
    for statement in body.named_children if body is not None else ():
        each = statement.child_by_field_name("definition") or statement
        if each.type in module.language.functions:
            yield each


def _all_fields(module: Module, body: Node) -> Iterator[tuple[str, Item]]:
    for statement in body.named_children:
        for each in _declared(statement):
            named = next(filter(None, map(each.child_by_field_name, ("name", "property", "left"))), None)
            value = next(filter(None, map(each.child_by_field_name, ("value", "right", "default_value"))), None)
            if each.type == "const_element":  # of PHP
                named, value = module.language.assigned(each)
            if named is not None and value is not None:
                yield module.language.text(named).lstrip("$"), value
    for each in _methods(module, body):
        yield from _set_by(module, each)


def _declared(statement: Node) -> list[Node]:
    if statement.type in _DECLARING:
        return statement.named_children
    return statement.named_children[:1] if statement.type == "expression_statement" else [statement]


def _set_by(module: Module, function: Node) -> Iterator[tuple[str, Item]]:
    """`this.name = …`, and parameters of a constructor that are fields: `constructor(private name: string)`."""
    names = module.scope(function).names
    for written, definitions in names.items():
        own = _OWN.fullmatch(written)
        if own is not None:
            yield from ((own[1], each.value) for each in definitions)
    if module.language.name_of(function) in CONSTRUCTORS:
        for pattern, _, _ in module.language.parameters(function):
            holder = pattern.parent
            if holder is not None and any(child.type in _PROPERTIES for child in holder.children):
                name = module.language.text(pattern)
                yield from ((name.lstrip("$"), each.value) for each in names.get(name, ())[:1])
