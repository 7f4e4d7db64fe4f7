"""Which of a file's names stand out, and how consistent it is."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

from vetgate.checks.naming.conventions import CONVENTIONS, FUNCTION
from vetgate.checks.naming.foreign_names import is_chosen_elsewhere
from vetgate.checks.naming.habits import Habits
from vetgate.checks.naming.styles import rewritten

if TYPE_CHECKING:
    from vetgate.checks.naming.names import Name, Names
    from vetgate.checks.naming.styles import NameStyle
    from vetgate.source.syntax import Source


@dataclass(frozen=True, slots=True)
class Odd:
    """A name that is written otherwise than `who` writes them."""

    name: Name
    style: NameStyle
    who: str

    @property
    def better(self) -> str:
        return rewritten(self.name.text, self.style)


@dataclass(frozen=True, slots=True)
class NamingResult:
    """`named` counts the names that have a style and are the author's own to choose."""

    named: int = 0
    odd: tuple[Odd, ...] = ()


def judged(source: Source, names: Names, *, is_test: bool) -> NamingResult:
    own = [name for name in names.all if not (is_test and name.kind == FUNCTION)]
    own = [name for name in own if not is_chosen_elsewhere(name, names.language, names.data)]
    conventions = CONVENTIONS[names.language]
    if all(conventions[name.kind].fits(name.style) for name in own):
        return NamingResult(len(own))
    habits = Habits(source, () if _is_new(source) else own)
    odd = []
    for name in own:
        told = habits.expected(name)
        if told is not None:
            odd.append(Odd(name, *told))
    return NamingResult(len(own), tuple(odd))


def _is_new(source: Source) -> bool:
    """A file that is not there yet has no habits of its own."""
    return source.root is not None and not os.path.exists(f"{source.root}/{source.path}")  # noqa: PTH110
