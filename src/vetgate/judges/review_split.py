"""A change in several questions: what hangs together stays together, and what does not fit is counted. Values only."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

MOST_QUESTIONS = 8
MOST_LINES, MOST_CHARACTERS = 2_500, 120_000  # of one question


class FileSize(NamedTuple):
    """Changed lines, and the characters of all that is shown of a file."""

    lines: int
    characters: int

    @property
    def fits(self) -> bool:
        return self.lines <= MOST_LINES and self.characters <= MOST_CHARACTERS


class Split(NamedTuple):
    """The files of each question, and those that are in none."""

    questions: tuple[tuple[str, ...], ...]
    left_out: tuple[str, ...] = ()


def split(
    sizes: Mapping[str, FileSize],
    links: Iterable[frozenset[str]],
    most_lines: int,
    most_questions: int = MOST_QUESTIONS,
) -> Split:
    """A file that is too large for one question alone has one for itself, where it is cut."""
    questions: list[tuple[str, ...]] = []
    left_out: list[str] = []
    current: list[str] = []
    total = 0
    for cluster in _clusters(sizes, links):
        whole = _size(sizes, cluster)
        steps: Sequence[Sequence[str]] = [cluster] if whole.fits else [(path,) for path in cluster]
        for step in steps:
            if total and total + _size(sizes, step).lines > most_lines:
                left_out += step
                continue
            total += _size(sizes, step).lines
            if current and not _size(sizes, (*current, *step)).fits:
                questions.append(tuple(current))
                current = []
            current += step
    if current:
        questions.append(tuple(current))
    left_out += [path for question in questions[most_questions:] for path in question]
    return Split(tuple(questions[:most_questions]), tuple(left_out))


def _size(sizes: Mapping[str, FileSize], paths: Iterable[str]) -> FileSize:
    wanted = [sizes[path] for path in paths]
    return FileSize(sum(each.lines for each in wanted), sum(each.characters for each in wanted))


def _clusters(sizes: Mapping[str, FileSize], links: Iterable[frozenset[str]]) -> list[tuple[str, ...]]:
    """Files that reach each other over calls, each next to those it calls, in the order of their paths."""
    near: dict[str, set[str]] = {path: set() for path in sizes}
    for link in links:
        for path in link & near.keys():
            near[path] |= (link & near.keys()) - {path}
    seen: set[str] = set()
    return [_reached(path, near, seen) for path in sorted(sizes) if path not in seen]


def _reached(start: str, near: Mapping[str, set[str]], seen: set[str]) -> tuple[str, ...]:
    order, waiting = [], [start]
    seen.add(start)
    while waiting:
        path = waiting.pop(0)
        order.append(path)
        fresh = sorted(near[path] - seen)
        seen.update(fresh)
        waiting += fresh
    return tuple(order)
