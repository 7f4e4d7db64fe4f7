"""The index as it would be after a change: what the change holds comes first, everything else is as it is on disk."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeVar, cast

import msgspec

from vetgate.index.facts import Facts, words
from vetgate.index.keep import stamp_of
from vetgate.index.read import read
from vetgate.index.similarity import SimilarFunctions, band, likeness, sketch
from vetgate.source import disk
from vetgate.source.language import language_of
from vetgate.source.syntax import Source
from vetgate.source.text import NotText
from vetgate.store import Twin

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from vetgate.index.facts import Definition, DefinitionSite, FunctionTokens, Import, IndexedText
    from vetgate.index.inheritance import SourceDefinition
    from vetgate.index.project import ProjectIndex
    from vetgate.model import File
    from vetgate.store import Stamp

T = TypeVar("T")
_decode = msgspec.msgpack.Decoder(Facts).decode
_EVERY: tuple[str, ...] = ()
# Files that turned out to have changed are read at once, so many at most for one answer.
_READ_ANEW = 20


class Like(NamedTuple):
    """A function that another one is like: how much, blind to local names and with all of them kept."""

    twin: Twin
    blind: float
    kept: float


class View:
    """`texts` are the files of a change as they would be, None for one that would be gone.

    Without an index, or with one that is not built yet, it knows the change alone.
    """

    def __init__(self, index: ProjectIndex | None, texts: Mapping[str, str | None]) -> None:
        self._index = index if index is not None and index.is_ready else None
        self._texts = texts
        # By path and text, so that a view with another text for one file shares the rest.
        self._reads: dict[tuple[str, str], IndexedText] = {}
        self._held: dict[tuple[str, str], frozenset[str]] = {}
        self._facts: dict[str, Facts | None] = {}
        self._sure: set[str] = set()
        self._there: dict[str, bool] = {}
        self._on_disk: dict[str, str] = {}
        # What imports mean, which files modules are and what they may be called, as far as somebody has asked.
        self.modules: dict[tuple[str, str], str | None] = {}
        self.meant: dict[tuple[str, Import], DefinitionSite | None] = {}
        self.called: dict[str, tuple[str, ...]] = {}
        # What names mean in a language that asks for them its own way.
        self.defining: dict[str, tuple[str, ...]] = {}
        self.classes: dict[str, list[SourceDefinition]] = {}
        self.symbols: dict[str, dict[str, list[Definition]]] = {}
        self.found: dict[tuple[object, ...], object] = {}
        # What is being asked right now, so that nobody asks for it again on the way.
        self.asked: set[tuple[object, ...]] = set()
        self._manifests: dict[tuple[str, ...], list[str]] = {}
        self._left = _READ_ANEW

    def once(self, key: tuple[object, ...], make: Callable[[], T]) -> T:
        """What somebody has asked before is not found out again."""
        if key not in self.found:
            self.found[key] = make()
        return cast("T", self.found[key])

    def with_text(self, path: str, text: str | None) -> View:
        """The same, with another text for one file."""
        other = View(None, {**self._texts, path: text})
        other._index, other._manifests, other.called = self._index, self._manifests, self.called
        other._reads, other._held = self._reads, self._held
        return other

    @property
    def sees_all(self) -> bool:
        return self._index is not None

    @property
    def root(self) -> str:
        return str(self._index.root) if self._index is not None else ""

    def manifests(self, names: tuple[str, ...]) -> list[str]:
        """The files of the project that are called so."""
        if _EVERY not in self._manifests:
            self._manifests[_EVERY] = self._index.store.manifests(self.root) if self._index is not None else []
        if names not in self._manifests:
            every = self._manifests[_EVERY]
            self._manifests[names] = [path for path in every if path.rpartition("/")[2] in names]
        return self._manifests[names]

    def exists(self, path: str) -> bool:
        if path in self._texts:
            return self._texts[path] is not None
        if path not in self._there:
            self._there[path] = self._index is not None and self._index.store.stamp(self.root, path) is not None
        return self._there[path]

    def read(self, path: str) -> IndexedText:
        """A file of the change."""
        return self.read_text(path, self._texts[path] or "")

    def read_text(self, path: str, text: str) -> IndexedText:
        """A text that a file has or had: once for all that ask about the change."""
        key = (path, text)
        if key not in self._reads:
            self._reads[key] = read(Source(path, text, language_of(path)))
        return self._reads[key]

    def add(self, file: File) -> None:
        """Read a file of the change as it was and as it would be."""
        if file.before is not None and language_of(file.was or file.path):
            self.read_text(file.was or file.path, file.before)
        if file.after is not None and language_of(file.path):
            self.read(file.path)

    def text(self, path: str) -> str:
        """Of any file; "" where there is none that could be read."""
        if path in self._texts:
            return self._texts[path] or ""
        if path not in self._on_disk:
            try:
                self._on_disk[path] = disk.read(Path(self.root) / path) if self._index is not None else ""
            except NotText:
                self._on_disk[path] = ""
        return self._on_disk[path]

    def _words(self, path: str) -> frozenset[str]:
        key = (path, self._texts[path] or "")
        if key not in self._held:
            self._held[key] = words(self.read(path).facts, language_of(path))
        return self._held[key]

    def facts(self, path: str) -> Facts | None:
        if path in self._texts:
            return self.read(path).facts if self._texts[path] is not None else None
        if path not in self._facts:
            self._facts[path] = self._stored(path)
        return self._facts[path]

    def _stored(self, path: str) -> Facts | None:
        if self._index is None:
            return None
        self._assure([path])
        found = self._index.store.facts(self.root, path)
        return self._decoded(path, found) if found is not None else None

    def _decoded(self, path: str, stored: bytes) -> Facts | None:
        """None for what nobody can have written: then nothing else in there can be relied on."""
        known = self._facts.get(path)
        if known is not None:
            return known
        try:
            self._facts[path] = _decode(stored)
            return self._facts[path]
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            if self._index is not None:
                self._index.store.discard(error)
            return None

    def _assure(self, paths: Iterable[str]) -> bool:
        """Read anew those of the files that are not as they were; whether there were any."""
        store = self._index.store if self._index is not None else None
        fresh = [path for path in dict.fromkeys(paths) if path not in self._sure]
        return store is not None and self._assured((path, store.stamp(self.root, path)) for path in fresh)

    def _assured(self, known: Iterable[tuple[str, Stamp | None]]) -> bool:
        if self._index is None:
            return False
        fresh = [(path, stamp) for path, stamp in known if path not in self._sure]
        self._sure.update(path for path, _ in fresh)
        stale = [path for path, stamp in fresh if stamp_of(self._index.root, path) != stamp][: self._left]
        self._left -= len(stale)
        for path in stale:
            self._facts.pop(path, None)
        self._index.refresh(stale)
        return bool(stale)

    def holding(self, *wanted: Sequence[str], below: str = "", most: int = -1) -> Iterator[tuple[str, Facts]]:
        """Files in a folder that hold one of each of these lists of words, with what is known of them.

        Of those that are not of the change only so many.
        """
        for path, text in self._texts.items():
            if text is not None and language_of(path) and path.startswith(f"{below}/" if below else ""):
                held = self._words(path)
                if all(not held.isdisjoint(each) for each in wanted):
                    yield path, self.read(path).facts
        if self._index is None:
            return
        found = self._index.store.holding(self.root, wanted, below, most)
        if self._assured((path, stamp) for path, _, stamp in found):
            found = self._index.store.holding(self.root, wanted, below, most)
        for path, stored, _ in found:
            if path not in self._texts and self._index.covers(path) and (facts := self._decoded(path, stored)):
                yield path, facts

    def beside(self, path: str) -> Iterator[tuple[str, Facts]]:
        """The files of the same folder and kind, this one among them."""
        folder, _, name = path.rpartition("/")
        suffix = f".{name.rpartition('.')[2]}"
        for other, text in self._texts.items():
            if text is not None and other.rpartition("/")[0] == folder and other.endswith(suffix):
                yield other, self.read(other).facts
        if self._index is not None:
            for other, held in self._index.store.below(self.root, folder, suffix):
                if other not in self._texts and (facts := self._decoded(other, held)):
                    yield other, facts

    def alike(self, path: str, function: FunctionTokens, least: float) -> Iterator[Like]:
        """Functions that this one of a file of the change is like, those of the change first."""
        shortest, longest = band(function.tokens, least)
        for other, each in self._near.to(function, shortest, longest):
            if not shortest <= len(each.blind) <= longest or not likeness(function.blind, each.blind, least):
                continue
            if other != path or each.end_line < function.line or function.end_line < each.line:
                yield from _like(function, Twin(other, each.name, each.line, each.blind, each.kept), least)
        if self._index is not None:
            yield from self._stored_alike(function, least)

    @cached_property
    def _near(self) -> SimilarFunctions:
        texts = [path for path, text in self._texts.items() if text is not None and language_of(path)]
        return SimilarFunctions((path, each) for path in texts for each in self.read(path).functions)

    def _stored_alike(self, function: FunctionTokens, least: float) -> Iterator[Like]:
        assert self._index is not None  # noqa: S101
        wanted = (self.root, sketch(function.blind), function.tokens, band(function.tokens, least))
        found = self._likes(function, self._index.store.alike(*wanted), least)
        if found and self._assure(like.twin.path for like in found):
            found = self._likes(function, self._index.store.alike(*wanted), least)
        yield from (like for like in found if self._index.covers(like.twin.path))

    def _likes(self, function: FunctionTokens, twins: Iterable[Twin], least: float) -> list[Like]:
        return [like for each in twins if each.path not in self._texts for like in _like(function, each, least)]


def _like(function: FunctionTokens, other: Twin, least: float) -> Iterator[Like]:
    shortest, longest = band(function.tokens, least)
    if shortest <= len(other.blind) <= longest and (blind := likeness(function.blind, other.blind, least)):
        yield Like(other, blind, likeness(function.kept, other.kept, 0.0))
