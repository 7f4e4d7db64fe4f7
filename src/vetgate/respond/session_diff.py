"""Files as they are, beside what they were before the session; each repository in the tree for itself."""

from __future__ import annotations

import stat
import time
from collections import defaultdict
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from vetgate.model import Change, File, Unchecked, UncheckedKind, UserError
from vetgate.source.edit import on_disk
from vetgate.source.git_base import BaseCommits
from vetgate.source.git_changes import pair_renames
from vetgate.source.git_objects import points_to
from vetgate.source.text import is_binary, is_link, link_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from vetgate.respond.call import Call

# More files than this at once are no work of hands; the rest is told, and looked at when the turn ends.
MOST_AT_ONCE = 400
_AT_ONCE = 200
# Of the time that an answer may take, how much may go into finding out what differs.
_SHARE = 0.3
_NO_ANSWER = "git did not say what it was before"


@dataclass(frozen=True, slots=True)
class FileDiff:
    """One file. `brought` is what git itself put there, as a commit from before has it; `merged` what was merged in."""

    file: File
    brought: bool = False
    merged: str | None = None


@dataclass(frozen=True, slots=True)
class SessionDiff:
    """`brought` are files that git itself put there, as a commit from before has them; `merged` what was merged in."""

    change: Change
    brought: tuple[File, ...] = ()
    merged: dict[str, str] = field(default_factory=dict)


def began(call: Call) -> int:
    """Since when the session answers for what changes, in nanoseconds."""
    start = call.start()
    return time.time_ns() if start is None else start.at


def diff_since_session_start(call: Call, paths: Iterable[str]) -> SessionDiff:
    """These files of the work tree. What was compared once in a call is not compared again."""
    root = call.project.root
    known = call.diffs.setdefault(root, {})
    paths = list(paths)
    unchecked: list[Unchecked] = []
    fresh: dict[str, FileDiff] = {}
    ends = time.perf_counter() + call.seconds * _SHARE
    for repository, names in _by_repository(root, (path for path in paths if path not in known)).items():
        unchecked += _compare(_ComparedRepository(call, repository), names, fresh, ends)
    known.update(fresh)
    # A link is judged as the file that it leads to, which nobody asked for by that name.
    found = ({path: known[path] for path in paths if path in known} | fresh).values()
    files = pair_renames(tuple(each.file for each in found if not each.brought))
    return SessionDiff(
        Change(root, files, unchecked=tuple(unchecked)),
        tuple(each.file for each in found if each.brought),
        {each.file.path: each.merged for each in found if each.merged is not None},
    )


def missing(call: Call) -> tuple[str, ...]:
    """Files that stood there when the session began and are not on disk."""
    root = call.project.root
    try:
        return call.base_commits(root).missing() if (root / ".git").exists() else ()
    except UserError:
        return ()


@dataclass(frozen=True, slots=True)
class _ComparedRepository:
    """The project's own, or one inside of its tree."""

    call: Call
    top: Path

    @property
    def root(self) -> Path:
        return self.call.project.root

    @property
    def prefix(self) -> str:
        return "" if self.top == self.root else f"{self.top.relative_to(self.root).as_posix()}/"


def _compare(
    repository: _ComparedRepository, names: list[str], fresh: dict[str, FileDiff], ends: float
) -> list[Unchecked]:
    """Fills in what is `fresh`; what there was no time or no answer for is returned."""
    unchecked: list[Unchecked] = []
    at = 0
    top = repository.top
    try:
        before = repository.call.base_commits(top) if (top / ".git").exists() else BaseCommits(top)
        if len(names) > MOST_AT_ONCE:
            as_committed = before.clean() if before.commits else frozenset()
            names = [name for name in names if name.removeprefix(repository.prefix) not in as_committed]
        while at < len(names) and _count(fresh.values()) < MOST_AT_ONCE and time.perf_counter() < ends:
            unchecked += _compare_some(repository, before, names[at : at + _AT_ONCE], fresh)
            at += _AT_ONCE
    except UserError:
        return [*unchecked, *(Unchecked(name, UncheckedKind.OTHER, _NO_ANSWER) for name in names)]
    too_many = f"more than {MOST_AT_ONCE} files changed at once"
    return [*unchecked, *(Unchecked(name, UncheckedKind.UNFINISHED, too_many) for name in names[at:])]


def _count(diffs: Iterable[FileDiff]) -> int:
    """What is no text takes next to no time, and programs make many at once."""
    return sum(not each.brought and not is_binary(each.file.after or "") for each in diffs)


def _compare_some(
    repository: _ComparedRepository, before: BaseCommits, names: list[str], fresh: dict[str, FileDiff]
) -> tuple[Unchecked, ...]:
    root, prefix = repository.root, repository.prefix
    now = on_disk((root / name for name in names if _is_file(root / name)), root, root)
    asked = [file for file in now.files if "\n" not in file.path and file.path.startswith(prefix)]
    texts = before.texts([file.path.removeprefix(prefix) for file in asked]) if before.commits else [()] * len(asked)
    earlier = {file.path: each for file, each in zip(asked, texts, strict=True)}
    for file in now.files:
        fresh[file.path] = _diff(file, earlier.get(file.path, ()), root)
    return now.unchecked


def _diff(file: File, was: Sequence[str | None], root: Path) -> FileDiff:
    if file.after in (was or (None,)) or _is_the_same(file.after, was, root / file.path):
        return FileDiff(replace(file, before=file.after), brought=True)
    there = [text for text in was if text is not None]
    before = there[0] if there and not is_link(file.after) else None
    return FileDiff(replace(file, before=before), merged=there[1] if there[1:] else None)


def _is_the_same(text: str | None, was: Sequence[str | None], path: Path) -> bool:
    """A link that leads where it did, or a large file behind the pointer that git keeps."""
    if is_link(text):
        return text in [link_text(each) for each in was if each is not None]
    there = (each.encode("utf-8", "surrogateescape") for each in was if each is not None)
    return any(points_to(data, path) for data in there)


def _by_repository(root: Path, paths: Iterable[str]) -> dict[Path, list[str]]:
    """Work trees, submodules and clones inside of the tree have commits of their own."""
    tops: dict[Path, Path] = {root: root}
    found: defaultdict[Path, list[str]] = defaultdict(list)
    for path in paths:
        found[_top(root, (root / path).parent, tops)].append(path)
    return found


def _top(root: Path, folder: Path, tops: dict[Path, Path]) -> Path:
    below = []
    while folder not in tops:
        below.append(folder)
        if (folder / ".git").exists():
            tops[folder] = folder
            break
        if folder == folder.parent:
            tops[folder] = root
        folder = folder.parent
    for each in below:
        tops[each] = tops[folder]
    return tops[folder]


def _is_file(path: Path) -> bool:
    """One that is gone is a file, too; a folder behind a link, a pipe and a socket are none."""
    try:
        return stat.S_ISREG(path.stat().st_mode)
    except OSError:
        return True
