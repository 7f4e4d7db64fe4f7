"""How many functions of a set are like another one of it."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING, NamedTuple

from vetgate.index.shape import band, likeness, sketch

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

# As the index on disk does it: values of a sketch to share, and how many of the likeliest are compared.
_SHARED = 2
_CANDIDATES = 60
# What so many functions share says nothing about any two of them.
_COMMON = 500


class Form(NamedTuple):
    """A function by where it stands, its normalised tokens and the values it is found by."""

    path: str
    line: int
    end_line: int
    blind: bytes
    sketch: tuple[int, ...]

    @classmethod
    def of(cls, path: str, line: int, end_line: int, blind: bytes) -> Form:
        return cls(path, line, end_line, blind, tuple(sketch(blind)))

    def lies_apart(self, other: Form) -> bool:
        """Neither is inside the other."""
        return self.path != other.path or self.end_line < other.line or other.end_line < self.line


def copies(forms: Iterable[Form], least: float) -> int:
    every = list(forms)
    holders: dict[int, list[int]] = defaultdict(list)
    for number, form in enumerate(every):
        for value in form.sketch:
            holders[value].append(number)
    alike = Counter(form.blind for form in every)
    copied = {number for number, form in enumerate(every) if alike[form.blind] > 1}
    for number in range(len(every)):
        if number not in copied:
            other = _like(number, every, holders, least)
            copied.update(() if other is None else (number, other))
    return len(copied)


def _like(number: int, every: Sequence[Form], holders: dict[int, list[int]], least: float) -> int | None:
    form = every[number]
    found: Counter[int] = Counter()
    for value in form.sketch:
        if len(holders[value]) <= _COMMON:
            found.update(holders[value])
    shortest, longest = band(len(form.blind), least)
    for other, shared in found.most_common(_CANDIDATES):
        near = every[other]
        fits = shared >= _SHARED and shortest <= len(near.blind) <= longest and form.lies_apart(near)
        if fits and likeness(form.blind, near.blind, least):
            return other
    return None
