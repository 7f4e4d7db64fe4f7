"""From files to the index: which have changed, what is read of them, and what is kept of that."""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from vetgate.index.facts import words
from vetgate.index.read import digest, read
from vetgate.index.similarity import sketch
from vetgate.source import disk
from vetgate.source.language import is_generated, language_of
from vetgate.source.syntax import Source
from vetgate.source.text import NotText
from vetgate.store import Shape, Stamp, Text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from vetgate.index.facts import IndexedText
    from vetgate.store import IndexStore

# They say where a module is to be found; nothing of them is kept but that they are there.
MANIFESTS = frozenset({"package.json", "tsconfig.json", "jsconfig.json", "go.mod", "Cargo.toml"})
_encode = msgspec.msgpack.Encoder().encode


class IndexedFile(NamedTuple):
    """A file as it goes into the index; without a text it is only known to be there."""

    path: str
    stamp: Stamp
    text: Text | None


class Work(NamedTuple):
    """What has to be done for the index to be as the work tree is."""

    changed: tuple[str, ...]
    gone: tuple[str, ...]

    @property
    def size(self) -> int:
        return len(self.changed) + len(self.gone)


def is_manifest(path: str) -> bool:
    return path.rpartition("/")[2] in MANIFESTS


def outstanding(store: IndexStore, root: Path, listed: Iterable[str], covers: Callable[[str], bool]) -> Work:
    """By the stamps of all files that are listed and covered."""
    known = store.stamps(str(root))
    changed, there = [], set()
    for path in listed:
        if not (is_manifest(path) or language_of(path)) or not covers(path):
            continue
        stamp = stamp_of(root, path)
        if stamp is not None:
            there.add(path)
            if known.get(path) != stamp:
                changed.append(path)
    return Work(tuple(changed), tuple(sorted(known.keys() - there)))


def is_storable(path: str) -> bool:
    return path.isascii() or not any("\ud800" <= each <= "\udfff" for each in path)


def stamp_of(root: Path, path: str) -> Stamp | None:
    """None for what is no regular file, and for one whose name no database takes: bytes that are no UTF-8."""
    if not is_storable(path):
        return None
    try:
        status = os.lstat(f"{root}/{path}")  # asked of every file there is
    except OSError:
        return None
    return Stamp.of(status) if stat.S_ISREG(status.st_mode) else None


def read_files(root: Path, paths: Iterable[str]) -> list[IndexedFile]:
    """Read these files; what is no text, or not there, is left out. Fit to be run in any process."""
    found = []
    for path in paths:
        stamp = stamp_of(root, path)
        if stamp is None:
            continue
        if is_manifest(path):
            found.append(IndexedFile(path, stamp, None))
            continue
        try:
            text = disk.read(root / path)
        except NotText:
            found.append(IndexedFile(path, stamp, None))
            continue
        found.append(IndexedFile(path, stamp, text_of(path, text)))
    return found


def text_of(path: str, text: str) -> Text:
    language = language_of(path) or ""
    known = read(Source(path, text, language))
    shapes = () if is_generated(text) else shapes_of(known)
    return Text(digest(text, language), _encode(known.facts), shapes, words(known.facts, language))


def shapes_of(known: IndexedText) -> tuple[Shape, ...]:
    return tuple(Shape(each.name, each.line, each.blind, each.kept, sketch(each.blind)) for each in known.functions)


def keep(store: IndexStore, root: Path, files: Iterable[IndexedFile]) -> None:
    files = tuple(files)
    store.put(file.text for file in files if file.text is not None)
    store.set_files(str(root), [(file.path, file.text and file.text.digest, file.stamp) for file in files])


def shared(store: IndexStore, root: Path, paths: Iterable[str]) -> list[tuple[str, bytes, Stamp]]:
    """Of these files those whose text the index knows already, from another work tree or an earlier branch."""
    found = []
    for path in paths:
        stamp, language = stamp_of(root, path), language_of(path)
        if stamp is None or language is None or is_manifest(path):
            continue
        try:
            found.append((path, digest(disk.read(root / path), language), stamp))
        except NotText:
            continue
    known = store.known([each for _, each, _ in found])
    return [each for each in found if each[1] in known]
