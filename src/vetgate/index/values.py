"""Names that are used as values: passed, put into a table, listed in `__all__`. Looked for where somebody asks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vetgate.model import Unchecked
from vetgate.source.syntax import Source, enclosing, first_line, parse

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

    from vetgate.source.syntax import Syntax

_NAMES = frozenset({"identifier", "type_identifier", "shorthand_property_identifier"})
_REACHED = frozenset({"attribute", "member_expression", "selector_expression", "nested_type_identifier"})
_FIELDS = ("attribute", "property", "field")
# Where a name is said and not used: imports and patterns, arguments by name, labels, scopes.
_SAID = frozenset(
    """dotted_name aliased_import global_statement nonlocal_statement delete_statement import_specifier import_clause
    namespace_import labeled_statement break_statement continue_statement type_parameter package_clause import_spec
    pair_pattern""".split()  # noqa: SIM905 - a list of names
)
# Their `name` is one that is used.
_NAMING = frozenset({"jsx_opening_element", "jsx_self_closing_element", "generic_type", "export_specifier"})


def uses(source: Source, name: str) -> list[int]:
    """The lines in which a name is used, be it plain or dotted; none where the text gives it another meaning."""
    last = name.rpartition(".")[2]
    if name not in source.text:
        return []
    syntax = parse(source)
    if isinstance(syntax, Unchecked) or syntax.tree.root_node.has_error:
        return []
    found = []
    for node in _mentions(syntax, last):
        if _is_declared(node):
            return []
        if _is_use(syntax, node, name):
            found.append(first_line(node))
    return list(dict.fromkeys(found))


def _mentions(syntax: Syntax, last: str) -> Iterator[Node]:
    """The nodes that are exactly this word, by where the word is in the text: there are few."""
    word = last.encode()
    at = syntax.data.find(word)
    while at >= 0:
        node = syntax.tree.root_node.descendant_for_byte_range(at, at + len(word))
        if node is not None and (node.start_byte, node.end_byte) == (at, at + len(word)):
            yield node
        at = syntax.data.find(word, at + 1)


def _is_declared(node: Node) -> bool:
    parent = node.parent
    if parent is None or parent.type in _NAMING or parent.type in _SAID or parent.type == "keyword_argument":
        return False
    return node.type in _NAMES and parent.child_by_field_name("name") == node


def _is_use(syntax: Syntax, node: Node, name: str) -> bool:
    parent = node.parent
    if parent is None:
        return False
    is_reached = parent.type in _REACHED and any(parent.child_by_field_name(field) == node for field in _FIELDS)
    if "." in name:
        return is_reached and syntax.text(parent) == name and not _is_written_to(parent)
    if node.type == "string_content":
        return _is_listed(syntax, node)
    return node.type in _NAMES and not is_reached and not _is_said(node, parent)


def _is_said(node: Node, parent: Node) -> bool:
    if parent.type == "keyword_argument":
        return parent.child_by_field_name("name") == node
    if parent.type == "export_specifier":
        statement = parent.parent.parent if parent.parent is not None else None
        is_passed_on = statement is None or statement.child_by_field_name("source") is not None
        return is_passed_on or parent.child_by_field_name("alias") == node
    around = parent.parent
    if parent.type == "literal_element" and around is not None and around.type == "keyed_element":
        return around.named_children[0] == parent  # a field, or a key: nobody can tell
    return parent.type in _SAID


def _is_written_to(node: Node) -> bool:
    """`core.load = other`, as tests do."""
    parent = node.parent
    return parent is not None and parent.child_by_field_name("left") == node


def _is_listed(syntax: Syntax, node: Node) -> bool:
    """In `__all__`."""
    around = enclosing(node, {"assignment", "augmented_assignment", "block"})
    left = around.child_by_field_name("left") if around is not None else None
    return left is not None and syntax.text(left) == "__all__"
