"""Python: cyclomatic as ruff's C901 counts it, cognitive as the white paper does.

A nested function adds to the one around it, in both.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from vetgate.checks.complexity.marks import FunctionNode
from vetgate.checks.complexity.nodes import COMMENTS, by_field, field_text, parts, qualified
from vetgate.checks.complexity.structures import Operators, called_by_name, clause, control, deeper, groups, loop
from vetgate.source.syntax import child_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tree_sitter import Node

    from vetgate.checks.complexity.marks import NodeMarks

_FUNCTIONS = frozenset({"function_definition"})
_NAMERS = {"class_definition": by_field("name")}
_BOOLEAN = Operators("boolean_operator", {"and": "and", "or": "or"}, "parenthesized_expression")
_SEPARATORS = frozenset({"keyword_separator", "positional_separator", *COMMENTS})


def _wraps(node: Node) -> bool:
    """A decorator: nothing but one function inside, and its return."""
    body = parts(node.child_by_field_name("body"))
    return [statement.type for statement in body] in (
        ["function_definition", "return_statement"],
        ["decorated_definition", "return_statement"],
    )


def _parameters(node: Node) -> int:
    listed = node.child_by_field_name("parameters")
    names = [] if listed is None else [child for child in listed.named_children if child.type not in _SEPARATORS]
    bound = bool(names) and (names[0].text or b"").split(b":")[0].strip() in {b"self", b"cls"}
    return len(names) - bound


def _function(marks: NodeMarks, node: Node) -> None:
    own = field_text(node, "name")
    marks.function(
        FunctionNode(
            node,
            qualified(marks, own, _NAMERS, _FUNCTIONS),
            plain=own,
            parameters=_parameters(node),
            adds_branches=True,
            adds_thought=True,
            wraps=_wraps(node),
        )
    )


def _else(marks: NodeMarks, node: Node) -> None:
    """Of an `if` or a loop one more thought, of a `try` one more branch."""
    if marks.path and marks.path[-1].type == "try_statement":
        marks.branch(node, "else of try")
        return
    marks.thought(node, "else")
    marks.deeper(node.child_by_field_name("body"))


def _except(marks: NodeMarks, node: Node) -> None:
    marks.branch(node, "except")
    marks.nested_thought(node, "except")
    marks.deeper(child_of(node, "block"))


def _match(marks: NodeMarks, node: Node) -> None:
    """Each case is a branch but a last one that always matches."""
    marks.nested_thought(node, "match")
    marks.control(node, "match")
    body = node.child_by_field_name("body")
    marks.deeper(body)
    cases = [child for child in parts(body) if child.type == "case_clause"]
    for case in cases[:-1]:
        marks.branch(case, "case")
    if cases and not _always_matches(cases[-1]):
        marks.branch(cases[-1], "case")


def _always_matches(case: Node) -> bool:
    patterns = [child for child in case.named_children if child.type == "case_pattern"]
    if len(patterns) != 1 or case.child_by_field_name("guard") is not None:
        return False
    return _irrefutable(patterns[0])


def _irrefutable(pattern: Node) -> bool:
    """A wildcard or a bare name, also in parentheses, before `as` or as one of several."""
    pending = [pattern]
    while pending:
        node = pending.pop()
        inner = parts(node)
        if any(child.type == "_" for child in node.children) or (node.type == "dotted_name" and len(inner) == 1):
            return True
        if node.type == "union_pattern":
            pending += inner
        elif inner and node.type in {"case_pattern", "as_pattern", "tuple_pattern"} and _is_single(node):
            pending.append(inner[0])
    return False


def _is_single(node: Node) -> bool:
    return node.type != "tuple_pattern" or not any(child.type == "," for child in node.children)


def _ternary(marks: NodeMarks, node: Node) -> None:
    marks.nested_thought(node, "conditional expression")
    for part in parts(node)[::2]:
        marks.deeper(part)


TABLE: Mapping[str, Callable[[NodeMarks, Node], None]] = {
    "function_definition": _function,
    "lambda": deeper("body"),
    "if_statement": loop("if", "consequence"),
    "elif_clause": clause("elif", "consequence"),
    "else_clause": _else,
    "for_statement": loop("for"),
    "while_statement": loop("while"),
    "try_statement": control("try"),
    "except_clause": _except,
    "except_group_clause": _except,
    "match_statement": _match,
    "conditional_expression": _ternary,
    "boolean_operator": groups(_BOOLEAN),
    "call": called_by_name,
}
