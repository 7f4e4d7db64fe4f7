"""The method that a call of Go means, by the type of what it is called on: its own, or one that it has from a field.

Nobody inherits from a type of Go, so that one that is known is the one. Whatever else may be meant is a doubt: an
interface, a type from elsewhere or of two files of which only one is compiled, a field of the same name.
"""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING, NamedTuple

from vetgate.index.classes import ReferenceContext
from vetgate.index.facts import DefinitionSite
from vetgate.index.go import ALIAS, DERIVED, GIVES, INTERFACE, IS, PLAIN_TYPE, STRUCT, THEN
from vetgate.index.inheritance import MemberLookup, SourceDefinition
from vetgate.index.modules import go_folder, go_manifest
from vetgate.index.objects import UNSURE

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from vetgate.index.facts import Definition, Facts
    from vetgate.index.members import Receiver
    from vetgate.index.view import View

_TYPES = frozenset({STRUCT, INTERFACE, DERIVED, PLAIN_TYPE})
# Types that have no methods beside those that are written for them.
_WHOLE = frozenset({STRUCT, PLAIN_TYPE})
_DOUBT = MemberLookup(None, sure=False)
_NONE = MemberLookup(None)
_DEEPEST = 4
_TEST = "_test"
_APART = "testdata"
_PROGRAM = "main"


class _Package(NamedTuple):
    """All that the files of a folder define together; `aliased` are types that have another name there as well."""

    classes: Mapping[str, list[SourceDefinition]]
    aliased: frozenset[str]

    def only(self, symbol: str) -> SourceDefinition | None:
        found = self.classes.get(symbol, [])
        return found[0] if len(found) == 1 else None


def member(view: View, path: str, facts: Facts, wanted: tuple[Receiver, str]) -> MemberLookup:
    """Of a receiver and what is called on it."""
    receiver, name = wanted
    if is_apart(path):
        return _DOUBT
    klass = _typed(view, ReferenceContext(path, facts), receiver.kind)
    return _member(view, klass, name) if klass is not None else _DOUBT


def type_beside(view: View, path: str, facts: Facts, name: str) -> SourceDefinition | None:
    """A type of the package that a file belongs to, or belonged to."""
    return _named(view, ReferenceContext(path, facts), name)


def defined(view: View, site: DefinitionSite) -> tuple[str, Definition] | None:
    """The one method that stands at a place."""
    facts = view.facts(site.path)
    package = _package(view, site.path, facts.space) if facts is not None else None
    klass = package.only(site.symbol) if package is not None else None
    return (klass.path, klass.definition) if klass is not None else None


def is_apart(path: str) -> bool:
    """Whether nobody compiles the file of Go along with the rest: what is in there may be wrong on purpose."""
    return path.endswith(".go") and any(part == _APART or part[:1] in {"_", "."} for part in path.split("/")[:-1])


def _typed(view: View, context: ReferenceContext, kind: str) -> SourceDefinition | None:
    """The type that a kind means in a file, where there is just one."""
    base, *steps = kind.split(THEN)
    name, gives, number = base.partition(GIVES)
    klass = _result(view, _found(view, context, name), number) if gives else _named(view, context, name)
    for step in steps:
        if klass is None:
            return None
        name, gives, number = step.partition(GIVES)
        klass = _method_result(view, klass, name, number) if gives else _field(view, klass, name)
    return klass


def _method_result(view: View, klass: SourceDefinition, name: str, number: str) -> SourceDefinition | None:
    """What a method of a type gives."""
    site = _member(view, klass, name).site
    found, facts = (defined(view, site), view.facts(site.path)) if site is not None else (None, None)
    return _result(view, SourceDefinition(*found, facts), number) if found is not None and facts is not None else None


def _result(view: View, klass: SourceDefinition | None, number: str) -> SourceDefinition | None:
    """What a function gives; a type that is called like one makes a value of its own."""
    if klass is None or klass.definition.kind in _TYPES:
        return klass if not number else None
    given = klass.definition.word.split()
    site = int(number or 0)
    return _named(view, ReferenceContext(klass.path, klass.facts), given[site]) if site < len(given) else None


def _field(view: View, klass: SourceDefinition, name: str) -> SourceDefinition | None:
    kinds = [each.partition(IS)[2] for each in _fields(klass) if each.partition(IS)[0] == name]
    return _named(view, ReferenceContext(klass.path, klass.facts), kinds[0]) if len(kinds) == 1 else None


def _fields(klass: SourceDefinition) -> list[str]:
    return klass.definition.word.split() if klass.definition.kind == STRUCT else []


def _named(view: View, context: ReferenceContext, name: str) -> SourceDefinition | None:
    klass = _found(view, context, name)
    return klass if klass is not None and klass.definition.kind in _TYPES else None


def _found(view: View, context: ReferenceContext, name: str) -> SourceDefinition | None:
    """The one definition of a name in the package of a file, or in one that it imports from the same module."""
    first, _, rest = name.partition(".")
    if name == UNSURE:
        return None
    if not rest:
        package = _package(view, context.path, context.facts.space)
        return package.only(first) if package is not None else None
    brought = [each for each in context.facts.imports if each.local == first]
    package = _imported(view, context.path, brought[0].module) if len(brought) == 1 else None
    return package.only(rest) if package is not None and rest[:1].isupper() else None


def _imported(view: View, path: str, module: str) -> _Package | None:
    return view.once(("go import", go_manifest(view, path), module), lambda: _brought(view, path, module))


def _brought(view: View, path: str, module: str) -> _Package | None:
    folder = go_folder(view, module)
    entry = posixpath.join(folder, "any.go") if folder is not None else ""
    if not entry or is_apart(entry) or go_manifest(view, entry) != go_manifest(view, path):
        return None  # another module may be had in another version
    files = [(other, facts) for other, facts in view.beside(entry) if not other.endswith(f"{_TEST}.go")]
    spaces = {facts.space for _, facts in files} - {_PROGRAM}
    return _package(view, entry, spaces.pop()) if len(spaces) == 1 else None


def _package(view: View, path: str, space: str) -> _Package | None:
    """None where one of its files could not be read to the end: nobody knows what it has."""
    key = ("go package", posixpath.dirname(path), space)
    return view.once(key, lambda: _gathered(view, path, space) if space else None)


def _gathered(view: View, path: str, space: str) -> _Package | None:
    classes: dict[str, list[SourceDefinition]] = {}
    aliased: set[str] = set()
    for other, facts in view.beside(path):
        if facts.space != space:
            continue
        if facts.unsure:
            return None
        for each in facts.definitions:
            classes.setdefault(each.symbol, []).append(SourceDefinition(other, each, facts))
            aliased.update(each.bases if each.kind == ALIAS else ())
    return _Package(classes, frozenset(aliased))


def _member(view: View, klass: SourceDefinition, name: str) -> MemberLookup:
    """Level by level: what a type has itself hides what it has from the types in its fields."""
    level, is_blurred = [klass], not view.sees_all
    for _ in range(_DEEPEST):
        found = [each for it in level for each in _own(view, it, name)]
        if found:
            return found[0] if len(found) == 1 else _DOUBT
        if is_blurred or not all(_is_whole(view, each) for each in level):
            return _DOUBT
        below = [
            _named(view, ReferenceContext(it.path, it.facts), base) for it in level for base in it.definition.bases
        ]
        level = [each for each in below if each is not None]
        is_blurred = len(level) < len(below) or len(set(map(_key, level))) < len(level)
        if not below:
            return _NONE
    return _DOUBT


def _key(klass: SourceDefinition) -> tuple[str, Definition]:
    return klass.path, klass.definition


def _own(view: View, klass: SourceDefinition, name: str) -> Iterator[MemberLookup]:
    """What a type itself has of a name; a field may hold a function."""
    package = _package(view, klass.path, klass.facts.space)
    symbol = f"{klass.definition.symbol}.{name}"
    for each in package.classes.get(symbol, []) if package is not None else ():
        yield MemberLookup(DefinitionSite(each.path, symbol))
    if any(each.partition(IS)[0] == name for each in _fields(klass)):
        yield _DOUBT


def _is_whole(view: View, klass: SourceDefinition) -> bool:
    package = _package(view, klass.path, klass.facts.space)
    is_known = package is not None and klass.definition.symbol not in package.aliased
    return is_known and klass.definition.kind in _WHOLE
