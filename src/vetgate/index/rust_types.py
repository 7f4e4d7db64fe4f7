"""What variables and fields of Rust are: by the type that is written, or by the value that a `let` gives them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

    from vetgate.index.reading import Reading

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
