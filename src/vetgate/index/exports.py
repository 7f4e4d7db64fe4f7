"""Whether a name can still be had from a file. Where nobody can tell, it can."""

from __future__ import annotations

import posixpath
import re
from typing import TYPE_CHECKING

from vetgate.index.facts import NEW, DefinitionSite, Import
from vetgate.index.resolve import SCRIPTS, bringing, called, module_file
from vetgate.source.language import language_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from vetgate.index.facts import Export, Facts
    from vetgate.index.references import Reference
    from vetgate.index.view import View

_DEPENDENCIES = ("pyproject.toml", "requirements.txt", "setup.cfg", "setup.py", "Pipfile", "environment.yml")
# A module with this function has any name.
_ANY = "__getattr__"


def is_resolved(view: View, reference: Reference) -> bool:
    """Whether a site finds what it looks for."""
    facts = view.facts(reference.path)
    if facts is None:
        return True
    if language_of(reference.path) == "go":
        return _is_reference_in_folder(view, facts, reference)
    return all(_is_available(view, reference.path, module, name) for module, name in _sought(facts, reference))


def _sought(facts: Facts, reference: Reference) -> Iterator[tuple[str, str]]:
    """Modules, and what is looked for in them."""
    if reference.call is None:
        by = reference.by
        if by is not None and not (isinstance(by, Import) and by.guarded):
            yield by.module, by.name if isinstance(by, Import) else by.local
        return
    callee = reference.call.callee.removeprefix(NEW)
    for each in bringing(facts, callee):
        if not each.guarded:
            yield each.module, f"{each.name}{callee[len(each.local) :]}".strip(".")


def _is_available(view: View, path: str, module: str, name: str) -> bool:
    origin = module_file(view, path, module)
    if origin is None:
        return _is_declared(view, path, module)
    return is_exported(view, origin, name)


def _is_declared(view: View, path: str, module: str) -> bool:
    """Whether it may be a package from elsewhere by now, as what the project says of its dependencies has it."""
    if language_of(path) != "python" or module.startswith("."):
        return False
    name = re.compile(rf"(?i)(?<![\w.-]){re.escape(module.partition('.')[0]).replace('_', '[-_]')}(?![\w.-])")
    return any(name.search(view.text(each)) for each in _DEPENDENCIES)


def is_exported(view: View, file: str, name: str, seen: set[DefinitionSite] | None = None) -> bool:
    """`name` may be dotted where modules are reached by way of others."""
    head, _, tail = name.partition(".")
    facts, seen = view.facts(file), set() if seen is None else seen
    if facts is None or not head or head == "*":
        return True
    if DefinitionSite(file, name) in seen:
        return False
    seen.add(DefinitionSite(file, name))
    if language_of(file) in SCRIPTS:
        # Without an export it is no module, or one of the older kind.
        is_older = not facts.exports and language_of(file) == "javascript"
        return is_older or _from(view, file, _listed(facts, head, tail), seen)
    if head in facts.bound or any(each.symbol in {head, _ANY} for each in facts.definitions):
        return True
    is_package = posixpath.basename(file).startswith("__init__.")
    inside = module_file(view, file, f".{head}") if is_package else None
    if inside is not None:
        return is_exported(view, inside, tail, seen)
    return _from(view, file, _brought(facts, head), seen)


def _listed(facts: Facts, name: str, tail: str) -> Iterator[tuple[Export, str]]:
    yield from ((each, each.local or tail) for each in facts.exports if each.name == name)
    if name != "default":
        yield from ((each, name) for each in facts.exports if each.name == "*")


def _brought(facts: Facts, name: str) -> Iterator[tuple[Import, str]]:
    yield from ((each, each.name) for each in facts.imports if each.local.partition(".")[0] == name)
    yield from ((each, name) for each in facts.imports if each.name == "*")


def _from(view: View, file: str, found: Iterable[tuple[Import | Export, str]], seen: set[DefinitionSite]) -> bool:
    for each, name in found:
        origin = module_file(view, file, each.module) if each.module else None
        if origin is None or is_exported(view, origin, name, seen):
            return True
    return False


def _is_reference_in_folder(view: View, facts: Facts, reference: Reference) -> bool:
    site = called(view, reference.path, facts, reference.call) if reference.call is not None else None
    if site is None:
        return True
    return is_in_folder(view, site.path, site.symbol)


def is_in_folder(view: View, path: str, symbol: str) -> bool:
    """Whether any file of the same folder has it."""
    return any(
        symbol in each.bound or any(it.symbol == symbol for it in each.definitions) for _, each in view.beside(path)
    )
