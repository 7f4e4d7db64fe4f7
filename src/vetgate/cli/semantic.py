"""How consistent some files are: types, names, copies; asked for by reports that give figures, and by nobody else."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from vetgate.checks import naming, types
from vetgate.index.read import read
from vetgate.index.similarity import FunctionShape, copies
from vetgate.source.generated import is_generated

if TYPE_CHECKING:
    from vetgate.config.schema import Config
    from vetgate.source.syntax import Source


@dataclass(frozen=True, slots=True)
class Semantic:
    """Values beside a type and those it denies, names and odd ones, functions long enough to compare and their copies.

    `forms` are the functions, until all files are there to be compared with.
    """

    typed: int = 0
    mistyped: int = 0
    names: int = 0
    odd: int = 0
    compared: int = 0
    copied: int = 0
    forms: tuple[FunctionShape, ...] = ()

    def __add__(self, other: Semantic) -> Semantic:
        return Semantic(
            typed=self.typed + other.typed,
            mistyped=self.mistyped + other.mistyped,
            names=self.names + other.names,
            odd=self.odd + other.odd,
            compared=self.compared + other.compared,
            copied=self.copied + other.copied,
            forms=self.forms + other.forms,
        )

    def settled(self, config: Config) -> Semantic:
        """With every function compared."""
        return replace(self, copied=self.copied + copies(self.forms, config.duplicates.similarity), forms=())


def semantic(source: Source, config: Config) -> Semantic:
    values, names, forms = types.measured(source), naming.measured(source, config), _forms(source, config)
    return Semantic(values.judged, values.slips, names.named, len(names.odd), len(forms), 0, forms)


def _forms(source: Source, config: Config) -> tuple[FunctionShape, ...]:
    if is_generated(source.text):
        return ()
    long = (each for each in read(source).functions if each.tokens >= config.duplicates.tell)
    return tuple(FunctionShape.of(source.path, each.line, each.end_line, each.blind) for each in long)
