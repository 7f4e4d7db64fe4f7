"""What is known of one function: five measures, and what added to each of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from hashlib import blake2b
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from vetgate.checks.complexity.trail import FunctionTrail
    from vetgate.model import Step, Unchecked
    from vetgate.source.syntax import Syntax


@dataclass(frozen=True, eq=False)
class Measures:
    """One function. `name` is qualified ("Class.method"), lines and `column` count from 1, `column` in characters.

    `extent` is the function's byte range in the UTF-8 text, which tells apart two functions on one line.
    """

    name: str
    line: int
    end_line: int
    column: int
    cyclomatic: int
    cognitive: int
    nesting: int
    parameters: int
    extent: tuple[int, int]
    trail: FunctionTrail = field(repr=False)
    syntax: Syntax = field(repr=False)

    @property
    def length(self) -> int:
        return self.end_line - self.line + 1

    @cached_property
    def steps(self) -> Mapping[str, tuple[Step, ...]]:
        return self.trail.steps()

    @property
    def head_end(self) -> int:
        """The column after the last character of the function's first line."""
        data, (start, end) = self.syntax.data, self.extent
        line_start = data.rfind(b"\n", 0, start) + 1
        line_end = data.find(b"\n", start, end)
        line = data[line_start : end if line_end < 0 else line_end].rstrip()
        return len(line.decode("utf-8", "replace")) + 1

    @cached_property
    def digest(self) -> str:
        """Of the function's text without its white space: reformatting keeps it."""
        start, end = self.extent
        return blake2b(b"".join(self.syntax.data[start:end].split()), digest_size=8).hexdigest()


@dataclass(frozen=True)
class FileMeasures:
    functions: tuple[Measures, ...] = ()
    unchecked: tuple[Unchecked, ...] = ()
