"""A member of a class: its own, or that of an ancestor."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from vetgate.index.place import Place

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from vetgate.index.facts import Definition, Facts
    from vetgate.index.view import View

    Ancestor = Callable[[View, "Home", str], "Home | None"]

_DEEPEST = 8


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
    """How ancestors are found in a language, and which members make others out of nothing."""

    ancestor: Ancestor
    makers: Collection[str] = ()

    def member(self, view: View, home: Home, name: str, depth: int = 0) -> Member:
        symbol = home.definition.symbol
        own = [each for each in home.facts.definitions if each.symbol == f"{symbol}.{name}"]
        if own:
            return Member(Place(home.path, own[0].symbol)) if len(own) == 1 else _DOUBT
        if depth > _DEEPEST or any(
            each.symbol == f"{symbol}.{it}" for each in home.facts.definitions for it in self.makers
        ):
            return _DOUBT
        for base in home.definition.bases:
            further = self.ancestor(view, home, base)
            found = self.member(view, further, name, depth + 1) if further is not None else _DOUBT
            if found.place is not None or not found.sure:
                return found
        return Member(None)
