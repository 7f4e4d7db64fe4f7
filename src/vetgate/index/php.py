"""What the index notes of PHP."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vetgate.index.facts import KEYWORDS, NEW, PLAIN, REST, CallSite, Definition, Import, Parameter
from vetgate.index.objects import lose
from vetgate.index.php_variables import ASKING, FILLING, NAMES, THIS, bind_parameters, doubt, held, made_type
from vetgate.index.php_variables import READERS as VARIABLES
from vetgate.index.reading import CLASS, FUNCTION, UNKNOWN, UNNAMED
from vetgate.source.syntax import child_of, children_in, first_line

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tree_sitter import Node

    from vetgate.index.reading import Reading, See

MAKER = "__construct"
# How a function is told from a class of the same name among what is imported.
AS_FUNCTION = "()"
_SEVERAL = "?"
# How an interface is told from what brings methods.
IMPLEMENTS = "implements "
# A class that ends its base classes with one that nobody knows: whoever it turns out to be.
OPEN = "open"
_OPEN_KINDS = frozenset({"trait_declaration", "interface_declaration", "enum_declaration"})
_ABOVE = {"base_clause": "", "class_interface_clause": IMPLEMENTS}
# Where a class gets a name more.
ALIAS = "class_alias"
# In what is passed to these, or called so, `$this` is another.
_BINDING = frozenset({"bind", "bindTo", "call", "macro"})
_CLOSURES = frozenset({"anonymous_function", "arrow_function"})
# A function takes more than it lists, and leaves it alone.
_MORE = Parameter("", REST)


def _namespace(reading: Reading, node: Node) -> None:
    name = node.child_by_field_name("name")
    reading.space = reading.text(name) if name is not None else _SEVERAL


def _function(reading: Reading, node: Node) -> None:
    name = reading.text(node.child_by_field_name("name")) or UNNAMED
    symbol = reading.symbol(node, name)
    reading.functions.append((symbol, node))
    if node.type != "anonymous_function" and not reading.is_inside_function(node):
        reading.definitions.append(_definition(reading, node, symbol, name))
    reading.open_scope(node, FUNCTION, name)
    bind_parameters(reading, node, node)


def _definition(reading: Reading, node: Node, symbol: str, name: str) -> Definition:
    marks = {child.type for child in node.children}
    is_method = node.type == "method_declaration"
    is_bound = is_method and name != MAKER and "static_modifier" not in marks
    visible = next((reading.text(child) for child in node.children if child.type == "visibility_modifier"), "public")
    is_sure = is_method or not _is_conditional(node)
    return Definition(
        symbol,
        first_line(node),
        "method" if is_bound else FUNCTION,
        tuple(_parameters(reading, node.child_by_field_name("parameters"))) if is_sure else None,
        reading.text(node.child_by_field_name("return_type")),
        visibility="" if visible == "public" else visible,
    )


def _is_conditional(node: Node) -> bool:
    """Defined where there is none already, or only on some machines."""
    around = node.parent
    while around is not None and around.type in {"compound_statement", "namespace_definition"}:
        around = around.parent
    return around is not None and around.type != "program"


def _parameters(reading: Reading, node: Node | None) -> Iterator[Parameter]:
    for child in node.named_children if node is not None else ():
        name = reading.text(child.child_by_field_name("name")).removeprefix("$")
        if child.type == "variadic_parameter":
            yield Parameter(name, KEYWORDS)
        elif child.type in {"simple_parameter", "property_promotion_parameter"}:
            yield Parameter(name, PLAIN, child.child_by_field_name("default_value") is not None)
    yield _MORE


def _class(reading: Reading, node: Node) -> None:
    name = reading.text(node.child_by_field_name("name")) or UNNAMED
    if name != UNNAMED and not reading.is_inside_function(node):
        # Others may bring what it calls of itself.
        is_open = node.type in _OPEN_KINDS or any(child.type == "abstract_modifier" for child in node.children)
        bases, word = (*_bases(reading, node), *([UNKNOWN] if is_open else [])), OPEN if is_open else ""
        made = node.type.removesuffix("_declaration")
        symbol = reading.symbol(node, name)
        reading.definitions.append(Definition(symbol, first_line(node), CLASS, None, bases=bases, made=made, word=word))
    reading.open_scope(node, CLASS, name)


def _bases(reading: Reading, node: Node) -> Iterator[str]:
    """Traits first: what they bring goes before what is inherited."""
    for child in children_in(node, "body"):
        if child.type == "use_declaration":
            named = [each for each in child.named_children if each.type != "comment"]
            yield from (reading.text(each) if each.type in NAMES else UNKNOWN for each in named)
    for child in node.named_children:
        if child.type in _ABOVE:
            above = (reading.text(each) for each in child.named_children if each.type in NAMES)
            yield from (f"{_ABOVE[child.type]}{each}" for each in above)


def _call(reading: Reading, node: Node) -> None:
    function = node.child_by_field_name("function")
    if function is not None and function.type in NAMES:
        _note(reading, node, reading.text(function))
        word = reading.text(function).strip("\\")
        if word == ALIAS:
            _alias(reading, node)
        elif word in FILLING:
            lose(reading.scope(node))
        elif word in ASKING:
            _ask(reading, node)


def _ask(reading: Reading, node: Node) -> None:
    arguments = node.child_by_field_name("arguments")
    first = child_of(arguments, "argument") if arguments else None
    doubt(reading, first.named_children[0] if first is not None and first.named_children else None)


def _alias(reading: Reading, node: Node) -> None:
    arguments = node.child_by_field_name("arguments")
    named = [reading.text(child) for child in arguments.named_children] if arguments is not None else []
    if len(named) > 1:
        name = named[1].strip("'\"").removesuffix("::class").rpartition("\\")[2]
        reading.imports.append(Import(first_line(node), ALIAS, name, ""))


def _bind(reading: Reading, node: Node) -> None:
    """What is written as a function where it is bound to another object."""
    arguments, target = node.child_by_field_name("arguments"), node.child_by_field_name("object")
    for child in (target, *(arguments.named_children if arguments is not None else ())):
        if child is not None and any(it.type in _CLOSURES for it in child.named_children):
            reading.members.add(child.start_byte)


def _bound(reading: Reading, node: Node) -> None:
    if node.start_byte in reading.members:
        reading.open_scope(node, CLASS, UNNAMED)


def _scoped_call(reading: Reading, node: Node) -> None:
    scope, name = node.child_by_field_name("scope"), node.child_by_field_name("name")
    if scope is not None and name is not None and name.type == "name":
        is_named = scope.type in NAMES or scope.type == "relative_scope"
        _note(reading, node, f"{reading.text(scope) if is_named else '?'}.{reading.text(name)}")


def _member_call(reading: Reading, node: Node) -> None:
    target, name = node.child_by_field_name("object"), node.child_by_field_name("name")
    if target is None or name is None or name.type != "name":
        return
    if reading.text(target) == THIS:
        _note(reading, node, f"this.{reading.text(name)}")
        return
    made, variable = made_type(reading, target), held(reading, target)
    if variable is not None:
        reading.objects.ask(*variable)
    _note(reading, node, f"{made or '?'}.{reading.text(name)}", made)


def _making(reading: Reading, node: Node) -> None:
    named = next((child for child in node.named_children if child.type in NAMES), None)
    if named is not None:
        _note(reading, node, f"{NEW}{reading.text(named)}")


def _note(reading: Reading, node: Node, callee: str, of: str = "") -> None:
    holder, _, called = callee.rpartition(".")
    if holder and called in _BINDING:
        _bind(reading, node)
    arguments = child_of(node, "arguments")
    positional, is_open, keywords = 0, False, []
    for child in arguments.named_children if arguments is not None else ():
        name = child.child_by_field_name("name")
        if child.type == "variadic_placeholder" or any(it.type == "variadic_unpacking" for it in child.named_children):
            is_open = True
        elif name is not None:
            keywords.append(reading.text(name))
        elif child.type == "argument":
            positional += 1
    given = (positional, tuple(keywords), is_open)
    reading.calls.append(CallSite(callee, first_line(node), *given, reading.owner(node), of=of))


def _use(reading: Reading, node: Node) -> None:
    prefix = next((reading.text(child) for child in node.named_children if child.type == "namespace_name"), "")
    kind = reading.text(node.child_by_field_name("type"))
    group = node.child_by_field_name("body")
    for clause in (group or node).named_children:
        if clause.type != "namespace_use_clause":
            continue
        of = kind or reading.text(clause.child_by_field_name("type"))
        named = next((child for child in clause.named_children if child.type in NAMES), None)
        if of != "const" and named is not None:
            _brought(reading, clause, f"{prefix}\\{reading.text(named)}", is_function=of == "function")


def _brought(reading: Reading, clause: Node, whole: str, *, is_function: bool) -> None:
    module, _, name = whole.strip("\\").rpartition("\\")
    local = reading.text(clause.child_by_field_name("alias")) or name
    mark = AS_FUNCTION if is_function else ""
    reading.imports.append(Import(first_line(clause), module, name, f"{local}{mark}"))


READERS: Mapping[str, See] = {
    **VARIABLES,
    "namespace_definition": _namespace,
    "namespace_use_declaration": _use,
    "function_definition": _function,
    "method_declaration": _function,
    "anonymous_function": _function,
    "class_declaration": _class,
    "trait_declaration": _class,
    "interface_declaration": _class,
    "enum_declaration": _class,
    "anonymous_class": _class,
    "argument": _bound,
    "parenthesized_expression": _bound,
    "function_call_expression": _call,
    "scoped_call_expression": _scoped_call,
    "member_call_expression": _member_call,
    "nullsafe_member_call_expression": _member_call,
    "object_creation_expression": _making,
}
