"""Python as expressions, definitions and functions."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, ClassVar

from vetgate.checks.security import expression as ex
from vetgate.checks.security.expression import Expression
from vetgate.checks.security.lower_ecmascript import as_number
from vetgate.checks.security.lowering import (
    Lowering,
    as_list,
    as_member,
    as_name,
    as_part,
    call_of,
    either_of,
    interleaved,
    keyed,
    named,
    same,
    sign_of,
    spine,
)
from vetgate.expression import expression
from vetgate.source.syntax import children_in

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tree_sitter import Node

    from vetgate.checks.security.expression import Item


FUNCTIONS = frozenset({"function_definition", "lambda"})
EXITS = frozenset({"return_statement", "raise_statement", "continue_statement", "break_statement"})
_STRINGS = frozenset({"string", "concatenated_string"})
_PERCENT = expression(r"%(?:\((\w+)\))?[#0\- +]*(?:\d+|\*)?(?:\.\d+)?[diouxXeEfFgGcrsa]")
_BRACES = expression(r"\{([^{}:!]*)(?:![rsa])?(?::[^{}]*)?\}")
_ESCAPE = expression(r"\\(N\{[^}]*\}|U[0-9a-fA-F]{8}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|[0-7]{1,3}|.)", re.DOTALL)
_SIMPLE = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "f": "\f", "v": "\v", "\n": ""}


class Python(Lowering):
    functions = FUNCTIONS
    exits = EXITS
    calls = frozenset({"call"})
    blocks = frozenset({"block", "module"})
    ifs = frozenset({"if_statement", "elif_clause"})
    binds = frozenset(
        {"assignment", "named_expression", "augmented_assignment", "for_statement", "for_in_clause", "as_pattern"}
    )
    passing = frozenset(
        {"parenthesized_expression", "await", "list_splat", "dictionary_splat", "yield", "interpolation"}
    )
    constants: ClassVar = {"true": True, "false": False, "none": None}

    # Definitions: what a name may stand for.

    def definitions(self, node: Node) -> Iterator[tuple[str, Expression]]:
        if node.type in {"assignment", "named_expression"}:
            right = node.child_by_field_name("right") or node.child_by_field_name("value")
            target = node.child_by_field_name("left") or node.child_by_field_name("name")
            if right is not None:
                yield from self._bound(target, same(right))
        elif node.type == "augmented_assignment":
            left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
            if left is not None and right is not None and left.type == "identifier":
                yield self.text(left), Expression(ex.TEXT, node, items=(left, right))
        elif node.type in {"for_statement", "for_in_clause"}:
            right = node.child_by_field_name("right")
            if right is not None:
                yield from self._bound(node.child_by_field_name("left"), Expression(ex.INDEX, right, items=(right,)))
        elif node.type == "as_pattern":
            yield from self._managed(node)

    def _managed(self, node: Node) -> Iterator[tuple[str, Expression]]:
        alias = node.child_by_field_name("alias")
        inner = named(node)
        if alias is not None and inner and node.parent is not None and node.parent.type == "with_item":
            for target in alias.named_children:
                yield from self._bound(target, same(inner[0]))

    def _bound(self, target: Node | None, value: Expression) -> Iterator[tuple[str, Expression]]:
        if target is None:
            return
        if target.type in {"identifier", "attribute", "subscript"}:
            yield self.text(target), value
        elif target.type in {"pattern_list", "tuple_pattern", "list_pattern", "tuple", "list"}:
            pieces = self._pieces(value, len(target.named_children))
            for child, piece in zip(target.named_children, pieces, strict=True):
                yield from self._bound(child, piece)
        elif target.type == "list_splat_pattern":
            for child in target.named_children:
                yield from self._bound(child, value)

    def _pieces(self, value: Expression, count: int) -> list[Expression]:
        """`a, b = x, y` binds one to one; anything else gives each name an element of the whole."""
        inner = value.items[0] if value.kind == ex.PASS and value.items else None
        given = getattr(inner, "type", "") in {"expression_list", "tuple", "list"}
        parts = named(inner) if given else []  # type: ignore[arg-type]
        if len(parts) == count:
            return [same(part) for part in parts]
        return [Expression(ex.INDEX, value.node, items=(value,))] * count

    def imports(self, node: Node) -> Iterator[tuple[str, str]]:
        if node.type == "import_statement":
            for each in node.named_children:
                if each.type == "aliased_import":
                    name, alias = each.child_by_field_name("name"), each.child_by_field_name("alias")
                    if name is not None and alias is not None:
                        yield self.text(alias), self.text(name)
                elif each.type == "dotted_name":
                    first = self.text(each).partition(".")[0]
                    yield first, first
        elif node.type == "import_from_statement":
            yield from self._from(node)

    def _from(self, node: Node) -> Iterator[tuple[str, str]]:
        source = node.child_by_field_name("module_name")
        module = self.text(source) if source is not None else ""
        for each in node.children_by_field_name("name"):
            alias = each.child_by_field_name("alias") if each.type == "aliased_import" else None
            name = each.child_by_field_name("name") if each.type == "aliased_import" else each
            if name is not None:
                yield self.text(alias or name), f"{module}.{self.text(name)}"

    def required(self, call: Expression) -> str | None:
        callee = call.items[0]
        if len(call.items) < 2 or self.text(callee) not in {"__import__", "importlib.import_module", "import_module"}:  # type: ignore[arg-type]
            return None
        argument = call.items[1]
        return self.text(argument)[1:-1] if getattr(argument, "type", "") == "string" else None  # type: ignore[arg-type]

    def parameters(self, function: Node) -> Iterator[tuple[Node, str, str]]:
        """Each parameter's name node, its annotation, and its default as written."""
        for each in children_in(function, "parameters"):
            name = each if each.type == "identifier" else each.child_by_field_name("name")
            name = name or next(iter(each.named_children), None)
            if name is not None and name.type in {"identifier", "list_splat_pattern", "dictionary_splat_pattern"}:
                yield name, self.written(each, "type"), self.written(each, "value")

    def bind(self, pattern: Node, value: Expression) -> Iterator[tuple[str, Expression]]:
        name = pattern if pattern.type == "identifier" else next(iter(pattern.named_children), pattern)
        yield self.text(name), value

    def returned(self, function: Node) -> Iterator[Node]:
        if function.type == "lambda":
            body = function.child_by_field_name("body")
            if body is not None:
                yield body

    # Lowerings.

    def _subscript(self, node: Node) -> Expression:
        holder, index = node.child_by_field_name("value"), node.child_by_field_name("subscript")
        if holder is None or index is None:
            return Expression(ex.OTHER, node)
        if index.type == "slice":
            return Expression(ex.PASS, node, items=(holder,))
        if index.type == "string":
            literal = self._string(index)
            if isinstance(literal.value, str):
                return Expression(ex.ATTR, node, name=literal.value, items=(holder,))
        return Expression(ex.INDEX, node, items=(holder, index))

    def _call(self, node: Node) -> Expression:
        callee, given = node.child_by_field_name("function"), node.child_by_field_name("arguments")
        if callee is None or given is None:
            return Expression(ex.OTHER, node)
        if given.type == "generator_expression":
            return call_of(node, callee, given)
        passed = [self._argument(argument) for argument in named(given)]
        formatted = self._formatted(callee, passed)
        if formatted is not None:
            return Expression(ex.TEXT, node, items=formatted)
        return keyed(ex.CALL, node, passed, callee)

    def _argument(self, argument: Node) -> tuple[str | None, Node]:
        if argument.type == "keyword_argument":
            name, value = argument.child_by_field_name("name"), argument.child_by_field_name("value")
            if name is not None and value is not None:
                return self.text(name), value
        if argument.type in {"list_splat", "dictionary_splat"}:
            return "*", argument
        return None, argument

    def _formatted(self, callee: Node, given: list[tuple[str | None, Node]]) -> tuple[Item, ...] | None:
        """`"…{}…".format(x)` in the order of the text."""
        holder, name = callee.child_by_field_name("object"), callee.child_by_field_name("attribute")
        if holder is None or name is None or self.text(name) != "format" or holder.type not in _STRINGS:
            return None
        template = self.lower(holder)
        if not isinstance(template.value, str):
            return None
        positional = iter([item for key, item in given if key is None])
        named = {key: item for key, item in given if key}

        def chosen(match: re.Match[str]) -> Node | None:
            key = re.split(r"[.\[]", match[1])[0]
            if key.isdigit():
                return given[int(key)][1] if int(key) < len(given) else None
            return named.get(key) if key else next(positional, None)

        return interleaved(holder, template.value, _BRACES, chosen)

    def _string(self, node: Node) -> Expression:
        prefix = self.text(node.children[0]).rstrip("'\"").lower() if node.children else ""
        parts: list[Node | Expression] = []
        for child in node.named_children:
            if child.type == "interpolation":
                parts.append(child)
            elif child.type == "string_content":
                raw = self.text(child)
                parts.append(Expression(ex.LITERAL, child, value=raw if "r" in prefix else unescaped(raw)))
        if any(not isinstance(part, Expression) for part in parts):
            return Expression(ex.TEXT, node, items=tuple(parts))
        text = "".join(part.value for part in parts if isinstance(part, Expression))
        return Expression(ex.LITERAL, node, value=text, name="bytes" if "b" in prefix else "")

    def _joined(self, node: Node) -> Expression:
        parts = [self._string(child) for child in node.named_children if child.type == "string"]
        if all(part.kind == ex.LITERAL for part in parts):
            return Expression(ex.LITERAL, node, value="".join(part.value for part in parts))
        return Expression(ex.TEXT, node, items=tuple(parts))

    def _binary(self, node: Node) -> Expression:
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        sign = sign_of(node)
        if left is None or right is None:
            return Expression(ex.OTHER, node)
        if sign in {"+", "/"}:
            return Expression(ex.TEXT, node, name=sign, items=tuple(spine(node, sign)))
        if sign == "%":
            return self._percent(node, left, right)
        return Expression(ex.OTHER, node, name=sign)

    def _percent(self, node: Node, left: Node, right: Node) -> Expression:
        template = self.lower(left) if left.type in _STRINGS else None
        given = named(right) if right.type == "tuple" else [right]
        if template is None or not isinstance(template.value, str):
            return Expression(ex.TEXT, node, items=(left, *given))
        positional = iter(given)

        def chosen(match: re.Match[str]) -> Node | None:
            return right if match[1] else next(positional, None)

        return Expression(ex.TEXT, node, items=interleaved(left, template.value, _PERCENT, chosen))

    def _boolean(self, node: Node) -> Expression:
        return either_of(node.child_by_field_name("left"), node.child_by_field_name("right"), node=node)

    def _conditional(self, node: Node) -> Expression:
        inner = named(node)
        return Expression(ex.EITHER, node, items=(inner[0], inner[-1]))

    def _dictionary(self, node: Node) -> Expression:
        return keyed(ex.DICT, node, map(self._entry, named(node)))

    def _entry(self, child: Node) -> tuple[str | None, Node]:
        key, value = child.child_by_field_name("key"), child.child_by_field_name("value")
        if key is None or value is None:
            return "*", child
        literal = self.lower(key).value if key.type in _STRINGS else None
        return literal if isinstance(literal, str) else None, value

    def _comprehension(self, node: Node) -> Expression:
        body = node.child_by_field_name("body")
        return Expression(ex.LIST, node, items=(body,)) if body is not None else Expression(ex.OTHER, node)

    lowerings: ClassVar[dict[str, Callable[[Python, Node], Expression]]] = {
        "identifier": as_name,
        "attribute": as_member("object", "attribute"),
        "subscript": _subscript,
        "call": _call,
        "string": _string,
        "concatenated_string": _joined,
        "integer": as_number,
        "float": as_number,
        "binary_operator": _binary,
        "boolean_operator": _boolean,
        "conditional_expression": _conditional,
        "list": as_list,
        "tuple": as_list,
        "set": as_list,
        "expression_list": as_list,
        "dictionary": _dictionary,
        "list_comprehension": _comprehension,
        "set_comprehension": _comprehension,
        "generator_expression": _comprehension,
        "named_expression": as_part("value", "right"),
        "assignment": as_part("value", "right"),
    }


def unescaped(text: str) -> str:
    def one(match: re.Match[str]) -> str:
        code = match[1]
        if code[0] in "uUx" and len(code) > 1:
            return chr(min(int(code[1:], 16), 0x10FFFF))
        if code[0] in "01234567":
            return chr(int(code, 8))
        return _SIMPLE.get(code, code if code in "\\'\"" else f"\\{code}")

    return _ESCAPE.sub(one, text) if "\\" in text else text
