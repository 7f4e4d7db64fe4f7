"""Java as expressions, definitions and functions. Types go by their simple names, however they are imported."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from vetgate.checks.security import expression as ex
from vetgate.checks.security.expression import Expression
from vetgate.checks.security.facts_java import FACTS, MAPPED, NOT_INPUT
from vetgate.checks.security.lower_python import unescaped
from vetgate.checks.security.lowering import (
    TypedLowering,
    as_assigned,
    as_binary,
    as_either,
    as_list,
    as_name,
    as_number,
    call_of,
    interleaved,
    keyed,
    named,
    same,
    simple,
    typed,
)
from vetgate.expression import expression

if TYPE_CHECKING:
    import re
    from collections.abc import Iterator, Mapping

    from tree_sitter import Node

    from vetgate.checks.security.expression import Item
    from vetgate.checks.security.lowering import Lower

_PLACE = expression(r"%(?:(\d+)\$)?[-#+ 0,(]*\d*(?:\.\d+)?([a-zA-Z%])")
_BRACES = expression(r"\{(\d+)[^{}]*\}")
_BUILDERS = frozenset({"StringBuilder", "StringBuffer", "String"})
_PACKAGE = expression(r"[a-z_][\w]*(?:\.[a-z_]\w*)*")
_NUMBERS = frozenset({"int", "long", "short", "byte", "double", "float", "boolean", "char", "Integer", "Long"})


class Java(TypedLowering):
    facts = FACTS
    targets = frozenset({"identifier", "field_access"})
    plain_types = frozenset({"var", "String", "Object", ""})
    functions = frozenset(
        {"method_declaration", "constructor_declaration", "lambda_expression", "compact_constructor_declaration"}
    )
    exits = frozenset({"return_statement", "throw_statement", "continue_statement", "break_statement"})
    calls = frozenset({"method_invocation", "object_creation_expression", "annotation", "marker_annotation"})
    blocks = frozenset({"block", "constructor_body", "program", "class_body", "switch_block_statement_group"})
    ifs = frozenset({"if_statement"})
    binds = frozenset(
        {
            "local_variable_declaration",
            "field_declaration",
            "assignment_expression",
            "enhanced_for_statement",
            "resource",
        }
    )
    passing = frozenset({"parenthesized_expression", "expression_statement"})
    constants: ClassVar[Mapping[str, object]] = {"true": True, "false": False, "null_literal": None}
    places: ClassVar[Mapping[str, str]] = {
        **dict.fromkeys(calls, "call"),
        "assignment_expression": "assign",
        "binary_expression": "compare",
        "return_statement": "returned",
        "import_declaration": "import",
        "method_declaration": "function",
        "class_declaration": "class",
    }

    # Definitions.

    def definitions(self, node: Node) -> Iterator[tuple[str, Expression]]:
        if node.type == "assignment_expression":
            yield from self.assigned_names(node)
        elif node.type == "enhanced_for_statement":
            yield from self._gone_through(node)
        elif node.type == "resource":
            yield from self.declared_names(node, node.child_by_field_name("type"), node.child_by_field_name("value"))
        else:
            kind = node.child_by_field_name("type")
            for each in node.children_by_field_name("declarator"):
                for written, bound in self.declared_names(each, kind, each.child_by_field_name("value")):
                    yield written, bound
                    if node.type == "field_declaration":
                        yield f"this.{written}", bound

    def _gone_through(self, node: Node) -> Iterator[tuple[str, Expression]]:
        value, name = node.child_by_field_name("value"), node.child_by_field_name("name")
        if value is not None and name is not None:
            yield self.text(name), Expression(ex.INDEX, value, items=(value,))

    def filled(self, call: Node) -> Iterator[tuple[str, Expression]]:
        """`random.nextBytes(iv)`: what is passed holds something new."""
        given = call.child_by_field_name("arguments")
        if given is None or self.called(call) not in FACTS.fills:
            return
        for argument in given.named_children:
            if argument.type == "identifier":
                yield self.text(argument), same(call)

    # Names.

    def imports(self, node: Node) -> Iterator[tuple[str, str]]:
        if any(child.type == "static" for child in node.children):
            parts = self._imported(node).split(".")
            if len(parts) > 1 and parts[-1] != "*":
                yield parts[-1], ".".join(parts[-2:])

    def imported(self, node: Node) -> Iterator[str]:
        yield self._imported(node)

    def _imported(self, node: Node) -> str:
        return self.text(node).removeprefix("import").strip(" ;\t").removeprefix("static ").strip()

    def parameters(self, function: Node) -> Iterator[tuple[Node, str, str]]:
        holder = function.child_by_field_name("parameters")
        if holder is None:
            return
        if holder.type == "identifier":
            yield holder, "", ""
            return
        for each in holder.named_children:
            declarator = next((child for child in each.named_children if child.type == "variable_declarator"), each)
            name = each if each.type == "identifier" else declarator.child_by_field_name("name")
            kind = each.child_by_field_name("type")
            marks = next((self.text(child) for child in each.named_children if child.type == "modifiers"), "")
            if name is not None:
                yield name, self.text(kind) if kind is not None else "", marks

    def returned(self, function: Node) -> Iterator[Node]:
        body = function.child_by_field_name("body")
        if function.type == "lambda_expression" and body is not None and body.type != "block":
            yield body

    def filled_parameters(self, function: Node) -> set[int]:
        """Annotated parameters, and plain ones of a method that a route leads to."""
        marked = super().filled_parameters(function)
        if function.type != "method_declaration" or not self.is_view(function):
            return marked
        plain = {
            at
            for at, (_, kind, marks) in enumerate(self.parameters(function))
            if "@" not in marks and not NOT_INPUT.search(kind)
        }
        return marked | plain

    def _marks(self, node: Node) -> str:
        return next((self.text(child) for child in node.named_children if child.type == "modifiers"), "")

    def is_view(self, function: Node) -> bool:
        return MAPPED.search(self._marks(function)) is not None

    def chosen(self, case: Node) -> str:
        block = case.parent
        switch = block.parent if block is not None else None
        subject = switch.child_by_field_name("condition") if switch is not None else None
        labels = [child for child in case.named_children if child.type == "switch_label"]
        values = labels[0].named_children if labels else []
        return f"{self.text(subject).strip('()')} == {self.text(values[0])}" if subject is not None and values else ""

    def called(self, node: Node) -> str:
        name = node.child_by_field_name("name") or node.child_by_field_name("type")
        if name is None:
            return ""
        written = simple(self.text(name)) if name.type != "identifier" else self.text(name)
        return f"@{written}" if node.type in {"annotation", "marker_annotation"} else written

    # Lowerings.

    def _field(self, node: Node) -> Expression:
        holder, name = node.child_by_field_name("object"), node.child_by_field_name("field")
        if holder is None or name is None:
            return Expression(ex.OTHER, node)
        written = self.text(name)
        if holder.type == "this":
            return Expression(ex.NAME, node, name=f"this.{written}")
        if written[:1].isupper() and holder.type == "field_access" and _PACKAGE.fullmatch(self.text(holder)):
            return Expression(ex.NAME, node, name=written)
        return Expression(ex.ATTR, node, name=written, items=(holder,))

    def _invocation(self, node: Node) -> Expression:
        holder, name = node.child_by_field_name("object"), node.child_by_field_name("name")
        given = node.child_by_field_name("arguments")
        if name is None or given is None:
            return Expression(ex.OTHER, node)
        written, arguments = self.text(name), tuple(named(given))
        if holder is None or holder.type == "this":
            callee = Expression(ex.NAME, name, name=written)
        else:
            put_together = self._put_together(node, holder, written, arguments)
            if put_together is not None:
                return put_together
            callee = Expression(ex.ATTR, name, name=written, items=(holder,))
        return call_of(node, callee, *arguments)

    def _put_together(self, node: Node, holder: Node, name: str, given: tuple[Node, ...]) -> Expression | None:
        """`String.format(…)`, `"…".formatted(…)`, `MessageFormat.format(…)`, `String.valueOf(x)`."""
        owner = self.text(holder) if holder.type == "identifier" else ""
        if owner == "String" and name == "valueOf" and given:
            return Expression(ex.PASS, node, items=(given[0],))
        if (owner, name) == ("URI", "create") and given:
            return typed("URI", given[0], node)
        if (owner, name) in {("List", "of"), ("Arrays", "asList"), ("Set", "of")}:
            return Expression(ex.LIST, node, items=given)
        if name == "formatted" and holder.type == "string_literal":
            return self._formatted(node, (holder, *given), _PLACE)
        if name == "format" and owner in {"String", "MessageFormat"} and given:
            localised = owner == "String" and given[0].type != "string_literal" and "Locale" in self.text(given[0])
            return self._formatted(node, given[1:] if localised else given, _PLACE if owner == "String" else _BRACES)
        return None

    def _formatted(self, node: Node, given: tuple[Node, ...], places: re.Pattern[str]) -> Expression:
        template = self.lower(given[0]) if given else None
        if template is None or not isinstance(template.value, str):
            return Expression(ex.TEXT, node, items=given)
        values = given[1:]
        if places is _BRACES:
            numbered = {str(at): value for at, value in enumerate(values)}
            parts = interleaved(given[0], template.value, places, lambda match: numbered.get(match[1]))
            return Expression(ex.TEXT, node, items=parts)
        return Expression(ex.TEXT, node, items=self._printed(node, given[0], template.value, values))

    def _printed(self, node: Node, template: Node, text: str, values: tuple[Node, ...]) -> tuple[Item, ...]:
        following = iter(values)

        def chosen(match: re.Match[str]) -> Item | None:
            if match[2] in "%n":
                return Expression(ex.LITERAL, node, value="%" if match[2] == "%" else "\n")
            numbered = match[1] and 0 < int(match[1]) <= len(values)
            value = values[int(match[1]) - 1] if numbered else next(following, None)
            return value if match[2] in "sS" else Expression(ex.OTHER, node)

        return interleaved(template, text, _PLACE, chosen)

    def _creation(self, node: Node) -> Expression:
        kind, given = node.child_by_field_name("type"), node.child_by_field_name("arguments")
        if kind is None or given is None:
            return Expression(ex.OTHER, node)
        written, arguments = simple(self.text(kind)), tuple(named(given))
        if written in _BUILDERS:
            texts = [each for each in arguments[:1] if each.type != "decimal_integer_literal"]
            return Expression(ex.TEXT, node, items=(Expression(ex.LITERAL, node, value=""), *texts))
        if written in {"URL", "URI"} and len(arguments) == 1:
            return typed(written, arguments[0], node)
        callee = Expression(ex.NAME, kind, name=written)
        return call_of(node, callee, *arguments, name="new")

    def _annotation(self, node: Node) -> Expression:
        name, given = node.child_by_field_name("name"), node.child_by_field_name("arguments")
        if name is None:
            return Expression(ex.OTHER, node)
        callee = Expression(ex.NAME, name, name=f"@{self.text(name)}")
        entries = ((self.written(each, "key") or None, each) for each in (named(given) if given is not None else ()))
        return keyed(ex.CALL, node, ((key, each.child_by_field_name("value") or each) for key, each in entries), callee)

    def _array(self, node: Node) -> Expression:
        value = node.child_by_field_name("value")
        if value is not None:
            return Expression(ex.PASS, node, items=(value,))
        return Expression(ex.LIST, node, items=(Expression(ex.LITERAL, node, value=0),))

    def _access(self, node: Node) -> Expression:
        parts = [part for part in map(node.child_by_field_name, ("array", "index")) if part is not None]
        return Expression(ex.INDEX, node, items=tuple(parts)) if len(parts) == 2 else Expression(ex.OTHER, node)

    def _cast(self, node: Node) -> Expression:
        kind, value = node.child_by_field_name("type"), node.child_by_field_name("value")
        if kind is None or value is None:
            return Expression(ex.OTHER, node)
        if self.text(kind) in _NUMBERS:
            return Expression(ex.PASS, node, items=(value,)) if "literal" in value.type else Expression(ex.OTHER, node)
        return Expression(ex.PASS, node, items=(value,))

    def _string(self, node: Node) -> Expression:
        raw = self.text(node)
        if raw.startswith('"""'):
            return Expression(ex.LITERAL, node, value=unescaped(raw[3:-3].lstrip("\n")))
        return Expression(ex.LITERAL, node, value=unescaped(raw[1:-1]))

    def _switch(self, node: Node) -> Expression:
        body = node.child_by_field_name("body")
        rules = [each for each in named(body) if each.type == "switch_rule"] if body is not None else []
        return Expression(ex.EITHER, node, items=tuple(rule.named_children[-1] for rule in rules))

    lowerings: ClassVar[Mapping[str, Lower]] = {
        "identifier": as_name,
        "type_identifier": as_name,
        "field_access": _field,
        "method_invocation": _invocation,
        "object_creation_expression": _creation,
        "annotation": _annotation,
        "marker_annotation": _annotation,
        "array_creation_expression": _array,
        "array_initializer": as_list,
        "element_value_array_initializer": as_list,
        "array_access": _access,
        "cast_expression": _cast,
        "ternary_expression": as_either,
        "switch_expression": _switch,
        "assignment_expression": as_assigned,
        "string_literal": _string,
        "character_literal": _string,
        "decimal_integer_literal": as_number,
        "hex_integer_literal": as_number,
        "decimal_floating_point_literal": as_number,
        "binary_expression": as_binary,
    }
