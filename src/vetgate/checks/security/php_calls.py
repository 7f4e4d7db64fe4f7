"""Functions of PHP whose result depends on what they are told to do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vetgate.checks.security import expression as ex
from vetgate.checks.security.expression import Expression
from vetgate.checks.security.lowering import call_of, interleaved
from vetgate.expression import expression

if TYPE_CHECKING:
    import re
    from collections.abc import Callable, Mapping

    from tree_sitter import Node

    from vetgate.checks.security.lowering import Item, Lowering

_PERCENT = expression(r"%(?:(\d+)\$)?[-+0 ]*(?:'.)?\d*(?:\.\d+)?([bcdeEfFgGosuxX])")
_COUNTING = frozenset({"intval", "absint", "floatval", "boolval", "ctype_digit", "is_numeric"})
_CHECKS = expression(r"FILTER_(?:VALIDATE_(?:INT|FLOAT|BOOL\w*|IP|MAC)|SANITIZE_NUMBER_INT)")


def known_call(language: Lowering, node: Node, name: str, given: list[Node]) -> Expression | None:
    """None where nothing special is known of it."""
    reading = _READINGS.get(name)
    return reading(language, node, given) if reading is not None and given else None


def _sprintf(language: Lowering, node: Node, given: list[Node]) -> Expression | None:
    formatted = _formatted(language, given)
    return Expression(ex.TEXT, node, items=formatted) if formatted is not None else None


def _printf(language: Lowering, node: Node, given: list[Node]) -> Expression | None:
    text = _sprintf(language, node, given)
    return call_of(node, "printf", text) if text is not None else None


def _open(language: Lowering, node: Node, given: list[Node]) -> Expression | None:
    is_body = language.text(given[0]).strip("'\"") == "php://input"
    return Expression(ex.NAME, node, name="php://input") if is_body else None


def _map(language: Lowering, node: Node, given: list[Node]) -> Expression | None:
    return Expression(ex.OTHER, node) if language.text(given[0]).strip("'\"") in _COUNTING else None


def _filter_input(language: Lowering, node: Node, given: list[Node]) -> Expression | None:
    checks = any(_CHECKS.search(language.text(each)) for each in given[1:])
    return Expression(ex.OTHER, node) if checks else None


def _filter(language: Lowering, node: Node, given: list[Node]) -> Expression | None:
    return _filter_input(language, node, given) or Expression(ex.PASS, node, items=(given[0],))


def _header(language: Lowering, node: Node, given: list[Node]) -> Expression | None:
    """`header("Name: value")` as if name and value were passed by themselves."""
    whole = language.lower(given[0])
    parts: list[Item] = [whole] if whole.kind == ex.LITERAL else list(whole.items)
    literal = (parts[0] if isinstance(parts[0], Expression) else language.lower(parts[0])).value if parts else None
    if not isinstance(literal, str) or ":" not in literal:
        return None
    name, _, rest = literal.partition(":")
    value = Expression(ex.LITERAL, given[0], value=rest.lstrip())
    text = Expression(ex.TEXT, given[0], items=(value, *parts[1:])) if len(parts) > 1 else value
    said = Expression(ex.LITERAL, given[0], value=name.strip())
    return call_of(node, "header", said, text)


def _formatted(language: Lowering, given: list[Node]) -> tuple[Item, ...] | None:
    """`sprintf("…%s…", $x)` in the order of the text; what is put in as a number stays one."""
    template = language.lower(given[0])
    if not isinstance(template.value, str):
        return None
    listed = language.lower(given[1]) if len(given) == 2 else None
    rest = list(listed.items) if listed is not None and listed.kind == ex.LIST else list(given[1:])
    position = iter(range(len(rest)))

    def chosen(match: re.Match[str]) -> Item | None:
        at = int(match[1]) - 1 if match[1] else next(position, len(rest))
        if match[2] != "s":
            return Expression(ex.OTHER, given[0])
        return rest[at] if 0 <= at < len(rest) else None

    return interleaved(given[0], template.value, _PERCENT, chosen)


_READINGS: Mapping[str, Callable[[Lowering, Node, list[Node]], Expression | None]] = {
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
