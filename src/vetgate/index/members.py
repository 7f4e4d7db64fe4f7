"""The method that is meant by a call on something whose class is known, in a language where files define names."""

from __future__ import annotations

import builtins
from typing import TYPE_CHECKING, NamedTuple

from vetgate.index.facts import Definition, Facts
from vetgate.index.lineage import Home, Lineage, Member
from vetgate.index.objects import UNSURE
from vetgate.index.place import MAKERS, NEW, Place
from vetgate.source.language import language_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from vetgate.index.facts import Call
    from vetgate.index.view import View

# How something is meant by its class: it may be an heir, it is none, it calls itself, or what its ancestors have.
HEIR, EXACT, OWN, ABOVE = "heir", "exact", "own", "above"
_HOW = {"self": OWN, "cls": OWN, "this": OWN, "super": ABOVE}
# Ancestors that bring no method which somebody would call.
_BARE = frozenset({"object", "Generic", "ABC"})
_NOBODY = Home("", Definition("object", 0, "class"), Facts())
# Ancestors from elsewhere that leave alone what their heirs define.
_TAME = frozenset(
    {*dir(builtins), "Enum", "IntEnum", "StrEnum", "Flag", "NamedTuple", "BaseModel", "Thread", "TestCase"}
)
_MAKES_NAMES = ("__getattr__", "__getattribute__")
_DEEPEST = 8
_DOUBT = Member(None, sure=False)


class Receiver(NamedTuple):
    """What a method is called on: something of a class, by the name it has in the file."""

    kind: str
    how: str = HEIR


def receiver_of(facts: Facts, call: Call) -> Receiver | None:
    """None where nobody can tell, and for what is no object: a module, or a class by its name."""
    if call.of:
        how = EXACT if call.of.startswith(NEW) else HEIR
        return Receiver(call.of.removeprefix(NEW), how) if call.of != UNSURE else None
    first, _, rest = call.callee.partition(".")
    if not rest or "." in rest:
        return None
    if first in _HOW:
        return Receiver(call.owner, _HOW[first]) if call.owner else None
    return object_of(facts, first)


def object_of(facts: Facts, name: str) -> Receiver | None:
    """What a variable of a file is."""
    kind = next((kind for each, kind in facts.objects if each == name), "")
    return Receiver(kind.removeprefix(NEW), EXACT if kind.startswith(NEW) else HEIR) if kind else None


class Members(NamedTuple):
    """`class_named` is the class that a name means in a file."""

    class_named: Callable[[View, str, Facts, str], Home | None]

    def called(self, view: View, path: str, facts: Facts, wanted: tuple[Receiver, str]) -> Member:
        """The method of a name that is called on something, whose class is known in a file by that name."""
        if facts is not view.facts(path):
            return self._member(view, path, facts, wanted)  # a text that another one stands for here
        key = ("member", path, wanted)
        if key not in view.found:
            view.found[key] = self._member(view, path, facts, wanted)
        found = view.found[key]
        return found if isinstance(found, Member) else _DOUBT

    def home(self, view: View, path: str, facts: Facts, receiver: Receiver) -> Home | None:
        if receiver.how in {OWN, ABOVE}:
            return _class_at(view, Place(path, receiver.kind))
        return self.class_named(view, path, facts, receiver.kind)

    def _member(self, view: View, path: str, facts: Facts, wanted: tuple[Receiver, str]) -> Member:
        receiver, name = wanted
        home = self.home(view, path, facts, receiver)
        if home is None:
            return _DOUBT
        if receiver.how in {OWN, ABOVE}:
            return self._reached_inside(view, home, name, has_own=receiver.how == OWN)
        lineage = self._lineage
        is_sure = language_of(home.path) != "python" or self._is_tame(view, home)
        if receiver.how == EXACT and lineage.member(view, home, "__new__").place is not None:
            is_sure = False  # what it makes may be anything
        return lineage.member(view, home, name) if is_sure else _DOUBT

    def member(self, view: View, home: Home, name: str) -> Member:
        """Of a class or its ancestors."""
        return self._lineage.member(view, home, name)

    @property
    def _lineage(self) -> Lineage:
        return Lineage(self.ancestor, _MAKES_NAMES, in_order=False)

    def _reached_inside(self, view: View, home: Home, name: str, *, has_own: bool) -> Member:
        """By `self`, `super` or the class itself."""
        if name in MAKERS and not has_own:
            return self._made_above(view, home)
        found = self._lineage.member(view, home, name, has_own=has_own)
        if found.place == Place(home.path, f"{home.definition.symbol}.{name}") and name in home.facts.bound:
            return _DOUBT  # the class may give the name another meaning further down
        return found if found.place is not None or self._is_tame(view, home) else _DOUBT

    def _made_above(self, view: View, home: Home) -> Member:
        """A constructor is known by the class that it fills the objects of: it may have it from further up."""
        above = [self.ancestor(view, home, each) for each in home.definition.bases if _last(each) not in _BARE]
        if len(above) != 1 or above[0] is None:
            return _DOUBT
        return Member(Place(above[0].path, above[0].definition.symbol))

    def in_class(self, view: View, place: Place) -> Member:
        """What is reached by the name of a class that stands there."""
        owner, _, name = place.symbol.rpartition(".")
        home = _class_at(view, Place(place.path, owner))
        if home is None:
            return _DOUBT
        if name == MAKERS[0]:
            return Member(Place(place.path, owner))
        return self._reached_inside(view, home, name, has_own=True)

    def ancestor(self, view: View, home: Home, base: str) -> Home | None:
        return self.class_named(view, home.path, home.facts, base) if _last(base) not in _BARE else _NOBODY

    def _is_tame(self, view: View, home: Home, depth: int = 0) -> bool:
        """Whether nothing further up has a way of its own with what its heirs define, as a metaclass may."""
        if depth > _DEEPEST:
            return False
        for base in home.definition.bases:
            above = self.class_named(view, home.path, home.facts, base) if _last(base) not in _BARE else _NOBODY
            if not (self._is_tame(view, above, depth + 1) if above is not None else _last(base) in _TAME):
                return False
            if above is not None and any(each.symbol == _adding(above) for each in above.facts.definitions):
                return False
        return True


def _class_at(view: View, place: Place) -> Home | None:
    """The one class of this name, in a file that could be read to its end."""
    facts = view.facts(place.path)
    if facts is None or facts.unsure:
        return None
    found = [each for each in facts.definitions if each.symbol == place.symbol]
    return Home(place.path, found[0], facts) if len(found) == 1 and found[0].kind == "class" else None


def _adding(home: Home) -> str:
    return f"{home.definition.symbol}.__init_subclass__"


def _last(base: str) -> str:
    return base.rpartition(".")[2]
