"""What making an object of a class takes: its own constructor, that of a base class, or one made of its fields."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vetgate.index.facts import MAKERS, CallSite
from vetgate.index.fields import MODEL, OLD_ATTRS, ORIGINS, TUPLE
from vetgate.index.inheritance import SourceDefinition
from vetgate.index.language_resolver import resolver_for
from vetgate.index.resolve import bringing, called, definition_of

if TYPE_CHECKING:
    from vetgate.index.facts import Definition, Facts, Parameter
    from vetgate.index.view import View

    Parameters = tuple[Parameter, ...] | None

_OTHER_MAKERS = ("__new__", "__call__", "__init_subclass__")
_PLAIN = frozenset({"object", "Generic", "ABC", "Protocol"})
_DEEPEST = 8


def constructor(view: View, path: str, definition: Definition) -> Parameters:
    """None where it is not beyond doubt."""
    if resolver_for(path):
        return definition.parameters
    facts = view.facts(path)
    return _made(view, SourceDefinition(path, definition, facts), 0) if facts is not None else None


def base_classes(view: View, path: str, definition: Definition) -> list[tuple[str, str]] | None:
    """The classes that it inherits from, by file and symbol; None where one of all further up is not known."""
    facts = view.facts(path)
    klass = SourceDefinition(path, definition, facts) if facts is not None else None
    known = _base_classes(view, klass) if klass is not None else None
    if known is None or not all(_is_known(view, each, 0) for each in known):
        return None
    return [(each.path, each.definition.symbol) for each in known]


def _is_known(view: View, klass: SourceDefinition, depth: int) -> bool:
    further = _base_classes(view, klass) if depth <= _DEEPEST else None
    return further is not None and all(_is_known(view, each, depth + 1) for each in further)


def own_maker(facts: Facts, symbol: str) -> Definition | None:
    """The one constructor that stands in the class itself."""
    found = _own(facts, symbol, MAKERS)
    return found[0] if len(found) == 1 else None


def _own(facts: Facts, symbol: str, names: tuple[str, ...]) -> list[Definition]:
    wanted = {f"{symbol}.{name}" for name in names}
    return [each for each in facts.definitions if each.symbol in wanted]


def _made(view: View, klass: SourceDefinition, depth: int) -> Parameters:
    symbol = klass.definition.symbol
    if depth > _DEEPEST or _own(klass.facts, symbol, _OTHER_MAKERS):
        return None
    base_classes = _base_classes(view, klass)
    if base_classes is None or not all(_is_plain(view, each, depth) for each in base_classes):
        return None
    makers = _own(klass.facts, symbol, MAKERS)
    if makers:
        return makers[0].parameters if len(makers) == 1 and klass.definition.made != OLD_ATTRS else None
    if klass.definition.made:
        return _of_fields(view, klass, base_classes, depth)
    if not base_classes:
        return ()
    # What a model has more of than its base class is not known.
    is_model = any(each.definition.made == MODEL for each in base_classes)
    return _made(view, base_classes[0], depth + 1) if len(base_classes) == 1 and not is_model else None


def _is_plain(view: View, klass: SourceDefinition, depth: int) -> bool:
    """Whether nobody further up makes its objects in a way of its own."""
    if depth > _DEEPEST or _own(klass.facts, klass.definition.symbol, _OTHER_MAKERS):
        return False
    further = _base_classes(view, klass)
    return further is not None and all(_is_plain(view, each, depth + 1) for each in further)


def _base_classes(view: View, klass: SourceDefinition) -> list[SourceDefinition] | None:
    """Those that count; None where one is not known."""
    found = []
    word = klass.definition.word
    for name in klass.definition.bases:
        if name == word or name.rpartition(".")[2] in _PLAIN:
            continue
        site = called(view, klass.path, klass.facts, CallSite(name, klass.definition.line))
        known = definition_of(view, site) if site is not None else None
        facts = view.facts(known[0]) if known is not None else None
        if known is None or facts is None or known[1].kind != "class":
            return None
        found.append(SourceDefinition(known[0], known[1], facts))
    return found


def _of_fields(view: View, klass: SourceDefinition, base_classes: list[SourceDefinition], depth: int) -> Parameters:
    """Those of a base class come first; its own replace them where they have their name."""
    definition = klass.definition
    if definition.parameters is None or not _is_imported_from_its_module(klass):
        return None
    if not base_classes:
        return definition.parameters
    if len(base_classes) > 1 or definition.made in {TUPLE, MODEL}:
        return None
    (base_class,) = base_classes
    if not base_class.definition.made:
        return definition.parameters if not _has_fields(view, base_class) else None
    inherited = _of_fields(view, base_class, _base_classes(view, base_class) or [], depth + 1)
    if inherited is None or base_class.definition.made != definition.made or depth > _DEEPEST:
        return None
    joined = {each.name: each for each in inherited}
    joined.update((each.name, each) for each in definition.parameters)
    return tuple(joined.values())


def _has_fields(view: View, klass: SourceDefinition) -> bool:
    """Whether a plain class has base classes, of which one may be made of fields."""
    return bool(_base_classes(view, klass))


def _is_imported_from_its_module(klass: SourceDefinition) -> bool:
    """Whether the word that says so was imported from where it would have to be."""
    definition = klass.definition
    for each in bringing(klass.facts, definition.word):
        rest = definition.word[len(each.local) :]
        if ".".join(filter(None, (each.module, each.name))) + rest in ORIGINS[definition.made]:
            return True
    return False
