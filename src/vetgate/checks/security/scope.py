"""Names in one file: what each may stand for at a place, and which functions the file has."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from vetgate.checks.security import expression as ex
from vetgate.checks.security.expression import Expression
from vetgate.checks.security.order import Order

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tree_sitter import Node

    from vetgate.checks.security.lowering import Lowering

_ADDS = frozenset({"append", "push", "extend", "insert", "unshift", "appendleft"})
_MOST_SCOPES = 30
_MOST_STATEMENTS = 200
GROWN = "grown"  # the name of a list that adds to what a variable held before
PARAM = "param"  # an expression kind of its own: node is the pattern, value the function, name the position


@dataclass(frozen=True, slots=True, eq=False)
class Binding:
    """`node` is what binds the name; a parameter is bound by its function."""

    at: int
    value: Expression
    node: Node


@dataclass(slots=True)
class FunctionScope:
    """One function, or the file itself."""

    node: Node
    names: dict[str, list[Binding]] = field(default_factory=dict)
    returns: list[Node] = field(default_factory=list)
    derivations: list[tuple[str, str]] | None = None  # names and the texts they are worked out from, for guards


class Module:
    """Built as far as somebody asks; a file without a sink costs nothing here."""

    def __init__(self, language: Lowering, root: Node) -> None:
        self.language = language
        self.root = root
        self.imports: dict[str, str] = {}
        self.required: set[str] = set()
        self.functions: dict[str, Node] = {}
        self.classes: dict[str, Node] = {}  # their bodies
        self.methods: dict[int, dict[str, Node]] = {}  # of classes, by the body's id
        self.fields: dict[int, dict[str, list[Node | Expression]]] = {}  # of classes, by the body's id
        self._scopes: dict[int, FunctionScope] = {}
        self._lowered: dict[int, Expression] = {}
        self._blocks: dict[int, Node] = {}
        self.order = Order()
        self._statements: dict[int, tuple[list[Node], list[int]]] = {}
        self._calls: dict[str, list[Node]] = {}
        self._links: set[int] = set()  # calls in a chain that was taken as a whole

    def lower(self, item: Node | Expression) -> Expression:
        if isinstance(item, Expression):
            return item
        found = self._lowered.get(item.id)
        if found is None:
            found = self._lowered[item.id] = self.language.lower(item)
        return found

    def take_as(self, node: Node, expression: Expression) -> None:
        """A node that means something else at its place than it does elsewhere."""
        self._lowered[node.id] = expression

    def see_import(self, node: Node) -> None:
        self.imports.update(self.language.imports(node))
        self.required.update(self.language.imported(node))

    def see_function(self, node: Node) -> None:
        name = self.language.name_of(node)
        if name:
            self.functions.setdefault(name, node)

    def see_class(self, node: Node) -> None:
        name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
        if name is not None and body is not None:
            self.classes.setdefault(self.language.text(name), body)

    def see_call(self, name: str, node: Node) -> None:
        facts = self.language.facts
        if name in (facts.grows or _ADDS) or name in facts.fills:
            self.order.bindings.append(node)
        self._calls.setdefault(name, []).append(node)

    def calls_of(self, name: str) -> list[Node]:
        """Every call in the file whose callee's last name is this one."""
        return self._calls.get(name, [])

    def function_around(self, node: Node) -> Node | None:
        return self.order.function_around(node)

    def scope(self, node: Node) -> FunctionScope:
        found = self._scopes.get(node.id)
        if found is None:
            found = self._scopes[node.id] = self._built(node)
        return found

    def scopes_around(self, node: Node) -> Iterator[FunctionScope]:
        function = self.function_around(node)
        for _ in range(_MOST_SCOPES):
            if function is None:
                break
            yield self.scope(function)
            function = self.function_around(function)
        yield self.scope(self.root)

    def statements_before(self, block: Node, place: Node) -> list[Node]:
        """The nearest ones, in order; tests that were passed hundreds of statements ago are forgotten."""
        if block.id not in self._statements:
            statements = block.named_children
            self._statements[block.id] = statements, [each.start_byte for each in statements]
        statements, starts = self._statements[block.id]
        end = bisect_left(starts, place.start_byte)
        return statements[max(0, end - _MOST_STATEMENTS) : end]

    def reaching(self, name: str, use: Node) -> list[Expression]:
        """The values that `name` may have at `use`; empty when nothing in the file defines it."""
        inner = True
        for scope in self.scopes_around(use):
            definitions = scope.names.get(name)
            if definitions:
                return self._latest(scope, definitions, use) if inner else [each.value for each in definitions]
            inner = False
        return []

    def _latest(self, scope: FunctionScope, definitions: list[Binding], use: Node) -> list[Expression]:
        values: list[Expression] = []
        for definition in reversed(definitions):
            if definition.at >= use.start_byte:
                continue
            values.append(definition.value)
            # A definition in a block around the use hides all before it; one in a branch only adds to them.
            block = self._block_around(scope, definition.node)
            if block.start_byte <= use.start_byte and use.end_byte <= block.end_byte:
                break
        return values or [each.value for each in definitions]

    def _block_around(self, scope: FunctionScope, node: Node) -> Node:
        if node.id == scope.node.id:
            return node
        if node.id not in self._blocks:
            block = node.parent
            while block is not None and block.type not in self.language.blocks and block.id != scope.node.id:
                block = block.parent
            self._blocks[node.id] = block or scope.node
        return self._blocks[node.id]

    def _built(self, node: Node) -> FunctionScope:
        scope = FunctionScope(node)
        language = self.language
        is_function = node.type in language.functions
        if is_function:
            self._bind_parameters(scope)
            scope.returns.extend(language.returned(node))
        for each in self.order.bindings_in(node if is_function else None):
            if each.type in language.binds:
                self._define(scope, each, language.definitions(each))
            elif each.type in language.facts.returns:
                scope.returns.extend(child for child in each.named_children if "comment" not in child.type)
            else:
                self._define(scope, each, language.filled(each))
                self._add_element(scope, each)
        return scope

    def _define(self, scope: FunctionScope, node: Node, bound: Iterable[tuple[str, Expression]]) -> None:
        for name, value in bound:
            if value.name != GROWN or name in scope.names:
                self._add(scope, name, node, value)

    def _add_element(self, scope: FunctionScope, node: Node) -> None:
        """`names.push(x)` on a list of this scope: from here on it also holds x."""
        if self.language.facts.grows:
            self._grow(scope, node)
            return
        callee = node.child_by_field_name("function")
        holder = callee.child_by_field_name("object") if callee is not None else None
        if callee is None or holder is None or holder.type != "identifier":
            return
        name = self.language.text(holder)
        earlier = scope.names.get(name)
        if earlier and self.lower(callee).name in _ADDS and self._is_list(earlier[-1].value):
            given = self.lower(node).items[1:]
            self._add(scope, name, node, Expression(ex.LIST, node, items=(holder, *given)))

    def _grow(self, scope: FunctionScope, node: Node) -> None:
        """`query.append(a).append(b)`, with all that the chain adds in its order."""
        grows = self.language.facts.grows
        if node.id in self._links:
            return
        added: list[Node | Expression] = []
        current = self.lower(node)
        while current.kind == ex.CALL:
            callee = self.lower(current.items[0])
            if callee.kind != ex.ATTR or callee.name not in grows:
                return
            added[:0] = current.items[1:]
            holder = callee.items[0]
            current = self.lower(holder)
            self._links.add(current.node.id)
        earlier = scope.names.get(current.name) if current.kind == ex.NAME else None
        if added and earlier:
            kind = ex.TEXT if self._meant(earlier[-1].value).kind in {ex.TEXT, ex.LITERAL} else ex.LIST
            self._add(scope, current.name, node, Expression(kind, node, items=(holder, *added)))

    def _is_list(self, value: Expression) -> bool:
        return self._meant(value).kind == ex.LIST

    def _meant(self, value: Expression) -> Expression:
        while value.kind == ex.PASS:
            value = self.lower(value.items[0])
        return value

    def _bind_parameters(self, scope: FunctionScope) -> None:
        for position, (pattern, _, _) in enumerate(self.language.parameters(scope.node)):
            value = Expression(PARAM, pattern, str(position), value=scope.node)
            for name, bound in self.language.bind(pattern, value):
                scope.names.setdefault(name, []).append(Binding(pattern.start_byte, bound, scope.node))

    def _add(self, scope: FunctionScope, name: str, node: Node, value: Expression) -> None:
        # The name is bound after its value was worked out: `x = f(x)` reads the earlier x. A loop's body reads its own.
        end = value.node.end_byte if node.type in self.language.facts.loops else node.end_byte
        scope.names.setdefault(name, []).append(Binding(end - 1, value, node))
