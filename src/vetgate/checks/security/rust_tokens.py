"""What a macro of Rust is given: the grammar knows only its tokens, so the usual expressions are read from those."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vetgate.checks.security import expression as ex
from vetgate.checks.security.expression import Expression
from vetgate.checks.security.lowering import call_of, interleaved
from vetgate.expression import expression

if TYPE_CHECKING:
    import re
    from collections.abc import Callable

    from tree_sitter import Node

    from vetgate.checks.security.expression import Item

    Lower = Callable[[Node], Expression]
    Text = Callable[[Node], str]

_LEADING = frozenset({"&", "*", "mut", "mutable_specifier", "ref"})
_NAMES = frozenset({"identifier", "self", "primitive_type", "crate", "super"})
_BRACES = expression(r"\{(\w*)(?::([^{}]*))?\}|(?<=\{)\{|\}(?=\})")
_OPERANDS = frozenset({*_NAMES, "token_tree"})
_LINKS = frozenset({*_OPERANDS, ".", "::", "?", "!", "await", "integer_literal"})
_SAME = frozenset({"to_string", "to_owned", "into", "clone", "as_str", "as_ref"})
_DEEPEST = 6


class MacroTokens:
    """Reads token trees of one file."""

    def __init__(self, lower: Lower, text: Text) -> None:
        self._lower = lower
        self._text = text

    def arguments(self, tree: Node, depth: int = 0) -> list[tuple[str | None, Item]]:
        """What stands between the commas, with the name that it is given."""
        found: list[tuple[str | None, Item]] = []
        tokens: list[Node] = []
        for child in [*tree.children[1:-1], None]:
            if child is not None and child.type not in {",", ";"}:
                tokens.append(child)
                continue
            if tokens:
                named = len(tokens) > 2 and tokens[1].type == "=" and tokens[0].type == "identifier"
                name = self._text(tokens[0]) if named else None
                found.append((name, self._expression(tokens[2:] if named else tokens, depth)))
            tokens = []
        return found

    def call(self, tree: Node) -> Expression:
        """The call that ends with these parentheses."""
        tokens = chained(tree)
        read, rest = self._chain(tokens, 0) if len(tokens) > 1 else (None, tokens)
        return read if read is not None and not rest else Expression(ex.OTHER, tree)

    def formatted(self, given: list[tuple[str | None, Item]]) -> tuple[Item, ...] | None:
        """`"…{}…{name}…", value` in the order of the text."""
        if not given:
            return None
        first = given[0][1]
        template = first if isinstance(first, Expression) else self._lower(first)
        if not isinstance(template.value, str):
            return None
        chosen = _placed(template.node, given[1:])
        return interleaved(template.node, template.value, _BRACES, chosen)

    def _expression(self, tokens: list[Node], depth: int) -> Item:
        while len(tokens) > 1 and tokens[0].type in _LEADING:
            tokens = tokens[1:]
        if len(tokens) == 1 and tokens[0].type != "token_tree":
            return tokens[0]
        read, rest = self._chain(tokens, depth) if depth < _DEEPEST else (None, tokens)
        if read is not None and not rest:
            return read
        if rest and rest[0].type == "as":
            return Expression(ex.OTHER, tokens[0])
        return Expression(ex.TEXT, tokens[0], items=tuple(self._names(tokens, depth)))

    def _chain(self, tokens: list[Node], depth: int) -> tuple[Expression | None, list[Node]]:
        """`a::b(c).d[e]?` and what is left behind it."""
        first, rest = tokens[0], tokens[1:]
        if first.type not in _NAMES and "literal" not in first.type:
            return None, tokens
        current = self._lower(first)
        while rest:
            longer, taken = self._link(first, current, rest, depth)
            if taken == 0:
                break
            current, rest = longer, rest[taken:]
        return current, rest

    def _link(self, first: Node, current: Expression, rest: list[Node], depth: int) -> tuple[Expression, int]:
        """One more member, call or index of a chain, and how many tokens that takes."""
        sign, after = rest[0].type, rest[1].type if len(rest) > 1 else ""
        if sign == "?":
            return current, 1
        if sign == "token_tree":
            return self._applied(current, rest[0], depth), 1
        if sign == "!" and after == "token_tree":
            return self.macro(first, self._text(first), rest[1], depth + 1), 2
        if sign == "::" and after == "<":
            end = next((at for at, token in enumerate(rest) if token.type == ">"), len(rest) - 1)
            return current, end + 1
        if sign in {".", "::"} and after in _NAMES:
            name = self._text(rest[1])
            holder = current.name if current.kind == ex.NAME else current.value
            written = f"{holder}{sign}{name}" if isinstance(holder, str) else None
            return Expression(ex.ATTR, first, name=name, value=written, items=(current,)), 2
        return current, 2 if sign == "." and after in {"await", "integer_literal"} else 0

    def _applied(self, callee: Expression, tree: Node, depth: int) -> Expression:
        given = self.arguments(tree, depth + 1)
        items = tuple(item for _, item in given)
        if tree.children[0].type == "[":
            return Expression(ex.INDEX, tree, items=(callee, *items[:1]))
        if callee.kind == ex.ATTR and callee.name in _SAME and not items:
            return Expression(ex.PASS, tree, items=callee.items)
        return call_of(tree, callee, *items)

    def macro(self, node: Node, name: str, tree: Node, depth: int = 0) -> Expression:
        given = self.arguments(tree, depth)
        last = name.rpartition("::")[2]
        items = tuple(item for _, item in given)
        if last == "vec":
            return Expression(ex.LIST, node, items=items)
        if last in {"format", "format_args", "concat"}:
            return Expression(ex.TEXT, node, items=self.formatted(given) or items)
        keys = tuple(key for key, _ in given)
        at = next((at for at, (key, item) in enumerate(given) if key is None and self._is_template(item)), None)
        if at is not None and (whole := self.formatted(given[at:])) is not None:
            items, keys = (*items[:at], Expression(ex.TEXT, node, items=whole)), (*keys[:at], None)
        callee = Expression(ex.NAME, node, name=f"{name.replace('::', '.')}!")
        return Expression(ex.CALL, node, items=(callee, *items), keys=keys)

    def _is_template(self, item: Item) -> bool:
        expression = item if isinstance(item, Expression) else self._lower(item)
        return expression.kind == ex.LITERAL and isinstance(expression.value, str)

    def _names(self, tokens: list[Node], depth: int) -> list[Item]:
        """Whatever may flow through tokens that are not read any further."""
        found: list[Item] = []
        while tokens:
            read, rest = self._chain(tokens, depth + 1) if depth < _DEEPEST else (None, tokens)
            if read is not None:
                found.append(read)
            tokens = rest if read is not None and len(rest) < len(tokens) else tokens[1:]
        return found


def chained(tree: Node) -> list[Node]:
    """The tokens before it that belong to the same expression, and itself."""
    tokens = [tree]
    before = tree.prev_sibling
    while before is not None and before.type in _LINKS:
        if before.type in _OPERANDS and tokens[0].type in _NAMES:
            break  # two words side by side are no chain
        tokens.insert(0, before)
        before = before.prev_sibling
    return tokens


def _placed(node: Node, given: list[tuple[str | None, Item]]) -> Callable[[re.Match[str]], Item | None]:
    """What stands at a pair of braces: by position, by name, or a variable around."""
    values = [item for name, item in given if name is None]
    known = {**{str(at): item for at, item in enumerate(values)}, **{name: item for name, item in given if name}}
    following = iter(values)

    def chosen(match: re.Match[str]) -> Item | None:
        key = match[1]
        if key is None:
            return None
        value = (known.get(key) or Expression(ex.NAME, node, name=key)) if key else next(following, None)
        return _as_shown(value, node) if value is not None and "?" in (match[2] or "") else value

    return chosen


def _as_shown(value: Item, node: Node) -> Expression:
    """`{:?}` puts quotes around a text and shows its line breaks as such."""
    return call_of(node, "escape_debug", value)
