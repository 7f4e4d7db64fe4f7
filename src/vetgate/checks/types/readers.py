"""Where a language declares a type beside a value: parameters, variables, returns."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from vetgate.checks.types.declared_types import NONE, SCRIPTS, accepts
from vetgate.checks.types.literals import kind_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from tree_sitter import Node

    from vetgate.source.walk import Walk

    See = Callable[["TypedValues", Node], None]

DEFAULT, RETURN, ASSIGNMENT = "default", "return", "assignment"
_FUNCTIONS = frozenset(
    """function_definition lambda function_declaration function_expression arrow_function method_definition
    generator_function generator_function_declaration method_declaration func_literal lambda_expression
    constructor_declaration local_function_statement anonymous_method_expression accessor_declaration class_body
    operator_declaration conversion_operator_declaration""".split()  # noqa: SIM905 - a list of names
)


@dataclass(frozen=True, slots=True)
class Slip:
    """A value that its declared type does not take."""

    rule: str
    node: Node
    declared: str
    given: str


@dataclass(slots=True)
class TypedValues:
    walk: Walk
    slips: list[Slip] = field(default_factory=list)
    judged: int = 0

    def text(self, node: Node | None) -> str:
        return self.walk.syntax.text(node) if node is not None else ""

    def judge(self, rule: str, declared: str, value: Node | None) -> None:
        """Only where both the type and the value are beyond doubt."""
        given = kind_of(self.walk.syntax, value)
        wanted = accepts(declared, self.walk.syntax.language) if given and declared else None
        if given is None or wanted is None or value is None:
            return
        self.judged += 1
        if given not in wanted:
            self.slips.append(Slip(rule, value, declared, given))

    def function(self) -> Node | None:
        """The one that a `return` here returns from."""
        return next((node for node in reversed(self.walk.path) if node.type in _FUNCTIONS), None)


def _field(rule: str, declared: str, value: str) -> See:
    def see(seen: TypedValues, node: Node) -> None:
        seen.judge(rule, _bare(seen.text(node.child_by_field_name(declared))), node.child_by_field_name(value))

    return see


def _bare(declared: str) -> str:
    """TypeScript's annotation begins with its colon."""
    return declared.removeprefix(":").strip()


def _returned(seen: TypedValues, node: Node) -> None:
    function = seen.function()
    if function is None:
        return
    declared = _declared(seen, function)
    listed = [child for child in node.named_children if "comment" not in child.type]
    if declared and len(listed) == 1:
        seen.judge(RETURN, declared, listed[0])


def _declared(seen: TypedValues, function: Node) -> str:
    found = (function.child_by_field_name(name) for name in ("return_type", "returns", "type"))
    node = next(filter(None, found), None)
    if node is None or node.type == "type_predicate_annotation" or function.type.startswith("generator"):
        return ""
    declared = _bare(seen.text(node))
    if any(child.type == "async" for child in function.children) and seen.walk.syntax.language in SCRIPTS:
        is_promise = declared.startswith("Promise<") and declared.endswith(">")
        return declared[len("Promise<") : -1] if is_promise else ""
    is_star = any(child.type == "*" for child in function.children)
    return "" if is_star else declared


def _arrow(seen: TypedValues, node: Node) -> None:
    """`(): number => "x"`: the body is what it returns."""
    body = node.child_by_field_name("body")
    if body is not None and body.type != "statement_block":
        seen.judge(RETURN, _declared(seen, node), body)


def _go_variable(seen: TypedValues, node: Node) -> None:
    declared = seen.text(node.child_by_field_name("type"))
    values = node.child_by_field_name("value")
    for value in values.named_children if values is not None and declared else ():
        seen.judge(ASSIGNMENT, declared, value)


def _go_return(seen: TypedValues, node: Node) -> None:
    function = seen.function()
    result = function.child_by_field_name("result") if function is not None else None
    if result is None or not node.named_children:
        return
    values: Sequence[Node] = node.named_children[0].named_children
    types = _go_results(seen, result)
    if len(types) == len(values):
        for declared, value in zip(types, values, strict=True):
            seen.judge(RETURN, declared, value)


def _go_results(seen: TypedValues, result: Node) -> list[str]:
    if result.type != "parameter_list":
        return [seen.text(result)]
    found = []
    for child in result.named_children:
        names = len(child.children_by_field_name("name")) or 1
        found += [seen.text(child.child_by_field_name("type"))] * names
    return found


def _java_variable(seen: TypedValues, node: Node) -> None:
    declared = seen.text(node.child_by_field_name("type"))
    for each in node.children_by_field_name("declarator"):
        if each.child_by_field_name("dimensions") is None:
            seen.judge(ASSIGNMENT, declared, each.child_by_field_name("value"))


def _csharp_variable(seen: TypedValues, node: Node) -> None:
    declared = seen.text(node.child_by_field_name("type"))
    for each in node.named_children:
        if each.type == "variable_declarator" and each.named_child_count == 2:
            seen.judge(ASSIGNMENT, declared, each.named_children[1])


def _csharp_parameter(seen: TypedValues, node: Node) -> None:
    if any(child.type == "=" for child in node.children):
        seen.judge(DEFAULT, seen.text(node.child_by_field_name("type")), node.named_children[-1])


def _csharp_arrow(seen: TypedValues, node: Node) -> None:
    around = seen.walk.path[-1] if seen.walk.path else None
    if around is not None and around.type == "method_declaration" and node.named_children:
        seen.judge(RETURN, _declared(seen, around), node.named_children[0])


_SCRIPT: Mapping[str, See] = {
    "required_parameter": _field(DEFAULT, "type", "value"),
    "variable_declarator": _field(ASSIGNMENT, "type", "value"),
    "public_field_definition": _field(ASSIGNMENT, "type", "value"),
    "return_statement": _returned,
    "arrow_function": _arrow,
}
READERS: Mapping[str, Mapping[str, See]] = {
    "python": {
        "typed_default_parameter": _field(DEFAULT, "type", "value"),
        "assignment": _field(ASSIGNMENT, "type", "right"),
        "return_statement": _returned,
    },
    "typescript": _SCRIPT,
    "tsx": _SCRIPT,
    "go": {"var_spec": _go_variable, "const_spec": _go_variable, "return_statement": _go_return},
    "java": {
        "local_variable_declaration": _java_variable,
        "field_declaration": _java_variable,
        "return_statement": _returned,
    },
    "csharp": {
        "variable_declaration": _csharp_variable,
        "parameter": _csharp_parameter,
        "property_declaration": _field(ASSIGNMENT, "type", "value"),
        "return_statement": _returned,
        "arrow_expression_clause": _csharp_arrow,
    },
}


def is_soft(slip: Slip, language: str) -> bool:
    """Nothing where something is declared: an old habit for defaults and fields that are filled in later.

    TypeScript takes it for any type where a project is not strict about it.
    """
    return slip.given == NONE and (slip.rule != RETURN or language in SCRIPTS)
