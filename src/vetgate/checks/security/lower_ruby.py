"""Ruby as expressions, definitions and functions. A name alone may be a call; a call of an object always is one."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from vetgate.checks.security import expression as ex
from vetgate.checks.security.expression import Expression
from vetgate.checks.security.facts_ruby import FACTS, facts_of
from vetgate.checks.security.lowering import (
    Lowering,
    as_assigned,
    as_either,
    as_list,
    as_name,
    as_number,
    call_of,
    interleaved,
    keyed,
    named,
    same,
    sign_of,
    spine,
)
from vetgate.checks.security.scope import GROWN
from vetgate.expression import expression

if TYPE_CHECKING:
    import re
    from collections.abc import Iterator, Mapping

    from tree_sitter import Node

    from vetgate.checks.security.expression import Item
    from vetgate.checks.security.lowering import Lower
    from vetgate.source.syntax import Syntax

_CONTENTS = frozenset({"string_content", "escape_sequence", "heredoc_content"})
_TEXTS = frozenset({"string", "chained_string", "heredoc_beginning"})
_LABEL = expression(r"<<[~-]?[\"'`]?(\w+)")
_SIMPLE = {
    "\\n": "\n",
    "\\t": "\t",
    "\\r": "\r",
    "\\0": "\0",
    "\\e": "\x1b",
    "\\s": " ",
    '\\"': '"',
    "\\'": "'",
    "\\\\": "\\",
}


def as_text(language: Lowering, node: Node) -> Expression:
    """A literal when nothing is put in."""
    parts = _parts(language, node)
    if all(isinstance(part, Expression) and part.kind == ex.LITERAL for part in parts):
        text = "".join(part.value for part in parts if isinstance(part, Expression))
        return Expression(ex.LITERAL, node, value=text)
    return Expression(ex.TEXT if len(parts) > 1 else ex.PASS, node, items=tuple(parts))


def _parts(language: Lowering, node: Node) -> list[Item]:
    if node.type == "chained_string":
        return [as_text(language, child) for child in node.named_children]
    holder = _lines(language, node) if node.type == "heredoc_beginning" else node
    parts: list[Item] = []
    for child in holder.named_children if holder is not None else ():
        if child.type in _CONTENTS:
            text = language.text(child)
            plain = _SIMPLE.get(text, text) if child.type == "escape_sequence" else text
            parts.append(Expression(ex.LITERAL, child, value=plain))
        elif child.type == "interpolation":
            parts.append(child)
    return parts


def _lines(language: Lowering, beginning: Node) -> Node | None:
    """The lines stand further down, below some node around the place where they are used."""
    label = _LABEL.match(language.text(beginning))
    around = beginning.parent
    while label is not None and around is not None:
        behind = (child for child in around.named_children if child.start_byte >= beginning.end_byte)
        found = next((child for child in behind if _ends_with(language, child, label[1])), None)
        if found is not None:
            return found
        around = around.parent
    return None


def _ends_with(language: Lowering, body: Node, label: str) -> bool:
    end = body.named_children[-1] if body.type == "heredoc_body" and body.named_children else None
    return end is not None and language.text(end).strip() == label


_PASSING = frozenset(
    {"argument_list", "interpolation", "splat_argument", "hash_splat_argument", "block_argument", "in"}
)
_LAST = frozenset({"parenthesized_statements", "then", "else", "begin", "body_statement", "block_body", "do"})
_BRANCHING = frozenset({"if", "unless", "elsif", "case", "when", "if_modifier", "unless_modifier", "rescue_modifier"})
_NAMES = frozenset({"identifier", "constant", "class_variable", "global_variable", "self"})
_OR = frozenset({"||", "or", "&&", "and"})
_PERCENT = expression(r"%(?:<(\w+)>|\{(\w+)\})?[-+0 #]*\d*(?:\.\d+)?([bcdeEfgGiosuxXp])?")
_VERBS = frozenset({"get", "post", "put", "patch", "delete"})
_ARCHIVES = (b"Zip::", b"TarReader", b"Minitar")
_LONGEST_NAME = 64
_HOLDING = frozenset({"class", "module", "singleton_class"})
_SAME = frozenset({"freeze", "dup", "clone", "itself"})
_BLOCK = "&"  # the key of the block that a call is given


class Ruby(Lowering):
    facts = FACTS
    passing = _PASSING
    constants: ClassVar[Mapping[str, bool | None]] = {"true": True, "false": False, "nil": None}
    functions = frozenset({"method", "singleton_method", "do_block", "block", "lambda"})
    exits = frozenset({"return", "next", "break", "redo", "retry"})
    calls = frozenset({"call", "subshell", "regex"})
    places: ClassVar[Mapping[str, str]] = {
        **dict.fromkeys(calls, "call"),
        "assignment": "assign",
        "pair": "key",
        "binary": "compare",
        "method": "function",
        "singleton_method": "function",
        "class": "class",
        "return": "returned",
        "do_block": "view",
        "body_statement": "within",
    }
    blocks = frozenset({"body_statement", "block_body", "then", "else", "program", "begin", "do", "ensure"})
    ifs = frozenset({"if", "elsif", "unless", "if_modifier", "unless_modifier"})
    binds = frozenset({"assignment", "operator_assignment", "for", "binary"})

    def __init__(self, syntax: Syntax) -> None:
        super().__init__(syntax)
        self.facts = facts_of(syntax.data)  # type: ignore[misc]
        self._unpacks = any(word in syntax.data for word in _ARCHIVES)

    def lower(self, node: Node) -> Expression:
        kind = node.type
        if kind in _NAMES:
            return as_name(self, node)
        if kind in _BRANCHING:
            return Expression(ex.EITHER, node, items=tuple(_branches(node)))
        if kind in _LAST:
            inner = named(node)
            return _passing(node, inner[-1]) if inner else Expression(ex.OTHER, node)
        return super().lower(node)

    # Definitions: what a name may stand for.

    def definitions(self, node: Node) -> Iterator[tuple[str, Expression]]:
        if node.type == "for":
            value = node.child_by_field_name("value")
            yield from self._bound(node.child_by_field_name("pattern"), Expression(ex.INDEX, node, items=(value,)))  # type: ignore[arg-type]
            return
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if left is None or right is None:
            return
        if node.type == "assignment":
            yield from self._bound(left, same(right))
        elif node.type == "operator_assignment":
            kind = ex.TEXT if sign_of(node) in {"+=", "<<="} else ex.EITHER
            yield from self._bound(left, Expression(kind, node, items=(left, right)))
        elif sign_of(node) == "<<" and (
            left.type in _NAMES or left.type == "instance_variable"
        ):  # more text, or one more element
            yield self.text(left), Expression(ex.TEXT, node, items=(left, right))

    def _bound(self, target: Node | None, value: Expression) -> Iterator[tuple[str, Expression]]:
        if target is None:
            return
        if target.type in _NAMES or target.type in {"call", "instance_variable"}:
            yield self.text(target), value
        elif target.type == "element_reference":
            holder = target.child_by_field_name("object")
            if holder is not None and holder.type in _NAMES:  # a hash that also holds this from here on
                yield self.text(holder), Expression(ex.LIST, target, name=GROWN, items=(holder, value))
        elif target.type in {"left_assignment_list", "destructured_left_assignment", "rest_assignment"}:
            inner = named(target)
            pieces = self._pieces(value, len(inner))
            for child, piece in zip(inner, pieces, strict=True):
                yield from self._bound(child, piece)

    def _pieces(self, value: Expression, count: int) -> list[Expression]:
        parts = named(value.node) if value.node.type in {"right_assignment_list", "array"} else []
        if len(parts) == count:
            return [same(part) for part in parts]
        return [Expression(ex.INDEX, value.node, items=(value,))] * count

    def called(self, node: Node) -> str:
        if node.type == "subshell":
            return "`"
        if node.type == "regex":
            return "new" if any(child.type == "interpolation" for child in node.named_children) else ""
        method = node.child_by_field_name("method")
        return self.text(method) if method is not None and method.end_byte - method.start_byte < _LONGEST_NAME else ""

    def within(self, node: Node) -> Iterator[Expression]:
        """`skip_forgery_protection`, alone in a class, is a call."""
        if node.parent is not None and node.parent.type in _HOLDING:
            for name in node.named_children:
                if name.type == "identifier":
                    yield call_of(name, self.text(name))

    def target(self, left: Node) -> str:
        return self.called(left) if left.type == "call" else self.lower(left).name

    def is_view(self, function: Node) -> bool:
        """The block of a route of Sinatra."""
        call = function.parent
        if function.type != "do_block" or call is None or call.child_by_field_name("receiver") is not None:
            return False
        holder = call.child_by_field_name("arguments")
        first = holder.named_children[0] if holder is not None and holder.named_children else None
        return first is not None and first.type in {"string", "regex"} and self.called(call) in _VERBS

    def filled_parameters(self, function: Node) -> set[int]:
        """`get "/users/:name" do |name|`."""
        return {at for at, _ in enumerate(self.parameters(function))} if self.is_view(function) else set()

    def chosen(self, case: Node) -> str:
        subject = case.parent.child_by_field_name("value") if case.parent is not None else None
        value = case.child_by_field_name("pattern")
        return f"{self.text(subject)} == {self.text(value)}" if subject is not None and value is not None else ""

    def required(self, call: Expression) -> str | None:
        """`require "yaml"` gives no value, but says what the file uses."""
        callee = call.items[0]
        if not isinstance(callee, Expression) or callee.name != "require" or len(call.items) < 2:
            return None
        return self._literal(call.items[1])

    def _literal(self, item: Item) -> str | None:
        value = (item if isinstance(item, Expression) else self.lower(item)).value
        return value if isinstance(value, str) else None

    def parameters(self, function: Node) -> Iterator[tuple[Node, str, str]]:
        """Each parameter's name node, what it certainly is, and its default as written."""
        holder = function.child_by_field_name("parameters")
        for each in named(holder) if holder is not None else ():
            name = each if each.type == "identifier" else each.child_by_field_name("name")
            value = each.child_by_field_name("value")
            if name is not None:
                written = self.text(value) if value is not None else ""
                yield name, "@entry" if self._unpacks and self.text(name) == "entry" else "", written

    def returned(self, function: Node) -> Iterator[Node]:
        """What stands last is given back."""
        body = function.child_by_field_name("body")
        while body is not None and body.type in {"block", "block_body", "body_statement"}:
            inner = [child for child in named(body) if child.type not in {"rescue", "ensure", "heredoc_body"}]
            body = inner[-1] if inner else None
        if body is not None:
            yield body

    # Lowerings.

    def _call(self, node: Node) -> Expression:
        method, receiver = node.child_by_field_name("method"), node.child_by_field_name("receiver")
        if method is None:
            return Expression(ex.OTHER, node)
        name = self.text(method)
        if name in _SAME and receiver is not None:
            return _passing(node, receiver)
        holder, block = node.child_by_field_name("arguments"), node.child_by_field_name("block")
        given = [self._argument(each) for each in named(holder)] if holder is not None else []
        if block is not None:
            given.append((_BLOCK, block))
        if receiver is None and name in {"format", "sprintf"} and given:
            return self._formatted(node, given[0][1], given[1:])
        if any(key == _BLOCK and self.text(item)[2:] in FACTS.narrows for key, item in given):
            return Expression(ex.OTHER, node)  # `ids.map(&:to_i)`
        callee = (
            Expression(ex.NAME, method, name=name)
            if receiver is None
            else Expression(ex.ATTR, node, name=name, items=(receiver,))
        )
        return keyed(ex.CALL, node, given, callee)

    def _argument(self, argument: Node) -> tuple[str | None, Node]:
        if argument.type == "pair":
            key, value = argument.child_by_field_name("key"), argument.child_by_field_name("value")
            if key is not None:
                return self._key(key) or "", value if value is not None else key
        if argument.type in {"splat_argument", "hash_splat_argument"}:
            return "*", argument
        return (_BLOCK if argument.type == "block_argument" else None), argument

    def _key(self, key: Node) -> str | None:
        return self.text(key) if key.type == "hash_key_symbol" else self._literal(key)

    def _formatted(self, node: Node, first: Node, given: list[tuple[str | None, Node]]) -> Expression:
        template = self._literal(first)
        if template is None:
            return Expression(ex.TEXT, node, items=(first, *(item for _, item in given)))
        by_name = {key: item for key, item in given if key}
        positional = iter([item for key, item in given if not key])

        def chosen(match: re.Match[str]) -> Item | None:
            name = match[1] or match[2]
            value = by_name.get(name) if name else next(positional, None) if match[3] else None
            return value if name or match[3] in {"s", "p", None} else Expression(ex.OTHER, node)

        return Expression(ex.TEXT, node, items=interleaved(first, template, _PERCENT, chosen))

    def _subshell(self, node: Node) -> Expression:
        return call_of(node, "`", as_text(self, node))

    def _regex(self, node: Node) -> Expression:
        """With something put into it, it is made where it stands."""
        text = as_text(self, node)
        if text.kind == ex.LITERAL:
            return Expression(ex.REGEX, node, value=text.value)
        holder = Expression(ex.NAME, node, name="Regexp")
        callee = Expression(ex.ATTR, node, name="new", items=(holder,))
        return call_of(node, callee, text)

    def _field(self, node: Node) -> Expression:
        own = Expression(ex.NAME, node, name="self")
        return Expression(ex.ATTR, node, name=self.text(node)[1:], items=(own,))

    def _words(self, node: Node) -> Expression:
        return Expression(ex.LIST, node, items=tuple(as_text(self, child) for child in named(node)))

    def _symbol(self, node: Node) -> Expression:
        return Expression(ex.LITERAL, node, value=self.text(node).lstrip(":").strip("\"'"), name="symbol")

    def _element(self, node: Node) -> Expression:
        holder, inner = node.child_by_field_name("object"), named(node)[1:]
        if holder is None or not inner:
            return Expression(ex.OTHER, node)
        key = self._literal(inner[0]) if len(inner) == 1 else None
        if key is not None:
            return Expression(ex.ATTR, node, name=key, items=(holder,))
        return Expression(ex.INDEX, node, items=(holder, inner[0]))

    def _scoped(self, node: Node) -> Expression:
        scope, name = node.child_by_field_name("scope"), node.child_by_field_name("name")
        if name is None:
            return Expression(ex.OTHER, node)
        if scope is None:
            return Expression(ex.NAME, node, name=self.text(name))
        return Expression(ex.ATTR, node, name=self.text(name), items=(scope,))

    def _binary(self, node: Node) -> Expression:
        left, right, sign = node.child_by_field_name("left"), node.child_by_field_name("right"), sign_of(node)
        if left is None or right is None:
            return Expression(ex.OTHER, node)
        if sign in {"+", "<<"}:
            return Expression(ex.TEXT, node, name=sign, items=tuple(spine(node, sign)))
        if sign in _OR:
            return Expression(ex.EITHER, node, items=(left, right))
        if sign == "%" and left.type in _TEXTS:
            given = named(right) if right.type == "array" else [right]
            pairs = self.lower(right) if right.type == "hash" else None
            entries = list(zip(pairs.keys, pairs.items, strict=True)) if pairs is not None else []
            return self._formatted(node, left, entries or [(None, each) for each in given])  # type: ignore[arg-type]
        return Expression(ex.OTHER, node, name=sign)

    def _unary(self, node: Node) -> Expression:
        operand = node.child_by_field_name("operand")
        value = self.lower(operand).value if operand is not None and sign_of(node) == "-" else None
        return Expression(ex.LITERAL, node, value=-value) if isinstance(value, int) else Expression(ex.OTHER, node)

    def _hash(self, node: Node) -> Expression:
        return keyed(ex.DICT, node, ((key or None, item) for key, item in map(self._argument, named(node))))

    lowerings: ClassVar[Mapping[str, Lower]] = {
        "call": _call,
        "subshell": _subshell,
        "regex": _regex,
        "instance_variable": _field,
        "string": as_text,
        "chained_string": as_text,
        "heredoc_beginning": as_text,
        "string_array": _words,
        "symbol_array": _words,
        "simple_symbol": _symbol,
        "delimited_symbol": _symbol,
        "hash_key_symbol": _symbol,
        "integer": as_number,
        "float": as_number,
        "element_reference": _element,
        "scope_resolution": _scoped,
        "binary": _binary,
        "unary": _unary,
        "conditional": as_either,
        "array": as_list,
        "right_assignment_list": as_list,
        "hash": _hash,
        "assignment": as_assigned,
        "operator_assignment": as_assigned,
    }


def _passing(node: Node, inner: Node) -> Expression:
    return Expression(ex.PASS, node, items=(inner,))


def _branches(node: Node) -> list[Node]:
    """What a condition may give: its parts that are no conditions."""
    asked = (node.child_by_field_name("condition"), node.child_by_field_name("value"))
    left_out = {each.id for each in (*asked, *node.children_by_field_name("pattern")) if each is not None}
    return [child for child in named(node) if child.id not in left_out]
