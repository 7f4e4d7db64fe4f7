"""A function or class that takes something else than before, beside all that call it, in whatever way."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from vetgate.checks.contracts.broken import (
    ASYNC,
    CLASS,
    FUNCTION,
    LENIENT,
    METHOD,
    MOST_REFERENCES,
    RETURN,
    Broken,
    differ,
    unique,
)
from vetgate.checks.contracts.objects import may_be_another
from vetgate.checks.contracts.signature import (
    REORDERED,
    REQUIRED,
    differences,
    is_taken,
    misfit,
    moved_from,
    returns_the_same,
)
from vetgate.index.constructor import base_classes, constructor, own_maker
from vetgate.index.facts import MAKERS, SELVES, STATIC, CallSite, DefinitionSite
from vetgate.index.inheritance import overriding_methods
from vetgate.index.language_resolver import resolver_for
from vetgate.index.references import Reference, names_of, namespace_references, references, references_in_file
from vetgate.index.resolve import SCRIPTS, called_on, definition_of, imported, member_called
from vetgate.index.return_types import RESULT
from vetgate.source.language import language_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vetgate.checks.contracts.broken import Sides
    from vetgate.checks.contracts.signature import Misfit
    from vetgate.index.facts import Definition, Facts, Import, Parameter
    from vetgate.index.language_resolver import LanguageResolver, Through
    from vetgate.index.view import View

    Use = tuple[str, Facts, CallSite | Import]


_NEVER_BOUND, _BY_CLASS = "__new__", "cls."


def is_called_on_object(view: View, path: str, facts: Facts | None, call: CallSite) -> bool:
    """Whether it is known what a method is called on; what a call gives may be anything, if nobody says."""
    on = called_on(view, path, facts, call) if resolver_for(path) is None and facts is not None else None
    if language_of(path) == "go":
        return on is not None
    return on is not None and (not on.receiver.kind.endswith(RESULT) or on.klass(view) is not None)


def is_called_by_class(view: View, path: str, call: CallSite, member: Definition) -> bool:
    """Whether a method, or a constructor, is called by the name of its class."""
    is_maker = member.kind == "class" and call.callee.endswith(f".{MAKERS[0]}")
    if resolver_for(path) is not None or language_of(path) == "go" or not (is_maker or member.kind == "method"):
        return False
    facts = view.facts(path)
    return facts is not None and called_on(view, path, facts, call) is None


def passed_arguments(view: View, path: str, call: CallSite, member: Definition) -> CallSite | None:
    """What a call gives a method: by the name of a class the object comes first. None where there is no such method."""
    if not _is_unbound(view, path, call, member):
        return call
    if language_of(path) in SCRIPTS or (not call.positional and not call.is_open):
        return None
    return replace(call, positional=max(0, call.positional - 1))


def _is_unbound(view: View, path: str, call: CallSite, member: Definition) -> bool:
    if language_of(path) == "go":
        return False
    if member.kind == "method" and member.name == _NEVER_BOUND:
        return True
    if member.kind == "method" and call.callee.startswith(_BY_CLASS):
        return not member.word
    return is_called_by_class(view, path, call, member) and member.word != STATIC


_OWN = ("self.", "this.", "static.", "class.")


def uses_of(sides: Sides, own: LanguageResolver, symbol: str) -> Iterator[Use]:
    """By what names meant while it stood there, those of its own file first."""
    site = DefinitionSite(sides.old_path, symbol)
    here = (sides.file.path, sides.after, names_of(sides.earlier, site))
    for by in references_in_file(sides.earlier, site, own, here):
        yield sides.file.path, sides.after, by
    yield from _elsewhere(sides, namespace_references(sides.earlier, site, own))


def followers_of(sides: Sides, own: LanguageResolver, symbol: str) -> Iterator[Use]:
    """By what names mean now, of something that stands elsewhere than before."""
    for path, by in namespace_references(sides.view, DefinitionSite(sides.file.path, symbol), own):
        facts = sides.view.facts(path)
        if facts is not None:
            yield path, facts, by


def passing(sides: Sides, through: Through, symbol: str) -> Iterator[Use]:
    """Who came through it from other files."""
    yield from _elsewhere(sides, through(sides.earlier, DefinitionSite(sides.old_path, symbol)))


def _elsewhere(sides: Sides, found: Iterator[tuple[str, CallSite | Import]]) -> Iterator[Use]:
    for path, by in found:
        facts = sides.view.facts(path) if path not in {sides.old_path, sides.file.path} else None
        if facts is not None:
            yield path, facts, by


def defined(sides: Sides, name: str) -> int:
    """How often the project would have something of this name, in whichever class."""
    found = (it for _, facts in sides.view.holding([f"d{name}", f"q{name}"]) for it in facts.definitions)
    return sum(it.name == name for it in found)


def is_own(by: CallSite | Import) -> bool:
    """What it calls of itself, a subclass or whoever mixes it in may have."""
    return isinstance(by, CallSite) and by.callee.startswith(_OWN)


_TYPED = frozenset({"python", "typescript", "tsx", "go", "java", "csharp", "php", "rust"})
_NOTHING = "void"
# How a method says that subclasses have to have it, and how many lines that may take.
_LEFT_TO_SUBCLASSES = ("NotImplementedError", "abstractmethod", "abstract ")
_AHEAD, _BODY = 3, 12


def changed_signatures(sides: Sides) -> Iterator[Broken]:
    was, now = unique(sides.before), unique(sides.after)
    for symbol, each in was.items():
        if symbol in now and differ(each, now[symbol]):
            yield from _changed(sides, each, now[symbol])
        elif symbol not in now and not sides.is_lenient:
            yield from _passed_on(sides, each)


def _passed_on(sides: Sides, was: Definition) -> Iterator[Broken]:
    """What stands in another file now, and is still had from here."""
    head, _, rest = was.symbol.partition(".")
    brought = [each for each in sides.after.imports if each.local == head and each.name and not each.guarded]
    if len(brought) != 1 or resolver_for(sides.file.path) or was.kind not in {FUNCTION, METHOD} or was.name in MAKERS:
        return
    origin = imported(sides.view, sides.file.path, brought[0])
    site = DefinitionSite(origin.path, ".".join(filter(None, (origin.symbol, rest)))) if origin is not None else None
    found = definition_of(sides.view, site) if site is not None else None
    if site is None or found is None or found[1].kind != was.kind:
        return
    if was.parameters is not None and found[1].parameters is not None:
        yield from misfits(sides, site, was, replace(found[1], line=brought[0].line))


def _changed(sides: Sides, was: Definition, now: Definition) -> Iterator[Broken]:
    if was.kind != now.kind or now.kind not in {FUNCTION, METHOD} or now.name in MAKERS:
        return
    site = DefinitionSite(sides.file.path, now.symbol)
    if was.parameters is not None and now.parameters is not None and not sides.is_lenient:
        yield from misfits(sides, site, was, now)
        yield from _no_longer_static(sides, site, was, now)
    told = _otherwise(was, now) if language_of(sides.file.path) in _TYPED else None
    if told and told[0] == RETURN and was.returns == _NOTHING and resolver_for(sides.file.path):
        told = None  # nobody can have used it
    found = tuple(reference for reference in _calls(sides, site) if reference.path not in sides.changed) if told else ()
    if told and found:
        yield Broken(told[0], now.symbol, now.line, told[1], found)


def misfits(sides: Sides, site: DefinitionSite, was: Definition, now: Definition) -> Iterator[Broken]:
    """Calls of what stands at a place that fitted it as it was, and do not any more."""
    found = list(differences(was, now))
    if not found:
        return
    every = list(_calls(sides, site))
    calls = list(_handing_over(sides, every, was, now))
    broken = [
        reference for reference in calls if _fits(reference, was.parameters) and not _fits(reference, now.parameters)
    ][:MOST_REFERENCES]
    fitted = tuple(reference for reference in broken if not _is_doubtful(sides, reference, site))
    if any(_may_be_a_subclass(reference) for reference in fitted):
        subclasses = overriding_methods(sides.view, site)
        fitted = tuple(
            reference
            for reference in fitted
            if not _may_be_a_subclass(reference) or not _is_taken(reference, subclasses)
        )
    difference = next((each for each in found if each.rule != REORDERED), found[0])
    if fitted:
        yield Broken(difference.rule, now.symbol, now.line, difference.text, fitted)
    elif found[-1].rule == REORDERED:
        first = moved_from(was, now)
        others = [
            reference for reference in calls if reference.path not in sides.changed and _places(reference) > first
        ][:MOST_REFERENCES]
        moved = tuple(reference for reference in others if not _is_doubtful(sides, reference, site))
        if moved:
            yield Broken(REORDERED, now.symbol, now.line, found[-1].text, moved)
    if now.kind == METHOD:
        told = {(reference.path, reference.line) for reference in every}
        yield from _by_name(sides, was, now, difference, told)


def _no_longer_static(sides: Sides, site: DefinitionSite, was: Definition, now: Definition) -> Iterator[Broken]:
    """Calls by the name of the class of what needs an object now."""
    if was.word != STATIC or now.word == STATIC or resolver_for(site.path) is not None:
        return
    found = tuple(
        reference
        for reference in references(sides.view, site, now.name)
        if reference.call is not None and is_called_by_class(sides.view, reference.path, reference.call, now)
        if passed_arguments(sides.view, reference.path, reference.call, was) is reference.call
        and not _is_passed_object(sides, reference, now)
    )
    if found and now.parameters is not None:
        yield Broken(REQUIRED, now.symbol, now.line, "needs an object now", found)


def _is_passed_object(sides: Sides, reference: Reference, now: Definition) -> bool:
    """Whether the first that is passed may be the object."""
    call = passed_arguments(sides.view, reference.path, reference.call, now) if reference.call is not None else None
    return call is not None and _fits(reference._replace(call=call), now.parameters)


def _places(reference: Reference) -> int:
    return reference.call.positional if reference.call is not None else 0


def _may_be_a_subclass(reference: Reference) -> bool:
    own_way = resolver_for(reference.path)
    return reference.call is not None and bool(reference.call.of) and own_way is not None and own_way.has_subclasses


def _is_taken(reference: Reference, by: list[Definition]) -> bool:
    return reference.call is None or is_taken(reference.call, by)


def _is_doubtful(sides: Sides, reference: Reference, site: DefinitionSite) -> bool:
    facts = sides.view.facts(reference.path)
    if (
        reference.call is None
        or not is_called_on_object(sides.view, reference.path, facts, reference.call)
        or _is_its_own(sides, reference, site)
    ):
        return False
    maker = next((each for each in MAKERS if reference.call.callee == f"super.{each}"), "")
    return may_be_another(sides.view, reference.path, reference.call, site if not maker else site.member(maker))


def _is_its_own(sides: Sides, reference: Reference, site: DefinitionSite) -> bool:
    """Whether a class calls what it has itself: that has to fit, whatever its subclasses have."""
    owner = site.symbol.rpartition(".")[0]
    is_its_own = (
        reference.call is not None
        and (reference.path, reference.call.owner) == (site.path, owner)
        and is_own(reference.call)
    )
    return is_its_own and not _is_left_to_subclasses(sides, site)


def _is_left_to_subclasses(sides: Sides, site: DefinitionSite) -> bool:
    now = unique(sides.after).get(site.symbol)
    first = now.line - _AHEAD if now is not None else 0
    lines = sides.view.text(site.path).split("\n")[max(0, first) : first + _BODY]
    return any(word in line for line in lines for word in _LEFT_TO_SUBCLASSES)


def _calls(sides: Sides, site: DefinitionSite) -> Iterator[Reference]:
    for reference in references(sides.view, site, site.symbol.rpartition(".")[2]):
        if reference.call is not None and language_of(reference.path) not in LENIENT:
            yield reference


def _handing_over(sides: Sides, calls: list[Reference], was: Definition, now: Definition) -> Iterator[Reference]:
    """Calls by what they give a method; of one that needs an object only now, who passes none is told apart."""
    for reference in calls:
        call = passed_arguments(sides.view, reference.path, reference.call, now) if reference.call is not None else None
        if call is not None and (call is reference.call or was.word != STATIC):
            yield reference._replace(call=call)


def _by_name(
    sides: Sides, was: Definition, now: Definition, difference: Misfit, told: set[tuple[str, int]]
) -> Iterator[Broken]:
    """Calls of a method that only one class of the project has, apart from those that are known to mean it."""
    classes = [each for _, facts in sides.view.holding([f"d{now.name}"]) for each in facts.definitions]
    if sum(each.name == now.name for each in classes) != 1 or now.name.startswith("__"):
        return
    found = tuple(
        reference
        for path, facts in sides.view.holding([f"c{now.name}"])
        for call in facts.calls
        if _may_mean(path, call.callee, now.name) and not _is_known(sides.view, path, facts, call)
        for reference in [Reference(path, call.line, call)]
        if (path, call.line) not in told
        if _fits(reference, was.parameters) and not _fits(reference, now.parameters)
    )
    if found:
        yield Broken(difference.rule, now.symbol, now.line, difference.text, found, by_name=True)


def _is_known(view: View, path: str, facts: Facts, call: CallSite) -> bool:
    """Whether it is beyond doubt what a call means; in Go that takes more than what is written of its object."""
    if language_of(path) == "go":
        return member_called(view, path, facts, call).sure
    return is_called_on_object(view, path, facts, call)


def _may_mean(path: str, callee: str, name: str) -> bool:
    """A call of an object of which nobody knows what it is."""
    if resolver_for(path):
        return callee == f"?.{name}"
    return callee.endswith(f".{name}") and callee.partition(".")[0] not in SELVES


def _fits(reference: Reference, parameters: tuple[Parameter, ...] | None) -> bool:
    return parameters is None or reference.call is None or misfit(reference.call, parameters) is None


def _otherwise(was: Definition, now: Definition) -> tuple[str, str] | None:
    """What a call gives back, where that is another thing than before."""
    if was.is_async != now.is_async:
        return ASYNC, "is async now" if now.is_async else "is no longer async"
    if was.returns and now.returns and not returns_the_same(was.returns, now.returns):
        return RETURN, f"returns `{now.returns}` now, not `{was.returns}`"
    return None


# Classes that are called for one of their members, whatever their constructor takes.
_LISTED = ("Enum", "Flag", "?")
_GENERATIONS = 3


def find_changed_constructors(sides: Sides) -> Iterator[Broken]:
    was, now = _making(sides.before), _making(sides.after)
    if was == now or sides.is_lenient:
        return
    stood, stands = unique(sides.before), unique(sides.after)
    for symbol in was:
        old, new = stood.get(symbol), stands.get(symbol)
        if old is not None and new is not None and new.kind == CLASS:
            took, takes = _takes(sides.earlier, sides.old_path, old), _takes(sides.view, sides.file.path, new)
            if takes is not None and took is not None and takes != took:
                site = DefinitionSite(sides.file.path, symbol)
                yield from misfits(sides, site, replace(old, parameters=took), replace(new, parameters=takes))
                yield from _inherited(sides, site, new.line)


def _making(facts: Facts) -> dict[str, tuple[Definition, ...]]:
    """All that has a say in how objects are made, by class."""
    found: dict[str, tuple[Definition, ...]]
    found = {each.symbol: (replace(each, line=0),) for each in facts.definitions if each.kind == CLASS}
    for each in facts.definitions:
        owner, _, name = each.symbol.rpartition(".")
        if name in MAKERS and owner in found:
            found[owner] += (replace(each, line=0),)
    return found


def _takes(view: View, path: str, each: Definition) -> tuple[Parameter, ...] | None:
    found = constructor(view, path, each)
    if found is not None or any(base.endswith(_LISTED) for base in each.bases):
        return found
    facts = view.facts(path)
    own = own_maker(facts, each.symbol) if facts is not None else None
    return own.parameters if own is not None else None


def _inherited(sides: Sides, site: DefinitionSite, line: int) -> Iterator[Broken]:
    """Subclasses outside of this file are made as their base class is, as far as they do not say otherwise."""
    for path, subclass in _subclasses(sides.view, site):
        took, takes = constructor(sides.earlier, path, subclass), constructor(sides.view, path, subclass)
        if path != site.path and took is not None and takes is not None and took != takes:
            was, now = replace(subclass, parameters=took), replace(subclass, parameters=takes, line=line)
            yield from misfits(sides, DefinitionSite(path, subclass.symbol), was, now)


def _subclasses(view: View, site: DefinitionSite) -> Iterator[tuple[str, Definition]]:
    pending, seen = [site], {site}
    for _ in range(_GENERATIONS):
        found = [each for here in pending for each in _children(view, here)]
        pending = [
            DefinitionSite(path, each.symbol) for path, each in found if DefinitionSite(path, each.symbol) not in seen
        ]
        seen.update(pending)
        yield from ((path, each) for path, each in found if DefinitionSite(path, each.symbol) in pending)


def _children(view: View, site: DefinitionSite) -> Iterator[tuple[str, Definition]]:
    used = references(view, site, site.symbol.rpartition(".")[2])
    for path in dict.fromkeys((site.path, *(reference.path for reference in used))):
        facts = view.facts(path)
        for each in unique(facts).values() if facts is not None else ():
            known = (base_classes(view, path, each) if each.kind == CLASS and each.bases else None) or ()
            if any(DefinitionSite(*it) == site for it in known):
                yield path, each
