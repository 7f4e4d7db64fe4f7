"""What making an object of a class takes: its own constructor, that of an ancestor, or one made of its fields."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from vetgate.index.facts import Call
from vetgate.index.fields import MODEL, OLD_ATTRS, ORIGINS, TUPLE
from vetgate.index.place import MAKERS
from vetgate.index.resolve import bringing, called, definition_of
from vetgate.index.tongue import tongue

if TYPE_CHECKING:
    from vetgate.index.facts import Definition, Facts, Parameter
    from vetgate.index.view import View

    Parameters = tuple[Parameter, ...] | None

_OTHER_MAKERS = ("__new__", "__call__", "__init_subclass__")
_PLAIN = frozenset({"object", "Generic", "ABC", "Protocol"})
_DEEPEST = 8


class _Class(NamedTuple):
    path: str
    definition: Definition
    facts: Facts


def constructor(view: View, path: str, definition: Definition) -> Parameters:
    """None where it is not beyond doubt."""
    if tongue(path):
        return definition.parameters
    facts = view.facts(path)
    return _made(view, _Class(path, definition, facts), 0) if facts is not None else None


def ancestors(view: View, path: str, definition: Definition) -> list[tuple[str, str]] | None:
    """The classes that it inherits from, by file and symbol; None where one of all further up is not known."""
    facts = view.facts(path)
    here = _Class(path, definition, facts) if facts is not None else None
    known = _ancestors(view, here) if here is not None else None
    if known is None or not all(_is_known(view, each, 0) for each in known):
        return None
    return [(each.path, each.definition.symbol) for each in known]


def _is_known(view: View, here: _Class, depth: int) -> bool:
    further = _ancestors(view, here) if depth <= _DEEPEST else None
    return further is not None and all(_is_known(view, each, depth + 1) for each in further)


def own_maker(facts: Facts, symbol: str) -> Definition | None:
    """The one constructor that stands in the class itself."""
    found = _own(facts, symbol, MAKERS)
    return found[0] if len(found) == 1 else None


def _own(facts: Facts, symbol: str, names: tuple[str, ...]) -> list[Definition]:
    wanted = {f"{symbol}.{name}" for name in names}
    return [each for each in facts.definitions if each.symbol in wanted]


def _made(view: View, here: _Class, depth: int) -> Parameters:
    symbol = here.definition.symbol
    if depth > _DEEPEST or _own(here.facts, symbol, _OTHER_MAKERS):
        return None
    ancestors = _ancestors(view, here)
    if ancestors is None or not all(_is_plain(view, each, depth) for each in ancestors):
        return None
    makers = _own(here.facts, symbol, MAKERS)
    if makers:
        return makers[0].parameters if len(makers) == 1 and here.definition.made != OLD_ATTRS else None
    if here.definition.made:
        return _of_fields(view, here, ancestors, depth)
    if not ancestors:
        return ()
    # What a model has more of than its ancestor is not known.
    is_model = any(each.definition.made == MODEL for each in ancestors)
    return _made(view, ancestors[0], depth + 1) if len(ancestors) == 1 and not is_model else None


def _is_plain(view: View, here: _Class, depth: int) -> bool:
    """Whether nobody further up makes its objects in a way of its own."""
    if depth > _DEEPEST or _own(here.facts, here.definition.symbol, _OTHER_MAKERS):
        return False
    further = _ancestors(view, here)
    return further is not None and all(_is_plain(view, each, depth + 1) for each in further)


def _ancestors(view: View, here: _Class) -> list[_Class] | None:
    """Those that count; None where one is not known."""
    found = []
    word = here.definition.word
    for name in here.definition.bases:
        if name == word or name.rpartition(".")[2] in _PLAIN:
            continue
        place = called(view, here.path, here.facts, Call(name, here.definition.line))
        known = definition_of(view, place) if place is not None else None
        facts = view.facts(known[0]) if known is not None else None
        if known is None or facts is None or known[1].kind != "class":
            return None
        found.append(_Class(known[0], known[1], facts))
    return found


def _of_fields(view: View, here: _Class, ancestors: list[_Class], depth: int) -> Parameters:
    """Those of an ancestor come first; its own replace them where they have their name."""
    definition = here.definition
    if definition.parameters is None or not _is_meant(here):
        return None
    if not ancestors:
        return definition.parameters
    if len(ancestors) > 1 or definition.made in {TUPLE, MODEL}:
        return None
    (ancestor,) = ancestors
    if not ancestor.definition.made:
        return definition.parameters if not _has_fields(view, ancestor) else None
    inherited = _of_fields(view, ancestor, _ancestors(view, ancestor) or [], depth + 1)
    if inherited is None or ancestor.definition.made != definition.made or depth > _DEEPEST:
        return None
    joined = {each.name: each for each in inherited}
    joined.update((each.name, each) for each in definition.parameters)
    return tuple(joined.values())


def _has_fields(view: View, here: _Class) -> bool:
    """Whether a plain class has ancestors, of which one may be made of fields."""
    return bool(_ancestors(view, here))


def _is_meant(here: _Class) -> bool:
    """Whether the word that says so was imported from where it would have to be."""
    definition = here.definition
    for each in bringing(here.facts, definition.word):
        rest = definition.word[len(each.local) :]
        if ".".join(filter(None, (each.module, each.name))) + rest in ORIGINS[definition.made]:
            return True
    return False
