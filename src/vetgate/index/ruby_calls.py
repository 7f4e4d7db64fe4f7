"""What is called in Ruby, with what; and what a method takes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vetgate.index.facts import HASH, KEYWORD, KEYWORDS, NEW, POSITIONAL, REST, CallSite, Parameter
from vetgate.index.reading import CLASS, FUNCTION, UNNAMED
from vetgate.index.ruby_variables import held, made_type
from vetgate.source.syntax import children_in, first_line

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tree_sitter import Node

    from vetgate.index.reading import Reading, See

# Where `self` is the class: its methods, and all that stands in its body.
SINGLETON = "singleton"
OBJECT, ITSELF, INHERITED = "self", "class", "super"
# In their blocks `self` is something else.
_CHANGING = frozenset(
    """class_eval class_exec instance_eval instance_exec module_eval module_exec define_method define_singleton_method
    define""".split()  # noqa: SIM905 - a list of names
)
_MAKING = frozenset({"Class", "Module", "Struct", "Data", "BasicObject", "Object"})
_CONSTANTS = frozenset({"constant", "scope_resolution"})


def of_class(reading: Reading, node: Node) -> bool:
    """Whether `self` is the class here."""
    is_inside = False
    for kind, _ in reversed(reading.around(node)):
        if kind == SINGLETON:
            return True
        if kind == CLASS:
            return not is_inside
        is_inside = is_inside or kind == FUNCTION
    return False


def takes(reading: Reading, node: Node | None) -> tuple[Parameter, ...]:
    """What can be left out comes last: what there is goes to the others first."""
    found = []
    for child in node.named_children if node is not None else ():
        found += _taken(reading, child)
    if not any(each.kind in {KEYWORD, KEYWORDS} for each in found):
        found.append(HASH)
    return tuple(sorted(found, key=lambda each: each.kind == POSITIONAL and each.optional))


def _taken(reading: Reading, node: Node) -> list[Parameter]:
    name = reading.text(node.child_by_field_name("name"))
    has_value = node.child_by_field_name("value") is not None
    if node.type in {"identifier", "destructured_parameter"}:
        return [Parameter(reading.text(node) if node.type == "identifier" else "", POSITIONAL)]
    if node.type == "optional_parameter":
        return [Parameter(name, POSITIONAL, optional=True)]
    if node.type == "keyword_parameter":
        return [Parameter(name, KEYWORD, has_value)]
    kinds = {"splat_parameter": [REST], "hash_splat_parameter": [KEYWORDS], "forward_parameter": [REST, KEYWORDS]}
    return [Parameter(name, kind) for kind in kinds.get(node.type, [])]


def _call(reading: Reading, node: Node) -> None:
    method = node.child_by_field_name("method")
    if method is None or method.type not in {"identifier", "constant", "super"}:
        return
    callee, receiver = _callee(reading, node, reading.text(method)), node.child_by_field_name("receiver")
    of = made_type(reading, receiver)
    if receiver is not None and callee.startswith("?."):
        reading.objects.ask(*held(reading, receiver))
    if callee:
        _note(reading, node, f"{of}.{reading.text(method)}" if of else callee, of)
    block = node.child_by_field_name("block")
    is_made = reading.text(receiver) in _MAKING and callee.startswith(NEW)
    if block is not None and (reading.text(method) in _CHANGING or is_made):
        reading.open_scope(block, CLASS, UNNAMED)


def _callee(reading: Reading, node: Node, name: str) -> str:
    receiver = node.child_by_field_name("receiver")
    if receiver is None or receiver.type == "self":
        if name == INHERITED:
            return _inherited(reading, node)
        side = ITSELF if of_class(reading, node) else OBJECT
        return "" if name == "new" and side == ITSELF else f"{side}.{name}"
    if receiver.type not in _CONSTANTS:
        return f"?.{name}"
    named = reading.text(receiver)
    if "(" in named or named[:1].islower():
        return f"?.{name}"
    return f"{NEW}{named}" if name == "new" else f"{named}.{name}"


def _inherited(reading: Reading, node: Node) -> str:
    """`super(1)`: the method of that name further up; without brackets it passes what there is."""
    kind, name = next(reversed(reading.around(node)), ("", ""))
    is_told = kind == FUNCTION and node.child_by_field_name("arguments") is not None
    return f"{INHERITED}.{name}" if is_told else ""


def _note(reading: Reading, node: Node, callee: str, of: str) -> None:
    positional, is_open, keywords = 0, False, []
    for child in children_in(node, "arguments"):
        if child.type == "pair":
            key = child.child_by_field_name("key")
            keywords.append(reading.text(key).strip(":\"'"))
            is_open = is_open or key is None or key.type not in {"hash_key_symbol", "simple_symbol"}
        elif child.type in {"splat_argument", "hash_splat_argument", "forward_argument"}:
            is_open = True
        elif child.type not in {"block_argument", "comment"}:
            positional += 1
    listed = tuple(keywords) if not is_open else ()
    reading.calls.append(CallSite(callee, first_line(node), positional, listed, is_open, reading.owner(node), of=of))


READERS: Mapping[str, See] = {"call": _call}
