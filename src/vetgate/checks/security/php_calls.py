"""Functions of PHP whose result depends on what they are told to do."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from vetgate.checks.security import expression as ex
from vetgate.checks.security.expression import Expression
from vetgate.checks.security.lowering import interleaved
from vetgate.expression import expression

if TYPE_CHECKING:
    import re
    from collections.abc import Callable

    from tree_sitter import Node

    Item = Node | Expression

_PERCENT = expression(r"%(?:(\d+)\$)?[-+0 ]*(?:'.)?\d*(?:\.\d+)?([bcdeEfFgGosuxX])")
_COUNTING = frozenset({"intval", "absint", "floatval", "boolval", "ctype_digit", "is_numeric"})
_CHECKS = expression(r"FILTER_(?:VALIDATE_(?:INT|FLOAT|BOOL\w*|IP|MAC)|SANITIZE_NUMBER_INT)")


class PhpCalls:
    """Reads calls of one file; all answers are None where nothing special is known."""

    def __init__(self, lower: Callable[[Node], Expression], text: Callable[[Node], str]) -> None:
        self._lower = lower
        self._text = text

    def known(self, node: Node, name: str, given: list[Node]) -> Expression | None:
        reading = self._readings.get(name)
        return reading(self, node, given) if reading is not None and given else None

    def _sprintf(self, node: Node, given: list[Node]) -> Expression | None:
        formatted = self._formatted(given)
        return Expression(ex.TEXT, node, items=formatted) if formatted is not None else None

    def _printf(self, node: Node, given: list[Node]) -> Expression | None:
        text = self._sprintf(node, given)
        callee = Expression(ex.NAME, node, name="printf")
        return Expression(ex.CALL, node, items=(callee, text), keys=(None,)) if text is not None else None

    def _open(self, node: Node, given: list[Node]) -> Expression | None:
        is_body = self._text(given[0]).strip("'\"") == "php://input"
        return Expression(ex.NAME, node, name="php://input") if is_body else None

    def _map(self, node: Node, given: list[Node]) -> Expression | None:
        return Expression(ex.OTHER, node) if self._text(given[0]).strip("'\"") in _COUNTING else None

    def _filter_input(self, node: Node, given: list[Node]) -> Expression | None:
        checks = any(_CHECKS.search(self._text(each)) for each in given[1:])
        return Expression(ex.OTHER, node) if checks else None

    def _filter(self, node: Node, given: list[Node]) -> Expression | None:
        return self._filter_input(node, given) or Expression(ex.PASS, node, items=(given[0],))

    def _header(self, node: Node, given: list[Node]) -> Expression | None:
        """`header("Name: value")` as if name and value were passed by themselves."""
        whole = self._lower(given[0])
        parts: list[Item] = [whole] if whole.kind == ex.LITERAL else list(whole.items)
        literal = self._lowered(parts[0]).value if parts else None
        if not isinstance(literal, str) or ":" not in literal:
            return None
        name, _, rest = literal.partition(":")
        value = Expression(ex.LITERAL, given[0], value=rest.lstrip())
        text = Expression(ex.TEXT, given[0], items=(value, *parts[1:])) if len(parts) > 1 else value
        callee = Expression(ex.NAME, node, name="header")
        said = Expression(ex.LITERAL, given[0], value=name.strip())
        return Expression(ex.CALL, node, items=(callee, said, text), keys=(None, None))

    def _lowered(self, item: Item) -> Expression:
        return item if isinstance(item, Expression) else self._lower(item)

    def _formatted(self, given: list[Node]) -> tuple[Item, ...] | None:
        """`sprintf("…%s…", $x)` in the order of the text; what is put in as a number stays one."""
        template = self._lower(given[0])
        if not isinstance(template.value, str):
            return None
        listed = self._lower(given[1]) if len(given) == 2 else None
        rest = list(listed.items) if listed is not None and listed.kind == ex.LIST else list(given[1:])
        position = iter(range(len(rest)))

        def chosen(match: re.Match[str]) -> Item | None:
            at = int(match[1]) - 1 if match[1] else next(position, len(rest))
            if match[2] != "s":
                return Expression(ex.OTHER, given[0])
            return rest[at] if 0 <= at < len(rest) else None

        return interleaved(given[0], template.value, _PERCENT, chosen)

    _readings: ClassVar[dict[str, Callable[[PhpCalls, Node, list[Node]], Expression | None]]] = {
        "sprintf": _sprintf,
        "vsprintf": _sprintf,
        "printf": _printf,
        "header": _header,
        "file_get_contents": _open,
        "fopen": _open,
        "array_map": _map,
        "filter_var": _filter,
        "filter_input": _filter_input,
    }
