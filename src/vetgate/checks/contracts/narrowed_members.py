"""Members of classes in TypeScript that are for fewer than they were, and who still uses them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vetgate.checks.contracts.broken import EXPORT, Broken, unique
from vetgate.index.constructor import ancestors
from vetgate.index.place import MAKERS, NEW, Place
from vetgate.index.reach import PRIVATE, PROTECTED
from vetgate.index.users import sites
from vetgate.source.language import language_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vetgate.checks.contracts.broken import Sides
    from vetgate.index.facts import Definition
    from vetgate.index.users import Site
    from vetgate.index.view import View

_TOLD = {PRIVATE: "is private now", PROTECTED: "is protected now"}
# In other languages nobody holds to it.
_HELD = frozenset({"typescript", "tsx"})
# Whoever writes so knows better than the compiler.
_UNHELD = "@ts-"
_DEEPEST = 8


def narrowed_members(sides: Sides) -> Iterator[Broken]:
    if sides.before.unsure or sides.after.unsure:
        return
    was, now = unique(sides.before), unique(sides.after)
    for symbol, each in now.items():
        is_other = each.reach in _TOLD and symbol in was and was[symbol].reach != each.reach
        found = (
            tuple(site for site in _uses(sides, each) if _is_shut_out(sides, was[symbol], each, site))
            if is_other
            else ()
        )
        if found:
            yield Broken(EXPORT, symbol, each.line, _TOLD[each.reach], found)


def _uses(sides: Sides, member: Definition) -> Iterator[Site]:
    owner = member.symbol.rpartition(".")[0]
    is_maker = member.name in MAKERS
    place = Place(sides.file.path, owner if is_maker else member.symbol)
    for site in sites(sides.view, place, place.symbol.rpartition(".")[2]):
        if site.call is not None and site.call.callee.startswith(NEW) == is_maker:
            yield site


def _is_shut_out(sides: Sides, was: Definition, now: Definition, site: Site) -> bool:
    home = Place(sides.file.path, now.symbol.rpartition(".")[0])
    if language_of(site.path) not in _HELD or _is_unheld(sides.view, site) or site.call is None:
        return False
    user = Place(site.path, site.call.owner)
    return _sees(sides.view, was.reach, home, user) and not _sees(sides.view, now.reach, home, user)


def _sees(view: View, reach: str, home: Place, user: Place) -> bool:
    if not reach or (user.path == home.path and f"{user.symbol}.".startswith(f"{home.symbol}.")):
        return True
    return reach == PROTECTED and bool(user.symbol) and _is_heir(view, user, home)


def _is_heir(view: View, user: Place, home: Place, depth: int = 0) -> bool:
    """So it is, where one of its ancestors is not known."""
    facts = view.facts(user.path)
    found = unique(facts).get(user.symbol) if facts is not None else None
    above = ancestors(view, user.path, found) if found is not None and depth <= _DEEPEST else None
    if above is None:
        return True
    places = [Place(*each) for each in above]
    return home in places or any(_is_heir(view, each, home, depth + 1) for each in places)


def _is_unheld(view: View, site: Site) -> bool:
    lines = view.text(site.path).split("\n")
    return _UNHELD in "\n".join(lines[max(0, site.line - 2) : site.line]) or f"{_UNHELD}nocheck" in "\n".join(
        lines[:20]
    )
