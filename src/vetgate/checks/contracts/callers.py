"""A function or class that takes something else than before, beside all that call it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from vetgate.checks.contracts.broken import (
    ASYNC,
    FUNCTION,
    LENIENT,
    METHOD,
    RETURN,
    Broken,
    differ,
    unique,
)
from vetgate.checks.contracts.objects import may_be_another
from vetgate.checks.contracts.reached import handed_over, is_of_object
from vetgate.checks.contracts.returns import gives_the_same
from vetgate.checks.contracts.signature import REORDERED, differences, is_taken, misfit, moved_from
from vetgate.checks.contracts.uses import is_own
from vetgate.index.heirs import inherited_anew
from vetgate.index.place import MAKERS, Place
from vetgate.index.resolve import definition_of, imported, member_called
from vetgate.index.tongue import tongue
from vetgate.index.users import Site, sites
from vetgate.source.language import language_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vetgate.checks.contracts.broken import Sides
    from vetgate.checks.contracts.signature import Difference
    from vetgate.index.facts import Call, Definition, Facts, Parameter
    from vetgate.index.view import View

_TYPED = frozenset({"python", "typescript", "tsx", "go", "java", "csharp", "php", "rust"})
_NOTHING = "void"
_OWN = ("self.", "this.", "cls.")


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
    if len(brought) != 1 or tongue(sides.file.path) or was.kind not in {FUNCTION, METHOD} or was.name in MAKERS:
        return
    origin = imported(sides.view, sides.file.path, brought[0])
    place = Place(origin.path, ".".join(filter(None, (origin.symbol, rest)))) if origin is not None else None
    found = definition_of(sides.view, place) if place is not None else None
    if place is None or found is None or found[1].kind != was.kind:
        return
    if was.parameters is not None and found[1].parameters is not None:
        yield from misfits(sides, place, was, replace(found[1], line=brought[0].line))


def _changed(sides: Sides, was: Definition, now: Definition) -> Iterator[Broken]:
    if was.kind != now.kind or now.kind not in {FUNCTION, METHOD} or now.name in MAKERS:
        return
    place = Place(sides.file.path, now.symbol)
    if was.parameters is not None and now.parameters is not None and not sides.is_lenient:
        yield from misfits(sides, place, was, now)
    told = _otherwise(was, now) if language_of(sides.file.path) in _TYPED else None
    if told and told[0] == RETURN and was.returns == _NOTHING and tongue(sides.file.path):
        told = None  # nobody can have used it
    found = tuple(site for site in _calls(sides, place, now) if site.path not in sides.changed) if told else ()
    if told and found:
        yield Broken(told[0], now.symbol, now.line, told[1], found)


def misfits(sides: Sides, place: Place, was: Definition, now: Definition) -> Iterator[Broken]:
    """Calls of what stands at a place that fitted it as it was, and do not any more."""
    found = list(differences(was, now))
    if not found:
        return
    calls = list(_calls(sides, place, now))
    fitted = tuple(
        site
        for site in calls
        if _fits(site, was.parameters) and not _fits(site, now.parameters) and not _is_doubtful(sides, site, place)
    )
    if any(_may_be_an_heir(site) for site in fitted):
        heirs = inherited_anew(sides.view, place)
        fitted = tuple(site for site in fitted if not _may_be_an_heir(site) or not _is_taken(site, heirs))
    difference = next((each for each in found if each.rule != REORDERED), found[0])
    if fitted:
        yield Broken(difference.rule, now.symbol, now.line, difference.text, fitted)
    elif found[-1].rule == REORDERED:
        first = moved_from(was, now)
        moved = tuple(
            site
            for site in calls
            if site.path not in sides.changed and site.call and site.call.positional > first
            if not _is_doubtful(sides, site, place)
        )
        if moved:
            yield Broken(REORDERED, now.symbol, now.line, found[-1].text, moved)
    if now.kind == METHOD:
        told = {(site.path, site.line) for site in calls}
        yield from _by_name(sides, was, now, difference, told)


def _may_be_an_heir(site: Site) -> bool:
    own_way = tongue(site.path)
    return site.call is not None and bool(site.call.of) and own_way is not None and own_way.has_heirs


def _is_taken(site: Site, by: list[Definition]) -> bool:
    return site.call is None or is_taken(site.call, by)


def _is_doubtful(sides: Sides, site: Site, place: Place) -> bool:
    facts = sides.view.facts(site.path)
    if site.call is None or not is_of_object(sides.view, site.path, facts, site.call) or _is_its_own(site, place):
        return False
    maker = next((each for each in MAKERS if site.call.callee == f"super.{each}"), "")
    return may_be_another(sides.view, site.path, site.call, place if not maker else place.member(maker))


def _is_its_own(site: Site, place: Place) -> bool:
    """Whether a class calls what it has itself: that has to fit, whatever its heirs have."""
    owner = place.symbol.rpartition(".")[0]
    return site.call is not None and (site.path, site.call.owner) == (place.path, owner) and is_own(site.call)


def _calls(sides: Sides, place: Place, member: Definition) -> Iterator[Site]:
    for site in sites(sides.view, place, place.symbol.rpartition(".")[2]):
        if site.call is None or language_of(site.path) in LENIENT:
            continue
        call = handed_over(sides.view, site.path, site.call, member)
        if call is not None:
            yield site._replace(call=call)


def _by_name(
    sides: Sides, was: Definition, now: Definition, difference: Difference, told: set[tuple[str, int]]
) -> Iterator[Broken]:
    """Calls of a method that only one class of the project has, apart from those that are known to mean it."""
    homes = [each for _, facts in sides.view.holding([f"d{now.name}"]) for each in facts.definitions]
    if sum(each.name == now.name for each in homes) != 1 or now.name.startswith("__"):
        return
    found = tuple(
        site
        for path, facts in sides.view.holding([f"c{now.name}"])
        for call in facts.calls
        if _may_mean(path, call.callee, now.name) and not _is_known(sides.view, path, facts, call)
        for site in [Site(path, call.line, call)]
        if (path, call.line) not in told
        if _fits(site, was.parameters) and not _fits(site, now.parameters)
    )
    if found:
        yield Broken(difference.rule, now.symbol, now.line, difference.text, found, by_name=True)


def _is_known(view: View, path: str, facts: Facts, call: Call) -> bool:
    """Whether it is beyond doubt what a call means; in Go that takes more than what is written of its object."""
    if language_of(path) == "go":
        return member_called(view, path, facts, call).sure
    return is_of_object(view, path, facts, call)


def _may_mean(path: str, callee: str, name: str) -> bool:
    """A call of an object of which nobody knows what it is."""
    if tongue(path):
        return callee == f"?.{name}"
    return callee.endswith(f".{name}") and not callee.startswith(_OWN)


def _fits(site: Site, parameters: tuple[Parameter, ...] | None) -> bool:
    return parameters is None or site.call is None or misfit(site.call, parameters) is None


def _otherwise(was: Definition, now: Definition) -> tuple[str, str] | None:
    """What a call gives back, where that is another thing than before."""
    if was.is_async != now.is_async:
        return ASYNC, "is async now" if now.is_async else "is no longer async"
    if was.returns and now.returns and not gives_the_same(was.returns, now.returns):
        return RETURN, f"returns `{now.returns}` now, not `{was.returns}`"
    return None
