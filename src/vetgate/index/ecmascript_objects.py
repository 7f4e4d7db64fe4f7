"""What variables, parameters and fields of scripts are: by the type that is written, or the `new` that fills them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from vetgate.index.facts import NEW, OF_CLASS, STATIC
from vetgate.index.objects import NOTHING, UNSURE, agreed, bind, held
from vetgate.index.return_types import RESULT, method_by_class, result_of, script_class

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tree_sitter import Node

    from vetgate.index.reading import Reading, See

THIS, SUPER = "this", "super"
_DEEPEST = 20
_MISSING = frozenset({"null", "undefined"})
_NAME = re.compile(r"[A-Za-z_$][\w$.]*")
_SIGNED = frozenset(
    """function_declaration generator_function_declaration function_expression generator_function arrow_function
    method_definition""".split()  # noqa: SIM905 - a list of names
)
_MODIFIERS = frozenset({"accessibility_modifier", "readonly", "override_modifier"})
_CHOOSING = frozenset({"??", "||"})
_FILLING = frozenset({"??=", "||="})


def entered(reading: Reading, node: Node) -> None:
    """A function whose scope was opened: whether `this` in it is that of the class around."""
    around = node.parent
    is_member = node.type == "method_definition" and around is not None and around.type == "class_body"
    if node.type != "arrow_function" and not is_member:
        reading.here(node)[THIS] = UNSURE
    if is_member and any(child.type == STATIC for child in node.children):
        reading.here(node)[STATIC] = UNSURE
    alone = node.child_by_field_name("parameter")
    if alone is not None:
        bind_all(reading, alone)


def declare_parameters(reading: Reading, node: Node) -> None:
    if node.parent is None or node.parent.type not in _SIGNED:
        return  # those of a type are no variables
    for child in node.named_children:
        pattern = child.child_by_field_name("pattern") or child.child_by_field_name("left") or child
        if pattern.type != "identifier":
            bind_all(reading, pattern)
            continue
        kind, name = type_name(reading, child.child_by_field_name("type")), reading.text(pattern)
        bind(reading.here(node), name, kind)
        if any(each.type in _MODIFIERS for each in child.children):
            bind(reading.fields(node), name, kind)


def type_name(reading: Reading, node: Node | None) -> str:
    return script_class(reading.text(node))


def declared(reading: Reading, node: Node) -> None:
    """A variable, or a field of a class, by its type or by its value."""
    target = node.child_by_field_name("name") or node.child_by_field_name("property")
    if target is None or target.type not in {"identifier", "property_identifier", "private_property_identifier"}:
        bind_all(reading, target)
        return
    written = node.child_by_field_name("type")
    # What is written counts: an object may take less than its interface says that it is given.
    value = node.child_by_field_name("value")
    kind = type_name(reading, written) if written is not None else made_by(reading, value)
    bind(reading.here(node), reading.text(target), kind)


def assigned(reading: Reading, node: Node) -> None:
    left, operator = node.child_by_field_name("left"), node.child_by_field_name("operator")
    is_plain = operator is None or operator.type in _FILLING
    kind = made_by(reading, node.child_by_field_name("right")) if is_plain else UNSURE
    if left is not None and left.type in {"identifier", "member_expression"}:
        _assign(reading, left, kind)
    else:
        for each in _targets(left):
            _assign(reading, each, UNSURE)


def _assign(reading: Reading, node: Node, kind: str) -> None:
    """To a field of `this`, or to the variable of whichever scope has declared the name."""
    if node.type == "member_expression":
        of = node.child_by_field_name("object")
        if of is not None and of.type == THIS:
            bind(reading.fields(node), reading.text(node.child_by_field_name("property")), kind)
        return
    name = reading.text(node)
    scopes = [*reading.functions_around(node), reading.objects.outermost]
    holding = next(([names] for names in scopes if name in names), None)
    for names in holding or scopes:
        bind(names, name, kind if holding else UNSURE)


def bind_all(reading: Reading, node: Node | None) -> None:
    """Every name that a pattern declares: of what is taken apart nobody knows the parts."""
    for each in _targets(node):
        if each.type != "member_expression":
            bind(reading.here(each), reading.text(each), UNSURE)


def _targets(node: Node | None) -> Iterator[Node]:
    pending = [node] if node is not None else []
    while pending:
        here = pending.pop()
        if here.type in {"identifier", "shorthand_property_identifier_pattern", "member_expression"}:
            yield here
        else:
            pending.extend(here.named_children)


def made_by(reading: Reading, node: Node | None, depth: int = 0) -> str:
    """What an expression gives, where that is written in it."""
    if node is None or node.type in _MISSING:
        return NOTHING
    if depth > _DEEPEST:
        return UNSURE
    if node.type == "new_expression":
        text = reading.text(node.child_by_field_name("constructor"))
        return f"{NEW}{text}" if _NAME.fullmatch(text) else UNSURE
    if node.type in {"call_expression", "await_expression"}:
        return _returned_type(reading, node)
    if node.type == "identifier":
        return held(reading.text(node), reading.functions_around(node)) or UNSURE
    if node.type == "parenthesized_expression" and len(node.named_children) == 1:
        return made_by(reading, node.named_children[0], depth + 1)
    if node.type == "ternary_expression" or _is_choice(node):
        *_, first, last = node.named_children
        return agreed(made_by(reading, first, depth + 1), made_by(reading, last, depth + 1))
    return UNSURE


def _is_choice(node: Node) -> bool:
    """`one ?? other`, `one || other`."""
    operator = node.child_by_field_name("operator") if node.type == "binary_expression" else None
    return operator is not None and operator.type in _CHOOSING


def _returned_type(reading: Reading, node: Node) -> str:
    inner = node.named_children[0] if node.type == "await_expression" else node
    if inner.type != "call_expression":
        return UNSURE
    callee = method_by_class(reading, inner, reading.text(inner.child_by_field_name("function")))
    return result_of(callee, awaited=inner is not node)


def _own(reading: Reading, function: Node) -> str:
    if not reading.is_of_class(function):
        return UNSURE
    return OF_CLASS if reading.is_static(function) else ""


def receiver(reading: Reading, function: Node, callee: str) -> str:
    """What a call is made on, where that stands there; what a name means is asked once all of it is read."""
    first, *rest = callee.split(".")
    if first == UNSURE:
        target = function.child_by_field_name("object")
        known = made_by(reading, target) if target is not None and target.type != "identifier" else UNSURE
        return known if known.startswith(NEW) or known.endswith(RESULT) else ""
    if first == THIS and len(rest) == 2:
        reading.objects.ask(rest[0], reading.fields(function))
    elif first in {THIS, SUPER} and len(rest) == 1:
        return _own(reading, function)
    elif first != THIS and len(rest) == 1:
        reading.objects.ask(first, *reading.functions_around(function))
    return ""


READERS: Mapping[str, See] = {"augmented_assignment_expression": assigned}
