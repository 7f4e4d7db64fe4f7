"""The code around a finding, with line numbers and a mark under the place."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING

from vetgate.service.safe_text import printable

if TYPE_CHECKING:
    from vetgate.model import Span

CONTEXT = 1
_TAB = "    "
_WIDEST = 160


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a frame; `mark` is how far to indent and how many carets to draw, (0, 0) for none."""

    number: int
    code: str
    mark: tuple[int, int] = (0, 0)


def frame(text: str, span: Span) -> tuple[Line, ...]:
    """Empty where the text does not reach that far."""
    lines = text.split("\n")
    if not 1 <= span.line <= len(lines):
        return ()
    first = max(1, span.line - CONTEXT)
    last = min(len(lines), span.line + CONTEXT)
    return tuple(
        Line(
            number, _cut(_visible(lines[number - 1])), _mark(lines[number - 1], span) if number == span.line else (0, 0)
        )
        for number in range(first, last + 1)
    )


def code_at(text: str, line: int) -> str:
    """One line without its indentation, short enough to stand beside a remark."""
    lines = text.split("\n")
    return _cut(_visible(lines[line - 1].strip()), 80) if 1 <= line <= len(lines) else ""


def _mark(line: str, span: Span) -> tuple[int, int]:
    start = min(span.column - 1, len(line))
    on_one_line = span.end_line in {0, span.line} and span.end_column > span.column
    end = min(span.end_column - 1, len(line)) if on_one_line else len(line.rstrip())
    indent = _width(_visible(line[:start]))
    length = _width(_visible(line[start:end]))
    return (indent, max(1, min(length, _WIDEST - indent))) if indent < _WIDEST else (0, 0)


def _visible(code: str) -> str:
    return printable(code.replace("\t", _TAB))


def _cut(code: str, widest: int = _WIDEST) -> str:
    return code if len(code) <= widest else code[: widest - 1] + "…"


def _width(text: str) -> int:
    """Columns on a terminal: an East Asian wide character takes two, a combining one none."""
    if text.isascii():
        return len(text)
    return sum(0 if unicodedata.combining(char) else 1 + (unicodedata.east_asian_width(char) in "WF") for char in text)
