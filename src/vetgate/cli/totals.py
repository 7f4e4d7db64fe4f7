"""What some files come to, their functions first; asked for by reports that give figures, and by nobody else."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from vetgate.checks.complexity.measure import measure
from vetgate.cli.semantic import Semantic, semantic
from vetgate.engine.analysis import source_of
from vetgate.source.deadline import Deadline
from vetgate.source.text import NotText

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from vetgate.checks.complexity.measures import Measures
    from vetgate.config.schema import Config, Limits


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
        figures = Totals(semantic=semantic(source, config))
        return added([figures, *(_of(each, config.complexity) for each in functions)])
    except NotText:
        return Totals()  # the verdict says so
    except Exception:  # noqa: BLE001 - as above: the check has crashed on it just before
        return Totals()


def _of(function: Measures, limits: Limits) -> Totals:
    above = function.cyclomatic > limits.cyclomatic or function.cognitive > limits.cognitive
    measures = (function.cyclomatic, function.cognitive, function.nesting, function.length)
    return Totals(*measures, functions=1, above=int(above))
