"""What people said of blocks: was it right to stop this edit for this rule?"""

from __future__ import annotations

import enum
import json
from collections import Counter
from typing import TYPE_CHECKING

from vetgate.model import UserError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


class Mark(enum.StrEnum):
    RIGHT = "right"
    ARGUABLE = "arguable"
    WRONG = "wrong"


Marks = dict[tuple[str, str], Mark]


def read_marks(file: Path) -> Marks:
    """One JSON object a line, with `edit`, `rule` and `verdict`; without a verdict nobody has said anything yet."""
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"the marks {file} cannot be read: {error}") from error
    marks: Marks = {}
    for number, line in enumerate(lines, start=1):
        if line.strip():
            told = _object(line, f"{file}:{number}")
            if told.get("verdict"):
                marks[str(told["edit"]), str(told["rule"])] = _mark(told["verdict"], f"{file}:{number}")
    return marks


def precision(marks: Mapping[Mark, int]) -> tuple[float, float] | None:
    """Of what was marked, the part that was right: without and with what is arguable. None: nothing was marked."""
    total = sum(marks.values())
    if not total:
        return None
    right = marks.get(Mark.RIGHT, 0)
    return right / total, (right + marks.get(Mark.ARGUABLE, 0)) / total


def counted(marks: Marks, blocks: list[tuple[str, str]]) -> Counter[Mark]:
    return Counter(marks[block] for block in blocks if block in marks)


def _object(line: str, place: str) -> dict[str, object]:
    try:
        told = json.loads(line)
    except (ValueError, RecursionError):
        told = None
    if not isinstance(told, dict) or not {"edit", "rule"} <= told.keys():
        raise UserError(
            f"{place}: not a mark",
            hint='a line is {"edit": "…", "rule": "…", "verdict": "right"}; --format jsonl writes them',
        )
    return told


def _mark(verdict: object, place: str) -> Mark:
    try:
        return Mark(str(verdict))
    except ValueError:
        raise UserError(f"{place}: the verdict {verdict!r} is none", hint=f"one of: {', '.join(Mark)}") from None
