"""Languages in which functions belong to classes and classes to packages: which of them a name means.

None stands for what nobody can tell, and an empty list for what is not there. `ClassResolver` says what calls and
imports mean.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from vetgate.index.facts import NEW, STATIC, DefinitionSite, Import
from vetgate.index.inheritance import SourceDefinition
from vetgate.source.language import language_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from vetgate.index.facts import CallSite, Definition, Facts
    from vetgate.index.view import View

    Members = list[tuple[str, Definition]] | None


CLASS = "class"
# What a class is made of that stands in several places.
PARTIAL = "partial"
_DEEPEST = 8


class ReferenceContext(NamedTuple):
    """Where a name is said: the file, and the class around."""

    path: str
    facts: Facts
    owner: str = ""


class LanguageRules(NamedTuple):
    """What a language has of its own.

    `full_names` gives those that a name may stand for, step by step; `builtin_classes` are those of the language itself
    with their members, `builtin_members` what every class has; `may_generate` says of a class whether it may have more
    members of a name than are written.
    """

    full_names: Callable[[ReferenceContext, str], Iterator[tuple[str, ...]]]
    builtin_classes: Mapping[str, frozenset[str]]
    builtin_members: frozenset[str]
    may_generate: Callable[[SourceDefinition, str], bool]


class Classes(NamedTuple):
    """Looks up classes and their members, by the rules of a language."""

    rules: LanguageRules

    def found(self, view: View, context: ReferenceContext, full: str) -> list[SourceDefinition]:
        """All classes of the project that are called this in full."""
        last, language = full.rpartition(".")[2], language_of(context.path)
        key = f"{language} {last}"
        if key not in view.classes:
            view.classes[key] = [
                SourceDefinition(path, each, facts)
                for path, facts in view.holding([f"q{last.partition('`')[0]}"])
                if language_of(path) == language
                for each in facts.definitions
                if each.kind == CLASS and f"{each.name}{each.word}" == last
            ]
        return [klass for klass in view.classes[key] if full_name(klass) == full]

    def named(self, view: View, context: ReferenceContext, name: str, depth: int = 0) -> list[SourceDefinition]:
        """The classes that a name may mean; none, where it is no class of the project."""
        if depth > _DEEPEST or not name or name.startswith("?") or name.partition(".")[0] in context.facts.rebound:
            return []
        if context.facts is not view.facts(context.path):
            return self._named(view, context, name, depth)  # a text that another one stands for here
        key = f"{context.path} {context.owner} {name}"
        if key not in view.classes:
            view.classes[key] = []  # for who asks in a circle
            view.classes[key] = self._named(view, context, name, depth)
        return view.classes[key]

    def _named(self, view: View, context: ReferenceContext, name: str, depth: int) -> list[SourceDefinition]:
        for around in surrounding(context):
            inner = self._inner(view, around, name, depth)
            if inner:
                return inner
        for spelled in self.rules.full_names(context, name):
            classes = [klass for full in dict.fromkeys(spelled) for klass in self.found(view, context, full)]
            if classes:
                return classes[:1] if all(klass.definition.made == PARTIAL for klass in classes) else classes
        return []

    def _parts(self, view: View, klass: SourceDefinition) -> list[SourceDefinition]:
        """All that a class is made of; nothing where one part has no other: that may be written as it is built."""
        if klass.definition.made != PARTIAL:
            return [klass]
        parts = self.found(view, ReferenceContext(klass.path, klass.facts), full_name(klass))
        return parts if len({part.path for part in parts}) > 1 else []

    def _inner(self, view: View, around: SourceDefinition, name: str, depth: int) -> list[SourceDefinition]:
        """Classes inside of a class, or of a base class that is known."""
        plain = f"{full_name(around).partition('`')[0]}.{name}"
        inner = self.found(view, ReferenceContext(around.path, around.facts), plain)
        for base in around.definition.bases if depth <= _DEEPEST else ():
            for above in self._above(view, around, base, depth + 1) if not inner else ():
                inner = inner or self._inner(view, above, name, depth + 1)
        return inner

    def _above(self, view: View, klass: SourceDefinition, base: str, depth: int) -> list[SourceDefinition]:
        outer = klass.definition.symbol.rpartition(".")[0]
        return self.named(view, ReferenceContext(klass.path, klass.facts, outer), base, depth)

    def members(self, view: View, klass: SourceDefinition, name: str, depth: int = 0) -> Members:
        """Its own of this name and those of all its base classes."""
        parts = self._parts(view, klass)
        if not parts or depth > _DEEPEST or self.rules.may_generate(klass, name):
            return None
        own = [(part.path, each) for part in parts for each in _defined(view, part, name)]
        if any(part.facts.unsure for part in parts) or len({path for path, _ in own}) > 1:
            return None
        if name == klass.definition.name:
            return own or (None if klass.definition.made == PARTIAL else own)
        inherited = self.inherited(view, klass, name, depth) if name not in self.rules.builtin_members else None
        return [*own, *inherited] if inherited is not None else None

    def inherited(self, view: View, klass: SourceDefinition, name: str, depth: int = 0) -> Members:
        found = []
        inheriting = [(part, base) for part in self._parts(view, klass) for base in part.definition.bases]
        for subclass, base in inheriting:
            above = self._above(view, subclass, base, depth + 1)
            plain = base.rpartition(".")[2].partition("`")[0]
            if not above and name not in self.rules.builtin_classes.get(plain, {name}):
                continue
            further = self.members(view, above[0], name, depth + 1) if len(above) == 1 else None
            if further is None:
                return None
            found += further
        return found

    def bare(self, view: View, context: ReferenceContext, name: str) -> Members:
        """What a name without a receiver means in a class, or in one around it."""
        around = list(surrounding(context))
        if context.owner and (not around or around[0].definition.symbol != context.owner):
            return None  # a class in a function, or one without a name
        for klass in around:
            found = self.members(view, klass, name)
            if found is None or found:
                return found
        return []


def _defined(view: View, klass: SourceDefinition, name: str) -> list[Definition]:
    """The members of a class by their name."""
    symbol = f"{klass.definition.symbol}.{name}"
    if klass.facts is not view.facts(klass.path):
        return [each for each in klass.facts.definitions if each.symbol == symbol and each.kind != CLASS]
    if klass.path not in view.symbols:
        by_symbol: dict[str, list[Definition]] = {}
        for each in klass.facts.definitions:
            if each.kind != CLASS:
                by_symbol.setdefault(each.symbol, []).append(each)
        view.symbols[klass.path] = by_symbol
    return view.symbols[klass.path].get(symbol, [])


def full_name(klass: SourceDefinition) -> str:
    return joined(klass.facts.space, f"{klass.definition.symbol}{klass.definition.word}")


def words(text: str) -> frozenset[str]:
    return frozenset(text.split())


def joined(*parts: str) -> str:
    return ".".join(filter(None, parts))


def surrounding(context: ReferenceContext) -> Iterator[SourceDefinition]:
    """The classes around a place, the innermost first."""
    owner = context.owner
    while owner:
        found = [each for each in context.facts.definitions if each.symbol == owner and each.kind == CLASS]
        if len(found) == 1:
            yield SourceDefinition(context.path, found[0], context.facts)
        owner = owner.rpartition(".")[0]


# What a method is that is called by the name of its class, and an import that brings such ones along.
ALL = "*"
_THIS = "this"


class ClassResolver(NamedTuple):
    """`parent` is the word for the base class; `loose` says what a name by itself means beyond the classes around.

    `is_hidden` says of a name by itself whether it may be a variable, and `is_lent` of a method whether others may have
    given it to a class.
    """

    classes: Classes
    parent: str
    loose: Callable[[View, ReferenceContext, str], Members]
    is_hidden: Callable[[ReferenceContext, str], bool]
    is_lent: Callable[[View, str], bool]

    def called(self, view: View, path: str, facts: Facts, call: CallSite) -> DefinitionSite | None:
        return _one(self._sought(view, ReferenceContext(path, facts, call.owner), call)) if not facts.unsure else None

    def holder(self, view: View, path: str, facts: Facts, call: CallSite) -> DefinitionSite | None:
        klass = self._holder(view, ReferenceContext(path, facts, call.owner), call)
        return DefinitionSite(klass.path, klass.definition.symbol) if klass is not None else None

    def imported(self, view: View, path: str, each: Import) -> DefinitionSite | None:
        facts = view.facts(path)
        if facts is None or each.name == ALL:
            return None
        if is_static(each):
            return _one(self.brought(view, ReferenceContext(path, facts), each.module, each.name))
        classes = self.classes.found(view, ReferenceContext(path, facts), joined(each.module, each.name))
        return DefinitionSite(classes[0].path, classes[0].definition.symbol) if len(classes) == 1 else None

    def resolves(self, view: View, path: str, facts: Facts, by: CallSite | Import) -> bool:
        if not isinstance(by, Import):
            found = self._sought(view, ReferenceContext(path, facts, by.owner), by)
            return found is None or bool(found)
        context = ReferenceContext(path, facts)
        if is_static(by):
            members = self.brought(view, context, by.module, by.name)
            return bool(self.classes.found(view, context, by.module)) and (members is None or bool(members))
        return bool(self.classes.found(view, context, joined(by.module, by.name)))

    def brought(self, view: View, context: ReferenceContext, module: str, name: str) -> Members:
        """A member of a class that is named in full."""
        classes = self.classes.found(view, context, module)
        return self.classes.members(view, classes[0], name) if len(classes) == 1 else None

    def _holder(self, view: View, context: ReferenceContext, call: CallSite) -> SourceDefinition | None:
        """The class that a call names."""
        receiver = call.callee.rpartition(".")[0]
        made = call.callee.removeprefix(NEW) if call.callee.startswith(NEW) else ""
        name = call.of or made or receiver
        found = self.classes.named(view, context, name) if name not in {_THIS, self.parent} else []
        if made and found and self._is_named_otherwise(view, context, name, found):
            return None
        return found[0] if len(found) == 1 else None

    def _is_named_otherwise(
        self, view: View, context: ReferenceContext, name: str, found: list[SourceDefinition]
    ) -> bool:
        """Whether a class has a base class of a name that means something else inside of it."""
        own = next(surrounding(context), None)
        if own is None or name not in own.definition.bases:
            return False
        outer = context._replace(owner=own.definition.symbol.rpartition(".")[0])
        return self.classes.named(view, outer, name) != found

    def _sought(self, view: View, context: ReferenceContext, call: CallSite) -> Members:
        """The members that a call may mean."""
        receiver, _, name = call.callee.rpartition(".")
        if call.callee.startswith(NEW):
            klass = self._holder(view, context, call)
            return self.classes.members(view, klass, klass.definition.name) if klass is not None else []
        if not receiver:
            return self._bare(view, context, name)
        if receiver.startswith("?") or self.is_lent(view, name):
            return None
        return self._reached(view, context, call)

    def _bare(self, view: View, context: ReferenceContext, name: str) -> Members:
        if self.is_hidden(context, name):
            return None
        found = self.classes.bare(view, context, name)
        return found if found is None or found else self.loose(view, context, name)

    def _reached(self, view: View, context: ReferenceContext, call: CallSite) -> Members:
        receiver, _, name = call.callee.rpartition(".")
        if receiver in {_THIS, self.parent} and not call.of:
            own = next(surrounding(context), None)
            if own is None or own.definition.symbol != context.owner:
                return None
            look = self.classes.members if receiver == _THIS else self.classes.inherited
            return look(view, own, name)
        klass = self._holder(view, context, call)
        members = self.classes.members(view, klass, name) if klass is not None else []
        by_class = not call.of
        if members is None or (by_class and any(each.word != STATIC for _, each in members)):
            return None
        return members


def is_static(each: Import) -> bool:
    return each.local.startswith(STATIC)


def _one(found: Members) -> DefinitionSite | None:
    """The nearest of several that take the same, or all forms that one class has; otherwise the arguments decide."""
    shapes, sites = {_shape(each) for _, each in found or ()}, {(path, each.symbol) for path, each in found or ()}
    if not found or (len(shapes) > 1 and len(sites) > 1):
        return None
    path, definition = found[0]
    return DefinitionSite(path, definition.symbol)


def _shape(definition: Definition) -> tuple[tuple[str, bool], ...] | None:
    if definition.parameters is None:
        return None
    return tuple((each.kind, each.optional) for each in definition.parameters)
