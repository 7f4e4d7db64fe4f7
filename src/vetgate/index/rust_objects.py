"""The type of what a method of Rust is called on, by what is written of a variable, a field or a function."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vetgate.index.crates import RustModule
from vetgate.index.facts import DefinitionSite
from vetgate.index.reading import CLASS, FUNCTION
from vetgate.index.rust import PARAMETER
from vetgate.index.rust_paths import resolved
from vetgate.index.rust_types import GIVES, OF, OWN

if TYPE_CHECKING:
    from vetgate.index.facts import Definition, Facts
    from vetgate.index.view import View


def type_of(view: View, here: RustModule, own: str, of: str) -> DefinitionSite | None:
    """What `of` says in a module, where `Self` is `own`."""
    member, _, named = of.rpartition(OF)
    klass = _named(view, here, own, named)
    facts = view.facts(klass.path) if klass is not None and member else None
    if klass is None or facts is None:
        return klass
    if member.endswith(GIVES):
        return klass if _gives_itself(facts, f"{klass.symbol}.{member.removesuffix(GIVES)}") else None
    modules = klass.symbol.split(".")
    return _named(view, RustModule(klass.path, tuple(modules[:-1])), modules[-1], _field(facts, klass.symbol, member))


def _named(view: View, here: RustModule, own: str, name: str) -> DefinitionSite | None:
    parts = [own] if name == OWN else name.split(".")
    facts = view.facts(here.path)
    if not parts[0] or facts is None or f"{PARAMETER}{parts[0]}" in facts.bound:
        return None
    site = resolved(view, here, parts).target
    there = view.facts(site.path) if isinstance(site, DefinitionSite) else None
    if not isinstance(site, DefinitionSite) or there is None or _only(there, site.symbol) is None:
        return None
    return site


def _only(facts: Facts, symbol: str) -> Definition | None:
    """A type is a class, or a function where it is a tuple."""
    found = [each for each in facts.definitions if each.symbol == symbol]
    return found[0] if len(found) == 1 and found[0].kind in {CLASS, FUNCTION} else None


def _gives_itself(facts: Facts, symbol: str) -> bool:
    found = _only(facts, symbol)
    if found is None or found.is_async:
        return False
    own = symbol.split(".")[-2]
    return found.returns in {OWN, own} or found.returns.startswith(f"{own}<")


def _field(facts: Facts, symbol: str, name: str) -> str:
    holder = _only(facts, symbol)
    kinds = [each.partition("=")[2] for each in (holder.word if holder else "").split() if each.startswith(f"{name}=")]
    return kinds[0] if len(kinds) == 1 else ""
