"""What the index notes of Python, with what variables, parameters and fields are.

That is known by what is written for them, or by the call that makes them.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from vetgate.index.facts import (
    KEYWORD,
    KEYWORDS,
    NEW,
    OF_CLASS,
    PLAIN,
    POSITIONAL,
    REST,
    STATIC,
    CallSite,
    Definition,
    Import,
    Parameter,
)
from vetgate.index.fields import fields
from vetgate.index.objects import BROUGHT, ITSELF, NOTHING, UNSURE, agreed, bind, held
from vetgate.index.reading import CLASS, FUNCTION, UNKNOWN, is_tried
from vetgate.index.return_types import method_by_class, python_class, result_of
from vetgate.source.syntax import children_in, first_line

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tree_sitter import Node

    from vetgate.index.reading import Reading, See


SELF = "self"
_FIRST = frozenset({SELF, "cls"})
_SUPER = "super"
WITHOUT_FIRST = "staticmethod"
# So many values may be chosen between before nobody reads on.
_DEEPEST = 20
# By convention a class begins with a capital; asking of everything that is called would cost too much.
_CLASS = re.compile(r"(?:\w+\.)*_*[A-Z]\w*")
# Who asks what an object is, or gives it more than its class has, may use it as something else.
_ASKING = frozenset(
    {"isinstance", "issubclass", "hasattr", "getattr", "setattr", "delattr", "type", "callable", "cast"}
)


def _bind_parameters(reading: Reading, node: Node) -> None:
    here = reading.here(node)
    for child in node.named_children:
        inner = child.child_by_field_name("name") or child
        if inner.type == "typed_parameter":
            inner = inner.named_children[0]
        written = child.child_by_field_name("type") if inner.type == "identifier" else None
        name = reading.text(inner).lstrip("*")
        is_first = name in _FIRST and child == node.named_children[0] and _is_bound(reading, node)
        bind(here, name, ITSELF if is_first else _type_name(reading, written))
        reading.bound.add(name)


def _is_bound(reading: Reading, parameters: Node) -> bool:
    """Whether they are those of a method that gets an object or a class first."""
    function = parameters.parent
    if function is None or function.type != "function_definition" or not reading.is_method(parameters):
        return False
    return WITHOUT_FIRST not in reading.decorators.get(function.start_byte, ())


def _type_name(reading: Reading, node: Node | None) -> str:
    return python_class(reading.text(node))


def _assigned(reading: Reading, node: Node) -> None:
    """A value for a name or a field; for whatever else stands on the left nobody knows which."""
    left = node.child_by_field_name("left")
    if node.type != "assignment" or left is None or left.type not in {"identifier", "attribute"}:
        _bind_all(reading, left or node.child_by_field_name("name"), UNSURE)
        return
    kind, written = _made_by(reading, node.child_by_field_name("right")), node.child_by_field_name("type")
    if written is not None and not kind.startswith(NEW):
        kind = _type_name(reading, written)
    elif left.type == "identifier" and not reading.functions_around(node) and reading.is_inside(node):
        kind = UNSURE  # of a class: what a descriptor gives is not what it is
    _bind_to(reading, left, kind)


def _bind_all(reading: Reading, node: Node | None, kind: str) -> None:
    """Every name and field in a pattern."""
    for each in _targets(node):
        _bind_to(reading, each, kind)


def _targets(node: Node | None) -> Iterator[Node]:
    pending = [node] if node is not None else []
    while pending:
        here = pending.pop()
        if here.type in {"identifier", "attribute"}:
            yield here
        elif here.type != "subscript":
            pending.extend(here.named_children)


def _bind_to(reading: Reading, node: Node, kind: str) -> None:
    if node.type == "identifier":
        bind(reading.here(node), reading.text(node), kind)
        return
    if reading.text(node.child_by_field_name("object")) == SELF:
        bind(reading.fields(node), reading.text(node.child_by_field_name("attribute")), kind)


def _made_by(reading: Reading, node: Node | None, depth: int = 0) -> str:
    """What an expression gives, where that is written in it."""
    if node is None or node.type == "none":
        return NOTHING
    if depth > _DEEPEST:
        return UNSURE
    if node.type in {"call", "await"}:
        return _returned_type(reading, node)
    if node.type == "identifier":
        return held(reading.text(node), reading.functions_around(node)) or UNSURE
    if node.type == "parenthesized_expression" and len(node.named_children) == 1:
        return _made_by(reading, node.named_children[0], depth + 1)
    if node.type == "conditional_expression" or (node.type == "boolean_operator" and node.children[1].type == "or"):
        first, *_, last = node.named_children
        return agreed(_made_by(reading, first, depth + 1), _made_by(reading, last, depth + 1))
    return UNSURE


def _returned_type(reading: Reading, node: Node) -> str:
    call = node.named_children[0] if node.type == "await" else node
    text = reading.text(call.child_by_field_name("function")) if call.type == "call" else ""
    if _CLASS.fullmatch(text):
        return f"{NEW}{text}" if call is node else UNSURE
    return result_of(method_by_class(reading, call, text), awaited=call is not node)


def _receiver(reading: Reading, function: Node, callee: str) -> str:
    """What a call is made on, where that stands there; what a name means is asked once all of it is read."""
    first, *rest = callee.split(".")
    if first == UNSURE:
        target = function.child_by_field_name("object")
        made = _made_by(reading, target) if target is not None and target.type == "call" else UNSURE
        return made if made != UNSURE else ""
    if first == SELF and len(rest) == 2:
        reading.objects.ask(rest[0], reading.fields(function))
    elif len(rest) == 1:
        reading.objects.ask(first, *reading.functions_around(function))
    return ""


def _inherited(reading: Reading, function: Node | None) -> str:
    """`super.load` of `super().load`, also where it says which class and object are meant."""
    target = function.child_by_field_name("object") if function is not None and function.type == "attribute" else None
    if function is None or target is None or target.type != "call":
        return ""
    given = target.child_by_field_name("arguments")
    if reading.text(target.child_by_field_name("function")) != _SUPER or given is None:
        return ""
    said = [reading.text(each) for each in given.named_children]
    if said and (len(said) != 2 or said[0] != reading.owner(function) or said[1] not in _FIRST):
        return ""
    return f"{_SUPER}.{reading.text(function.child_by_field_name('attribute'))}"


def _asked_about(reading: Reading, callee: str, arguments: Node) -> None:
    if callee.rpartition(".")[2] in _ASKING:
        for each in arguments.named_children[:2]:
            if each.type in {"identifier", "attribute"}:
                _bind_to(reading, each, UNSURE)


def _unsettled(reading: Reading, node: Node) -> None:
    """Taken away, of another scope, or bound by a pattern."""
    for scope in (reading.objects.outermost, reading.here(node), *reading.functions_around(node)):
        for each in _targets(node):
            if each.type == "identifier":
                bind(scope, reading.text(each), UNSURE)
    _bind_all(reading, node, UNSURE)


def _matched(reading: Reading, node: Node) -> None:
    """What is compared with patterns is asked what it is by each of them."""
    for each in node.children_by_field_name("subject"):
        if each.type in {"identifier", "attribute"}:
            _bind_to(reading, each, UNSURE)


_OBJECTS: Mapping[str, See] = {
    "delete_statement": _unsettled,
    "global_statement": _unsettled,
    "nonlocal_statement": _unsettled,
    "case_pattern": _unsettled,
    "match_statement": _matched,
}


# Decorators that leave what a call has to pass as it is written.
_HARMLESS = frozenset(
    """staticmethod classmethod abstractmethod override final cache lru_cache wraps contextmanager asynccontextmanager
    deprecated no_type_check""".split()  # noqa: SIM905 - a list of names
)
_HARMLESS_TO_CLASSES = frozenset({"final", "total_ordering", "runtime_checkable", "deprecated", "unique"})
_HARMLESS_WORDS = frozenset({"metaclass=ABCMeta", "metaclass=abc.ABCMeta"})
# What may stand between arguments and is none.
_BETWEEN = frozenset({"comment", "line_continuation"})
_OF_CLASSES = frozenset({WITHOUT_FIRST, "classmethod"})
_OF_CLASSES_ANYWAY = frozenset({"__init_subclass__", "__class_getitem__"})
_CLASSES = frozenset({"cls", "mcs", "mcls", "metacls", "klass"})


def _function(reading: Reading, node: Node) -> None:
    name = reading.text(node.child_by_field_name("name"))
    symbol = reading.symbol(node, name)
    if not _is_declared_only(node.child_by_field_name("body")):
        reading.functions.append((symbol, node))
    if not reading.is_inside_function(node):
        reading.definitions.append(_definition(reading, node, symbol))
    else:
        reading.bound.add(name)
    bind(reading.here(node), name, UNSURE)
    _bind_generics(reading, node)
    reading.open_scope(node, FUNCTION, name)


def _bind_generics(reading: Reading, node: Node) -> None:
    """`def load[T](…)`: a type parameter may have the name of a class."""
    for each in children_in(node, "type_parameters"):
        reading.bound.add(reading.text(each).lstrip("*").partition(":")[0].strip())


def _is_declared_only(body: Node | None) -> bool:
    """`...` for a body: an overload, a stub or a protocol, whose parameters have to be like those of others."""
    statements = [child for child in body.named_children if child.type != "comment"] if body is not None else []
    inner = statements[-1].named_children if statements and statements[-1].type == "expression_statement" else []
    return len(inner) == 1 and inner[0].type == "ellipsis"


def _definition(reading: Reading, node: Node, symbol: str) -> Definition:
    decorators = reading.decorators.get(node.start_byte, ())
    owner = reading.owner(node)
    parameters, word = None, ""
    if all(each in _HARMLESS for each in decorators):
        parameters = tuple(_parameters(reading, node.child_by_field_name("parameters")))
        word = _word(reading.text(node.child_by_field_name("name")), decorators, parameters) if owner else ""
        if owner and WITHOUT_FIRST not in decorators:
            parameters = parameters[1:] if parameters and parameters[0].kind in {PLAIN, POSITIONAL} else None
    return Definition(
        symbol,
        first_line(node),
        "method" if owner else FUNCTION,
        parameters,
        reading.text(node.child_by_field_name("return_type")),
        is_async=node.children[0].type == "async",
        word=word,
    )


def _word(name: str, decorators: tuple[str, ...], parameters: tuple[Parameter, ...]) -> str:
    if not _OF_CLASSES.isdisjoint(decorators) or name in _OF_CLASSES_ANYWAY:
        return STATIC
    return OF_CLASS if parameters and parameters[0].name in _CLASSES else ""


def _parameters(reading: Reading, node: Node | None) -> Iterator[Parameter]:
    found: list[Parameter] = []
    kind = PLAIN
    for child in node.named_children if node is not None else ():
        if child.type == "positional_separator":
            found = [Parameter(each.name, POSITIONAL, each.optional) for each in found]
        elif child.type == "keyword_separator":
            kind = KEYWORD
        elif child.type not in _BETWEEN:
            each = _parameter(reading, child, kind)
            found.append(each)
            kind = KEYWORD if each.kind == REST else kind
    yield from found


def _parameter(reading: Reading, node: Node, kind: str) -> Parameter:
    optional = node.type in {"default_parameter", "typed_default_parameter"}
    inner = node.child_by_field_name("name") or node
    if inner.type == "typed_parameter":
        inner = inner.named_children[0]
    if inner.type == "list_splat_pattern":
        kind = REST
    elif inner.type == "dictionary_splat_pattern":
        kind = KEYWORDS
    return Parameter(reading.text(inner).lstrip("*").strip(), kind, optional)


def _class(reading: Reading, node: Node) -> None:
    name = reading.text(node.child_by_field_name("name"))
    if reading.is_inside_function(node):
        reading.bound.add(name)
    else:
        bases = list(_bases(reading, node.child_by_field_name("superclasses")))
        decorators = list(_decorators(reading, node))
        made = fields(reading, node, decorators, bases)
        changed = [each for each in decorators if _may_change(each, made.word if made else "")]
        definition = Definition(
            reading.symbol(node, name),
            first_line(node),
            CLASS,
            made.parameters if made else None,
            bases=(*bases, *(UNKNOWN for _ in changed)),
            made=made.kind if made else "",
            word=made.word if made else "",
        )
        reading.definitions.append(definition)
    bind(reading.here(node), name, UNSURE)
    _bind_generics(reading, node)
    reading.open_scope(node, CLASS, name)


def _bases(reading: Reading, node: Node | None) -> Iterator[str]:
    for child in node.named_children if node is not None else ():
        named = child.child_by_field_name("value") if child.type == "subscript" else child
        if named is not None and named.type in {"identifier", "attribute"}:
            yield reading.text(named)
        elif child.type != "comment" and reading.text(child).replace(" ", "") not in _HARMLESS_WORDS:
            yield UNKNOWN


def _decorators(reading: Reading, node: Node) -> Iterator[str]:
    around = node.parent
    for child in around.named_children if around is not None and around.type == "decorated_definition" else ():
        if child.type == "decorator":
            yield reading.text(child).removeprefix("@").strip()


def _may_change(decorator: str, word: str) -> bool:
    name = decorator.partition("(")[0].strip()
    return name != word and name.rpartition(".")[2] not in _HARMLESS_TO_CLASSES


def _decorated(reading: Reading, node: Node) -> None:
    inner = node.child_by_field_name("definition")
    if inner is not None:
        found = (child for child in node.named_children if child.type == "decorator")
        reading.decorators[inner.start_byte] = tuple(_last_name(reading, child) for child in found)


def _last_name(reading: Reading, decorator: Node) -> str:
    return reading.text(decorator).removeprefix("@").partition("(")[0].strip().rpartition(".")[2]


def _call(reading: Reading, node: Node) -> None:
    function = node.child_by_field_name("function")
    callee = _inherited(reading, function) or reading.dotted(function, "attribute", "attribute", "object")
    arguments = node.child_by_field_name("arguments")
    if not callee or function is None or arguments is None:
        return
    _asked_about(reading, callee, arguments)
    positional, is_open, keywords = 0, False, []
    for child in arguments.named_children if arguments.type == "argument_list" else (arguments,):
        if child.type == "keyword_argument":
            keywords.append(reading.text(child.child_by_field_name("name")))
        elif child.type in {"list_splat", "dictionary_splat"}:
            is_open = True
        elif child.type not in _BETWEEN:
            positional += 1
    parent = node.parent
    reading.calls.append(
        CallSite(
            callee,
            first_line(node),
            positional,
            tuple(keywords),
            is_open,
            reading.owner(node),
            awaited=parent is not None and parent.type == "await",
            of=_receiver(reading, function, callee),
        )
    )


def _import(reading: Reading, node: Node) -> None:
    guarded = is_tried(node)
    for child in node.named_children:
        module, local = _aliased(reading, child)
        # `import a.b` binds `a`, and `a.b.f` is then reached by its whole name.
        reading.imports.append(Import(first_line(node), module, "", local or module, guarded))
        bind(reading.here(node), (local or module).partition(".")[0], BROUGHT)


def _import_from(reading: Reading, node: Node) -> None:
    origin = node.child_by_field_name("module_name")
    module = reading.text(origin)
    guarded = is_tried(node)
    for child in node.named_children:
        if child.type == "wildcard_import":
            reading.imports.append(Import(first_line(node), module, "*", "*", guarded))
        elif child != origin and child.type in {"dotted_name", "aliased_import"}:
            name, local = _aliased(reading, child)
            reading.imports.append(Import(first_line(child), module, name, local or name, guarded))
            bind(reading.here(node), local or name, BROUGHT)


def _aliased(reading: Reading, node: Node) -> tuple[str, str]:
    if node.type != "aliased_import":
        return reading.text(node), ""
    return reading.text(node.child_by_field_name("name")), reading.text(node.child_by_field_name("alias"))


def _bind_left(reading: Reading, node: Node) -> None:
    _assigned(reading, node)
    left = node.child_by_field_name("left") or node.child_by_field_name("name")
    found = {reading.text(each) for each in _targets(left) if each.type == "identifier"}
    reading.bound.update(found)
    if not reading.is_inside(node):
        reading.rebound.update(found)


def _bind_target(reading: Reading, node: Node) -> None:
    _bind_all(reading, node, UNSURE)
    reading.bound.add(reading.text(node))


READERS: Mapping[str, See] = {
    **_OBJECTS,
    "function_definition": _function,
    "class_definition": _class,
    "decorated_definition": _decorated,
    "call": _call,
    "import_statement": _import,
    "import_from_statement": _import_from,
    "parameters": _bind_parameters,
    "lambda_parameters": _bind_parameters,
    "assignment": _bind_left,
    "augmented_assignment": _bind_left,
    "named_expression": _bind_left,
    "for_statement": _bind_left,
    "for_in_clause": _bind_left,
    "as_pattern_target": _bind_target,
    "type_alias_statement": _bind_left,
}
