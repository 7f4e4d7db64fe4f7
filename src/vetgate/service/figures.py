"""What some files come to: their functions, and how consistent their types, names and copies are.

Asked for by reports that give figures, and by nobody else.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING

from vetgate.checks import naming, types
from vetgate.checks.complexity.definitions import COGNITIVE, CYCLOMATIC, LIMITS
from vetgate.checks.complexity.measure import measure
from vetgate.checks.duplicates import SIMILARITY, TELL
from vetgate.engine.analysis import source_of
from vetgate.index.read import read
from vetgate.index.similarity import FunctionShape, copies
from vetgate.source.clock import Deadline
from vetgate.source.language import is_generated
from vetgate.source.text import NotText

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from vetgate.checks.complexity.definitions import Measures
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
        return Semantic(*(getattr(self, each.name) + getattr(other, each.name) for each in fields(self)))

    def settled(self, config: Config) -> Semantic:
        """With every function compared."""
        return replace(self, copied=self.copied + copies(self.forms, SIMILARITY.of(config)), forms=())


@dataclass(frozen=True, slots=True)
class Totals:
    """The highest value of each measure, how many functions there are, and how many are `above` a complexity limit.

    `semantic` is how consistent they are.
    """

    cyclomatic: int = 0
    cognitive: int = 0
    nesting: int = 0
    length: int = 0
    functions: int = 0
    above: int = 0
    semantic: Semantic = field(default_factory=Semantic)

    def __add__(self, other: Totals) -> Totals:
        return Totals(
            cyclomatic=max(self.cyclomatic, other.cyclomatic),
            cognitive=max(self.cognitive, other.cognitive),
            nesting=max(self.nesting, other.nesting),
            length=max(self.length, other.length),
            functions=self.functions + other.functions,
            above=self.above + other.above,
            semantic=self.semantic + other.semantic,
        )

    def settled(self, config: Config) -> Totals:
        """Once all files are in."""
        return replace(self, semantic=self.semantic.settled(config))


def totals(root: Path, texts: Mapping[str, str], config: Config) -> Totals:
    return added(_of_file(root, path, text, config) for path, text in texts.items())


def added(parts: Iterable[Totals]) -> Totals:
    return sum(parts, start=Totals())


def _of_file(root: Path, path: str, text: str, config: Config) -> Totals:
    try:
        source = source_of(path, text, root=root)
        functions = measure(source, Deadline.never()).functions
        figures = Totals(semantic=_consistency(source, config))
        return added([figures, *(_of(each, config) for each in functions)])
    except NotText:
        return Totals()  # the verdict says so
    except Exception:  # noqa: BLE001 - as above: the check has crashed on it just before
        return Totals()


def _of(function: Measures, config: Config) -> Totals:
    above = any(getattr(function, name) > LIMITS[name].of(config) for name in (CYCLOMATIC, COGNITIVE))
    measures = (function.cyclomatic, function.cognitive, function.nesting, function.length)
    return Totals(*measures, functions=1, above=int(above))


def _consistency(source: Source, config: Config) -> Semantic:
    values, names, forms = types.measured(source), naming.measured(source, config), _forms(source, config)
    return Semantic(values.judged, values.slips, names.named, len(names.odd), len(forms), 0, forms)


def _forms(source: Source, config: Config) -> tuple[FunctionShape, ...]:
    if is_generated(source.text):
        return ()
    long = (each for each in read(source).functions if each.tokens >= TELL.of(config))
    return tuple(FunctionShape.of(source.path, each.line, each.end_line, each.blind) for each in long)
