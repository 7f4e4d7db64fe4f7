"""C# as expressions, definitions and functions. Types go by their simple names, however they are imported."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, ClassVar

from vetgate.checks.security import expression as ex
from vetgate.checks.security.expression import Expression
from vetgate.checks.security.facts_csharp import FACTS, NOT_INPUT, ROUTES
from vetgate.checks.security.lower_python import unescaped
from vetgate.checks.security.lowering import (
    TypedLowering,
    as_assigned,
    as_binary,
    as_boolean,
    as_either,
    as_list,
    as_name,
    as_number,
    interleaved,
    keyed,
    named,
    same,
    simple,
    typed,
)
from vetgate.expression import expression
from vetgate.source.syntax import child_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tree_sitter import Node

    from vetgate.checks.security.expression import Item
    from vetgate.checks.security.lowering import Lower, Lowering

_RANDOM = expression(r"\w*(?:rng|random)", re.IGNORECASE)
_TRIED = ("Uri.TryCreate(", "System.Uri.TryCreate(")


class CSharpDefinitions(TypedLowering):
    targets = frozenset({"identifier", "member_access_expression"})
    plain_types = frozenset({"var", "string", "String", "object", "dynamic", ""})

    def definitions(self, node: Node) -> Iterator[tuple[str, Expression]]:
        if node.type == "assignment_expression":
            yield from self.assigned_names(node)
        elif node.type == "foreach_statement":
            yield from self._gone_through(node)
        elif node.type == "property_declaration":
            yield from self._property(node)
        elif node.type == "declaration_expression":
            yield from self._handed_out(node)
        else:
            for each in (child for child in node.named_children if child.type == "variable_declarator"):
                value = each.named_children[-1] if len(each.named_children) > 1 else None
                yield from self.declared_names(each, node.child_by_field_name("type"), value)

    def _gone_through(self, node: Node) -> Iterator[tuple[str, Expression]]:
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if left is not None and right is not None:
            yield self.text(left), Expression(ex.INDEX, right, items=(right,))

    def _handed_out(self, node: Node) -> Iterator[tuple[str, Expression]]:
        """`Uri.TryCreate(text, UriKind.Absolute, out var address)`: the address is the text."""
        holder = node.parent.parent if node.parent is not None else None
        call = holder.parent if holder is not None else None
        name = node.child_by_field_name("name")
        if call is None or name is None or not self.text(call).startswith(_TRIED):
            return
        first = next(iter(holder.named_children), None) if holder is not None else None
        if first is not None and first.named_children:
            yield self.text(name), Expression(ex.PASS, call, items=(first.named_children[-1],))

    def _property(self, node: Node) -> Iterator[tuple[str, Expression]]:
        """A page fills a property marked `[BindProperty]` with what was sent."""
        name = node.child_by_field_name("name")
        if name is not None and any(
            "BindProperty" in self.text(child) for child in node.named_children if child.type == "attribute_list"
        ):
            yield self.text(name), Expression(ex.NAME, node, name="Request.Form")
            return
        yield from self.declared_names(node, node.child_by_field_name("type"), node.child_by_field_name("value"))

    def assigned_names(self, node: Node) -> Iterator[tuple[str, Expression]]:
        is_entry = node.parent is not None and node.parent.type == "initializer_expression"
        return iter(()) if is_entry else super().assigned_names(node)

    def filled(self, call: Node) -> Iterator[tuple[str, Expression]]:
        """`random.GetBytes(iv)`, `RandomNumberGenerator.Fill(iv)`: what is passed holds something new."""
        given = call.child_by_field_name("arguments")
        name = self.called(call)
        if given is None or name not in FACTS.fills or (name == "GetBytes" and not _RANDOM.match(self.text(call))):
            return
        for argument in given.named_children:
            inner = argument.named_children[-1] if argument.named_children else argument
            if inner.type == "identifier":
                yield self.text(inner), same(call)


_BRACES = expression(r"\{(\d+)[^{}]*\}")
_BUILDERS = frozenset({"StringBuilder", "string", "String"})
_SPACES = """
    AspNetCore Binary Collections Compression Configuration Cryptography Data Diagnostics DirectoryServices Extensions
    Formatters Generic Http IO Json Linq Mvc Net RegularExpressions Runtime Security Serialization Sockets SqlClient
    Tasks Text Threading Web X509Certificates XPath Xml
"""
_NAMESPACE = expression(rf"(?:System|Microsoft|Newtonsoft)(?:\.(?:{'|'.join(_SPACES.split())}))*")
_NUMBERS = expression(r"(?:int|long|short|byte|double|float|decimal|bool|char|u\w+)\??$")
_CONTROLLER = expression(r"\b\w*(?:Controller|ControllerBase|PageModel|Hub)\b")
_ROUTED = expression(r"\[Http(?:Get|Post|Put|Delete|Patch)|\[Route\b|\bpublic\b")
_BODIES = expression(
    r"^(?:string\b|IFormFile|List<string>|IEnumerable<string>|\w*(?:Request|Dto|DTO|Model|Input|Command|Query)\b)"
)


class CSharp(CSharpDefinitions):
    facts = FACTS
    functions = frozenset(
        {
            "method_declaration",
            "constructor_declaration",
            "lambda_expression",
            "anonymous_method_expression",
            "local_function_statement",
        }
    )
    exits = frozenset(
        {"return_statement", "throw_statement", "continue_statement", "break_statement", "throw_expression"}
    )
    calls = frozenset(
        {"invocation_expression", "object_creation_expression", "implicit_object_creation_expression", "attribute"}
    )
    blocks = frozenset({"block", "compilation_unit", "declaration_list", "switch_section"})
    ifs = frozenset({"if_statement"})
    binds = frozenset(
        """
        variable_declaration assignment_expression foreach_statement property_declaration declaration_expression
        """.split()
    )
    passing = frozenset({"parenthesized_expression", "await_expression", "constant_pattern", "arrow_expression_clause"})
    constants: ClassVar[Mapping[str, object]] = {"null_literal": None}
    places: ClassVar[Mapping[str, str]] = {
        **dict.fromkeys(calls, "call"),
        "assignment_expression": "assign",
        "binary_expression": "compare",
        "using_directive": "import",
        "method_declaration": "function",
        "local_function_statement": "function",
        "class_declaration": "class",
    }

    # Names.

    def imports(self, node: Node) -> Iterator[tuple[str, str]]:
        alias = node.child_by_field_name("name")
        if alias is not None:
            yield self.text(alias), self._imported(node).rpartition(".")[2]

    def imported(self, node: Node) -> Iterator[str]:
        yield self._imported(node)

    def _imported(self, node: Node) -> str:
        return self.text(node.named_children[-1]) if node.named_children else ""

    def parameters(self, function: Node) -> Iterator[tuple[Node, str, str]]:
        holder = function.child_by_field_name("parameters")
        if holder is None:
            return
        if holder.type in {"identifier", "implicit_parameter"}:
            yield holder, "", ""
            return
        for each in holder.named_children:
            name = each.child_by_field_name("name")
            kind = each.child_by_field_name("type")
            marks = "".join(self.text(child) for child in each.named_children if child.type == "attribute_list")
            if name is not None:
                yield name, self.text(kind) if kind is not None else "", marks

    def returned(self, function: Node) -> Iterator[Node]:
        body = function.child_by_field_name("body")
        if body is not None and body.type != "block":
            yield body

    def filled_parameters(self, function: Node) -> set[int]:
        """Annotated parameters, those of an action, and texts of a lambda that a route leads to."""
        marked = super().filled_parameters(function)
        parameters = list(self.parameters(function))
        if function.type == "method_declaration" and self._is_action(function):
            plain = {at for at, (_, kind, marks) in enumerate(parameters) if not marks and not NOT_INPUT.search(kind)}
            return marked | plain
        if function.type == "lambda_expression" and self._is_routed(function):
            return marked | {at for at, (_, kind, marks) in enumerate(parameters) if not marks and _BODIES.match(kind)}
        return marked

    def _is_action(self, method: Node) -> bool:
        head = self.text(method)[:_HEAD].partition("(")[0]
        body = method.parent
        holder = body.parent if body is not None else None
        bases = [child for child in holder.named_children if child.type == "base_list"] if holder is not None else []
        return bool(bases) and _CONTROLLER.search(self.text(bases[0])) is not None and _ROUTED.search(head) is not None

    def _is_routed(self, function: Node) -> bool:
        argument = function.parent
        given = argument.parent if argument is not None and argument.type == "argument" else None
        call = given.parent if given is not None else None
        return call is not None and call.type == "invocation_expression" and self.called(call) in ROUTES

    def chosen(self, case: Node) -> str:
        block = case.parent
        switch = block.parent if block is not None and block.type == "switch_body" else block
        subject = switch.child_by_field_name("value") if switch is not None else None
        if subject is None and switch is not None and switch.type == "switch_expression":
            subject = switch.named_children[0]
        values = [child for child in case.named_children if child.type == "constant_pattern"]
        return f"{self.text(subject)} == {self.text(values[0])}" if subject is not None and values else ""

    def called(self, node: Node) -> str:
        if node.type == "implicit_object_creation_expression":
            return self._implied(node)
        callee = node.child_by_field_name("function") or node.child_by_field_name("type")
        if node.type == "attribute":
            name = node.child_by_field_name("name")
            return f"@{simple(self.text(name)).removesuffix('Attribute')}" if name is not None else ""
        if callee is None:
            return ""
        if callee.type == "conditional_access_expression":
            callee = callee.named_children[-1]
        last = callee.child_by_field_name("name") or callee
        return simple(self.text(last)) if last.end_byte - last.start_byte < 64 else ""

    def _implied(self, node: Node) -> str:
        """`SqlCommand command = new(text)`."""
        holder = node.parent
        while holder is not None and holder.type in {"variable_declarator", "equals_value_clause"}:
            holder = holder.parent
        kind = holder.child_by_field_name("type") if holder is not None else None
        return simple(self.text(kind)) if kind is not None else ""

    # Lowerings.

    def _member(self, node: Node) -> Expression:
        holder, name = node.child_by_field_name("expression"), node.child_by_field_name("name")
        if holder is None or name is None:
            return Expression(ex.OTHER, node)
        written = simple(self.text(name))
        if holder.type in {"this_expression", "this"} or self.text(holder) == "this":
            return Expression(ex.NAME, node, name=written)
        if holder.type in {"member_access_expression", "identifier"} and _NAMESPACE.fullmatch(self.text(holder)):
            return Expression(ex.NAME, node, name=written)
        return Expression(ex.ATTR, node, name=written, items=(holder,))

    def _conditional(self, node: Node) -> Expression:
        """`x?.Name`, `x?["name"]`."""
        holder, member = node.child_by_field_name("condition"), node.named_children[-1]
        name = member.child_by_field_name("name")
        if holder is None:
            return Expression(ex.OTHER, node)
        if name is None:
            return Expression(ex.PASS, node, items=(holder,))
        return Expression(ex.ATTR, node, name=simple(self.text(name)), items=(holder,))

    def _element(self, node: Node) -> Expression:
        holder, given = node.child_by_field_name("expression"), node.child_by_field_name("subscript")
        index = given.named_children[0].named_children[-1:] if given is not None and given.named_children else []
        if holder is None or not index:
            return Expression(ex.OTHER, node)
        known = self.lower(index[0])
        if isinstance(known.value, str) and self.text(holder) != "Request":
            return Expression(ex.ATTR, node, name=known.value, items=(holder,))
        return Expression(ex.INDEX, node, items=(holder, index[0]))

    def _invocation(self, node: Node) -> Expression:
        callee, given = node.child_by_field_name("function"), node.child_by_field_name("arguments")
        if callee is None or given is None:
            return Expression(ex.OTHER, node)
        passed = self._arguments(given)
        written, items = self.text(callee), [item for _, item in passed]
        if written in {"string.Format", "String.Format"} and items:
            return self._formatted(node, items)
        if written in {"string.Concat", "String.Concat"}:
            return Expression(ex.TEXT, node, items=tuple(items))
        if written == "nameof":
            return Expression(ex.OTHER, node)
        return keyed(ex.CALL, node, passed, callee)

    def _arguments(self, given: Node | None) -> list[tuple[str | None, Node]]:
        passed: list[tuple[str | None, Node]] = []
        for each in named(given) if given is not None else ():
            name = each.child_by_field_name("name")
            inner = [child for child in named(each) if name is None or child.id != name.id]
            value = inner[-1] if inner and each.type in {"argument", "attribute_argument"} else each
            passed.append((self.text(name) if name is not None else None, value))
        return passed

    def _formatted(self, node: Node, given: list[Node]) -> Expression:
        template = self.lower(given[0])
        if not isinstance(template.value, str):
            return Expression(ex.TEXT, node, items=tuple(given))
        values = given[1:]

        def chosen(match: re.Match[str]) -> Item | None:
            return values[int(match[1])] if int(match[1]) < len(values) else None

        return Expression(ex.TEXT, node, items=interleaved(template.node, template.value, _BRACES, chosen))

    def _creation(self, node: Node) -> Expression:
        """What an initializer sets is passed by name, as if it were an argument."""
        kind = self.called(node)
        given = child_of(node, "argument_list")
        passed = self._arguments(given)
        if kind == "Uri" and len(passed) == 1:
            return typed(kind, passed[0][1], node)
        if kind in _BUILDERS:
            texts = [each for _, each in passed[:1] if each.type != "integer_literal"]
            return Expression(ex.TEXT, node, items=(Expression(ex.LITERAL, node, value=""), *texts))
        body = child_of(node, "initializer_expression")
        entries = list(self._entries(body)) if body is not None else []
        if entries and all(key is None for key, _ in entries):
            return Expression(ex.LIST, node, items=tuple(value for _, value in entries))
        if kind.startswith("Dictionary"):
            return keyed(ex.DICT, node, entries)
        return keyed(ex.CALL, node, [*passed, *entries], Expression(ex.NAME, node, name=kind), name="new")

    def _entries(self, body: Node) -> Iterator[tuple[str | None, Node]]:
        for each in named(body):
            left, right = each.child_by_field_name("left"), each.child_by_field_name("right")
            if each.type == "assignment_expression" and left is not None and right is not None:
                yield self.text(left).strip('[]"'), right
            elif each.type == "initializer_expression" and len(named(each)) == 2:
                yield self.text(named(each)[0]).strip('"'), named(each)[1]
            else:
                yield None, each

    def _attribute(self, node: Node) -> Expression:
        given = child_of(node, "attribute_argument_list")
        return keyed(ex.CALL, node, self._arguments(given), Expression(ex.NAME, node, name=self.called(node)))

    def _array(self, node: Node) -> Expression:
        body = child_of(node, "initializer_expression")
        if body is not None:
            return as_list(self, body)
        return Expression(ex.LIST, node, items=(Expression(ex.LITERAL, node, value=0),))

    def _cast(self, node: Node) -> Expression:
        kind, value = node.child_by_field_name("type"), node.child_by_field_name("value")
        value = value or node.child_by_field_name("left")
        if value is None or (kind is not None and _NUMBERS.fullmatch(self.text(kind)) and "literal" not in value.type):
            return Expression(ex.OTHER, node)
        return Expression(ex.PASS, node, items=(value,))

    def _unary(self, node: Node) -> Expression:
        inner = named(node)
        forgiving = node.type == "postfix_unary_expression" and self.text(node).endswith("!")
        return Expression(ex.PASS, node, items=(inner[0],)) if forgiving and inner else Expression(ex.OTHER, node)

    def _switch(self, node: Node) -> Expression:
        arms = [each for each in named(node) if each.type == "switch_expression_arm"]
        return Expression(ex.EITHER, node, items=tuple(arm.named_children[-1] for arm in arms if arm.named_children))

    def _string(self, node: Node) -> Expression:
        return Expression(ex.LITERAL, node, value=literal(self.text(node)))

    def _interpolated(self, node: Node) -> Expression:
        return Expression(ex.TEXT, node, name="interpolated", items=tuple(_pieces(self, node)))

    def _named(self, node: Node) -> Expression:
        return Expression(ex.NAME, node, name=simple(self.text(node)))

    lowerings: ClassVar[Mapping[str, Lower]] = {
        "identifier": as_name,
        "generic_name": _named,
        "qualified_name": _named,
        "predefined_type": as_name,
        "member_access_expression": _member,
        "conditional_access_expression": _conditional,
        "element_access_expression": _element,
        "invocation_expression": _invocation,
        "object_creation_expression": _creation,
        "implicit_object_creation_expression": _creation,
        "attribute": _attribute,
        "array_creation_expression": _array,
        "implicit_array_creation_expression": _array,
        "initializer_expression": as_list,
        "collection_expression": as_list,
        "cast_expression": _cast,
        "as_expression": _cast,
        "postfix_unary_expression": _unary,
        "conditional_expression": as_either,
        "switch_expression": _switch,
        "assignment_expression": as_assigned,
        "string_literal": _string,
        "verbatim_string_literal": _string,
        "raw_string_literal": _string,
        "character_literal": _string,
        "interpolated_string_expression": _interpolated,
        "boolean_literal": as_boolean,
        "integer_literal": as_number,
        "real_literal": as_number,
        "binary_expression": as_binary,
    }


_HEAD = 400


_AROUND = frozenset({"interpolation_brace", "interpolation_alignment_clause", "interpolation_format_clause"})


def literal(raw: str) -> str:
    raw = raw.removesuffix("u8")
    if raw.startswith('"""'):
        return raw.strip('"').strip("\n")
    if raw.startswith("@"):
        return raw[2:-1].replace('""', '"')
    return unescaped(raw[1:-1])


def _pieces(language: Lowering, node: Node) -> Iterator[Item]:
    """Of `$"…{value}…"` in their order."""
    for child in node.named_children:
        if child.type in {"string_content", "interpolated_string_text", "escape_sequence"}:
            yield Expression(ex.LITERAL, child, value=unescaped(language.text(child)))
        elif child.type == "interpolation":
            yield from (inner for inner in child.named_children[:2] if inner.type not in _AROUND)
