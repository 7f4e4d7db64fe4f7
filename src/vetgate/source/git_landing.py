"""What git is about to take in: the index at a commit, commits at a push, beside all that was there before."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from vetgate.source import git_changes, git_objects
from vetgate.source.git_process import ask, index_of_hook, run
from vetgate.source.text import NotText, decode

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from vetgate.model import Change
    from vetgate.source.git import Repository

_NAMES = ("diff", "--name-only", "-z", "--no-renames", "--no-ext-diff", "--ignore-submodules=all")
# A push that joins more lines of work than this is compared with the newest ones.
_MOST_BASES = 8


@dataclass(frozen=True, slots=True)
class Landing:
    """A change, and the other commits whose content is not new either: what is merged in stood there before."""

    change: Change
    beside: tuple[str, ...] = ()

    def text_beside(self, path: str) -> str | None:
        """The file in one of those commits, where it is not what the change starts from."""
        if "\n" in path:  # git reads one name per line
            return None
        starts = next((file.before for file in self.change.files if file.path == path), None)
        for data in git_objects.read(tuple(f"{commit}:{path}" for commit in self.beside), self.change.root):
            try:
                text = None if data is None else decode(data)
            except NotText:
                continue
            if text is not None and text != starts:
                return text
        return None


@dataclass(frozen=True, slots=True)
class Ref:
    """One line of what git tells a pre-push hook; an object id of zeros is a ref that does not exist."""

    local: str
    remote: str

    @property
    def is_deleted(self) -> bool:
        return not self.local.strip("0")

    @property
    def is_created(self) -> bool:
        return not self.remote.strip("0")


def at_commit(repository: Repository) -> Landing:
    """The index against HEAD; of a merge only what differs from every parent."""
    index = index_of_hook(repository.common)
    parents = _merged(repository)
    change = repository.staged()
    for parent in parents:
        change = _limited(change, run((*_NAMES, "--cached", parent), repository.top, index=index))
    return Landing(change, parents)


def at_push(repository: Repository, refs: Iterable[Ref]) -> tuple[Landing, ...]:
    """What each pushed ref adds to all that some remote is known to have."""
    found: dict[str, Landing] = {}
    for ref in refs:
        commit = None if ref.is_deleted else _commit(repository, ref.local)
        if commit is not None and commit not in found:
            bases = _bases(repository, commit, ref)
            if bases:
                found[commit] = _between(repository, bases, commit)
    return tuple(found.values())


def _between(repository: Repository, bases: tuple[str, ...], commit: str) -> Landing:
    top = repository.top
    change = git_changes.from_index(top, run((*git_changes.RAW, bases[0], commit), top))
    for base in bases[1:]:
        change = _limited(change, run((*_NAMES, base, commit), top))
    return Landing(replace(change, base=bases[0]), bases[1:])


def _bases(repository: Repository, commit: str, ref: Ref) -> tuple[str, ...]:
    """The newest commits that a remote has already, below those that it has not; none for a first push."""
    known = () if ref.is_created or _commit(repository, ref.remote) is None else (ref.remote,)
    asked = ("rev-list", "--boundary", "--date-order", commit, "--not", "--remotes", *known)
    lines = os.fsdecode(run(asked, repository.top)).splitlines()
    return tuple(line[1:] for line in lines if line.startswith("-"))[:_MOST_BASES]


def _limited(change: Change, listed: bytes) -> Change:
    names = {os.fsdecode(name) for name in listed.split(b"\0") if name}
    files = tuple(file for file in change.files if file.path in names)
    return replace(change, files=files, unchecked=tuple(item for item in change.unchecked if item.path in names))


def _merged(repository: Repository) -> tuple[str, ...]:
    """The commits that the one being made merges into HEAD."""
    place = _path(repository, "MERGE_HEAD")
    try:
        names = place.read_text(encoding="ascii").split()
    except (OSError, UnicodeDecodeError):
        return ()
    return tuple(name for name in names if _commit(repository, name))


def _path(repository: Repository, name: str) -> Path:
    told = run(("rev-parse", "--path-format=absolute", "--git-path", name), repository.top)
    return repository.top / os.fsdecode(told.removesuffix(b"\n"))


def hooks_folder(repository: Repository) -> Path:
    """Where git looks for hooks: `core.hooksPath`, or the folder that all work trees share."""
    return _path(repository, "hooks")


def _commit(repository: Repository, name: str) -> str | None:
    answer = ask(("rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}"), repository.top)
    return os.fsdecode(answer.out).strip() if answer.status == 0 else None
