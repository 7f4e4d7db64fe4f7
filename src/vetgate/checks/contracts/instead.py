"""Methods that an heir has in the place of the one that a call seems to mean."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vetgate.checks.contracts.fields import has_field
from vetgate.checks.contracts.patched import has_hidden_heir, is_given_any
from vetgate.checks.contracts.signature import is_taken
from vetgate.index.facts import Definition
from vetgate.index.heirs import heirs
from vetgate.index.lineage import Home, Member
from vetgate.index.members import ABOVE, EXACT, OWN
from vetgate.index.place import Place
from vetgate.index.resolve import MEMBERS, SCRIPTS, definition_of
from vetgate.source.language import language_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vetgate.index.facts import Call
    from vetgate.index.members import Receiver
    from vetgate.index.view import View

_ANSWERING = frozenset({"__getattr__", "__getattribute__"})
# So many files are read for heirs that no definition tells of.
_MOST_FILES = 300


def is_taken_by_heirs(view: View, path: str, call: Call, meant: tuple[Receiver, Place]) -> bool:
    """Of what is called on a receiver and stands at a place."""
    receiver, place = meant
    if receiver.how == EXACT or (receiver.how == ABOVE and language_of(path) in SCRIPTS):
        return False
    if not view.sees_all:
        return True
    if receiver.how != ABOVE and (is_taken(call, _of_heirs(view, place)) or _is_filled_by_heirs(view, place)):
        return True
    is_own = receiver.how in {OWN, ABOVE}
    user = Place(path, receiver.kind) if is_own else Place(place.path, place.symbol.rpartition(".")[0])
    return is_taken(call, _of_others(view, user, place))


def _is_filled_by_heirs(view: View, place: Place) -> bool:
    """Whether an heir fills the name in another way than by a method of its own that is known."""
    return view.once(("filled by heirs", place), lambda: _is_filled(view, place))


def _is_filled(view: View, place: Place) -> bool:
    owner, _, name = place.symbol.rpartition(".")
    known = heirs(view, owner)
    texts = [view.text(path) for path in {each.path for each in known} - {place.path}]
    every = {each[:2]: each for heir in known for each in MEMBERS.upwards(view, heir)}
    if any(has_field(view, each, name) for each in every.values()):
        return True
    # Only what is not there is answered for by others.
    if definition_of(view, place) is None and (any(map(_answers, known)) or any(map(is_given_any, texts))):
        return True
    names = {owner.rpartition(".")[2], *(each.definition.name for each in known)}
    telling = [path for path, _ in view.holding([f"c{each}" for each in sorted(names)], most=_MOST_FILES)]
    return any(has_hidden_heir(view.text(path), frozenset(names), name) for path in {*telling, place.path})


def _answers(heir: Home) -> bool:
    """Whether a class has something to say to any name."""
    own = {f"{heir.definition.symbol}.{name}" for name in _ANSWERING}
    return any(each.symbol in own for each in heir.facts.definitions)


def _of_others(view: View, user: Place, place: Place) -> list[Definition]:
    """Methods of this name that an heir of the class that calls it may have from a further ancestor."""
    return view.once(("others", user, place), lambda: list(_found_with_others(view, user, place)))


def _found_with_others(view: View, user: Place, place: Place) -> Iterator[Definition]:
    for heir in heirs(view, user.symbol):
        above = [MEMBERS.ancestor(view, heir, base) for base in heir.definition.bases]
        for each in above if len(above) > 1 else ():
            if each is None or not _may_inherit(view, each, user, unknown=False):
                yield from _of_another(view, each, place)


def _of_another(view: View, home: Home | None, place: Place) -> Iterator[Definition]:
    name = place.symbol.rpartition(".")[2]
    found = MEMBERS.member(view, home, name) if home is not None else Member(None, sure=False)
    known = definition_of(view, found.place) if found.place is not None and found.place != place else None
    if known is not None:
        yield known[1]
    elif found not in {Member(None), Member(place)}:
        yield Definition(name, 0, "method", None)


def _of_heirs(view: View, place: Place) -> list[Definition]:
    """Methods of this name in classes that may inherit from the one that has it."""
    return view.once(("of heirs", place), lambda: list(_found_in_heirs(view, place)))


def _found_in_heirs(view: View, place: Place) -> Iterator[Definition]:
    owner, _, name = place.symbol.rpartition(".")
    for path, facts in view.holding([f"d{name}"]):
        holders = {each.symbol: each for each in facts.definitions if each.kind == "class"}
        for each in facts.definitions:
            around = each.symbol.rpartition(".")[0]
            if each.name != name or Place(path, each.symbol) == place or not around:
                continue
            holder = holders.get(around)
            if holder is None or _may_inherit(view, Home(path, holder, facts), Place(place.path, owner)):
                yield each


def _may_inherit(view: View, home: Home, place: Place, *, unknown: bool = True) -> bool:
    """`unknown` is what is said of an ancestor that nobody knows."""
    known = MEMBERS.upwards(view, home)
    if any(Place(each.path, each.definition.symbol) == place for each in known):
        return True
    return unknown and any(
        MEMBERS.ancestor(view, each, base) is None for each in known for base in each.definition.bases
    )
