"""Does what somebody sent reach this place? Asked from a sink backwards, inside one file, when a sink is met."""

from __future__ import annotations

import re
from functools import cached_property, lru_cache, partial
from typing import TYPE_CHECKING, NamedTuple

from vetgate.checks.security import classes
from vetgate.checks.security import expression as ex
from vetgate.checks.security.frameworks import REMOTE
from vetgate.checks.security.guard_patterns import MEMBER, VALID
from vetgate.checks.security.guards import admitted, guarded
from vetgate.checks.security.qualified_names import matches
from vetgate.checks.security.scope import PARAM
from vetgate.checks.security.taint import COMPOSED, PARAMETER, REQUEST, RuleTrust, Taint
from vetgate.checks.security.values import arguments_of_all_calls, function_called, members, resolve_value, set_later
from vetgate.expression import expression
from vetgate.source.syntax import first_line
from vetgate.source.text_diff import LineCache

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tree_sitter import Node

    from vetgate.checks.security.expression import Expression
    from vetgate.checks.security.frameworks import Frameworks
    from vetgate.checks.security.qualified_names import QualifiedNames
    from vetgate.checks.security.scope import AskedNames, Module
    from vetgate.checks.security.taint import Effort

_ONLY_LETTERS = expression(r"\[\^(?:\\[wd]|[\w\s-]|\\s|\\-)+\][+*]?")
_WITHOUT = "without:"
_METHODS = (".replace", ".replaceAll", ".Replace", ".gsub")
_FUNCTIONS = {"strings.ReplaceAll": (2, 3), "Regex.Replace": (2, 3), "preg_replace": (1, 2)}  # what, and by what
_OF_JAVA = ("method_invocation", ".replaceAll")  # takes a regular expression, in JavaScript a text
_COMPILED = ".ReplaceAllString"  # of Go: the pattern is what the method belongs to


_NOTHING = "(?!)"
_LONGEST = 200  # what is written to clean a name is short


class _Replacement(NamedTuple):
    pattern: str
    by: str | None  # when it is a text of ours
    everywhere: bool = True


def replaces(module: Module, call: Expression, callee_path: str, sanitizers: tuple[str, ...]) -> bool:
    """`x.replace(/[^a-z]/g, "")` leaves letters only, whatever the rule is afraid of."""
    found = _replacement(module, call, callee_path)
    if found is None:
        return False
    if found.by is not None and (_ONLY_LETTERS.fullmatch(found.pattern) or matches(f"replace:{found.by}", sanitizers)):
        return True
    feared = [each.removeprefix(_WITHOUT) for each in sanitizers if each.startswith(_WITHOUT)]
    return found.everywhere and any(
        all(_finds(found.pattern, letter) and letter not in (found.by or "") for letter in letters)
        for letters in feared
    )


def _replacement(module: Module, call: Expression, callee_path: str) -> _Replacement | None:
    if callee_path.endswith(_COMPILED):
        return _of_compiled(module, call)
    at, by = _FUNCTIONS.get(callee_path, (1, 2))
    if len(call.items) != (4 if callee_path in _FUNCTIONS else 3) or not callee_path.endswith((*_METHODS, *_FUNCTIONS)):
        return None
    what = module.lower(call.items[at])
    pattern = _pattern(call, what, callee_path) or _NOTHING
    return _Replacement(pattern, _text(module.lower(call.items[by])), _is_everywhere(module, call, what, callee_path))


def _of_compiled(module: Module, call: Expression) -> _Replacement | None:
    """`regexp.MustCompile("…").ReplaceAllString(text, by)`, also when the expression has a name."""
    callee = module.lower(call.items[0])
    compiled = resolve_value(module, module.lower(callee.items[0])) if callee.kind == ex.ATTR else None
    if compiled is None or compiled.kind != ex.CALL or len(compiled.items) < 2 or len(call.items) != 3:
        return None
    pattern = _text(module.lower(compiled.items[1]))
    return _Replacement(pattern or _NOTHING, _text(module.lower(call.items[2])))


def _pattern(call: Expression, what: Expression, callee_path: str) -> str | None:
    """What is looked for, as a regular expression; a text is one by itself where the function says so."""
    if what.kind == ex.REGEX:
        return str(what.value)
    text = _text(what)
    if text is None:
        return None
    if callee_path == "preg_replace":
        return text[1 : text.rfind(text[0])] if text else None
    is_regex = callee_path == "Regex.Replace" or (call.node.type, callee_path[-11:]) == _OF_JAVA
    return text if is_regex else re.escape(text)


def _text(item: Expression) -> str | None:
    return item.value if item.kind == ex.LITERAL and isinstance(item.value, str) else None


def _is_everywhere(module: Module, call: Expression, what: Expression, callee_path: str) -> bool:
    """JavaScript alone replaces the first one only, unless it is told otherwise."""
    if module.language.facts.typed or call.node.type == "call" or callee_path.endswith(".replaceAll"):
        return True
    flags = what.node.child_by_field_name("flags") if what.kind == ex.REGEX else None
    return flags is not None and "g" in module.language.text(flags)


@lru_cache(maxsize=256)
def _finds(pattern: str, letter: str) -> bool:
    if len(pattern) > _LONGEST:
        return False
    try:
        return re.fullmatch(pattern, letter) is not None
    except (re.error, OverflowError, RecursionError):
        return False


_DEEPEST = 40
_DEEPEST_CALL = 3
_MOST_CLIMBS = 40
_BRINGS = expression(
    r"\b(?:req|request|ctx|location|event|\$?route|router|socket|ipcMain|document|referrer|use\w*Params|useLocation"
    r"|get_\w*arguments?|Query|Body|Param|argv|Context|\w*Request)\b"
)
_VALIDATES = expression(r"validate|ensure_|assert_", re.IGNORECASE)  # gives back what it has let through
_OF_ORIGINS = frozenset({MEMBER, VALID})

_WORKED_OUT = frozenset({"react.useMemo", "vue.computed", "@angular/core.computed"})  # what their function gives
_MAPS = frozenset({"map", "flatMap"})
_REST = ("...", "*")
_OWN = frozenset({"self", "cls", "this", "$this"})


_OF_PARAMETER = Taint(PARAMETER, "", ())
_UNTAINTED: tuple[None, AskedNames] = (None, set())


class Flow:
    """One question's answers: which sanitizers count depends on the rule that asks."""

    def __init__(
        self, module: Module, paths: QualifiedNames, frameworks: Frameworks, trust: RuleTrust, effort: Effort
    ) -> None:
        self._module = module
        self._facts = module.language.facts
        self._effort = effort
        self.trust = trust
        self._paths = paths
        self._frameworks = frameworks
        self._sanitizers = trust.sanitizers
        self._guards = trust.guards
        self._sources = tuple(source for source in trust.sources if source != REQUEST)
        self._from_requests = REQUEST in trust.sources
        self._known: list[dict[int, tuple[Taint | None, AskedNames]]] = [{}]  # one for each call we are inside of
        self._arguments: list[dict[str, Taint | None]] = []
        self._results: dict[tuple[int, int, tuple[tuple[str, Taint | None], ...]], tuple[Taint | None, AskedNames]] = {}
        self._climbed = 0
        self._climbs = _MOST_CLIMBS

    def begin_piece(self) -> None:
        """Callers are asked as often for each piece of a file, however many functions stand before it."""
        self._climbs = _MOST_CLIMBS

    def taint(self, item: Node | Expression, depth: int = 0) -> Taint | None:
        expression = self._module.lower(item)
        if depth > _DEEPEST:
            return None
        memory, key = self._known[-1], id(expression)
        known = memory.get(key)
        if known is None and self._effort.spend():
            memory[key] = _UNTAINTED
            known = memory[key] = self._module.asking(partial(self._taint, expression, depth + 1))
        elif known is not None and known[1]:
            self._module.asked |= known[1]
        return known[0] if known is not None else None

    def _taint(self, expression: Expression, depth: int) -> Taint | None:
        kind = expression.kind
        if kind in {ex.LITERAL, ex.OTHER, ex.FUNCTION, ex.REGEX}:
            return None
        if kind == ex.NAME:
            return self._of_name(expression, depth)
        if kind in {ex.ATTR, ex.INDEX}:
            return self._of_member(expression, depth)
        if kind == ex.CALL:
            return self._of_call(expression, depth)
        if kind == PARAM:
            return self._of_parameter(expression)
        if kind == ex.TEXT and COMPOSED in self._sanitizers:
            return None
        return self._first(expression.items, depth)

    def _first(self, items: Iterable[Node | Expression], depth: int) -> Taint | None:
        weaker = None
        for item in items:
            found = self.taint(item, depth)
            if found is not None and found.kind == REMOTE:
                return found
            weaker = weaker or found
        return weaker

    def _written(self, expression: Expression) -> str:
        """As it stands in the file; a member that no single node stands for says so itself."""
        is_said = expression.kind == ex.ATTR and isinstance(expression.value, str)
        return expression.value if is_said else self._module.language.text(expression.node)

    def _source(self, expression: Expression) -> Taint | None:
        path = self._paths.of(expression)
        kind = self._frameworks.source_kind(path) if self._from_requests else ""
        if self._sources and matches(path, self._sources):
            kind = REMOTE
        if not kind or matches(path, self._sanitizers):
            return None
        text = self._written(expression)
        label = text if len(text) < 60 and "\n" not in text else path.replace("@", "")
        return Taint(kind, label, ((first_line(expression.node), f"`{label}` comes from outside"),), path)

    def _of_name(self, expression: Expression, depth: int) -> Taint | None:
        name = expression.name
        if self._arguments and name in self._arguments[-1]:
            given = self._arguments[-1][name]
            return None if given is not None and self._is_admitted(name, expression.node, given) else given
        values = self._module.reaching(name, expression.node)
        found = self._first(values, depth) if values else self._source(expression) or self._of_bare(expression, depth)
        if found is None and any(self._module.lower(_inner(value)).kind == ex.DICT for value in values):
            found = self._first(set_later(self._module, expression), depth)
        if found is None or self._is_admitted(name, expression.node, found):
            return None
        return found.through(first_line(values[0].node), f"`{name}`") if values else found

    def _of_bare(self, name: Expression, depth: int) -> Taint | None:
        """`redirect_to target` with `def target` below it."""
        function = function_called(self._module, name) if self._facts.bare else None
        return self._through(function, name, depth) if function is not None else None

    def _is_admitted(self, text: str, use: Node, taint: Taint) -> bool:
        """Tested before; a message is as good as the window that it comes from."""
        if guarded(self._module, text, use, self._guards):
            return True
        if not taint.path.startswith("@message"):
            return False
        origins = (f"{text.partition('.')[0]}.origin", "origin")
        return any(guarded(self._module, origin, use, _OF_ORIGINS) for origin in origins)

    def _unless_admitted(self, expression: Expression, source: Taint) -> Taint | None:
        return None if self._is_admitted(self._written(expression), expression.node, source) else source

    def _of_member(self, expression: Expression, depth: int) -> Taint | None:
        if self._sanitizers and matches(self._paths.of(expression), self._sanitizers):
            return None
        if expression.kind == ex.ATTR and self._frameworks.is_number(expression.name):
            return None
        source = self._source(expression)
        if source is not None:
            return self._unless_admitted(expression, source)
        holder = self._module.lower(expression.items[0])
        values = members(self._module, expression) if expression.kind == ex.ATTR else []
        if not values:
            return self.taint(holder, depth) or self._set_later(expression, depth)
        return self._apart(values, depth) if holder.name in _OWN else self._first(values, depth)

    def _set_later(self, element: Expression, depth: int) -> Taint | None:
        """`const [name, setName] = useState("")`: whatever a call of the second one passes."""
        if element.kind != ex.INDEX or element.node.type != "array_pattern" or len(element.node.named_children) != 2:
            return None
        if not self._paths.of(element.items[0]).endswith("useState()"):
            return None
        setter = self._module.language.text(element.node.named_children[1])
        calls = (self._module.lower(call) for call in self._module.calls_of(setter))
        return self._apart([item for call in calls for item in call.items[1:2]], depth)

    def _apart(self, items: Iterable[Node | Expression], depth: int) -> Taint | None:
        """What is written elsewhere in the file, outside of the call that we may be inside of."""
        inside = self._arguments, self._known
        self._arguments, self._known = [], self._known[:1]
        try:
            return self._first(items, depth)
        finally:
            self._arguments, self._known = inside

    def _of_parameter(self, expression: Expression) -> Taint | None:
        if self._arguments:
            return self._arguments[-1].get(self._module.language.text(expression.node))
        source = self._source(expression)
        if source is not None:
            return source
        if self._frameworks.is_request(expression):
            return None  # the request itself is not the data; its members are
        several = self._frameworks.element_of(expression)
        if several is not None:
            return self.taint(several)
        if self._frameworks.is_index(expression):
            return None
        name = self._module.language.text(expression.node).split("\n")[0][:40]
        if name in _OWN:
            return None  # the object itself; its fields are asked by their names
        line = first_line(expression.node)
        if self._from_requests and self._frameworks.is_input(expression):
            return Taint(REMOTE, name, ((line, f"`{name}` is filled by the framework"),))
        if self._frameworks.is_narrow(expression):
            return None
        sent = self._from_callers(expression)
        if sent is not None:
            return sent.through(line, f"`{name}`")
        return None if self._is_ours(expression) else Taint(PARAMETER, name, ((line, f"parameter `{name}`"),))

    def _is_ours(self, parameter: Expression) -> bool:
        """All callers are in sight, and none passes anything that it was handed itself."""
        if self._climbed >= _DEEPEST_CALL:
            return False
        self._climbed += 1
        try:
            given = arguments_of_all_calls(self._module, parameter)
            return bool(given) and all(self.taint(item) is None for item in given)
        finally:
            self._climbed -= 1

    def _from_callers(self, parameter: Expression) -> Taint | None:
        """What somebody sent, passed by a call of this function in the same file."""
        function: Node = parameter.value
        name = self._called_by(function)
        if not name or self._climbed >= _DEEPEST_CALL or self._climbs == 0 or not self._brings:
            return None
        self._climbed += 1
        self._climbs -= 1
        try:
            return next((sent for call in self._module.calls_of(name) if (sent := self._passed(parameter, call))), None)
        finally:
            self._climbed -= 1

    @cached_property
    def _brings(self) -> bool:
        """Callers are worth asking only in a file that names something which brings input."""
        brings = self._facts.brings or _BRINGS
        return bool(self._sources) or self._module.about_text("brings", partial(_is_anywhere, brings))

    def _called_by(self, function: Node) -> str:
        """The name that calls of it end in: a constructor goes by the name of its class."""
        name = self._module.language.name_of(function)
        body = classes.body_around(function) if name in classes.CONSTRUCTORS else None
        return classes.name_of(self._module, body) if body is not None else name

    def _passed(self, parameter: Expression, call: Node) -> Taint | None:
        expression = self._module.lower(call)
        if expression.kind != ex.CALL:
            return None
        # Every parameter of every function of that name asks, under what each rule trusts.
        local = self._module.once((_run_by, call.id), partial(_run_by, self._module, expression))
        if local is None or local.id != parameter.value.id:
            return None
        wanted = self._module.language.text(parameter.node)
        given = self._bound(parameter.value, expression, 0, only=wanted)[wanted]
        return given if given is not None and given.kind == REMOTE else None

    def _of_call(self, expression: Expression, depth: int) -> Taint | None:
        path = self._paths.of(expression)
        callee_path = path.removesuffix("()")
        callee = self._module.lower(expression.items[0])
        if self._is_clean(expression, callee, callee_path):
            return None
        source = self._source(expression) if self._may_be_source(callee) else None
        if source is not None:
            return self._unless_admitted(expression, source)
        local = function_called(self._module, callee)
        if local is not None:
            return self._through(local, expression, depth)
        name = callee.name if callee.kind in {ex.NAME, ex.ATTR} else ""
        if callee_path in _WORKED_OUT and (worked_out := self._mapping(expression)) is not None:
            return self._first(self._module.scope(worked_out.node).returns, depth)
        if name in self._facts.narrows or not (self._keeps(expression, name) or callee_path in self._facts.kept_paths):
            return None
        if name == "filter" and self._filters(expression):
            return None
        if name in _MAPS and (function := self._mapping(expression)) is not None:
            return self._mapped(function, callee, depth)
        return self._kept(expression, callee, depth)

    def _is_clean(self, call: Expression, callee: Expression, path: str) -> bool:
        """Whatever goes in, the rule trusts what comes out."""
        if VALID in self._guards and _VALIDATES.match(callee.name):
            return True
        return matches(path, self._sanitizers) or replaces(self._module, call, path, self._sanitizers)

    def _may_be_source(self, callee: Expression) -> bool:
        """The path of `req.body.ids.map(Number).join()` begins like a source; what it gives depends on the calls."""
        if callee.kind != ex.ATTR:
            return True
        if callee.name in self._facts.narrows or callee.name in _MAPS or callee.name == "filter":
            return False
        holder = self._module.lower(callee.items[0])
        if holder.kind == ex.ATTR and self._frameworks.is_number(holder.name):
            return False
        return callee.name not in self._facts.propagates or holder.kind != ex.CALL

    def _keeps(self, call: Expression, name: str) -> bool:
        """Whether what goes into the call comes out; a getter without arguments gives a part of its object."""
        getters = self._facts.getters
        if name in self._facts.propagates:
            return True
        is_part = getters is not None and len(call.items) == 1 and getters.fullmatch(name) is not None
        return is_part and not self._frameworks.is_number(name)

    def _kept(self, expression: Expression, callee: Expression, depth: int) -> Taint | None:
        """What goes into a call that keeps texts as they are."""
        name = callee.name
        given = expression.items[2 if name in self._facts.keyed and callee.kind == ex.ATTR else 1 :]
        if name == "filter" and callee.kind == ex.ATTR and expression.keys and None not in expression.keys:
            given = ()  # `Order.objects.filter(mail=mail)`: what is looked up is not what it is looked up by
        receiver = self.taint(callee.items[0], depth) if callee.kind == ex.ATTR else None
        if receiver is not None and receiver.kind == REMOTE:
            return receiver
        return self._first(given, depth) or receiver

    def _filters(self, call: Expression) -> bool:
        """`names.filter((name) => ALLOWED.has(name))` keeps only what the test of the rule admits."""
        first = self._module.lower(call.items[1]) if len(call.items) > 1 else None
        if first is None or first.kind != ex.FUNCTION:
            return False
        language = self._module.language
        names = [language.text(pattern) for pattern, _, _ in language.parameters(first.node)][:1]
        tests = [language.text(each) for each in self._module.scope(first.node).returns]
        return bool(names and tests) and all(admitted(names[0].strip("[]{} "), test, self._guards) for test in tests)

    def _mapping(self, call: Expression) -> Expression | None:
        """What `map` applies to each element, when it is written there or is known to give numbers."""
        first = self._module.lower(call.items[1]) if len(call.items) > 1 else None
        counts = first is not None and first.kind == ex.NAME and first.name in self._facts.narrows
        return first if counts or (first is not None and first.kind == ex.FUNCTION) else None

    def _mapped(self, function: Expression, callee: Expression, depth: int) -> Taint | None:
        """What comes out of `map` is what the function makes of each element."""
        if function.kind != ex.FUNCTION:
            return None
        if self._arguments and callee.kind == ex.ATTR:
            names = [
                self._module.language.text(pattern) for pattern, _, _ in self._module.language.parameters(function.node)
            ]
            element = self.taint(callee.items[0], depth)
            return self._returned_value(
                function.node, {**self._arguments[-1], **dict.fromkeys(names[:1], element)}, depth
            )
        return self._first(self._module.scope(function.node).returns, depth)

    def admits(self, expression: Expression) -> bool:
        """Whether a test of the rule has let the value through, as it is written here."""
        node = expression.node
        return node.parent is not None and guarded(self._module, self._module.language.text(node), node, self._guards)

    def cleans(self, expression: Expression) -> bool:
        """Whether the value comes straight out of a sanitizer of the rule."""
        return matches(self._paths.of(expression).removesuffix("()"), self._sanitizers)

    def _through(self, function: Node, call: Expression, depth: int) -> Taint | None:
        """Follow the arguments into a function of the file and out of what it returns."""
        if len(self._arguments) >= _DEEPEST_CALL:
            return None
        found = self._returned(function, self._bound(function, call, depth), depth)
        name = self._module.language.name_of(function)
        return found.through(first_line(call.node), f"`{name}()`" if name else "a function") if found else None

    def _bound(self, function: Node, call: Expression, depth: int, only: str = "") -> dict[str, Taint | None]:
        names = self._module.parameter_names(function)
        if names[:1] in (["self"], ["cls"]):
            names = names[1:]
        bound: dict[str, Taint | None] = dict.fromkeys([*names, only] if only else names)
        for position, (item, key) in enumerate(zip(call.items[1:], call.keys, strict=False)):
            name = key if key and key != "*" else _at(names, position)
            if name in bound and (not only or name == only):
                bound[name] = self.taint(item, depth) or bound[name]
        return bound | {name.lstrip(".*"): bound[name] for name in names if name.startswith(_REST)}

    def _returned(self, function: Node, bound: dict[str, Taint | None], depth: int) -> Taint | None:
        # Nothing that hangs on a parameter alone comes out, so it does not matter on which.
        bound = {name: _OF_PARAMETER if given and given.kind == PARAMETER else given for name, given in bound.items()}
        key = (function.id, len(self._arguments), tuple(bound.items()))
        if key not in self._results:
            self._results[key] = _UNTAINTED
            found, asked = self._module.asking(partial(self._returned_value, function, bound, depth))
            self._results[key] = (None if found is not None and found.kind == PARAMETER else found), asked
        self._module.asked |= self._results[key][1]
        return self._results[key][0]

    def _returned_value(self, function: Node, bound: dict[str, Taint | None], depth: int) -> Taint | None:
        self._arguments.append(bound)
        self._known.append({})
        try:
            return self._first(self._module.scope(function).returns, depth)
        finally:
            self._arguments.pop()
            self._known.pop()


@lru_cache(maxsize=16)
def _lines_with(pattern: re.Pattern[str]) -> LineCache[str]:
    return LineCache(lambda text: pattern.search(text) is not None, "\n")


def _is_anywhere(pattern: re.Pattern[str], text: str) -> bool:
    """Of a pattern that reaches over no line; asked again with every edit, and mostly in vain."""
    return _lines_with(pattern).may_hold(text) and pattern.search(text) is not None


def _run_by(module: Module, call: Expression) -> Node | None:
    """The function of this file that runs at a call, a constructor included."""
    callee = module.lower(call.items[0])
    return function_called(module, callee) or classes.constructor(module, callee.name)


def _inner(value: Expression) -> Node | Expression:
    return value.items[0] if value.kind == ex.PASS else value


def _at(names: list[str], position: int) -> str:
    """The parameter at a position; one that takes the rest takes all that follow."""
    if position < len(names):
        return names[position]
    return names[-1] if names and names[-1].startswith(_REST) and not names[-1].startswith("**") else ""
