"""How a change is put to a reviewer: what is shown of each file, in which questions, and what names an answer."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import blake2b
from typing import TYPE_CHECKING, NamedTuple

from vetgate.judges.path_rules import PathRules
from vetgate.judges.pieces import diff_and_omitted, diff_lines, rules, said
from vetgate.judges.review_context import ReviewContext
from vetgate.model import Change

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from vetgate.judges.judge import Context
    from vetgate.judges.review_check import Shown
    from vetgate.judges.surroundings import RelatedCode
    from vetgate.model import File


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


class ShownDiff(NamedTuple):
    """A file as a question shows it: the text, how many lines changed, how many of them are left out."""

    text: str
    changed: int
    omitted: int


@dataclass(frozen=True)
class ReviewPlan:
    """`context` is all that may be shown, with the whole change; `most_lines` bounds what is shown of it."""

    context: Context
    surroundings: RelatedCode
    most_lines: int

    @cached_property
    def change(self) -> Change:
        found = self.context.event.change or self.context.change
        return found if found is not None else Change(self.context.root)

    @cached_property
    def files(self) -> Mapping[str, File]:
        return {file.path: file for file in self.change.files}

    @cached_property
    def diffs(self) -> Mapping[str, ShownDiff]:
        return {path: self._diff(file) for path, file in self.files.items()}

    def _diff(self, file: File) -> ShownDiff:
        text, omitted = diff_and_omitted(self._part((file,)), self.context, self.most_lines)
        return ShownDiff(text, sum(line.sign != " " for line in diff_lines(file)), omitted)

    def split(self, paths: Iterable[str]) -> Split:
        sizes = {path: self._size(path) for path in paths}
        return split(sizes, self.surroundings.links, self.most_lines)

    def _size(self, path: str) -> FileSize:
        diff = self.diffs[path]
        related = sum(len(str(each)) for each in self.surroundings.of(path))
        return FileSize(diff.changed - diff.omitted, len(diff.text) + related)

    def context_of(self, paths: Iterable[str]) -> Context:
        """For one question about these files."""
        wanted = list(paths)
        part = self._part(self.files[path] for path in sorted(wanted))
        related = tuple(dict.fromkeys(each for path in wanted for each in self.surroundings.of(path)))
        rest = [path for path in self.files if path not in wanted]
        left_out = (len(rest), sum(self.diffs[path].changed for path in rest))
        review = replace(self.context.review or ReviewContext(), related=related, left_out=left_out)
        event = self.context.event
        return replace(
            self.context, event=replace(event, change=part) if event.change else event, change=part, review=review
        )

    def hidden(self, unseen: Iterable[str]) -> tuple[int, int]:
        """Files that nobody was shown, and lines: theirs, and those of files that had to be cut."""
        gone = set(unseen)
        lines = sum(diff.changed if path in gone else diff.omitted for path, diff in self.diffs.items())
        return len(gone), lines

    @cached_property
    def shown(self) -> Shown:
        """Every line that a question shows, by file and number."""
        paths = PathRules(self.change.root, self.context.sensitive)
        found: dict[str, dict[int, str]] = {}
        for path, file in self.files.items():
            is_withheld = paths.is_withheld(path) or bool(file.was and paths.is_withheld(file.was))
            found[path] = {} if is_withheld else _lines(file)
        for path in self.files:
            for each in self.surroundings.of(path):
                found.setdefault(each.path, {}).update(zip(each.numbers, each.lines, strict=True))
        return found

    def key(self, path: str, *others: str) -> str:
        """Names all that a question about this file shows: itself, what is related to it, and what applies to all.

        The latest commits are no part of it: a commit of the same content changes nothing about the code.
        """
        review = self.context.review or ReviewContext()
        near = sorted(self.surroundings.neighbours(path) & self.files.keys())
        common = (
            *(part.text for part in rules(self.context)),
            said(self.context).text,
            review.stack,
            repr(review.specs),
        )
        own = (
            self.diffs[path].text,
            *map(str, self.surroundings.of(path)),
            *(self.diffs[other].text for other in near),
        )
        whole = blake2b(digest_size=16)
        for text in (*others, *common, path, *own):
            whole.update(f"{len(text)} ".encode() + text.encode("utf-8", "backslashreplace"))
        return whole.hexdigest()

    def _part(self, files: Iterable[File]) -> Change:
        return replace(self.change, files=tuple(files))


def _lines(file: File) -> dict[int, str]:
    """Of a file that is gone those it had."""
    if file.after is None:
        return dict(enumerate((file.before or "").split("\n"), 1))
    return {line.number: line.text for line in diff_lines(file) if line.number} or {1: ""}
