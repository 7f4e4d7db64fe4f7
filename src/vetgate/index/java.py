"""What the index notes of Java."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vetgate.index.facts import NEW, PLAIN, REST, STATIC, CallSite, Definition, Import, Parameter
from vetgate.index.reading import CLASS, FUNCTION, UNKNOWN, UNNAMED
from vetgate.index.visibility import PACKAGE, PRIVATE, PROTECTED
from vetgate.source.syntax import child_of, children_in, enclosing, first_line

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tree_sitter import Node

    from vetgate.index.reading import Reading, See

# Up to the end of these a variable is known that a pattern has bound.
_STATEMENTS = ("_statement", "_declaration", "switch_rule", "switch_block_statement_group")


def type_name(reading: Reading, node: Node | None) -> str:
    """`a.B` of `a.B<C>`; "" for what has no name of its own."""
    if node is not None and node.type == "generic_type":
        node = node.named_children[0]
    if node is None or node.type not in {"type_identifier", "scoped_type_identifier"}:
        return ""
    text = reading.text(node)
    return text if text.replace(".", "").replace("_", "a").replace("$", "a").isalnum() else ""


def declare_fields(reading: Reading, body: Node | None) -> None:
    pending = list(body.named_children) if body is not None else []
    until = body.end_byte if body is not None else 0
    while pending:
        member = pending.pop()
        if member.type in {"field_declaration", "constant_declaration"}:
            _declare_all(reading, member, until)
        elif member.type == "enum_constant":
            reading.declare(reading.text(member.child_by_field_name("name")), "", until)
        elif member.type == "enum_body_declarations":
            pending += member.named_children


def declare_parameters(reading: Reading, node: Node | None, until: int) -> None:
    for child in node.named_children if node is not None else ():
        if child.type == "formal_parameter":
            _declare(reading, child.child_by_field_name("name"), child.child_by_field_name("type"), until)
        elif child.type == "spread_parameter":
            reading.declare(reading.text(child.named_children[-1].child_by_field_name("name")), "", until)
        elif child.type == "identifier":
            reading.declare(reading.text(child), "", until)


def _declare(reading: Reading, name: Node | None, kind: Node | None, until: int) -> None:
    reading.declare(reading.text(name), type_name(reading, kind), until)


def _declare_all(reading: Reading, node: Node, until: int) -> None:
    kind = type_name(reading, node.child_by_field_name("type"))
    for each in node.children_by_field_name("declarator"):
        is_array = each.child_by_field_name("dimensions") is not None
        known = made_type(reading, each.child_by_field_name("value")) if kind == "var" else kind
        reading.declare(reading.text(each.child_by_field_name("name")), "" if is_array else known, until)


def made_type(reading: Reading, value: Node | None) -> str:
    """Of `new C(1)`; one with a body has members of its own."""
    if value is None or value.type != "object_creation_expression" or value.named_children[-1].type == "class_body":
        return ""
    return type_name(reading, value.child_by_field_name("type"))


def _local(reading: Reading, node: Node) -> None:
    _declare_all(reading, node, node.parent.end_byte if node.parent is not None else node.end_byte)


def _in_head(reading: Reading, node: Node) -> None:
    """A variable of a `for` or of a `catch`."""
    around = node.parent if node.type == "catch_formal_parameter" and node.parent is not None else node
    _declare(reading, node.child_by_field_name("name"), node.child_by_field_name("type"), around.end_byte)


def _resource(reading: Reading, node: Node) -> None:
    around = node.parent.parent if node.parent is not None else None
    if node.child_by_field_name("name") is not None and around is not None:
        kind = type_name(reading, node.child_by_field_name("type"))
        known = made_type(reading, node.child_by_field_name("value")) if kind == "var" else kind
        reading.declare(reading.text(node.child_by_field_name("name")), known, around.end_byte)


def _lambda(reading: Reading, node: Node) -> None:
    parameters = node.child_by_field_name("parameters")
    if parameters is not None and parameters.type == "identifier":
        reading.declare(reading.text(parameters), "", node.end_byte)
    else:
        declare_parameters(reading, parameters, node.end_byte)


def _pattern(reading: Reading, node: Node) -> None:
    """Known in the statement that binds it; behind that it may mean this or what it meant before."""
    name, kind = node.child_by_field_name("name"), node.child_by_field_name("right")
    if node.type in {"type_pattern", "record_pattern_component"} and len(node.named_children) > 1:
        kind, name = node.named_children[-2], node.named_children[-1]
    if name is None:
        return
    statement = node
    while statement.parent is not None and not statement.type.endswith(_STATEMENTS):
        statement = statement.parent
    around = statement.parent
    reading.declare(reading.text(name), "", around.end_byte if around is not None else statement.end_byte)
    reading.declare(reading.text(name), type_name(reading, kind), statement.end_byte)


def _type_parameter(reading: Reading, node: Node) -> None:
    name = child_of(node, "type_identifier", "identifier")
    reading.rebound.add(reading.text(name))


_DECLARATIONS: Mapping[str, See] = {
    "local_variable_declaration": _local,
    "enhanced_for_statement": _in_head,
    "catch_formal_parameter": _in_head,
    "resource": _resource,
    "lambda_expression": _lambda,
    "instanceof_expression": _pattern,
    "type_pattern": _pattern,
    "record_pattern_component": _pattern,
    "type_parameter": _type_parameter,
}


ENUM = "enum"
# Members of these are for everybody, unless they say otherwise.
_OPEN_BODIES = frozenset({"interface_body", "annotation_type_body"})
_MAKERS = frozenset({"constructor_declaration", "compact_constructor_declaration"})
_REMARKS = frozenset({"line_comment", "block_comment"})
# With these Lombok writes constructors into a class that has none.
_WRITE_MAKERS = frozenset(
    """NoArgsConstructor RequiredArgsConstructor AllArgsConstructor Data Value Builder SuperBuilder StandardException
    UtilityClass""".split()  # noqa: SIM905 - a list of names
)
_MADE_OF_BODIES = frozenset({"class_declaration", "record_declaration", "enum_declaration"})


def _package(reading: Reading, node: Node) -> None:
    reading.space = reading.text(node.named_children[-1]) if node.named_children else ""


def _import(reading: Reading, node: Node) -> None:
    named = child_of(node, "scoped_identifier", "identifier")
    is_static = any(child.type == STATIC for child in node.children)
    module = reading.text(named)
    name = "*"
    if all(child.type != "asterisk" for child in node.named_children):
        module, _, name = module.rpartition(".")
    # What is static is brought along beside the classes, and may have the name of one.
    reading.imports.append(Import(first_line(node), module, name, f"{STATIC} {name}" if is_static else name))


def _class(reading: Reading, node: Node) -> None:
    name = reading.text(node.child_by_field_name("name"))
    body = node.child_by_field_name("body")
    if reading.is_inside_function(node):
        reading.rebound.add(name)
    else:
        symbol = reading.symbol(node, name)
        made = node.type.removesuffix("_declaration")
        bases = tuple(_bases(reading, node))
        visibility = _reach(node)
        reading.definitions.append(
            Definition(symbol, first_line(node), CLASS, None, bases=bases, made=made, visibility=visibility)
        )
        reading.definitions += _implicit_members(reading, node, symbol, visibility)
    reading.open_scope(node, CLASS, name)
    if not _has_maker(reading, node):
        _to_base_class(reading, node, node)
    declare_fields(reading, body)
    for each in node.named_children if node.type == "record_declaration" else ():
        if each.type == "formal_parameters":
            declare_parameters(reading, each, node.end_byte)


def _bases(reading: Reading, node: Node) -> Iterator[str]:
    for child in node.named_children:
        if child.type == "superclass":
            yield from (type_name(reading, each) or UNKNOWN for each in child.named_children)
        elif child.type in {"super_interfaces", "extends_interfaces"}:
            for listed in child.named_children:
                yield from (type_name(reading, each) or UNKNOWN for each in listed.named_children)


def _implicit_members(reading: Reading, node: Node, symbol: str, visibility: str) -> Iterator[Definition]:
    """What a class has without saying so: a constructor, and in a record a method for each component."""
    name, line = symbol.rpartition(".")[2], first_line(node)
    members = children_in(node, "body")
    components = tuple(_parameters(reading, node.child_by_field_name("parameters")))
    if node.type == "record_declaration":
        methods = {reading.text(each.child_by_field_name("name")) for each in members if _takes_nothing(each)}
        for each in components:
            if each.name not in methods:
                yield Definition(f"{symbol}.{each.name}", line, "method", ())
        if not any(_is_canonical(each, components) for each in members):
            compact = next((each for each in members if each.type == "compact_constructor_declaration"), None)
            yield Definition(
                f"{symbol}.{name}", line, "method", components, visibility=_reach(compact) if compact else visibility
            )
    elif node.type == "class_declaration" and not any(each.type in _MAKERS for each in members):
        yield Definition(f"{symbol}.{name}", line, "method", (), visibility=visibility)


def _has_maker(reading: Reading, node: Node) -> bool:
    """Whether a class says how it is made, or has it said by what writes constructors into it."""
    body = node.child_by_field_name("body")
    if body is None or any(each.type in _MAKERS for each in body.named_children):
        return True
    modifiers = next((child for child in node.children if child.type == "modifiers"), None)
    said = (each.child_by_field_name("name") for each in (modifiers.named_children if modifiers is not None else ()))
    return any(reading.text(each).rpartition(".")[2] in _WRITE_MAKERS for each in said)


def _takes_nothing(member: Node) -> bool:
    parameters = member.child_by_field_name("parameters") if member.type == "method_declaration" else None
    return parameters is not None and not parameters.named_children


def _is_canonical(member: Node, components: tuple[Parameter, ...]) -> bool:
    """Written out in full; one that is compact takes what the record says."""
    parameters = member.child_by_field_name("parameters") if member.type == "constructor_declaration" else None
    listed = [child for child in parameters.named_children if child.type not in _REMARKS] if parameters else []
    return parameters is not None and len(listed) == len(components)


def _method(reading: Reading, node: Node) -> None:
    name = reading.text(node.child_by_field_name("name")) or UNNAMED
    symbol = reading.symbol(node, name)
    reading.functions.append((symbol, node))
    is_known = node.type != "compact_constructor_declaration" and UNKNOWN not in symbol
    if is_known and not reading.is_inside_function(node):
        # What a type parameter stands for differs from call to call.
        is_generic = any(child.type == "type_parameters" for child in node.named_children)
        reading.definitions.append(
            Definition(
                symbol,
                first_line(node),
                "method",
                tuple(_parameters(reading, node.child_by_field_name("parameters"))),
                "" if is_generic else reading.text(node.child_by_field_name("type")),
                word=STATIC if _is_said(node, STATIC) else "",
                visibility=_reach(node),
            )
        )
    reading.open_scope(node, FUNCTION, name)
    declare_parameters(reading, node.child_by_field_name("parameters"), node.end_byte)


def _constructor(reading: Reading, node: Node) -> None:
    """One that hands nothing on calls the one of the base class that takes nothing."""
    _method(reading, node)
    body, around = node.child_by_field_name("body"), node.parent.parent if node.parent is not None else None
    hands_on = body is None or any(each.type == "explicit_constructor_invocation" for each in body.named_children)
    if around is not None and not hands_on:
        _to_base_class(reading, node, around)


def _reach(node: Node) -> str:
    said = next((each for each in (PRIVATE, PROTECTED, "public") if _is_said(node, each)), "")
    if said:
        return "" if said == "public" else said
    body = node.parent
    if node.type == "constructor_declaration" and body is not None and body.type == "enum_body_declarations":
        return PRIVATE
    return "" if body is not None and body.type in _OPEN_BODIES else PACKAGE


def _is_said(node: Node, word: str) -> bool:
    modifiers = next((child for child in node.children if child.type == "modifiers"), None)
    return modifiers is not None and any(child.type == word for child in modifiers.children)


def _parameters(reading: Reading, node: Node | None) -> Iterator[Parameter]:
    for child in node.named_children if node is not None else ():
        if child.type == "formal_parameter":
            yield Parameter(reading.text(child.child_by_field_name("name")), PLAIN)
        elif child.type == "spread_parameter":
            yield Parameter(reading.text(child.named_children[-1].child_by_field_name("name")), REST)


def _call(reading: Reading, node: Node) -> None:
    name = reading.text(node.child_by_field_name("name"))
    target = node.child_by_field_name("object")
    if any(child.type == "super" for child in node.children) and target is not None and target.type != "super":
        return  # `Shape.super.draw()`
    if target is None:
        _noted(reading, node, name, "")
        return
    if made := _fresh_type(reading, target):
        _noted(reading, node, f"{made}.{name}", made)
        return
    path = _dotted(target, reading)
    of = _receiver_type(reading, node, path)
    _noted(reading, node, f"{path}.{name}" if of is not None and path else f"?.{name}", of or "")


def _fresh_type(reading: Reading, target: Node) -> str:
    """Of `new C(1)` and `(new C(1))`, but not of a class inside of the one that another object has."""
    while target.type == "parenthesized_expression" and target.named_children:
        target = target.named_children[0]
    is_plain = target.type == "object_creation_expression" and target.children[0].type == "new"
    return made_type(reading, target) if is_plain else ""


def _referred(reading: Reading, node: Node) -> None:
    """`Box::of` and `this::step`: whoever gets it knows what to pass."""
    target, last = node.children[0], node.children[-1]
    path = _dotted(target, reading)
    of = _receiver_type(reading, node, path) if path else None
    if of is None or last.type not in {"identifier", "new"} or (last.type == "new" and of):
        return
    callee = f"{path}.{reading.text(last)}" if last.type == "identifier" else f"{NEW}{path}"
    reading.calls.append(CallSite(callee, first_line(node), is_open=True, owner=reading.owner(node), of=of))


def _receiver_type(reading: Reading, node: Node, path: str) -> str | None:
    """None for a variable of a type that nobody can tell; nothing for what is no variable."""
    first, _, rest = path.partition(".")
    if first == "this" and rest:
        first, _, rest = rest.partition(".")
        return reading.type_of(node, first) or None if not rest else None
    known = reading.type_of(node, first)
    if known is None:
        return ""
    return known if known and not rest else None


def _dotted(node: Node, reading: Reading) -> str:
    parts: list[str] = []
    here: Node | None = node
    while here is not None and here.type == "field_access":
        parts.append(reading.text(here.child_by_field_name("field")))
        here = here.child_by_field_name("object")
    if here is None or here.type not in {"identifier", "this", "super"}:
        return ""
    found = [reading.text(here), *reversed(parts)]
    # `Outer.this`
    return ".".join(found) if not {"this", "super"} & set(found[1:]) else ""


def _made(reading: Reading, node: Node) -> None:
    kind = type_name(reading, node.child_by_field_name("type"))
    is_of_another = node.children[0].type != "new"
    body = node.named_children[-1]
    if body.type == "class_body":
        # A subclass without a name, which is made: what the subclass itself may call, this may.
        reading.open_scope(body, CLASS, UNKNOWN)
        declare_fields(reading, body)
    if kind and not is_of_another:
        _noted(reading, node, f"{NEW}{kind}", "")


def _passed_up(reading: Reading, node: Node) -> None:
    """`this(…)` and `super(…)` at the head of a constructor."""
    around = enclosing(node.parent, _MADE_OF_BODIES)
    is_of_another = len(node.named_children) > 2
    if around is None or is_of_another:
        return
    word = node.child_by_field_name("constructor")
    if word is not None and word.type == "this":
        _noted(reading, node, f"{NEW}{reading.text(around.child_by_field_name('name'))}", "")
    elif word is not None:
        _to_base_class(reading, node, around)


def _to_base_class(reading: Reading, node: Node, around: Node) -> None:
    """A call of the constructor that the class around inherits from."""
    above = around.child_by_field_name("superclass")
    kind = type_name(reading, above.named_children[-1]) if above is not None else ""
    if kind:
        _noted(reading, node, f"{NEW}{kind}", "")


def _constant(reading: Reading, node: Node) -> None:
    """`RED(1)` makes an object of its enumeration."""
    around = reading.owner(node).rpartition(".")[2]
    _noted(reading, node, f"{NEW}{around}", "")
    body = node.child_by_field_name("body")
    if body is not None:
        reading.open_scope(body, CLASS, UNKNOWN)
        declare_fields(reading, body)


def _noted(reading: Reading, node: Node, callee: str, of: str) -> None:
    arguments = node.child_by_field_name("arguments")
    given = sum(child.type not in _REMARKS for child in arguments.named_children) if arguments is not None else 0
    reading.calls.append(CallSite(callee, first_line(node), given, owner=reading.owner(node), of=of))


READERS: Mapping[str, See] = {
    **_DECLARATIONS,
    "package_declaration": _package,
    "import_declaration": _import,
    "class_declaration": _class,
    "interface_declaration": _class,
    "enum_declaration": _class,
    "record_declaration": _class,
    "annotation_type_declaration": _class,
    "method_declaration": _method,
    "constructor_declaration": _constructor,
    "compact_constructor_declaration": _method,
    "enum_constant": _constant,
    "method_invocation": _call,
    "method_reference": _referred,
    "object_creation_expression": _made,
    "explicit_constructor_invocation": _passed_up,
}
