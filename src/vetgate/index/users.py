"""Who uses a definition: whoever imports it, also from those that pass it on under this name or another."""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING, NamedTuple

from vetgate.index.facts import Call, Facts, last_part
from vetgate.index.modules import alias_names
from vetgate.index.objects import UNSURE
from vetgate.index.place import MAKERS, NEW, Place
from vetgate.index.resolve import SCRIPTS, called, imported, module_file, named
from vetgate.index.seekers import seekers
from vetgate.index.standing import standing_for
from vetgate.index.tongue import tongue
from vetgate.source.language import language_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from vetgate.index.facts import Export, Import
    from vetgate.index.view import View

_FURTHEST = 6
_PACKAGE = "__init__.py"
_NONE: frozenset[str] = frozenset()
_UNTOLD = frozenset({"", UNSURE})
_OWN = ("self.", "this.", "super.")
# What `.`, `./`, `..` and `../..` are found by, which name no module.
NAMELESS = ("m", "m.", "m..")


class Site(NamedTuple):
    """Where something is used: by a call, or `by` an import or an export alone."""

    path: str
    line: int
    call: Call | None
    by: Import | Export | None = None


def site_of(path: str, by: Call | Import) -> Site:
    return Site(path, by.line, by, None) if isinstance(by, Call) else Site(path, by.line, None, by)


def sites(view: View, place: Place, name: str) -> Iterator[Site]:
    """Calls and imports that mean this place, those of its own file first; `name` is its last part."""
    if own_way := tongue(place.path):
        yield from (site_of(path, each) for path, each in seekers(view, place, own_way))
        return
    files, names = _mentioning(view, place, name)
    own = view.facts(place.path)
    if own is not None and any(each.symbol == place.symbol and each.kind == "class" for each in own.definitions):
        names.update(MAKERS)  # heirs call its constructor by that name
    if own is not None:
        yield from _sites_in(view, place.path, own, place, names)
    for path, facts in files.items():
        if path != place.path:
            yield from _sites_in(view, path, facts, place, names)


def _mentioning(view: View, place: Place, name: str) -> tuple[dict[str, Facts], set[str]]:
    """The files that may use it, and all that it is called there."""
    if language_of(place.path) == "go":
        files = dict(view.beside(place.path))
        if "." in place.symbol:
            # Who calls a method need not import its package: a field of another file may be of the type.
            calling = view.holding([f"c{name}"])
            return files | {path: facts for path, facts in calling if language_of(path) == "go"}, {name}
        return files | dict(importers(view, [place.path], [name])), {name}
    head, _, member = place.symbol.partition(".")
    own = view.facts(place.path) or Facts()
    standing = standing_for(place.path, own, {head}) if member else {head}
    outward = standing | {each.name for each in own.exports if each.local in standing and not each.module}
    reached = _Reached({place.path: set(outward)}, set(outward))
    names, files, passing = {name, *outward}, {}, {place.path}
    words = set(NAMELESS)
    for _ in range(_FURTHEST):
        words.update(word for path in passing for word in module_words(view, path))
        found = dict(importers(view, passing, ["*", *names]))
        files.update(found)
        passed = {
            path: set(_passes_on(view, (path, facts), reached, words, is_member=bool(member)))
            - reached.at.get(path, _NONE)
            for path, facts in found.items()
        }
        passing = {path for path, new in passed.items() if new}
        if not passing:
            break
        reached.add(passed)
        names |= reached.names
    return files, names


class _Reached(NamedTuple):
    """What may be meant, by the file it is had from; and all its names."""

    at: dict[str, set[str]]
    names: set[str]

    def add(self, passed: dict[str, set[str]]) -> None:
        for path, new in passed.items():
            self.at.setdefault(path, set()).update(new)
            self.names.update(new)


def _passes_on(
    view: View, file: tuple[str, Facts], reached: _Reached, words: set[str], *, is_member: bool
) -> Iterator[str]:
    """Under which names others can import from this file what is one of these, or what has its methods."""
    path, facts = file
    brought = ((each.module, each.name, each.local) for each in facts.imports)
    held = {each for it in brought for each in _held(view, path, it, reached, words)}
    if is_member and held:
        held = standing_for(path, facts, held)
    if language_of(path) not in SCRIPTS:
        yield from held
        return
    yield from (each.name for each in facts.exports if not each.module and each.local in held)
    for each in facts.exports:
        if each.module and set(_held(view, path, (each.module, each.local, each.name), reached, words)):
            yield each.name


def _held(view: View, path: str, brought: tuple[str, str, str], reached: _Reached, words: set[str]) -> Iterator[str]:
    """What one of these is called in a file that brings it along."""
    module, name, local = brought
    if name in {"", "*"}:
        # Asking where others are would cost more than all the rest.
        origin = module_file(view, path, module) if f"m{last_part(module)}" in words else None
        found = reached.at.get(origin, _NONE) if origin is not None else _NONE
        yield from {*found, local} if found else ()
        return
    origin = module_file(view, path, module) if name in reached.names else None
    if origin is not None and name in reached.at.get(origin, _NONE):
        yield local


def importers(
    view: View, paths: Iterable[str], names: Iterable[str] = (), most: int = -1
) -> Iterator[tuple[str, Facts]]:
    """Files that may import one of these names, or anything, from one of these modules."""
    paths, named = list(paths), [f"c{name}" for name in names]
    wanted = [named] if named else []
    words = list(dict.fromkeys(word for path in paths for word in module_words(view, path)))
    seen = set()
    for path, facts in view.holding(words, *wanted, most=most):
        seen.add(path)
        yield path, facts
    for folder in dict.fromkeys(posixpath.dirname(path) for path in paths if _is_entry(path)):
        # `from . import name` and `from "."` name no module, and are written below it.
        found = view.holding(NAMELESS, *wanted, below=folder, most=most)
        yield from ((path, facts) for path, facts in found if path not in seen)


def _is_entry(path: str) -> bool:
    file = path.rpartition("/")[2]
    return file == _PACKAGE if language_of(path) == "python" else last_part(f"./{file}") == "index"


def module_words(view: View, path: str) -> tuple[str, ...]:
    """What a file that imports from this one may call the module."""
    if path not in view.called:
        view.called[path] = tuple(dict.fromkeys(_module_words(view, path)))
    return view.called[path]


def _module_words(view: View, path: str) -> Iterator[str]:
    *folders, file = path.split("/")
    if language_of(path) == "python":
        yield from (f"m{part}" for part in (folders[-1:] if file == _PACKAGE else [last_part(f"./{file}")]))
        return
    yield from (f"m{last_part(f'./{part}')}" for part in (*folders, file))
    yield from (f"m{last_part(each)}" for each in alias_names(view, path))


def _sites_in(view: View, path: str, facts: Facts, place: Place, names: set[str]) -> Iterator[Site]:
    yield from (Site(path, call.line, call) for call in _calls_in(view, path, facts, place, names))
    for each in facts.imports:
        if each.name in names and _same(imported(view, path, each), place):
            yield Site(path, each.line, None, each)
    for export in facts.exports:
        if export.module and export.local in names and _same(_exported(view, path, export), place):
            yield Site(path, export.line, None, export)


def _calls_in(view: View, path: str, facts: Facts, place: Place, names: set[str]) -> Iterator[Call]:
    aliases = {each.local for each in facts.imports if each.name != each.local}
    ends = (*names, *aliases)
    is_member = "." in place.symbol or MAKERS[0] in names
    for call in facts.calls:
        # Nearly all of them: what follows is too slow for every call of a file.
        if not call.callee.endswith(ends) or (not is_member and _is_of_object(call)):
            continue
        callee = call.callee.removeprefix(NEW)
        may_be = callee.rpartition(".")[2] in names or callee in aliases
        if may_be and _same(called(view, path, facts, call), place):
            yield call


def _is_of_object(call: Call) -> bool:
    return call.of not in _UNTOLD or call.callee.startswith(_OWN)


def _exported(view: View, path: str, each: Export) -> Place | None:
    origin = module_file(view, path, each.module)
    return named(view, origin, each.local) if origin else None


def _same(found: Place | None, place: Place) -> bool:
    if found is None or found.symbol != place.symbol:
        return False
    if language_of(place.path) == "go" and "." not in place.symbol:
        return posixpath.dirname(found.path) == posixpath.dirname(place.path)
    return found.path == place.path
