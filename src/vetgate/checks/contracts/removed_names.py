"""Names removed from a file, and who still refers to them or speaks of them."""

from __future__ import annotations

import builtins
import posixpath
import re
from itertools import islice
from typing import TYPE_CHECKING

from msgspec.structs import replace

from vetgate.checks.contracts.broken import EXPORT, FUNCTION, GONE, METHOD, RENAMED, Broken, names, unique
from vetgate.checks.contracts.callers import defined, is_called_on_object, is_own, uses_of
from vetgate.checks.contracts.objects import missed_by_objects
from vetgate.checks.contracts.runtime_patches import is_mocked
from vetgate.expression import expression
from vetgate.index.exports import is_exported, is_in_folder, is_resolved
from vetgate.index.facts import MAKERS, NEW, SELVES, CallSite, DefinitionSite, last_part
from vetgate.index.go import ALIAS, DERIVED, INTERFACE, PLAIN_TYPE, STRUCT
from vetgate.index.go_objects import type_beside
from vetgate.index.reading import UNKNOWN
from vetgate.index.references import NAMELESS, Reference, importers, module_words, reference_by, references
from vetgate.index.resolve import SCRIPTS, imported, module_file
from vetgate.index.values import uses
from vetgate.source.language import language_of
from vetgate.source.syntax import Source

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from vetgate.checks.contracts.broken import Sides
    from vetgate.index.facts import Definition, Export, Facts, Import
    from vetgate.index.language_resolver import LanguageResolver
    from vetgate.index.view import View
    from vetgate.model import File


# A module that more files import than these is not looked for in all of them.
_MOST = 300
# So many places are enough to say: each of them costs a parse.
_ENOUGH = 10
# What a name means once nobody defines it any more.
_GIVEN = {
    "python": frozenset(dir(builtins)) | {"__file__", "__name__", "__doc__"},
    "go": frozenset(
        """append cap clear close complex copy delete imag len make max min new panic print println real
        recover""".split()  # noqa: SIM905 - a list of names
    ),
}
_SCRIPT_GIVEN = frozenset(
    """Array Blob Boolean Buffer Date Error Event EventTarget File FormData Function Headers Image Intl Iterator JSON
    Map Math Node Number Object Promise Proxy Reflect RegExp Request Response Set String Symbol Text URL URLSearchParams
    WeakMap WeakRef WeakSet Worker AbortController AbortSignal BigInt Element HTMLElement TextDecoder TextEncoder
    WebSocket alert atob btoa cancelAnimationFrame clearInterval clearTimeout confirm console crypto document escape
    eval fetch global globalThis history isFinite isNaN localStorage location navigator parseFloat parseInt performance
    process prompt queueMicrotask requestAnimationFrame requestIdleCallback require self sessionStorage setImmediate
    setInterval setTimeout structuredClone unescape window describe it test expect beforeEach afterEach beforeAll
    afterAll jest vi""".split()  # noqa: SIM905 - a list of names
)


def used_here(view: View, file: File, gone: Definition, after: Facts) -> Iterator[Reference]:
    """In the file that had it."""
    symbol, language = gone.symbol, language_of(file.path) or ""
    if file.after is None or is_builtin(symbol, language) or not _is_gone(view, file, symbol, after):
        return
    called = [call.line for call in after.calls if call.callee.removeprefix("new ") == symbol]
    spoken = uses(Source(file.path, file.after, language_of(file.path)), symbol) if "." not in symbol else []
    yield from (Reference(file.path, line, None) for line in dict.fromkeys(sorted((*called, *spoken))))


def is_builtin(symbol: str, language: str) -> bool:
    return symbol in (_SCRIPT_GIVEN if language in SCRIPTS else _GIVEN.get(language, frozenset()))


def _is_gone(view: View, file: File, symbol: str, after: Facts) -> bool:
    language = language_of(file.path)
    if language in SCRIPTS:
        # What is no module may have it from another script of the page.
        return bool(after.imports or after.exports)
    if language == "go":
        return not is_in_folder(view, file.path, symbol)
    return not is_exported(view, file.path, symbol)


def used_elsewhere(sides: Sides, symbol: str) -> Iterator[Reference]:
    """As a name of its module, in whichever file has imported that as a whole; in Go in the files beside it as well."""
    view, path = sides.view, sides.old_path
    if "." in symbol or _is_exported(view, DefinitionSite(path, symbol)):
        return
    for other, facts in view.beside(path) if language_of(path) == "go" else ():
        if other != path and symbol not in facts.bound:
            yield from _spoken_of(view, other, symbol)
    found = (reference for other, local in wholes(sides) for reference in _spoken_of(view, other, f"{local}.{symbol}"))
    yield from islice(found, _ENOUGH)


def wholes(sides: Sides) -> Sequence[tuple[str, str]]:
    """The files that have imported the file as a whole, with what they call it: once for all names."""
    if sides.wholes is None:
        sides.wholes = list(_wholes(sides.earlier, sides.old_path))
    return sides.wholes


def _wholes(view: View, site: str) -> Iterator[tuple[str, str]]:
    found = list(importers(view, [site], most=_MOST + 1))
    words = {*NAMELESS, *module_words(view, site)}
    for path, facts in found if len(found) <= _MOST else ():
        near = [each for each in facts.imports if f"m{each.name or last_part(each.module)}" in words]
        for each in near if path != site else ():
            target = imported(view, path, each)
            is_whole = target is not None and not (target.symbol and each.name) and _is_module(target.path, site)
            if is_whole and not each.guarded and each.local not in facts.bound:
                yield path, each.local


def _is_exported(view: View, site: DefinitionSite) -> bool:
    if language_of(site.path) == "go":
        return is_in_folder(view, site.path, site.symbol)
    return is_exported(view, site.path, site.symbol)


def _is_module(target: str, site: str) -> bool:
    if language_of(site) == "go":
        return posixpath.dirname(target) == posixpath.dirname(site)
    return target == site


def _spoken_of(view: View, path: str, name: str) -> Iterator[Reference]:
    lines = uses(Source(path, view.text(path), language_of(path)), name)
    yield from (Reference(path, line, None) for line in lines)


# Of Go: who names them is not asked.
_TYPES = frozenset({STRUCT, INTERFACE, ALIAS, DERIVED, PLAIN_TYPE})
_BY_NAME = SCRIPTS | {"python"}
_MADE = expression(r"\bglobals\(\)|\bsys\.modules\[__name__\]|\bvars\(\)")
_LIST = expression(r"^__all__[^=\n]*=\s*[\[(][^\])]*", re.MULTILINE)
_OF_PYTHON = frozenset(dir(object))
_OF_SCRIPTS = frozenset(
    """hasOwnProperty isPrototypeOf propertyIsEnumerable toLocaleString toString valueOf""".split()  # noqa: SIM905 - a list of names
)


def find_removed(sides: Sides) -> Iterator[Broken]:
    """Nothing, where one of the texts does not parse: what is there may be where nobody can read it."""
    if sides.before.unsure or sides.after.unsure:
        return
    was, now = unique(sides.before), unique(sides.after)
    there, stood = names(sides.after), names(sides.before)
    new = [each for symbol, each in now.items() if symbol not in stood]
    for symbol, each in was.items():
        if symbol not in there and each.kind not in _TYPES:
            yield from _lost_method(sides, each, new) if each.kind == METHOD else _lost(sides, each, new)
    yield from _hidden(sides)


def _lost(sides: Sides, each: Definition, new: list[Definition]) -> Iterator[Broken]:
    after = sides.after
    if each.symbol in after.bound or any(it.local == each.symbol for it in after.imports):
        return
    # As it was, or nobody would know any more what these calls meant.
    site = DefinitionSite(sides.old_path, each.symbol)
    here = list(used_here(sides.view, sides.file, each, after))
    found = (*here, *(_missing(sides, site) if not _may_be_exported(sides, each.symbol) else ()))
    if not found:
        return
    alike = [it for it in new if it.kind == each.kind and it.parameters == each.parameters]
    if len(alike) == 1:
        yield Broken(RENAMED, each.symbol, alike[0].line, f"is called `{alike[0].symbol}` now", found)
    else:
        yield Broken(GONE, each.symbol, here[0].line if here else 1, "is gone", found)


def _missing(sides: Sides, site: DefinitionSite) -> Iterator[Reference]:
    """Who looks for it in other files and does not find it."""
    told = set()
    for reference in references(sides.earlier, site, site.symbol.rpartition(".")[2]):
        is_elsewhere = reference.path not in {site.path, sides.file.path}
        if (
            is_elsewhere
            and not is_resolved(sides.view, reference)
            and not is_mocked(sides.view.text(reference.path), site.path)
        ):
            told.add((reference.path, reference.line))
            yield reference
    values = used_elsewhere(sides, site.symbol)
    yield from (reference for reference in values if (reference.path, reference.line) not in told)


def _may_be_exported(sides: Sides, name: str) -> bool:
    """Whether the module may have the name in another way; what Go brings along the whole package has."""
    is_brought = language_of(sides.file.path) == "go" and is_builtin(name, "go")
    return is_brought or _may_be_made(sides, name)


def _may_be_made(sides: Sides, name: str) -> bool:
    """Whether a module of Python may get the name as it is loaded: out of a text, or with all that there is."""
    text = sides.file.after or ""
    if language_of(sides.file.path) != "python" or not text:
        return False
    return bool(_MADE.search(text)) or f'"{name}"' in (quoted := _LIST.sub("", text)) or f"'{name}'" in quoted


def _lost_method(sides: Sides, each: Definition, new: list[Definition]) -> Iterator[Broken]:
    """Of a class that is still there, for whoever calls it on an object, on `self`, or by the name of the class."""
    owner = each.symbol.rpartition(".")[0]
    holder = _holder(sides, owner)
    if holder is None or _is_everybodys(sides.file.path, each.name):
        return
    known = tuple(missed_by_objects(sides, DefinitionSite(sides.old_path, each.symbol)))
    if known:
        yield _without(each, new, known[0].line if known[0].path == sides.file.path else holder.line, known)
    yield from _missed_by_name(sides, each, new, holder, {(reference.path, reference.line) for reference in known})


def _holder(sides: Sides, owner: str) -> Definition | None:
    """The class as it would be; in Go the methods of a type may stand in any file of its package."""
    if language_of(sides.old_path) != "go":
        return unique(sides.after).get(owner)
    klass = type_beside(sides.view, sides.file.path, sides.before, owner)
    if klass is None or klass.path == sides.file.path:
        return klass.definition if klass is not None else None
    return replace(klass.definition, line=1)


def _is_everybodys(path: str, name: str) -> bool:
    """Whether every object has it, whatever its class says."""
    return name in (_OF_SCRIPTS if language_of(path) in SCRIPTS else _OF_PYTHON)


def _without(each: Definition, new: list[Definition], line: int, found: tuple[Reference, ...]) -> Broken:
    """A method that is gone, or one that has another name."""
    owner = each.symbol.rpartition(".")[0]
    alike = [it for it in new if it.kind == METHOD and it.symbol.rpartition(".")[0] == owner]
    alike = [it for it in alike if it.parameters == each.parameters and _is_named(it)]
    if len(alike) == 1:
        return Broken(RENAMED, each.symbol, alike[0].line, f"is called `{alike[0].name}` now", found)
    return Broken(GONE, each.symbol, line, "is gone", found)


def _is_named(method: Definition) -> bool:
    """Whether others can call it by the name that stands there: no constructor, and no name that is computed."""
    return method.name not in MAKERS and not method.name.startswith("[")


def _missed_by_name(
    sides: Sides, each: Definition, new: list[Definition], holder: Definition, told: set[tuple[str, int]]
) -> Iterator[Broken]:
    """Calls of a method that no class of the project has any more, in files that know its file."""
    if each.name.startswith("_") or language_of(sides.file.path) not in _BY_NAME:
        return
    found = tuple(
        Reference(path, call.line, call)
        for path, facts in importers(sides.view, [sides.file.path], [each.name])
        if path != sides.file.path
        for call in facts.calls
        if call.callee.endswith(f".{each.name}") and call.callee.partition(".")[0] not in SELVES
        if not is_called_on_object(sides.view, path, facts, call) and (path, call.line) not in told
    )
    if found and not _has_method(sides, each.name):
        yield _without(each, new, holder.line, found)._replace(by_name=True)


def _has_method(sides: Sides, name: str) -> bool:
    """Whether any class of the project has such a method, or nobody can tell."""
    classes = (it for _, facts in sides.view.holding([f"d{name}"]) for it in facts.definitions)
    return not sides.view.sees_all or any(it.name == name for it in classes)


def _hidden(sides: Sides) -> Iterator[Broken]:
    """Names that others import, and that cannot be had from here any more, be it passed on or of another kind."""
    file = sides.file
    lost = _exported_names(sides, sides.before) - (set() if file.was else _exported_names(sides, sides.after))
    lacking = names(sides.before) - names(sides.after)
    told = lacking | {each.name for each in sides.before.exports if each.local in lacking and not each.module}
    found: dict[str, list[Reference]] = {}
    lost = {name for name in lost if not _may_be_made(sides, name)}
    for name, reference in _importing(sides, lost) if lost else ():
        if name not in told and not is_resolved(sides.view, reference):
            found.setdefault(name, []).append(reference)
    outward = _outward(sides) if file.after is not None and not file.was else {}
    for name in sorted(outward.keys() & lost - told):
        for reference in _reaching(sides, name, outward[name]):
            found.setdefault(name, []).append(reference)
    yield from _moved(sides, found) if file.was or file.after is None else _unexported(sides, found)


def _unexported(sides: Sides, found: dict[str, list[Reference]]) -> Iterator[Broken]:
    still = {each.symbol: each.line for each in sides.after.definitions}
    is_script = language_of(sides.file.path) in SCRIPTS
    text = "is no longer exported" if is_script else "can no longer be imported from here"
    for name, each in found.items():
        yield Broken(EXPORT, name, still.get(name, 1), text, tuple(dict.fromkeys(each)))


def _moved(sides: Sides, found: dict[str, list[Reference]]) -> Iterator[Broken]:
    """All that imported from the file, or the file as a whole."""
    every = dict.fromkeys(reference for each in found.values() for reference in each)
    every.update(dict.fromkeys(_whole(sides)))
    if every:
        text = f"is `{sides.file.path}` now" if sides.file.was else "is gone"
        yield Broken(EXPORT, sides.old_path, 1, text, tuple(every))


def _whole(sides: Sides) -> Iterator[Reference]:
    site = sides.old_path
    for path, facts in importers(sides.earlier, [site]):
        for each in facts.imports if path not in {site, sides.file.path} else ():
            reference = Reference(path, each.line, None, each)
            target = imported(sides.earlier, path, each)
            is_whole = target is not None and target.path == site and not (target.symbol and each.name)
            if is_whole and not is_resolved(sides.view, reference):
                yield reference


def _importing(sides: Sides, lost: set[str]) -> Iterator[tuple[str, Reference]]:
    """Who imported one of these from the file, as it was."""
    earlier, site = sides.earlier, sides.old_path
    wanted = [] if any(name.startswith("*") for name in lost) else ["*", *lost]
    for path, facts in importers(earlier, [site], wanted):
        listed: list[tuple[str, Import | Export]] = [(each.name, each) for each in facts.imports]
        listed += [(each.local, each) for each in facts.exports if each.module]
        for name, each in listed:
            is_wanted = path not in {site, sides.file.path} and name and (name in lost or not wanted)
            if is_wanted and module_file(earlier, path, each.module) == site and is_exported(earlier, site, name):
                yield name, Reference(path, each.line, None, each)


def _exported_names(sides: Sides, facts: Facts) -> set[str]:
    if language_of(sides.file.path) in SCRIPTS:
        # Of what nobody knows nobody can say that it is gone.
        told = (each for each in facts.exports if each.module or each.name != "*")
        return {f"* {each.module}" if each.name == "*" else each.name for each in told}
    return names(facts) | facts.bound | {each.local for each in facts.imports}


def _reaching(sides: Sides, name: str, symbol: str) -> Iterator[Reference]:
    """Who gets a name by way of others that pass it on, or of the whole module."""
    for reference in references(sides.earlier, DefinitionSite(sides.old_path, symbol), name):
        if reference.call is None and reference.path != sides.old_path and not is_resolved(sides.view, reference):
            yield reference
    yield from used_elsewhere(sides, name)


def _outward(sides: Sides) -> dict[str, str]:
    """Names that others may get from the file, with what they are called in it."""
    if language_of(sides.file.path) in SCRIPTS:
        return {each.name: each.local for each in sides.before.exports if each.name not in {"*", "default"}}
    if language_of(sides.file.path) == "go":
        return {}  # what a file imports is its own affair
    found = {each.local for each in sides.before.imports if "." not in each.local} | sides.before.rebound
    return {name: name for name in found}


# Languages whose classes Java uses as its own.
_KIN = ("kt", "groovy", "scala")


def find_removed_from_namespace(sides: Sides, own: LanguageResolver) -> Iterator[Broken]:
    """Nothing, where one of the texts does not parse: what is there may be where nobody can read it."""
    if sides.before.unsure or sides.after.unsure or _is_rewritten(sides):
        return
    now = unique(sides.after)
    has_moved = sides.before.space != sides.after.space or bool(sides.file.was)
    there, stood = set() if has_moved else names(sides.after), names(sides.before)
    known = {_spelled(symbol, own) for symbol in there}
    gone = {symbol: each for symbol, each in _known(sides.before, own).items() if _spelled(symbol, own) not in known}
    new = [each for symbol, each in now.items() if symbol not in stood]
    for symbol, each in gone.items():
        parts = _parts(gone, each, own) if _counts(gone, each) and not _is_held(sides, each) else ()
        found = tuple(dict.fromkeys(reference for it in parts for reference in _not_found(sides, own, it)))
        if found:
            yield _moved_away(each, sides, found) if symbol in now else _broken(each, new, found)


def _spelled(symbol: str, own: LanguageResolver) -> str:
    return symbol.lower() if own.any_case else symbol


def _is_rewritten(sides: Sides) -> bool:
    """Whether the change has the file in another language, in which the same classes stand."""
    stem, _, ending = sides.old_path.rpartition("/")[2].rpartition(".")
    others = {f"{stem}.{each}" for each in _KIN} if ending == "java" else set()
    return any(path.rpartition("/")[2] in others for path in sides.changed)


def _known(facts: Facts, own: LanguageResolver) -> Mapping[str, Definition]:
    """Where types are written, what a name means is known of all its forms."""
    return {each.symbol: each for each in facts.definitions} if own.is_typed else unique(facts)


def _parts(gone: Mapping[str, Definition], each: Definition, own: LanguageResolver) -> Iterator[Definition]:
    """It and all that went with it: who used a part may never have named the whole."""
    yield each
    if own.is_typed:
        yield from (it for name, it in gone.items() if name.startswith(f"{each.symbol}."))


def _counts(gone: Collection[str], each: Definition) -> bool:
    """Of a class that is gone nobody misses a part, and what others ask of a class they may have another way."""
    is_part = any(each.symbol.startswith(f"{other}.") for other in gone)
    return not is_part and not (each.parameters is None and each.kind in {FUNCTION, METHOD})


def _is_held(sides: Sides, each: Definition) -> bool:
    """Whether a property or a field has the name now: it may hold what is called."""
    if language_of(sides.file.path) != "csharp" or each.kind != METHOD:
        return False
    return bool(re.search(rf"[\w>\])?]\s+{re.escape(each.name)}\s*(?:\{{|=|;)", sides.file.after or ""))


def _moved_away(each: Definition, sides: Sides, found: tuple[Reference, ...]) -> Broken:
    where = sides.after.space if sides.before.space != sides.after.space else sides.file.path
    return Broken(RENAMED, each.symbol, 1, f"is in `{where}` now", found)


def _broken(each: Definition, new: list[Definition], found: tuple[Reference, ...]) -> Broken:
    owner = each.symbol.rpartition(".")[0]
    alike = [
        it
        for it in new
        if (it.kind, it.parameters, it.symbol.rpartition(".")[0]) == (each.kind, each.parameters, owner)
        and owner.rpartition(".")[2] != each.name
    ]
    if len(alike) == 1:
        return Broken(RENAMED, each.symbol, alike[0].line, f"is called `{alike[0].symbol}` now", found)
    return Broken(GONE, each.symbol, 1, "is gone", found)


def _not_found(sides: Sides, own: LanguageResolver, each: Definition) -> Iterator[Reference]:
    is_elsewhere = own.has_subclasses and defined(sides, each.name) > 0
    is_interface = own.is_typed and _is_without_maker(sides, each)
    for path, facts, by in uses_of(sides, own, each.symbol):
        if is_interface and isinstance(by, CallSite) and _is_of_subclass(facts, by):
            continue
        if not (is_elsewhere and is_own(by)) and not own.resolves(sides.view, path, facts, by):
            yield reference_by(path, by)


def _is_of_subclass(facts: Facts, by: CallSite) -> bool:
    """Whether a subclass says it, or an anonymous class: an interface needs nothing of them."""
    if by.is_open or by.owner.endswith(UNKNOWN):
        return True
    above = by.of or by.callee.removeprefix(NEW)
    hands_up = any(each.symbol == by.owner and above in each.bases for each in facts.definitions)
    return hands_up and not by.positional and not by.keywords


def _is_without_maker(sides: Sides, each: Definition) -> bool:
    """Whether it made objects of a class that is an interface now."""
    owner = each.symbol.rpartition(".")[0]
    return owner.rpartition(".")[2] == each.name and owner in names(sides.after)
