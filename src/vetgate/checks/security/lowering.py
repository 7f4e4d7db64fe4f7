"""What the lowerings of all languages but JavaScript and Python share."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, ClassVar

from vetgate.checks.security import expression as ex
from vetgate.checks.security.expression import Expression
from vetgate.checks.security.facts import LanguageFacts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from tree_sitter import Node

    from vetgate.checks.security.expression import Item
    from vetgate.source.syntax import Syntax

    Lower = Callable[[Any, Node], Expression]


_NONE: frozenset[str] = frozenset()


class Lowering:
    """Subclasses fill the tables and say what names, parameters and imports look like.

    `places` says what the walk does with a kind of node: `call` (lowered to a CALL), `assign` (see `assigned`),
    `key` (see `pair`), `compare`, `import`, `function`, `class`, `returned`,
    `view` (a function that may be one, and gives back what stands last in it), `within` (holds calls of its own).
    """

    facts: ClassVar[LanguageFacts] = LanguageFacts()
    places: ClassVar[Mapping[str, str]] = {}
    functions: ClassVar[frozenset[str]] = _NONE
    exits: ClassVar[frozenset[str]] = _NONE
    calls: ClassVar[frozenset[str]] = _NONE
    blocks: ClassVar[frozenset[str]] = _NONE
    ifs: ClassVar[frozenset[str]] = _NONE
    binds: ClassVar[frozenset[str]] = _NONE
    passing: ClassVar[frozenset[str]] = _NONE  # the first named child, unchanged
    constants: ClassVar[Mapping[str, Any]] = {}
    lowerings: ClassVar[Mapping[str, Lower]] = {}

    def __init__(self, syntax: Syntax) -> None:
        self._syntax = syntax

    def text(self, node: Node) -> str:
        return self._syntax.text(node)

    def shown(self, node: Node) -> str:
        """The code of a finding."""
        return self.text(node)

    def lower(self, node: Node) -> Expression:
        lowering = self.lowerings.get(node.type)
        if lowering is not None:
            return lowering(self, node)
        if node.type in self.passing:
            inner = named(node)
            return Expression(ex.PASS, node, items=(inner[0],)) if inner else Expression(ex.OTHER, node)
        if node.type in self.functions:
            return Expression(ex.FUNCTION, node)
        if node.type in self.constants:
            return Expression(ex.LITERAL, node, value=self.constants[node.type])
        return Expression(ex.OTHER, node)

    def definitions(self, node: Node) -> Iterable[tuple[str, Expression]]:
        """Names that a node of `binds` gives a value."""
        raise NotImplementedError

    def filled(self, call: Node) -> Iterable[tuple[str, Expression]]:  # noqa: ARG002
        """Names that a call among the facts' `fills` writes something into."""
        return ()

    def bind(self, pattern: Node, value: Expression) -> Iterable[tuple[str, Expression]]:
        yield self.text(pattern), value

    def imports(self, node: Node) -> Iterable[tuple[str, str]]:  # noqa: ARG002 - some languages have none
        """Local names and the paths that they stand for."""
        return ()

    def imported(self, node: Node) -> Iterable[str]:  # noqa: ARG002
        """Modules that are used without a name of their own: what `imports` of a rule asks for."""
        return ()

    def required(self, call: Expression) -> str | None:  # noqa: ARG002
        return None

    def parameters(self, function: Node) -> Iterable[tuple[Node, str, str]]:
        """Each parameter's name, its type, and its annotations or default as written."""
        raise NotImplementedError

    def returned(self, function: Node) -> Iterable[Node]:  # noqa: ARG002
        """What a function gives without a return statement."""
        return ()

    def name_of(self, function: Node) -> str:
        return self.written(function, "name")

    def written(self, node: Node, role: str) -> str:
        """A part of it as it is written; "" where there is none."""
        part = node.child_by_field_name(role)
        return self.text(part) if part is not None else ""

    def type_path(self, kind: str, imports: Mapping[str, str]) -> str:  # noqa: ARG002
        """The path of a type as it is written."""
        return kind

    def filled_parameters(self, function: Node) -> set[int]:
        """Positions of the parameters that a framework fills with what was sent."""
        marks = self.facts.filled
        if marks is None:
            return set()
        return {at for at, (_, _, written) in enumerate(self.parameters(function)) if marks.search(written)}

    def is_view(self, function: Node) -> bool:  # noqa: ARG002
        """Whether what the function returns is sent as it is."""
        return False

    def chosen(self, case: Node) -> str:  # noqa: ARG002
        """For a branch that is entered when a value is one of a few: `value == "one"`, else nothing."""
        return ""

    def within(self, node: Node) -> Iterable[Expression]:  # noqa: ARG002
        """Calls inside of a block that the grammar does not know as such."""
        return ()

    def pair(self, node: Node) -> tuple[Node | None, Node | None]:
        """Name and value of a node that is a `key`."""
        return node.child_by_field_name("key"), node.child_by_field_name("value")

    def assigned(self, node: Node) -> tuple[Node | None, Node | None]:
        """Target and value of a node that is an `assign`."""
        return node.child_by_field_name("left"), node.child_by_field_name("right")

    def called(self, node: Node) -> str:
        """The last name of a call; asked for every one, so it must be cheap."""
        callee = self.lower(node)
        if callee.kind != ex.CALL:
            return ""
        first = callee.items[0]
        return (first if isinstance(first, Expression) else self.lower(first)).name

    def target(self, left: Node) -> str:
        """The last name of what is assigned to."""
        return self.lower(left).name


class TypedLowering(Lowering):
    """Of Java and C#: variables are declared with a type, types go by their simple names."""

    targets: ClassVar[frozenset[str]] = _NONE  # what can be assigned to
    plain_types: ClassVar[frozenset[str]] = _NONE  # these say less than the value does

    def type_path(self, kind: str, imports: Mapping[str, str]) -> str:  # noqa: ARG002 - types go by their names
        return simple(kind)

    def declared_names(self, node: Node, kind: Node | None, value: Node | None) -> Iterator[tuple[str, Expression]]:
        name = node.child_by_field_name("name")
        if name is None:
            return
        written = simple(self.text(kind)) if kind is not None else ""
        if value is None:
            yield self.text(name), typed(written, Expression(ex.OTHER, node), node)
        elif written in self.plain_types or "[" in written or "creation" in value.type:
            yield self.text(name), same(value)
        else:
            yield self.text(name), typed(written, value, value)

    def assigned_names(self, node: Node) -> Iterator[tuple[str, Expression]]:
        left, right, sign = node.child_by_field_name("left"), node.child_by_field_name("right"), sign_of(node)
        if left is None or right is None or left.type not in self.targets:
            return
        if sign == "+=":
            yield self.text(left), Expression(ex.TEXT, node, items=(left, right))
        elif sign == "??=":
            yield self.text(left), Expression(ex.EITHER, node, items=(left, right))
        elif sign == "=":
            yield self.text(left), same(right)


def simple(kind: str) -> str:
    """`java.util.List<String>` and `System.Collections.Generic.List<string>?` are a `List`."""
    return kind.partition("<")[0].strip("? \t\r\n").rpartition(".")[2]


def as_name(language: Lowering, node: Node) -> Expression:
    return Expression(ex.NAME, node, name=language.text(node))


def as_number(language: Lowering, node: Node) -> Expression:
    return Expression(ex.LITERAL, node, value=number(language.text(node)))


def either_of(*sides: Node | None, node: Node) -> Expression:
    """One of those that there are."""
    return Expression(ex.EITHER, node, items=tuple(side for side in sides if side is not None))


def as_either(_: Lowering, node: Node) -> Expression:
    return either_of(*map(node.child_by_field_name, ("consequence", "alternative")), node=node)


def as_part(*roles: str) -> Lower:
    """Unchanged the first of these parts that it has."""

    def lower(_: Lowering, node: Node) -> Expression:
        part = next(filter(None, map(node.child_by_field_name, roles)), None)
        return Expression(ex.PASS, node, items=(part,)) if part is not None else Expression(ex.OTHER, node)

    return lower


as_assigned = as_part("right")


def as_member(holder: str, member: str) -> Lower:
    """`a.b` of what has these two parts."""

    def lower(language: Lowering, node: Node) -> Expression:
        owner, name = node.child_by_field_name(holder), node.child_by_field_name(member)
        if owner is None or name is None:
            return Expression(ex.OTHER, node)
        return Expression(ex.ATTR, node, name=language.text(name), items=(owner,))

    return lower


def as_boolean(language: Lowering, node: Node) -> Expression:
    return Expression(ex.LITERAL, node, value=language.text(node) == "true")


def as_list(_: Lowering, node: Node) -> Expression:
    return Expression(ex.LIST, node, items=tuple(named(node)))


def as_binary(_: Lowering, node: Node) -> Expression:
    sign = sign_of(node)
    if sign == "+":
        return Expression(ex.TEXT, node, name=sign, items=tuple(spine(node, sign)))
    if sign == "??":
        return Expression(ex.EITHER, node, items=tuple(named(node)))
    return Expression(ex.OTHER, node, name=sign)


def named(node: Node) -> list[Node]:
    return [child for child in node.named_children if "comment" not in child.type]


def spine(node: Node, sign: str) -> list[Node]:
    """`a + b + c` in the order of the text; long sums are deep trees."""
    parts: list[Node] = []
    current: Node | None = node
    while current is not None and current.type == node.type and sign_of(current) == sign:
        right = current.child_by_field_name("right")
        if right is not None:
            parts.append(right)
        current = current.child_by_field_name("left")
    if current is not None:
        parts.append(current)
    return parts[::-1]


def sign_of(node: Node) -> str:
    operator = node.child_by_field_name("operator")
    return operator.type if operator is not None else ""


def number(text: str) -> int | float | None:
    digits = text.lower().replace("_", "")
    if re.fullmatch(r"0[xbo][0-9a-f]+l?|0[0-7]+", digits):
        digits = digits.removesuffix("l")
        return int(digits, 8) if digits.isdigit() else int(digits, 0)
    found = re.match(r"\d+(?:\.\d*)?(?:e[+-]?\d+)?", digits)
    if found is None:
        return None
    return int(found[0]) if found[0].isdigit() else float(found[0])


def same(value: Node) -> Expression:
    return Expression(ex.PASS, value, items=(value,))


def call_of(node: Node, callee: Item | str, *given: Item, name: str = "") -> Expression:
    """A call without names for what it passes; of a function by its name where there is no node for that."""
    called = Expression(ex.NAME, node, name=callee) if isinstance(callee, str) else callee
    return Expression(ex.CALL, node, name=name, items=(called, *given), keys=(None,) * len(given))


def keyed(
    kind: str, node: Node, entries: Iterable[tuple[str | None, Item]], *callee: Item, name: str = ""
) -> Expression:
    """An object of these entries, or a call that passes them."""
    listed = tuple(entries)
    items = (*callee, *(item for _, item in listed))
    return Expression(kind, node, name=name, items=items, keys=tuple(key for key, _ in listed))


def typed(kind: str, value: Item, node: Node) -> Expression:
    """A value of a declared type: the path is the type's, what flows is the value."""
    return Expression(ex.PASS, node, name=kind, items=(value,))


def one_to_one(names: Sequence[Node], values: Sequence[Node]) -> Iterator[tuple[Node, Expression]]:
    """`a, b = x, y` binds one to one; `a, b = f()` gives each an element of the whole."""
    if len(names) == len(values):
        for name, value in zip(names, values, strict=True):
            yield name, same(value)
    elif len(values) == 1:
        for name in names:
            yield name, same(values[0])


def interleaved(
    node: Node, template: str, places: re.Pattern[str], chosen: Callable[[re.Match[str]], Item | None]
) -> tuple[Item, ...]:
    """`chosen` says what stands at a place of the template, None for nothing."""
    parts: list[Item] = []
    end = 0
    for match in places.finditer(template):
        parts.append(Expression(ex.LITERAL, node, value=template[end : match.start()]))
        value = chosen(match)
        if value is not None:
            parts.append(value)
        end = match.end()
    parts.append(Expression(ex.LITERAL, node, value=template[end:]))
    return tuple(parts)
