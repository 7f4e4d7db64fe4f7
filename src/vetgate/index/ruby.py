"""What the index notes of Ruby."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vetgate.index.facts import Definition, Import
from vetgate.index.reading import CLASS, FUNCTION, UNKNOWN, UNNAMED
from vetgate.index.ruby_calls import READERS as CALLS
from vetgate.index.ruby_calls import SINGLETON, takes
from vetgate.index.ruby_variables import MAKER, assigned, bent, bent_itself, said
from vetgate.index.ruby_variables import READERS as VARIABLES
from vetgate.index.visibility import PRIVATE
from vetgate.source.syntax import children_in, first_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from tree_sitter import Node

    from vetgate.index.reading import Reading, See

_METHODS = ("private_class_method", "public_class_method")
_CONSTANTS = ("private_constant", "public_constant")
_SECTIONS = ("private", "public")
_SYMBOLS = frozenset({"simple_symbol", "bare_symbol"})


def hidden_methods(reading: Reading, statements: Iterable[Node]) -> frozenset[str]:
    return _stated(reading, statements, *_METHODS)


def hidden_constants(reading: Reading, statements: Iterable[Node]) -> frozenset[str]:
    return _stated(reading, statements, *_CONSTANTS)


def _stated(reading: Reading, statements: Iterable[Node], hides: str, shows: str) -> frozenset[str]:
    found: set[str] = set()
    for each in statements:
        word = _word(reading, each)
        if word == hides:
            found.update(_named(reading, each))
        elif word == shows:
            found.difference_update(_named(reading, each))
    return frozenset(found)


def hidden_in_section(reading: Reading, statements: Iterable[Node]) -> frozenset[str]:
    """Of a `class << self`: what stands behind `private`, and what it names."""
    found: set[str] = set()
    hides, shows = _SECTIONS
    is_hidden = False
    for each in statements:
        word = _word(reading, each)
        if each.type == "identifier" and word in {*_SECTIONS, "protected"}:
            is_hidden = word == hides
        elif each.type == "method" and is_hidden:
            found.add(reading.text(each.child_by_field_name("name")))
        elif word == hides:
            found.update(_named(reading, each))
        elif word == shows:
            found.difference_update(_named(reading, each))
    return frozenset(found)


def _word(reading: Reading, node: Node) -> str:
    if node.type == "identifier":
        return reading.text(node)
    is_call = node.type == "call" and node.child_by_field_name("receiver") is None
    return reading.text(node.child_by_field_name("method")) if is_call else ""


def _named(reading: Reading, node: Node) -> Iterator[str]:
    arguments = node.child_by_field_name("arguments")
    pending = list(arguments.named_children) if arguments is not None else []
    while pending:
        each = pending.pop()
        if each.type in _SYMBOLS:
            yield reading.text(each).lstrip(":")
        elif each.type == "symbol_array":
            pending += each.named_children
        elif each.type in {"method", "singleton_method"}:
            yield reading.text(each.child_by_field_name("name"))


CONSTANT = "constant"
# How members of a class itself are told from those of its objects.
OF_CLASS = "self"
_ATTRIBUTES = {"attr_reader": ("",), "attr_writer": ("=",), "attr_accessor": ("", "=")}
# What names methods and leaves them as they are.
_NAMING = frozenset(
    """private public protected private_class_method public_class_method module_function private_constant
    autoload""".split()  # noqa: SIM905 - a list of names
)
# What may be said in a class without making any names.
_HARMLESS = frozenset(
    """private public protected private_constant private_class_method public_class_method module_function autoload
    require require_relative freeze raise puts alias_method include extend attr_reader attr_writer attr_accessor
    define_method""".split()  # noqa: SIM905 - a list of names
)

# What is said to a class from outside and may change what it has.
_OPENING = frozenset(
    """alias_method class_eval class_exec define_method define_singleton_method extend include instance_eval
    instance_exec module_eval module_exec prepend remove_method singleton_class undef_method""".split()  # noqa: SIM905 - a list of names
)
_SENDING = frozenset({"send", "public_send", "__send__"})


def _class(reading: Reading, node: Node) -> None:
    name = reading.text(node.child_by_field_name("name")).replace("::", ".").strip(".") or UNNAMED
    body = node.child_by_field_name("body")
    if not reading.is_inside_function(node):
        bases = tuple(_bases(reading, node, body))
        symbol = reading.symbol(node, name)
        # What is put before it may replace any of its methods.
        statements = body.named_children if body is not None else []
        is_covered = any(_called(reading, each) == "prepend" for each in statements)
        made = "" if is_covered or _is_data(reading, node) else node.type
        visibility = PRIVATE if symbol in reading.hidden else ""
        reading.definitions.append(
            Definition(symbol, first_line(node), CLASS, None, bases=bases, made=made, visibility=visibility)
        )
        _hide(reading, node, symbol, statements)
    if node.type == "module":
        _share(reading, body)
    reading.open_scope(node, CLASS, name)


def _hide(reading: Reading, node: Node, symbol: str, statements: Sequence[Node]) -> None:
    methods, opened = hidden_methods(reading, statements), list(_in_singletons(statements))
    for inner in opened:
        methods |= hidden_in_section(reading, inner)
    # What makes an object is known by what it hands its arguments over to.
    makers = {f"{symbol}.{MAKER}"} if "new" in methods else set()
    written = {reading.text(it.child_by_field_name("name")) for each in (statements, *opened) for it in each}
    if makers and not written & {MAKER, "new"}:
        new = f"{symbol}.{OF_CLASS}.new"
        reading.definitions.append(Definition(new, first_line(node), FUNCTION, None, visibility=PRIVATE))
    constants = {f"{symbol}.{name}" for name in hidden_constants(reading, statements)}
    reading.hidden.update({f"{symbol}.{OF_CLASS}.{name}" for name in methods} | makers | constants)


def _in_singletons(statements: Sequence[Node]) -> Iterator[Sequence[Node]]:
    for each in statements:
        inner = each.child_by_field_name("body") if each.type == "singleton_class" else None
        yield inner.named_children if inner is not None else ()


def _is_data(reading: Reading, node: Node) -> bool:
    """`Data` passes by name what it gets by place, whatever the constructor lists."""
    return any(reading.text(child).startswith("Data.") for child in (children_in(node, "superclass")))


def _bases(reading: Reading, node: Node, body: Node | None) -> Iterator[str]:
    """What is mixed in goes before what is inherited; of what may make names nobody knows which."""
    statements = body.named_children if body is not None else []
    mixed = [each for each in statements if _called(reading, each) in {"include", "extend"}]
    for each in reversed(mixed):
        yield from _mixed_in(reading, each)
    for child in children_in(node, "superclass"):
        yield reading.text(child) if child.type in {"constant", "scope_resolution"} else UNKNOWN
    made = (_called(reading, each) for each in statements if each.type not in {"method", "singleton_method"})
    if any(word and word not in _HARMLESS for word in made):
        yield UNKNOWN


def _mixed_in(reading: Reading, node: Node) -> Iterator[str]:
    way = _called(reading, node)
    for child in children_in(node, "arguments"):
        if child.type in {"constant", "scope_resolution"}:
            yield f"{way} {reading.text(child)}"
        elif child.type != "self":
            yield UNKNOWN


def _called(reading: Reading, node: Node) -> str:
    if node.type == "identifier":
        return reading.text(node)
    if node.type != "call":
        return ""
    return reading.text(node.child_by_field_name("method")) if node.child_by_field_name("receiver") is None else UNKNOWN


def _share(reading: Reading, body: Node | None) -> None:
    """Methods that a module has itself as well: behind `module_function`, and all of one that extends itself."""
    is_shared = False
    methods: list[Node] = []
    for each in body.named_children if body is not None else ():
        word = _called(reading, each)
        arguments = each.child_by_field_name("arguments") if word in {"extend", "module_function"} else None
        if word == "extend" and arguments is not None and any(it.type == "self" for it in arguments.named_children):
            reading.exported.update(it.start_byte for it in methods)
            is_shared = True
        elif word == "module_function":
            is_shared = is_shared or arguments is None
        elif each.type == "method":
            methods.append(each)
            reading.exported.update({each.start_byte} if is_shared else ())


def _method(reading: Reading, node: Node) -> None:
    bent(reading, node.child_by_field_name("object"))
    name = reading.text(node.child_by_field_name("name"))
    is_shared = node.type == "singleton_method" or _is_in_singleton(reading, node)
    symbol = reading.symbol(node, f"{OF_CLASS}.{name}" if is_shared else name)
    reading.functions.append((symbol.replace(f".{OF_CLASS}.", "."), node))
    if not reading.is_inside_function(node):
        _define(reading, node, symbol, is_shared=is_shared)
    reading.open_scope(node, SINGLETON if is_shared else FUNCTION, name)


def _define(reading: Reading, node: Node, symbol: str, *, is_shared: bool) -> None:
    owner, name = reading.owner(node), symbol.rpartition(".")[2]
    target = node.child_by_field_name("object")
    if target is not None and target.type != "self":
        _opened(reading, node, target)
        return
    kind = "method" if owner and not is_shared and name != MAKER else FUNCTION
    parameters = takes(reading, node.child_by_field_name("parameters")) if _is_plain(node) else None
    visibility = PRIVATE if symbol in reading.hidden else ""
    reading.definitions.append(Definition(symbol, first_line(node), kind, parameters, visibility=visibility))
    if node.start_byte in reading.exported:
        shared = f"{owner}.{OF_CLASS}.{name}"
        reading.definitions.append(Definition(shared, first_line(node), FUNCTION, parameters))


def _is_plain(node: Node) -> bool:
    """Whether it stands in a class as such, not in a block or a condition."""
    around = node.parent
    if around is not None and around.type == "argument_list":
        around = around.parent.parent if around.parent is not None else None
    if around is None or around.type not in {"body_statement", "program"}:
        return around is not None and around.type in {"class", "module", "singleton_class"}
    return around.type == "program" or (
        around.parent is not None and around.parent.type in {"class", "module", "singleton_class"}
    )


def _singleton_class(reading: Reading, node: Node) -> None:
    value = node.child_by_field_name("value")
    bent(reading, value)
    if value is not None and value.type == "self":
        bent_itself(reading, node)
        reading.open_scope(node, SINGLETON, "")
    else:
        _opened(reading, node, value)
        reading.open_scope(node, CLASS, UNNAMED)


def _opened(reading: Reading, node: Node, target: Node | None) -> None:
    """A class that others add to: a second place that has its name, whichever of those that it may mean here."""
    if target is None or target.type not in {"constant", "scope_resolution"}:
        return
    name, owner = reading.text(target).replace("::", ".").strip("."), reading.owner(node)
    if f".{owner}".endswith(f".{name}"):
        return  # its own
    outer = owner.split(".") if owner else []
    for length in range(len(outer) + 1):
        symbol = ".".join((*outer[:length], name))
        reading.definitions.append(Definition(symbol, first_line(node), CONSTANT, None))


def _opens(reading: Reading, node: Node) -> None:
    word, arguments = reading.text(node.child_by_field_name("method")), node.child_by_field_name("arguments")
    if word in _SENDING and arguments is not None and arguments.named_children:
        word = reading.text(arguments.named_children[0]).strip(":\"'")
    if word in _OPENING:
        _opened(reading, node, node.child_by_field_name("receiver"))


def _refines(reading: Reading, node: Node) -> None:
    arguments = node.child_by_field_name("arguments")
    if arguments is not None and arguments.named_children and _called(reading, node) == "refine":
        _opened(reading, node, arguments.named_children[0])


def _assignment(reading: Reading, node: Node) -> None:
    _constant(reading, node)
    assigned(reading, node)


def _constant(reading: Reading, node: Node) -> None:
    left = node.child_by_field_name("left")
    if left is not None and left.type in {"constant", "scope_resolution"} and not reading.is_inside_function(node):
        name = reading.text(left).replace("::", ".").strip(".")
        reading.definitions.append(Definition(reading.symbol(node, name), first_line(node), CONSTANT, None))


def _alias(reading: Reading, node: Node) -> None:
    _made(reading, node, reading.text(node.child_by_field_name("name")))


def _said(reading: Reading, node: Node) -> None:
    """Methods that are made by a call: attributes, other names, blocks."""
    arguments = node.child_by_field_name("arguments")
    if arguments is None or node.child_by_field_name("receiver") is not None:
        return
    word = reading.text(node.child_by_field_name("method"))
    symbols = [reading.text(child)[1:] for child in arguments.named_children if child.type == "simple_symbol"]
    if word == "require_relative":
        named = reading.text(arguments).strip("()\"' ")
        reading.imports.append(Import(first_line(node), named, "", named))
    for name in symbols if word not in _NAMING else ():
        for end in _ATTRIBUTES.get(word, ("",)):
            _made(reading, node, f"{name}{end}")
        if word in {"alias_method", "define_method"}:
            break  # the first of two names is the new one


def _made(reading: Reading, node: Node, name: str) -> None:
    kinds = [kind for kind, _ in reading.around(node)]
    if not kinds or kinds[-1] == FUNCTION or (kinds[-1] == SINGLETON and not _is_in_singleton_class(node)):
        return
    symbol = reading.symbol(node, f"{OF_CLASS}.{name}" if _is_in_singleton(reading, node) else name)
    reading.definitions.append(Definition(symbol, first_line(node), "method", None))


def _is_in_singleton_class(node: Node) -> bool:
    around = node.parent.parent if node.parent is not None else None
    return around is not None and around.type == "singleton_class"


def _is_in_singleton(reading: Reading, node: Node) -> bool:
    return any(kind == SINGLETON for kind, _ in reading.around(node)[-1:])


def _call(reading: Reading, node: Node) -> None:
    _said(reading, node)
    said(reading, node)
    if node.child_by_field_name("receiver") is not None:
        _opens(reading, node)
    else:
        _refines(reading, node)
    CALLS["call"](reading, node)


READERS: Mapping[str, See] = {
    **VARIABLES,
    **CALLS,
    "class": _class,
    "module": _class,
    "method": _method,
    "singleton_method": _method,
    "singleton_class": _singleton_class,
    "assignment": _assignment,
    "alias": _alias,
    "call": _call,
}
