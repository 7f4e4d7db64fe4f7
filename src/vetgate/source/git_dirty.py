"""Which files of a work tree differ from the last commit, by their content.

Git goes by times and inodes first, which say nothing in a tree that was copied, and would run the repository's own
filters to be sure. Content that is the same to the byte needs none of them.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from vetgate.source import git_objects
from vetgate.source.git_lfs import points_to
from vetgate.source.git_process import ask

if TYPE_CHECKING:
    from pathlib import Path

# Neither links nor submodules.
_PLAIN = frozenset({b"100644", b"100755"})


class _IndexEntry(NamedTuple):
    name: bytes
    committed: bytes
    may_be_same: bool


def dirty(top: Path, seconds: float) -> tuple[bytes, ...] | None:
    """Their names; None without a commit to compare with."""
    answer = ask(("diff-index", "-z", "--no-renames", "--ignore-submodules=all", "HEAD", "--"), top, seconds=seconds)
    if answer.status != 0:
        return None
    fields = answer.out.split(b"\0")
    entries = [_entry(head, name) for head, name in zip(fields[::2], fields[1::2], strict=False)]
    same = _same(top, [entry for entry in entries if entry.may_be_same], seconds)
    return tuple(entry.name for entry in entries if entry.name not in same)


def _entry(head: bytes, name: bytes) -> _IndexEntry:
    """`:100644 100644 <committed> <now> M`; nothing but zeros for what git would have to read."""
    was, now, committed, held, how = head.removeprefix(b":").split(b" ")
    is_plain = was == now and was in _PLAIN and b"\n" not in name and not name.startswith(b'"')
    return _IndexEntry(name, committed, how == b"M" and not held.strip(b"0") and is_plain)


def _same(top: Path, entries: list[_IndexEntry], seconds: float) -> frozenset[bytes]:
    if not entries:
        return frozenset()
    names = b"".join(entry.name + b"\n" for entry in entries)
    answer = ask(("hash-object", "--no-filters", "--stdin-paths"), top, stdin=names, seconds=seconds)
    if answer.status != 0:  # one of them is gone by now
        return frozenset()
    pairs = list(zip(entries, answer.out.split(), strict=False))
    same = {entry.name for entry, found in pairs if found == entry.committed}
    return frozenset(same) | _pointed_to(top, [entry for entry, _ in pairs if entry.name not in same], seconds)


def _pointed_to(top: Path, entries: list[_IndexEntry], seconds: float) -> frozenset[bytes]:
    committed = git_objects.read(tuple(os.fsdecode(entry.committed) for entry in entries), top, seconds)
    pairs = zip(entries, committed, strict=True)
    return frozenset(entry.name for entry, data in pairs if points_to(data, top / os.fsdecode(entry.name)))
