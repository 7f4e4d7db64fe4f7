"""Who uses a definition: whoever imports it, also from those that pass it on, or, with namespaces, says its name."""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING, NamedTuple

from vetgate.index.facts import MAKERS, NEW, CallSite, DefinitionSite, Facts, last_name, last_part
from vetgate.index.inheritance import with_subclasses
from vetgate.index.language_resolver import resolver_for
from vetgate.index.modules import alias_names
from vetgate.index.objects import UNSURE
from vetgate.index.resolve import SCRIPTS, called, imported, module_file, named
from vetgate.index.return_types import AWAITED, RESULT, promised, python_class, script_class
from vetgate.source.language import language_of

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator

    from vetgate.index.facts import DefinitionSite, Export, Import
    from vetgate.index.language_resolver import LanguageResolver
    from vetgate.index.view import View


_FURTHEST = 6
_PACKAGE = "__init__.py"
_NONE: frozenset[str] = frozenset()
_UNKNOWN_TYPES = frozenset({"", UNSURE})
_OWN = ("self.", "this.", "super.")
# What `.`, `./`, `..` and `../..` are found by, which name no module.
NAMELESS = ("m", "m.", "m..")


class Reference(NamedTuple):
    """Where something is used: by a call, or `by` an import or an export alone."""

    path: str
    line: int
    call: CallSite | None
    by: Import | Export | None = None


def reference_by(path: str, by: CallSite | Import) -> Reference:
    return Reference(path, by.line, by, None) if isinstance(by, CallSite) else Reference(path, by.line, None, by)


def references(view: View, site: DefinitionSite, name: str) -> Iterator[Reference]:
    """Calls and imports that mean this place, those of its own file first; `name` is its last part."""
    if own_way := resolver_for(site.path):
        yield from (reference_by(path, each) for path, each in namespace_references(view, site, own_way))
        return
    files, names = _mentioning(view, site, name)
    own = view.facts(site.path)
    if own is not None and any(each.symbol == site.symbol and each.kind == "class" for each in own.definitions):
        names.update(MAKERS)  # subclasses call its constructor by that name
    if own is not None:
        yield from _references_in(view, site.path, own, site, names)
    for path, facts in files.items():
        if path != site.path:
            yield from _references_in(view, path, facts, site, names)


def _mentioning(view: View, site: DefinitionSite, name: str) -> tuple[dict[str, Facts], set[str]]:
    """The files that may use it, and all that it is called there."""
    if language_of(site.path) == "go":
        files = dict(view.beside(site.path))
        if "." in site.symbol:
            # Who calls a method need not import its package: a field of another file may be of the type.
            calling = view.holding([f"c{name}"])
            return files | {path: facts for path, facts in calling if language_of(path) == "go"}, {name}
        return files | dict(importers(view, [site.path], [name])), {name}
    head, _, member = site.symbol.partition(".")
    own = view.facts(site.path) or Facts()
    standing = names_with_members(site.path, own, {head}) if member else {head}
    outward = standing | {each.name for each in own.exports if each.local in standing and not each.module}
    reached = _ReachableNames({site.path: set(outward)}, set(outward))
    names, files, passing = {name, *outward}, {}, {site.path}
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


class _ReachableNames(NamedTuple):
    """What may be meant, by the file it is had from; and all its names."""

    at: dict[str, set[str]]
    names: set[str]

    def add(self, passed: dict[str, set[str]]) -> None:
        for path, new in passed.items():
            self.at.setdefault(path, set()).update(new)
            self.names.update(new)


def _passes_on(
    view: View, file: tuple[str, Facts], reached: _ReachableNames, words: set[str], *, is_member: bool
) -> Iterator[str]:
    """Under which names others can import from this file what is one of these, or what has its methods."""
    path, facts = file
    brought = ((each.module, each.name, each.local) for each in facts.imports)
    held = {each for it in brought for each in _held(view, path, it, reached, words)}
    if is_member and held:
        held = names_with_members(path, facts, held)
    if language_of(path) not in SCRIPTS:
        yield from held
        return
    yield from (each.name for each in facts.exports if not each.module and each.local in held)
    for each in facts.exports:
        if each.module and set(_held(view, path, (each.module, each.local, each.name), reached, words)):
            yield each.name


def _held(
    view: View, path: str, brought: tuple[str, str, str], reached: _ReachableNames, words: set[str]
) -> Iterator[str]:
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


def _references_in(view: View, path: str, facts: Facts, site: DefinitionSite, names: set[str]) -> Iterator[Reference]:
    yield from (Reference(path, call.line, call) for call in _calls_in(view, path, facts, site, names))
    for each in facts.imports:
        if each.name in names and _same(imported(view, path, each), site):
            yield Reference(path, each.line, None, each)
    for export in facts.exports:
        if export.module and export.local in names and _same(_exported(view, path, export), site):
            yield Reference(path, export.line, None, export)


def _calls_in(view: View, path: str, facts: Facts, site: DefinitionSite, names: set[str]) -> Iterator[CallSite]:
    aliases = {each.local for each in facts.imports if each.name != each.local}
    ends = (*names, *aliases)
    is_member = "." in site.symbol or MAKERS[0] in names
    for call in facts.calls:
        # Nearly all of them: what follows is too slow for every call of a file.
        if not call.callee.endswith(ends) or (not is_member and _is_of_object(call)):
            continue
        callee = call.callee.removeprefix(NEW)
        may_be = callee.rpartition(".")[2] in names or callee in aliases
        if may_be and _same(called(view, path, facts, call), site):
            yield call


def _is_of_object(call: CallSite) -> bool:
    return call.of not in _UNKNOWN_TYPES or call.callee.startswith(_OWN)


def _exported(view: View, path: str, each: Export) -> DefinitionSite | None:
    origin = module_file(view, path, each.module)
    return named(view, origin, each.local) if origin else None


def _same(found: DefinitionSite | None, site: DefinitionSite) -> bool:
    if found is None or found.symbol != site.symbol:
        return False
    if language_of(site.path) == "go" and "." not in site.symbol:
        return posixpath.dirname(found.path) == posixpath.dirname(site.path)
    return found.path == site.path


def names_with_members(path: str, facts: Facts, names: set[str]) -> set[str]:
    """These names, and all that may be asked for what they have."""
    given = python_class if language_of(path) == "python" else _returned_script_class
    found = set(names)
    while new := set(_next(facts, found, given)) - found:
        found |= new
    return found


def _returned_script_class(text: str) -> str:
    return script_class(promised(text))


def _next(facts: Facts, names: set[str], given: Callable[[str], str]) -> Iterator[str]:
    for each in facts.definitions:
        if any(last_name(base) in names for base in each.bases) or (each.returns and given(each.returns) in names):
            yield each.symbol.partition(".")[0]
    for name, kind in facts.objects:
        if last_name(kind.removeprefix(AWAITED).removeprefix(NEW).removesuffix(RESULT)) in names:
            yield name


# An object is made by the name of its class, or of a subclass's.
CLASS_MAKERS = frozenset({"__construct", "initialize"})
# How the `new` of a class ends that has one of its own.
MAKING = ".self.new"
_OWN_WORDS = frozenset({"self", "static", "super"})


def namespace_references(
    view: View, site: DefinitionSite, own: LanguageResolver
) -> Iterator[tuple[str, CallSite | Import]]:
    """Calls and imports that mean this place, those of its own file first."""
    names = names_of(view, site)
    facts = view.facts(site.path)
    files = {site.path: facts} if facts is not None else {}
    near = [[f"{kind}{name}" for name in sorted(_kin(view, site)) for kind in "cmq"]] if own.is_typed else []
    files |= dict(view.holding([f"c{name}" for name in sorted(names)], *near))
    for path, each in files.items():
        yield from ((path, by) for by in references_in_file(view, site, own, (path, each, names)))


def references_in_file(
    view: View, site: DefinitionSite, own: LanguageResolver, where: tuple[str, Facts, Collection[str]]
) -> Iterator[CallSite | Import]:
    """Those of one file, which says these names."""
    path, facts, names = where
    said = {*names, *(each.local.removesuffix("()") for each in facts.imports if each.local != each.name)}
    if site.symbol.rpartition(".")[2] in CLASS_MAKERS:
        said |= _OWN_WORDS | CLASS_MAKERS
    for call in (*facts.calls, *_inheriting(facts, said)):
        is_near = any(last_name(part) in said for part in (*call.callee.split("."), call.of))
        if is_near and site in {own.called(view, path, facts, call), own.holder(view, path, facts, call)}:
            yield call
    for each in facts.imports:
        if each.name in said and own.imported(view, path, each) == site:
            yield each


def _inheriting(facts: Facts, said: Collection[str]) -> Iterator[CallSite]:
    """What a class is made of is called, in a way, by whoever is called itself."""
    for each in facts.definitions:
        around = each.symbol.rpartition(".")[0]
        named = (base.rpartition(" ")[2] for base in each.bases if last_name(base) in said)
        yield from (CallSite(f"{NEW}{base}", each.line, is_open=True, owner=around) for base in named)


def names_of(view: View, site: DefinitionSite) -> frozenset[str]:
    """The names by which it may be reached: of a constructor those of its class, and of the subclasses of that."""
    owner, _, name = site.symbol.rpartition(".")
    if site.symbol.endswith(MAKING):
        return with_subclasses(view, site.symbol.removesuffix(MAKING))
    return with_subclasses(view, owner) if name in CLASS_MAKERS else frozenset({name})


def _kin(view: View, site: DefinitionSite) -> frozenset[str]:
    owner, _, name = site.symbol.rpartition(".")
    return with_subclasses(view, owner or name)
