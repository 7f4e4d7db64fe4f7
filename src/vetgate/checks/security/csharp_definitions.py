"""What names stand for in C#."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from vetgate.checks.security import expression as ex
from vetgate.checks.security.expression import Expression
from vetgate.checks.security.facts_csharp import FACTS
from vetgate.checks.security.lowering import Lowering, typed
from vetgate.expression import expression

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

_RANDOM = expression(r"\w*(?:rng|random)", re.IGNORECASE)
_TRIED = ("Uri.TryCreate(", "System.Uri.TryCreate(")


class CSharpDefinitions(Lowering):
    def definitions(self, node: Node) -> Iterator[tuple[str, Expression]]:
        if node.type == "assignment_expression":
            yield from self._assigned(node)
        elif node.type == "foreach_statement":
            yield from self._gone_through(node)
        elif node.type == "property_declaration":
            yield from self._property(node)
        elif node.type == "declaration_expression":
            yield from self._handed_out(node)
        else:
            for each in (child for child in node.named_children if child.type == "variable_declarator"):
                value = each.named_children[-1] if len(each.named_children) > 1 else None
                yield from self._declared(each, node.child_by_field_name("type"), value)

    def _gone_through(self, node: Node) -> Iterator[tuple[str, Expression]]:
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if left is not None and right is not None:
            yield self.text(left), Expression(ex.INDEX, right, items=(right,))

    def _handed_out(self, node: Node) -> Iterator[tuple[str, Expression]]:
        """`Uri.TryCreate(text, UriKind.Absolute, out var address)`: the address is the text."""
        holder = node.parent.parent if node.parent is not None else None
        call = holder.parent if holder is not None else None
        name = node.child_by_field_name("name")
        if call is None or name is None or not self.text(call).startswith(_TRIED):
            return
        first = next(iter(holder.named_children), None) if holder is not None else None
        if first is not None and first.named_children:
            yield self.text(name), Expression(ex.PASS, call, items=(first.named_children[-1],))

    def _property(self, node: Node) -> Iterator[tuple[str, Expression]]:
        """A page fills a property marked `[BindProperty]` with what was sent."""
        name = node.child_by_field_name("name")
        if name is not None and any(
            "BindProperty" in self.text(child) for child in node.named_children if child.type == "attribute_list"
        ):
            yield self.text(name), Expression(ex.NAME, node, name="Request.Form")
            return
        yield from self._declared(node, node.child_by_field_name("type"), node.child_by_field_name("value"))

    def _declared(self, node: Node, kind: Node | None, value: Node | None) -> Iterator[tuple[str, Expression]]:
        name = node.child_by_field_name("name")
        if name is None:
            return
        written = simple(self.text(kind)) if kind is not None else ""
        if value is None:
            yield self.text(name), typed(written, Expression(ex.OTHER, node), node)
        elif (
            written in {"var", "string", "String", "object", "dynamic", ""}
            or "[" in written
            or "creation" in value.type
        ):
            yield self.text(name), Expression(ex.PASS, value, items=(value,))
        else:
            yield self.text(name), typed(written, value, value)

    def _assigned(self, node: Node) -> Iterator[tuple[str, Expression]]:
        left, right, operator = (node.child_by_field_name(role) for role in ("left", "right", "operator"))
        if left is None or right is None or operator is None or _is_initializer(node):
            return
        if left.type not in {"identifier", "member_access_expression"}:
            return
        if operator.type == "+=":
            yield self.text(left), Expression(ex.TEXT, node, items=(left, right))
        elif operator.type == "??=":
            yield self.text(left), Expression(ex.EITHER, node, items=(left, right))
        elif operator.type == "=":
            yield self.text(left), Expression(ex.PASS, right, items=(right,))

    def filled(self, call: Node) -> Iterator[tuple[str, Expression]]:
        """`random.GetBytes(iv)`, `RandomNumberGenerator.Fill(iv)`: what is handed over holds something new."""
        given = call.child_by_field_name("arguments")
        name = self.called(call)
        if given is None or name not in FACTS.fills or (name == "GetBytes" and not _RANDOM.match(self.text(call))):
            return
        for argument in given.named_children:
            inner = argument.named_children[-1] if argument.named_children else argument
            if inner.type == "identifier":
                yield self.text(inner), Expression(ex.PASS, call, items=(call,))


def simple(kind: str) -> str:
    """`System.Collections.Generic.List<string>?` is a `List`."""
    return kind.partition("<")[0].strip("? ").rpartition(".")[2]


def _is_initializer(node: Node) -> bool:
    return node.parent is not None and node.parent.type == "initializer_expression"
