"""What the index notes of modules of the older kind: `require`, `exports` and `module.exports`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vetgate.index.ecmascript_objects import made_by
from vetgate.index.facts import Export, Import
from vetgate.index.objects import bind
from vetgate.index.reading import is_tried
from vetgate.source.syntax import children_in, first_line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

    from vetgate.index.reading import Reading

DEFAULT = "default"
REQUIRE = "require"
_WHOLE = frozenset({"exports", "module.exports"})
_LENGTHS = frozenset(map(len, _WHOLE))
# Of what is reached without a name of its own, and of what is exported and is no name of the file.
_NOWHERE = "?"
_NAMELESS = ":"
OBJECT = f"{_NAMELESS}{DEFAULT}"


def required(reading: Reading, call: Node) -> None:
    """`require("./x")` and `await import("./x")`, with what is taken out of it and what that is called."""
    module = module_of(reading, call)
    if not module:
        return
    guarded, line = is_tried(call), first_line(call)
    node = _around(call)
    name = ""
    if node.parent is not None and node.parent.type == "member_expression":
        node = node.parent
        name = reading.text(node.child_by_field_name("property"))
        guarded = guarded or any(child.type == "optional_chain" for child in node.children)
    holder = node.parent
    target = holder.child_by_field_name("name") if holder is not None and holder.type == "variable_declarator" else None
    if target is None:
        if name:
            reading.imports.append(Import(line, module, name, _NOWHERE, guarded))
    elif target.type == "identifier":
        _brought(reading, Import(line, module, name, reading.text(target), guarded))
    elif target.type == "object_pattern" and not name:
        for each in _taken(reading, target, module):
            _brought(reading, Import(each.line, module, each.name, each.local, guarded or each.guarded))


def _around(call: Node) -> Node:
    node = call
    while node.parent is not None and node.parent.type in {"await_expression", "parenthesized_expression"}:
        node = node.parent
    return node


def _taken(reading: Reading, pattern: Node, module: str) -> Iterator[Import]:
    for child in pattern.named_children:
        name = local = reading.text(child)
        is_optional = child.type == "object_assignment_pattern"
        if is_optional:
            name = local = reading.text(child.child_by_field_name("left"))
        elif child.type == "pair_pattern":
            value = child.child_by_field_name("value")
            name, local = reading.text(child.child_by_field_name("key")), reading.text(value)
            if value is None or value.type != "identifier":
                local = _NOWHERE
        elif child.type != "shorthand_property_identifier_pattern":
            continue
        yield Import(first_line(child), module, name, local, is_optional)


def _brought(reading: Reading, each: Import) -> None:
    reading.bound.discard(each.local)
    reading.imports.append(each)


def module_of(reading: Reading, node: Node | None) -> str:
    """The module of a call of `require` or `import`, "" for any other node."""
    if node is None or node.type != "call_expression":
        return ""
    if reading.text(node.child_by_field_name("function")) not in {REQUIRE, "import"}:
        return ""
    given = children_in(node, "arguments")
    return reading.text(given[0])[1:-1] if given and given[0].type == "string" else ""


def exported(reading: Reading, node: Node) -> None:
    """An assignment to `exports` or `module.exports`, to one of its names, or of either to something else."""
    left, value = node.child_by_field_name("left"), node.child_by_field_name("right")
    if left is None or value is None:
        return
    target, line = reading.text(left), first_line(node)
    is_kept = _is_kept(reading, node)
    while value.type == "assignment_expression" and (inner := value.child_by_field_name("right")) is not None:
        is_kept = is_kept or reading.text(value.child_by_field_name("left")) not in _WHOLE
        value = inner
    holder, _, name = target.rpartition(".")
    if target in _WHOLE:
        reading.exports.extend(_whole(reading, value, line))
        if is_kept:
            reading.exports.append(_unknown(line))
    elif holder in _WHOLE and left.type == "member_expression":
        reading.exports.append(_named(reading, name, value, line))
    elif left.type == "subscript_expression" and reading.text(left.child_by_field_name("object")) in _WHOLE:
        reading.exports.append(_unknown(line))


def _is_kept(reading: Reading, node: Node) -> bool:
    """Whether what is exported has another name as well, to be filled by: `const it = module.exports = {}`."""
    inner, around = node, node.parent
    while around is not None and around.type in {"parenthesized_expression", "assignment_expression"}:
        left = around.child_by_field_name("left")
        if left is not None and left != inner and reading.text(left) not in _WHOLE:
            return True
        inner, around = around, around.parent
    return around is not None and around.type == "variable_declarator"


def note_passed_exports(reading: Reading, node: Node | None) -> None:
    """Whoever gets hold of `exports` may put anything there."""
    if node is not None and node.end_byte - node.start_byte in _LENGTHS and reading.text(node) in _WHOLE:
        reading.exports.append(_unknown(first_line(node)))


def _unknown(line: int) -> Export:
    return Export("*", "*", "", line)


def _whole(reading: Reading, value: Node, line: int) -> Iterator[Export]:
    if value.type == "object":
        yield Export(DEFAULT, _NAMELESS, "", line)
        for child in value.named_children:
            yield from _entry(reading, child)
        return
    module = module_of(reading, value)
    yield Export(DEFAULT, nameless(reading, value) or _NAMELESS, "", line)
    yield Export("*", "*", module, line)


def nameless(reading: Reading, value: Node | None) -> str:
    """What is exported without a name: one of the file, or an object that is made on the spot and has none."""
    if value is None or value.type == "identifier":
        return reading.text(value)
    if value.type == "class":
        return reading.text(value.child_by_field_name("name"))
    if value.type != "new_expression":
        return ""
    bind(reading.objects.outermost, OBJECT, made_by(reading, value))
    reading.bound.add(OBJECT)
    return OBJECT


def _entry(reading: Reading, node: Node) -> Iterator[Export]:
    line = first_line(node)
    if node.type == "shorthand_property_identifier":
        yield Export(reading.text(node), reading.text(node), "", line)
    elif node.type == "method_definition":
        name = reading.text(node.child_by_field_name("name"))
        yield Export(name, f"{_NAMELESS}{name}", "", line)
    elif node.type == "spread_element":
        yield Export("*", "*", module_of(reading, node.named_children[0]) if node.named_children else "", line)
    elif node.type == "pair":
        key = node.child_by_field_name("key")
        if key is not None and key.type in {"property_identifier", "string"}:
            yield _named(reading, reading.text(key).strip("'\""), node.child_by_field_name("value"), line)
        else:
            yield _unknown(line)


def _named(reading: Reading, name: str, value: Node | None, line: int) -> Export:
    """Under a name: another one of the file, a whole module, one of its names, or a value."""
    if value is not None and value.type == "identifier":
        return Export(name, reading.text(value), "", line)
    if module := module_of(reading, value):
        return Export(name, "", module, line)
    if value is not None and value.type == "member_expression":
        module = module_of(reading, value.child_by_field_name("object"))
        if module:
            return Export(name, reading.text(value.child_by_field_name("property")), module, line)
    return Export(name, f"{_NAMELESS}{name}", "", line)
