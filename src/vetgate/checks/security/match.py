"""Does a pattern hold at a node? Arguments are found, folded and asked where they come from and what takes them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any, NamedTuple

from vetgate.checks.security import expression as ex
from vetgate.checks.security.addresses import ADDRESSES
from vetgate.checks.security.flow import Flow
from vetgate.checks.security.frameworks import Frameworks
from vetgate.checks.security.options import SPREAD, is_open, option
from vetgate.checks.security.pieces import UNKNOWN, Constants, Pieces, is_number
from vetgate.checks.security.qualified_names import QualifiedNames, matches
from vetgate.checks.security.taint import Effort, RuleTrust
from vetgate.checks.security.texts import TEXTS
from vetgate.checks.security.values import function_called

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from tree_sitter import Node

    from vetgate.checks.security.expression import Expression
    from vetgate.checks.security.rule import Condition, Pattern, RuleTable, SecurityRule, TableRow
    from vetgate.checks.security.scope import Module
    from vetgate.checks.security.taint import Taint

_ROLES = ("name", "left", "key", "function", "attribute", "pattern")
_BLOCKS = frozenset({"do_block"})  # of Ruby: the call before it says what it is for
_LEVELS = 12
_LONGEST = 80
_MOST_CALLS = 12


def names_around(module: Module, node: Node) -> Iterator[str]:
    parent = node.parent
    for _ in range(_LEVELS):
        if parent is None:
            return
        yield from _held_as(module, parent)
        if parent.type in module.language.blocks:
            yield _class_of(module, parent)
            parent = module.function_around(parent)
        if parent is None:
            return
        name = module.language.name_of(parent) if parent.type in module.language.functions else ""
        if name:
            yield name
            return
        parent = parent.parent  # what a callback gives is taken by whoever takes what it is handed to


def calls_for(module: Module, node: Node) -> Iterator[Node]:
    """Calls in this file of a function that gives back what is made at `node`."""
    function = module.function_around(node)
    while function is not None and not (name := module.language.name_of(function)):
        function = module.function_around(function)
    if function is None or not _gives_back(module, function, node):
        return
    for call in module.calls_of(name)[:_MOST_CALLS]:
        called = function_called(module, module.lower(module.lower(call).items[0]))
        if called is not None and called.id == function.id and not _is_within(call, function):
            yield call


def _gives_back(module: Module, function: Node, node: Node) -> bool:
    """Whether the value, or a variable that it is put into, is in what the function returns."""
    returned = module.scope(function).returns
    if any(_is_within(node, each) for each in returned):
        return True
    text = " ".join(module.language.text(each) for each in returned)
    return any(
        re.search(rf"(?<![\w.$]){re.escape(name)}(?![\w$])", text) for name in _variables(module, node, function)
    )


def _variables(module: Module, node: Node, function: Node) -> Iterator[str]:
    parent = node.parent
    while parent is not None and parent.id != function.id:
        for role in ("left", "name"):
            target = parent.child_by_field_name(role)
            if target is not None and target.end_byte < node.start_byte:
                yield module.language.text(target).partition("[")[0]
        parent = parent.parent


def _is_within(node: Node, outer: Node) -> bool:
    return outer.start_byte <= node.start_byte and node.end_byte <= outer.end_byte


def _held_as(module: Module, holder: Node) -> Iterator[str]:
    for role in _ROLES:
        name = holder.child_by_field_name(role)
        if name is not None and name.end_byte - name.start_byte < _LONGEST:
            yield module.language.text(name)
    if module.language.places.get(holder.type) == "key":
        key, _ = module.language.pair(holder)
        if key is not None and key.end_byte - key.start_byte < _LONGEST:
            yield module.language.text(key)


def _class_of(module: Module, block: Node) -> str:
    holder = block.parent
    name = holder.child_by_field_name("name") if holder is not None and "class" in holder.type else None
    return module.language.text(name) if name is not None else ""


def text_around(module: Module, node: Node) -> str:
    """The function around, with its decorators; for a decorator the function that it stands before."""
    decorated = node.parent if node.type == "decorator" else None
    if decorated is not None and decorated.type == "decorated_definition":
        return module.language.text(decorated)[:_LONGEST_FUNCTION]
    function = module.function_around(node) or module.root
    if function.type in _BLOCKS and function.parent is not None:
        function = function.parent
    before = ""
    sibling = function.prev_named_sibling if function.type in {"method_definition", "function_definition"} else None
    while sibling is not None and sibling.type == "decorator":
        before += f"{module.language.text(sibling)}\n"
        sibling = sibling.prev_named_sibling
    return before + module.language.text(function)[:_LONGEST_FUNCTION]


_TEXTS = {**TEXTS, **ADDRESSES}
_LONGEST_FUNCTION = 8000
_RELATIVE = (".", "~/", "@/", "#")
_OWN_MODULE = re.compile(r"\.+[a-z_]\w*")
PERCENT = "%"
VIEW = "view"  # the path of what a view returns
ELEMENT = "[]"  # the last name of an element that is assigned to
_NAMED = {"returned": VIEW, "operator": PERCENT}  # places with one path, whatever stands there


class Matcher:
    """Everything that is worked out about one file, shared by all its rules."""

    def __init__(self, module: Module, family: str) -> None:
        self.module = module
        self.effort = Effort()
        self.frameworks = Frameworks(module, family)
        self.paths = QualifiedNames(module, self.frameworks)
        self.constants = Constants(module)
        self._pieces = Pieces(module, self.paths, self.constants)
        self._flows: dict[RuleTrust, Flow] = {}
        self._by_rule: dict[str, Flow] = {}
        self._imported: dict[tuple[str, ...], bool] = {}
        self._possible: dict[tuple[int, str, str], bool] = {}
        self._near: dict[tuple[str, int], bool] = {}

    def flow(self, rule: SecurityRule) -> Flow:
        found = self._by_rule.get(rule.id)
        if found is None:
            found = self.flow_under(RuleTrust(rule.sanitizers, rule.accepted_guards(), rule.sources))
            self._by_rule[rule.id] = found
        return found

    def flow_under(self, trust: RuleTrust) -> Flow:
        if trust not in self._flows:
            self._flows[trust] = Flow(self.module, self.paths, self.frameworks, trust, self.effort)
        return self._flows[trust]

    def begin_piece(self) -> None:
        """What a piece may cost does not hang on how many others were judged before."""
        for flow in self._flows.values():
            flow.begin_piece()

    def matches_at(self, table: RuleTable, kind: str, name: str, node: Node) -> Iterator[RuleMatch]:
        if not self._may_hold(table, kind, name):
            return
        expression = self.module.lower(node) if kind == "call" else None
        path = self._path(kind, node, expression)
        for row in table.at(kind, name, path):
            match = self._holds(row, path, RuleSite(kind, node, expression))
            if match is not None:
                yield match

    def _may_hold(self, table: RuleTable, kind: str, name: str) -> bool:
        """Many rules ask for an import, which costs nothing to know; what stands at the place does."""
        key = (id(table), kind, name)
        if key not in self._possible:
            rows = table.named(kind, name)
            self._possible[key] = any(not row.pattern.imports or self._imports(row.pattern.imports) for row in rows)
        return self._possible[key]

    def _holds(self, row: TableRow, path: str, place: RuleSite) -> RuleMatch | None:
        rule, pattern = row
        node = place.node
        if not self._fits_place(pattern, node):
            return None
        if pattern.tainted and place.call is not None and self._is_ours(place.call, path):
            return None  # what becomes of the value is asked where that function is written
        by_caller = not self._fits_context(pattern, node)
        if not self._fits_function(pattern, node) or (by_caller and not self._fits_callers(pattern, node)):
            return None
        call = self._decorating(node) if place.kind == "decorator" else place.call
        look = _PatternMatcher(self, rule, RuleSite(place.kind, node, call))
        if not look.satisfies(pattern):
            return None
        if not all(look.satisfies(each) for each in pattern.all) or any(look.satisfies(each) for each in pattern.none):
            return None
        return RuleMatch(rule, pattern, path, look.taint, by_caller or look.by_default)

    def _fits_place(self, pattern: Pattern, node: Node) -> bool:
        if pattern.imports and not self._imports(pattern.imports):
            return False
        return not pattern.inside or self._inside(node, pattern.inside)

    def _path(self, kind: str, node: Node, expression: Expression | None) -> str:
        if expression is not None:
            return self.paths.of(expression.items[0]) if expression.kind == ex.CALL else ""
        if kind == "assign":
            left, _ = self.module.language.assigned(node)
            return self._target(left) if left is not None else ""
        if kind == "decorator":
            inner = self.module.lower(node.named_children[0])
            return self.paths.of(inner.items[0] if inner.kind == ex.CALL else inner)
        if kind == "compare":
            return self._compared(node)
        if kind in _NAMED:
            return _NAMED[kind]
        if kind == "defined":
            return self.module.language.name_of(node)
        name = self.module.language.pair(node)[0] or (node.named_children[0] if node.named_children else None)
        return self.module.language.text(name).strip("'\"") if name is not None else ""

    def _is_ours(self, call: Expression, path: str) -> bool:
        """A function of the project itself is not the library's that has its name: `find`, `download`."""
        callee = self.module.lower(call.items[0])
        if callee.kind == ex.NAME:
            return path.startswith(_RELATIVE) and callee.name in self.module.imports and callee.name[:1].islower()
        if callee.kind != ex.ATTR:
            return False
        holder = self.module.lower(callee.items[0])
        if holder.kind == ex.NAME and holder.name in self.module.imports:
            return self._is_own_module(holder.name)
        return function_called(self.module, callee) is not None

    def _is_own_module(self, name: str) -> bool:
        """`import * as store from "./store"`, `from . import store`; other names may stand for a library's object."""
        path = self.module.imports[name]
        if _OWN_MODULE.fullmatch(path):
            return True
        if not path.startswith(_RELATIVE):
            return False
        whole = re.compile(rf"\*\s*as\s+{re.escape(name)}\s+from\b")
        return self.module.about_text(f"all of {name}", lambda text: whole.search(text) is not None)

    def _decorating(self, node: Node) -> Expression | None:
        inner = self.module.lower(node.named_children[0])
        return inner if inner.kind == ex.CALL else None

    def _target(self, left: Node) -> str:
        """What is assigned to, by the name it is written with: its value is not its name."""
        target = self.module.lower(left)
        if target.kind == ex.CALL:  # a setter
            target = self.module.lower(target.items[0])
        if target.kind == ex.NAME:
            return target.name
        if target.kind in {ex.ATTR, ex.INDEX}:
            return f"{self.paths.of(target.items[0])}.{target.name or ELEMENT}"
        return ""

    def _compared(self, node: Node) -> str:
        """Both sides of a comparison, as paths and as written, one per line."""
        sides = [child for child in node.named_children if "comment" not in child.type]
        return "\n".join(f"{self.paths.of(side)}\n{self.module.language.text(side)}" for side in sides[:2])

    def _fits_context(self, pattern: Pattern, node: Node) -> bool:
        if pattern.context is None and pattern.not_context is None:
            return True
        return _fits_names(pattern, names_around(self.module, node))

    def _fits_callers(self, pattern: Pattern, node: Node) -> bool:
        """What a function of this file gives back is also judged by what a caller makes of it."""
        names = list(names_around(self.module, node)) if pattern.context is not None else []
        return pattern.context is not None and any(
            _fits_names(pattern, [*names, *names_around(self.module, call)]) and not self._is_excluded(pattern, call)
            for call in calls_for(self.module, node)
        )

    def _is_excluded(self, pattern: Pattern, node: Node) -> bool:
        return pattern.unless_nearby is not None and self._is_near(pattern.unless_nearby, node)

    def _is_near(self, wanted: str, node: Node) -> bool:
        around = node if node.type == "decorator" else self.module.function_around(node) or self.module.root
        key = (wanted, around.id)
        if key not in self._near:
            near = partial(_is_in, _regex(wanted))
            if around.id == self.module.root.id:
                self._near[key] = self.module.about_text(f"near {wanted}", near)
            else:
                self._near[key] = near(text_around(self.module, node))
        return self._near[key]

    def _fits_function(self, pattern: Pattern, node: Node) -> bool:
        if self._is_excluded(pattern, node):
            return False
        return pattern.nearby is None or self._is_near(pattern.nearby, node)

    def _imports(self, wanted: tuple[str, ...]) -> bool:
        if wanted not in self._imported:
            self._imported[wanted] = any(
                path == name or path.startswith((f"{name}.", f"{name}/"))
                for path in (*self.module.imports.values(), *self.module.required)
                for name in wanted
            )
        return self._imported[wanted]

    def _inside(self, node: Node, globs: tuple[str, ...]) -> bool:
        """Whether the place lies in the arguments of such a call."""
        parent = node.parent
        while parent is not None and parent.type not in self.module.language.functions:
            if parent.type in self.module.language.calls:
                call = self.module.lower(parent)
                return call.kind == ex.CALL and matches(self.paths.of(call.items[0]), globs)
            parent = parent.parent
        return False

    def constant(self, item: Node | Expression) -> Any:
        """The value that an expression certainly has, else UNKNOWN."""
        return self.constants.of(item)

    def parts(self, item: Node | Expression) -> list[str | Expression]:
        return self._pieces.of(item)


@dataclass(frozen=True, slots=True)
class RuleMatch:
    """`path` is what was found there, `taint` how something sent got to it.

    `surmised`: it hangs on a default that others may replace, or on what one caller makes of it.
    """

    rule: SecurityRule
    pattern: Pattern
    path: str
    taint: Taint | None
    surmised: bool = False


class RuleSite(NamedTuple):
    """Where a rule may hold; `call` is what is called there, if anything is."""

    kind: str
    node: Node
    call: Expression | None


class _PatternMatcher:
    """One pattern at one place."""

    def __init__(self, matcher: Matcher, rule: SecurityRule, place: RuleSite) -> None:
        self._matcher = matcher
        self._rule = rule
        self._kind, self._node, self._call = place
        self.taint: Taint | None = None
        self.by_default = False

    def satisfies(self, condition: Condition) -> bool:
        item = self._item(condition.argument)
        if condition.missing is not None and (item is None) is not condition.missing:
            return False
        if item is None:
            return not _asks(condition) if condition.missing is None else not self._may_spread()
        return (
            self._constant(condition, item)
            and self._written(condition, item)
            and self._text(condition, item)
            and self._flows(condition, item)
        )

    def _written(self, condition: Condition, item: Node | Expression) -> bool:
        if condition.written is None:
            return True
        expression = self._matcher.module.lower(item)
        said = expression.value if expression.kind == ex.ATTR else None  # inside of a macro
        text = said if isinstance(said, str) else self._matcher.module.language.text(expression.node)
        return _regex(condition.written).search(text[:_LONGEST_FUNCTION]) is not None

    def _flows(self, condition: Condition, item: Node | Expression) -> bool:
        if condition.path is not None and not matches(self._matcher.paths.of(item), condition.path):
            return False
        if condition.tainted is None:
            return True
        taint = self._matcher.flow(self._rule).taint(item)
        weights = {"parameter": self._rule.parameters, "local": self._rule.local}
        if taint is not None and weights.get(taint.kind) == "off":
            taint = None
        if condition.tainted:
            self.taint = self.taint or taint
        return (taint is not None) is condition.tainted

    def _constant(self, condition: Condition, item: Node | Expression) -> bool:
        wanted = {name: asked for name in _TESTS if (asked := getattr(condition, name)) is not None}
        if not wanted:
            return True
        value = self._matcher.constant(item)
        if all(_TESTS[name](value, asked) for name, asked in wanted.items()):
            return True
        if value is not UNKNOWN or "dynamic" in wanted:
            return False
        if "mask" in wanted:  # the mode of a folder is nearly always 0o777 by default, and the umask takes from it
            return False
        value = self._matcher.constants.default_of(item)
        held = all(_TESTS[name](value, asked) for name, asked in wanted.items())
        self.by_default |= held
        return held

    def _text(self, condition: Condition, item: Node | Expression) -> bool:
        return condition.text is None or _TEXTS[condition.text](
            self._matcher, self._matcher.parts(item), self._matcher.flow(self._rule)
        )

    def _item(self, argument: int | str | tuple[int | str, ...] | None) -> Node | Expression | None:
        if argument is None:
            return self._own()
        wanted = argument if isinstance(argument, tuple) else (argument,)
        return next((found for found in map(self._argument, wanted) if found is not None), None)

    def _own(self) -> Node | Expression | None:
        if self._kind in {"call", "decorator"}:
            return self._call
        if self._kind == "assign":
            return self._matcher.module.language.assigned(self._node)[1]
        if self._kind == "returned":
            return self._returned()
        if self._kind == "defined":
            return self._node
        _, value = self._matcher.module.language.pair(self._node)
        return value if value is not None else next(iter(self._node.named_children[1:]), None)

    def _returned(self) -> Node | Expression | None:
        """What a view gives as its body: `return body, status` counts as `return body`."""
        if self._node.type not in self._matcher.module.language.facts.returns:
            return self._node  # what stands last is given back
        given = next(iter(self._node.named_children), None)
        listed = given is not None and given.type in {"expression_list", "tuple"} and given.named_children
        return listed[0] if listed else given

    def _index(self) -> Node | Expression | None:
        left = self._node.child_by_field_name("left")
        target = self._matcher.module.lower(left) if left is not None else None
        return target.items[1] if target is not None and target.kind == ex.INDEX and len(target.items) > 1 else None

    def _argument(self, which: int | str) -> Node | Expression | None:
        if self._kind == "assign" and which == "index":
            return self._index()
        if self._kind in {"assign", "key", "keyword", "returned"}:
            own = self._own()
            return option(self._matcher.module, which, (own,)) if own is not None and isinstance(which, str) else None
        if self._kind in {"compare", "operator"}:
            sides = [child for child in self._node.named_children if "comment" not in child.type]
            return sides[which] if isinstance(which, int) and which < len(sides) else None
        return self._argument_at(self._call, which) if self._call is not None and self._call.kind == ex.CALL else None

    def _argument_at(self, call: Expression, which: int | str) -> Node | Expression | None:
        given = list(zip(call.items[1:], call.keys, strict=False))
        if which == "callee":
            return call.items[0]
        if which == "call":
            callee = self._matcher.module.lower(call.items[0])
            return callee.items[0] if callee.kind == ex.ATTR else None
        if isinstance(which, int):
            positional = [item for item, key in given if key is None]
            return positional[which] if -len(positional) <= which < len(positional) else None
        named = next((item for item, key in given if key == which), None)
        if named is not None:
            return named
        return option(self._matcher.module, which, (item for item, key in given if key in {None, SPREAD}))

    def _may_spread(self) -> bool:
        """`f(**options)`, `f({...options})`: what seems to be missing may come with these."""
        module, call = self._matcher.module, self._call
        own = self._own() if call is None else None
        given = (own,) if own is not None else call.items[1:] if call is not None else ()
        keys = call.keys if call is not None else (None,)
        return any(is_open(module, item, int(key == SPREAD)) for item, key in zip(given, keys, strict=False))


def _fits_names(pattern: Pattern, names: Iterable[str]) -> bool:
    said = " ".join(names)
    if pattern.not_context is not None and _regex(pattern.not_context).search(said):
        return False
    return pattern.context is None or _regex(pattern.context).search(said) is not None


def _is_in(regex: re.Pattern[str], text: str) -> bool:
    return regex.search(text[:_LONGEST_FUNCTION]) is not None


def _asks(condition: Condition) -> bool:
    return any(getattr(condition, name) is not None for name in (*_TESTS, "tainted", "path", "text", "written"))


@lru_cache(maxsize=512)
def _regex(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


# What a condition may ask of a constant, and what the answer depends on.
_TESTS: dict[str, Callable[[Any, Any], bool]] = {
    "dynamic": lambda value, asked: (value is UNKNOWN) is asked,
    "constant": lambda value, asked: any(value == each and type(value) is type(each) for each in asked),
    "regex": lambda value, asked: isinstance(value, str) and _regex(asked).search(value) is not None,
    "length_below": lambda value, asked: isinstance(value, str) and len(value) < asked,
    "below": lambda value, asked: is_number(value) and value < asked,
    "mask": lambda value, asked: is_number(value) and value == int(value) and bool(int(value) & asked),
    "contains": lambda value, asked: isinstance(value, list) and asked in value,
}
