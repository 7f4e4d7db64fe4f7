"""A text just as the program puts it together; nothing where that takes more than reading it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from vetgate.checks.security import expression as ex
from vetgate.checks.security.expression import Expression
from vetgate.expression import expression

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tree_sitter import Node

    from vetgate.checks.security.scan import FileScan

_DEEPEST = 16
_TEXTS = frozenset({"string", "concatenated_string", "template_string"})
_AROUND = frozenset({"parenthesized_expression", "interpolation", "template_substitution"})
_SUMS = frozenset({"binary_operator", "binary_expression"})
_ASSIGNED = frozenset({"assignment", "variable_declarator"})
_PLACES = expression(r"%[sdi]|%%|%")
_FIELDS = expression(r"\{\w*\}|[{}]")


class Interpolation(NamedTuple):
    """What is put into a text, as it is written."""

    text: str


Parts = list[str | Interpolation]


class Exact:
    """The other reading of texts guesses where it has to, so that nothing dangerous is missed; this one never does."""

    def __init__(self, noted: FileScan) -> None:
        self._syntax = noted.syntax
        self._module = noted.module
        self._constants = noted.matcher.constants

    def of(self, item: Node | Expression) -> Parts:
        """What is in it, in order; none if a value is formatted, or if there is more than one way to get here."""
        meant = self._module.lower(item)
        if meant.kind == ex.NAME:
            return self._assigned(meant) or []
        return self._parts(meant) or []

    def _assigned(self, name: Expression) -> Parts | None:
        scope = next(iter(self._module.scopes_around(name.node)))
        definitions = scope.names.get(name.name, [])
        if len(definitions) != 1 or definitions[0].node.type not in _ASSIGNED:
            return None
        return self._parts(definitions[0].value)

    def _parts(self, item: Node | Expression, depth: int = 0) -> Parts | None:
        meant = self._module.lower(item)
        if depth > _DEEPEST:
            return None
        if meant.kind in {ex.LITERAL, ex.NAME, ex.ATTR} and isinstance(known := self._constants.of(meant), str):
            return [known] if meant.name != "bytes" or meant.kind != ex.LITERAL else None
        if meant.kind == ex.PASS and self._is_around(meant):
            is_formatted = meant.node.type == "interpolation" and meant.node.child_count != 3
            return None if is_formatted else self._parts(meant.items[0], depth + 1)
        if meant.kind == ex.TEXT and self._is_text(meant):
            return self._joined(meant, depth + 1)
        code = self._syntax.text(meant.node)
        return [Interpolation(code)] if "\n" not in code else None

    def _is_around(self, meant: Expression) -> bool:
        """Not what is waited for, cut or cast: that is more than what stands in it."""
        inner = meant.items[0]
        return meant.node.type in _AROUND or (not isinstance(inner, Expression) and inner.id == meant.node.id)

    def _is_text(self, meant: Expression) -> bool:
        """`page + 1` is none."""
        if meant.node.type in _SUMS and self._sign(meant.node) == "+":
            return any(_type(item) in _TEXTS for item in meant.items)
        return not (meant.node.type in _SUMS and _type(meant.node.child_by_field_name("left")) not in _TEXTS)

    def _joined(self, meant: Expression, depth: int) -> Parts | None:
        node = meant.node
        if node.type == "call":
            return self._filled(meant, node.child_by_field_name("function"), depth)
        if node.type in _SUMS and self._sign(node) == "%":
            return self._filled(meant, node.child_by_field_name("left"), depth)
        if node.type not in _TEXTS | _SUMS or (_has_escaped_braces(self._syntax.text(node)) and node.type == "string"):
            return None
        return _all(self._parts(item, depth) for item in meant.items)

    def _filled(self, meant: Expression, template: Node | None, depth: int) -> Parts | None:
        """A template with a value at each of its places, and at no other."""
        is_percent = meant.node.type in _SUMS
        places = (_PLACES if is_percent else _FIELDS).findall(self._syntax.text(template)) if template else []
        values = [item for item in meant.items if not isinstance(item, Expression)]
        wanted = sum(each != "%%" for each in places)
        # There is a text before, between and after the values, unless `%%s` was taken for a place.
        if {"%", "{", "}"}.intersection(places) or (wanted, wanted + 1) != (
            len(values),
            len(meant.items) - len(values),
        ):
            return None
        found = _all(self._parts(item, depth) for item in meant.items)
        if found is None or not is_percent:
            return found
        return [part.replace("%%", "%") if isinstance(part, str) else part for part in found]

    def _sign(self, node: Node) -> str:
        operator = node.child_by_field_name("operator")
        return operator.type if operator is not None else ""


def _all(several: Iterable[Parts | None]) -> Parts | None:
    """Texts next to each other are one."""
    found: Parts = []
    for parts in several:
        if parts is None:
            return None
        for part in parts:
            if found and isinstance(part, str) and isinstance(found[-1], str):
                found[-1] += part
            else:
                found.append(part)
    return found


def _type(item: Node | Expression | None) -> str:
    node = item.node if isinstance(item, Expression) else item
    return node.type if node is not None else ""


def _has_escaped_braces(text: str) -> bool:
    return "{{" in text or "}}" in text
