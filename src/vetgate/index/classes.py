"""Languages in which functions belong to classes and classes to packages: which of them a name means.

None stands for what nobody can tell, and an empty list for what is not there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from vetgate.index.lineage import Home
from vetgate.source.language import language_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from vetgate.index.facts import Definition, Facts
    from vetgate.index.view import View

    Members = list[tuple[str, Definition]] | None

CLASS = "class"
# What a class is made of that stands in several places.
PARTIAL = "partial"
_DEEPEST = 8


class Here(NamedTuple):
    """Where a name is said: the file, and the class around."""

    path: str
    facts: Facts
    owner: str = ""


class Manners(NamedTuple):
    """What a language has of its own.

    `spelled` gives the full names that a name may stand for, step by step; `given` are classes of the language itself
    with their members, and `everywhere` is what every class has; `may_make` says of a class whether it may have more
    members of a name than are written.
    """

    spelled: Callable[[Here, str], Iterator[tuple[str, ...]]]
    given: Mapping[str, frozenset[str]]
    everywhere: frozenset[str]
    may_make: Callable[[Home, str], bool]


class Classes(NamedTuple):
    """Looks up classes and their members, as the manners of a language have it."""

    manners: Manners

    def found(self, view: View, here: Here, full: str) -> list[Home]:
        """All classes of the project that are called this in full."""
        last, language = full.rpartition(".")[2], language_of(here.path)
        key = f"{language} {last}"
        if key not in view.homes:
            view.homes[key] = [
                Home(path, each, facts)
                for path, facts in view.holding([f"q{last.partition('`')[0]}"])
                if language_of(path) == language
                for each in facts.definitions
                if each.kind == CLASS and f"{each.name}{each.word}" == last
            ]
        return [home for home in view.homes[key] if full_name(home) == full]

    def named(self, view: View, here: Here, name: str, depth: int = 0) -> list[Home]:
        """The classes that a name may mean; none, where it is no class of the project."""
        if depth > _DEEPEST or not name or name.startswith("?") or name.partition(".")[0] in here.facts.rebound:
            return []
        if here.facts is not view.facts(here.path):
            return self._named(view, here, name, depth)  # a text that another one stands for here
        key = f"{here.path} {here.owner} {name}"
        if key not in view.homes:
            view.homes[key] = []  # for who asks in a circle
            view.homes[key] = self._named(view, here, name, depth)
        return view.homes[key]

    def _named(self, view: View, here: Here, name: str, depth: int) -> list[Home]:
        for around in surrounding(here):
            inner = self._inner(view, around, name, depth)
            if inner:
                return inner
        for spelled in self.manners.spelled(here, name):
            homes = [home for full in dict.fromkeys(spelled) for home in self.found(view, here, full)]
            if homes:
                return homes[:1] if all(home.definition.made == PARTIAL for home in homes) else homes
        return []

    def _parts(self, view: View, home: Home) -> list[Home]:
        """All that a class is made of; nothing where one part has no other: that may be written as it is built."""
        if home.definition.made != PARTIAL:
            return [home]
        parts = self.found(view, Here(home.path, home.facts), full_name(home))
        return parts if len({part.path for part in parts}) > 1 else []

    def _inner(self, view: View, around: Home, name: str, depth: int) -> list[Home]:
        """Classes inside of a class, or of an ancestor that is known."""
        plain = f"{full_name(around).partition('`')[0]}.{name}"
        inner = self.found(view, Here(around.path, around.facts), plain)
        for base in around.definition.bases if depth <= _DEEPEST else ():
            for above in self._above(view, around, base, depth + 1) if not inner else ():
                inner = inner or self._inner(view, above, name, depth + 1)
        return inner

    def _above(self, view: View, home: Home, base: str, depth: int) -> list[Home]:
        outer = home.definition.symbol.rpartition(".")[0]
        return self.named(view, Here(home.path, home.facts, outer), base, depth)

    def members(self, view: View, home: Home, name: str, depth: int = 0) -> Members:
        """Its own of this name and those of all its ancestors."""
        parts = self._parts(view, home)
        if not parts or depth > _DEEPEST or self.manners.may_make(home, name):
            return None
        own = [(part.path, each) for part in parts for each in _defined(view, part, name)]
        if any(part.facts.unsure for part in parts) or len({path for path, _ in own}) > 1:
            return None
        if name == home.definition.name:
            return own or (None if home.definition.made == PARTIAL else own)
        inherited = self.inherited(view, home, name, depth) if name not in self.manners.everywhere else None
        return [*own, *inherited] if inherited is not None else None

    def inherited(self, view: View, home: Home, name: str, depth: int = 0) -> Members:
        found = []
        inheriting = [(part, base) for part in self._parts(view, home) for base in part.definition.bases]
        for heir, base in inheriting:
            above = self._above(view, heir, base, depth + 1)
            plain = base.rpartition(".")[2].partition("`")[0]
            if not above and name not in self.manners.given.get(plain, {name}):
                continue
            further = self.members(view, above[0], name, depth + 1) if len(above) == 1 else None
            if further is None:
                return None
            found += further
        return found

    def bare(self, view: View, here: Here, name: str) -> Members:
        """What a name without a receiver means in a class, or in one around it."""
        around = list(surrounding(here))
        if here.owner and (not around or around[0].definition.symbol != here.owner):
            return None  # a class in a function, or one without a name
        for home in around:
            found = self.members(view, home, name)
            if found is None or found:
                return found
        return []


def _defined(view: View, home: Home, name: str) -> list[Definition]:
    """The members of a class by their name."""
    symbol = f"{home.definition.symbol}.{name}"
    if home.facts is not view.facts(home.path):
        return [each for each in home.facts.definitions if each.symbol == symbol and each.kind != CLASS]
    if home.path not in view.symbols:
        by_symbol: dict[str, list[Definition]] = {}
        for each in home.facts.definitions:
            if each.kind != CLASS:
                by_symbol.setdefault(each.symbol, []).append(each)
        view.symbols[home.path] = by_symbol
    return view.symbols[home.path].get(symbol, [])


def full_name(home: Home) -> str:
    return joined(home.facts.space, f"{home.definition.symbol}{home.definition.word}")


def joined(*parts: str) -> str:
    return ".".join(filter(None, parts))


def surrounding(here: Here) -> Iterator[Home]:
    """The classes around a place, the innermost first."""
    owner = here.owner
    while owner:
        found = [each for each in here.facts.definitions if each.symbol == owner and each.kind == CLASS]
        if len(found) == 1:
            yield Home(here.path, found[0], here.facts)
        owner = owner.rpartition(".")[0]
