"""What variables, parameters and fields of Python are: by what is written for them, or by the call that makes them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from vetgate.index.facts import NEW
from vetgate.index.objects import ITSELF, NOTHING, UNSURE, agreed, bind, held
from vetgate.index.return_types import method_by_class, python_class, result_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tree_sitter import Node

    from vetgate.index.reading import Reading, See

SELF = "self"
_FIRST = frozenset({SELF, "cls"})
_SUPER = "super"
WITHOUT_FIRST = "staticmethod"
# So many values may be chosen between before nobody reads on.
_DEEPEST = 20
# By convention a class begins with a capital; asking of everything that is called would cost too much.
_CLASS = re.compile(r"(?:\w+\.)*_*[A-Z]\w*")
# Who asks what an object is, or gives it more than its class has, may use it as something else.
_ASKING = frozenset(
    {"isinstance", "issubclass", "hasattr", "getattr", "setattr", "delattr", "type", "callable", "cast"}
)


def declare_parameters(reading: Reading, node: Node) -> None:
    here = reading.here(node)
    for child in node.named_children:
        inner = child.child_by_field_name("name") or child
        if inner.type == "typed_parameter":
            inner = inner.named_children[0]
        written = child.child_by_field_name("type") if inner.type == "identifier" else None
        name = reading.text(inner).lstrip("*")
        is_first = name in _FIRST and child == node.named_children[0] and _is_bound(reading, node)
        bind(here, name, ITSELF if is_first else type_name(reading, written))


def _is_bound(reading: Reading, parameters: Node) -> bool:
    """Whether they are those of a method that gets an object or a class first."""
    function = parameters.parent
    if function is None or function.type != "function_definition" or not reading.is_method(parameters):
        return False
    return WITHOUT_FIRST not in reading.decorators.get(function.start_byte, ())


def type_name(reading: Reading, node: Node | None) -> str:
    return python_class(reading.text(node))


def assigned(reading: Reading, node: Node) -> None:
    """A value for a name or a field; for whatever else stands on the left nobody knows which."""
    left = node.child_by_field_name("left")
    if node.type != "assignment" or left is None or left.type not in {"identifier", "attribute"}:
        bind_all(reading, left or node.child_by_field_name("name"), UNSURE)
        return
    kind, written = made_by(reading, node.child_by_field_name("right")), node.child_by_field_name("type")
    if written is not None and not kind.startswith(NEW):
        kind = type_name(reading, written)
    elif left.type == "identifier" and not reading.functions_around(node) and reading.is_inside(node):
        kind = UNSURE  # of a class: what a descriptor gives is not what it is
    _bind_target(reading, left, kind)


def bind_all(reading: Reading, node: Node | None, kind: str) -> None:
    """Every name and field in a pattern."""
    for each in _targets(node):
        _bind_target(reading, each, kind)


def _targets(node: Node | None) -> Iterator[Node]:
    pending = [node] if node is not None else []
    while pending:
        here = pending.pop()
        if here.type in {"identifier", "attribute"}:
            yield here
        elif here.type != "subscript":
            pending.extend(here.named_children)


def _bind_target(reading: Reading, node: Node, kind: str) -> None:
    if node.type == "identifier":
        bind(reading.here(node), reading.text(node), kind)
        return
    if reading.text(node.child_by_field_name("object")) == SELF:
        bind(reading.fields(node), reading.text(node.child_by_field_name("attribute")), kind)


def made_by(reading: Reading, node: Node | None, depth: int = 0) -> str:
    """What an expression gives, where that is written in it."""
    if node is None or node.type == "none":
        return NOTHING
    if depth > _DEEPEST:
        return UNSURE
    if node.type in {"call", "await"}:
        return _returned_type(reading, node)
    if node.type == "identifier":
        return held(reading.text(node), reading.functions_around(node)) or UNSURE
    if node.type == "parenthesized_expression" and len(node.named_children) == 1:
        return made_by(reading, node.named_children[0], depth + 1)
    if node.type == "conditional_expression" or (node.type == "boolean_operator" and node.children[1].type == "or"):
        first, *_, last = node.named_children
        return agreed(made_by(reading, first, depth + 1), made_by(reading, last, depth + 1))
    return UNSURE


def _returned_type(reading: Reading, node: Node) -> str:
    call = node.named_children[0] if node.type == "await" else node
    text = reading.text(call.child_by_field_name("function")) if call.type == "call" else ""
    if _CLASS.fullmatch(text):
        return f"{NEW}{text}" if call is node else UNSURE
    return result_of(method_by_class(reading, call, text), awaited=call is not node)


def receiver(reading: Reading, function: Node, callee: str) -> str:
    """What a call is made on, where that stands there; what a name means is asked once all of it is read."""
    first, *rest = callee.split(".")
    if first == UNSURE:
        target = function.child_by_field_name("object")
        made = made_by(reading, target) if target is not None and target.type == "call" else UNSURE
        return made if made != UNSURE else ""
    if first == SELF and len(rest) == 2:
        reading.objects.ask(rest[0], reading.fields(function))
    elif len(rest) == 1:
        reading.objects.ask(first, *reading.functions_around(function))
    return ""


def inherited(reading: Reading, function: Node | None) -> str:
    """`super.load` of `super().load`, also where it says which class and object are meant."""
    target = function.child_by_field_name("object") if function is not None and function.type == "attribute" else None
    if function is None or target is None or target.type != "call":
        return ""
    given = target.child_by_field_name("arguments")
    if reading.text(target.child_by_field_name("function")) != _SUPER or given is None:
        return ""
    said = [reading.text(each) for each in given.named_children]
    if said and (len(said) != 2 or said[0] != reading.owner(function) or said[1] not in _FIRST):
        return ""
    return f"{_SUPER}.{reading.text(function.child_by_field_name('attribute'))}"


def asked_about(reading: Reading, callee: str, arguments: Node) -> None:
    if callee.rpartition(".")[2] in _ASKING:
        for each in arguments.named_children[:2]:
            if each.type in {"identifier", "attribute"}:
                _bind_target(reading, each, UNSURE)


def _unsettled(reading: Reading, node: Node) -> None:
    """Taken away, of another scope, or bound by a pattern."""
    for scope in (reading.objects.outermost, reading.here(node), *reading.functions_around(node)):
        for each in _targets(node):
            if each.type == "identifier":
                bind(scope, reading.text(each), UNSURE)
    bind_all(reading, node, UNSURE)


def _matched(reading: Reading, node: Node) -> None:
    """What is compared with patterns is asked what it is by each of them."""
    for each in node.children_by_field_name("subject"):
        if each.type in {"identifier", "attribute"}:
            _bind_target(reading, each, UNSURE)


READERS: Mapping[str, See] = {
    "delete_statement": _unsettled,
    "global_statement": _unsettled,
    "nonlocal_statement": _unsettled,
    "case_pattern": _unsettled,
    "match_statement": _matched,
}
