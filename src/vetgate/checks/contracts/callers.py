"""A function or class that takes something else than before, beside all that call it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from vetgate.checks.contracts.broken import (
    ASYNC,
    FUNCTION,
    LENIENT,
    METHOD,
    MOST_SITES,
    RETURN,
    Broken,
    differ,
    unique,
)
from vetgate.checks.contracts.objects import may_be_another
from vetgate.checks.contracts.reached import handed_over, is_by_class, is_of_object
from vetgate.checks.contracts.returns import gives_the_same
from vetgate.checks.contracts.signature import REORDERED, REQUIRED, differences, is_taken, misfit, moved_from
from vetgate.checks.contracts.uses import is_own
from vetgate.index.heirs import inherited_anew
from vetgate.index.place import MAKERS, SELVES, STATIC, Place
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
# How a method says that heirs have to have it, and how many lines that may take.
_LEFT_TO_HEIRS = ("NotImplementedError", "abstractmethod", "abstract ")
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
        yield from _no_longer_static(sides, place, was, now)
    told = _otherwise(was, now) if language_of(sides.file.path) in _TYPED else None
    if told and told[0] == RETURN and was.returns == _NOTHING and tongue(sides.file.path):
        told = None  # nobody can have used it
    found = tuple(site for site in _calls(sides, place) if site.path not in sides.changed) if told else ()
    if told and found:
        yield Broken(told[0], now.symbol, now.line, told[1], found)


def misfits(sides: Sides, place: Place, was: Definition, now: Definition) -> Iterator[Broken]:
    """Calls of what stands at a place that fitted it as it was, and do not any more."""
    found = list(differences(was, now))
    if not found:
        return
    every = list(_calls(sides, place))
    calls = list(_handing_over(sides, every, was, now))
    broken = [site for site in calls if _fits(site, was.parameters) and not _fits(site, now.parameters)][:MOST_SITES]
    fitted = tuple(site for site in broken if not _is_doubtful(sides, site, place))
    if any(_may_be_an_heir(site) for site in fitted):
        heirs = inherited_anew(sides.view, place)
        fitted = tuple(site for site in fitted if not _may_be_an_heir(site) or not _is_taken(site, heirs))
    difference = next((each for each in found if each.rule != REORDERED), found[0])
    if fitted:
        yield Broken(difference.rule, now.symbol, now.line, difference.text, fitted)
    elif found[-1].rule == REORDERED:
        first = moved_from(was, now)
        others = [site for site in calls if site.path not in sides.changed and _places(site) > first][:MOST_SITES]
        moved = tuple(site for site in others if not _is_doubtful(sides, site, place))
        if moved:
            yield Broken(REORDERED, now.symbol, now.line, found[-1].text, moved)
    if now.kind == METHOD:
        told = {(site.path, site.line) for site in every}
        yield from _by_name(sides, was, now, difference, told)


def _no_longer_static(sides: Sides, place: Place, was: Definition, now: Definition) -> Iterator[Broken]:
    """Calls by the name of the class of what needs an object now."""
    if was.word != STATIC or now.word == STATIC or tongue(place.path) is not None:
        return
    found = tuple(
        site
        for site in sites(sides.view, place, now.name)
        if site.call is not None and is_by_class(sides.view, site.path, site.call, now)
        if handed_over(sides.view, site.path, site.call, was) is site.call and not _is_given_object(sides, site, now)
    )
    if found and now.parameters is not None:
        yield Broken(REQUIRED, now.symbol, now.line, "needs an object now", found)


def _is_given_object(sides: Sides, site: Site, now: Definition) -> bool:
    """Whether the first that is handed over may be the object."""
    call = handed_over(sides.view, site.path, site.call, now) if site.call is not None else None
    return call is not None and _fits(site._replace(call=call), now.parameters)


def _places(site: Site) -> int:
    return site.call.positional if site.call is not None else 0


def _may_be_an_heir(site: Site) -> bool:
    own_way = tongue(site.path)
    return site.call is not None and bool(site.call.of) and own_way is not None and own_way.has_heirs


def _is_taken(site: Site, by: list[Definition]) -> bool:
    return site.call is None or is_taken(site.call, by)


def _is_doubtful(sides: Sides, site: Site, place: Place) -> bool:
    facts = sides.view.facts(site.path)
    if (
        site.call is None
        or not is_of_object(sides.view, site.path, facts, site.call)
        or _is_its_own(sides, site, place)
    ):
        return False
    maker = next((each for each in MAKERS if site.call.callee == f"super.{each}"), "")
    return may_be_another(sides.view, site.path, site.call, place if not maker else place.member(maker))


def _is_its_own(sides: Sides, site: Site, place: Place) -> bool:
    """Whether a class calls what it has itself: that has to fit, whatever its heirs have."""
    owner = place.symbol.rpartition(".")[0]
    is_its_own = site.call is not None and (site.path, site.call.owner) == (place.path, owner) and is_own(site.call)
    return is_its_own and not _is_left_to_heirs(sides, place)


def _is_left_to_heirs(sides: Sides, place: Place) -> bool:
    now = unique(sides.after).get(place.symbol)
    first = now.line - _AHEAD if now is not None else 0
    lines = sides.view.text(place.path).split("\n")[max(0, first) : first + _BODY]
    return any(word in line for line in lines for word in _LEFT_TO_HEIRS)


def _calls(sides: Sides, place: Place) -> Iterator[Site]:
    for site in sites(sides.view, place, place.symbol.rpartition(".")[2]):
        if site.call is not None and language_of(site.path) not in LENIENT:
            yield site


def _handing_over(sides: Sides, calls: list[Site], was: Definition, now: Definition) -> Iterator[Site]:
    """Calls by what they give a method; of one that needs an object only now, who hands over none is told apart."""
    for site in calls:
        call = handed_over(sides.view, site.path, site.call, now) if site.call is not None else None
        if call is not None and (call is site.call or was.word != STATIC):
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
    return callee.endswith(f".{name}") and callee.partition(".")[0] not in SELVES


def _fits(site: Site, parameters: tuple[Parameter, ...] | None) -> bool:
    return parameters is None or site.call is None or misfit(site.call, parameters) is None


def _otherwise(was: Definition, now: Definition) -> tuple[str, str] | None:
    """What a call gives back, where that is another thing than before."""
    if was.is_async != now.is_async:
        return ASYNC, "is async now" if now.is_async else "is no longer async"
    if was.returns and now.returns and not gives_the_same(was.returns, now.returns):
        return RETURN, f"returns `{now.returns}` now, not `{was.returns}`"
    return None
