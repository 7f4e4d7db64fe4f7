"""Which definition a call means: by what is imported, never by a name alone."""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING, NamedTuple

from vetgate.index import go_objects
from vetgate.index.commonjs import DEFAULT
from vetgate.index.facts import NEW, CallSite, DefinitionSite, last_name
from vetgate.index.inheritance import MemberLookup, SourceDefinition
from vetgate.index.language_resolver import resolver_for
from vetgate.index.members import Members, object_of, receiver_of
from vetgate.index.modules import go_folder, is_star_exported, python_file, script_file
from vetgate.index.objects import UNSURE
from vetgate.index.return_types import AWAITED, RESULT, returned_class
from vetgate.source.language import language_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from vetgate.index.facts import Definition, Export, Facts, Import
    from vetgate.index.members import Receiver
    from vetgate.index.view import View

SCRIPTS = frozenset({"javascript", "typescript", "tsx"})
_DOT = "."
# So many functions give, one after the other, what the next one is asked of.
_MOST_GIVEN = 20
# How a callee begins of which the class is not known.
_NO_NAMES = frozenset({"?", "this", "super"})


def definition_of(view: View, site: DefinitionSite) -> tuple[str, Definition] | None:
    """The one definition there is; None for none, for several, and where the name may come from somewhere else."""
    if language_of(site.path) == "go" and "." in site.symbol:
        return go_objects.defined(view, site)
    files = list(_files(view, site.path))
    found = [(path, each) for path, facts in files for each in facts.definitions if each.symbol == site.symbol]
    if any(each.local == site.symbol for _, facts in files for each in facts.imports):
        return None
    if any(site.symbol.partition(".")[0] in facts.rebound for _, facts in files):
        return None
    return found[0] if len(found) == 1 else None


def _files(view: View, path: str) -> Iterator[tuple[str, Facts]]:
    if language_of(path) == "go":
        yield from view.beside(path)
        return
    facts = view.facts(path)
    if facts is not None:
        yield path, facts


def called(view: View, path: str, facts: Facts, call: CallSite) -> DefinitionSite | None:
    """What a call of this file means, as far as imports tell."""
    if own_way := resolver_for(path):
        return own_way.called(view, path, facts, call)
    if go_objects.is_apart(path):
        return None
    receiver = receiver_of(facts, call)
    if receiver is not None:
        return _of_object(view, path, facts, (receiver, last_name(call.callee))).site
    site = _by_names(view, path, facts, call)
    if site is None or "." not in site.symbol or language_of(path) == "go":
        return site
    return _member_at(view, site).site or site


class On(NamedTuple):
    """What a call is made on, and the file in which its class has that name; a variable of another file by its name."""

    path: str
    facts: Facts
    receiver: Receiver
    name: str = ""

    def klass(self, view: View) -> SourceDefinition | None:
        return MEMBERS.klass(view, self.path, self.facts, self.receiver)


def called_on(view: View, path: str, facts: Facts, call: CallSite) -> On | None:
    """An object of this file, or a variable that another one has; None for a class by its name, and for a module."""
    receiver = receiver_of(facts, call)
    if receiver is not None:
        return On(path, facts, receiver)
    site = _by_names(view, path, facts, call) if "." in call.callee else None
    return _object_at(view, site) if site is not None and "." in site.symbol else None


def _object_at(view: View, site: DefinitionSite) -> On | None:
    """The variable of a file that a method is asked of."""
    facts = view.facts(site.path)
    name = site.symbol.rpartition(".")[0]
    receiver = object_of(facts, name) if facts is not None else None
    return On(site.path, facts, receiver, name) if facts is not None and receiver is not None else None


def member_called(view: View, path: str, facts: Facts, call: CallSite) -> MemberLookup:
    """The method that a call means, be it of an object or by the name of a class; whether there is none for sure."""
    receiver = receiver_of(facts, call)
    if receiver is not None:
        return _of_object(view, path, facts, (receiver, last_name(call.callee)))
    site = _by_names(view, path, facts, call)
    return _member_at(view, site) if site is not None and "." in site.symbol else MemberLookup(None, sure=False)


def _member_at(view: View, site: DefinitionSite) -> MemberLookup:
    on = _object_at(view, site)
    if on is None:
        return MEMBERS.in_class(view, site)
    return MEMBERS.called(view, on.path, on.facts, (on.receiver, last_name(site.symbol)))


def _of_object(view: View, path: str, facts: Facts, wanted: tuple[Receiver, str]) -> MemberLookup:
    look = go_objects.member if language_of(path) == "go" else MEMBERS.called
    return look(view, path, facts, wanted)


def _by_names(view: View, path: str, facts: Facts, call: CallSite) -> DefinitionSite | None:
    callee = call.callee.removeprefix(NEW)
    first, _, rest = callee.partition(".")
    if first in _NO_NAMES or first in facts.bound or call.of == UNSURE:
        return None
    brought = bringing(facts, callee)
    if brought and call.owner and any(_is_inside(each, call.owner, first) for each in facts.definitions):
        return None
    if brought:
        longest = max(len(each.local) for each in brought)
        found = {
            _reached(view, path, each, callee[longest:].strip(".")) for each in brought if len(each.local) == longest
        }
        return found.pop() if len(found) == 1 else None
    own = [each for each in facts.definitions if each.symbol == callee]
    if not own and not (rest and _has_class(facts, first)):
        return _from_all(view, path, facts, first, rest)
    return DefinitionSite(path, callee) if len(own) < 2 else None


def _has_class(facts: Facts, name: str) -> bool:
    return any(each.kind == "class" and each.symbol == name for each in facts.definitions)


def _is_inside(definition: Definition, owner: str, name: str) -> bool:
    """Whether it is a class of this name inside of another: there the name means this one, and in its methods not."""
    return definition.kind == "class" and definition.symbol == f"{owner}.{name}"


def _class_named(view: View, path: str, facts: Facts, name: str) -> SourceDefinition | None:
    if name.endswith(RESULT):
        return _returned_class(view, path, facts, name)
    if facts is view.facts(path):
        return view.once(("class", path, name), lambda: _class_of_name(view, path, facts, name))
    return _class_of_name(view, path, facts, name)


def _class_of_name(view: View, path: str, facts: Facts, name: str) -> SourceDefinition | None:
    first = name.partition(".")[0]
    if bringing(facts, name) and any(each.symbol == first for each in facts.definitions):
        return None
    if any(each.kind == "class" and each.symbol.endswith(f".{first}") for each in facts.definitions):
        return None  # inside of another class the name means the one that stands there
    site = called(view, path, facts, CallSite(name, 0))
    found = definition_of(view, site) if site is not None else None
    there = view.facts(found[0]) if found is not None else None
    if found is None or there is None or found[1].kind != "class" or there.unsure:
        return None
    return SourceDefinition(*found, there)


def _returned_class(view: View, path: str, facts: Facts, kind: str) -> SourceDefinition | None:
    """Of what a function gives; it may be asked of an object that another one gives, round and round."""
    key = ("given", path, kind)
    if key in view.asked or len(view.asked) > _MOST_GIVEN:
        return None
    view.asked.add(key)
    try:
        callee = kind.removeprefix(AWAITED).removesuffix(RESULT)
        site = called(view, path, facts, CallSite(callee, 0))
        found = definition_of(view, site) if site is not None else None
        there = view.facts(found[0]) if found is not None else None
        # A decorator that nobody knows may give something else.
        if found is None or there is None or found[1].parameters is None or found[1].kind == "class":
            return None
        name = returned_class(found[1], kind, is_python=language_of(path) == "python")
        return _class_named(view, found[0], there, name) if name else None
    finally:
        view.asked.discard(key)


MEMBERS = Members(_class_named)


def bringing(facts: Facts, callee: str) -> list[Import]:
    """The imports by which a name may have come."""
    return [each for each in facts.imports if callee == each.local or callee.startswith(f"{each.local}.")]


def _from_all(view: View, path: str, facts: Facts, first: str, rest: str) -> DefinitionSite | None:
    """A name that nobody imports by itself: one of all those of a module, or in Go of the same folder."""
    if language_of(path) == "go":
        dots = (imported(view, path, each) for each in facts.imports if each.local == _DOT)
        found = next(
            (
                DefinitionSite(it.path, first)
                for it in dots
                if it and definition_of(view, DefinitionSite(it.path, first))
            ),
            None,
        )
        return None if rest else found or DefinitionSite(path, first)
    named = _among(view, path, facts, first, set())
    return DefinitionSite(named.path, ".".join(filter(None, (named.symbol, rest)))) if named else None


def _among(view: View, path: str, facts: Facts, name: str, seen: set[DefinitionSite]) -> DefinitionSite | None:
    """The module among those of which all names are imported, or passed on, that has this one."""
    scripts = language_of(path) in SCRIPTS
    # Of several the last one wins in Python; in a script they may not differ.
    everything: Iterable[Import | Export] = facts.exports if scripts else reversed(facts.imports)
    for each in everything:
        origin = module_file(view, path, each.module) if each.name == "*" and each.module else None
        found = named(view, origin, name, seen) if origin else None
        if origin is None or found is None or not (definition_of(view, found) or _is_value(view, found)):
            continue
        if scripts or is_star_exported(view, origin, name):
            return found
    return None


def _is_value(view: View, site: DefinitionSite) -> bool:
    """Whether it is there without being a function or a class."""
    facts = view.facts(site.path)
    if facts is None:
        return False
    return site.symbol in facts.rebound or any(each.local == site.symbol for each in facts.exports if not each.module)


def _reached(view: View, path: str, each: Import, rest: str) -> DefinitionSite | None:
    target = imported(view, path, each)
    if target is None:
        return None
    symbol = ".".join(filter(None, (target.symbol, rest)))
    if target.symbol or not rest or language_of(path) == "go":
        return DefinitionSite(target.path, symbol)
    # `module.name`: the module may have it from somewhere else.
    head, _, tail = rest.partition(".")
    found = named(view, target.path, head)
    return DefinitionSite(found.path, ".".join(filter(None, (found.symbol, tail)))) if found else None


def imported(view: View, path: str, each: Import) -> DefinitionSite | None:
    """What an import of this file means."""
    key = (path, each)
    if key not in view.meant:
        view.meant[key] = _imported(view, path, each)
    return view.meant[key]


def _imported(view: View, path: str, each: Import) -> DefinitionSite | None:
    if own_way := resolver_for(path):
        return own_way.imported(view, path, each)
    if language_of(path) == "go":
        folder = go_folder(view, each.module)
        return DefinitionSite(posixpath.join(folder, "any.go"), "") if folder is not None else None
    file = module_file(view, path, each.module)
    if file is None:
        return None
    return named(view, file, each.name) if each.name else _whole(view, file)


def _whole(view: View, file: str) -> DefinitionSite:
    """A module; one of the older kind may be a class, or an object of one."""
    facts = view.facts(file)
    older = facts is not None and any(each.name == "*" and not each.module for each in facts.exports)
    listed = next((each.local for each in facts.exports if each.name == DEFAULT), "") if facts and older else ""
    if facts is not None and listed and (_has_class(facts, listed) or object_of(facts, listed) is not None):
        return DefinitionSite(file, listed)
    return DefinitionSite(file, "")


def module_file(view: View, path: str, module: str) -> str | None:
    key = (path, module)
    if key not in view.modules:
        view.modules[key] = _module_file(view, path, module)
    return view.modules[key]


def _module_file(view: View, path: str, module: str) -> str | None:
    if language_of(path) in SCRIPTS:
        return script_file(view, path, module)
    return python_file(view, path, module) if language_of(path) == "python" else None


def named(view: View, file: str, name: str, seen: set[DefinitionSite] | None = None) -> DefinitionSite | None:
    """A name of a module, followed to where it is defined; `seen` is where that led already."""
    facts, seen = view.facts(file), set() if seen is None else seen
    if facts is None or DefinitionSite(file, name) in seen:
        return None
    seen.add(DefinitionSite(file, name))
    if language_of(file) in SCRIPTS:
        return _exported(view, file, facts, name, seen)
    if language_of(file) == "go":
        return DefinitionSite(file, name)
    if name in facts.bound or any(each.symbol == name for each in facts.definitions):
        return DefinitionSite(file, name)
    found = [each for each in facts.imports if each.local == name and each.name]
    if len(found) == 1:
        origin = module_file(view, file, found[0].module)
        return named(view, origin, found[0].name, seen) if origin else None
    inside = module_file(view, file, f".{name}") if posixpath.basename(file).startswith("__init__.") else None
    return DefinitionSite(inside, "") if inside else _among(view, file, facts, name, seen) or DefinitionSite(file, name)


def _exported(view: View, file: str, facts: Facts, name: str, seen: set[DefinitionSite]) -> DefinitionSite | None:
    listed = next((each for each in facts.exports if each.name == name), None)
    if listed is not None:
        return _passed_on(view, file, facts, listed, seen)
    found = _among(view, file, facts, name, seen)
    return found or (DefinitionSite(file, name) if facts.exports else None)


def _passed_on(view: View, file: str, facts: Facts, each: Export, seen: set[DefinitionSite]) -> DefinitionSite | None:
    """An export of another module's name, be it in one statement or by way of an import."""
    module, name = each.module, each.local
    if not module:
        again = next((it for it in facts.imports if it.local == each.local), None)
        if again is None:
            return DefinitionSite(file, each.local)
        module, name = again.module, again.name
    origin = module_file(view, file, module)
    if origin is None or not name:
        return DefinitionSite(origin, "") if origin else None
    return named(view, origin, name, seen)
