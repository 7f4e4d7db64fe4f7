"""Names in one file: what each may stand for at a place, and which functions the file has, in order."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Protocol, TypeVar

from vetgate.checks.security import expression as ex
from vetgate.checks.security.expression import Expression

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Iterator

    from tree_sitter import Node

    from vetgate.checks.security.lowering import Lowering

T = TypeVar("T")
AskedNames = set[tuple[str, str]]
_NOWHERE = -1
_WORD = re.compile(r"\w+")


@dataclass(slots=True)
class Order:
    """Filled by the walk, in any order; the rest is worked out when somebody asks."""

    functions: list[Node] = field(default_factory=list)
    bindings: list[Node] = field(default_factory=list)  # and whatever else belongs to the function around: returns
    _starts: list[int] = field(default_factory=list)
    _ends: list[int] = field(default_factory=list)
    _outer: list[int] = field(default_factory=list)
    _grouped: dict[int, list[Node]] = field(default_factory=dict)
    _placed: int = 0  # of the bindings, so many are grouped

    def function_around(self, node: Node) -> Node | None:
        at = self._index_around(node)
        return self.functions[at] if at != _NOWHERE else None

    def bindings_in(self, function: Node | None) -> list[Node]:
        """Those of a function itself, not of functions inside of it; without one, those of the file."""
        if self._placed < len(self.bindings):
            self._group()
        return self._grouped.get(_NOWHERE if function is None else function.id, [])

    def _group(self) -> None:
        """What was noted since the last look: no function that is noted later lies around what was noted before."""
        grouped: dict[int, list[Node]] = {}
        for node in self.bindings[self._placed :]:
            at = self._index_around(node)
            grouped.setdefault(_NOWHERE if at == _NOWHERE else self.functions[at].id, []).append(node)
        for key, nodes in grouped.items():
            self._grouped[key] = sorted((*self._grouped.get(key, ()), *nodes), key=_start)
        self._placed = len(self.bindings)

    def _index_around(self, node: Node) -> int:
        if len(self._starts) != len(self.functions):
            self._nest()
        start, end = node.start_byte, node.end_byte
        at = bisect_right(self._starts, start) - 1
        # Nothing inside a function is as long as the function itself.
        while at != _NOWHERE and (self._ends[at] < end or (self._starts[at] == start and self._ends[at] == end)):
            at = self._outer[at]
        return at

    def _nest(self) -> None:
        self.functions.sort(key=_outermost_first)
        self._starts = [function.start_byte for function in self.functions]
        self._ends = [function.end_byte for function in self.functions]
        self._outer = []
        open_: list[int] = []
        for index, end in enumerate(self._ends):
            while open_ and self._ends[open_[-1]] < end:
                open_.pop()
            self._outer.append(open_[-1] if open_ else _NOWHERE)
            open_.append(index)


def _start(node: Node) -> int:
    return node.start_byte


@lru_cache(maxsize=4096)
def _word(name: str) -> str:
    """By which it is known what has it: `$name` and `self.name` are a `name`."""
    words = _WORD.findall(name)
    return words[-1] if words else name


def _is_first(node: Node, known: Node | None) -> bool:
    return known is None or node.start_byte < known.start_byte


def _outermost_first(node: Node) -> tuple[int, int]:
    return node.start_byte, -node.end_byte


# What one piece of a file may ask another for, by name.
FUNCTIONS, CALLS, CLASSES, FIELDS, TOP = "function", "call", "class", "field", "top"
# Instead of a name: what runs before something else at the top of a file, and may end there what is unsafe.
STATEMENT = "(statement)"
EVERY = "*"
_ADDS = frozenset({"append", "push", "extend", "insert", "unshift", "appendleft"})
_MOST_SCOPES = 30
_MOST_STATEMENTS = 200
GROWN = "grown"  # the name of a list that adds to what a variable held before
# Statements of all languages whose parts are done or not; cases that hold several statements of their own.
_BRANCHES = frozenset(
    "if_statement else_clause elif_clause else_if_clause if_modifier unless_modifier while_modifier until_modifier "
    "rescue_modifier while_statement do_statement for_statement for_in_statement foreach_statement for_each_statement "
    "enhanced_for_statement if_expression else unless if elsif conditional_expression ternary_expression conditional "
    "match_arm try_statement catch_clause".split()
)
_CASES = frozenset("switch_case switch_default case_statement default_statement expression_case switch_section".split())
_ALWAYS_DONE = ("condition", "initializer", "init", "left", "right", "value")


def _is_always_done(statement: Node, part: Node) -> bool:
    """What is asked, and what a loop begins with."""
    return any(
        (done := statement.child_by_field_name(field)) is not None and done.id == part.id for field in _ALWAYS_DONE
    )


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


class Reader(Protocol):
    """Notes the pieces of a file that are asked for, each once."""

    def read_named(self, kind: str, name: str) -> None:
        """Those that have this."""

    def read_around(self, offset: int) -> None:
        """The one in which this byte lies."""


class Module:
    """Built as far as somebody asks; a file without a sink costs nothing here.

    With a `reader` only those pieces of the file are noted that somebody has asked for; without one, all of them.
    """

    def __init__(self, language: Lowering, root: Node) -> None:
        self.language = language
        self.root = root
        self.imports: dict[str, str] = {}
        self.required: set[str] = set()
        self.asked: AskedNames = set()
        self.facts: dict[str, tuple[Callable[[str], object], object]] = {}
        self.seen_classes: list[tuple[str, Node]] = []
        self._functions: dict[str, Node] = {}
        self._classes: dict[str, Node] = {}  # their bodies
        self.methods: dict[int, dict[str, Node]] = {}  # of classes, by the body's id
        self.fields: dict[int, dict[str, list[Node | Expression]]] = {}  # of classes, by the body's id
        self._scopes: dict[int, FunctionScope] = {}
        self._noted_at_top = 0
        self._lowered: dict[int, Expression] = {}
        self._blocks: dict[int, Node] = {}
        self._reaching: dict[tuple[str, int], tuple[list[Expression], bool]] = {}
        self._parameters: dict[int, list[str]] = {}
        self._answers: dict[Hashable, tuple[object, AskedNames]] = {}
        self.order = Order()
        self._statements: dict[int, tuple[list[Node], list[int]]] = {}
        self.calls: dict[str, list[Node]] = {}
        self._unsorted: set[str] = set()  # calls by these names were noted since they were last asked for
        self._links: set[int] = set()  # calls in a chain that was taken as a whole
        self.reader: Reader | None = None
        self._text: str | None = None

    def _read_named(self, kind: str, name: str) -> None:
        """All that the file has under this name is noted."""
        if self.reader is not None:
            self.reader.read_named(kind, name)

    def read_around(self, node: Node) -> None:
        """The piece that it stands in is noted."""
        if self.reader is not None:
            self.reader.read_around(node.start_byte)

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
        if name and _is_first(node, self._functions.get(name)):
            self._functions[name] = node

    def see_class(self, node: Node) -> None:
        name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
        if name is not None and body is not None:
            written = self.language.text(name)
            self.seen_classes.append((written, body))
            if _is_first(body, self._classes.get(written)):
                self._classes[written] = body

    def see_call(self, name: str, node: Node) -> None:
        facts = self.language.facts
        if name in (facts.grows or _ADDS) or name in facts.fills:
            self.order.bindings.append(node)
        self.calls.setdefault(name, []).append(node)
        self._unsorted.add(name)

    def calls_of(self, name: str) -> list[Node]:
        """Every call in the file whose callee's last name is this one, in the order of the text."""
        self.asked.add((CALLS, name))
        self._read_named(CALLS, name)
        if name in self._unsorted:
            self._unsorted.remove(name)
            self.calls[name].sort(key=_outermost_first)
        return self.calls.get(name, [])

    def function_named(self, name: str) -> Node | None:
        self.asked.add((FUNCTIONS, name))
        self._read_named(FUNCTIONS, name)
        return self._functions.get(name)

    def all_functions(self) -> Iterable[tuple[str, Node]]:
        self.asked.add((FUNCTIONS, EVERY))
        self._read_named(FUNCTIONS, EVERY)
        return sorted(self._functions.items(), key=lambda named: named[1].start_byte)

    def class_named(self, name: str) -> Node | None:
        """The body of the class."""
        self.asked.add((CLASSES, name))
        self._read_named(CLASSES, name)
        return self._classes.get(name)

    def asking(self, work_out: Callable[[], T]) -> tuple[T, AskedNames]:
        """What comes of it, and the names that were asked for on the way: whoever takes it from memory needs them."""
        around, self.asked = self.asked, set()
        try:
            value = work_out()
        finally:
            own, self.asked = self.asked, around
            around |= own
        return value, own

    def once(self, key: Hashable, work_out: Callable[[], T]) -> T:
        """As `asking`, remembered: flows of several rules, and ways through several calls, come by the same places."""
        known = self._answers.get(key)
        if known is None:
            known = self._answers[key] = self.asking(work_out)
        elif known[1]:
            self.asked |= known[1]
        return known[0]  # type: ignore[return-value]

    def about_text(self, question: str, ask: Callable[[str], T]) -> T:
        """The answer to a question about the whole text of the file; asked again when the text has changed."""
        known = self.facts.get(question)
        if known is None:
            if self._text is None:
                self._text = self.language.text(self.root)
            known = self.facts[question] = (ask, ask(self._text))
        return known[1]  # type: ignore[return-value]

    def function_around(self, node: Node) -> Node | None:
        self.read_around(node)
        return self.order.function_around(node)

    def parameter_names(self, function: Node) -> list[str]:
        """As they are written, also those that take a value apart."""
        known = self._parameters.get(function.id)
        if known is None:
            written = self.language.parameters(function)
            known = self._parameters[function.id] = [self.language.text(pattern) for pattern, _, _ in written]
        return known

    def scope(self, node: Node) -> FunctionScope:
        if node.id == self.root.id:
            return self._top()
        found = self._scopes.get(node.id)
        if found is None:
            self.read_around(node)
            found = self._scopes[node.id] = self._built(node)
        return found

    def _top(self) -> FunctionScope:
        """Built anew once more of it was noted."""
        found, noted = self._scopes.get(self.root.id), len(self.order.bindings_in(None))
        if found is None or noted != self._noted_at_top:
            self._noted_at_top = noted
            found = self._scopes[self.root.id] = self._built(self.root)
        return found

    def scopes_around(self, node: Node) -> Iterator[FunctionScope]:
        yield from self._functions_around(node)
        self.asked.add((TOP, EVERY))
        self._read_named(TOP, EVERY)
        yield self.scope(self.root)

    def _functions_around(self, node: Node) -> Iterator[FunctionScope]:
        function = self.function_around(node)
        for _ in range(_MOST_SCOPES):
            if function is None:
                break
            yield self.scope(function)
            function = self.function_around(function)

    def top_names(self) -> Iterable[tuple[str, list[Binding]]]:
        self.asked.add((TOP, EVERY))
        self._read_named(TOP, EVERY)
        return self.scope(self.root).names.items()

    def statements_before(self, block: Node, place: Node) -> list[Node]:
        """The nearest ones, in order; tests that were passed hundreds of statements ago are forgotten."""
        if block.id == self.root.id:
            self.asked.add((TOP, STATEMENT))
        if block.id not in self._statements:
            statements = block.named_children
            self._statements[block.id] = statements, [each.start_byte for each in statements]
        statements, starts = self._statements[block.id]
        end = bisect_left(starts, place.start_byte)
        return statements[max(0, end - _MOST_STATEMENTS) : end]

    def reaching(self, name: str, use: Node) -> list[Expression]:
        """The values that `name` may have at `use`; empty when nothing in the file defines it."""
        known = self._reaching.get((name, use.id))
        if known is None:
            known = self._reaching[name, use.id] = self._reached(name, use)
        if known[1]:
            self.asked.add((TOP, _word(name)))
        return known[0]

    def _reached(self, name: str, use: Node) -> tuple[list[Expression], bool]:
        """With whether the top of the file was asked."""
        inner = True
        for scope in self._functions_around(use):
            definitions = scope.names.get(name)
            if definitions:
                values = self._latest(scope, definitions, use) if inner else [each.value for each in definitions]
                return values, False
            inner = False
        self._read_named(TOP, _word(name))
        top = self.scope(self.root)
        definitions = top.names.get(name)
        if not definitions:
            return [], True
        return self._latest(top, definitions, use) if inner else [each.value for each in definitions], True

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
            self._blocks[node.id] = self._climb(scope, node)
        return self._blocks[node.id]

    def _climb(self, scope: FunctionScope, node: Node) -> Node:
        """A branch needs no braces to be one: `if (!x) x = "";`, `x = "" unless x`."""
        inner, block = node, node.parent
        while block is not None and block.type not in self.language.blocks and block.id != scope.node.id:
            if block.type in _CASES:
                return block
            if block.type in _BRANCHES and not _is_always_done(block, inner):
                return inner
            inner, block = block, block.parent
        return block or scope.node

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
