"""Who uses, in the project as it would be, what a file of a language with namespaces had."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vetgate.index.facts import Call
from vetgate.index.place import Place
from vetgate.index.seekers import names_of, seekers, seeking

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vetgate.checks.contracts.broken import Sides
    from vetgate.index.facts import Facts, Import
    from vetgate.index.tongue import Through, Tongue

    Use = tuple[str, Facts, Call | Import]

_OWN = ("self.", "this.", "static.", "class.")


def uses_of(sides: Sides, own: Tongue, symbol: str) -> Iterator[Use]:
    """By what names meant while it stood there, those of its own file first."""
    place = Place(sides.old_path, symbol)
    here = (sides.file.path, sides.after, names_of(sides.earlier, place))
    for by in seeking(sides.earlier, place, own, here):
        yield sides.file.path, sides.after, by
    for path, by in seekers(sides.earlier, place, own):
        facts = sides.view.facts(path) if path not in {place.path, sides.file.path} else None
        if facts is not None:
            yield path, facts, by


def followers_of(sides: Sides, own: Tongue, symbol: str) -> Iterator[Use]:
    """By what names mean now, of something that stands elsewhere than before."""
    for path, by in seekers(sides.view, Place(sides.file.path, symbol), own):
        facts = sides.view.facts(path)
        if facts is not None:
            yield path, facts, by


def passing(sides: Sides, through: Through, symbol: str) -> Iterator[Use]:
    """Who came through it from other files."""
    for path, by in through(sides.earlier, Place(sides.old_path, symbol)):
        facts = sides.view.facts(path) if path not in {sides.old_path, sides.file.path} else None
        if facts is not None:
            yield path, facts, by


def defined(sides: Sides, name: str) -> int:
    """How often the project would have something of this name, in whichever class."""
    found = (it for _, facts in sides.view.holding([f"d{name}", f"q{name}"]) for it in facts.definitions)
    return sum(it.name == name for it in found)


def is_own(by: Call | Import) -> bool:
    """What it calls of itself, an heir or whoever mixes it in may have."""
    return isinstance(by, Call) and by.callee.startswith(_OWN)
