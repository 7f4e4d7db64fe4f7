"""What the index notes of Python."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vetgate.index import python_objects
from vetgate.index.facts import (
    KEYWORD,
    KEYWORDS,
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
from vetgate.index.objects import BROUGHT, UNSURE, bind
from vetgate.index.python_objects import (
    WITHOUT_FIRST,
    asked_about,
    assigned,
    bind_all,
    declare_parameters,
    inherited,
    receiver,
)
from vetgate.index.reading import CLASS, FUNCTION, UNKNOWN, is_tried
from vetgate.source.syntax import children_in, first_line

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tree_sitter import Node

    from vetgate.index.reading import Reading, See

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
    callee = inherited(reading, function) or reading.dotted(function, "attribute", "attribute", "object")
    arguments = node.child_by_field_name("arguments")
    if not callee or function is None or arguments is None:
        return
    asked_about(reading, callee, arguments)
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
            of=receiver(reading, function, callee),
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


def _bind_parameters(reading: Reading, node: Node) -> None:
    declare_parameters(reading, node)
    for child in node.named_children:
        inner = child.child_by_field_name("name") or child
        if inner.type == "typed_parameter":
            inner = inner.named_children[0]
        reading.bound.add(reading.text(inner).lstrip("*"))


def _bind_left(reading: Reading, node: Node) -> None:
    assigned(reading, node)
    left = node.child_by_field_name("left") or node.child_by_field_name("name")
    if left is None or left.type in {"attribute", "subscript"}:
        return
    found: set[str] = set()
    pending = [left]
    while pending:
        here = pending.pop()
        if here.type == "identifier":
            found.add(reading.text(here))
        elif here.type not in {"attribute", "subscript"}:
            pending.extend(here.named_children)
    reading.bound.update(found)
    if not reading.is_inside(node):
        reading.rebound.update(found)


def _bind_target(reading: Reading, node: Node) -> None:
    bind_all(reading, node, UNSURE)
    reading.bound.add(reading.text(node))


READERS: Mapping[str, See] = {
    **python_objects.READERS,
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
