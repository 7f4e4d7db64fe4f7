"""What names mean in Java: by the package, the imports and the classes around."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vetgate.index.classes import ALL, Classes, ClassResolver, LanguageRules, is_static, joined, words
from vetgate.index.java import ENUM

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vetgate.index.classes import Members, ReferenceContext
    from vetgate.index.facts import Definition
    from vetgate.index.inheritance import SourceDefinition
    from vetgate.index.view import View


_EVERYWHERE = words("equals hashCode toString getClass notify notifyAll wait clone finalize")
_OF_ENUMS = words("values valueOf name ordinal compareTo getDeclaringClass describeConstable")
_OF_ERRORS = words(
    """getMessage getLocalizedMessage getCause initCause printStackTrace fillInStackTrace getStackTrace setStackTrace
    addSuppressed getSuppressed"""
)
_ERRORS = """Throwable Exception RuntimeException Error IllegalArgumentException IllegalStateException IOException
    UnsupportedOperationException AssertionError"""
_GIVEN = {
    "Object": frozenset[str](),
    "Serializable": frozenset[str](),
    "Cloneable": frozenset[str](),
    "RandomAccess": frozenset[str](),
    "Comparable": words("compareTo"),
    "Runnable": words("run"),
    "Callable": words("call"),
    "AutoCloseable": words("close"),
    "Closeable": words("close"),
    "Flushable": words("flush"),
    "Supplier": words("get"),
    "Function": words("apply compose andThen identity"),
    "BiFunction": words("apply andThen"),
    "UnaryOperator": words("apply compose andThen identity"),
    "BinaryOperator": words("apply andThen minBy maxBy"),
    "Consumer": words("accept andThen"),
    "BiConsumer": words("accept andThen"),
    "Predicate": words("test and or negate not isEqual"),
    "Iterable": words("iterator forEach spliterator"),
    "Iterator": words("hasNext next remove forEachRemaining"),
    "Comparator": words(
        """compare reversed thenComparing thenComparingInt thenComparingLong thenComparingDouble naturalOrder
        reverseOrder nullsFirst nullsLast comparing comparingInt comparingLong comparingDouble"""
    ),
    "CharSequence": words("length charAt subSequence chars codePoints isEmpty compare getChars"),
    **dict.fromkeys(_ERRORS.split(), _OF_ERRORS),
}
# Lombok writes members into a class; these of its parts do not.
_LOMBOK = "lombok"
_HARMLESS = words("NonNull SneakyThrows Cleanup Synchronized val var ToString EqualsAndHashCode Generated")
_ANY_NAME = words("Delegate Accessors ExtensionMethod *")
_WRITTEN = ("get", "set", "is", "with", "builder", "toBuilder", "canEqual", "of")


def _may_make(klass: SourceDefinition, name: str) -> bool:
    if klass.definition.made == ENUM and name in _OF_ENUMS:
        return True
    writing = {
        each.name
        for each in klass.facts.imports
        if each.module.partition(".")[0] == _LOMBOK and not each.module.startswith("lombok.extern")
    } - _HARMLESS
    return bool(writing) and (bool(writing & _ANY_NAME) or name == klass.definition.name or name.startswith(_WRITTEN))


def _spelled(context: ReferenceContext, name: str) -> Iterator[tuple[str, ...]]:
    first, _, rest = name.partition(".")
    plain = [each for each in context.facts.imports if not is_static(each)]
    brought = [each for each in plain if each.name == first]
    if brought:
        yield tuple(joined(each.module, each.name, rest) for each in brought)
        return
    yield (joined(context.facts.space, name),)
    yield tuple(joined(each.module, name) for each in plain if each.name == ALL)
    yield tuple(
        joined(each.module, name) for each in context.facts.imports if is_static(each) and each.name in {first, ALL}
    )
    if rest:
        yield (name,)


def _loose(view: View, context: ReferenceContext, name: str) -> Members:
    """What an `import static` has brought; None where it may be of another project."""
    found: list[tuple[str, Definition]] = []
    for each in context.facts.imports:
        if is_static(each) and each.name in {name, ALL}:
            members = MEANINGS.brought(view, context, each.module, name)
            if members is None:
                return None
            found += members
    return found


def _never(*_: object) -> bool:
    """A method is no variable, and nobody gives one to a class of others."""
    return False


MEANINGS = ClassResolver(
    Classes(LanguageRules(_spelled, _GIVEN, _EVERYWHERE, _may_make)), "super", _loose, _never, _never
)
