"""Methods that an heir has in the place of the one that a call seems to mean."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vetgate.checks.contracts.patched import is_filled_in
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

_DEEPEST = 8


def is_taken_by_heirs(view: View, path: str, call: Call, meant: tuple[Receiver, Place]) -> bool:
    """Of what is called on a receiver and stands at a place."""
    receiver, place = meant
    if receiver.how == EXACT:
        return False
    if receiver.how == ABOVE and language_of(path) in SCRIPTS:
        return False
    if not view.sees_all or (receiver.how != ABOVE and _is_anew(view, call, place)):
        return True
    return receiver.how in {OWN, ABOVE} and is_taken(call, _of_others(view, Place(path, receiver.kind), place))


def _is_anew(view: View, call: Call, place: Place) -> bool:
    """Whether an heir has a method of its own that takes the call, or fills the name in another way."""
    owner, _, name = place.symbol.rpartition(".")
    others = {each.path for each in heirs(view, owner)} - {place.path}
    return is_taken(call, _of_heirs(view, place)) or any(is_filled_in(view.text(path), name) for path in others)


def _of_others(view: View, user: Place, place: Place) -> Iterator[Definition]:
    """Methods of this name that an heir of the class that calls it may have from a further ancestor."""
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


def _of_heirs(view: View, place: Place) -> Iterator[Definition]:
    """Methods of this name in classes that may inherit from the one that has it."""
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


def _may_inherit(view: View, home: Home, place: Place, depth: int = 0, *, unknown: bool = True) -> bool:
    """`unknown` is what is said of an ancestor that nobody knows."""
    if Place(home.path, home.definition.symbol) == place or depth > _DEEPEST:
        return True
    above = [MEMBERS.ancestor(view, home, base) for base in home.definition.bases]
    return any(
        unknown if each is None else _may_inherit(view, each, place, depth + 1, unknown=unknown) for each in above
    )
