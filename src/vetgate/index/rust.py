"""What the index notes of Rust, inside of macros, too.

Variables and fields are known by the type that is written, or by the value that a `let` gives them. What `use` brings
is known by the path it comes from, seen from the file, whichever module says it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from vetgate.expression import expression
from vetgate.index.facts import POSITIONAL, REST, CallSite, Definition, Import, Parameter
from vetgate.index.objects import bind
from vetgate.index.reading import CLASS, FUNCTION, MODULE, UNNAMED
from vetgate.index.visibility import CRATE, PRIVATE, SUPER
from vetgate.source.syntax import first_line

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tree_sitter import Node

    from vetgate.index.reading import Reading, See


# How the types of what a type has are named: a field, and what a function gives back.
OF = ":"
GIVES = "()"
OWN = "Self"
# What is reached through these is reached as if they were not there.
_WRAPPERS = frozenset({"Box", "Rc", "Arc"})
# Nobody's own.
_GIVEN = frozenset(
    """BTreeMap BTreeSet Cell Cow Duration HashMap HashSet Instant Mutex Option OsString Path PathBuf PhantomData
    RefCell Result RwLock String Vec VecDeque""".split()  # noqa: SIM905 - a list of names
)
_AROUND = frozenset({"reference_type", "generic_type", "generic_type_with_turbofish"})
_PATHS = frozenset({"scoped_identifier", "scoped_type_identifier"})
_NAMES = frozenset({"identifier", "type_identifier", "crate", "super"})


def written_type(reading: Reading, node: Node | None) -> str:
    """`a.B` of `a::B`, `&a::B`, `a::B<C>` and `Box<a::B>`; "" for what is no type of a name."""
    while node is not None and node.type in _AROUND:
        inner = node.child_by_field_name("type")
        listed = node.child_by_field_name("type_arguments")
        if node.type == "generic_type" and _last(_path(reading, inner)) in _WRAPPERS:
            types = [child for child in listed.named_children if child.type != "lifetime"] if listed is not None else []
            inner = types[0] if len(types) == 1 else None
        node = inner
    path = _path(reading, node)
    return path if _is_type(path) and _last(path) not in _GIVEN | _WRAPPERS else ""


def made_type(reading: Reading, node: Node | None) -> str:
    """Of `B { … }`, of `B::new(…)` and of these in a `&` or a `Box::new`: for a function the type that has it."""
    node = _bare(node)
    if _last(_called(reading, node)[0]) in _WRAPPERS:
        listed = node.child_by_field_name("arguments") if node is not None else None
        node = _bare(next(iter(listed.named_children), None)) if listed is not None else None
    if node is not None and node.type == "struct_expression":
        return written_type(reading, node.child_by_field_name("name"))
    holder, name = _called(reading, node)
    return f"{name}{GIVES}{OF}{holder}" if _is_type(holder) and _last(holder) not in _GIVEN | _WRAPPERS else ""


def _called(reading: Reading, node: Node | None) -> tuple[str, str]:
    """`a.B` and `f` of `a::B::f(…)`."""
    function = node.child_by_field_name("function") if node is not None and node.type == "call_expression" else None
    holder, _, name = _path(reading, function).rpartition(".")
    return holder, name


def _bare(node: Node | None) -> Node | None:
    """Without brackets and `&` around it."""
    while node is not None and node.type in {"parenthesized_expression", "reference_expression"}:
        node = node.child_by_field_name("value") or next(iter(node.named_children), None)
    return node


def held(reading: Reading, value: Node | None) -> tuple[str, str]:
    """A variable that something is called on, or the type of what it is called on otherwise."""
    value = _bare(value)
    if value is None:
        return "", ""
    if value.type == "identifier":
        return reading.text(value), ""
    of, field = value.child_by_field_name("value"), value.child_by_field_name("field")
    if value.type != "field_expression" or of is None or of.type != "self":
        return "", made_type(reading, value)
    return "", f"{reading.text(field)}{OF}{OWN}" if field is not None and field.type == "field_identifier" else ""


def fields(reading: Reading, body: Node | None) -> Iterator[str]:
    """`name=type` of each field whose type may be one of the project."""
    for child in body.named_children if body is not None else ():
        if child.type == "field_declaration":
            kind = written_type(reading, child.child_by_field_name("type"))
            yield from (f"{name}={kind}" for name in [reading.text(child.child_by_field_name("name"))] if kind)


def _path(reading: Reading, node: Node | None) -> str:
    parts: list[str] = []
    while node is not None and node.type in _PATHS:
        parts.append(reading.text(node.child_by_field_name("name")))
        node = node.child_by_field_name("path")
        if node is not None and node.type == "generic_type":
            node = node.child_by_field_name("type")
    return ".".join((reading.text(node), *reversed(parts))) if node is not None and node.type in _NAMES else ""


def _last(path: str) -> str:
    return path.rpartition(".")[2]


def _is_type(path: str) -> bool:
    return _last(path)[:1].isupper()


_REACHES = {"": PRIVATE, "pub(self)": PRIVATE, "pub(crate)": CRATE, "crate": CRATE, "pub(super)": SUPER}
# Stands for a trait of others that a file brings along without a name.
NAMELESS = "as _"
_KNOWN = frozenset({"crate", "self", "super", "std", "core", "alloc"})
_NAMED = frozenset({"identifier", "self", "super", "crate", "metavariable"})


def _use(reading: Reading, node: Node) -> None:
    modules = [name for kind, name in reading.around(node) if kind == MODULE]
    visibility = written_visibility(reading, node)
    for path, local, line in _brought(reading, node.child_by_field_name("argument")):
        *before, name = path
        if name == "self" and before:
            *before, name = before
        if (local or name) == "_":
            reading.bound.update({NAMELESS} if path[0] not in _KNOWN else ())
            continue  # a trait that has no name here
        known = ".".join(seen_from_file(modules, before))
        here = ".".join((*modules, local or name))
        reading.imports.append(Import(line, known, name, here, visibility=visibility))


def written_visibility(reading: Reading, node: Node) -> str:
    """For whom an item is; nothing of what is for one module by name."""
    said = next((child for child in node.children if child.type == "visibility_modifier"), None)
    return _REACHES.get("".join(reading.text(said).split()), "")


def seen_from_file(modules: Sequence[str], path: Sequence[str]) -> list[str]:
    """A path of a module inside of the file, as the file itself would say it."""
    inner, rest = list(modules), list(path)
    if not rest or rest[0] not in {"self", "super"}:
        return ["self", *inner, *rest] if inner and (not rest or rest[0] != "crate") else rest
    while rest and rest[0] in {"self", "super"}:
        if rest[0] == "super":
            if not inner:
                break
            inner.pop()
        rest.pop(0)
    return [*(() if rest and rest[0] == "super" else ("self",)), *inner, *rest]


def _brought(reading: Reading, node: Node | None) -> Iterator[tuple[list[str], str, int]]:
    """Whole paths, with another name where there is one."""
    pending: list[tuple[Node | None, list[str]]] = [(node, [])]
    while pending:
        here, before = pending.pop()
        if here is None:
            continue
        if here.type == "use_as_clause":
            path = _path_parts(reading, here.child_by_field_name("path"))
            yield [*before, *path], reading.text(here.child_by_field_name("alias")), first_line(here)
        elif here.type == "use_wildcard":
            inner = here.named_children[0] if here.named_children else None
            yield [*before, *_path_parts(reading, inner), "*"], "", first_line(here)
        elif here.type == "scoped_use_list":
            further = [*before, *_path_parts(reading, here.child_by_field_name("path"))]
            pending.append((here.child_by_field_name("list"), further))
        elif here.type == "use_list":
            pending.extend((child, before) for child in reversed(here.named_children))
        elif here.type == "scoped_identifier" or here.type in _NAMED:
            yield [*before, *_path_parts(reading, here)], "", first_line(here)


def _path_parts(reading: Reading, node: Node | None) -> list[str]:
    parts: list[str] = []
    while node is not None and node.type == "scoped_identifier":
        parts.append(reading.text(node.child_by_field_name("name")))
        node = node.child_by_field_name("path")
    return [*([reading.text(node)] if node is not None else []), *reversed(parts)]


_EXPRESSIONS = frozenset(
    """anyhow assert assert_eq assert_ne bail dbg debug debug_assert debug_assert_eq debug_assert_ne ensure eprint
    eprintln error format info panic print println todo trace unreachable vec warn write
    writeln""".split()  # noqa: SIM905 - a list of names
)
_WORDS = frozenset({"identifier", "crate", "super", "self"})
# With these, commas need not stand between arguments.
_UNCLEAR = frozenset({"|", "||", "<", "#", "=>", ";"})
_SHORTEST = 2
# `name . f`
_REACHED = 3


def note_calls(reading: Reading, macro: Node, inside: str) -> None:
    pending = [child for child in macro.named_children if child.type == "token_tree"]
    if reading.text(macro.child_by_field_name("macro")) not in _EXPRESSIONS:
        _make_unknown(reading, macro, pending)
        return
    while pending:
        around = pending.pop().children
        for site, tree in enumerate(around):
            if tree.type != "token_tree" or not _is_read(reading, around[:site]):
                continue
            pending.append(tree)
            callee = _macro_callee(reading, around[:site]) if tree.children[0].type == "(" else ""
            if callee:
                positional, is_open = _counted(tree.children[1:-1])
                callee, of = _of_macro_object(reading, callee, around[:site])
                reading.calls.append(CallSite(callee, first_line(tree), positional, (), is_open, inside, of=of))


def _make_unknown(reading: Reading, macro: Node, pending: list[Node]) -> None:
    """What is passed to a macro may come back as another thing of the same name."""
    while pending:
        here = pending.pop()
        if here.type == "identifier":
            bind(reading.scope(macro), reading.text(here), "")
        pending += here.named_children


def _of_macro_object(reading: Reading, callee: str, before: Sequence[Node]) -> tuple[str, str]:
    """The callee and the type of `self.field.f`; of `name.f` that is asked for."""
    if not callee.startswith("?.") or len(before) < _REACHED or before[-_REACHED].type != "identifier":
        return callee, ""
    name = reading.text(before[-_REACHED])
    ahead = [each.type for each in before[:-_REACHED]]
    if ahead[-2:] == ["self", "."]:
        return f"self.{name}.{callee[2:]}", f"{name}{OF}{OWN}"
    if ahead[-1:] not in (["."], ["::"]):
        reading.objects.ask(name, reading.scope(before[0]))
    return callee, ""


def _is_read(reading: Reading, before: Sequence[Node]) -> bool:
    """What another macro makes of it nobody knows."""
    is_macro = len(before) >= _SHORTEST and before[-1].type == "!" and before[-2].type == "identifier"
    return not is_macro or reading.text(before[-2]) in _EXPRESSIONS


def _macro_callee(reading: Reading, before: Sequence[Node]) -> str:
    if not before or before[-1].type != "identifier":
        return ""
    first = len(before) - 1
    while first >= _SHORTEST and before[first - 1].type == "::" and before[first - 2].type in _WORDS:
        first -= 2
    parts = [reading.text(each) for each in before[first::2]]
    ahead = before[first - 1].type if first else ""
    if ahead == ".":
        is_own = first >= _SHORTEST and before[first - 2].type == "self"
        return f"{'self' if is_own else '?'}.{parts[-1]}"
    if ahead in {"::", "fn", ">", "|"}:
        return ""
    return ".".join(("mod", *parts[1:]) if parts[0] == "self" else parts)


def _counted(inner: Sequence[Node]) -> tuple[int, bool]:
    kinds = [each.type for each in inner if not each.type.endswith("comment")]
    if kinds and kinds[-1] == ",":
        kinds.pop()
    return (kinds.count(",") + 1 if kinds else 0), not _UNCLEAR.isdisjoint(kinds)


# A macro that stands among the items of a file may define any of its names.
ANY = "!"
# What a call is inside of: its modules, and the type whose `Self` it may say.
INSIDE = ":"
TRAIT = "trait"
IMPL = "impl"
# How the name of a constant begins.
VALUE = "="
# What may have functions that are written elsewhere.
OPEN = "open"
_OF_OBJECT = "?."
_OWN = f"{OF}{OWN}"
# How a name begins that stands for any type.
PARAMETER = "<"
# Attributes that leave what a call has to pass as it is written.
_HARMLESS = frozenset(
    """allow async_trait automatically_derived cfg cfg_attr cold const_trait deny deprecated derive doc expect
    export_name forbid global_allocator inline instrument must_use no_mangle non_exhaustive pyclass pyfunction
    pymethods pyo3 repr rustc_const_stable rustc_const_unstable rustfmt::skip should_panic stable target_feature
    test tokio::test track_caller unstable warn wasm_bindgen""".split()  # noqa: SIM905 - a list of names
)

# What is derived and brings methods of a trait, or none.
_PLAIN = frozenset(
    """Clone Copy Debug Default Deserialize Display Eq Error Hash JsonSchema Ord PartialEq PartialOrd Serialize
    Zeroize""".split()  # noqa: SIM905 - a list of names
)
# `impl Future<Output = T>`, and the same in a box.
_FUTURE = expression(
    r"(?P<plain>impl\s+(?:\w+::)*Future<\s*Output\s*=)"
    r"|(?:\w+::)*(?:Local)?BoxFuture<|(?:\w+::)*Pin<\s*(?:\w+::)*Box<\s*dyn\s+(?:\w+::)*Future<"
)
_DERIVES = expression(r"\bderive\(([^)]*)\)")


def _function(reading: Reading, node: Node) -> None:
    name = reading.text(node.child_by_field_name("name")) or UNNAMED
    symbol = reading.symbol(node, name)
    if node.type == "function_item":
        reading.functions.append((symbol, node))
    if reading.is_inside_function(node):
        reading.bound.add(name)
    else:
        reading.definitions.append(_definition(reading, node, symbol))
    reading.open_scope(node, FUNCTION, name)


def _definition(reading: Reading, node: Node, symbol: str) -> Definition:
    listed = node.child_by_field_name("parameters")
    has_self = listed is not None and any(_is_self(reading, child) for child in listed.named_children)
    around = _around(node)
    is_plain = around is None or around.child_by_field_name("trait") is None
    is_sure = is_plain and _is_harmless(reading, node) and (around is None or _is_harmless(reading, around))
    is_generic = node.child_by_field_name("type_parameters") is not None
    modifiers = next((reading.text(child) for child in node.children if child.type == "function_modifiers"), "")
    returns = reading.text(node.child_by_field_name("return_type"))
    return Definition(
        symbol,
        first_line(node),
        "method" if has_self else FUNCTION,
        _parameters(reading, listed) if is_sure else None,
        "" if is_generic or not is_plain else _promised(returns),
        is_async="async" in modifiers.split() or bool(_FUTURE.match(returns)),
        visibility=_reach(reading, node) if is_sure and (around is None or around.type == "impl_item") else "",
    )


def _promised(returns: str) -> str:
    """What is there once it was awaited, of a function that says so in full as of one that is async."""
    begun = _FUTURE.match(returns)
    if begun is None:
        return returns
    promised, depth = "", 0
    for letter in returns[begun.end() :] if begun["plain"] else "":
        depth += (letter == "<") - (letter == ">" and not promised.endswith("-"))
        if depth < 0:
            return promised.strip()
        promised += letter
    return ""


def _reach(reading: Reading, node: Node) -> str:
    """Nothing, where an attribute may say more."""
    is_told = any("visib" in name for name in _attributes(reading, node))
    return written_visibility(reading, node) if not is_told else ""


def _around(node: Node) -> Node | None:
    """The `impl` or trait that a function stands in."""
    body = node.parent
    around = body.parent if body is not None and body.type == "declaration_list" else None
    return around if around is not None and around.type in {"impl_item", "trait_item"} else None


def _is_harmless(reading: Reading, node: Node) -> bool:
    return all(name in _HARMLESS for name in _attributes(reading, node))


def _attributes(reading: Reading, node: Node) -> Iterator[str]:
    before = node.prev_named_sibling
    while before is not None and before.type in {"attribute_item", "line_comment", "block_comment"}:
        if before.type == "attribute_item":
            yield reading.text(before).strip("#[] \n").partition("(")[0].partition("=")[0].strip()
        before = before.prev_named_sibling


def _is_self(reading: Reading, node: Node) -> bool:
    return node.type == "self_parameter" or reading.text(node.child_by_field_name("pattern")) == "self"


def _parameters(reading: Reading, node: Node | None) -> tuple[Parameter, ...] | None:
    found = []
    for child in node.named_children if node is not None else ():
        if child.type == "attribute_item":
            return None  # it may be there on some machines only
        if child.type == "variadic_parameter":
            found.append(Parameter("", REST))
        elif child.type == "parameter" and not _is_self(reading, child):
            pattern = child.child_by_field_name("pattern")
            is_named = pattern is not None and pattern.type == "identifier"
            found.append(Parameter(reading.text(pattern) if is_named else "", POSITIONAL))
    return tuple(found)


def _module(reading: Reading, node: Node) -> None:
    name = reading.text(node.child_by_field_name("name"))
    if not reading.is_inside_function(node):
        inline = "inline" if node.child_by_field_name("body") is not None else ""
        is_plain = "path" not in set(_attributes(reading, node))
        symbol, visibility = reading.symbol(node, name), _reach(reading, node)
        reading.definitions.append(
            Definition(symbol, first_line(node), MODULE, None, exported=is_plain, made=inline, visibility=visibility)
        )
    if node.child_by_field_name("body") is not None:
        reading.open_scope(node, MODULE, name)


def _implementation(reading: Reading, node: Node) -> None:
    named = node.child_by_field_name("type")
    if named is not None and named.type == "generic_type":
        named = named.child_by_field_name("type")
    is_named = named is not None and named.type in {"type_identifier", "scoped_type_identifier"}
    name = reading.text(named) if is_named else UNNAMED
    trait = node.child_by_field_name("trait")
    if trait is not None and not reading.is_inside_function(node):
        symbol = reading.symbol(node, f"{name}.as {reading.text(trait).partition('<')[0]}")
        reading.definitions.append(Definition(symbol, first_line(node), IMPL, None, bases=(name,)))
    reading.open_scope(node, CLASS, name)


def _type(reading: Reading, node: Node) -> None:
    name = reading.text(node.child_by_field_name("name"))
    if reading.is_inside_function(node):
        reading.bound.update((name, f"{PARAMETER}{name}"))
        return
    body = node.child_by_field_name("body")
    is_tuple = body is not None and body.type == "ordered_field_declaration_list"
    parameters = _fields(body) if is_tuple and _is_harmless(reading, node) else None
    kind = FUNCTION if is_tuple else TRAIT if node.type == "trait_item" else CLASS
    made = OPEN if node.type == "type_item" or _may_get_more(reading, node) else ""
    held_there = " ".join(fields(reading, body)) if node.type == "struct_item" and not is_tuple else ""
    visibility = _reach(reading, node) if _is_harmless(reading, node) else ""
    symbol = reading.symbol(node, name)
    reading.definitions.append(
        Definition(symbol, first_line(node), kind, parameters, made=made, word=held_there, visibility=visibility)
    )
    if node.type in {"trait_item", "enum_item"}:
        reading.open_scope(node, CLASS, name)


def _may_get_more(reading: Reading, node: Node) -> bool:
    """Whether functions may be written for it that nobody sees: by what it derives, or another attribute."""
    if not _is_harmless(reading, node):
        return True
    before = node.prev_named_sibling
    while before is not None and before.type in {"attribute_item", "line_comment", "block_comment"}:
        listed = _DERIVES.search(reading.text(before)) if before.type == "attribute_item" else None
        named = (each.rpartition("::")[2].strip() for each in listed[1].split(",")) if listed else ()
        if any(each and each not in _PLAIN for each in named):
            return True
        before = before.prev_named_sibling
    return False


def _variant(reading: Reading, node: Node) -> None:
    body = node.child_by_field_name("body")
    if reading.is_inside_function(node):
        return
    is_tuple = body is not None and body.type == "ordered_field_declaration_list"
    symbol = reading.symbol(node, reading.text(node.child_by_field_name("name")))
    kind, parameters = (FUNCTION, _fields(body)) if is_tuple else ("variant", None)
    reading.definitions.append(Definition(symbol, first_line(node), kind, parameters))


def _fields(body: Node | None) -> tuple[Parameter, ...] | None:
    children = body.children if body is not None else []
    if any(child.type == "attribute_item" for child in children):
        return None
    types = body.children_by_field_name("type") if body is not None else []
    return tuple(Parameter("", POSITIONAL) for _ in types)


def _call(reading: Reading, node: Node) -> None:
    function, arguments = node.child_by_field_name("function"), node.child_by_field_name("arguments")
    if function is not None and function.type == "generic_function":
        function = function.child_by_field_name("function")
    callee, of = _callee(reading, function), ""
    if not callee or arguments is None:
        return
    if callee.startswith(_OF_OBJECT) and function is not None:
        callee, of = _of_object(reading, callee, function.child_by_field_name("value"))
    kinds = [child.type for child in arguments.named_children if not child.type.endswith("comment")]
    is_open = "attribute_item" in kinds
    parent = node.parent
    awaited = parent is not None and parent.type == "await_expression"
    reading.calls.append(
        CallSite(callee, first_line(node), len(kinds), (), is_open, _inside(reading, node), awaited, of)
    )


def _of_object(reading: Reading, callee: str, value: Node | None) -> tuple[str, str]:
    """The callee by what it is called on, with the type of that, where it is written."""
    variable, of = held(reading, value)
    if variable and value is not None:
        reading.objects.ask(variable, reading.scope(value))
    return (f"{reading.text(value)}.{callee.removeprefix(_OF_OBJECT)}" if of.endswith(_OWN) else callee, of)


def _inside(reading: Reading, node: Node) -> str:
    around = reading.around(node)
    own = next((name for kind, name in reversed(around) if kind == CLASS), "")
    return INSIDE.join((".".join(name for kind, name in around if kind == MODULE), own))


def _callee(reading: Reading, node: Node | None) -> str:
    if node is not None and node.type == "field_expression":
        return _reached(reading, node.child_by_field_name("value"), node.child_by_field_name("field"))
    parts: list[str] = []
    while node is not None and node.type == "scoped_identifier":
        parts.append(reading.text(node.child_by_field_name("name")))
        node = node.child_by_field_name("path")
        if node is not None and node.type == "generic_type":
            node = node.child_by_field_name("type")
    if node is not None and node.type == "self":
        return ".".join(("mod", *reversed(parts)))  # the module, not the object
    if node is not None and node.type in {"identifier", "type_identifier", "crate", "super"}:
        return ".".join((reading.text(node), *reversed(parts)))
    return f"?.{parts[0]}" if parts and node is not None and node.type == "bracketed_type" else ""


def _reached(reading: Reading, value: Node | None, field: Node | None) -> str:
    if field is None or field.type != "field_identifier":
        return ""
    return f"{'self' if value is not None and value.type == 'self' else '?'}.{reading.text(field)}"


def _bind(reading: Reading, node: Node) -> None:
    pattern = node.child_by_field_name("pattern")
    pending = [pattern]
    if node.type == "closure_parameters":
        pending = [child for child in node.named_children if child.type != "parameter"]
    if pattern is not None and pattern.type == "identifier":
        bind(reading.scope(node), reading.text(pattern), _declared_type(reading, node))
    while pending:
        here = pending.pop()
        if here is None:
            continue
        if here.type in {"identifier", "shorthand_field_identifier"}:
            reading.bound.add(reading.text(here))
            if here != pattern:
                bind(reading.scope(node), reading.text(here), "")
        skipped = here.child_by_field_name("type")
        pending.extend(child for child in here.named_children if child != skipped)


def _declared_type(reading: Reading, node: Node) -> str:
    """The type of a parameter, or of what a `let` fills."""
    kind = node.child_by_field_name("type")
    if kind is not None:
        return written_type(reading, kind)
    return made_type(reading, node.child_by_field_name("value")) if node.type == "let_declaration" else ""


def _bind_type(reading: Reading, node: Node) -> None:
    reading.bound.add(f"{PARAMETER}{reading.text(node.child_by_field_name('name'))}")


def _value(reading: Reading, node: Node) -> None:
    """A constant may hold a function, if it is called like one."""
    name = reading.text(node.child_by_field_name("name"))
    if reading.is_inside_function(node):
        reading.bound.add(name)
    elif name.islower():
        reading.bound.add(f"{VALUE}{reading.symbol(node, name)}")


def _macro(reading: Reading, node: Node) -> None:
    around = node.parent
    if around is not None and around.type == "expression_statement":
        around = around.parent
    if around is not None and around.type in {"source_file", "declaration_list"}:
        reading.bound.add(ANY)
    note_calls(reading, node, _inside(reading, node))


READERS: Mapping[str, See] = {
    "use_declaration": _use,
    "function_item": _function,
    "function_signature_item": _function,
    "mod_item": _module,
    "impl_item": _implementation,
    "struct_item": _type,
    "union_item": _type,
    "enum_item": _type,
    "trait_item": _type,
    "type_item": _type,
    "enum_variant": _variant,
    "call_expression": _call,
    "let_declaration": _bind,
    "parameter": _bind,
    "closure_parameters": _bind,
    "for_expression": _bind,
    "let_condition": _bind,
    "match_arm": _bind,
    "type_parameter": _bind_type,
    "const_item": _value,
    "static_item": _value,
    "macro_invocation": _macro,
}
