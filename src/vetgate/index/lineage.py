"""A member of a class: its own, or that of an ancestor."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from vetgate.index.place import Place

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from vetgate.index.facts import Definition, Facts
    from vetgate.index.view import View

    Ancestor = Callable[[View, "Home", str], "Home | None"]

_DEEPEST, _FURTHEST = 8, 40


class Home(NamedTuple):
    """A class and the file it stands in."""

    path: str
    definition: Definition
    facts: Facts


class Member(NamedTuple):
    """Without a place it is not there, or nobody can tell; `sure` says which."""

    place: Place | None
    sure: bool = True


_DOUBT = Member(None, sure=False)


class Lineage(NamedTuple):
    """How ancestors are found in a language, and which members make others out of nothing.

    Where they are asked `in_order`, the first that has a member is the one; otherwise it has to be the only one.
    """

    ancestor: Ancestor
    makers: Collection[str] = ()
    in_order: bool = True

    def member(self, view: View, home: Home, name: str, depth: int = 0, *, has_own: bool = True) -> Member:
        if self.in_order:
            return self._member(view, home, name, depth, has_own=has_own)
        # Where a class may have many ancestors, each of them is asked once, and one that is its own says nothing.
        key = ("lineage", home.path, home.definition.symbol, name, has_own)
        if key not in view.found:
            view.found[key] = _DOUBT
            view.found[key] = self._member(view, home, name, depth, has_own=has_own)
        known = view.found[key]
        return known if isinstance(known, Member) else _DOUBT

    def _member(self, view: View, home: Home, name: str, depth: int, *, has_own: bool) -> Member:
        symbol, known = home.definition.symbol, _symbols(view, home)
        own = known[f"{symbol}.{name}"] if has_own else 0
        if own:
            return Member(Place(home.path, f"{symbol}.{name}")) if own == 1 else _DOUBT
        if depth > (_DEEPEST if self.in_order else _FURTHEST) or any(
            f"{symbol}.{maker}" in known for maker in self.makers
        ):
            return _DOUBT
        return self._inherited(view, home, name, depth)

    def _inherited(self, view: View, home: Home, name: str, depth: int) -> Member:
        known = Member(None)
        for base in home.definition.bases:
            found = self._of(view, home, base, name, depth)
            if known != Member(None) and found not in {known, Member(None)}:
                return _DOUBT
            known = found if found != Member(None) else known
            if self.in_order and known != Member(None):
                break
        return known

    def _of(self, view: View, home: Home, base: str, name: str, depth: int) -> Member:
        further = self.ancestor(view, home, base)
        return self.member(view, further, name, depth + 1) if further is not None else _DOUBT


def _symbols(view: View, home: Home) -> Counter[str]:
    """How often each name is defined in the file; asked once for all members."""
    return view.once(("symbols", home.path), lambda: Counter(each.symbol for each in home.facts.definitions))
