"""What variables of Ruby hold: by the `new` that fills them, if nothing else does."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vetgate.expression import expression
from vetgate.index.facts import Definition
from vetgate.index.objects import bind, lose
from vetgate.index.reading import CLASS, FUNCTION
from vetgate.source.syntax import children_in, first_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from tree_sitter import Node

    from vetgate.index.objects import Names
    from vetgate.index.reading import Reading, See

MAKER = "initialize"
# Stands among the members of a class that gives its objects methods of their own.
BENT = "(bent)"
_LOCAL, _OWN = "identifier", "instance_variable"
# What gives an object methods of its own.
_BENDING = frozenset(
    """define_singleton_method expects extend instance_eval instance_exec singleton_class stub stubs""".split()  # noqa: SIM905 - a list of names
)
# What may give a value to any name: of a method, or of an object.
_FILLING = frozenset({"eval", "local_variable_set"})
_SETTING = frozenset({"instance_variable_set", "remove_instance_variable"})
_WRITERS = frozenset({"attr_writer", "attr_accessor"})
_CAPTURED = expression(r"\(\?<([a-z_]\w*)>")


def made_type(reading: Reading, node: Node | None) -> str:
    """`A::B` of `A::B.new(1)`."""
    if node is None or node.type != "call" or reading.text(node.child_by_field_name("method")) != "new":
        return ""
    receiver = node.child_by_field_name("receiver")
    if receiver is None or receiver.type not in {"constant", "scope_resolution"}:
        return ""
    name = reading.text(receiver)
    return name if name.replace("::", "").replace("_", "a").isalnum() and name.lstrip(":")[:1].isupper() else ""


def held(reading: Reading, receiver: Node) -> tuple[str, Names]:
    """The name of a variable and the scope that has it; an empty one for what is none."""
    name = reading.text(receiver)
    if receiver.type == _LOCAL:
        return name, reading.scope(receiver)
    return (name, _object(reading, receiver)) if receiver.type == _OWN else ("", {})


def _object(reading: Reading, node: Node) -> Names:
    """Whose variables begin with an `@` here, if it is an object and no class."""
    kinds = [kind for kind, _ in reading.around(node)]
    return reading.scope(node, CLASS) if kinds[-1:] == [FUNCTION] else {}


def assigned(reading: Reading, node: Node) -> None:
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if right is not None and right.type == "nil":
        return
    if left is None or left.type not in {_LOCAL, _OWN}:
        _unknown(reading, [left])
        return
    name, scope = held(reading, left)
    is_first = left.type == _LOCAL or reading.around(node)[-1:] == [(FUNCTION, MAKER)]
    bind(scope, name, made_type(reading, right) if is_first else "")


def said(reading: Reading, node: Node) -> None:
    """A call after which something may hold another thing, or be more than its class says."""
    word, receiver = reading.text(node.child_by_field_name("method")), node.child_by_field_name("receiver")
    if word in _BENDING or reading.text(receiver) == "singleton_class":
        bent(reading, receiver)
        if receiver is None or reading.text(receiver) in {"self", "singleton_class"}:
            bent_itself(reading, node)
    elif word in _FILLING:
        lose(reading.scope(node))
    elif word in _SETTING:
        lose(reading.scope(node, CLASS))
    elif word in _WRITERS and receiver is None:
        for child in children_in(node, "arguments"):
            bind(reading.scope(node, CLASS), f"@{reading.text(child).lstrip(':')}", "")


def bent(reading: Reading, target: Node | None) -> None:
    """What gets methods of its own, by `def name.f` for one."""
    if target is not None and target.type in {_LOCAL, _OWN}:
        _unknown(reading, [target])


def bent_itself(reading: Reading, node: Node) -> None:
    """In a method of an object: by `extend` for one."""
    kinds, owner = [kind for kind, _ in reading.around(node)], reading.owner(node)
    if owner and kinds[-1:] == [FUNCTION]:
        reading.definitions.append(Definition(f"{owner}.{BENT}", first_line(node), "method", None))


def _unknown(reading: Reading, nodes: Iterable[Node | None]) -> None:
    pending = list(nodes)
    while pending:
        here = pending.pop()
        if here is not None and here.type in {_LOCAL, _OWN}:
            name, scope = held(reading, here)
            bind(scope, name, "")
        elif here is not None and here.type == "hash_key_symbol":
            bind(reading.scope(here), reading.text(here), "")
        elif here is not None:
            pending.extend(here.named_children)


def _changed(reading: Reading, node: Node) -> None:
    _unknown(reading, [node.child_by_field_name("left")])


def _all(reading: Reading, node: Node) -> None:
    _unknown(reading, [node])


def _matched(reading: Reading, node: Node) -> None:
    _unknown(reading, [node.child_by_field_name("pattern")])


def _captured(reading: Reading, node: Node) -> None:
    """`/(?<name>a)/ =~ text`."""
    left = node.child_by_field_name("left")
    if left is not None and left.type == "regex":
        for name in _CAPTURED.findall(reading.text(left)):
            bind(reading.scope(node), name, "")


READERS: Mapping[str, See] = {
    "operator_assignment": _changed,
    "method_parameters": _all,
    "block_parameters": _all,
    "lambda_parameters": _all,
    "exception_variable": _all,
    "binary": _captured,
    "for": _matched,
    "in_clause": _matched,
    "match_pattern": _matched,
    "test_pattern": _matched,
}
