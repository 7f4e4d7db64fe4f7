"""What a command would throw away that no commit has: asked before it runs, by one call of git."""

from __future__ import annotations

import os
import struct
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from vetgate.model import UserError
from vetgate.source.git_process import ask
from vetgate.source.root import common_dir, git_dir

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_SECONDS = 2.0
_STATUS = (
    *("--literal-pathspecs", "status", "--porcelain=v2", "--branch", "-z", "--no-renames"),
    *("--untracked-files=all", "--ignore-submodules=none"),
)
# Fields of a line of `git status --porcelain=v2` before the path, by how the line begins.
_FIELDS = {b"1": 8, b"u": 10}
_DELETED, _UNMERGED = b"D", b"u"
_MOST_INDEX = 30_000_000
_HEAD = struct.Struct(">4sII")
# Of an entry of the index: what stands before its flags, and the flags by which git does not look at a file.
_STAT = 60
_UNLOOKED, _EXTENDED, _SKIPPED = 0x8000, 0x4000, 0x4000
_SPLIT = b"link"


class TreeState(NamedTuple):
    """Of a work tree, or of some paths in it: names from its top; a folder that is ignored ends with a slash.

    `changed` differs from the last commit, without what is only missing on disk; `unmerged` is what of it has a
    conflict. `commit` is "" before the first one;
    `ahead` is how many commits the upstream lacks, None without one.
    """

    top: Path
    changed: frozenset[str] = frozenset()
    missing: frozenset[str] = frozenset()
    untracked: frozenset[str] = frozenset()
    ignored: frozenset[str] = frozenset()
    commit: str = ""
    ahead: int | None = None
    unmerged: frozenset[str] = frozenset()


def top_of(path: str) -> Path | None:
    """The work tree that a path lies in; a path that is one's top lies in the one around it."""
    return next((folder for folder in Path(path).parents if (folder / ".git").exists()), None)


def tree_state(top: Path, paths: Sequence[str] = ()) -> TreeState | None:
    """None where git gives no answer, or has been told not to look at files that it knows."""
    wanted = (*_STATUS, "--ignored=matching", "--", *paths)
    try:
        answer = ask(wanted, top, seconds=_SECONDS)
    except UserError:
        return None
    hidden = _hidden(top) if answer.status == 0 else None
    if hidden is None:
        return None
    state = _state(top, answer.out)
    return state._replace(changed=state.changed | hidden)


def _state(top: Path, out: bytes) -> TreeState:
    found: dict[bytes, set[str]] = {b"1": set(), _DELETED: set(), b"?": set(), b"!": set(), _UNMERGED: set()}
    told: dict[str, str] = {}
    for line in filter(None, out.split(b"\0")):
        mark, _, rest = line.partition(b" ")
        if mark == b"#":
            field, _, value = os.fsdecode(rest).partition(" ")
            told[field] = value
        elif mark in (b"?", b"!"):
            found[mark].add(os.fsdecode(rest))
        elif mark in _FIELDS:
            is_missing = rest.startswith(b"." + _DELETED) and mark == b"1"
            name = os.fsdecode(line.split(b" ", _FIELDS[mark])[-1])
            found[_DELETED if is_missing else b"1"].add(name)
            if mark == _UNMERGED:
                found[mark].add(name)
    changed, missing, untracked, ignored, unmerged = map(frozenset, found.values())
    commit = told.get("branch.oid", "").replace("(initial)", "")
    ahead = int(told["branch.ab"].partition(" ")[0]) if "branch.ab" in told else None
    return TreeState(top, changed, missing, untracked, ignored, commit, ahead, unmerged)


def _hidden(top: Path) -> frozenset[str] | None:
    """Files that git was told to take for unchanged: `git status` is silent about them. None where nobody can tell."""
    own = git_dir(top)
    file = own / "index" if own else None
    try:
        if file is None or not file.exists():
            return frozenset()
        data = file.read_bytes() if file.stat().st_size < _MOST_INDEX else b""
        return frozenset(os.fsdecode(name) for name in _unlooked(data))
    except (OSError, ValueError, struct.error, IndexError):
        return None


def _unlooked(data: bytes) -> Iterator[bytes]:
    """The index as git writes it (gitformat-index); raises ValueError for one that is of another kind."""
    kind, version, count = _HEAD.unpack_from(data)
    if kind != b"DIRC" or version not in (2, 3, 4):
        raise ValueError("not an index")
    at, name = _HEAD.size, b""
    for _ in range(count):
        flags = int.from_bytes(data[at + _STAT : at + _STAT + 2])
        is_long = flags & _EXTENDED
        more = int.from_bytes(data[at + _STAT + 2 : at + _STAT + 4]) if is_long else 0
        begin = at + _STAT + (4 if is_long else 2)
        if version == 4:  # each name shares its beginning with the one before
            cut, begin = _number(data, begin)
            end = data.index(b"\0", begin)
            name = name[: len(name) - cut] + data[begin:end]
            at = end + 1
        else:
            end = data.index(b"\0", begin)
            name = data[begin:end]
            at += (end - at + 8) & ~7
        if flags & _UNLOOKED or more & _SKIPPED:
            yield name
    if data[at : at + 4] == _SPLIT:
        raise ValueError("an index in two parts")


def _number(data: bytes, at: int) -> tuple[int, int]:
    """As git packs offsets, and where the next field begins."""
    byte = data[at]
    value = byte & 0x7F
    while byte & 0x80:
        at += 1
        byte = data[at]
        value = ((value + 1) << 7) | (byte & 0x7F)
    return value, at + 1


def files_of(top: Path, ref: str) -> frozenset[str] | None:
    """What a commit has; None where git gives no answer."""
    try:
        answer = ask(("ls-tree", "-r", "-z", "--name-only", "--full-tree", ref), top, seconds=_SECONDS)
    except UserError:
        return None
    return frozenset(answer.names) if answer.status == 0 else None


def stashed(top: Path, name: str = "") -> int | None:
    """How many files a stash holds, or how many stashes there are without a name; None where there is none."""
    asked = ("stash", "show", "--name-only", "-z", "--include-untracked", name) if name else ("stash", "list", "-z")
    try:
        answer = ask(asked, top, seconds=_SECONDS)
    except UserError:
        return None
    found = len(answer.names)
    return found if answer.status == 0 and found else None


def only_on(top: Path, branches: Sequence[str]) -> int | None:
    """How many commits no other branch, tag or remote has; None where one of these branches is not there."""
    if not branches or any(name.startswith("-") or not name for name in branches):
        return None
    others = tuple(f"--exclude={name}" for name in branches)
    wanted = (f"refs/heads/{name}" for name in branches)
    try:
        answer = ask(("rev-list", "--count", *wanted, "--not", *others, "--branches", "--tags", "--remotes"), top)
    except UserError:
        return None
    return int(answer.out) if answer.status == 0 else None


def has_ref(top: Path, name: str) -> bool:
    """By git's own files: a branch, a tag or a remote's branch of this name, or HEAD and what leads back from it."""
    base = name.partition("~")[0].partition("^")[0]
    if base in ("HEAD", "@", "ORIG_HEAD"):
        return True
    own = git_dir(top)
    if own is None or not base or base.startswith(("-", "/", ".")) or ".." in base:
        return False
    common = common_dir(own)
    names = [f"{folder}{base}" for folder in ("", "refs/", "refs/heads/", "refs/tags/", "refs/remotes/")]
    if any((common / each).is_file() for each in names[1:] if each.startswith("refs/")):
        return True
    try:
        packed = (common / "packed-refs").read_text("utf-8", "replace").split()
    except OSError:
        return False
    return any(each in packed for each in names if each.startswith("refs/"))
