"""The value that an expression certainly has, and a text as what is known of it, in order."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from vetgate.checks.security import expression as ex
from vetgate.checks.security.scope import PARAM
from vetgate.checks.security.values import argument_for, default, function_called, members

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from tree_sitter import Node

    from vetgate.checks.security.expression import Expression, Item
    from vetgate.checks.security.qualified_names import QualifiedNames
    from vetgate.checks.security.scope import AskedNames, Module

    Parts = list[str | Expression]

UNKNOWN = object()
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
        self._known: dict[Expression, tuple[Any, AskedNames]] = {}

    def of(self, item: Item, depth: int = 0) -> Any:
        """The value, else UNKNOWN."""
        expression = self._module.lower(item)
        known = self._known.get(expression)
        if known is None:
            self._known[expression] = (UNKNOWN, set())  # a value that is made of itself
            known = self._known[expression] = self._module.asking(partial(self._value, expression, depth))
        elif known[1]:
            self._module.asked |= known[1]
        return known[0]

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

    def default_of(self, item: Item) -> Any:
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


_DEEPEST = 16
_MOST = 400  # more pieces say nothing more, and texts can be doubled and doubled again
_KEEPS = frozenset({"strip", "trim", "lower", "upper", "toLowerCase", "toUpperCase", "encode", "rstrip", "lstrip"})
_TEXT_CLASSES = frozenset({"String", "string"})
_FILLS = frozenset({"replace", "replaceAll", "replaceFirst", "Replace", "sub", "gsub"})
_METHOD = (0, 1, 2)  # where the template, the mark in it and the value stand; 0 is what the method belongs to
_REPLACES = {"strings.Replace": (1, 2, 3), "strings.ReplaceAll": (1, 2, 3), "str_replace": (3, 1, 2)}


class Pieces:
    def __init__(self, module: Module, paths: QualifiedNames, constants: Constants) -> None:
        self._module = module
        self._paths = paths
        self._constants = constants
        self._known: dict[Expression, tuple[Parts, AskedNames]] = {}

    def of(self, item: Node | Expression, depth: int = 0) -> Parts:
        """Anything that is no text stands for itself."""
        expression = self._module.lower(item)
        known = self._known.get(expression)
        if known is None:
            self._known[expression] = ([expression], set())  # a text that is made of itself
            parts, asked = self._module.asking(partial(self._parts, expression, depth))
            known = self._known[expression] = (parts[:_MOST], asked)
        elif known[1]:
            self._module.asked |= known[1]
        return known[0]

    def _parts(self, expression: Expression, depth: int) -> Parts:
        known = self._constants.of(expression)
        if isinstance(known, str):
            return [known]
        if depth > _DEEPEST:
            return [expression]
        if expression.kind == ex.PASS:
            return self.of(expression.items[0], depth + 1)
        if expression.kind == ex.TEXT:
            return self._all(expression.items, depth + 1)
        if expression.kind == ex.NAME:
            return self._of_name(expression, depth + 1)
        if expression.kind == ex.CALL:
            return self._of_call(expression, depth + 1)
        return [expression]

    def _all(self, items: Iterable[Node | Expression], depth: int) -> Parts:
        return [part for item in items for part in self.of(item, depth)]

    def _of_name(self, expression: Expression, depth: int) -> Parts:
        values = self._module.reaching(expression.name, expression.node)
        if not values or self._module.lower(values[0]).kind not in {ex.TEXT, ex.PASS}:
            return [expression]
        several = [self.of(value, depth) for value in values]
        found = next((each for each in several if not all(isinstance(part, str) for part in each)), several[0])
        is_text = len(found) > 1 or any(isinstance(part, str) for part in found)
        return found if is_text else [expression]  # by its name, since tests that it has passed speak of that

    def _of_call(self, expression: Expression, depth: int) -> Parts:
        """A text with a method called on it is still that text, and a function of the file gives what it returns."""
        callee = self._module.lower(expression.items[0])
        if callee.kind == ex.ATTR and (callee.name in _KEEPS or callee.name in self._module.language.facts.still_text):
            encoded = self._paths.of(callee).endswith("TextEncoder().encode") and len(expression.items) > 1
            return self.of(expression.items[1] if encoded else callee.items[0], depth)
        if callee.kind == ex.ATTR and callee.name in {"concat", "join"} and not self._is_of_texts(callee):
            return self._of_joined(expression, self._module.lower(callee.items[0]), depth)
        filled = self._joined(expression, callee, depth) or self._replaced(expression, callee, depth)
        if filled:
            return filled
        function = function_called(self._module, callee)
        returns = self._module.scope(function).returns if function is not None else []
        if function is None or len(returns) != 1:
            return [expression]
        given = self.of(returns[0], depth)
        if not any(isinstance(part, str) for part in given):
            return [expression]
        return [*(each for part in given for each in self._filled_in(part, function, expression, depth)), expression]

    def _is_of_texts(self, callee: Expression) -> bool:
        """`String.join(…)`: the function belongs to the class, not to a text or a list."""
        holder = self._module.lower(callee.items[0])
        return holder.kind == ex.NAME and holder.name in _TEXT_CLASSES

    def _joined(self, call: Expression, callee: Expression, depth: int) -> Parts:
        """`String.join(", ", a, b)`, `implode(', ', $parts)`: all that is joined, without what stands between."""
        is_join = (
            callee.name == "implode"
            if callee.kind == ex.NAME
            else callee.kind == ex.ATTR and (callee.name in {"join", "Join"} and self._is_of_texts(callee))
        )
        return self._listed(call.items[2:], depth) if is_join else []

    def _listed(self, items: Iterable[Node | Expression], depth: int) -> Parts:
        lowered = [self._module.lower(item) for item in items]
        return self._all(
            (piece for each in lowered for piece in (each.items if each.kind == ex.LIST else (each,))), depth
        )

    def _replaced(self, call: Expression, callee: Expression, depth: int) -> Parts:
        """`"… {name} …".replace("{name}", name)`: a template of ours with the value in its place."""
        path = self._paths.of(callee)
        at = _REPLACES.get(path) or (_METHOD if callee.kind == ex.ATTR and callee.name in _FILLS else None)
        if at is None or len(call.items) <= max(at):
            return []
        template, mark = ((callee.items[0] if not each else call.items[each]) for each in at[:2])
        text, needle = self._constants.of(template), self._constants.of(mark)
        if not isinstance(text, str) or not isinstance(needle, str) or not needle or needle not in text:
            return []
        before, _, after = text.partition(needle)
        return [before, *self.of(call.items[at[2]], depth), after]

    def _filled_in(self, part: str | Expression, function: Node, call: Expression, depth: int) -> Parts:
        """Where a function puts one of its parameters, the call says what that is."""
        if isinstance(part, str) or part.kind != ex.NAME:
            return [part]
        values = self._module.reaching(part.name, part.node)
        if [value.kind for value in values] != [PARAM] or values[0].value.id != function.id:
            return [part]
        found = argument_for(self._module, values[0], call)
        return self.of(found, depth) if found is not None else [part]

    def _of_joined(self, call: Expression, holder: Expression, depth: int) -> Parts:
        """`[a, b].join(c)`, `c.join([a, b])` and `a.concat(b)` of texts; other things are joined by the same names."""
        if holder.kind == ex.NAME and len(grown := self.of(holder, depth)) > 1:
            return grown
        return (
            self._listed((holder, *call.items[1:]), depth) if holder.kind in {ex.LIST, ex.LITERAL, ex.TEXT} else [call]
        )
