"""The commits of a range: each file of a commit is an edit."""

from __future__ import annotations

from functools import partial
from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING

from vetgate.replay.recording import Company, Edit, Recording
from vetgate.source import git_history

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from vetgate.source.git import Repository
    from vetgate.source.git_history import Touched

_SHORT = 12


def history(repository: Repository, wanted: str, newest: int | None = None) -> Recording:
    subjects = git_history.commits(repository, wanted, newest)
    files = git_history.touched(repository, tuple(subjects))
    by_commit = {commit: tuple(part) for commit, part in groupby(files, key=attrgetter("commit"))}

    def company(commit: str) -> Company:
        change = git_history.change_of(repository.top, by_commit[commit])
        return Company(change, partial(git_history.around, repository.top, commit))

    many = f"{len(subjects):,} {'commit' if len(subjects) == 1 else 'commits'} of {repository.top.name}"
    return Recording(many, files, partial(_edits, repository.top, subjects), company)


def _edits(top: Path, subjects: Mapping[str, str], files: tuple[Touched, ...]) -> Iterator[Edit]:
    for commit, part in groupby(files, key=attrgetter("commit")):
        change = git_history.change_of(top, tuple(part))
        origin = f"{commit[:_SHORT]} {subjects[commit]}"
        around = partial(git_history.around, top, commit)
        for file in change.files:
            yield Edit(
                id=f"{commit[:_SHORT]}:{file.path}",
                origin=origin,
                path=file.path,
                root=top,
                file=file,
                company=commit,
                around=around,
            )
        for item in change.unchecked:
            yield Edit(f"{commit[:_SHORT]}:{item.path}", origin, item.path, top, missing=item.reason)
