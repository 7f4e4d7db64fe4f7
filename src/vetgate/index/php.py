"""What the index notes of PHP, with what variables and properties hold.

That is known by the type that is written, or by the `new` that fills them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from vetgate.expression import expression
from vetgate.index.facts import KEYWORDS, NEW, PLAIN, REST, CallSite, Definition, Import, Parameter
from vetgate.index.objects import bind, lose
from vetgate.index.reading import CLASS, FUNCTION, UNKNOWN, UNNAMED
from vetgate.source.syntax import child_of, children_in, first_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from tree_sitter import Node

    from vetgate.index.objects import Names
    from vetgate.index.reading import Reading, See


_NAMES = frozenset({"name", "qualified_name", "relative_name"})
_THIS = "$this"
# How the name of a property begins.
_PROPERTY = f"{_THIS}->"
# Which class these are nobody can tell, or another one for every subclass.
_VAGUE = frozenset({"static", "parent"})
# What may give a value to any name.
_FILLING = frozenset({"extract", "parse_str", "eval", "mb_parse_str"})
# What is asked what it is.
_ASKING = frozenset({"is_a", "is_subclass_of", "get_class", "get_debug_type", "get_parent_class", "method_exists"})
_MADE = "object_creation_expression"
_ANNOTATED = expression(r"@(?:phpstan-|psalm-)?var\s+\S[^$\n]*(\$\w+)")


def _written_type(reading: Reading, node: Node | None) -> str:
    """`C` of `C`, of `?C` and of `C|null`; "" for what is no single class."""
    parts = node.named_children if node is not None and node.type in {"optional_type", "union_type"} else [node]
    named = [part for part in parts if part is not None and reading.text(part).lower() != "null"]
    if len(named) != 1 or named[0].type != "named_type":
        return ""
    return _class_name(reading, named[0].named_children[0])


def _made_type(reading: Reading, node: Node | None) -> str:
    """Of `new C(1)` and of `(new C)`."""
    while node is not None and node.type == "parenthesized_expression" and node.named_children:
        node = node.named_children[0]
    if node is None or node.type != _MADE or not node.named_children:
        return ""
    return _class_name(reading, node.named_children[0])


def _class_name(reading: Reading, node: Node) -> str:
    name = reading.text(node) if node.type in _NAMES else ""
    return name if name not in _VAGUE else ""


def _bind_parameters(reading: Reading, function: Node) -> None:
    """An arrow function has the names of what it stands in, and these."""
    for child in children_in(function, "parameters"):
        name = reading.text(child.child_by_field_name("name"))
        is_plain = child.type != "variadic_parameter" and child.child_by_field_name("reference_modifier") is None
        kind = _written_type(reading, child.child_by_field_name("type"))
        _bind_name(reading, function, name, kind if is_plain else "")
        if child.type == "property_promotion_parameter":
            bind(reading.scope(child, CLASS), f"{_PROPERTY}{name[1:]}", kind)


def _held(reading: Reading, target: Node) -> tuple[str, Names] | None:
    """The name of what a method is called on, and the scope that has it."""
    if target.type == "variable_name":
        return reading.text(target), reading.scope(target)
    of, name = target.child_by_field_name("object"), target.child_by_field_name("name")
    is_own = target.type.endswith("member_access_expression") and of is not None and reading.text(of) == _THIS
    if not is_own or name is None or name.type != "name":
        return None
    return f"{_PROPERTY}{reading.text(name)}", reading.scope(target, CLASS)


def _bind_name(reading: Reading, node: Node, name: str, kind: str) -> None:
    bind(reading.scope(node), name, kind)


def _unknown(reading: Reading, nodes: Iterable[Node | None]) -> None:
    for each in _variables(nodes):
        _bind_name(reading, each, reading.text(each), "")


def _variables(nodes: Iterable[Node | None]) -> Iterator[Node]:
    pending = list(nodes)
    while pending:
        here = pending.pop()
        if here is not None and here.type == "variable_name":
            yield here
        elif here is not None:
            pending.extend(here.named_children)


def _assigned(reading: Reading, node: Node) -> None:
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if right is not None and right.type == "null":
        return
    if left is not None and left.type == "variable_name":
        _bind_name(reading, left, reading.text(left), _made_type(reading, right))
    elif left is not None and left.type == "list_literal":
        _unknown(reading, [left])


def _aliased(reading: Reading, node: Node) -> None:
    _unknown(reading, [node.child_by_field_name("left"), node.child_by_field_name("right")])


def _changed(reading: Reading, node: Node) -> None:
    _unknown(reading, [node.child_by_field_name("left")])


def _looped(reading: Reading, node: Node) -> None:
    body = node.child_by_field_name("body")
    _unknown(reading, (child for child in node.named_children[1:] if child != body))


def _named(reading: Reading, node: Node) -> None:
    _unknown(reading, [node.child_by_field_name("name")])


def _all(reading: Reading, node: Node) -> None:
    _unknown(reading, [node])


def _asked(reading: Reading, node: Node) -> None:
    """Behind an `instanceof` it may be used as a subclass."""
    if any(child.type == "instanceof" for child in node.children[1:2]):
        _doubt(reading, node.children[0])


def _doubt(reading: Reading, asked: Node | None) -> None:
    """Of what somebody asks what it is."""
    own = _held(reading, asked) if asked is not None else None
    if own is not None:
        bind(own[1], own[0], "")
    else:
        _unknown(reading, [asked])


def _class_asked(reading: Reading, node: Node) -> None:
    """`$m::class`."""
    _doubt(reading, node.named_children[0] if node.named_children else None)


def _annotated(reading: Reading, node: Node) -> None:
    """Who writes down what it is there knows better."""
    for name in _ANNOTATED.findall(reading.text(node)):
        _bind_name(reading, node, name, "")


def _filled(reading: Reading, node: Node) -> None:
    lose(reading.scope(node))


def _taken_along(reading: Reading, node: Node) -> None:
    """`use ($a, &$b)`."""
    inner, outer = reading.scope(node), reading.scope(node, above=1)
    for child in node.named_children:
        name = reading.text(child).lstrip("& ")
        if child.type == "variable_name":
            reading.objects.merge_scope(name, inner, outer)
        else:
            bind(inner, name, "")
            bind(outer, name, "")


def _property(reading: Reading, node: Node) -> None:
    kind = _written_type(reading, node.child_by_field_name("type"))
    for child in node.named_children:
        if child.type == "property_element":
            name = reading.text(child.child_by_field_name("name"))
            bind(reading.scope(node, CLASS), f"{_PROPERTY}{name[1:]}", kind)


_VARIABLES: Mapping[str, See] = {
    "assignment_expression": _assigned,
    "reference_assignment_expression": _aliased,
    "augmented_assignment_expression": _changed,
    "foreach_statement": _looped,
    "catch_clause": _named,
    "global_declaration": _all,
    "static_variable_declaration": _named,
    "by_ref": _all,
    "binary_expression": _asked,
    "class_constant_access_expression": _class_asked,
    "comment": _annotated,
    "dynamic_variable_name": _filled,
    "include_expression": _filled,
    "include_once_expression": _filled,
    "require_expression": _filled,
    "require_once_expression": _filled,
    "anonymous_function_use_clause": _taken_along,
    "arrow_function": _bind_parameters,
    "property_declaration": _property,
}


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
    _bind_parameters(reading, node)


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
            yield from (reading.text(each) if each.type in _NAMES else UNKNOWN for each in named)
    for child in node.named_children:
        if child.type in _ABOVE:
            above = (reading.text(each) for each in child.named_children if each.type in _NAMES)
            yield from (f"{_ABOVE[child.type]}{each}" for each in above)


def _call(reading: Reading, node: Node) -> None:
    function = node.child_by_field_name("function")
    if function is not None and function.type in _NAMES:
        _note(reading, node, reading.text(function))
        word = reading.text(function).strip("\\")
        if word == ALIAS:
            _alias(reading, node)
        elif word in _FILLING:
            lose(reading.scope(node))
        elif word in _ASKING:
            _ask(reading, node)


def _ask(reading: Reading, node: Node) -> None:
    arguments = node.child_by_field_name("arguments")
    first = child_of(arguments, "argument") if arguments else None
    _doubt(reading, first.named_children[0] if first is not None and first.named_children else None)


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
        is_named = scope.type in _NAMES or scope.type == "relative_scope"
        _note(reading, node, f"{reading.text(scope) if is_named else '?'}.{reading.text(name)}")


def _member_call(reading: Reading, node: Node) -> None:
    target, name = node.child_by_field_name("object"), node.child_by_field_name("name")
    if target is None or name is None or name.type != "name":
        return
    if reading.text(target) == _THIS:
        _note(reading, node, f"this.{reading.text(name)}")
        return
    made, variable = _made_type(reading, target), _held(reading, target)
    if variable is not None:
        reading.objects.ask(*variable)
    _note(reading, node, f"{made or '?'}.{reading.text(name)}", made)


def _making(reading: Reading, node: Node) -> None:
    named = next((child for child in node.named_children if child.type in _NAMES), None)
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
        named = next((child for child in clause.named_children if child.type in _NAMES), None)
        if of != "const" and named is not None:
            _brought(reading, clause, f"{prefix}\\{reading.text(named)}", is_function=of == "function")


def _brought(reading: Reading, clause: Node, whole: str, *, is_function: bool) -> None:
    module, _, name = whole.strip("\\").rpartition("\\")
    local = reading.text(clause.child_by_field_name("alias")) or name
    mark = AS_FUNCTION if is_function else ""
    reading.imports.append(Import(first_line(clause), module, name, f"{local}{mark}"))


READERS: Mapping[str, See] = {
    **_VARIABLES,
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
