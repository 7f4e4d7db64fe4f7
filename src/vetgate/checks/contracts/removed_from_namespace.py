"""Names removed from a namespace, whichever file had them, and who still refers to them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from vetgate.checks.contracts.broken import FUNCTION, GONE, METHOD, RENAMED, Broken, names, unique
from vetgate.checks.contracts.callers import defined, is_own, uses_of
from vetgate.index.facts import NEW, CallSite
from vetgate.index.reading import UNKNOWN
from vetgate.index.references import reference_by
from vetgate.source.language import language_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from vetgate.checks.contracts.broken import Sides
    from vetgate.index.facts import Definition, Facts
    from vetgate.index.language_resolver import LanguageResolver
    from vetgate.index.references import Reference

# Languages whose classes Java uses as its own.
_KIN = ("kt", "groovy", "scala")


def find_removed_from_namespace(sides: Sides, own: LanguageResolver) -> Iterator[Broken]:
    """Nothing, where one of the texts does not parse: what is there may be where nobody can read it."""
    if sides.before.unsure or sides.after.unsure or _is_rewritten(sides):
        return
    now = unique(sides.after)
    has_moved = sides.before.space != sides.after.space or bool(sides.file.was)
    there, stood = set() if has_moved else names(sides.after), names(sides.before)
    known = {_spelled(symbol, own) for symbol in there}
    gone = {symbol: each for symbol, each in _known(sides.before, own).items() if _spelled(symbol, own) not in known}
    new = [each for symbol, each in now.items() if symbol not in stood]
    for symbol, each in gone.items():
        parts = _parts(gone, each, own) if _counts(gone, each) and not _is_held(sides, each) else ()
        found = tuple(dict.fromkeys(reference for it in parts for reference in _missing(sides, own, it)))
        if found:
            yield _moved(each, sides, found) if symbol in now else _broken(each, new, found)


def _spelled(symbol: str, own: LanguageResolver) -> str:
    return symbol.lower() if own.any_case else symbol


def _is_rewritten(sides: Sides) -> bool:
    """Whether the change has the file in another language, in which the same classes stand."""
    stem, _, ending = sides.old_path.rpartition("/")[2].rpartition(".")
    others = {f"{stem}.{each}" for each in _KIN} if ending == "java" else set()
    return any(path.rpartition("/")[2] in others for path in sides.changed)


def _known(facts: Facts, own: LanguageResolver) -> Mapping[str, Definition]:
    """Where types are written, what a name means is known of all its forms."""
    return {each.symbol: each for each in facts.definitions} if own.is_typed else unique(facts)


def _parts(gone: Mapping[str, Definition], each: Definition, own: LanguageResolver) -> Iterator[Definition]:
    """It and all that went with it: who used a part may never have named the whole."""
    yield each
    if own.is_typed:
        yield from (it for name, it in gone.items() if name.startswith(f"{each.symbol}."))


def _counts(gone: Collection[str], each: Definition) -> bool:
    """Of a class that is gone nobody misses a part, and what others ask of a class they may have another way."""
    is_part = any(each.symbol.startswith(f"{other}.") for other in gone)
    return not is_part and not (each.parameters is None and each.kind in {FUNCTION, METHOD})


def _is_held(sides: Sides, each: Definition) -> bool:
    """Whether a property or a field has the name now: it may hold what is called."""
    if language_of(sides.file.path) != "csharp" or each.kind != METHOD:
        return False
    return bool(re.search(rf"[\w>\])?]\s+{re.escape(each.name)}\s*(?:\{{|=|;)", sides.file.after or ""))


def _moved(each: Definition, sides: Sides, found: tuple[Reference, ...]) -> Broken:
    where = sides.after.space if sides.before.space != sides.after.space else sides.file.path
    return Broken(RENAMED, each.symbol, 1, f"is in `{where}` now", found)


def _broken(each: Definition, new: list[Definition], found: tuple[Reference, ...]) -> Broken:
    owner = each.symbol.rpartition(".")[0]
    alike = [
        it
        for it in new
        if (it.kind, it.parameters, it.symbol.rpartition(".")[0]) == (each.kind, each.parameters, owner)
        and owner.rpartition(".")[2] != each.name
    ]
    if len(alike) == 1:
        return Broken(RENAMED, each.symbol, alike[0].line, f"is called `{alike[0].symbol}` now", found)
    return Broken(GONE, each.symbol, 1, "is gone", found)


def _missing(sides: Sides, own: LanguageResolver, each: Definition) -> Iterator[Reference]:
    is_elsewhere = own.has_subclasses and defined(sides, each.name) > 0
    is_interface = own.is_typed and _is_without_maker(sides, each)
    for path, facts, by in uses_of(sides, own, each.symbol):
        if is_interface and isinstance(by, CallSite) and _is_of_subclass(facts, by):
            continue
        if not (is_elsewhere and is_own(by)) and not own.resolves(sides.view, path, facts, by):
            yield reference_by(path, by)


def _is_of_subclass(facts: Facts, by: CallSite) -> bool:
    """Whether a subclass says it, or an anonymous class: an interface needs nothing of them."""
    if by.is_open or by.owner.endswith(UNKNOWN):
        return True
    above = by.of or by.callee.removeprefix(NEW)
    hands_up = any(each.symbol == by.owner and above in each.bases for each in facts.definitions)
    return hands_up and not by.positional and not by.keywords


def _is_without_maker(sides: Sides, each: Definition) -> bool:
    """Whether it made objects of a class that is an interface now."""
    owner = each.symbol.rpartition(".")[0]
    return owner.rpartition(".")[2] == each.name and owner in names(sides.after)
