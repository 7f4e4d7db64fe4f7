"""What names mean in PHP: by the namespace and the `use` of a file, wherever in the project they are defined."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec.structs import replace

from vetgate.index.facts import Import, full_name
from vetgate.index.heirs import inherited_anew
from vetgate.index.lineage import Home, Lineage, Member
from vetgate.index.php import ALIAS, AS_FUNCTION, IMPLEMENTS, MAKER, OPEN
from vetgate.index.place import NEW, Place

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vetgate.index.facts import Call, Definition, Facts
    from vetgate.index.view import View

_OWN = frozenset({"self", "static", "this"})
_PARENT = "parent"
_SEVERAL = "?"
MAGIC = ("__call", "__callStatic")
# Functions that the language has got by now, and that many had to write for themselves before.
_GIVEN = frozenset(
    """array_all array_any array_find array_find_key array_first array_is_list array_key_first array_key_last array_last
    enum_exists fdiv fsync get_debug_type get_resource_id hrtime intdiv is_countable is_iterable json_validate
    mb_chr mb_lcfirst mb_ltrim mb_ord mb_rtrim mb_scrub mb_str_pad mb_str_split mb_trim mb_ucfirst preg_last_error_msg
    random_bytes random_int spl_object_id str_contains str_ends_with str_starts_with""".split()  # noqa: SIM905 - a list of names
)
_ASKED = r"(?:class|function|method|interface|trait|enum)_exists\(|is_callable\("


def called(view: View, path: str, facts: Facts, call: Call) -> Place | None:
    if facts.space == _SEVERAL:
        return None
    if call.callee == f"{NEW}static":
        return None  # an heir may be made another way
    head, _, name = _parts(call)
    if not name:
        return _function(view, facts, head)
    home = receiver(view, path, facts, call)
    found = LINEAGE.member(view, home, name).place if home is not None else None
    if found is None or head in {*_OWN, _PARENT}:
        return found
    # From outside a method that is not public is none, where another may stand in for it.
    return found if _is_public(view, found) else None


def holder(view: View, path: str, facts: Facts, call: Call) -> Place | None:
    head, _, name = _parts(call)
    if not name or head in {*_OWN, _PARENT} or facts.space == _SEVERAL:
        return None
    home = receiver(view, path, facts, call)
    return Place(home.path, home.definition.symbol) if home is not None else None


def imported(view: View, path: str, each: Import) -> Place | None:
    del path
    return _only(view, full_name(each.module, each.name))


def serves(view: View, path: str, facts: Facts, by: Call | Import) -> bool:
    if isinstance(by, Import):
        return _is_there(view, full_name(by.module, by.name)) or _is_asked(view, path, by.name)
    head, _, name = _parts(by)
    if not name:
        names = tuple(_functions(facts, head))
        there = names[-1] in _GIVEN or any(_is_there(view, each) for each in names)
        return there or _is_asked(view, path, head.rpartition("\\")[2])
    if head not in {*_OWN, _PARENT} and not _is_there(view, class_name(facts, head)):
        return _is_asked(view, path, head.rpartition("\\")[2])
    home = receiver(view, path, facts, by)
    found = _looked_up(view, home, name, by) if home is not None else None
    if home is None or found is None or found.place is not None or not found.sure or name == MAKER:
        return True
    is_lent = bool(by.of) and _is_lent(view, home, name)
    return is_lent or _is_asked(view, path, name) or _is_spelled_otherwise(home, name)


def _parts(call: Call) -> tuple[str, str, str]:
    """The class, or the word for it, and the member."""
    if call.of:
        return call.of, ".", call.callee.rpartition(".")[2]
    if call.callee.startswith(NEW):
        return call.callee.removeprefix(NEW), ".", MAKER
    return call.callee.partition(".")


def receiver(view: View, path: str, facts: Facts, call: Call) -> Home | None:
    """The class in which the called member is looked for first."""
    head, _, _ = _parts(call)
    if head not in {*_OWN, _PARENT}:
        return named_class(view, class_name(facts, head)) if head != "?" else None
    home = home_of(path, view.facts(path) or facts, call.owner)
    if home is None or head != _PARENT:
        return home
    # What is inherited comes last, unless others may bring more.
    bases = [each for each in home.definition.bases if each != "?"]
    return _ancestor(view, home, bases[-1]) if bases else None


def _ancestor(view: View, home: Home, base: str) -> Home | None:
    return named_class(view, class_name(home.facts, base)) if base != "?" else None


LINEAGE = Lineage(_ancestor, MAGIC)


def _looked_up(view: View, home: Home, name: str, call: Call) -> Member:
    """What is called on an object of a written type has to be in that, if nobody inherits from it and brings more."""
    if not call.of or call.of in _OWN:
        return LINEAGE.member(view, home, name)
    return _OF_OBJECTS.member(view, _closed(home), name)


def _closed(home: Home) -> Home:
    if home.definition.word != OPEN:
        return home
    return Home(home.path, replace(home.definition, bases=home.definition.bases[:-1]), home.facts)


def _closed_ancestor(view: View, home: Home, base: str) -> Home | None:
    found = _ancestor(view, home, base)
    return _closed(found) if found is not None else None


_OF_OBJECTS = Lineage(_closed_ancestor, MAGIC)


def class_name(facts: Facts, name: str) -> str:
    if name.startswith("\\"):
        return name[1:]
    first, _, rest = name.partition("\\")
    if first == "namespace":
        return full_name(facts.space, rest)
    brought = next((each for each in facts.imports if each.local == first), None)
    if brought is not None:
        return full_name(full_name(brought.module, brought.name), rest)
    return full_name(facts.space, name)


def _functions(facts: Facts, name: str) -> Iterator[str]:
    """What a function may be called in full: in a namespace those of the language and of nobody count as well."""
    if "\\" in name:
        yield class_name(facts, name)
        return
    brought = next((each for each in facts.imports if each.local == f"{name}{AS_FUNCTION}"), None)
    if brought is not None:
        yield full_name(brought.module, brought.name)
        return
    yield from dict.fromkeys((full_name(facts.space, name), name))


def _function(view: View, facts: Facts, name: str) -> Place | None:
    for each in _functions(facts, name):
        if _is_there(view, each):
            return _only(view, each)
    return None


def named_class(view: View, name: str) -> Home | None:
    place = _only(view, name)
    facts = view.facts(place.path) if place is not None else None
    if place is None or facts is None:
        return None
    return home_of(place.path, facts, place.symbol)


def home_of(path: str, facts: Facts, symbol: str) -> Home | None:
    found = [each for each in facts.definitions if each.symbol == symbol and each.kind == "class"]
    return Home(path, _without_interfaces(found[0]), facts) if len(found) == 1 else None


def _without_interfaces(definition: Definition) -> Definition:
    """They bring no methods that the class would not have to have itself."""
    bases = tuple(each for each in definition.bases if not each.startswith(IMPLEMENTS))
    return replace(definition, bases=bases) if bases != definition.bases else definition


def _only(view: View, name: str) -> Place | None:
    """The one file of the project that defines a name."""
    space, _, symbol = name.rpartition("\\")
    found = _defining(view, name)
    facts = view.facts(found[0]) if len(found) == 1 else None
    return Place(found[0], symbol) if facts is not None and facts.space == space else None


def _is_there(view: View, name: str) -> bool:
    return bool(_defining(view, name)) or name.rpartition("\\")[2] in _aliases(view)


def _aliases(view: View) -> frozenset[str]:
    """Last names that classes of the project have besides their own."""
    key = ("php", ALIAS)
    if key not in view.found:
        found = (each for _, facts in view.holding([f"m{ALIAS}"]) for each in facts.imports)
        view.found[key] = frozenset(each.name for each in found if each.module == ALIAS)
    known = view.found[key]
    return known if isinstance(known, frozenset) else frozenset()


def _defining(view: View, name: str) -> tuple[str, ...]:
    if name not in view.defining:
        space, _, symbol = name.rpartition("\\")
        view.defining[name] = tuple(
            path
            for path, facts in view.holding([f"w{name}", f"w{full_name(_SEVERAL, symbol)}"])
            for each in facts.definitions
            if each.symbol == symbol and facts.space in {space, _SEVERAL}
        )
    return view.defining[name]


def _is_public(view: View, place: Place) -> bool:
    facts = view.facts(place.path)
    return facts is not None and not any(each.reach for each in facts.definitions if each.symbol == place.symbol)


def _is_spelled_otherwise(home: Home, name: str) -> bool:
    """To PHP small and capital letters of a method are the same."""
    symbol = f"{home.definition.symbol}.{name}".lower()
    return any(each.symbol.lower() == symbol for each in home.facts.definitions)


def _is_lent(view: View, home: Home, name: str) -> bool:
    """Whether an object of the class may have a method that the class has not: as an heir, or as its comment says."""
    is_told = re.search(rf"@method\b[^\n]*\b{re.escape(name)}\s*\(", view.text(home.path))
    return bool(is_told) or bool(inherited_anew(view, Place(home.path, f"{home.definition.symbol}.{name}")))


def _is_asked(view: View, path: str, name: str) -> bool:
    """Whether the file asks first if there is such a thing."""
    return bool(re.search(rf"(?:{_ASKED})[^)]*\b{re.escape(name)}\b", view.text(path)))
