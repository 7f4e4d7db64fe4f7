"""What the index notes of C#, with its types and variables as they are written."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vetgate.index.classes import ALL, PARTIAL
from vetgate.index.facts import NEW, PLAIN, REST, STATIC, CallSite, Definition, Import, Parameter
from vetgate.index.reading import CLASS, FUNCTION, UNKNOWN, UNNAMED
from vetgate.index.visibility import FILE, PRIVATE, PROTECTED
from vetgate.source.syntax import child_of, children_in, enclosing, first_line

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tree_sitter import Node

    from vetgate.index.reading import Reading, See


# Up to the end of the nearest of these a variable is known that stands in the midst of an expression.
_AROUND = frozenset(
    """block switch_section switch_expression_arm arrow_expression_clause lambda_expression declaration_list
    global_statement compilation_unit""".split()  # noqa: SIM905 - a list of names
)
_FIELDS = frozenset({"field_declaration", "event_field_declaration"})

# How a name begins that is told from the outermost namespace on.
GLOBAL = "global::"


def type_name(reading: Reading, node: Node | None) -> str:
    """`A.B` of `A.B?`, and of `A.B<C, D>` with how many types it takes; "" for what has no name of its own."""
    while node is not None and node.type in {"nullable_type", "ref_type", "scoped_type"}:
        node = node.child_by_field_name("type")
    if node is None:
        return ""
    if node.type == "identifier":
        return reading.text(node)
    if node.type == "generic_name":
        return _generic(reading, node)
    if node.type in {"qualified_name", "alias_qualified_name"}:
        return _qualified(reading, node)
    return ""


def _generic(reading: Reading, node: Node) -> str:
    name, types = node.named_children[0], node.named_children[-1]
    return f"{reading.text(name)}`{sum(child.type == ',' for child in types.children) + 1}"


def _qualified(reading: Reading, node: Node) -> str:
    parts: list[str] = []
    here: Node | None = node
    while here is not None and here.type == "qualified_name":
        parts.append(type_name(reading, here.child_by_field_name("name")))
        here = here.child_by_field_name("qualifier")
    root = ""
    if here is not None and here.type == "alias_qualified_name":
        root, here = GLOBAL, here.child_by_field_name("name")
    first = type_name(reading, here) if here is not None and here.type in {"identifier", "generic_name"} else ""
    inner = [each.partition("`")[0] for each in (first, *reversed(parts[1:]))]
    whole = ".".join((*inner, parts[0])) if first and parts else first
    return f"{root}{whole}" if whole else ""


def declare_fields(reading: Reading, body: Node | None) -> None:
    """Of a class, ahead of its members: they may use what stands below them."""
    if body is None:
        return
    pending = list(body.named_children)
    while pending:
        member = pending.pop()
        if member.type in _FIELDS:
            for listed in (child for child in member.named_children if child.type == "variable_declaration"):
                _declare_each(reading, listed, body.end_byte)
        elif member.type in {"property_declaration", "event_declaration"}:
            _declare(reading, member, body.end_byte)
        elif member.type.startswith("preproc"):
            pending += member.named_children


def declare_parameters(reading: Reading, node: Node | None, until: int) -> None:
    for child in node.named_children if node is not None else ():
        if child.type == "parameter":
            _declare(reading, child, until)
        elif child.type == "identifier":
            _known(reading, reading.text(child), "", until)


def _declare(reading: Reading, node: Node, until: int) -> None:
    name = node.child_by_field_name("name")
    if name is not None:
        _known(reading, reading.text(name), type_name(reading, node.child_by_field_name("type")), until)


def _known(reading: Reading, name: str, kind: str, until: int) -> None:
    reading.declare(name, kind, until)
    # What it is may be called like a method.
    reading.bound.add(name)


def _declare_each(reading: Reading, node: Node, until: int) -> None:
    written = node.child_by_field_name("type")
    kind = type_name(reading, written)
    for each in node.named_children:
        if each.type != "variable_declarator":
            continue
        name = each.child_by_field_name("name")
        is_inferred = written is not None and written.type == "implicit_type"
        if name is None:
            _declare_parts(reading, each, until)
        else:
            _known(reading, reading.text(name), _made_type(reading, each) if is_inferred else kind, until)


def _made_type(reading: Reading, declarator: Node) -> str:
    value = declarator.named_children[-1]
    return type_name(reading, value.child_by_field_name("type")) if value.type == "object_creation_expression" else ""


def _declare_parts(reading: Reading, node: Node, until: int) -> None:
    """Of `var (a, b)`."""
    for pattern in (node, *node.named_children):
        if pattern.type in {"tuple_pattern", "parenthesized_variable_designation"}:
            for each in pattern.named_children:
                _known(reading, reading.text(each), "", until) if each.type == "identifier" else None


def variables(reading: Reading, node: Node) -> None:
    around = node.parent
    if around is None or around.type in _FIELDS:
        return
    if around.type == "local_declaration_statement" and around.parent is not None:
        around = around.parent
    _declare_each(reading, node, around.end_byte)


def _in_midst(reading: Reading, node: Node) -> None:
    """`out C c`, `is C c`."""
    _declare(reading, node, _end(node))


def _end(node: Node) -> int:
    around = enclosing(node, _AROUND)
    return around.end_byte if around is not None else node.end_byte


def _pattern_parts(reading: Reading, node: Node) -> None:
    _declare_parts(reading, node, _end(node))


def _each(reading: Reading, node: Node) -> None:
    left = node.child_by_field_name("left")
    if left is not None and left.type == "identifier":
        _known(reading, reading.text(left), type_name(reading, node.child_by_field_name("type")), node.end_byte)


def _caught(reading: Reading, node: Node) -> None:
    _declare(reading, node, node.parent.end_byte if node.parent is not None else node.end_byte)


def _query(reading: Reading, node: Node) -> None:
    name = node.child_by_field_name("name") or child_of(node, "identifier")
    _known(reading, reading.text(name), "", _end(node))


def _lambda(reading: Reading, node: Node) -> None:
    parameters = node.child_by_field_name("parameters")
    if parameters is not None and parameters.type == "implicit_parameter":
        _known(reading, reading.text(parameters), "", node.end_byte)
    else:
        declare_parameters(reading, parameters, node.end_byte)


def _type_parameter(reading: Reading, node: Node) -> None:
    reading.rebound.add(reading.text(node.child_by_field_name("name")))


_TYPED: Mapping[str, See] = {
    "variable_declaration": variables,
    "declaration_expression": _in_midst,
    "declaration_pattern": _in_midst,
    "recursive_pattern": _in_midst,
    "var_pattern": _in_midst,
    "tuple_pattern": _pattern_parts,
    "parenthesized_variable_designation": _pattern_parts,
    "foreach_statement": _each,
    "catch_declaration": _caught,
    "from_clause": _query,
    "let_clause": _query,
    "join_clause": _query,
    "join_into_clause": _query,
    "lambda_expression": _lambda,
    "anonymous_method_expression": _lambda,
    "type_parameter": _type_parameter,
}


def modifiers(reading: Reading, node: Node) -> Iterator[str]:
    yield from (reading.text(child) for child in node.children if child.type == "modifier")


# What a class is besides, and a method that others are given by it.
STRUCT, RECORD = "struct", "record"
LENT = "this"
# `extension(Box box) { … }` is read like a constructor.
_EXTENSION = "extension"
_NAMESPACE = "namespace"
_TASKS = frozenset({"Task", "ValueTask"})
_CONDITION, _IF = "preproc", "preproc_if"
# What has a base class of which a constructor is called, and what says which one.
_INHERITING = frozenset({"class_declaration", "record_declaration"})
_SAYING = frozenset({"constructor_initializer", "primary_constructor_base_type", "argument_list"})
# What stands in these and does not say for whom is for themselves.
_PRIVATE_INSIDE = frozenset({"class_declaration", "struct_declaration", "record_declaration"})
_LOOSER = frozenset({"binary_expression", "await_expression", "prefix_unary_expression"})


def _file_namespace(reading: Reading, node: Node) -> None:
    reading.space = reading.text(node.child_by_field_name("name"))


def _namespace(reading: Reading, node: Node) -> None:
    reading.open_scope(node, _NAMESPACE, reading.text(node.child_by_field_name("name")))


def _using(reading: Reading, node: Node) -> None:
    alias = node.child_by_field_name("name")
    target = type_name(reading, node.named_children[-1]) if node.named_children else ""
    line = first_line(node)
    if not target:
        return
    if alias is not None:
        module, _, name = target.rpartition(".")
        reading.imports.append(Import(line, module, name, reading.text(alias)))
    elif any(child.type == STATIC for child in node.children):
        reading.imports.append(Import(line, target, ALL, f"{STATIC} {ALL}"))
    else:
        reading.imports.append(Import(line, target, ALL, ALL))


def _class(reading: Reading, node: Node) -> None:
    name = reading.text(node.child_by_field_name("name"))
    body = node.child_by_field_name("body")
    listed = child_of(node, "parameter_list")
    symbol = reading.symbol(node, name)
    definition = Definition(
        symbol,
        first_line(node),
        CLASS,
        None,
        bases=tuple(_bases(reading, node)),
        made=_made_kind(reading, node),
        word=_arity(node),
        visibility=_reach(reading, node),
    )
    reading.definitions.append(definition)
    reading.definitions += _implicit_constructors(reading, node, definition, listed)
    reading.open_scope(node, CLASS, name)
    declare_fields(reading, body)
    declare_parameters(reading, listed, node.end_byte)
    _based_on(reading, node)
    if listed is not None or _is_made_unsaid(reading, node, definition.made):
        _unsaid(reading, node, node)


def _arity(node: Node) -> str:
    """Classes of one name are told apart by how many types they take."""
    types = child_of(node, "type_parameter_list")
    return f"`{sum(child.type == 'type_parameter' for child in types.named_children)}" if types is not None else ""


def _made_kind(reading: Reading, node: Node) -> str:
    if PARTIAL in modifiers(reading, node):
        return PARTIAL
    if node.type == "record_declaration":
        return STRUCT if any(child.type == STRUCT for child in node.children) else RECORD
    return node.type.removesuffix("_declaration")


def _bases(reading: Reading, node: Node) -> Iterator[str]:
    listed = child_of(node, "base_list")
    for child in listed.named_children if listed is not None and node.type != "enum_declaration" else ():
        if child.type == "primary_constructor_base_type":
            yield type_name(reading, child.child_by_field_name("type")) or UNKNOWN
        elif child.type not in {"argument_list", "comment"}:
            yield type_name(reading, child) or UNKNOWN


def _implicit_constructors(
    reading: Reading, node: Node, definition: Definition, listed: Node | None
) -> Iterator[Definition]:
    """The constructors that a class has without a declaration of their own."""
    name = f"{definition.symbol}.{definition.name}"
    own = [each for each in (children_in(node, "body")) if _makes(reading, each)]
    if listed is not None:
        yield Definition(name, definition.line, "method", _parameters(reading, listed))
    is_class = definition.made in {CLASS, RECORD}
    if definition.made == STRUCT or (is_class and listed is None and not own):
        yield Definition(name, definition.line, "method", ())


def _makes(reading: Reading, member: Node) -> bool:
    return member.type == "constructor_declaration" and STATIC not in modifiers(reading, member)


def _is_made_unsaid(reading: Reading, node: Node, made: str) -> bool:
    """Whether no part of a class is a constructor, under any condition."""
    members = children_in(node, "body")
    return made in {CLASS, RECORD} and not any(_makes(reading, each) or each.type == _IF for each in members)


def _unsaid(reading: Reading, node: Node, around: Node) -> None:
    """What hands nothing on calls the constructor of the base class that takes nothing."""
    says_so = any(child.type in _SAYING for child in _heads(node))
    if around.type in _INHERITING and not says_so:
        _noted_making(reading, node, next(_bases(reading, around), ""), None)


def _heads(node: Node) -> Iterator[Node]:
    """What stands before the body, and in the list of base classes."""
    for child in node.named_children:
        yield child
        yield from child.named_children if child.type == "base_list" else ()


def _based_on(reading: Reading, node: Node) -> None:
    """In `class A(int b) : C(b)`."""
    listed = child_of(node, "base_list")
    above = next(_bases(reading, node), "")
    for child in listed.named_children if listed is not None else ():
        given = child if child.type == "argument_list" else None
        if child.type == "primary_constructor_base_type":
            given = child_of(child, "argument_list")
        if given is not None and above:
            _noted_making(reading, child, above, given)


def _method(reading: Reading, node: Node) -> None:
    name = reading.text(node.child_by_field_name("name")) or UNNAMED
    symbol = reading.symbol(node, name)
    reading.functions.append((symbol, node))
    words = set(modifiers(reading, node))
    listed = node.child_by_field_name("parameters")
    is_static_maker = node.type == "constructor_declaration" and STATIC in words
    is_explicit = any(child.type == "explicit_interface_specifier" for child in node.named_children)
    if listed is not None and not is_static_maker and not is_explicit:
        returns = node.child_by_field_name("returns")
        # What a type parameter stands for differs from call to call.
        is_generic = node.child_by_field_name("type_parameters") is not None
        reading.definitions.append(
            Definition(
                symbol,
                first_line(node),
                "method",
                _parameters(reading, listed) if not _is_conditional(node) else None,
                "" if is_generic else reading.text(returns),
                is_async=type_name(reading, returns).rpartition(".")[2].partition("`")[0] in _TASKS,
                word=LENT if _is_lent(reading, listed) else STATIC if STATIC in words else "",
                visibility=_reach(reading, node),
            )
        )
    reading.open_scope(node, FUNCTION, name)
    declare_parameters(reading, listed, node.end_byte)


def _constructor(reading: Reading, node: Node) -> None:
    _method(reading, node)
    around = _class_around(node)
    # Of a constructor in two parts the other one may say what is handed on.
    if around is not None and {STATIC, PARTIAL}.isdisjoint(modifiers(reading, node)):
        _unsaid(reading, node, around)


def _class_around(node: Node) -> Node | None:
    """Of a constructor."""
    around = node.parent
    while around is not None and not around.type.endswith("_declaration"):
        around = around.parent
    return around


def _reach(reading: Reading, node: Node) -> str:
    """What the whole assembly may use counts as for everybody: nobody can tell from a file which one it is part of."""
    words = set(modifiers(reading, node))
    body = node.parent
    around = body.parent if body is not None else None
    is_open = around is None or around.type not in _PRIVATE_INSIDE or _is_conditional(node)
    if FILE in words:
        return FILE
    if PARTIAL in words or words & {"public", "internal"}:
        return ""  # another part may say so
    if PROTECTED in words:
        return PROTECTED
    return "" if is_open and PRIVATE not in words else PRIVATE


def _is_conditional(node: Node) -> bool:
    return node.parent is not None and node.parent.type.startswith(_CONDITION)


def _is_lent(reading: Reading, listed: Node) -> bool:
    first = child_of(listed, "parameter")
    return first is not None and LENT in modifiers(reading, first)


def _local_function(reading: Reading, node: Node) -> None:
    name = reading.text(node.child_by_field_name("name"))
    symbol = reading.symbol(node, name)
    listed = node.child_by_field_name("parameters")
    reading.functions.append((symbol, node))
    if node.parent is not None and node.parent.type == "global_statement" and listed is not None:
        returns = reading.text(node.child_by_field_name("type"))
        parameters = _parameters(reading, listed)
        reading.definitions.append(Definition(symbol, first_line(node), FUNCTION, parameters, returns))
    elif reading.around(node)[-1:] == [(FUNCTION, _EXTENSION)]:
        reading.definitions.append(Definition(symbol, first_line(node), "method", None, word=LENT))
    else:
        reading.bound.add(name)
    reading.open_scope(node, FUNCTION, name)
    declare_parameters(reading, listed, node.end_byte)


def _operator(reading: Reading, node: Node) -> None:
    reading.functions.append((reading.symbol(node, UNNAMED), node))
    reading.open_scope(node, FUNCTION, UNNAMED)
    declare_parameters(reading, node.child_by_field_name("parameters"), node.end_byte)


def _parameters(reading: Reading, node: Node) -> tuple[Parameter, ...] | None:
    found = []
    is_rest = False
    for child in node.children:
        if child.type.startswith(_CONDITION) or child.has_error:
            return None
        if child.type == "parameter":
            found.append(_parameter(reading, child))
        elif child.type == "params":
            is_rest = True
        elif child.type == "identifier" and is_rest:
            # By its name it is one, by place as many as there are.
            name = reading.text(child)
            found += [Parameter(name, PLAIN, optional=True), Parameter(name, REST)]
    return tuple(found)


def _parameter(reading: Reading, node: Node) -> Parameter:
    optional = any(child.type == "=" or "Optional" in reading.text(child) for child in node.children if _may_say(child))
    return Parameter(reading.text(node.child_by_field_name("name")), PLAIN, optional)


def _may_say(child: Node) -> bool:
    return child.type in {"=", "attribute_list"}


def _call(reading: Reading, node: Node) -> None:
    function = node.child_by_field_name("function")
    arguments = node.child_by_field_name("arguments")
    if function is None or arguments is None:
        return
    if function.type in {"identifier", "generic_name"}:
        _noted(reading, node, _plain(reading, function), arguments)
        return
    target, name = _reached(function)
    if target is None or name is None:
        return
    made = _fresh_type(reading, target)
    path, of = (made.partition("`")[0], made) if made else _receiver(reading, node, target)
    _noted(reading, node, f"{path or '?'}.{_plain(reading, name)}", arguments, of)


def _reached(function: Node) -> tuple[Node | None, Node | None]:
    if function.type == "member_access_expression":
        return function.child_by_field_name("expression"), function.child_by_field_name("name")
    if function.type == "conditional_access_expression":
        target = function.child_by_field_name("condition")
        # The grammar takes more for it than `?.` reaches.
        while target is not None and target.type in _LOOSER:
            target = target.named_children[-1]
        return target, function.named_children[-1].child_by_field_name("name")
    return None, None


def _plain(reading: Reading, node: Node) -> str:
    return reading.text(node.named_children[0] if node.type == "generic_name" else node)


def _receiver(reading: Reading, node: Node, target: Node) -> tuple[str, str]:
    """How it is written, and its type where that is known; nothing, where nobody can tell what it is."""
    parts: list[str] = []
    here: Node | None = target
    while here is not None and here.type == "member_access_expression":
        parts.append(_written(reading, here.child_by_field_name("name")))
        here = here.child_by_field_name("expression")
    if here is not None and here.type == "alias_qualified_name":
        here = here.child_by_field_name("name")
    if here is None or here.type not in {"identifier", "generic_name", "this", "base"}:
        return "", ""
    found = [_written(reading, here), *reversed(parts)]
    path = ".".join(each.partition("`")[0] for each in found)
    names = found[1:] if found[0] == "this" and parts else found
    kind = reading.type_of(node, names[0]) if here.type != "base" else None
    if kind is not None or names != found:
        return (path, kind) if kind and len(names) == 1 else ("", "")
    generic = ".".join((*(each.partition("`")[0] for each in found[:-1]), found[-1]))
    return path, generic if "`" in found[-1] else ""


def _fresh_type(reading: Reading, target: Node) -> str:
    """Of `new C(1)` and `(new C(1))`."""
    while target.type == "parenthesized_expression" and target.named_children:
        target = target.named_children[0]
    is_made = target.type == "object_creation_expression"
    return type_name(reading, target.child_by_field_name("type")) if is_made else ""


def _written(reading: Reading, node: Node | None) -> str:
    return type_name(reading, node) or reading.text(node)


def _made(reading: Reading, node: Node) -> None:
    kind = type_name(reading, node.child_by_field_name("type"))
    _noted_making(reading, node, kind, node.child_by_field_name("arguments"))


def _made_of_target(reading: Reading, node: Node) -> None:
    """In `C c = new(1)`."""
    declarator = node.parent
    declared = declarator.parent if declarator is not None and declarator.type == "variable_declarator" else None
    kind = type_name(reading, declared.child_by_field_name("type")) if declared is not None else ""
    given = child_of(node, "argument_list")
    _noted_making(reading, node, kind, given)


def _passed_on(reading: Reading, node: Node) -> None:
    """`: base(…)` and `: this(…)` at the head of a constructor."""
    around = _class_around(node.parent) if node.parent is not None else None
    given = child_of(node, "argument_list")
    if around is None or given is None:
        return
    is_own = any(child.type == "this" for child in node.children)
    own = f"{reading.text(around.child_by_field_name('name'))}{_arity(around)}"
    _noted_making(reading, node, own if is_own else next(_bases(reading, around), ""), given)


def _noted_making(reading: Reading, node: Node, kind: str, arguments: Node | None) -> None:
    if kind:
        _noted(reading, node, f"{NEW}{kind.partition('`')[0]}", arguments, kind if "`" in kind else "")


def _noted(reading: Reading, node: Node, callee: str, arguments: Node | None, of: str = "") -> None:
    positional, is_open, keywords = 0, False, []
    for child in arguments.named_children if arguments is not None else ():
        if child.type != "argument":
            is_open = is_open or child.type != "comment"
        elif (name := child.child_by_field_name("name")) is not None:
            keywords.append(reading.text(name))
        else:
            # Names that stand before it stand at their places.
            positional += 1 + len(keywords)
            keywords = []
    awaited = node.parent is not None and node.parent.type == "await_expression"
    call = CallSite(callee, first_line(node), positional, tuple(keywords), is_open, reading.owner(node), awaited, of)
    reading.calls.append(call)


READERS: Mapping[str, See] = {
    **_TYPED,
    "file_scoped_namespace_declaration": _file_namespace,
    "namespace_declaration": _namespace,
    "using_directive": _using,
    "class_declaration": _class,
    "struct_declaration": _class,
    "record_declaration": _class,
    "interface_declaration": _class,
    "enum_declaration": _class,
    "method_declaration": _method,
    "constructor_declaration": _constructor,
    "local_function_statement": _local_function,
    "operator_declaration": _operator,
    "conversion_operator_declaration": _operator,
    "invocation_expression": _call,
    "object_creation_expression": _made,
    "implicit_object_creation_expression": _made_of_target,
    "constructor_initializer": _passed_on,
}
