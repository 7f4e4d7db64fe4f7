"""A file as it was and as it would be, and what of it others rely on in vain."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from vetgate.index.facts import Facts
from vetgate.index.resolve import SCRIPTS
from vetgate.source.language import language_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from vetgate.index.facts import Definition
    from vetgate.index.references import Reference
    from vetgate.index.view import View
    from vetgate.model import File


GONE, RENAMED, ASYNC, RETURN, EXPORT = "removed", "renamed", "async-changed", "return-changed", "export-removed"
CLASS, METHOD, FUNCTION = "class", "method", "function"
# So many places are looked at for each definition: nobody reads more, and for each other files may have to be asked.
MOST_REFERENCES = 100
# Who passes too little or too much to these finds out at run time, or never.
LENIENT = frozenset({"javascript"})


class Broken(NamedTuple):
    """A definition of the change and the places that do not fit it any more; `by_name` where that is all there is."""

    rule: str
    symbol: str
    line: int
    text: str
    references: tuple[Reference, ...]
    by_name: bool = False


@dataclass
class Sides:
    """One file of a change, beside the rest of the project as it would be.

    `changed` are the files of the change: whoever writes there may have had this in mind. `wholes` are those that have
    imported the file as a whole, once somebody has asked.
    """

    file: File
    view: View
    changed: frozenset[str]
    wholes: Sequence[tuple[str, str]] | None = None

    @property
    def old_path(self) -> str:
        return self.file.was or self.file.path

    @property
    def is_lenient(self) -> bool:
        return language_of(self.file.path) in LENIENT

    @cached_property
    def earlier(self) -> View:
        """The project as it would be, had this file stayed as it was."""
        view = self.view.with_text(self.file.path, None) if self.file.was else self.view
        package = f"{self.old_path.removesuffix('.py')}/__init__.py"
        if (self.file.was or self.file.after is None) and package in self.changed:
            view = view.with_text(package, None)  # a package that is in the place of a module now
        return view.with_text(self.old_path, self.file.before)

    @cached_property
    def before(self) -> Facts:
        return facts_before(self.view, self.file)

    @cached_property
    def after(self) -> Facts:
        return facts_after(self.view, self.file)


def facts_before(view: View, file: File) -> Facts:
    return view.read_text(file.was or file.path, file.before).facts if file.before is not None else Facts()


def facts_after(view: View, file: File) -> Facts:
    return view.facts(file.path) or Facts()


def unique(facts: Facts) -> dict[str, Definition]:
    """Definitions of which there is one."""
    found: dict[str, Definition] = {}
    twice = {each.local for each in facts.imports} | facts.rebound
    for each in facts.definitions:
        if each.symbol in found:
            twice.add(each.symbol)
        found[each.symbol] = each
    return {symbol: each for symbol, each in found.items() if symbol not in twice}


def names(facts: Facts) -> set[str]:
    return {each.symbol for each in facts.definitions}


def differ(was: Definition, now: Definition) -> bool:
    """In more than where they stand."""
    return msgspec.structs.replace(was, line=0) != msgspec.structs.replace(now, line=0)


_MOST = 0.5
_SHORTEST = 2


def rejoin_moved(view: View, files: Iterable[File]) -> tuple[File, ...]:
    """Each deleted file as the new one that has most of what it defined, where there is just one such file."""
    files = tuple(files)
    fresh = {file.path: file for file in files if file.before is None and file.after is not None}
    gone = {file.path: file for file in files if file.before is not None and file.after is None}
    homes = _homes(view, gone.values(), fresh.values()) if fresh and gone else {}
    moved = {was: replace(fresh[path], before=gone[was].before, was=was) for was, path in homes.items()}
    taken = Counter(homes.values())
    # What several came together in is a new file besides.
    return tuple(moved.get(file.path, file) for file in files if taken[file.path] != 1)


def _homes(view: View, gone: Iterable[File], fresh: Iterable[File]) -> Mapping[str, str]:
    holders: dict[tuple[str, str], list[str]] = {}
    for file in fresh:
        for symbol in _telling(view.read(file.path).facts):
            holders.setdefault((_language(file.path), symbol), []).append(file.path)
    found = {}
    for file in gone:
        symbols = _telling(view.read_text(file.path, file.before or "").facts)
        shared = Counter(path for symbol in symbols for path in holders.get((_language(file.path), symbol), ()))
        most = [path for path, count in shared.items() if count > _MOST * len(symbols)]
        if len(most) == 1:
            found[file.path] = most[0]
    return found


def _telling(facts: Facts) -> set[str]:
    """Without names of the kind that a packer gives: any file may have those."""
    return {each.symbol for each in facts.definitions if len(each.name) > _SHORTEST}


def _language(path: str) -> str:
    """A script may become one with types on its way."""
    language = language_of(path) or ""
    return "script" if language in SCRIPTS else language
