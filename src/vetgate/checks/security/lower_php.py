"""PHP as expressions, definitions and functions."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from vetgate.checks.security import expression as ex
from vetgate.checks.security.expression import Expression
from vetgate.checks.security.facts_php import FACTS
from vetgate.checks.security.lowering import as_number, named, spine
from vetgate.checks.security.php_calls import PhpCalls
from vetgate.checks.security.php_definitions import PhpDefinitions, same
from vetgate.checks.security.php_routes import PhpRoutes
from vetgate.checks.security.php_texts import PhpTexts, dotted
from vetgate.expression import expression

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tree_sitter import Node

    from vetgate.checks.security.lowering import Lower
    from vetgate.source.syntax import Syntax

    Item = Node | Expression

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
        {
            "assignment_expression",
            "reference_assignment_expression",
            "augmented_assignment_expression",
            "foreach_statement",
            "static_variable_declaration",
            "const_element",
        }
    )

    def __init__(self, syntax: Syntax) -> None:
        super().__init__(syntax)
        self._calls = PhpCalls(self.lower, self.text)
        self._texts = PhpTexts(syntax)
        self._routes = PhpRoutes(syntax)

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
        holder = function.child_by_field_name("parameters")
        for each in holder.named_children if holder is not None else ():
            name = each.child_by_field_name("name")
            if name is not None:
                yield name, self._written(each, "type"), self._written(each, "default_value")

    def _written(self, node: Node, role: str) -> str:
        part = node.child_by_field_name(role)
        return self.text(part) if part is not None else ""

    def returned(self, function: Node) -> Iterator[Node]:
        body = function.child_by_field_name("body")
        if function.type == "arrow_function" and body is not None:
            yield body

    def type_path(self, kind: str, imports: Mapping[str, str]) -> str:
        """Requests of all frameworks go by one name."""
        bare = kind.lstrip("?\\").partition("|")[0]
        path = imports.get(bare, dotted(bare))
        return "Request" if _REQUEST.search(path) else path

    def given(self, function: Node) -> set[int]:
        return self._routes.given(function, [(self.text(name), kind) for name, kind, _ in self.parameters(function)])

    def is_view(self, function: Node) -> bool:
        return self._routes.is_view(function)

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
        callee = Expression(ex.NAME, node, name="echo")
        return Expression(ex.CALL, node, items=(callee, inner[0]), keys=(None,))

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
        known = self._calls.known(node, callee.name, [item for _, item in given]) if callee.kind == ex.NAME else None
        if known is not None:
            return known
        return Expression(
            ex.CALL,
            node,
            name="new" if node.type == "object_creation_expression" else "",
            items=(callee, *(item for _, item in given)),
            keys=tuple(key for key, _ in given),
        )

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
        callee = Expression(ex.NAME, node, name=_STATEMENTS[node.type])
        inner = named(node)
        given: list[Item] = list(inner)
        if inner and inner[0].type == "sequence_expression":  # `echo $a, $b` is `echo $a . $b`
            given = [Expression(ex.TEXT, node, items=tuple(named(inner[0])))]
        return Expression(ex.CALL, node, items=(callee, *given), keys=(None,) * len(given))

    def _shell(self, node: Node) -> Expression:
        callee = Expression(ex.NAME, node, name="shell_exec")
        return Expression(ex.CALL, node, items=(callee, self._texts.of(node)), keys=(None,))

    def _string(self, node: Node) -> Expression:
        return self._texts.of(node)

    def _heredoc(self, node: Node) -> Expression:
        body = node.child_by_field_name("value")
        if body is None:
            return Expression(ex.LITERAL, node, value="")
        if node.type == "nowdoc":
            return Expression(ex.LITERAL, node, value=self.text(body))
        return Expression(ex.PASS, node, items=(self._texts.of(body),))

    def _boolean(self, node: Node) -> Expression:
        return Expression(ex.LITERAL, node, value=self.text(node).lower() == "true")

    def _binary(self, node: Node) -> Expression:
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        sign = _sign(node)
        if left is None or right is None:
            return Expression(ex.OTHER, node)
        if sign == ".":
            return Expression(ex.TEXT, node, name=sign, items=tuple(spine(node, ".")))
        if sign == "??":
            return Expression(ex.EITHER, node, items=(left, right))
        return Expression(ex.OTHER, node, name=sign)

    def _unary(self, node: Node) -> Expression:
        argument = node.child_by_field_name("argument")
        value = self.lower(argument).value if argument is not None and _sign(node) == "-" else None
        if isinstance(value, int | float) and not isinstance(value, bool):
            return Expression(ex.LITERAL, node, value=-value)
        return Expression(ex.OTHER, node)

    def _conditional(self, node: Node) -> Expression:
        first = node.child_by_field_name("body") or node.child_by_field_name("condition")
        sides = (first, node.child_by_field_name("alternative"))
        return Expression(ex.EITHER, node, items=tuple(side for side in sides if side is not None))

    def _match(self, node: Node) -> Expression:
        body = node.child_by_field_name("body")
        arms = body.named_children if body is not None else []
        given = [arm.child_by_field_name("return_expression") for arm in arms]
        return Expression(ex.EITHER, node, items=tuple(each for each in given if each is not None))

    def _cast(self, node: Node) -> Expression:
        value = node.child_by_field_name("value")
        if value is None or self._written(node, "type").lower() in _NARROWING_CASTS:
            return Expression(ex.OTHER, node, name="cast")
        if self._written(node, "type").lower() == "string":  # an array does not get through
            callee = Expression(ex.NAME, node, name="strval")
            return Expression(ex.CALL, node, items=(callee, value), keys=(None,))
        return same(value)

    def _assigned(self, node: Node) -> Expression:
        right = node.child_by_field_name("right")
        return Expression(ex.PASS, node, items=(right,)) if right is not None else Expression(ex.OTHER, node)

    def _array(self, node: Node) -> Expression:
        items: list[Item] = []
        keys: list[str | None] = []
        for element in named(node):
            inner = named(element)
            if not inner:
                continue
            items.append(inner[-1])
            spread = inner[-1].type == "variadic_unpacking"
            keys.append("*" if spread else self._key(inner[0]) if len(inner) > 1 else None)
        if all(len(named(element)) < 2 for element in named(node)):
            return Expression(ex.LIST, node, items=tuple(items))
        return Expression(ex.DICT, node, items=tuple(items), keys=tuple(keys))

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
        "string": _string,
        "encapsed_string": _string,
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
        "assignment_expression": _assigned,
        "reference_assignment_expression": _assigned,
        "array_creation_expression": _array,
        **dict.fromkeys(_STATEMENTS, _statement),
    }


def _sign(node: Node) -> str:
    operator = node.child_by_field_name("operator")
    return operator.type if operator is not None else ""
