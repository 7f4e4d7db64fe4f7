"""What the index notes of JavaScript and TypeScript."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vetgate.index import commonjs, ecmascript_objects
from vetgate.index.commonjs import DEFAULT
from vetgate.index.ecmascript_objects import assigned, bind_all, declare_parameters, declared, entered, receiver
from vetgate.index.facts import PLAIN, REST, STATIC, CallSite, Definition, Export, Import, Parameter
from vetgate.index.objects import UNSURE, bind
from vetgate.index.reading import CLASS, FUNCTION, UNKNOWN, UNNAMED
from vetgate.source.syntax import child_of, children_in, first_line

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tree_sitter import Node

    from vetgate.index.reading import Reading, See

_FUNCTIONS = frozenset({"arrow_function", "function_expression", "generator_function"})
_WORDS = frozenset({"readonly", "declare", "abstract", "type", "satisfies"})
_CLAUSES = frozenset({"import_clause", "import_require_clause"})
_DECLARING = frozenset({"variable_declarator", "public_field_definition", "field_definition"})
_REACHING = frozenset({"member_expression", "non_null_expression"})
_NAMING = ("_declaration", "_definition")
_FIRST = "first"
_SUPER, _MAKER = "super", "constructor"
_IF_THERE = b"?."
_ASSIGNS = ("name", "key", "property", "left")


def _function(reading: Reading, node: Node) -> None:
    name = reading.text(node.child_by_field_name("name")) or reading.names.get(node.start_byte, "")
    symbol = reading.symbol(node, name or UNNAMED)
    reading.functions.append((symbol, node))
    if name and node.start_byte not in reading.members and not reading.is_inside_function(node):
        method = node.type == "method_definition"
        if not method or reading.owner(node):
            reading.definitions.append(_definition(reading, node, symbol, "method" if method else FUNCTION))
    elif name and node.type.endswith("_declaration"):
        reading.bound.add(name)
    if node.type.endswith(_NAMING):
        bind(reading.here(node), name, UNSURE)
    reading.open_scope(node, FUNCTION, name or UNNAMED)
    entered(reading, node)


def _signature(reading: Reading, node: Node) -> None:
    """An overload: with several of them nobody can tell from one line what a call has to pass."""
    name = reading.text(node.child_by_field_name("name"))
    if name and not reading.is_inside_function(node):
        reading.definitions.append(Definition(reading.symbol(node, name), first_line(node), FUNCTION, None))


def _abstract(reading: Reading, node: Node) -> None:
    """What subclasses have to have, and callers may rely on."""
    name = reading.text(node.child_by_field_name("name"))
    if name and not reading.is_inside_function(node) and reading.owner(node):
        reading.definitions.append(_definition(reading, node, reading.symbol(node, name), "method"))


def _definition(reading: Reading, node: Node, symbol: str, kind: str) -> Definition:
    parameters: tuple[Parameter, ...] | None = tuple(_parameters(reading, node))
    body = node.child_by_field_name("body")
    if node.start_byte in reading.loose or (body is not None and _uses_arguments(reading, body)):
        parameters = None
    words = [child.type for child in node.children[:3]]
    return Definition(
        symbol,
        first_line(node),
        "accessor" if "get" in words or "set" in words else kind,
        parameters,
        _returns(reading, node),
        is_async="async" in words,
        exported=node.start_byte in reading.exported,
        word=STATIC if kind == "method" and STATIC in words else "",
        visibility=_reach(reading, node) if kind == "method" else "",
    )


def _returns(reading: Reading, node: Node) -> str:
    """Nothing, where it hangs on a type parameter what that is."""
    text = reading.text(node.child_by_field_name("return_type")).lstrip(":").strip()
    is_generic = node.child_by_field_name("type_parameters") is not None or text in reading.generics
    return "" if is_generic else text


def _reach(reading: Reading, node: Node) -> str:
    said = next((reading.text(child) for child in node.children if child.type == "accessibility_modifier"), "public")
    return "" if said == "public" else said


def _uses_arguments(reading: Reading, body: Node) -> bool:
    return b"arguments" in reading.syntax.data[body.start_byte : body.end_byte]


def _parameters(reading: Reading, node: Node) -> Iterator[Parameter]:
    alone = node.child_by_field_name("parameter")
    if alone is not None:
        yield Parameter(reading.text(alone))
        return
    for child in children_in(node, "parameters"):
        if child.type == "comment":
            continue
        each = _parameter(reading, child)
        if each.name != "this":
            yield each


def _parameter(reading: Reading, node: Node) -> Parameter:
    pattern = node.child_by_field_name("pattern") or node.child_by_field_name("left") or node
    optional = node.type in {"optional_parameter", "assignment_pattern"} or (
        node.child_by_field_name("value") is not None or _may_be_void(reading, node.child_by_field_name("type"))
    )
    kind = REST if pattern.type == "rest_pattern" else PLAIN
    name = reading.text(pattern).lstrip(".") if pattern.type in {"identifier", "rest_pattern", "this"} else ""
    return Parameter(name, kind, optional)


def _may_be_void(reading: Reading, node: Node | None) -> bool:
    """What a class is generic over may stand for nothing at all, and nothing need not be passed."""
    parts = {part.strip() for part in reading.text(node).strip(": ").split("|")} if node is not None else set()
    return "void" in parts or not parts.isdisjoint(reading.generics)


def _class(reading: Reading, node: Node) -> None:
    name = reading.text(node.child_by_field_name("name")) or reading.names.get(node.start_byte, UNNAMED)
    if reading.is_inside_function(node):
        reading.bound.add(name)
    else:
        bases = tuple(_bases(reading, node))
        exported = node.start_byte in reading.exported
        symbol = reading.symbol(node, name)
        reading.definitions.append(Definition(symbol, first_line(node), CLASS, None, exported=exported, bases=bases))
    bind(reading.here(node), name, UNSURE)
    reading.open_scope(node, CLASS, name)
    for each in children_in(node, "type_parameters"):
        reading.generics.add(reading.text(each.child_by_field_name("name")))


def _bases(reading: Reading, node: Node) -> Iterator[str]:
    for child in node.named_children:
        if child.type == "decorator":
            yield UNKNOWN
        elif child.type == "class_heritage":
            for clause in child.named_children:
                # What it implements has no say in how it is made.
                if clause.type == "extends_clause":
                    yield dotted(reading, clause.child_by_field_name("value")) or UNKNOWN
                elif clause.type != "implements_clause":
                    yield dotted(reading, clause) or UNKNOWN


def _assigns(reading: Reading, node: Node) -> None:
    """A function's name is what it is assigned to."""
    value = node.child_by_field_name("value") or node.child_by_field_name("right")
    target = next(filter(None, map(node.child_by_field_name, _ASSIGNS)), None)
    if target is None:
        return
    is_code = value is not None and (value.type in _FUNCTIONS or value.type == CLASS)
    if is_code and value is not None:
        _call_it(reading, node, value, reading.text(target))
    if node.type in _DECLARING:
        declared(reading, node)
    if node.type == "variable_declarator":
        if not is_code or reading.is_inside_function(node):
            _bind(reading, target)
        commonjs.note_passed_exports(reading, value)
    elif node.type == "assignment_expression":
        assigned(reading, node)
        commonjs.exported(reading, node)
        commonjs.note_passed_exports(reading, value)
        if target.type == "identifier":
            reading.bound.add(reading.text(target))


def _call_it(reading: Reading, node: Node, value: Node, name: str) -> None:
    reading.names[value.start_byte] = name
    around = node.parent
    is_fixed = around is None or around.type != "lexical_declaration" or around.children[0].type == "const"
    if not is_fixed or node.child_by_field_name("type") is not None:
        reading.loose.add(value.start_byte)
    if node.type in {"pair", "assignment_expression"}:
        reading.members.add(value.start_byte)
    if node.start_byte in reading.exported:
        reading.exported.add(value.start_byte)


def _bind(reading: Reading, node: Node) -> None:
    reading.bound.update(_bound_by(reading, node))


def _bound_by(reading: Reading, node: Node | None) -> Iterator[str]:
    """The names in a pattern."""
    pending = [node] if node is not None else []
    while pending:
        here = pending.pop()
        if here.type in {"identifier", "shorthand_property_identifier_pattern"}:
            yield reading.text(here)
        else:
            pending.extend(here.named_children)


def _bind_parameters(reading: Reading, node: Node) -> None:
    declare_parameters(reading, node)
    for child in node.named_children:
        pattern = child.child_by_field_name("pattern") or child.child_by_field_name("left") or child
        _bind(reading, pattern)


def _bind_parameter(reading: Reading, node: Node) -> None:
    alone = node.child_by_field_name("parameter")
    if alone is not None:
        _bind(reading, alone)


def _bind_field(field: str) -> See:
    """A loop's variable, what is caught, a name for a part of a namespace."""

    def bind(reading: Reading, node: Node) -> None:
        named = node.child_by_field_name(field) or (node.named_children[0] if field == _FIRST else None)
        if named is not None and named.type != "member_expression":
            _bind(reading, named)
            bind_all(reading, named)

    return bind


def _arrow(reading: Reading, node: Node) -> None:
    _bind_parameter(reading, node)
    _function(reading, node)


def _call(reading: Reading, node: Node) -> None:
    function = node.child_by_field_name("function") or node.child_by_field_name("constructor")
    callee = dotted(reading, function)
    arguments = node.child_by_field_name("arguments")
    if callee == commonjs.REQUIRE or (function is not None and function.type == "import"):
        commonjs.required(reading, node)
    # What does not parse is often a type that the grammar does not know, and no call at all.
    if not callee or callee in _WORDS or node.has_error or (arguments is not None and arguments.type != "arguments"):
        return
    given = [child for child in arguments.named_children if child.type != "comment"] if arguments else []
    for child in given:
        commonjs.note_passed_exports(reading, child)
    parent = node.parent
    made = "new " if node.type == "new_expression" else ""
    reading.calls.append(
        CallSite(
            f"{made}{callee}",
            first_line(node),
            len(given),
            (),
            any(child.type == "spread_element" for child in given),
            reading.owner(node),
            awaited=parent is not None and parent.type == "await_expression",
            of=_receiver(reading, function, callee) if function is not None and not made else "",
        )
    )


def _receiver(reading: Reading, function: Node, callee: str) -> str:
    """Of `it.send?.()` nobody can tell: whoever writes that reckons with there being no such method."""
    is_asked = reading.syntax.data.startswith(_IF_THERE, function.end_byte)
    return UNSURE if is_asked else receiver(reading, function, callee)


def dotted(reading: Reading, node: Node | None) -> str:
    parts: list[str] = []
    while node is not None and node.type in _REACHING:
        if node.type == "non_null_expression":
            node = node.named_children[0]
            continue
        parts.append(reading.text(node.child_by_field_name("property")))
        node = node.child_by_field_name("object")
    if node is not None and node.type == _SUPER and len(parts) <= 1:
        return ".".join((_SUPER, *(parts or (_MAKER,))))
    if node is not None and node.type in {"identifier", "this"}:
        return ".".join((reading.text(node), *reversed(parts)))
    return f"?.{parts[0]}" if parts else ""


def _import(reading: Reading, node: Node) -> None:
    module = _unquoted(reading, node.child_by_field_name("source"))
    clause = next((child for child in node.named_children if child.type in _CLAUSES), None)
    if clause is not None and clause.type == "import_require_clause":
        module = _unquoted(reading, clause.child_by_field_name("source"))
        reading.imports.append(Import(first_line(node), module, "", reading.text(clause.named_children[0])))
        return
    for child in clause.named_children if clause is not None else ():
        if child.type == "identifier":
            reading.imports.append(Import(first_line(node), module, DEFAULT, reading.text(child)))
        elif child.type == "namespace_import":
            reading.imports.append(Import(first_line(node), module, "", reading.text(child.named_children[-1])))
        else:
            for each in child.named_children:
                name, local = _specifier(reading, each)
                reading.imports.append(Import(first_line(each), module, name, local))


def _specifier(reading: Reading, node: Node) -> tuple[str, str]:
    name = reading.text(node.child_by_field_name("name"))
    return name, reading.text(node.child_by_field_name("alias")) or name


def _export(reading: Reading, node: Node) -> None:
    module = _unquoted(reading, node.child_by_field_name("source"))
    clause = child_of(node, "export_clause")
    if clause is not None:
        for each in clause.named_children:
            local, name = _specifier(reading, each)
            reading.exports.append(Export(name, local, module, first_line(each)))
        return
    if module:
        spread = child_of(node, "namespace_export")
        name, local = ("*", "*") if spread is None else (reading.text(spread.named_children[-1]), "")
        reading.exports.append(Export(name, local, module, first_line(node)))
        return
    declared = node.child_by_field_name("declaration") or node.child_by_field_name("value")
    is_default = any(child.type == DEFAULT for child in node.children)
    for name, start in _declared(reading, declared):
        reading.exported.add(start)
        reading.exports.append(Export(DEFAULT if is_default else name or "*", name, "", first_line(node)))


def _declared(reading: Reading, node: Node | None) -> Iterator[tuple[str, int]]:
    if node is not None and node.type == "ambient_declaration":
        node = next((child for child in node.named_children if child.type != "comment"), None)
    if node is None:
        yield "", -1  # `export = it`
    elif node.type in {"lexical_declaration", "variable_declaration"}:
        for child in node.named_children:
            name = child.child_by_field_name("name")
            yield from ((each, child.start_byte) for each in _bound_by(reading, name))
    elif node.type in {"identifier", "new_expression"}:
        yield commonjs.nameless(reading, node), node.start_byte
    else:
        yield reading.text(node.child_by_field_name("name")), node.start_byte


def _unquoted(reading: Reading, node: Node | None) -> str:
    return reading.text(node)[1:-1] if node is not None and node.type == "string" else ""


READERS: Mapping[str, See] = {
    **ecmascript_objects.READERS,
    "function_declaration": _function,
    "generator_function_declaration": _function,
    "function_expression": _function,
    "generator_function": _function,
    "arrow_function": _arrow,
    "method_definition": _function,
    "function_signature": _signature,
    "method_signature": _signature,
    "abstract_method_signature": _abstract,
    "class_declaration": _class,
    "abstract_class_declaration": _class,
    "class": _class,
    "variable_declarator": _assigns,
    "pair": _assigns,
    "public_field_definition": _assigns,
    "field_definition": _assigns,
    "assignment_expression": _assigns,
    "formal_parameters": _bind_parameters,
    "for_in_statement": _bind_field("left"),
    "catch_clause": _bind_field("parameter"),
    "import_alias": _bind_field(_FIRST),
    "call_expression": _call,
    "new_expression": _call,
    "import_statement": _import,
    "export_statement": _export,
}
