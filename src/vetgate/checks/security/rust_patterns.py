"""Patterns of Rust: which names a `let`, a match or a parameter binds, and to what; and the value a block gives."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vetgate.checks.security import expression as ex
from vetgate.checks.security.expression import Expression
from vetgate.checks.security.lowering import named
from vetgate.expression import expression

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tree_sitter import Node

    Text = Callable[[Node], str]


_AROUND = frozenset(
    {"match_pattern", "ref_pattern", "mut_pattern", "reference_pattern", "captured_pattern", "or_pattern"}
)
_CHAINED = frozenset({"call_expression", "field_expression", "try_expression", "await_expression"})
_TEXT_TYPE = expression(r"^(?:\w+::)*(?:String|Url|Uri|PathBuf|HeaderValue)\b")
_LISTS = frozenset({"tuple_pattern", "slice_pattern"})


def becomes_text(text: Text, parsed: Node) -> bool:
    """`let path: PathBuf = given.parse()?`: most of what is parsed is a number, this is not."""
    around = parsed.parent
    while around is not None and around.type in _CHAINED:
        around = around.parent
    kind = around.child_by_field_name("type") if around is not None and around.type == "let_declaration" else None
    return kind is not None and _TEXT_TYPE.match(text(kind)) is not None


def bound(text: Text, pattern: Node, value: Expression) -> Iterator[tuple[str, Expression]]:
    """`Some(name)` and `Query(name)` bind what they hold; names with a capital are variants, not variables."""
    pending = [(pattern, value)]
    while pending:
        each, given = pending.pop()
        kind = each.type
        if kind in {"identifier", "shorthand_field_identifier"}:
            name = text(each)
            if not name[:1].isupper():
                yield name, given
        elif kind == "tuple_struct_pattern":
            inner = [child for child in each.named_children[1:] if child.type != "_"]
            pending.extend((child, given) for child in inner)
        elif kind == "struct_pattern":
            pending.extend(_fields(text, each, given))
        elif kind in _LISTS:
            element = Expression(ex.INDEX, given.node, items=(given,))
            pending.extend((child, element) for child in each.named_children)
        elif kind in _AROUND:
            condition = each.child_by_field_name("condition")
            skipped = condition.id if condition is not None else 0
            pending.extend((child, given) for child in each.named_children if child.id != skipped)


def _fields(text: Text, pattern: Node, value: Expression) -> Iterator[tuple[Node, Expression]]:
    for field in pattern.named_children:
        name = field.child_by_field_name("name") if field.type == "field_pattern" else None
        if name is not None:
            member = Expression(ex.ATTR, field, name=text(name), items=(value,))
            yield field.child_by_field_name("pattern") or name, member


_VALUES = ("_expression", "_literal", "identifier", "_block")


def tail_of(block: Node) -> Node | None:
    """What stands last without a semicolon is what the block gives."""
    last = named(block)[-1:]
    if not last:
        return None
    if last[0].type == "expression_statement":
        inner = last[0].named_children[:1]
        ended = last[0].children[-1].type == ";"
        return inner[0] if inner and not ended else None
    kind = last[0].type
    return last[0] if kind.endswith(_VALUES) or kind in {"block", "macro_invocation", "self"} else None
