"""The method that is meant by a call on something whose class is known, in a language where files define names."""

from __future__ import annotations

import builtins
from typing import TYPE_CHECKING, NamedTuple

from vetgate.index.facts import MAKERS, NEW, OF_CLASS, SELVES, STATIC, SUPER, Definition, DefinitionSite, Facts
from vetgate.index.inheritance import Lineage, MemberLookup, SourceDefinition
from vetgate.index.objects import UNSURE
from vetgate.source.language import language_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from vetgate.index.facts import CallSite
    from vetgate.index.view import View

# How something is meant by its class: it may be a subclass, it is none, it calls itself, or what its base classes have.
SUBCLASS, EXACT, OWN, ABOVE = "heir", "exact", "own", "above"
_HOW = {**dict.fromkeys(SELVES, OWN), SUPER: ABOVE}
# Base classes that bring no method which somebody would call.
_BARE = frozenset({"object", "Generic", "ABC"})
_NOBODY = SourceDefinition("", Definition("object", 0, "class"), Facts())
# Base classes from elsewhere that leave alone what their subclasses define.
_TAME = frozenset(
    {*dir(builtins), "Enum", "IntEnum", "StrEnum", "Flag", "NamedTuple", "BaseModel", "Thread", "TestCase"}
)
_MAKES_NAMES = ("__getattr__", "__getattribute__")
_MOST = 200
_DOUBT = MemberLookup(None, sure=False)


class Receiver(NamedTuple):
    """What a method is called on: something of a class, by the name it has in the file; or that class."""

    kind: str
    how: str = SUBCLASS
    is_class: bool = False


def receiver_of(facts: Facts, call: CallSite) -> Receiver | None:
    """None where nobody can tell, and for what is no object: a module, or a class by its name."""
    first, _, rest = call.callee.partition(".")
    if first in _HOW and rest and "." not in rest and call.of in {"", OF_CLASS}:
        return Receiver(call.owner, _HOW[first], call.of == OF_CLASS) if call.owner else None
    if call.of:
        how = EXACT if call.of.startswith(NEW) else SUBCLASS
        return Receiver(call.of.removeprefix(NEW), how) if call.of != UNSURE else None
    if not rest or "." in rest:
        return None
    return object_of(facts, first)


def object_of(facts: Facts, name: str) -> Receiver | None:
    """What a variable of a file is."""
    kind = next((kind for each, kind in facts.objects if each == name), "")
    return Receiver(kind.removeprefix(NEW), EXACT if kind.startswith(NEW) else SUBCLASS) if kind else None


class Members(NamedTuple):
    """`class_named` is the class that a name means in a file."""

    class_named: Callable[[View, str, Facts, str], SourceDefinition | None]

    def called(self, view: View, path: str, facts: Facts, wanted: tuple[Receiver, str]) -> MemberLookup:
        """The method of a name that is called on something, whose class is known in a file by that name."""
        if facts is not view.facts(path):
            return self._member(view, path, facts, wanted)  # a text that another one stands for here
        return view.once(("member", path, wanted), lambda: self._member(view, path, facts, wanted))

    @staticmethod
    def class_at(view: View, site: DefinitionSite) -> SourceDefinition | None:
        """The one class of this name, in a file that could be read to its end."""
        facts = view.facts(site.path)
        if facts is None or facts.unsure:
            return None
        found = [each for each in facts.definitions if each.symbol == site.symbol]
        return SourceDefinition(site.path, found[0], facts) if len(found) == 1 and found[0].kind == "class" else None

    def klass(self, view: View, path: str, facts: Facts, receiver: Receiver) -> SourceDefinition | None:
        if receiver.how in {OWN, ABOVE}:
            return self.class_at(view, DefinitionSite(path, receiver.kind))
        return self.class_named(view, path, facts, receiver.kind)

    def _member(self, view: View, path: str, facts: Facts, wanted: tuple[Receiver, str]) -> MemberLookup:
        receiver, name = wanted
        klass = self.klass(view, path, facts, receiver)
        if klass is None:
            return _DOUBT
        if receiver.how in {OWN, ABOVE}:
            found = self._reached_inside(view, klass, name, has_own=receiver.how == OWN)
        else:
            found = self._of_object(view, klass, name, is_exact=receiver.how == EXACT)
        return _of_kind(view, found, is_static=receiver.is_class)

    def _of_object(self, view: View, klass: SourceDefinition, name: str, *, is_exact: bool) -> MemberLookup:
        is_sure = language_of(klass.path) != "python" or self._is_tame(view, klass)
        if is_exact and self.member(view, klass, "__new__").site is not None:
            is_sure = False  # what it makes may be anything
        return self.member(view, klass, name) if is_sure else _DOUBT

    def member(self, view: View, klass: SourceDefinition, name: str, *, has_own: bool = True) -> MemberLookup:
        """Of a class or its base classes."""
        return Lineage(self.base_class, _MAKES_NAMES, in_order=False).member(view, klass, name, has_own=has_own)

    def _reached_inside(self, view: View, klass: SourceDefinition, name: str, *, has_own: bool) -> MemberLookup:
        """By `self`, `super` or the class itself."""
        if name in MAKERS and not has_own:
            return self._made_above(view, klass)
        if any(UNSURE in each.definition.bases for each in self.upwards(view, klass)):
            return _DOUBT  # a decorator or a metaclass may do anything to it
        found = self.member(view, klass, name, has_own=has_own)
        if found.site == DefinitionSite(klass.path, klass.definition.symbol).member(name) and name in klass.facts.bound:
            return _DOUBT  # the class may give the name another meaning further down
        return found if found.site is not None or self._is_tame(view, klass) else _DOUBT

    def _made_above(self, view: View, klass: SourceDefinition) -> MemberLookup:
        """A constructor is known by the class that it fills the objects of: it may have it from further up."""
        above = [self.base_class(view, klass, each) for each in klass.definition.bases if _last(each) not in _BARE]
        if len(above) != 1 or above[0] is None:
            return _DOUBT
        return MemberLookup(DefinitionSite(above[0].path, above[0].definition.symbol))

    def in_class(self, view: View, site: DefinitionSite) -> MemberLookup:
        """What is reached by the name of a class that stands there."""
        owner, _, name = site.symbol.rpartition(".")
        klass = self.class_at(view, DefinitionSite(site.path, owner))
        if klass is None:
            return _DOUBT
        if name == MAKERS[0]:
            return MemberLookup(DefinitionSite(site.path, owner))
        return _of_kind(view, self._reached_inside(view, klass, name, has_own=True), is_static=True)

    def base_class(self, view: View, klass: SourceDefinition, base: str) -> SourceDefinition | None:
        return self.class_named(view, klass.path, klass.facts, base) if _last(base) not in _BARE else _NOBODY

    def upwards(self, view: View, klass: SourceDefinition) -> tuple[SourceDefinition, ...]:
        """A class and all of its base classes that are known."""
        key = ("upwards", klass.path, klass.definition.symbol)
        return view.once(key, lambda: tuple(self._upwards(view, klass)))

    def _upwards(self, view: View, klass: SourceDefinition) -> Iterator[SourceDefinition]:
        pending, seen = [klass], {klass[:2]}
        while pending and len(seen) <= _MOST:
            here = pending.pop()
            yield here
            above = [self.base_class(view, here, base) for base in here.definition.bases]
            new = [each for each in above if each is not None and each.path and each[:2] not in seen]
            seen.update(each[:2] for each in new)
            pending += new

    def _is_tame(self, view: View, klass: SourceDefinition) -> bool:
        """Whether nothing further up has a way of its own with what its subclasses define, as a metaclass may."""
        known = self.upwards(view, klass)
        bases = (
            _last(base) for each in known for base in each.definition.bases if self.base_class(view, each, base) is None
        )
        is_added_to = any(it.symbol == _adding(each) for each in known[1:] for it in each.facts.definitions)
        return not is_added_to and all(base in _TAME for base in bases)


def _of_kind(view: View, found: MemberLookup, *, is_static: bool) -> MemberLookup:
    """In a script what a class has itself and what its objects have are two things, of which only one has the name."""
    if found.site is None or language_of(found.site.path) == "python":
        return found
    facts = view.facts(found.site.path)
    words = (
        {each.word for each in facts.definitions if each.symbol == found.site.symbol} if facts is not None else set()
    )
    return found if is_static == (STATIC in words) else _DOUBT


def _adding(klass: SourceDefinition) -> str:
    return f"{klass.definition.symbol}.__init_subclass__"


def _last(base: str) -> str:
    return base.rpartition(".")[2]
