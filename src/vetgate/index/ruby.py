"""What the index notes of Ruby: what is called and defined, and what variables hold.

That is known by the `new` that fills them, if nothing else does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from vetgate.expression import expression
from vetgate.index.facts import HASH, KEYWORD, KEYWORDS, NEW, POSITIONAL, REST, CallSite, Definition, Import, Parameter
from vetgate.index.objects import bind, lose
from vetgate.index.reading import CLASS, FUNCTION, UNKNOWN, UNNAMED
from vetgate.index.visibility import PRIVATE
from vetgate.source.syntax import children_in, first_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from tree_sitter import Node

    from vetgate.index.objects import Names
    from vetgate.index.reading import Reading, See


MAKER = "initialize"
# Stands among the members of a class that gives its objects methods of their own.
BENT = "(bent)"
_LOCAL, _OWN = "identifier", "instance_variable"
# What gives an object methods of its own.
_BENDING = frozenset(
    """define_singleton_method expects extend instance_eval instance_exec singleton_class stub stubs""".split()  # noqa: SIM905 - a list of names
)
# What may give a value to any name: of a method, or of an object.
_FILLING = frozenset({"eval", "local_variable_set"})
_SETTING = frozenset({"instance_variable_set", "remove_instance_variable"})
_WRITERS = frozenset({"attr_writer", "attr_accessor"})
_CAPTURED = expression(r"\(\?<([a-z_]\w*)>")


def made_type(reading: Reading, node: Node | None) -> str:
    """`A::B` of `A::B.new(1)`."""
    if node is None or node.type != "call" or reading.text(node.child_by_field_name("method")) != "new":
        return ""
    receiver = node.child_by_field_name("receiver")
    if receiver is None or receiver.type not in {"constant", "scope_resolution"}:
        return ""
    name = reading.text(receiver)
    return name if name.replace("::", "").replace("_", "a").isalnum() and name.lstrip(":")[:1].isupper() else ""


def held(reading: Reading, receiver: Node) -> tuple[str, Names]:
    """The name of a variable and the scope that has it; an empty one for what is none."""
    name = reading.text(receiver)
    if receiver.type == _LOCAL:
        return name, reading.scope(receiver)
    return (name, _object(reading, receiver)) if receiver.type == _OWN else ("", {})


def _object(reading: Reading, node: Node) -> Names:
    """Whose variables begin with an `@` here, if it is an object and no class."""
    kinds = [kind for kind, _ in reading.around(node)]
    return reading.scope(node, CLASS) if kinds[-1:] == [FUNCTION] else {}


def assigned(reading: Reading, node: Node) -> None:
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if right is not None and right.type == "nil":
        return
    if left is None or left.type not in {_LOCAL, _OWN}:
        _unknown(reading, [left])
        return
    name, scope = held(reading, left)
    is_first = left.type == _LOCAL or reading.around(node)[-1:] == [(FUNCTION, MAKER)]
    bind(scope, name, made_type(reading, right) if is_first else "")


def said(reading: Reading, node: Node) -> None:
    """A call after which something may hold another thing, or be more than its class says."""
    word, receiver = reading.text(node.child_by_field_name("method")), node.child_by_field_name("receiver")
    if word in _BENDING or reading.text(receiver) == "singleton_class":
        bent(reading, receiver)
        if receiver is None or reading.text(receiver) in {"self", "singleton_class"}:
            bent_itself(reading, node)
    elif word in _FILLING:
        lose(reading.scope(node))
    elif word in _SETTING:
        lose(reading.scope(node, CLASS))
    elif word in _WRITERS and receiver is None:
        for child in children_in(node, "arguments"):
            bind(reading.scope(node, CLASS), f"@{reading.text(child).lstrip(':')}", "")


def bent(reading: Reading, target: Node | None) -> None:
    """What gets methods of its own, by `def name.f` for one."""
    if target is not None and target.type in {_LOCAL, _OWN}:
        _unknown(reading, [target])


def bent_itself(reading: Reading, node: Node) -> None:
    """In a method of an object: by `extend` for one."""
    kinds, owner = [kind for kind, _ in reading.around(node)], reading.owner(node)
    if owner and kinds[-1:] == [FUNCTION]:
        reading.definitions.append(Definition(f"{owner}.{BENT}", first_line(node), "method", None))


def _unknown(reading: Reading, nodes: Iterable[Node | None]) -> None:
    pending = list(nodes)
    while pending:
        here = pending.pop()
        if here is not None and here.type in {_LOCAL, _OWN}:
            name, scope = held(reading, here)
            bind(scope, name, "")
        elif here is not None and here.type == "hash_key_symbol":
            bind(reading.scope(here), reading.text(here), "")
        elif here is not None:
            pending.extend(here.named_children)


def _changed(reading: Reading, node: Node) -> None:
    _unknown(reading, [node.child_by_field_name("left")])


def _all(reading: Reading, node: Node) -> None:
    _unknown(reading, [node])


def _matched(reading: Reading, node: Node) -> None:
    _unknown(reading, [node.child_by_field_name("pattern")])


def _captured(reading: Reading, node: Node) -> None:
    """`/(?<name>a)/ =~ text`."""
    left = node.child_by_field_name("left")
    if left is not None and left.type == "regex":
        for name in _CAPTURED.findall(reading.text(left)):
            bind(reading.scope(node), name, "")


_VARIABLES: Mapping[str, See] = {
    "operator_assignment": _changed,
    "method_parameters": _all,
    "block_parameters": _all,
    "lambda_parameters": _all,
    "exception_variable": _all,
    "binary": _captured,
    "for": _matched,
    "in_clause": _matched,
    "match_pattern": _matched,
    "test_pattern": _matched,
}


# Where `self` is the class: its methods, and all that stands in its body.
SINGLETON = "singleton"
OBJECT, ITSELF, INHERITED = "self", "class", "super"
# In their blocks `self` is something else.
_CHANGING = frozenset(
    """class_eval class_exec instance_eval instance_exec module_eval module_exec define_method define_singleton_method
    define""".split()  # noqa: SIM905 - a list of names
)
_MAKING = frozenset({"Class", "Module", "Struct", "Data", "BasicObject", "Object"})
_CLASS_NAMES = frozenset({"constant", "scope_resolution"})


def of_class(reading: Reading, node: Node) -> bool:
    """Whether `self` is the class here."""
    is_inside = False
    for kind, _ in reversed(reading.around(node)):
        if kind == SINGLETON:
            return True
        if kind == CLASS:
            return not is_inside
        is_inside = is_inside or kind == FUNCTION
    return False


def takes(reading: Reading, node: Node | None) -> tuple[Parameter, ...]:
    """What can be left out comes last: what there is goes to the others first."""
    found = []
    for child in node.named_children if node is not None else ():
        found += _taken(reading, child)
    if not any(each.kind in {KEYWORD, KEYWORDS} for each in found):
        found.append(HASH)
    return tuple(sorted(found, key=lambda each: each.kind == POSITIONAL and each.optional))


def _taken(reading: Reading, node: Node) -> list[Parameter]:
    name = reading.text(node.child_by_field_name("name"))
    has_value = node.child_by_field_name("value") is not None
    if node.type in {"identifier", "destructured_parameter"}:
        return [Parameter(reading.text(node) if node.type == "identifier" else "", POSITIONAL)]
    if node.type == "optional_parameter":
        return [Parameter(name, POSITIONAL, optional=True)]
    if node.type == "keyword_parameter":
        return [Parameter(name, KEYWORD, has_value)]
    kinds = {"splat_parameter": [REST], "hash_splat_parameter": [KEYWORDS], "forward_parameter": [REST, KEYWORDS]}
    return [Parameter(name, kind) for kind in kinds.get(node.type, [])]


def _note_call(reading: Reading, node: Node) -> None:
    method = node.child_by_field_name("method")
    if method is None or method.type not in {"identifier", "constant", "super"}:
        return
    callee, receiver = _callee(reading, node, reading.text(method)), node.child_by_field_name("receiver")
    of = made_type(reading, receiver)
    if receiver is not None and callee.startswith("?."):
        reading.objects.ask(*held(reading, receiver))
    if callee:
        _note(reading, node, f"{of}.{reading.text(method)}" if of else callee, of)
    block = node.child_by_field_name("block")
    is_made = reading.text(receiver) in _MAKING and callee.startswith(NEW)
    if block is not None and (reading.text(method) in _CHANGING or is_made):
        reading.open_scope(block, CLASS, UNNAMED)


def _callee(reading: Reading, node: Node, name: str) -> str:
    receiver = node.child_by_field_name("receiver")
    if receiver is None or receiver.type == "self":
        if name == INHERITED:
            return _inherited(reading, node)
        side = ITSELF if of_class(reading, node) else OBJECT
        return "" if name == "new" and side == ITSELF else f"{side}.{name}"
    if receiver.type not in _CLASS_NAMES:
        return f"?.{name}"
    named = reading.text(receiver)
    if "(" in named or named[:1].islower():
        return f"?.{name}"
    return f"{NEW}{named}" if name == "new" else f"{named}.{name}"


def _inherited(reading: Reading, node: Node) -> str:
    """`super(1)`: the method of that name further up; without brackets it passes what there is."""
    kind, name = next(reversed(reading.around(node)), ("", ""))
    is_told = kind == FUNCTION and node.child_by_field_name("arguments") is not None
    return f"{INHERITED}.{name}" if is_told else ""


def _note(reading: Reading, node: Node, callee: str, of: str) -> None:
    positional, is_open, keywords = 0, False, []
    for child in children_in(node, "arguments"):
        if child.type == "pair":
            key = child.child_by_field_name("key")
            keywords.append(reading.text(key).strip(":\"'"))
            is_open = is_open or key is None or key.type not in {"hash_key_symbol", "simple_symbol"}
        elif child.type in {"splat_argument", "hash_splat_argument", "forward_argument"}:
            is_open = True
        elif child.type not in {"block_argument", "comment"}:
            positional += 1
    listed = tuple(keywords) if not is_open else ()
    reading.calls.append(CallSite(callee, first_line(node), positional, listed, is_open, reading.owner(node), of=of))


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
        word = _called(reading, each)
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
        word = _called(reading, each)
        if each.type == "identifier" and word in {*_SECTIONS, "protected"}:
            is_hidden = word == hides
        elif each.type == "method" and is_hidden:
            found.add(reading.text(each.child_by_field_name("name")))
        elif word == hides:
            found.update(_named(reading, each))
        elif word == shows:
            found.difference_update(_named(reading, each))
    return frozenset(found)


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
    _note_call(reading, node)


READERS: Mapping[str, See] = {
    **_VARIABLES,
    "class": _class,
    "module": _class,
    "method": _method,
    "singleton_method": _method,
    "singleton_class": _singleton_class,
    "assignment": _assignment,
    "alias": _alias,
    "call": _call,
}
