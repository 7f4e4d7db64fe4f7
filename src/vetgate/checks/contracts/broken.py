"""A file as it was and as it would be, and what of it others rely on in vain."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from msgspec.structs import replace

from vetgate.index.facts import Facts
from vetgate.source.language import language_of

if TYPE_CHECKING:
    from collections.abc import Sequence

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
    return replace(was, line=0) != replace(now, line=0)
