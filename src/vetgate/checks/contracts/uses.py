"""Who uses, in the project as it would be, what a file of a language with namespaces had."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vetgate.index.facts import CallSite, DefinitionSite
from vetgate.index.namespace_references import names_of, namespace_references, references_in_file

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vetgate.checks.contracts.broken import Sides
    from vetgate.index.facts import Facts, Import
    from vetgate.index.language_resolver import LanguageResolver, Through

    Use = tuple[str, Facts, CallSite | Import]

_OWN = ("self.", "this.", "static.", "class.")


def uses_of(sides: Sides, own: LanguageResolver, symbol: str) -> Iterator[Use]:
    """By what names meant while it stood there, those of its own file first."""
    site = DefinitionSite(sides.old_path, symbol)
    here = (sides.file.path, sides.after, names_of(sides.earlier, site))
    for by in references_in_file(sides.earlier, site, own, here):
        yield sides.file.path, sides.after, by
    for path, by in namespace_references(sides.earlier, site, own):
        facts = sides.view.facts(path) if path not in {site.path, sides.file.path} else None
        if facts is not None:
            yield path, facts, by


def followers_of(sides: Sides, own: LanguageResolver, symbol: str) -> Iterator[Use]:
    """By what names mean now, of something that stands elsewhere than before."""
    for path, by in namespace_references(sides.view, DefinitionSite(sides.file.path, symbol), own):
        facts = sides.view.facts(path)
        if facts is not None:
            yield path, facts, by


def passing(sides: Sides, through: Through, symbol: str) -> Iterator[Use]:
    """Who came through it from other files."""
    for path, by in through(sides.earlier, DefinitionSite(sides.old_path, symbol)):
        facts = sides.view.facts(path) if path not in {sides.old_path, sides.file.path} else None
        if facts is not None:
            yield path, facts, by


def defined(sides: Sides, name: str) -> int:
    """How often the project would have something of this name, in whichever class."""
    found = (it for _, facts in sides.view.holding([f"d{name}", f"q{name}"]) for it in facts.definitions)
    return sum(it.name == name for it in found)


def is_own(by: CallSite | Import) -> bool:
    """What it calls of itself, a subclass or whoever mixes it in may have."""
    return isinstance(by, CallSite) and by.callee.startswith(_OWN)
