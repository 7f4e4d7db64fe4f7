"""Which definition a call means, and who calls a definition: by what is imported, never by a name alone."""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING, NamedTuple

from vetgate.index.facts import last_part
from vetgate.index.modules import go_folder, python_file, script_file
from vetgate.source.language import language_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vetgate.index.facts import Call, Definition, Export, Facts, Import
    from vetgate.index.view import View

_SCRIPTS = frozenset({"javascript", "typescript", "tsx"})
_FURTHEST = 6
_NEW = "new "
_PACKAGE = "__init__.py"


class Place(NamedTuple):
    """A name in a file; the file itself where there is no name. In Go any file of the folder may hold it."""

    path: str
    symbol: str


class Site(NamedTuple):
    """Where something is used: by a call, or by an import alone."""

    path: str
    line: int
    call: Call | None


def definition_of(view: View, place: Place) -> tuple[str, Definition] | None:
    """The one definition there is; None for none, and for several."""
    found = [
        (path, each)
        for path, facts in _files(view, place.path)
        for each in facts.definitions
        if each.symbol == place.symbol
    ]
    return found[0] if len(found) == 1 else None


def _files(view: View, path: str) -> Iterator[tuple[str, Facts]]:
    if language_of(path) == "go":
        yield from view.beside(path)
        return
    facts = view.facts(path)
    if facts is not None:
        yield path, facts


def called(view: View, path: str, facts: Facts, call: Call) -> Place | None:
    """What a call of this file means, as far as imports tell."""
    callee = call.callee.removeprefix(_NEW)
    first, _, rest = callee.partition(".")
    if first in {"self", "cls", "this"} and call.owner and rest and "." not in rest:
        return Place(path, f"{call.owner}.{rest}") if rest not in facts.bound else None
    if first == "?" or first in facts.bound:
        return None
    brought = [each for each in facts.imports if callee == each.local or callee.startswith(f"{each.local}.")]
    if brought:
        longest = max(len(each.local) for each in brought)
        found = {
            _reached(view, path, each, callee[longest:].strip(".")) for each in brought if len(each.local) == longest
        }
        return found.pop() if len(found) == 1 else None
    own = [each for each in facts.definitions if each.symbol == callee]
    if not own and language_of(path) == "go" and not rest:
        return Place(path, callee)
    return Place(path, callee) if len(own) == 1 else None


def _reached(view: View, path: str, each: Import, rest: str) -> Place | None:
    target = imported(view, path, each)
    if target is None:
        return None
    symbol = ".".join(filter(None, (target.symbol, rest)))
    if target.symbol or not rest or language_of(path) == "go":
        return Place(target.path, symbol)
    # `module.name`: the module may have it from somewhere else.
    head, _, tail = rest.partition(".")
    found = _named(view, target.path, head, _FURTHEST)
    return Place(found.path, ".".join(filter(None, (found.symbol, tail)))) if found else None


def imported(view: View, path: str, each: Import) -> Place | None:
    """What an import of this file means."""
    key = (path, each)
    if key not in view.meant:
        view.meant[key] = _imported(view, path, each)
    return view.meant[key]


def _imported(view: View, path: str, each: Import) -> Place | None:
    if language_of(path) == "go":
        folder = go_folder(view, each.module)
        return Place(posixpath.join(folder, "any.go"), "") if folder is not None else None
    file = module_file(view, path, each.module)
    if file is None:
        return None
    return _named(view, file, each.name, _FURTHEST) if each.name else Place(file, "")


def module_file(view: View, path: str, module: str) -> str | None:
    if language_of(path) in _SCRIPTS:
        return script_file(view, path, module)
    return python_file(view, path, module) if language_of(path) == "python" else None


def _named(view: View, file: str, name: str, further: int) -> Place | None:
    """A name of a module, followed to where it is defined."""
    facts = view.facts(file)
    if facts is None or not further:
        return None
    if language_of(file) in _SCRIPTS:
        return _exported(view, file, facts, name, further)
    if language_of(file) == "go":
        return Place(file, name)
    if name in facts.bound or any(each.symbol == name for each in facts.definitions):
        return Place(file, name)
    found = [each for each in facts.imports if each.local == name and each.name]
    if len(found) == 1:
        origin = module_file(view, file, found[0].module)
        return _named(view, origin, found[0].name, further - 1) if origin else None
    inside = module_file(view, file, f".{name}") if posixpath.basename(file).startswith("__init__.") else None
    return Place(inside, "") if inside else Place(file, name)


def _exported(view: View, file: str, facts: Facts, name: str, further: int) -> Place | None:
    listed = next((each for each in facts.exports if each.name == name), None)
    if listed is not None:
        return _passed_on(view, file, facts, listed, further)
    for each in facts.exports:
        origin = module_file(view, file, each.module) if each.name == "*" else None
        found = _named(view, origin, name, further - 1) if origin else None
        if found is not None and definition_of(view, found):
            return found
    return Place(file, name) if facts.exports else None


def _passed_on(view: View, file: str, facts: Facts, each: Export, further: int) -> Place | None:
    """An export of another module's name, be it in one statement or by way of an import."""
    module, name = each.module, each.local
    if not module:
        again = next((it for it in facts.imports if it.local == each.local and it.name), None)
        if again is None:
            return Place(file, each.local)
        module, name = again.module, again.name
    origin = module_file(view, file, module)
    return _named(view, origin, name, further - 1) if origin else None


def sites(view: View, place: Place, name: str) -> Iterator[Site]:
    """Calls and imports that mean this place, those of its own file first; `name` is its last part."""
    own = view.facts(place.path)
    if own is not None:
        yield from _sites_in(view, place.path, own, place)
    for path, facts in dict(_mentioning(view, place, name)).items():
        if path != place.path:
            yield from _sites_in(view, path, facts, place)


def _mentioning(view: View, place: Place, name: str) -> Iterator[tuple[str, Facts]]:
    if language_of(place.path) == "go":
        yield from view.beside(place.path)
    yield from view.holding(_modules(view, place.path, name), [f"c{name}"])


def _modules(view: View, path: str, name: str) -> list[str]:
    """What a file that has it from there may call the module: the file, its folder, or those above that pass it on."""
    parts = path.split("/")
    if language_of(path) != "python":
        return [f"m{last_part(f'./{part}')}" for part in parts]
    is_package = parts[-1] == _PACKAGE
    found = [f"m{part}" for part in parts[-2:-1]] if is_package else [f"m{parts[-1].rpartition('.')[0]}"]
    above = [depth for depth in range(1, len(parts) - is_package) if _is_passed_on(view, parts[:depth], name)]
    # `from . import name` names no module.
    relative = ["m"] if is_package or above else []
    return [*found, *(f"m{parts[depth - 1]}" for depth in above), *relative]


def _is_passed_on(view: View, folder: list[str], name: str) -> bool:
    facts = view.facts("/".join((*folder, _PACKAGE)))
    return facts is not None and any(each.name in {name, "*"} for each in facts.imports)


def _sites_in(view: View, path: str, facts: Facts, place: Place) -> Iterator[Site]:
    last = place.symbol.rpartition(".")[2]
    aliases = {each.local for each in facts.imports if each.name != each.local}
    for call in facts.calls:
        callee = call.callee.removeprefix(_NEW)
        may_be = callee.rpartition(".")[2] == last or callee in aliases
        if may_be and _same(called(view, path, facts, call), place):
            yield Site(path, call.line, call)
    for each in facts.imports:
        if each.name and each.name == place.symbol and _same(imported(view, path, each), place):
            yield Site(path, each.line, None)


def _same(found: Place | None, place: Place) -> bool:
    if found is None or found.symbol != place.symbol:
        return False
    if language_of(place.path) == "go":
        return posixpath.dirname(found.path) == posixpath.dirname(place.path)
    return found.path == place.path
