"""Methods of subclasses that override the one a call seems to mean."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vetgate.checks.contracts.fields import has_field
from vetgate.checks.contracts.runtime_patches import has_hidden_subclass, is_given_any
from vetgate.checks.contracts.signature import is_taken
from vetgate.index.facts import Definition, DefinitionSite
from vetgate.index.inheritance import MemberLookup, SourceDefinition, subclasses
from vetgate.index.members import ABOVE, EXACT, OWN
from vetgate.index.resolve import MEMBERS, SCRIPTS, definition_of
from vetgate.source.language import language_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vetgate.index.facts import CallSite
    from vetgate.index.members import Receiver
    from vetgate.index.view import View

_ANSWERING = frozenset({"__getattr__", "__getattribute__"})
# So many files are read for subclasses that no definition tells of.
_MOST_FILES = 300


def is_overridden(view: View, path: str, call: CallSite, meant: tuple[Receiver, DefinitionSite]) -> bool:
    """Of what is called on a receiver and stands at a place."""
    receiver, site = meant
    if receiver.how == EXACT or (receiver.how == ABOVE and language_of(path) in SCRIPTS):
        return False
    if not view.sees_all:
        return True
    if receiver.how != ABOVE and (is_taken(call, _of_subclasses(view, site)) or _is_filled_by_subclasses(view, site)):
        return True
    is_own = receiver.how in {OWN, ABOVE}
    user = DefinitionSite(path, receiver.kind) if is_own else DefinitionSite(site.path, site.symbol.rpartition(".")[0])
    return is_taken(call, _of_others(view, user, site))


def _is_filled_by_subclasses(view: View, site: DefinitionSite) -> bool:
    """Whether a subclass fills the name in another way than by a method of its own that is known."""
    return view.once(("filled by subclasses", site), lambda: _is_filled(view, site))


def _is_filled(view: View, site: DefinitionSite) -> bool:
    owner, _, name = site.symbol.rpartition(".")
    known = subclasses(view, owner)
    texts = [view.text(path) for path in {each.path for each in known} - {site.path}]
    every = {each[:2]: each for subclass in known for each in MEMBERS.upwards(view, subclass)}
    if any(has_field(view, each, name) for each in every.values()):
        return True
    # Only what is not there is answered for by others.
    if definition_of(view, site) is None and (any(map(_answers, known)) or any(map(is_given_any, texts))):
        return True
    names = {owner.rpartition(".")[2], *(each.definition.name for each in known)}
    telling = [path for path, _ in view.holding([f"c{each}" for each in sorted(names)], most=_MOST_FILES)]
    return any(has_hidden_subclass(view.text(path), frozenset(names), name) for path in {*telling, site.path})


def _answers(subclass: SourceDefinition) -> bool:
    """Whether a class has something to say to any name."""
    own = {f"{subclass.definition.symbol}.{name}" for name in _ANSWERING}
    return any(each.symbol in own for each in subclass.facts.definitions)


def _of_others(view: View, user: DefinitionSite, site: DefinitionSite) -> list[Definition]:
    """Methods of this name that a subclass of the class that calls it may have from a further base class."""
    return view.once(("others", user, site), lambda: list(_found_with_others(view, user, site)))


def _found_with_others(view: View, user: DefinitionSite, site: DefinitionSite) -> Iterator[Definition]:
    for subclass in subclasses(view, user.symbol):
        above = [MEMBERS.base_class(view, subclass, base) for base in subclass.definition.bases]
        for each in above if len(above) > 1 else ():
            if each is None or not _may_inherit(view, each, user, unknown=False):
                yield from _of_another(view, each, site)


def _of_another(view: View, klass: SourceDefinition | None, site: DefinitionSite) -> Iterator[Definition]:
    name = site.symbol.rpartition(".")[2]
    found = MEMBERS.member(view, klass, name) if klass is not None else MemberLookup(None, sure=False)
    known = definition_of(view, found.site) if found.site is not None and found.site != site else None
    if known is not None:
        yield known[1]
    elif found not in {MemberLookup(None), MemberLookup(site)}:
        yield Definition(name, 0, "method", None)


def _of_subclasses(view: View, site: DefinitionSite) -> list[Definition]:
    """Methods of this name in classes that may inherit from the one that has it."""
    return view.once(("of subclasses", site), lambda: list(_found_in_subclasses(view, site)))


def _found_in_subclasses(view: View, site: DefinitionSite) -> Iterator[Definition]:
    owner, _, name = site.symbol.rpartition(".")
    for path, facts in view.holding([f"d{name}"]):
        holders = {each.symbol: each for each in facts.definitions if each.kind == "class"}
        for each in facts.definitions:
            around = each.symbol.rpartition(".")[0]
            if each.name != name or DefinitionSite(path, each.symbol) == site or not around:
                continue
            holder = holders.get(around)
            if holder is None or _may_inherit(
                view, SourceDefinition(path, holder, facts), DefinitionSite(site.path, owner)
            ):
                yield each


def _may_inherit(view: View, klass: SourceDefinition, site: DefinitionSite, *, unknown: bool = True) -> bool:
    """`unknown` is what is said of a base class that nobody knows."""
    known = MEMBERS.upwards(view, klass)
    if any(DefinitionSite(each.path, each.definition.symbol) == site for each in known):
        return True
    return unknown and any(
        MEMBERS.base_class(view, each, base) is None for each in known for base in each.definition.bases
    )
