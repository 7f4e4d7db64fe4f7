"""Edits of the past, wherever they were recorded; here of a range of commits, in which each file is an edit."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from vetgate.source import git_history

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from vetgate.model import Change, Command, File
    from vetgate.source.git import Repository
    from vetgate.source.git_history import Touched

    Around = Callable[[str, str], Iterable[tuple[str, str]]]

_SHORT = 12


@dataclass(frozen=True, slots=True)
class RecordedEdit:
    """One file as it was changed once, or one command as it was run; where neither is known, `missing` says why.

    `origin` says for a person where it comes from. What else was changed with it is its `company`: code that moved from
    one file to another is known by that. `around` gives other files as they were then.
    """

    id: str
    origin: str
    path: str
    root: Path
    file: File | None = None
    command: Command | None = None
    missing: str = ""
    company: str = ""
    around: Around | None = None


@dataclass(frozen=True, slots=True)
class Company:
    """Files that were changed together, and the others beside them."""

    change: Change
    around: Around | None = None


@dataclass(frozen=True, slots=True)
class Recording:
    """`items` are small and can be sent to another process, which opens `edits` of them, one or more of each.

    `company` gives all files that were changed together, asked for by what an edit says.
    """

    what: str
    items: Sequence[Any]
    edits: Callable[[tuple[Any, ...]], Iterable[RecordedEdit]]
    company: Callable[[str], Company]
    notes: tuple[str, ...] = ()


def history(repository: Repository, wanted: str, newest: int | None = None) -> Recording:
    subjects = git_history.commits(repository, wanted, newest)
    files = git_history.touched(repository, tuple(subjects))
    by_commit = {commit: tuple(part) for commit, part in groupby(files, key=attrgetter("commit"))}

    def company(commit: str) -> Company:
        change = git_history.change_of(repository.top, by_commit[commit])
        return Company(change, partial(git_history.around, repository.top, commit))

    many = f"{len(subjects):,} {'commit' if len(subjects) == 1 else 'commits'} of {repository.top.name}"
    return Recording(many, files, partial(_edits, repository.top, subjects), company)


def _edits(top: Path, subjects: Mapping[str, str], files: tuple[Touched, ...]) -> Iterator[RecordedEdit]:
    for commit, part in groupby(files, key=attrgetter("commit")):
        change = git_history.change_of(top, tuple(part))
        origin = f"{commit[:_SHORT]} {subjects[commit]}"
        around = partial(git_history.around, top, commit)
        for file in change.files:
            yield RecordedEdit(
                id=f"{commit[:_SHORT]}:{file.path}",
                origin=origin,
                path=file.path,
                root=top,
                file=file,
                company=commit,
                around=around,
            )
        for item in change.unchecked:
            yield RecordedEdit(f"{commit[:_SHORT]}:{item.path}", origin, item.path, top, missing=item.reason)
