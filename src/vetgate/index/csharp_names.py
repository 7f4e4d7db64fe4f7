"""What names mean in C#: by namespaces, `using` and the classes around."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vetgate.index.classes import ALL, CLASS, Classes, ClassResolver, LanguageRules, is_static, joined, words
from vetgate.index.csharp import GLOBAL, LENT, RECORD

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vetgate.index.classes import Members, ReferenceContext
    from vetgate.index.facts import Definition
    from vetgate.index.inheritance import SourceDefinition
    from vetgate.index.view import View


_EVERYWHERE = words("Equals GetHashCode ToString GetType MemberwiseClone ReferenceEquals Finalize")
_OF_RECORDS = words("Deconstruct PrintMembers")
_OF_ERRORS = words("GetBaseException GetObjectData")
_GIVEN = {
    "object": frozenset[str](),
    "Object": frozenset[str](),
    "IDisposable": words("Dispose"),
    "IAsyncDisposable": words("DisposeAsync"),
    "ICloneable": words("Clone"),
    "IEquatable": frozenset[str](),
    "IComparable": words("CompareTo"),
    "IComparer": words("Compare"),
    "IEqualityComparer": frozenset[str](),
    "IFormattable": frozenset[str](),
    "INotifyPropertyChanged": frozenset[str](),
    "EventArgs": frozenset[str](),
    "Exception": _OF_ERRORS,
    "ArgumentException": _OF_ERRORS,
    "InvalidOperationException": _OF_ERRORS,
    "Attribute": words("Match IsDefaultAttribute GetCustomAttribute GetCustomAttributes IsDefined"),
}


def _may_make(klass: SourceDefinition, name: str) -> bool:
    return klass.definition.made == RECORD and name in _OF_RECORDS


def _spelled(context: ReferenceContext, name: str) -> Iterator[tuple[str, ...]]:
    first, _, rest = name.partition(".")
    aliases = [each for each in context.facts.imports if each.local == first.partition("`")[0]]
    if aliases:
        yield tuple(joined(each.module, each.name, rest) for each in aliases)
        return
    if name.startswith(GLOBAL):
        yield (name.removeprefix(GLOBAL),)
        return
    space = joined(context.facts.space, _namespace(context))
    yield (joined(space, name),)
    # A `using` inside of the namespace goes before those around, one outside of it behind.
    brought = tuple(joined(each.module, name) for each in context.facts.imports if each.local == ALL)
    while space:
        space = space.rpartition(".")[0]
        yield (joined(space, name), *brought)
    yield brought


def _namespace(context: ReferenceContext) -> str:
    """Of what is around, the part that is no class."""
    classes = {each.symbol for each in context.facts.definitions if each.kind == CLASS}
    parts = context.owner.split(".")
    for end in range(1, len(parts) + 1):
        if ".".join(parts[:end]) in classes:
            return ".".join(parts[: end - 1])
    return context.owner


def _loose(view: View, context: ReferenceContext, name: str) -> Members:
    """A function of the same script, or what a `using static` has brought; None where it may be of another project."""
    if not context.owner:
        own = [(context.path, each) for each in context.facts.definitions if each.symbol == name and each.kind != CLASS]
        if own:
            return own
    found: list[tuple[str, Definition]] = []
    for each in context.facts.imports:
        if is_static(each):
            members = MEANINGS.brought(view, context, each.module, name)
            if members is None:
                return None
            found += members
    return found


def _is_hidden(context: ReferenceContext, name: str) -> bool:
    return name in context.facts.bound


def _is_lent(view: View, name: str) -> bool:
    """Whether there is a method of this name that is called on objects of other classes."""
    if not view.sees_all:
        return True
    found = (each for _, facts in view.holding([f"d{name}"]) for each in facts.definitions)
    return view.once((LENT, name), lambda: any(each.name == name and each.word == LENT for each in found))


MEANINGS = ClassResolver(
    Classes(LanguageRules(_spelled, _GIVEN, _EVERYWHERE, _may_make)), "base", _loose, _is_hidden, _is_lent
)
