"""JavaScript, TypeScript and JSX as expressions, definitions and functions."""

from __future__ import annotations

import re
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from vetgate.checks.security import expression as ex
from vetgate.checks.security.expression import Expression
from vetgate.checks.security.lowering import (
    Lowering,
    as_assigned,
    as_either,
    as_list,
    as_member,
    either_of,
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


FUNCTIONS = frozenset(
    """
    function_declaration function_expression arrow_function method_definition generator_function
    generator_function_declaration
    """.split()
)
EXITS = frozenset({"return_statement", "throw_statement", "continue_statement", "break_statement"})
_TARGETS = frozenset(
    {"identifier", "shorthand_property_identifier_pattern", "member_expression", "subscript_expression"}
)
_NAMING = frozenset({"variable_declarator", "pair", "public_field_definition", "field_definition"})
_CONSTANTS = {"true": True, "false": False, "null": None, "undefined": None}
_ESCAPE = expression(r"\\(u\{[0-9a-fA-F]+\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|.)", re.DOTALL)
_SIMPLE = {"n": "\n", "t": "\t", "r": "\r", "0": "\0", "b": "\b", "f": "\f", "v": "\v", "\n": ""}


def as_number(language: Lowering, node: Node) -> Expression:
    """As Python writes it, too."""
    plain = language.text(node).replace("_", "").rstrip("nlL")
    for read in (partial(int, base=0), float):
        with suppress(ValueError):
            return Expression(ex.LITERAL, node, value=read(plain))
    return Expression(ex.LITERAL, node)


class Ecmascript(Lowering):
    functions = FUNCTIONS
    exits = EXITS
    calls = frozenset({"call_expression", "new_expression"})
    blocks = frozenset({"statement_block", "program", "class_body", "switch_body"})
    ifs = frozenset({"if_statement"})
    binds = frozenset(
        {"variable_declarator", "assignment_expression", "augmented_assignment_expression", "for_in_statement"}
    )
    passing = frozenset(
        """
        parenthesized_expression await_expression as_expression satisfies_expression non_null_expression type_assertion
        spread_element jsx_expression template_substitution yield_expression
        """.split()
    )
    constants = _CONSTANTS

    def lower(self, node: Node) -> Expression:
        inner = named(node) if node.type == "type_assertion" else []  # `<T>value` alone puts the type first
        return Expression(ex.PASS, node, items=(inner[-1],)) if inner else super().lower(node)

    # Definitions: what a name may stand for.

    def definitions(self, node: Node) -> Iterator[tuple[str, Expression]]:
        """What this one node binds; the caller walks."""
        if node.type == "variable_declarator":
            value = node.child_by_field_name("value")
            if value is not None:
                yield from self._bound(node.child_by_field_name("name"), same(value))
        elif node.type == "assignment_expression":
            left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
            if right is not None:
                yield from self._bound(left, same(right))
        elif node.type == "augmented_assignment_expression":
            left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
            if left is not None and right is not None and left.type == "identifier":
                yield self.text(left), Expression(ex.TEXT, node, items=(left, right))
        elif node.type == "for_in_statement":
            left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
            if right is not None and node.child_by_field_name("operator") is not None:
                yield from self._bound(left, Expression(ex.INDEX, right, items=(right,)))

    def _bound(self, target: Node | None, value: Expression) -> Iterator[tuple[str, Expression]]:
        if target is None:
            return
        kind = target.type
        if kind in _TARGETS:
            yield self.text(target), value
        elif kind == "object_pattern":
            for child in target.named_children:
                yield from self._bound_member(child, value)
        elif kind == "array_pattern":
            for child in target.named_children:
                yield from self._bound(child, Expression(ex.INDEX, target, items=(value,)))
        elif kind in {"assignment_pattern", "object_assignment_pattern"}:
            default = target.child_by_field_name("right")
            either = Expression(ex.EITHER, target, items=(value, default)) if default is not None else value
            yield from self._bound(target.child_by_field_name("left"), either)
        elif kind == "rest_pattern":
            for child in target.named_children:
                yield from self._bound(child, value)

    def _bound_member(self, child: Node, value: Expression) -> Iterator[tuple[str, Expression]]:
        if child.type == "pair_pattern":
            key = child.child_by_field_name("key")
            name = self.text(key).strip("'\"") if key is not None else ""
            member = Expression(ex.ATTR, child, name=name, items=(value,))
            yield from self._bound(child.child_by_field_name("value"), member)
        elif child.type == "rest_pattern":
            yield from self._bound(child, value)
        else:
            holder = child.child_by_field_name("left") if child.type == "object_assignment_pattern" else child
            name = self.text(holder) if holder is not None else ""
            yield from self._bound(child, Expression(ex.ATTR, child, name=name, items=(value,)))

    def imports(self, node: Node) -> Iterator[tuple[str, str]]:
        """Local name and the path it stands for: `readFile` of module fs is `fs.readFile`."""
        if node.type != "import_statement":
            return
        source = node.child_by_field_name("source")
        module = module_name(self.text(source)[1:-1]) if source is not None else ""
        for clause in node.named_children:
            if clause.type == "import_clause":
                yield from self._imported(clause, module)

    def _imported(self, clause: Node, module: str) -> Iterator[tuple[str, str]]:
        for part in clause.named_children:
            if part.type == "identifier":
                yield self.text(part), module
            elif part.type == "namespace_import":
                yield self.text(part.named_children[0]), module
            elif part.type == "named_imports":
                for each in part.named_children:
                    name, alias = each.child_by_field_name("name"), each.child_by_field_name("alias")
                    if name is not None:
                        yield self.text(alias or name), f"{module}.{self.text(name)}"

    def required(self, call: Expression) -> str | None:
        """The module that a `require("x")` or `await import("x")` gives."""
        callee = call.items[0]
        if getattr(callee, "type", "") not in {"identifier", "import"} or len(call.items) != 2:
            return None
        if self.text(callee) not in {"require", "import"}:  # type: ignore[arg-type]
            return None
        argument = call.items[1]
        return module_name(self.text(argument)[1:-1]) if getattr(argument, "type", "") == "string" else None  # type: ignore[arg-type]

    def parameters(self, function: Node) -> Iterator[tuple[Node, str, str]]:
        """Each parameter's pattern, its type as written, and its decorators as written."""
        single = function.child_by_field_name("parameter")
        if single is not None:
            yield single, "", ""
        for each in children_in(function, "parameters"):
            if each.type in {"required_parameter", "optional_parameter"}:
                pattern = each.child_by_field_name("pattern")
                kind = each.child_by_field_name("type")
                decorators = " ".join(self.text(child) for child in each.children if child.type == "decorator")
                if pattern is not None:
                    yield pattern, self.text(kind).lstrip(": ") if kind is not None else "", decorators
            elif each.type != "comment":
                yield each, "", ""

    def bind(self, pattern: Node, value: Expression) -> Iterator[tuple[str, Expression]]:
        return self._bound(pattern, value)

    def returned(self, function: Node) -> Iterator[Node]:
        body = function.child_by_field_name("body")
        if body is not None and body.type != "statement_block":
            yield body

    def name_of(self, function: Node) -> str:
        name = function.child_by_field_name("name")
        holder = function.parent
        if name is None and holder is not None and holder.type in _NAMING:
            name = next(
                (found for role in ("name", "key", "property") if (found := holder.child_by_field_name(role))), None
            )
        return self.text(name) if name is not None else ""

    # Lowerings.

    def _name(self, node: Node) -> Expression:
        name = self.text(node)
        if name in _CONSTANTS:
            return Expression(ex.LITERAL, node, value=_CONSTANTS[name])
        return Expression(ex.NAME, node, name=name)

    def _subscript(self, node: Node) -> Expression:
        holder, index = node.child_by_field_name("object"), node.child_by_field_name("index")
        if holder is None or index is None:
            return Expression(ex.OTHER, node)
        if index.type == "string":
            return Expression(ex.ATTR, node, name=unescaped(self.text(index)[1:-1]), items=(holder,))
        return Expression(ex.INDEX, node, items=(holder, index))

    def _call(self, node: Node) -> Expression:
        callee = node.child_by_field_name("function") or node.child_by_field_name("constructor")
        if callee is None:
            return Expression(ex.OTHER, node)
        form = "new" if node.type == "new_expression" else ""
        given = node.child_by_field_name("arguments")
        if given is not None and given.type == "template_string":
            values = [child for child in given.named_children if child.type == "template_substitution"]
            return Expression(ex.CALL, node, "tagged", items=(callee, *values), keys=(None,) * len(values))
        arguments = [] if given is None else named(given)
        keys = tuple("*" if argument.type == "spread_element" else None for argument in arguments)
        return Expression(ex.CALL, node, form, items=(callee, *arguments), keys=keys)

    def _string(self, node: Node) -> Expression:
        return Expression(ex.LITERAL, node, value=unescaped(self.text(node)[1:-1]))

    def _template(self, node: Node) -> Expression:
        parts: list[Node | Expression] = []
        for child in node.named_children:
            if child.type == "template_substitution":
                parts.append(child)
            else:
                parts.append(Expression(ex.LITERAL, child, value=unescaped(self.text(child))))
        known = [part.value for part in parts if isinstance(part, Expression)]
        if len(known) == len(parts):
            return Expression(ex.LITERAL, node, value="".join(known))
        return Expression(ex.TEXT, node, items=tuple(parts))

    def _binary(self, node: Node) -> Expression:
        sign = sign_of(node)
        if sign == "+":
            return Expression(ex.TEXT, node, items=tuple(spine(node, "+")))
        if sign in {"||", "??", "&&"}:
            return either_of(node.child_by_field_name("left"), node.child_by_field_name("right"), node=node)
        return Expression(ex.OTHER, node, name=sign)

    def _object(self, node: Node) -> Expression:
        return keyed(ex.DICT, node, map(self._entry, named(node)))

    def _entry(self, child: Node) -> tuple[str | None, Node]:
        if child.type == "pair":
            key, value = child.child_by_field_name("key"), child.child_by_field_name("value")
            if key is not None and value is not None:
                computed = key.type == "computed_property_name"
                return None if computed else unescaped(self.text(key).strip("'\"")), value
        if child.type == "shorthand_property_identifier":
            return self.text(child), child
        if child.type == "method_definition":
            return self.name_of(child), child
        return "*", child

    def _sequence(self, node: Node) -> Expression:
        return Expression(ex.PASS, node, items=(named(node)[-1],))

    def _regex(self, node: Node) -> Expression:
        pattern = node.child_by_field_name("pattern")
        return Expression(ex.REGEX, node, value=self.text(pattern) if pattern is not None else "")

    lowerings: ClassVar[dict[str, Callable[[Ecmascript, Node], Expression]]] = {
        "identifier": _name,
        "shorthand_property_identifier": _name,
        "this": _name,
        "super": _name,
        "import": _name,
        "member_expression": as_member("object", "property"),
        "subscript_expression": _subscript,
        "call_expression": _call,
        "new_expression": _call,
        "string": _string,
        "template_string": _template,
        "number": as_number,
        "binary_expression": _binary,
        "ternary_expression": as_either,
        "array": as_list,
        "object": _object,
        "assignment_expression": as_assigned,
        "sequence_expression": _sequence,
        "regex": _regex,
    }


def module_name(text: str) -> str:
    """`node:fs/promises` is fs, and so is its promises member: who writes rules should not have to care."""
    name = text.removeprefix("node:")
    return {"fs/promises": "fs"}.get(name, name)


def unescaped(text: str) -> str:
    def one(match: re.Match[str]) -> str:
        code = match[1]
        if code[0] in "ux" and len(code) > 1:
            return chr(min(int(code[1:].strip("{}"), 16), 0x10FFFF))
        return _SIMPLE.get(code, code)

    return _ESCAPE.sub(one, text) if "\\" in text else text
