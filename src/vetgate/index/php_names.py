"""What names mean in PHP: by the namespace and the `use` of a file, wherever they are defined, and who may use them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec.structs import replace

from vetgate.expression import expression
from vetgate.index.facts import NEW, DefinitionSite, Import, full_name
from vetgate.index.inheritance import Lineage, MemberLookup, SourceDefinition, overriding_methods
from vetgate.index.php import ALIAS, AS_FUNCTION, IMPLEMENTS, MAKER, OPEN
from vetgate.index.reading import UNNAMED
from vetgate.index.visibility import PRIVATE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vetgate.index.classes import ReferenceContext
    from vetgate.index.facts import CallSite, Definition, Facts
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


def called(view: View, path: str, facts: Facts, call: CallSite) -> DefinitionSite | None:
    if facts.space == _SEVERAL:
        return None
    if call.callee == f"{NEW}static":
        return None  # a subclass may be made another way
    head, _, name = _parts(call)
    if not name:
        return _function(view, facts, head)
    klass = receiver(view, path, facts, call)
    found = LINEAGE.member(view, klass, name).site if klass is not None else None
    if found is None or head in {*_OWN, _PARENT}:
        return found
    # From outside a method that is not public is none, where another may stand in for it.
    return found if _is_public(view, found) else None


def holder(view: View, path: str, facts: Facts, call: CallSite) -> DefinitionSite | None:
    head, _, name = _parts(call)
    if not name or head in {*_OWN, _PARENT} or facts.space == _SEVERAL:
        return None
    klass = receiver(view, path, facts, call)
    return DefinitionSite(klass.path, klass.definition.symbol) if klass is not None else None


def imported(view: View, path: str, each: Import) -> DefinitionSite | None:
    del path
    return _only(view, full_name(each.module, each.name))


def resolves(view: View, path: str, facts: Facts, by: CallSite | Import) -> bool:
    if isinstance(by, Import):
        return _is_there(view, full_name(by.module, by.name)) or _is_asked(view, path, by.name)
    head, _, name = _parts(by)
    if not name:
        names = tuple(_functions(facts, head))
        there = names[-1] in _GIVEN or any(_is_there(view, each) for each in names)
        return there or _is_asked(view, path, head.rpartition("\\")[2])
    if head not in {*_OWN, _PARENT} and not _is_there(view, class_name(facts, head)):
        return _is_asked(view, path, head.rpartition("\\")[2])
    klass = receiver(view, path, facts, by)
    found = _looked_up(view, klass, name, by) if klass is not None else None
    if klass is None or found is None or found.site is not None or not found.sure or name == MAKER:
        return True
    is_lent = bool(by.of) and _is_lent(view, klass, name)
    return is_lent or _is_asked(view, path, name) or _is_spelled_otherwise(klass, name)


def _parts(call: CallSite) -> tuple[str, str, str]:
    """The class, or the word for it, and the member."""
    if call.of:
        return call.of, ".", call.callee.rpartition(".")[2]
    if call.callee.startswith(NEW):
        return call.callee.removeprefix(NEW), ".", MAKER
    return call.callee.partition(".")


def receiver(view: View, path: str, facts: Facts, call: CallSite) -> SourceDefinition | None:
    """The class in which the called member is looked for first."""
    head, _, _ = _parts(call)
    if head not in {*_OWN, _PARENT}:
        return named_class(view, class_name(facts, head)) if head != "?" else None
    klass = class_in_file(path, view.facts(path) or facts, call.owner)
    if klass is None or head != _PARENT:
        return klass
    # What is inherited comes last, unless others may bring more.
    bases = [each for each in klass.definition.bases if each != "?"]
    return _base_class(view, klass, bases[-1]) if bases else None


def _base_class(view: View, klass: SourceDefinition, base: str) -> SourceDefinition | None:
    return named_class(view, class_name(klass.facts, base)) if base != "?" else None


LINEAGE = Lineage(_base_class, MAGIC)


def _looked_up(view: View, klass: SourceDefinition, name: str, call: CallSite) -> MemberLookup:
    """What is called on an object of a written type has to be in that, if nobody inherits from it and brings more."""
    if not call.of or call.of in _OWN:
        return LINEAGE.member(view, klass, name)
    return _OF_OBJECTS.member(view, _closed(klass), name)


def _closed(klass: SourceDefinition) -> SourceDefinition:
    if klass.definition.word != OPEN:
        return klass
    return SourceDefinition(klass.path, replace(klass.definition, bases=klass.definition.bases[:-1]), klass.facts)


def _closed_base_class(view: View, klass: SourceDefinition, base: str) -> SourceDefinition | None:
    found = _base_class(view, klass, base)
    return _closed(found) if found is not None else None


_OF_OBJECTS = Lineage(_closed_base_class, MAGIC)


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


def _function(view: View, facts: Facts, name: str) -> DefinitionSite | None:
    for each in _functions(facts, name):
        if _is_there(view, each):
            return _only(view, each)
    return None


def named_class(view: View, name: str) -> SourceDefinition | None:
    site = _only(view, name)
    facts = view.facts(site.path) if site is not None else None
    if site is None or facts is None:
        return None
    return class_in_file(site.path, facts, site.symbol)


def class_in_file(path: str, facts: Facts, symbol: str) -> SourceDefinition | None:
    found = [each for each in facts.definitions if each.symbol == symbol and each.kind == "class"]
    return SourceDefinition(path, _without_interfaces(found[0]), facts) if len(found) == 1 else None


def _without_interfaces(definition: Definition) -> Definition:
    """They bring no methods that the class would not have to have itself."""
    bases = tuple(each for each in definition.bases if not each.startswith(IMPLEMENTS))
    return replace(definition, bases=bases) if bases != definition.bases else definition


def _only(view: View, name: str) -> DefinitionSite | None:
    """The one file of the project that defines a name."""
    space, _, symbol = name.rpartition("\\")
    found = _defining(view, name)
    facts = view.facts(found[0]) if len(found) == 1 else None
    return DefinitionSite(found[0], symbol) if facts is not None and facts.space == space else None


def _is_there(view: View, name: str) -> bool:
    return bool(_defining(view, name)) or name.rpartition("\\")[2] in _aliases(view)


def _aliases(view: View) -> frozenset[str]:
    """Last names that classes of the project have besides their own."""
    found = (each for _, facts in view.holding([f"m{ALIAS}"]) for each in facts.imports)
    return view.once(("php", ALIAS), lambda: frozenset(each.name for each in found if each.module == ALIAS))


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


def _is_public(view: View, site: DefinitionSite) -> bool:
    facts = view.facts(site.path)
    return facts is not None and not any(each.visibility for each in facts.definitions if each.symbol == site.symbol)


def _is_spelled_otherwise(klass: SourceDefinition, name: str) -> bool:
    """To PHP small and capital letters of a method are the same."""
    symbol = f"{klass.definition.symbol}.{name}".lower()
    return any(each.symbol.lower() == symbol for each in klass.facts.definitions)


def _is_lent(view: View, klass: SourceDefinition, name: str) -> bool:
    """Whether an object of the class may have a method that the class has not: in a subclass, or by its comment."""
    is_told = re.search(rf"@method\b[^\n]*\b{re.escape(name)}\s*\(", view.text(klass.path))
    return bool(is_told) or bool(
        overriding_methods(view, DefinitionSite(klass.path, f"{klass.definition.symbol}.{name}"))
    )


def _is_asked(view: View, path: str, name: str) -> bool:
    """Whether the file asks first if there is such a thing."""
    return bool(re.search(rf"(?:{_ASKED})[^)]*\b{re.escape(name)}\b", view.text(path)))


# What is written in these is done by whoever takes them in.
_MIXED_IN = frozenset({"trait", "interface"})
_INCLUDES = expression(r"\b(?:include|require)(?:_once)?\b")
_DEEPEST = 8


def can_access(view: View, it: SourceDefinition, context: ReferenceContext, by: CallSite | Import) -> bool:
    """Whether what is said there may mean this; so it may, where nobody can tell."""
    if not it.definition.visibility or isinstance(by, Import):
        return True
    klass = class_in_file(it.path, it.facts, it.definition.symbol.rpartition(".")[0])
    if klass is None or klass.definition.made in _MIXED_IN or _is_answered(view, context, by):
        return True
    if not context.owner:
        return _may_be_included(view, klass, context, it.definition.visibility)
    user = class_in_file(context.path, context.facts, context.owner)
    if user is None or UNNAMED in context.owner or user.definition.made in _MIXED_IN:
        return True
    if it.definition.visibility == PRIVATE:
        return (user.path, user.definition.symbol) == (klass.path, klass.definition.symbol)
    return not _kin(view, user).isdisjoint(_kin(view, klass))


def _is_answered(view: View, context: ReferenceContext, call: CallSite) -> bool:
    """Whether `__call` may take what nobody else may."""
    asked = receiver(view, context.path, context.facts, call)
    answers = [LINEAGE.member(view, asked, name) for name in MAGIC] if asked is not None else []
    return not answers or any(each.site is not None or not each.sure for each in answers)


def _may_be_included(view: View, klass: SourceDefinition, context: ReferenceContext, visibility: str) -> bool:
    """What a method includes is part of it; what defines something of its own is not written for that."""
    if context.facts.definitions:
        return False
    return visibility != PRIVATE or bool(_INCLUDES.search(view.text(klass.path)))


def _kin(view: View, klass: SourceDefinition, depth: int = 0) -> frozenset[str]:
    """The class and all its base classes, as far as they are known."""
    found = {full_name(klass.facts.space, klass.definition.symbol)}
    for base in klass.definition.bases if depth <= _DEEPEST else ():
        name = class_name(klass.facts, base)
        above = named_class(view, name) if base != "?" else None
        found.update({name} - {"?"}, _kin(view, above, depth + 1) if above is not None else ())
    return frozenset(found)
