"""Languages whose names belong to a namespace and not to a file: what each of them has to answer for itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from vetgate.index import (
    csharp_names,
    java_names,
    php_names,
    ruby_names,
    rust_names,
)
from vetgate.index.visibility import ClassVisibility
from vetgate.source.language import language_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from vetgate.index.classes import ClassResolver, ReferenceContext
    from vetgate.index.facts import CallSite, DefinitionSite, Facts, Import
    from vetgate.index.inheritance import SourceDefinition
    from vetgate.index.view import View

    Through = Callable[[View, DefinitionSite], Iterator[tuple[str, CallSite | Import]]]
    Meant = Callable[[View, str, Facts, CallSite], DefinitionSite | None]


class LanguageResolver(NamedTuple):
    """What a call of a file means, and which class it names; what an import means; whether these still find something.

    Where a class `has_subclasses`, `self` may be one of them. Whoever cannot tell says None, and that it `resolves`.
    Where a language `is_typed`, a file that uses a member names its class or a subclass. `can_access` says whether a
    definition is visible from a reference. In `any_case` upper and lower case of names make no difference. `through`
    finds references that name a module on their way, where modules have a visibility.
    """

    called: Meant
    holder: Meant
    imported: Callable[[View, str, Import], DefinitionSite | None]
    resolves: Callable[[View, str, Facts, CallSite | Import], bool]
    can_access: Callable[[View, SourceDefinition, ReferenceContext, CallSite | Import], bool]
    has_subclasses: bool = True
    is_typed: bool = False
    any_case: bool = False
    through: Through | None = None


def _written(each: ClassResolver, visibility: ClassVisibility) -> LanguageResolver:
    return LanguageResolver(
        each.called,
        each.holder,
        each.imported,
        each.resolves,
        visibility.can_access,
        has_subclasses=False,
        is_typed=True,
    )


_RESOLVERS: Mapping[str, LanguageResolver] = {
    "csharp": _written(csharp_names.MEANINGS, ClassVisibility(csharp_names.MEANINGS.classes, packages=False)),
    "java": _written(java_names.MEANINGS, ClassVisibility(java_names.MEANINGS.classes, packages=True)),
    "rust": LanguageResolver(
        rust_names.called,
        rust_names.holder,
        rust_names.imported,
        rust_names.resolves,
        rust_names.can_access,
        has_subclasses=False,
        through=rust_names.through,
    ),
    "ruby": LanguageResolver(
        ruby_names.called, ruby_names.holder, ruby_names.imported, ruby_names.resolves, ruby_names.can_access
    ),
    "php": LanguageResolver(
        php_names.called,
        php_names.holder,
        php_names.imported,
        php_names.resolves,
        php_names.can_access,
        any_case=True,
    ),
}


def resolver_for(path: str) -> LanguageResolver | None:
    return _RESOLVERS.get(language_of(path) or "")
