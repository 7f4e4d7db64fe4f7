"""Names that somebody else has chosen: what they override, implement, export or dispatch by name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vetgate.checks.naming.conventions import FUNCTION, TYPE, NameStyle, words_of
from vetgate.expression import expression

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tree_sitter import Node

    from vetgate.checks.naming import Name

# A capital at the start of a function is a type's, a component's, a decorator's; unless it says that it does something.
_VERBS = frozenset(
    """add calculate compute convert create delete do find generate get has initialize is make normalize remove save
    validate""".split()
)
_MARKED = expression(
    r"(?i)^(?:_|__)?(?:test|bench|unstable|unsafe|experimental|deprecated|internal|dangerously|legacy)_"
)
# Asked for by name by the standard library, of whatever looks like a test, a logger or a thread.
_BY_NAME = expression(
    r"assert[A-Z]\w*|(?:setUp|tearDown)\w*|runTest|getLogger|isEnabledFor|getEffectiveLevel|setLevel|getChild|hasHandlers|"
    r"(?:add|remove)(?:Handler|Filter|Cleanup)|makeRecord|formatTime|formatException|isAlive|setDaemon|isDaemon|getName"
)
_OVERRIDES = expression(
    rb"override|overload|hookimpl|[Ss]lot\b|register|handler|callback|\bCFUNC|test|Test|Fact|Theory"
)
_INDEPENDENT = expression(
    rb"\((?:[,\s]*(?:object|(?:abc\.)?ABC|(?:typing\.)?Generic\[[^\]]*\]|metaclass=(?:abc\.)?ABCMeta))*[,\s]*\)"
)
_FOREIGN = expression(rb"no_mangle|export_name|repr|allow|link|test|bindgen|py\w+|napi|extern")
_LOWER_ON_PURPOSE = (b"__enter__", b"__aenter__", b"__get__", b"__set_name__", b"__call__", b"__new__", b"__getattr__")
_CLASSES = frozenset({"class_definition", "class_declaration", "class", "abstract_class_declaration", "impl_item"})
_CLASSES_AND_INTERFACES = _CLASSES | {
    "interface_declaration",
    "object_creation_expression",
    "object",
    "enum_declaration",
}
_ACCESSORS = frozenset({"get", "set"})


def is_chosen_elsewhere(name: Name, language: str, data: bytes) -> bool:
    if _MARKED.search(name.text) or (name.text.startswith("__") and name.text.endswith("__")):
        return True
    has_meaning = name.style is NameStyle.PASCAL and name.kind == FUNCTION and language in _PASCAL_HAS_A_MEANING
    if has_meaning and not _does_something(name.text):
        return True
    asked = _ASKED.get(language)
    return asked is not None and asked(name, data)


def _does_something(name: str) -> bool:
    words = words_of(name)
    return len(words) > 1 and words[0] in _VERBS


def _text(data: bytes, node: Node | None) -> bytes:
    return data[node.start_byte : node.end_byte] if node is not None else b""


def _class_around(node: Node) -> Node | None:
    parent = node.parent
    while parent is not None and parent.type not in _CLASSES_AND_INTERFACES:
        if parent.type in {"function_definition", "function_declaration", "arrow_function"}:
            return None
        parent = parent.parent
    return parent


def _before(node: Node, kind: str) -> Iterator[Node]:
    """What stands before a definition and speaks of it: decorators, attributes."""
    sibling = node.prev_named_sibling
    while sibling is not None and sibling.type == kind:
        yield sibling
        sibling = sibling.prev_named_sibling


def _python(name: Name, data: bytes) -> bool:
    if name.kind == TYPE:
        return _is_lower_on_purpose(name, data)
    node = name.node
    if _BY_NAME.fullmatch(name.text) or any(
        _OVERRIDES.search(_text(data, each)) for each in _before(node, "decorator")
    ):
        return True
    holder = _class_around(node)
    bases = holder.child_by_field_name("superclasses") if holder is not None else None
    return bases is not None and not _INDEPENDENT.fullmatch(_text(data, bases))


def _is_lower_on_purpose(name: Name, data: bytes) -> bool:
    """A class that is used like a function, a private record, a C type; or one as `iPhone` is called."""
    if name.style is NameStyle.CAMEL:
        return len(words_of(name.text)[0]) == 1
    bases = _text(data, name.node.child_by_field_name("superclasses"))
    return name.style is NameStyle.SNAKE and (
        name.text.startswith("_")
        or _class_around(name.node) is not None
        or bases[1:2].islower()
        or any(word in _text(data, name.node) for word in _LOWER_ON_PURPOSE)
    )


def _ecmascript(name: Name, data: bytes) -> bool:
    node = name.node
    if name.style is NameStyle.PASCAL and b"this." in _text(data, node):
        return True
    if node.type != "method_definition":
        return False
    holder = _class_around(node)
    if holder is None or holder.type == "object" or any(child.type in _ACCESSORS for child in node.children):
        return True
    return any(child.type == "class_heritage" for child in holder.children)


def _java(name: Name, data: bytes) -> bool:
    if name.kind == TYPE:
        return False
    modifiers = next((child for child in name.node.children if child.type == "modifiers"), None)
    said = _text(data, modifiers)
    holder = _class_around(name.node)
    extends = holder is not None and any(child.type == "extends_interfaces" for child in holder.children)
    return extends or b"@" in said or b"native" in said


def _csharp(name: Name, data: bytes) -> bool:
    said = {child.type for child in name.node.children}
    words = {_text(data, child) for child in name.node.children if child.type == "modifier"}
    return bool(said & {"attribute_list", "explicit_interface_specifier"} or words & {b"override", b"extern"})


def _rust(name: Name, data: bytes) -> bool:
    if b"non_snake_case" in data or b"non_camel_case_types" in data:
        return True
    if any(_FOREIGN.search(_text(data, each)) for each in _before(name.node, "attribute_item")):
        return True
    holder = _class_around(name.node) if name.kind == FUNCTION else None
    implements = holder is not None and holder.child_by_field_name("trait") is not None
    return implements or b'extern "' in _text(data, name.node)[:80]


def _php(name: Name, data: bytes) -> bool:  # noqa: ARG001 - as all of them are asked
    holder = _class_around(name.node) if name.kind == FUNCTION else None
    bases = {"base_clause", "class_interface_clause"}
    return holder is not None and any(child.type in bases for child in holder.children)


def _ruby(name: Name, data: bytes) -> bool:  # noqa: ARG001 - as all of them are asked
    holder = _class_around(name.node)
    return holder is not None and holder.child_by_field_name("superclass") is not None


def _go(name: Name, data: bytes) -> bool:
    return b'import "C"' in data or b'\n\t"C"' in data or b"//export " in data or name.text.startswith("XXX_")


_PASCAL_HAS_A_MEANING = frozenset({"python", "javascript", "typescript", "tsx", "php"})
_ASKED: dict[str, Callable[[Name, bytes], bool]] = {
    "python": _python,
    "javascript": _ecmascript,
    "typescript": _ecmascript,
    "tsx": _ecmascript,
    "java": _java,
    "csharp": _csharp,
    "rust": _rust,
    "php": _php,
    "ruby": _ruby,
    "go": _go,
}
