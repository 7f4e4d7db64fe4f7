"""What names mean in Ruby: constants by where they are said, if only one place of the project opens them."""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING

from msgspec.structs import replace

from vetgate.index.facts import Import
from vetgate.index.heirs import with_heirs
from vetgate.index.lineage import Home, Lineage, Member
from vetgate.index.place import NEW, Place
from vetgate.index.ruby import CONSTANT, OF_CLASS
from vetgate.index.ruby_calls import INHERITED, ITSELF, OBJECT
from vetgate.index.ruby_given import OF_EVERY_CLASS, OF_EVERYBODY, OUTSIDE
from vetgate.index.ruby_variables import BENT, MAKER

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vetgate.index.facts import Call, Definition, Facts
    from vetgate.index.view import View

_MAGIC = ("method_missing", "respond_to_missing?", "self.method_missing", "self.inherited", "self.included", BENT)
_OPENED = frozenset({"Object", "Kernel", "BasicObject", "Class", "Module"})
_INCLUDED, _EXTENDED = "include ", "extend "
# What so many files define may be anything.
_MANY = 20
# How a file is found that has an extension built.
_IN_C = "ccreate_makefile"
_DOUBT = Member(None, sure=False)


def called(view: View, path: str, facts: Facts, call: Call) -> Place | None:
    return _member(view, path, facts, call).place


def holder(view: View, path: str, facts: Facts, call: Call) -> Place | None:
    del path, facts
    head = _head(call)
    if head in {OBJECT, ITSELF, INHERITED, "?"}:
        return None
    home = named_home(view, call.owner, head)
    return Place(home.path, home.definition.symbol) if home is not None else None


def imported(view: View, path: str, each: Import) -> Place | None:
    del view, path, each
    return None


def serves(view: View, path: str, facts: Facts, by: Call | Import) -> bool:
    if isinstance(by, Import) or any(_defined(view, each) for each in _OPENED):
        return True
    head = _head(by)
    if by.of and _is_added_to(view, by):
        return True
    if head not in {OBJECT, ITSELF, INHERITED, "?"} and not list(_meanings(view, by.owner, head)):
        return False
    if _is_everywhere(by):
        return True
    found = _member(view, path, facts, by)
    return found.place is not None or not found.sure or by.callee.startswith(NEW)


def _is_everywhere(call: Call) -> bool:
    """Whether every object has what is called, or every class where it is called on one."""
    head, _, name = call.callee.rpartition(".")
    is_of_class = not call.of and head not in {OBJECT, INHERITED}
    return name in OF_EVERYBODY or (is_of_class and name in OF_EVERY_CLASS)


def _head(call: Call) -> str:
    """The class that is named, or a word for it."""
    return call.of or call.callee.removeprefix(NEW).partition(".")[0]


def _of_object(view: View, call: Call) -> Member:
    """A method of what `new` has made of a class, if that is what `new` does."""
    home, name = named_home(view, call.owner, call.of), call.callee.rpartition(".")[2]
    is_shared = call.callee.startswith("@") and _is_shared(view, call.owner)
    if home is None or home.definition.made != "class" or is_shared:
        return _DOUBT
    maker = OF_CLASSES.member(view, class_side(home), f"{OF_CLASS}.new")
    is_plain = maker.place is None and maker.sure
    return _OF_OBJECTS.member(view, _object_side(home), name) if is_plain else _DOUBT


def _is_added_to(view: View, call: Call) -> bool:
    """Whether the class may be one of the language or of an extension in C, of which the project has a part only."""
    home = named_home(view, call.owner, call.of)
    if home is None or f"{home.definition.symbol}.{MAKER}" in {each.symbol for each in home.facts.definitions}:
        return False
    return home.definition.symbol.partition(".")[0] in OUTSIDE or any(view.holding([_IN_C], most=1))


def _is_shared(view: View, owner: str) -> bool:
    """Whether others may fill the variables of an object: ancestors, heirs, modules, who opens the class again."""
    key = ("ruby shared", owner)
    if key not in view.found:
        home = _known(view, owner)
        view.found[key] = home is None or bool(home.definition.bases) or len(with_heirs(view, owner)) > 1
    return bool(view.found[key])


def _member(view: View, path: str, facts: Facts, call: Call) -> Member:
    if call.of:
        return _of_object(view, call)
    head, _, name = call.callee.partition(".")
    if head == "?":
        return _DOUBT
    if head.startswith(NEW):
        home = named_home(view, call.owner, head.removeprefix(NEW))
        return _maker(view, home) if home is not None else _DOUBT
    if head not in {OBJECT, ITSELF, INHERITED}:
        home = named_home(view, call.owner, head)
        return OF_CLASSES.member(view, class_side(home), f"{OF_CLASS}.{name}") if home is not None else _DOUBT
    if not call.owner:
        return _at_the_top(view, path, facts, name) if head == OBJECT else _DOUBT
    home = _known(view, call.owner)
    if home is None:
        return _DOUBT
    if head == ITSELF:
        return OF_CLASSES.member(view, class_side(home), f"{OF_CLASS}.{name}")
    return _OF_OBJECTS.member(view, _object_side(home), name, has_own=head != INHERITED)


def _maker(view: View, home: Home) -> Member:
    own = OF_CLASSES.member(view, class_side(home), f"{OF_CLASS}.new")
    return own if own.place is not None else _OF_OBJECTS.member(view, _object_side(home), MAKER)


def _at_the_top(view: View, path: str, facts: Facts, name: str) -> Member:
    """A method outside of all classes: of this file, or the only one of that name."""
    del facts
    found = [(where, each) for where, each in _defined(view, name) if each.kind == "function"]
    own = [each for where, each in found if where == path]
    if len(found) != 1:
        return _DOUBT if found else Member(None)
    return Member(Place(found[0][0], name)) if own or _is_loaded(view, path, found[0][0]) else _DOUBT


def _is_loaded(view: View, path: str, other: str) -> bool:
    facts, folder = view.facts(path), posixpath.dirname(path)
    wanted = {posixpath.normpath(posixpath.join(folder, each.module)) for each in (facts.imports if facts else ())}
    return other.removesuffix(".rb") in {each.removesuffix(".rb") for each in wanted}


def named_home(view: View, owner: str, name: str) -> Home | None:
    meanings = list(_meanings(view, owner, name))
    dotted = name.replace("::", ".").strip(".")
    # In a `class A::B` the names of `A` are not at hand.
    if len(meanings) != 1 or (meanings[0] != dotted and "." in owner and _defined(view, dotted)):
        return None
    return _known(view, meanings[0])


def _meanings(view: View, owner: str, name: str) -> Iterator[str]:
    """What a constant may be called in full, among what the project defines."""
    dotted = name.replace("::", ".").strip(".")
    outer = owner.split(".") if owner and not name.startswith("::") else []
    for length in range(len(outer), -1, -1):
        whole = ".".join((*outer[:length], dotted))
        if _defined(view, whole) and (length or not outer or _is_only(view, dotted)):
            yield whole


def _is_only(view: View, name: str) -> bool:
    """Whether a class cannot have it from an ancestor instead."""
    key = ("ruby inside", name)
    if key not in view.found:
        files = list(view.holding([f"q{name.rpartition('.')[2]}"], most=_MANY))
        found = (each.symbol for _, facts in files for each in facts.definitions)
        view.found[key] = len(files) < _MANY and not any(each.endswith(f".{name}") for each in found)
    return bool(view.found[key])


def _known(view: View, symbol: str) -> Home | None:
    """A class that nobody opens again."""
    found = _defined(view, symbol)
    if len(found) != 1 or found[0][1].kind == CONSTANT or not found[0][1].made:
        return None
    path, definition = found[0]
    facts = view.facts(path)
    return Home(path, definition, facts) if facts is not None else None


def _defined(view: View, symbol: str) -> list[tuple[str, Definition]]:
    key = ("ruby", symbol)
    if key not in view.found:
        view.found[key] = [
            (path, each)
            for path, facts in view.holding([f"w{symbol}"])
            for each in facts.definitions
            if each.symbol == symbol
        ]
    known = view.found[key]
    return known if isinstance(known, list) else []


def _ancestor(view: View, home: Home, base: str) -> Home | None:
    owner = home.definition.symbol.rpartition(".")[0]
    further = named_home(view, owner, base.removeprefix(_INCLUDED)) if base != "?" else None
    return _object_side(further) if further is not None else None


def _ancestor_class(view: View, home: Home, base: str) -> Home | None:
    further = named_home(view, home.definition.symbol.rpartition(".")[0], base) if base != "?" else None
    return class_side(further) if further is not None else None


def class_side(home: Home) -> Home:
    """What is included brings nothing to the class itself, and what extends it may bring anything."""
    bases = [each for each in home.definition.bases if not each.startswith(_INCLUDED)]
    known = tuple("?" if each.startswith(_EXTENDED) else each for each in bases)
    return Home(home.path, replace(home.definition, bases=known), home.facts)


def _object_side(home: Home) -> Home:
    bases = tuple(each for each in home.definition.bases if not each.startswith(_EXTENDED))
    return Home(home.path, replace(home.definition, bases=bases), home.facts)


_OF_OBJECTS = Lineage(_ancestor, _MAGIC)
OF_CLASSES = Lineage(_ancestor_class, _MAGIC)
