"""Which member a class has, its own or an inherited one, and which subclasses there are of it."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from vetgate.index.facts import DefinitionSite, last_name

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator

    from vetgate.index.facts import Definition, Facts
    from vetgate.index.view import View

    BaseClass = Callable[[View, "SourceDefinition", str], "SourceDefinition | None"]

_DEEPEST, _FURTHEST = 8, 40


class SourceDefinition(NamedTuple):
    """A definition, most often of a class, with the file it stands in."""

    path: str
    definition: Definition
    facts: Facts


class MemberLookup(NamedTuple):
    """Without a site it is not there, or nobody can tell; `sure` says which."""

    site: DefinitionSite | None
    sure: bool = True


_DOUBT = MemberLookup(None, sure=False)


class Lineage(NamedTuple):
    """How base classes are found in a language, and which members make others out of nothing.

    Where they are asked `in_order`, the first that has a member is the one; otherwise it has to be the only one.
    """

    base_class: BaseClass
    makers: Collection[str] = ()
    in_order: bool = True

    def member(
        self, view: View, klass: SourceDefinition, name: str, depth: int = 0, *, has_own: bool = True
    ) -> MemberLookup:
        if self.in_order:
            return self._member(view, klass, name, depth, has_own=has_own)
        # Where a class may have many base classes, each of them is asked once, and one that is its own says nothing.
        key = ("lineage", klass.path, klass.definition.symbol, name, has_own)
        if key not in view.found:
            view.found[key] = _DOUBT
            view.found[key] = self._member(view, klass, name, depth, has_own=has_own)
        known = view.found[key]
        return known if isinstance(known, MemberLookup) else _DOUBT

    def _member(self, view: View, klass: SourceDefinition, name: str, depth: int, *, has_own: bool) -> MemberLookup:
        symbol, known = klass.definition.symbol, _symbols(view, klass)
        own = known[f"{symbol}.{name}"] if has_own else 0
        if own:
            return MemberLookup(DefinitionSite(klass.path, f"{symbol}.{name}")) if own == 1 else _DOUBT
        if depth > (_DEEPEST if self.in_order else _FURTHEST) or any(
            f"{symbol}.{maker}" in known for maker in self.makers
        ):
            return _DOUBT
        return self._inherited(view, klass, name, depth)

    def _inherited(self, view: View, klass: SourceDefinition, name: str, depth: int) -> MemberLookup:
        known = MemberLookup(None)
        for base in klass.definition.bases:
            found = self._of(view, klass, base, name, depth)
            if known != MemberLookup(None) and found not in {known, MemberLookup(None)}:
                return _DOUBT
            known = found if found != MemberLookup(None) else known
            if self.in_order and known != MemberLookup(None):
                break
        return known

    def _of(self, view: View, klass: SourceDefinition, base: str, name: str, depth: int) -> MemberLookup:
        further = self.base_class(view, klass, base)
        return self.member(view, further, name, depth + 1) if further is not None else _DOUBT


def _symbols(view: View, klass: SourceDefinition) -> Counter[str]:
    """How often each name is defined in the file; asked once for all members."""
    return view.once(("symbols", klass.path), lambda: Counter(each.symbol for each in klass.facts.definitions))


_GENERATIONS = 8
_NAMELESS = frozenset({"*", "default"})


def with_subclasses(view: View, owner: str) -> frozenset[str]:
    return frozenset({owner.rpartition(".")[2], *(each.definition.name for each in subclasses(view, owner))})


def subclasses(view: View, owner: str) -> list[SourceDefinition]:
    """Classes that may be subclasses of one of this name, or of what it is passed on as."""
    name = owner.rpartition(".")[2]
    return view.once(("subclasses", name), lambda: list(_all_subclasses(view, name)))


def _all_subclasses(view: View, name: str) -> Iterator[SourceDefinition]:
    names = pending = {name}
    seen: set[tuple[str, str]] = set()
    for _ in range(_GENERATIONS):
        found = list(view.holding([f"c{each}" for each in sorted(pending)])) if pending else []
        aliases = {alias for _, facts in found for alias in _aliases(facts, names)}
        new = [each for path, facts in found for each in _direct_subclasses(path, facts, names | aliases)]
        yield from (each for each in new if (each.path, each.definition.symbol) not in seen)
        seen.update((each.path, each.definition.symbol) for each in new)
        pending = ({each.definition.name for each in new} | aliases) - names
        names = names | pending


def _aliases(facts: Facts, names: set[str]) -> Iterator[str]:
    yield from (each.local for each in facts.imports if each.name in names)
    yield from (each.name for each in facts.exports if each.local in names and each.name not in _NAMELESS)


def _direct_subclasses(path: str, facts: Facts, names: set[str]) -> Iterator[SourceDefinition]:
    for each in facts.definitions:
        if any(last_name(base) in names for base in each.bases):
            yield SourceDefinition(path, each, facts)


def overriding_methods(view: View, site: DefinitionSite) -> list[Definition]:
    """What the subclasses of a class have of a method's name themselves."""
    owner, _, name = site.symbol.rpartition(".")
    classes = [(path, each) for path, facts in view.holding([f"d{name}", f"q{name}"]) for each in facts.definitions]
    others = [each for path, each in classes if each.name == name and (path, each.symbol) != site]
    names = with_subclasses(view, owner) if others else frozenset()
    return [each for each in others if each.symbol.rpartition(".")[0].rpartition(".")[2] in names]
