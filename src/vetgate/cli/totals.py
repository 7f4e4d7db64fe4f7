"""What all functions of some files come to; asked for by reports that give figures, and by nobody else."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from vetgate.checks.complexity.measure import measure
from vetgate.engine.look import source_of
from vetgate.source.deadline import Deadline
from vetgate.source.text import NotText

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from vetgate.checks.complexity.measures import Measures
    from vetgate.config.schema import Limits


@dataclass(frozen=True, slots=True)
class Totals:
    """The highest value of each measure, how many functions there are, and how many are `above` a complexity limit."""

    cyclomatic: int = 0
    cognitive: int = 0
    nesting: int = 0
    length: int = 0
    functions: int = 0
    above: int = 0

    def __add__(self, other: Totals) -> Totals:
        return Totals(
            cyclomatic=max(self.cyclomatic, other.cyclomatic),
            cognitive=max(self.cognitive, other.cognitive),
            nesting=max(self.nesting, other.nesting),
            length=max(self.length, other.length),
            functions=self.functions + other.functions,
            above=self.above + other.above,
        )


def totals(texts: Mapping[str, str], limits: Limits) -> Totals:
    return added(_of(each, limits) for path, text in texts.items() for each in _functions(path, text))


def added(parts: Iterable[Totals]) -> Totals:
    return sum(parts, start=Totals())


def _functions(path: str, text: str) -> tuple[Measures, ...]:
    try:
        return measure(source_of(path, text), Deadline.never()).functions
    except NotText:
        return ()  # the verdict says so
    except Exception:  # noqa: BLE001 - as above: the check has crashed on it just before
        return ()


def _of(function: Measures, limits: Limits) -> Totals:
    above = function.cyclomatic > limits.cyclomatic or function.cognitive > limits.cognitive
    measures = (function.cyclomatic, function.cognitive, function.nesting, function.length)
    return Totals(*measures, functions=1, above=int(above))
