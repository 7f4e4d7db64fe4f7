"""Git's raw list of changed paths, with contents, as a `Change`; files that were moved without telling git."""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from vetgate.model import Change, File, Unchecked, UncheckedKind
from vetgate.source import disk, git_objects
from vetgate.source.git_objects import points_to
from vetgate.source.text import NotText, decode, link_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from pathlib import Path

# As much as git asks of a rename, and no more pairs than a person could have moved by hand.
_ALIKE = 0.5
_MOST_PAIRS = 10_000


def pair_renames(files: Iterable[File]) -> tuple[File, ...]:
    """Each new file with the content of the deleted one it came from as its text before; the best match first."""
    files = tuple(files)
    gone = {file.path: _lines(file.before) for file in files if file.before is not None and file.after is None}
    fresh = {file.path: _lines(file.after) for file in files if file.before is None and file.after is not None}
    if not gone or not fresh or len(gone) * len(fresh) > _MOST_PAIRS:
        return files
    likeness = sorted(
        ((_alike(old, new), before, after) for before, old in gone.items() for after, new in fresh.items()),
        reverse=True,
    )
    origin: dict[str, str] = {}
    for alike, before, after in likeness:
        if alike >= _ALIKE and after not in origin and before not in origin.values():
            origin[after] = before
    texts = {file.path: file.before for file in files}
    moved = frozenset(origin.values())
    return tuple(
        replace(file, before=texts[origin[file.path]], was=origin[file.path]) if file.path in origin else file
        for file in files
        if file.path not in moved
    )


def _lines(text: str | None) -> Counter[str]:
    return Counter(line.strip() for line in (text or "").split("\n") if line.strip())


def _alike(one: Counter[str], other: Counter[str]) -> float:
    return (one & other).total() / max(one.total(), other.total(), 1)


# -M pairs a renamed file with its old content, so that old debt does not become new by moving.
RAW = ("diff", "--raw", "-z", "-M", "--no-abbrev", "--no-ext-diff", "--no-textconv", "--ignore-submodules=all")

_REGULAR = frozenset({"100644", "100755"})
_LINK = "120000"
_UNMERGED = "U"


@dataclass(frozen=True, slots=True)
class _ChangedEntry:
    """One changed path; a side's object id is "" where it is no regular file (absent, a link, a submodule).

    `link` is the object that says where a link leads.
    """

    path: str
    status: str
    before: str
    after: str
    was: str = ""
    link: str = ""


def from_index(top: Path, raw: bytes) -> Change:
    entries = tuple(_entries(raw))
    contents = _fetch({oid for entry in entries for oid in (entry.before, entry.after, entry.link)}, top)
    parts: list[File | Unchecked | None] = [*_links(entries, lambda entry: _said(contents, entry.link))]
    parts += [
        _part(entry.path, contents.get(entry.before), partial(_text, contents, entry.after) if entry.after else None)
        for entry in entries
        if entry.status != _UNMERGED
    ]
    unmerged = [
        Unchecked(entry.path, UncheckedKind.UNREADABLE, "unmerged in the index")
        for entry in entries
        if entry.status == _UNMERGED
    ]
    return _renamed(_change(top, [*parts, *unmerged], base=None), entries)


def from_work_tree(top: Path, raw: bytes, others: Iterable[str], base: str) -> Change:
    entries = tuple(entry for entry in _entries(raw) if entry.status != _UNMERGED)
    contents = _fetch({entry.before for entry in entries}, top)
    before = {entry.path: contents.get(entry.before) for entry in entries}
    # Git ends the names of foreign repositories inside this one with a slash; they are not our files.
    untracked = {path for path in others if not path.endswith("/")}
    present = {entry.path for entry in entries if entry.after} | untracked
    parts: list[File | Unchecked | None] = [*_links(entries, lambda entry: disk.target(top / entry.path))]
    parts += [
        _part(path, before.get(path), partial(disk.read, top / path) if path in present else None)
        for path in sorted(before.keys() | untracked)
        if (path in untracked or not (top / path).is_symlink()) and not points_to(before.get(path), top / path)
    ]
    change = _renamed(_change(top, parts, base), entries)
    return replace(change, files=pair_renames(change.files))


def _said(contents: Mapping[str, bytes | None], oid: str) -> str | None:
    data = contents.get(oid)
    return None if data is None else os.fsdecode(data)


def _links(entries: Iterable[_ChangedEntry], leads: Callable[[_ChangedEntry], str | None]) -> Iterator[File]:
    """Where a link leads is all that it holds; in the place of a file it goes by another name, as that is gone."""
    for entry in entries:
        target = leads(entry) if entry.link else None
        if target is not None:
            yield File(f"{entry.path} (link)" if entry.before else entry.path, None, link_text(target))


def _entries(raw: bytes) -> Iterator[_ChangedEntry]:
    """`:mode mode id id status NUL path NUL`, and for a rename or a copy a second path."""
    fields = iter(raw.split(b"\0"))
    for described in fields:
        if not described:
            continue
        mode_before, mode_after, oid_before, oid_after, status = described.decode("ascii").removeprefix(":").split(" ")
        first = path = next(fields)
        if status[0] in "RC":
            path = next(fields)
        yield _ChangedEntry(
            os.fsdecode(path),
            status[0],
            oid_before if mode_before in _REGULAR else "",
            oid_after if mode_after in _REGULAR else "",
            os.fsdecode(first) if status[0] == "R" else "",
            oid_after if mode_after == _LINK and oid_after != oid_before else "",
        )


def _fetch(oids: set[str], top: Path) -> dict[str, bytes | None]:
    named = tuple(sorted(oids - {""}))
    return dict(zip(named, git_objects.read(named, top), strict=True))


def _text(contents: Mapping[str, bytes | None], oid: str) -> str:
    data = contents[oid]
    if data is None:
        raise NotText(UncheckedKind.UNREADABLE, "its content is not in this clone")
    return decode(data)


def _part(path: str, before: bytes | None, after: Callable[[], str] | None) -> File | Unchecked | None:
    try:
        text = after() if after else None
    except NotText as why:
        return why.unchecked(path)
    try:
        was = None if before is None else decode(before)
    except NotText:
        was = None
    return None if was is None and text is None else File(path, was, text)


def _change(top: Path, parts: list[File | Unchecked | None], base: str | None) -> Change:
    return Change(
        root=top,
        files=tuple(part for part in parts if isinstance(part, File)),
        base=base,
        unchecked=tuple(part for part in parts if isinstance(part, Unchecked)),
    )


def _renamed(change: Change, entries: Iterable[_ChangedEntry]) -> Change:
    was = {entry.path: entry.was for entry in entries}
    return replace(change, files=tuple(replace(file, was=was.get(file.path, "")) for file in change.files))
