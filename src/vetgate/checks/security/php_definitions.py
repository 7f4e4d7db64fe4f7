"""What names stand for in PHP."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vetgate.checks.security import expression as ex
from vetgate.checks.security.expression import Expression
from vetgate.checks.security.lowering import Lowering, named

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node


class PhpDefinitions(Lowering):
    def definitions(self, node: Node) -> Iterator[tuple[str, Expression]]:
        if node.type == "foreach_statement":
            yield from self._gone_through(node)
            return
        if node.type == "const_element":
            yield from ((self.text(name), same(value)) for name, value in [named(node)[:2]] if name.type == "name")
            return
        left = node.child_by_field_name("left") or node.child_by_field_name("name")
        right = node.child_by_field_name("right") or node.child_by_field_name("value")
        if left is None or right is None:
            return
        if node.type == "augmented_assignment_expression":
            operator = node.child_by_field_name("operator")
            joins = operator is not None and operator.type == ".="
            yield from self._bound(left, Expression(ex.TEXT if joins else ex.EITHER, node, items=(left, right)))
        else:
            yield from self._bound(left, same(right))

    def _gone_through(self, node: Node) -> Iterator[tuple[str, Expression]]:
        several, each = named(node)[:2]
        target = named(each)[-1] if each.type in {"pair", "by_ref"} else each
        yield from self._bound(target, Expression(ex.INDEX, several, items=(several,)))
        if each.type == "pair":  # keys may be sent as well as values
            yield from self._bound(named(each)[0], Expression(ex.INDEX, several, items=(several,)))

    def _bound(self, target: Node, value: Expression) -> Iterator[tuple[str, Expression]]:
        if target.type in {"variable_name", "member_access_expression", "scoped_property_access_expression"}:
            yield self.text(target), value
        elif target.type == "subscript_expression":
            holder = named(target)[0]
            if holder.type == "variable_name" and not self.text(holder).startswith("$_"):
                # An array that also holds this from here on.
                yield self.text(holder), Expression(ex.LIST, target, items=(holder, value))
        elif target.type in {"list_literal", "array_creation_expression"}:
            for child in named(target):
                inner = named(child)[-1] if child.type == "array_element_initializer" else child
                yield from self._bound(inner, Expression(ex.INDEX, value.node, items=(value,)))


def same(value: Node) -> Expression:
    return Expression(ex.PASS, value, items=(value,))
