"""The name of a tree after a few of its files changed: computed as git does, without asking it for the rest."""

from __future__ import annotations

from collections import defaultdict
from hashlib import sha1, sha256
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

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
