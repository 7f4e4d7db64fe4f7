"""What the index notes of Go, with what variables, fields and results are, by what is written in the file.

A kind is a type by its name, or what a function gives, and how it goes on from there: `api.Client`, `NewClient()`,
`Server:client` for a field, `Server:open()` for what a method gives. A number says which of several results it is.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from vetgate.index.facts import NEW, PLAIN, REST, CallSite, Definition, Import, Parameter
from vetgate.index.objects import UNSURE, bind
from vetgate.index.reading import FUNCTION, UNKNOWN, UNNAMED
from vetgate.source.syntax import first_line

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from tree_sitter import Node

    from vetgate.index.reading import Reading, See


# What a type is: of fields, of methods that others have, another name for one, made of one, or anything else.
STRUCT, INTERFACE, ALIAS, DERIVED, PLAIN_TYPE = "struct", "interface", "alias", "derived", "type"
GIVES, THEN, IS = "()", ":", "="
# So many steps lead from a name to what a method is called on; a chain of calls may have any number.
_LONGEST = 5
_UNDERLYING = {
    "struct_type": STRUCT,
    "interface_type": INTERFACE,
    "type_identifier": DERIVED,
    "qualified_type": DERIVED,
    "generic_type": DERIVED,
}
_MAKES = "new"


def _note_type(reading: Reading, node: Node) -> None:
    name, written = node.child_by_field_name("name"), node.child_by_field_name("type")
    if not reading.blocks.is_outside(node):
        reading.blocks.declare(reading.text(name), "", node.start_byte)
        return
    kind = ALIAS if node.type == "type_alias" else _UNDERLYING.get(written.type if written else "", PLAIN_TYPE)
    listed = node.child_by_field_name("type_parameters")
    generic = {reading.text(each) for each in _names(listed)}
    fields = list(_fields(reading, written, generic)) if kind == STRUCT else []
    bases = [of for _, of, is_embedded in fields if is_embedded]
    if kind == ALIAS:
        bases = [_written_type(reading, written) or UNSURE]
    word = " ".join(f"{field}{IS}{of}" for field, of, _ in fields)
    symbol = reading.text(name)
    exported = symbol[:1].isupper()
    reading.definitions.append(
        Definition(symbol, first_line(node), kind, None, exported=exported, bases=tuple(bases), word=word)
    )


def _fields(reading: Reading, struct: Node | None, generic: Collection[str]) -> Iterator[tuple[str, str, bool]]:
    """The name of each and its type, and whether it lends its methods."""
    body = struct.named_children[0] if struct is not None and struct.named_children else None
    for child in body.named_children if body is not None else ():
        if child.type == "field_declaration":
            of = _written_type(reading, child.child_by_field_name("type"))
            of = of if of and of not in generic else UNSURE
            names = child.children_by_field_name("name")
            yield from ((reading.text(each), of, False) for each in names)
            if not names:
                yield of.rpartition(".")[2], of, True


def _written_type(reading: Reading, node: Node | None) -> str:
    """`a.B` of `a.B`, `*a.B` and `a.B[C]`; "" for what is no type of a name, or is one of a block."""
    if node is not None and node.type in {"pointer_type", "parenthesized_type"}:
        node = next(iter(node.named_children), None)
    if node is not None and node.type == "generic_type":
        node = node.child_by_field_name("type")
    if node is None or node.type not in {"type_identifier", "qualified_type"}:
        return ""
    name = reading.text(node)
    is_hidden = reading.blocks.kind(name.partition(".")[0], node.start_byte) is not None
    return name if not is_hidden and name.replace(".", "").isidentifier() else ""


def _enter_function(reading: Reading, node: Node) -> str:
    """Declares all that its head names; the types of what it gives."""
    blocks = reading.blocks
    blocks.enter_function(node)
    receiver, body = node.child_by_field_name("receiver"), node.child_by_field_name("body")
    since = body.start_byte if body is not None else node.end_byte
    generic = [*_names(node.child_by_field_name("type_parameters")), *_receiving(receiver)]
    for each in generic:
        blocks.declare(reading.text(each), "", node.start_byte)
    results = node.child_by_field_name("result")
    for listed in (receiver, node.child_by_field_name("parameters"), results):
        for child in listed.named_children if listed is not None else ():
            kind = _written_type(reading, child.child_by_field_name("type"))
            kind = kind if child.type == "parameter_declaration" else ""
            for name in child.children_by_field_name("name"):
                blocks.declare(reading.text(name), kind, since)
    given = list(_result_types(reading, results))
    return " ".join(given) if any(each != UNSURE for each in given) else ""


def _names(listed: Node | None) -> Iterator[Node]:
    for child in listed.named_children if listed is not None else ():
        yield from child.children_by_field_name("name")


def _receiving(receiver: Node | None) -> Iterator[Node]:
    """The type parameters of `(s *Set[K])`."""
    for child in receiver.named_children if receiver is not None else ():
        written = child.child_by_field_name("type")
        if written is not None and written.type == "pointer_type":
            written = next(iter(written.named_children), None)
        listed = written.child_by_field_name("type_arguments") if written is not None else None
        yield from listed.named_children if listed is not None else ()


def _result_types(reading: Reading, results: Node | None) -> Iterator[str]:
    if results is not None and results.type != "parameter_list":
        yield _written_type(reading, results) or UNSURE
        return
    for child in results.named_children if results is not None else ():
        if child.type == "parameter_declaration":
            kind = _written_type(reading, child.child_by_field_name("type")) or UNSURE
            yield from (kind for _ in child.children_by_field_name("name") or (None,))


def _enter_block(reading: Reading, node: Node) -> None:
    reading.blocks.enter(node)


def _enter_case(reading: Reading, node: Node) -> None:
    """What a `switch` over types is about is of the one type that a case names."""
    alias, types = reading.blocks.alias(node), node.children_by_field_name("type")
    kind = _written_type(reading, types[0]) if len(types) == 1 else ""
    reading.blocks.enter(node)
    if alias:
        reading.blocks.declare(alias, kind, node.start_byte)


def _note_variables(reading: Reading, node: Node) -> None:
    """Of a `:=`, a `var`, a `const`, a `range` or a `case` that receives something."""
    _bind(reading, node)
    left = node.child_by_field_name("left")
    names = _listed(left) if left is not None else node.children_by_field_name("name")
    kinds = _kinds(reading, node, len(names))
    is_outside = reading.blocks.is_outside(node)
    for name, kind in zip(names, kinds, strict=True):
        if name.type == "identifier" and not is_outside:
            reading.blocks.declare(reading.text(name), kind, node.end_byte)
        elif name.type == "identifier" and kind:
            bind(reading.objects.outermost, reading.text(name), f"{NEW}{kind}")


def _kinds(reading: Reading, node: Node, count: int) -> list[str]:
    written = node.child_by_field_name("type")
    if written is not None or node.type not in {"short_var_declaration", "var_spec"}:
        return [_written_type(reading, written)] * count
    values = _listed(node.child_by_field_name("right") or node.child_by_field_name("value"))
    if len(values) == count:
        return [_kind_of(reading, each) for each in values]
    kind = _kind_of(reading, values[0]) if len(values) == 1 else ""
    if kind.endswith(GIVES):
        return [kind, *(f"{kind}{number}" for number in range(1, count))]
    is_asserted = bool(values) and values[0].type == "type_assertion_expression"
    return [kind if is_asserted else "", *[""] * (count - 1)]


def _listed(node: Node | None) -> list[Node]:
    return [each for each in node.named_children if each.type != "comment"] if node is not None else []


def _kind_of(reading: Reading, node: Node | None) -> str:
    """Of what an expression gives; "" where that is not written."""
    steps: list[str] = []
    node = _bare(node)
    while node is not None and len(steps) < _LONGEST:
        base = _base(reading, node)
        if base is not None:
            return THEN.join((base, *reversed(steps))) if base else ""
        gives = ""
        if node.type == "call_expression":
            node, gives = node.child_by_field_name("function"), GIVES
        if node is None or node.type != "selector_expression":
            return ""
        steps.append(f"{reading.text(node.child_by_field_name('field'))}{gives}")
        node = _bare(node.child_by_field_name("operand"))
    return ""


def _bare(node: Node | None) -> Node | None:
    """Without brackets, `&` and `*` around it: a method is called on either."""
    while node is not None:
        if node.type == "unary_expression" and node.children[0].type in {"&", "*"}:
            node = node.child_by_field_name("operand")
        elif node.type == "parenthesized_expression":
            node = next(iter(_listed(node)), None)
        else:
            break
    return node


def _base(reading: Reading, node: Node) -> str | None:
    """The kind of what begins a chain; None for what goes on from something else."""
    if node.type == "identifier":
        return reading.blocks.kind(reading.text(node), node.start_byte) or ""
    if node.type in {"composite_literal", "type_assertion_expression"}:
        return _written_type(reading, node.child_by_field_name("type"))
    function = node.child_by_field_name("function") if node.type == "call_expression" else None
    if function is not None and function.type == "identifier":
        return _called(reading, node, function)
    if function is not None and function.type == "selector_expression":
        operand = function.child_by_field_name("operand")
        is_package = operand is not None and operand.type == "identifier" and not _is_variable(reading, operand)
        return f"{reading.text(function)}{GIVES}" if is_package else None
    return None if node.type in {"selector_expression", "call_expression"} else ""


def _called(reading: Reading, node: Node, function: Node) -> str:
    name = reading.text(function)
    if _is_variable(reading, function):
        return ""
    if name == _MAKES:
        return _written_type(reading, next(iter(_listed(node.child_by_field_name("arguments"))), None))
    return f"{name}{GIVES}"


def _is_variable(reading: Reading, node: Node) -> bool:
    return reading.blocks.kind(reading.text(node), node.start_byte) is not None


def _called_on(reading: Reading, function: Node | None) -> str:
    """What a call says of what it is called on."""
    if function is None or function.type != "selector_expression":
        return ""
    operand = function.child_by_field_name("operand")
    if operand is not None and operand.type == "identifier":
        # Nearly all of them are: a variable, or a package.
        held = reading.blocks.kind(reading.text(operand), operand.start_byte)
        return f"{NEW}{held}" if held else UNSURE if held is not None else ""
    kind = _kind_of(reading, operand)
    return f"{NEW}{kind}" if kind else ""


# `example.com/store/v2` is the package `store`.
_VERSION = re.compile(r"/v\d+$")
# What has variables of its own, beside functions and the cases of a `switch` over types.
_BLOCKS = (
    "block",
    "if_statement",
    "for_statement",
    "expression_switch_statement",
    "select_statement",
    "expression_case",
    "communication_case",
)


def _function(reading: Reading, node: Node) -> None:
    name = reading.text(node.child_by_field_name("name")) or UNNAMED
    receiver = node.child_by_field_name("receiver")
    owner = _receiver(reading, receiver) if receiver is not None else ""
    symbol = f"{owner}.{name}" if owner else name
    reading.functions.append((symbol, node))
    given = _enter_function(reading, node)
    if node.type != "func_literal":
        # What a type parameter stands for differs from call to call.
        is_generic = node.child_by_field_name("type_parameters") is not None
        returns = "" if is_generic else reading.text(node.child_by_field_name("result"))
        parameters = tuple(_parameters(reading, node.child_by_field_name("parameters")))
        kind = "method" if receiver is not None else FUNCTION
        exported = name[:1].isupper()
        reading.definitions.append(
            Definition(symbol, first_line(node), kind, parameters, returns, exported=exported, word=given)
        )
    reading.open_scope(node, FUNCTION, symbol)


def _receiver(reading: Reading, node: Node) -> str:
    # Brackets with nothing in them are read all the same.
    return next(reversed(reading.text(node).strip("()").replace("*", " ").split("[")[0].split()), "")


def _parameters(reading: Reading, node: Node | None) -> Iterator[Parameter]:
    for child in node.named_children if node is not None else ():
        if child.type == "comment":
            continue
        names = child.children_by_field_name("name")
        kind = REST if child.type == "variadic_parameter_declaration" else PLAIN
        for name in names or (None,):
            yield Parameter(reading.text(name), kind)


def _call(reading: Reading, node: Node) -> None:
    function = node.child_by_field_name("function")
    callee, of = reading.dotted(function, "selector_expression", "field", "operand"), _called_on(reading, function)
    arguments = node.child_by_field_name("arguments")
    if not callee or arguments is None:
        return
    given = _listed(arguments)
    # One call as the only argument may pass several values.
    is_open = any(child.type == "variadic_argument" for child in given) or (
        len(given) == 1 and given[0].type == "call_expression"
    )
    if callee.startswith(UNKNOWN) and of.startswith(NEW):
        callee = callee.replace(UNKNOWN, of.removeprefix(NEW).replace(THEN, "."), 1)
    reading.calls.append(CallSite(callee, first_line(node), len(given), (), is_open, of=of))


def _import(reading: Reading, node: Node) -> None:
    path = reading.text(node.child_by_field_name("path")).strip('"`')
    local = reading.text(node.child_by_field_name("name")) or _VERSION.sub("", path).rpartition("/")[2]
    reading.imports.append(Import(first_line(node), path, "", local))


def _bind(reading: Reading, node: Node) -> None:
    left = node.child_by_field_name("left") or node.child_by_field_name("alias")
    for child in left.named_children if left is not None else node.children_by_field_name("name"):
        if child.type == "identifier":
            reading.bound.add(reading.text(child))


def _switch(reading: Reading, node: Node) -> None:
    _bind(reading, node)
    alias = next(iter(_listed(node.child_by_field_name("alias"))), None)
    reading.blocks.enter(node, reading.text(alias))


def _package(reading: Reading, node: Node) -> None:
    reading.space = reading.text(next(iter(node.named_children), None))


READERS: Mapping[str, See] = {
    "function_declaration": _function,
    "method_declaration": _function,
    "func_literal": _function,
    "call_expression": _call,
    "import_spec": _import,
    "short_var_declaration": _note_variables,
    "range_clause": _note_variables,
    "var_spec": _note_variables,
    "const_spec": _note_variables,
    "receive_statement": _note_variables,
    "parameter_declaration": _bind,
    "variadic_parameter_declaration": _bind,
    "type_switch_statement": _switch,
    "type_case": _enter_case,
    "default_case": _enter_case,
    "type_spec": _note_type,
    "type_alias": _note_type,
    "package_clause": _package,
    **dict.fromkeys(_BLOCKS, _enter_block),
}
