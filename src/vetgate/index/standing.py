"""Names of a file that have the methods of a class: its heirs, objects of it, and functions that give one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vetgate.index.facts import last_name
from vetgate.index.given import AWAITED, GIVEN, promised, python_class, script_class
from vetgate.index.place import NEW
from vetgate.source.language import language_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from vetgate.index.facts import Facts


def standing_for(path: str, facts: Facts, names: set[str]) -> set[str]:
    """These names, and all that may be asked for what they have."""
    given = python_class if language_of(path) == "python" else _given
    found = set(names)
    while new := set(_next(facts, found, given)) - found:
        found |= new
    return found


def _given(text: str) -> str:
    return script_class(promised(text))


def _next(facts: Facts, names: set[str], given: Callable[[str], str]) -> Iterator[str]:
    for each in facts.definitions:
        if any(last_name(base) in names for base in each.bases) or (each.returns and given(each.returns) in names):
            yield each.symbol.partition(".")[0]
    for name, kind in facts.objects:
        if last_name(kind.removeprefix(AWAITED).removeprefix(NEW).removesuffix(GIVEN)) in names:
            yield name
