"""The value that an expression certainly has, worked out from the literals of the file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from vetgate.checks.security import expression as ex
from vetgate.checks.security.values import default, function_called, members

if TYPE_CHECKING:
    from collections.abc import Callable

    from tree_sitter import Node

    from vetgate.checks.security.expression import Expression
    from vetgate.checks.security.scope import Module

    Item = Node | Expression

UNKNOWN = object()
_DEEPEST = 16
_LARGEST = 100_000
_JOINS = frozenset({"binary_expression", "binary_operator", "template_string", "string"})
_ARITHMETIC: dict[str, Callable[[Any, Any], Any]] = {
    "*": lambda left, right: left * right,
    "**": lambda left, right: left**right if right < 64 else UNKNOWN,
    "<<": lambda left, right: int(left) << int(right) if right < 64 else UNKNOWN,
}


class Constants:
    def __init__(self, module: Module) -> None:
        self._module = module
        self._known: dict[Expression, Any] = {}

    def of(self, item: Item, depth: int = 0) -> Any:
        """The value, else UNKNOWN."""
        expression = self._module.lower(item)
        if expression not in self._known:
            self._known[expression] = UNKNOWN  # a value that is made of itself
            self._known[expression] = self._value(expression, depth)
        return self._known[expression]

    def _value(self, expression: Expression, depth: int) -> Any:
        if depth > _DEEPEST:
            return UNKNOWN
        if expression.kind == ex.LITERAL:
            return expression.value
        if expression.kind == ex.LIST:
            return [self.of(item, depth + 1) for item in expression.items]
        if expression.kind == ex.TEXT:
            return _joined(expression, [self.of(part, depth + 1) for part in expression.items])
        if expression.kind == ex.OTHER and expression.name in _ARITHMETIC:
            numbers = [self.of(side, depth + 1) for side in expression.node.named_children]
            return _ARITHMETIC[expression.name](*numbers) if _are_small(numbers) else UNKNOWN
        values = self._standing_for(expression)
        return self.of(values[0], depth + 1) if len(values) == 1 else UNKNOWN

    def unless_given(self, item: Item) -> Any:
        """The value that counts when nothing else is given; nothing at all is none."""
        fallback = default(self._module, item)
        value = UNKNOWN if fallback is None else self.of(fallback)
        return UNKNOWN if value is None or (value in ("", 0) and value is not False) else value

    def _standing_for(self, expression: Expression) -> list[Item]:
        if expression.kind == ex.PASS:
            return [expression.items[0]]
        if expression.kind == ex.NAME:
            return list(self._module.reaching(expression.name, expression.node))
        if expression.kind == ex.ATTR:
            return members(self._module, expression)
        if expression.kind == ex.CALL:
            function = function_called(self._module, self._module.lower(expression.items[0]))
            return list(self._module.scope(function).returns) if function is not None else []
        return []


def is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _joined(expression: Expression, parts: list[Any]) -> Any:
    """Texts put together, also with numbers in between; numbers alone are added."""
    if sum(len(part) for part in parts if isinstance(part, str)) > _LARGEST:
        return UNKNOWN
    if all(isinstance(part, str) for part in parts):
        return "".join(parts)
    whole = all(isinstance(part, str) or (is_number(part) and part == int(part)) for part in parts)
    if not whole or expression.name == "/" or expression.node.type not in _JOINS:
        return UNKNOWN
    return "".join(map(str, parts)) if any(isinstance(part, str) for part in parts) else sum(parts)


def _are_small(numbers: list[Any]) -> bool:
    """Two numbers that can be worked with at no cost: `2 ** 2 ** 40` is not for us."""
    return len(numbers) == 2 and all(is_number(each) and 0 <= each < _LARGEST for each in numbers)
