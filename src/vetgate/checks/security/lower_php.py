"""PHP as expressions, definitions, functions and the routes of frameworks."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, ClassVar

from vetgate.checks.security import expression as ex
from vetgate.checks.security.expression import Expression
from vetgate.checks.security.facts_php import FACTS
from vetgate.checks.security.lowering import (
    Lowering,
    as_assigned,
    as_number,
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
    from collections.abc import Callable, Iterator, Mapping

    from tree_sitter import Node

    from vetgate.checks.security.expression import Item
    from vetgate.checks.security.lowering import Lower


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


_CONTENTS = frozenset({"string_content", "escape_sequence"})
_ESCAPE = expression(r"\\(u\{[0-9a-fA-F]+\}|x[0-9a-fA-F]{1,2}|[0-7]{1,3}|.)", re.DOTALL)
_SIMPLE = {"n": "\n", "t": "\t", "r": "\r", "v": "\v", "e": "\x1b", "f": "\f", "\\": "\\", "$": "$", '"': '"'}


def as_text(language: Lowering, node: Node) -> Expression:
    """A literal when nothing is put in."""
    parts = [_part(language, child, single=node.type == "string") for child in named(node)]
    known = [part.value for part in parts if isinstance(part, Expression)]
    if len(known) == len(parts):
        return Expression(ex.LITERAL, node, value="".join(known))
    return Expression(ex.TEXT if len(parts) > 1 else ex.PASS, node, items=tuple(parts))


def _part(language: Lowering, child: Node, *, single: bool) -> Item:
    if child.type not in _CONTENTS:
        return child
    raw = language.text(child)
    plain = re.sub(r"\\([\\'])", r"\1", raw) if single else unescaped(raw)
    return Expression(ex.LITERAL, child, value=plain)


def unescaped(text: str) -> str:
    def one(match: re.Match[str]) -> str:
        code = match[1]
        if code[0] in "ux" and len(code) > 1:
            return chr(min(int(code[1:].strip("{}"), 16), 0x10FFFF))
        if code[0] in "01234567":
            return chr(int(code, 8))
        return _SIMPLE.get(code, f"\\{code}")

    return _ESCAPE.sub(one, text) if "\\" in text else text


def dotted(name: str) -> str:
    r"""`\App\Models\User` is `App.Models.User`."""
    return name.lstrip("\\").replace("\\", ".")


_VERBS = frozenset({"get", "post", "put", "patch", "delete", "any", "map", "match", "options", "route"})
_TEXTS = frozenset({"", "string", "?string", "array"})


class PhpRoutes(Lowering):
    def filled_parameters(self, function: Node) -> set[int]:
        """Parameters of the function that a route is given, and those that the route of a method names."""
        parameters = [(self.text(name), kind) for name, kind, _ in self.parameters(function)]
        route = self.written(function, "attributes")
        if "Route(" in route:
            return {at for at, (name, _) in enumerate(parameters) if f"{{{name[1:]}" in route}
        if not self._is_routed(function) and not self._is_action(function):
            return set()
        return {at for at, (_, kind) in enumerate(parameters) if kind in _TEXTS}

    def is_view(self, function: Node) -> bool:
        """What a method of a controller or a route's function returns is sent as it is."""
        if function.type == "method_declaration":
            holder = function.parent.parent if function.parent is not None else None
            return holder is not None and self.written(holder, "name").endswith("Controller")
        return self._is_routed(function)

    def _is_action(self, function: Node) -> bool:
        """A public method of a controller of Laravel: what its models do not fill, the address does."""
        said = self.text(function).partition("(")[0]
        return "public " in said and "__" not in said and self.is_view(function)

    def _is_routed(self, function: Node) -> bool:
        """`Route::get("/users/{name}", function ($name) { … })`."""
        holder = function.parent.parent if function.parent is not None else None
        call = holder.parent if holder is not None and holder.type == "arguments" else None
        return call is not None and self.written(call, "name") in _VERBS


class PhpDefinitions(PhpRoutes):
    def definitions(self, node: Node) -> Iterator[tuple[str, Expression]]:
        if node.type == "foreach_statement":
            yield from self._gone_through(node)
            return
        if node.type == "const_element":
            yield from ((self.text(name), same(value)) for name, value in [named(node)[:2]] if name.type == "name")
            return
        left = node.child_by_field_name("left") or node.child_by_field_name("name")
        right = node.child_by_field_name("right") or node.child_by_field_name("value")
        if left is None or right is None:
            return
        if node.type == "augmented_assignment_expression":
            operator = node.child_by_field_name("operator")
            joins = operator is not None and operator.type == ".="
            yield from self._bound(left, Expression(ex.TEXT if joins else ex.EITHER, node, items=(left, right)))
        else:
            yield from self._bound(left, same(right))

    def _gone_through(self, node: Node) -> Iterator[tuple[str, Expression]]:
        several, each = named(node)[:2]
        target = named(each)[-1] if each.type in {"pair", "by_ref"} else each
        yield from self._bound(target, Expression(ex.INDEX, several, items=(several,)))
        if each.type == "pair":  # keys may be sent as well as values
            yield from self._bound(named(each)[0], Expression(ex.INDEX, several, items=(several,)))

    def _bound(self, target: Node, value: Expression) -> Iterator[tuple[str, Expression]]:
        if target.type in {"variable_name", "member_access_expression", "scoped_property_access_expression"}:
            yield self.text(target), value
        elif target.type == "subscript_expression":
            holder = named(target)[0]
            if holder.type == "variable_name" and not self.text(holder).startswith("$_"):
                # An array that also holds this from here on.
                yield self.text(holder), Expression(ex.LIST, target, items=(holder, value))
        elif target.type in {"list_literal", "array_creation_expression"}:
            for child in named(target):
                inner = named(child)[-1] if child.type == "array_element_initializer" else child
                yield from self._bound(inner, Expression(ex.INDEX, value.node, items=(value,)))


_LAST = frozenset(
    """
    parenthesized_expression error_suppression_expression clone_expression variadic_unpacking by_ref
    reference_modifier dynamic_variable_name yield_expression argument
    """.split()
)
_STATEMENTS = {
    "echo_statement": "echo",
    "print_intrinsic": "print",
    "exit_statement": "exit",
    "include_expression": "include",
    "include_once_expression": "include_once",
    "require_expression": "require",
    "require_once_expression": "require_once",
}
_REQUEST = expression(r"(?:^|\.)(?:\w*Request|ServerRequestInterface|\w*RequestInterface)$")
_LONGEST_NAME = 64
_NARROWING_CASTS = frozenset({"int", "integer", "float", "double", "real", "bool", "boolean"})


class Php(PhpDefinitions):
    facts = FACTS
    functions = frozenset({"function_definition", "method_declaration", "anonymous_function", "arrow_function"})
    exits = frozenset(
        {"return_statement", "throw_expression", "exit_statement", "continue_statement", "break_statement"}
    )
    calls = frozenset(
        {
            "function_call_expression",
            "member_call_expression",
            "nullsafe_member_call_expression",
            "scoped_call_expression",
            "object_creation_expression",
            "shell_command_expression",
            *_STATEMENTS,
        }
    )
    places: ClassVar[Mapping[str, str]] = {
        **dict.fromkeys(calls, "call"),
        "expression_statement": "call",  # after `<?=`
        "assignment_expression": "assign",
        "property_element": "assign",
        "const_element": "assign",
        "array_element_initializer": "key",
        "binary_expression": "compare",
        "namespace_use_declaration": "import",
        "function_definition": "function",
        "method_declaration": "function",
        "class_declaration": "class",
        "return_statement": "returned",
    }
    blocks = frozenset({"compound_statement", "program", "declaration_list", "colon_block", "case_statement"})
    ifs = frozenset({"if_statement", "else_if_clause"})
    constants: ClassVar[Mapping[str, None]] = {"null": None}
    binds = frozenset(
        """
        assignment_expression reference_assignment_expression augmented_assignment_expression foreach_statement
        static_variable_declaration const_element
        """.split()
    )

    def lower(self, node: Node) -> Expression:
        if node.type in _LAST:
            inner = named(node)
            return Expression(ex.PASS, node, items=(inner[-1],)) if inner else Expression(ex.OTHER, node)
        return super().lower(node)

    def pair(self, node: Node) -> tuple[Node | None, Node | None]:
        inner = named(node)
        return (inner[0], inner[1]) if len(inner) == 2 else (None, None)

    def assigned(self, node: Node) -> tuple[Node | None, Node | None]:
        return super().assigned(node) if node.type == "assignment_expression" else self.pair(node)

    def imports(self, node: Node) -> Iterator[tuple[str, str]]:
        body = node.child_by_field_name("body")
        prefix = next((self.text(child) for child in node.named_children if child.type == "namespace_name"), "")
        for clause in (body or node).named_children:
            if clause.type == "namespace_use_clause":
                name, alias = named(clause)[0], clause.child_by_field_name("alias")
                path = f"{prefix}\\{self.text(name)}" if prefix else self.text(name)
                yield self.text(alias) if alias is not None else path.rpartition("\\")[2], dotted(path)

    def parameters(self, function: Node) -> Iterator[tuple[Node, str, str]]:
        """Each parameter's name node, its type, and its default as written."""
        for each in children_in(function, "parameters"):
            name = each.child_by_field_name("name")
            if name is not None:
                yield name, self.written(each, "type"), self.written(each, "default_value")

    def returned(self, function: Node) -> Iterator[Node]:
        body = function.child_by_field_name("body")
        if function.type == "arrow_function" and body is not None:
            yield body

    def type_path(self, kind: str, imports: Mapping[str, str]) -> str:
        """Requests of all frameworks go by one name."""
        bare = kind.lstrip("?\\").partition("|")[0]
        path = imports.get(bare, dotted(bare))
        return "Request" if _REQUEST.search(path) else path

    def chosen(self, case: Node) -> str:
        holder = case.parent.parent if case.parent is not None else None
        subject = holder.child_by_field_name("condition") if holder is not None else None
        value = case.child_by_field_name("value") or case.child_by_field_name("conditional_expressions")
        if subject is None or value is None:
            return ""
        return f"{self.text(subject).strip('() ')} === {self.text(value)}"

    def called(self, node: Node) -> str:
        kind = node.type
        if kind == "expression_statement":
            return "echo" if self._is_echoed(node) else ""
        if kind in _STATEMENTS:
            return _STATEMENTS[kind]
        if kind == "shell_command_expression":
            return "shell_exec"
        name = node.child_by_field_name("name") or node.child_by_field_name("function")
        if name is None and kind == "object_creation_expression":
            name = node.named_children[0] if node.named_children else None
        if name is None or name.end_byte - name.start_byte > _LONGEST_NAME:
            return ""
        return self.text(name).rpartition("\\")[2]

    def _is_echoed(self, node: Node) -> bool:
        """`<?= $name ?>`."""
        start = node.start_byte
        return self._syntax.data[max(start - 12, 0) : start].rstrip().endswith(b"<?=")

    # Lowerings.

    def _output(self, node: Node) -> Expression:
        inner = named(node)
        if not inner or not self._is_echoed(node):
            return Expression(ex.PASS, node, items=(inner[0],)) if inner else Expression(ex.OTHER, node)
        return call_of(node, "echo", inner[0])

    def _name(self, node: Node) -> Expression:
        return Expression(ex.NAME, node, name=dotted(self.text(node)))

    def _member(self, node: Node) -> Expression:
        holder = node.child_by_field_name("object") or node.child_by_field_name("scope") or named(node)[0]
        name = node.child_by_field_name("name") or named(node)[-1]
        if name.type in {"name", "variable_name"} and (name.type == "name" or "scoped" in node.type):
            return Expression(ex.ATTR, node, name=self.text(name).lstrip("$"), items=(holder,))
        return Expression(ex.INDEX, node, items=(holder, name))

    def _subscript(self, node: Node) -> Expression:
        inner = named(node)
        if len(inner) < 2:
            return Expression(ex.INDEX, node, items=tuple(inner))
        holder, index = inner[:2]
        key = self._key(index)
        if key is not None:
            return Expression(ex.ATTR, node, name=key, items=(holder,))
        return Expression(ex.INDEX, node, items=(holder, index))

    def _key(self, node: Node) -> str | None:
        if node.type == "name":
            return self.text(node)
        value = self.lower(node).value if node.type in {"string", "encapsed_string"} else None
        return value if isinstance(value, str) else None

    def _call(self, node: Node) -> Expression:
        callee = self._callee(node)
        holder = node.child_by_field_name("arguments") or next(
            (child for child in node.named_children if child.type == "arguments"), None
        )
        given = [self._argument(each) for each in named(holder)] if holder is not None else []
        known = known_call(self, node, callee.name, [item for _, item in given]) if callee.kind == ex.NAME else None
        form = "new" if node.type == "object_creation_expression" else ""
        return known or keyed(ex.CALL, node, given, callee, name=form)

    def _callee(self, node: Node) -> Expression:
        if node.type == "function_call_expression":
            function = node.child_by_field_name("function")
            return self.lower(function) if function is not None else Expression(ex.OTHER, node)
        if node.type == "object_creation_expression":
            inner = named(node)
            return self.lower(inner[0]) if inner else Expression(ex.OTHER, node)
        return self._member(node)

    def _argument(self, argument: Node) -> tuple[str | None, Node]:
        inner = named(argument)
        if argument.type != "argument" or not inner:
            return None, argument
        name = argument.child_by_field_name("name")
        if inner[-1].type == "variadic_unpacking":
            return "*", inner[-1]
        return self.text(name) if name is not None else None, inner[-1]

    def _statement(self, node: Node) -> Expression:
        """`echo`, `include` and others that are calls without the parentheses."""
        inner: list[Item] = list(named(node))
        if inner and not isinstance(inner[0], Expression) and inner[0].type == "sequence_expression":
            inner = [Expression(ex.TEXT, node, items=tuple(named(inner[0])))]  # `echo $a, $b` is `echo $a . $b`
        return call_of(node, _STATEMENTS[node.type], *inner)

    def _shell(self, node: Node) -> Expression:
        return call_of(node, "shell_exec", as_text(self, node))

    def _heredoc(self, node: Node) -> Expression:
        body = node.child_by_field_name("value")
        if body is None:
            return Expression(ex.LITERAL, node, value="")
        if node.type == "nowdoc":
            return Expression(ex.LITERAL, node, value=self.text(body))
        return Expression(ex.PASS, node, items=(as_text(self, body),))

    def _boolean(self, node: Node) -> Expression:
        return Expression(ex.LITERAL, node, value=self.text(node).lower() == "true")

    def _binary(self, node: Node) -> Expression:
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        sign = sign_of(node)
        if left is None or right is None:
            return Expression(ex.OTHER, node)
        if sign == ".":
            return Expression(ex.TEXT, node, name=sign, items=tuple(spine(node, ".")))
        if sign == "??":
            return Expression(ex.EITHER, node, items=(left, right))
        return Expression(ex.OTHER, node, name=sign)

    def _unary(self, node: Node) -> Expression:
        argument = node.child_by_field_name("argument")
        value = self.lower(argument).value if argument is not None and sign_of(node) == "-" else None
        if isinstance(value, int | float) and not isinstance(value, bool):
            return Expression(ex.LITERAL, node, value=-value)
        return Expression(ex.OTHER, node)

    def _conditional(self, node: Node) -> Expression:
        first = node.child_by_field_name("body") or node.child_by_field_name("condition")
        return either_of(first, node.child_by_field_name("alternative"), node=node)

    def _match(self, node: Node) -> Expression:
        arms = children_in(node, "body")
        return either_of(*(arm.child_by_field_name("return_expression") for arm in arms), node=node)

    def _cast(self, node: Node) -> Expression:
        value = node.child_by_field_name("value")
        if value is None or self.written(node, "type").lower() in _NARROWING_CASTS:
            return Expression(ex.OTHER, node, name="cast")
        if self.written(node, "type").lower() == "string":  # an array does not get through
            return call_of(node, "strval", value)
        return same(value)

    def _array(self, node: Node) -> Expression:
        elements = [inner for element in named(node) if (inner := named(element))]
        if all(len(inner) < 2 for inner in elements):
            return Expression(ex.LIST, node, items=tuple(inner[-1] for inner in elements))
        return keyed(ex.DICT, node, ((self._name_of(inner), inner[-1]) for inner in elements))

    def _name_of(self, element: list[Node]) -> str | None:
        if element[-1].type == "variadic_unpacking":
            return "*"
        return self._key(element[0]) if len(element) > 1 else None

    lowerings: ClassVar[Mapping[str, Lower]] = {
        "variable_name": _name,
        "name": _name,
        "qualified_name": _name,
        "relative_scope": _name,
        "member_access_expression": _member,
        "nullsafe_member_access_expression": _member,
        "class_constant_access_expression": _member,
        "scoped_property_access_expression": _member,
        "subscript_expression": _subscript,
        "function_call_expression": _call,
        "member_call_expression": _call,
        "nullsafe_member_call_expression": _call,
        "scoped_call_expression": _call,
        "object_creation_expression": _call,
        "shell_command_expression": _shell,
        "expression_statement": _output,
        "string": as_text,
        "encapsed_string": as_text,
        "heredoc": _heredoc,
        "nowdoc": _heredoc,
        "integer": as_number,
        "float": as_number,
        "boolean": _boolean,
        "binary_expression": _binary,
        "unary_op_expression": _unary,
        "conditional_expression": _conditional,
        "match_expression": _match,
        "cast_expression": _cast,
        "assignment_expression": as_assigned,
        "reference_assignment_expression": as_assigned,
        "array_creation_expression": _array,
        **dict.fromkeys(_STATEMENTS, _statement),
    }
