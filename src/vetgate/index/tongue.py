"""Languages whose names belong to a namespace and not to a file: what each of them has to answer for itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from vetgate.index import (
    csharp_names,
    java_names,
    php_names,
    php_sight,
    ruby_names,
    ruby_sight,
    rust_names,
    rust_sight,
    rust_through,
)
from vetgate.index.classes_sight import Sight
from vetgate.source.language import language_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from vetgate.index.classes import Here
    from vetgate.index.facts import Call, Facts, Import
    from vetgate.index.lineage import Home
    from vetgate.index.meanings import Meanings
    from vetgate.index.place import Place
    from vetgate.index.view import View

    Through = Callable[[View, Place], Iterator[tuple[str, Call | Import]]]
    Meant = Callable[[View, str, Facts, Call], Place | None]


class Tongue(NamedTuple):
    """What a call of a file means, and which class it names; what an import means; whether these still find something.

    Where a class `has_heirs`, what `self` is may be one of them. Whoever cannot tell says None, and that it is found.
    Where types are `written`, a file that uses a member says the name of its class or of an heir. `sees` says whether
    something is still for whoever uses it there. Of names in `any_case` it makes no difference how they are written.
    Who names a module on the way `through` it is asked, where modules are not for everybody.
    """

    called: Meant
    holder: Meant
    imported: Callable[[View, str, Import], Place | None]
    serves: Callable[[View, str, Facts, Call | Import], bool]
    sees: Callable[[View, Home, Here, Call | Import], bool]
    has_heirs: bool = True
    written: bool = False
    any_case: bool = False
    through: Through | None = None


def _written(each: Meanings, sight: Sight) -> Tongue:
    return Tongue(each.called, each.holder, each.imported, each.serves, sight.sees, has_heirs=False, written=True)


_TONGUES: Mapping[str, Tongue] = {
    "csharp": _written(csharp_names.MEANINGS, Sight(csharp_names.MEANINGS.classes, packages=False)),
    "java": _written(java_names.MEANINGS, Sight(java_names.MEANINGS.classes, packages=True)),
    "rust": Tongue(
        rust_names.called,
        rust_names.holder,
        rust_names.imported,
        rust_names.serves,
        rust_sight.sees,
        has_heirs=False,
        through=rust_through.through,
    ),
    "ruby": Tongue(ruby_names.called, ruby_names.holder, ruby_names.imported, ruby_names.serves, ruby_sight.sees),
    "php": Tongue(
        php_names.called, php_names.holder, php_names.imported, php_names.serves, php_sight.sees, any_case=True
    ),
}


def tongue(path: str) -> Tongue | None:
    return _TONGUES.get(language_of(path) or "")
