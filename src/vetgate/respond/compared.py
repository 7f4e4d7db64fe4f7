"""Files as they are, beside what they were before the session; each repository in the tree has a past of its own."""

from __future__ import annotations

import stat
import time
from collections import defaultdict
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from vetgate.model import Change, File, Unchecked, UncheckedKind, UserError
from vetgate.source.edit import on_disk
from vetgate.source.git_lfs import points_to
from vetgate.source.git_past import Past, Start, past
from vetgate.source.moved import paired
from vetgate.source.text import is_binary, is_link, link_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from vetgate.respond.call import Call

# More files than this at once are no work of hands; the rest is told, and looked at when the turn ends.
_MOST = 400
_AT_ONCE = 200
# Of the time that an answer may take, how much may go into finding out what differs.
_SHARE = 0.3
_NO_ANSWER = "git did not say what it was before"


@dataclass(frozen=True, slots=True)
class Compared:
    """`brought` are files that git itself put there, as a commit from before has them; `beside` what was merged in."""

    change: Change
    brought: tuple[File, ...] = ()
    beside: dict[str, str] = field(default_factory=dict)


def began(call: Call) -> int:
    """Since when the session answers for what changes, in nanoseconds."""
    moment = call.project.store.began(call.event.session, call.project.root)
    return time.time_ns() if moment is None else moment


def start(call: Call, repository: Path | None = None) -> Start:
    """The same, with what the refs of this project, or of a repository in it, named then."""
    found = call.project.start(call.event.session, repository)
    return Start(time.time_ns()) if found is None else found


def beside_the_past(call: Call, paths: Iterable[str]) -> Compared:
    """These files of the work tree."""
    root = call.project.root
    found = Compared(Change(root))
    ends = time.perf_counter() + call.seconds * _SHARE
    for repository, names in _by_repository(root, paths).items():
        found = _in_one(found, names, start(call, repository), (repository, ends))
    return replace(found, change=replace(found.change, files=paired(found.change.files)))


def missing(call: Call) -> tuple[str, ...]:
    """Files that stood there when the session began and are not on disk."""
    root = call.project.root
    try:
        return past(root, start(call)).missing() if (root / ".git").exists() else ()
    except UserError:
        return ()


def _in_one(found: Compared, names: list[str], began_with: Start, bounds: tuple[Path, float]) -> Compared:
    repository, ends = bounds
    root = found.change.root
    try:
        before = past(repository, began_with) if (repository / ".git").exists() else Past(repository)
        if len(names) > _MOST:
            prefix = _prefix(root, repository)
            as_committed = before.clean() if before.commits else frozenset()
            names = [name for name in names if name.removeprefix(prefix) not in as_committed]
        at = 0
        while at < len(names) and _count(found.change.files) < _MOST and time.perf_counter() < ends:
            found = _some(found, before, names[at : at + _AT_ONCE])
            at += _AT_ONCE
    except UserError:
        return _without(found, names, UncheckedKind.OTHER, _NO_ANSWER)
    return _without(found, names[at:], UncheckedKind.UNFINISHED, f"more than {_MOST} files changed at once")


def _count(files: Iterable[File]) -> int:
    """What is no text takes next to no time, and programs make many at once."""
    return sum(not is_binary(file.after or "") for file in files)


def _some(found: Compared, before: Past, names: list[str]) -> Compared:
    root = found.change.root
    now = on_disk((root / name for name in names if _is_file(root / name)), root, root)
    prefix = _prefix(root, before.top)
    asked = [file for file in now.files if "\n" not in file.path and file.path.startswith(prefix)]
    texts = before.texts([file.path.removeprefix(prefix) for file in asked]) if before.commits else [()] * len(asked)
    known = {file.path: each for file, each in zip(asked, texts, strict=True)}
    different, brought, beside = list(found.change.files), list(found.brought), dict(found.beside)
    for file in now.files:
        was = known.get(file.path, ())
        if file.after in (was or (None,)) or _is_the_same(file.after, was, root / file.path):
            brought.append(replace(file, before=file.after))
            continue
        there = [text for text in was if text is not None]
        different.append(replace(file, before=there[0] if there and not is_link(file.after) else None))
        if there[1:]:
            beside[file.path] = there[1]
    change = replace(found.change, files=tuple(different), unchecked=(*found.change.unchecked, *now.unchecked))
    return Compared(change, tuple(brought), beside)


def _is_the_same(text: str | None, was: Sequence[str | None], path: Path) -> bool:
    """A link that leads where it did, or a large file behind the pointer that git keeps."""
    if is_link(text):
        return text in [link_text(each) for each in was if each is not None]
    return any(_is_pointer(each, path) for each in was)


def _is_pointer(text: str | None, file: Path) -> bool:
    return text is not None and points_to(text.encode("utf-8", "surrogateescape"), file)


def _without(found: Compared, names: Iterable[str], kind: UncheckedKind, reason: str) -> Compared:
    left = tuple(Unchecked(name, kind, reason) for name in names)
    return replace(found, change=replace(found.change, unchecked=(*found.change.unchecked, *left)))


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


def _prefix(root: Path, repository: Path) -> str:
    return "" if repository == root else f"{repository.relative_to(root).as_posix()}/"


def _is_file(path: Path) -> bool:
    """One that is gone is a file, too; a folder behind a link, a pipe and a socket are none."""
    try:
        return stat.S_ISREG(path.stat().st_mode)
    except OSError:
        return True
