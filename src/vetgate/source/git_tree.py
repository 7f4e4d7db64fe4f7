"""The content of a work tree under one name, as `git write-tree` would give it, and files as commits have them.

Nothing of the repository is touched: the index is a copy, and what git has to write goes to a folder of its own.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import stat
import tempfile
import threading
import time
from collections import OrderedDict, defaultdict
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha1, sha256
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from vetgate.model import UserError
from vetgate.source import git_objects
from vetgate.source.git_process import ask, failed
from vetgate.source.root import common_dir, git_dir, store_key
from vetgate.source.text import NotText, decode

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    Name = tuple[str, str, str]


_SECONDS = 2.0
_MOST, _LONGEST = 400, 200_000
_IDS = frozenset({40, 64})
_kept: OrderedDict[Name, str | None] = OrderedDict()
_lock = threading.Lock()


def texts(top: Path, commits: Sequence[str], paths: Sequence[str]) -> list[tuple[str | None, ...]]:
    """For each path its text in each of the commits, None where there is none; a name must not hold a line break."""
    fixed = [head(top) or each if each == "HEAD" else each for each in commits]
    names = [(str(top), commit, path) for path in paths for commit in fixed]
    with _lock:
        found = {name: _kept[name] for name in names if name in _kept}
    asked = tuple(dict.fromkeys(name for name in names if name not in found))
    read = git_objects.read(tuple(f"{commit}:{path}" for _, commit, path in asked), top, _SECONDS)
    found |= {name: _text(data) for name, data in zip(asked, read, strict=True)}
    _keep({name: found[name] for name in asked})
    return [tuple(found[str(top), commit, path] for commit in fixed) for path in paths]


def head(top: Path) -> str:
    """The commit that HEAD stands for, read without git; "" where it cannot be told so."""
    own = git_dir(top)
    try:
        told = (own / "HEAD").read_text(encoding="utf-8").strip() if own else ""
        if own and told.startswith("ref: "):
            told = _tip(common_dir(own), told.removeprefix("ref: "))
    except (OSError, UnicodeDecodeError, ValueError):
        return ""
    return told if len(told) in _IDS and told.isalnum() else ""


def _tip(shared: Path, ref: str) -> str:
    try:
        return (shared / ref).read_text(encoding="utf-8").strip()
    except FileNotFoundError:
        packed = (shared / "packed-refs").read_text(encoding="utf-8").splitlines()
        return next((line.partition(" ")[0] for line in packed if line.endswith(f" {ref}")), "")


def _keep(found: dict[Name, str | None]) -> None:
    with _lock:
        for name, text in found.items():
            if len(name[1]) in _IDS and len(text or "") <= _LONGEST:
                _kept[name] = text
        while len(_kept) > _MOST:
            _kept.popitem(last=False)


def _text(data: bytes | None) -> str | None:
    try:
        return None if data is None else decode(data)
    except NotText:
        return None


_UNWATCHED = frozenset({b"h", b"s", b"S"})
_UNTRACKED = b"?"
# The kernel's clock for files ticks more slowly than ours.
_TICK = 50_000_000


class Content(NamedTuple):
    """`names` are the files in it: tracked ones, and untracked ones that are not ignored; `listed` is what git said.

    Git is told not to look at those that are `unwatched`, and does not know those that are `untracked`. While the
    `mark` is the same, so is all of it; "" where that cannot be told.
    """

    id: str
    names: tuple[str, ...]
    listed: bytes = b""
    unwatched: tuple[str, ...] = ()
    untracked: tuple[str, ...] = ()
    mark: str = ""


class TreeDifference(NamedTuple):
    """Files that are other than they were, and those that are gone."""

    files: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()


def content(root: Path, seconds: float, known: Content | None = None) -> Content | None:
    """None without git, or when it does not answer in time; what is `known` where it is still as it was."""
    if not (root / ".git").exists():
        return None
    with contextlib.suppress(UserError, OSError), tempfile.TemporaryDirectory(prefix="vetgate-") as folder:
        return _content(root, Path(folder), seconds, known)
    return None


def _content(root: Path, folder: Path, seconds: float, known: Content | None) -> Content:
    index, objects = folder / "index", folder / "objects"
    objects.mkdir()
    with contextlib.suppress(FileNotFoundError):  # nothing was ever added
        # With its time, by which git knows that files as young as the index may have changed unseen.
        shutil.copy2((git_dir(root) or root / ".git") / "index", index)
    elsewhere = {
        "GIT_OBJECT_DIRECTORY": os.fspath(objects),
        "GIT_ALTERNATE_OBJECT_DIRECTORIES": os.fspath(store_key(root) / "objects"),
    }

    def asked(*args: str, stdin: bytes = b"") -> bytes:
        answer = ask(args, root, stdin=stdin, index=index, seconds=seconds, variables=elsewhere)
        if answer.status != 0:
            raise failed(args[0], answer, root)
        return answer.out

    def tagged() -> list[bytes]:
        listed = asked("ls-files", "-t", "-z", "--modified", "--deleted", "--others", "--exclude-standard")
        return [line for line in listed.split(b"\0") if line]

    def named(lines: list[bytes]) -> Content:
        added = _to_add(root, (line[2:] for line in lines))
        asked("update-index", "-z", "--add", "--remove", "--replace", "--stdin", stdin=added)
        tree, listed = asked("write-tree"), asked("ls-files", "--stage", "-v", "-z")
        return _read(tree.decode("ascii").strip(), listed)

    at = time.time_ns()
    lines = tagged()
    mark = _mark(root, index, lines, at)
    # Of what git is told not to look at it says nothing, either: it may have come to be there.
    if known is not None and mark and mark == known.mark and not _there(root, known.unwatched):
        return known
    untracked = tuple(os.fsdecode(line[2:]) for line in lines if line[:1] == _UNTRACKED)
    found = named(lines)._replace(untracked=untracked, mark=mark)
    if hidden := _there(root, found.unwatched):
        given = b"".join(os.fsencode(name) + b"\0" for name in hidden)
        for flag in ("--no-assume-unchanged", "--no-skip-worktree"):
            asked("update-index", "-z", flag, "--stdin", stdin=given)
        found = named(tagged())._replace(untracked=untracked)
    return found


def _there(root: Path, names: Iterable[str]) -> tuple[str, ...]:
    return tuple(name for name in names if os.path.lexists(root / name))


def _mark(root: Path, index: Path, lines: list[bytes], at: int) -> str:
    """Of what git's index holds, what it says is other than that, and how those files are now.

    "" where one of them may change without showing it: it is so young, or a repository inside.
    """
    seen: list[object] = [lines]
    with contextlib.suppress(FileNotFoundError):
        seen.append(sha256(index.read_bytes()).digest())
    for line in lines:
        name = os.fsdecode(line[2:])
        try:
            status = os.lstat(root / name)
        except OSError:
            seen.append(None)
            continue
        if stat.S_ISDIR(status.st_mode) or max(status.st_ctime_ns, status.st_mtime_ns) > at - _TICK:
            return ""
        seen.append((status.st_mode, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns))
    return sha256(repr(seen).encode()).hexdigest()


def _to_add(root: Path, listed: Iterable[bytes]) -> bytes:
    """Not by `git add`: it would ask git about every submodule, and there our settings do not count.

    A repository inside is named with a slash at its end; one without a commit has nothing that could be added.
    """
    names = dict.fromkeys(listed)
    kept = (name for name in names if not name.endswith(b"/") or head(root / os.fsdecode(name)))
    return b"".join(name.removesuffix(b"/") + b"\0" for name in kept)


def _read(tree: str, tagged: bytes) -> Content:
    """Before each file stands a letter: a small one, or S, for what git is told not to look at."""
    lines = [line for line in tagged.split(b"\0") if line]
    names = tuple(os.fsdecode(line.partition(b"\t")[2]) for line in lines)
    unwatched = tuple(name for name, line in zip(names, lines, strict=True) if line[:1] in _UNWATCHED)
    return Content(tree, names, b"".join(line[2:] + b"\0" for line in lines), unwatched)


def changes(root: Path, base: str | None, seconds: float) -> TreeDifference:
    """What differs from a commit, untracked files included; everything where `base` is None."""
    since = ("diff", "--name-only", "-z", "--no-renames", "--no-ext-diff", "--ignore-submodules=all", base or "", "--")
    others = ("ls-files", "-z", "--others", "--exclude-standard")
    asked = (since, others) if base else (("ls-files", "-z"), others)
    with ThreadPoolExecutor(len(asked), thread_name_prefix="changes") as together:
        names = {name for found in together.map(lambda args: _listed(args, root, seconds), asked) for name in found}
    there = {name for name in names if os.path.lexists(root / name)}
    return TreeDifference(tuple(sorted(there)), tuple(sorted(names - there)))


def _listed(args: tuple[str, ...], root: Path, seconds: float) -> tuple[str, ...]:
    try:
        answer = ask(args, root, seconds=seconds)
    except UserError:
        return ()
    return tuple(answer.names) if answer.status == 0 else ()


def hashed(root: Path, names: tuple[str, ...], seconds: float) -> tuple[str, ...]:
    """What git would call the content of these files; nothing where it has no answer."""
    given = b"".join(os.fsencode(name) + b"\n" for name in names)
    try:
        answer = ask(("hash-object", "--stdin-paths"), root, stdin=given, seconds=seconds)
    except UserError:
        return ()
    found = tuple(answer.out.decode("ascii").split())
    return found if answer.status == 0 and len(found) == len(names) else ()


_FOLDER = b"40000"
_OF_SHA1 = 40


class TreeEntry(NamedTuple):
    mode: bytes
    id: bytes


class Folders:
    """The files of an index, by folder, as `git ls-files --stage -z` lists them; ValueError for anything else."""

    def __init__(self, listed: bytes) -> None:
        self._entries: defaultdict[bytes, dict[bytes, TreeEntry]] = defaultdict(dict)
        self._hash = sha1
        for line in listed.split(b"\0"):
            if line:
                about, _, path = line.partition(b"\t")
                mode, name, stage = about.split(b" ")
                if stage != b"0":
                    raise ValueError("a conflict has no tree")
                self._hash = sha1 if len(name) == _OF_SHA1 else sha256
                self._put(path, TreeEntry(mode, bytes.fromhex(name.decode("ascii"))))
        for folder in sorted(self._with_parents(), key=lambda each: -each.count(b"/") if each else 1):
            if folder:
                self._put(folder, self._named(folder))

    @property
    def id(self) -> str:
        return self._named(b"").id.hex()

    def mode(self, path: bytes) -> bytes:
        """Nothing for what is no file of it."""
        folder, _, name = path.rpartition(b"/")
        found = self._entries.get(folder, {}).get(name)
        return found.mode if found and found.mode != _FOLDER else b""

    def replace(self, path: bytes, content: str) -> None:
        """Give a file that is there another content, by its name."""
        self._put(path, TreeEntry(self.mode(path), bytes.fromhex(content)))
        folder = path.rpartition(b"/")[0]
        while folder:
            self._put(folder, self._named(folder))
            folder = folder.rpartition(b"/")[0]

    def _put(self, path: bytes, entry: TreeEntry) -> None:
        folder, _, name = path.rpartition(b"/")
        self._entries[folder][name] = entry

    def _with_parents(self) -> set[bytes]:
        found = set(self._entries)
        for folder in tuple(found):
            parent = folder.rpartition(b"/")[0]
            while parent and parent not in found:
                found.add(parent)
                parent = parent.rpartition(b"/")[0]
        return found

    def _named(self, folder: bytes) -> TreeEntry:
        data = b"".join(self._lines(folder))
        return TreeEntry(_FOLDER, self._hash(b"tree %d\0" % len(data) + data).digest())

    def _lines(self, folder: bytes) -> Iterator[bytes]:
        """Git sorts a folder as if its name ended in a slash."""
        entries = self._entries[folder].items()
        for name, entry in sorted(entries, key=lambda each: each[0] + b"/" if each[1].mode == _FOLDER else each[0]):
            yield entry.mode + b" " + name + b"\0" + entry.id
