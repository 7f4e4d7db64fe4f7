"""A function that changed, beside all that call it: what the change breaks."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from msgspec.structs import replace

from vetgate.checks.contracts.mentions import used_elsewhere, used_here
from vetgate.checks.contracts.returns import gives_the_same
from vetgate.checks.contracts.signature import REORDERED, differences, misfit, moved_from
from vetgate.index.constructor import MAKERS, constructor, own_maker
from vetgate.index.facts import Facts
from vetgate.index.offers import is_served, offers
from vetgate.index.resolve import Place, module_file
from vetgate.index.users import Site, importers, sites
from vetgate.source.language import language_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vetgate.checks.contracts.signature import Difference
    from vetgate.index.facts import Definition, Export, Import, Parameter
    from vetgate.index.view import View
    from vetgate.model import File

GONE, RENAMED, ASYNC, RETURN, EXPORT = "removed", "renamed", "async-changed", "return-changed", "export-removed"
_CLASS, _METHOD, _FUNCTION = "class", "method", "function"
_TYPED = frozenset({"python", "typescript", "tsx", "go"})
# Who hands over too little or too much to these finds out at run time, or never.
_LENIENT = frozenset({"javascript"})
# Classes that are called for one of their members, whatever their constructor takes.
_LISTED = ("Enum", "Flag", "?")
_SCRIPTS = frozenset({"javascript", "typescript", "tsx"})


class Broken(NamedTuple):
    """A definition of the change and the places that do not fit it any more; `by_name` where that is all there is."""

    rule: str
    symbol: str
    line: int
    text: str
    sites: tuple[Site, ...]
    by_name: bool = False


def facts_before(view: View, file: File) -> Facts:
    return view.read_text(file.was or file.path, file.before).facts if file.before is not None else Facts()


def facts_after(view: View, file: File) -> Facts:
    return view.facts(file.path) or Facts()


class Callers:
    """`changed` are the files of the change: whoever writes there may have had this in mind."""

    def __init__(self, view: View, changed: frozenset[str]) -> None:
        self._view = view
        self._changed = changed
        self._earlier: dict[str, View] = {}

    def _before(self, file: File) -> View:
        if file.path not in self._earlier:
            view = self._view.with_text(file.path, None) if file.was else self._view
            self._earlier[file.path] = view.with_text(file.was or file.path, file.before)
        return self._earlier[file.path]

    def broken(self, file: File) -> Iterator[Broken]:
        before, after = facts_before(self._view, file), facts_after(self._view, file)
        was, now = _unique(before), _unique(after)
        there, stood = _names(after), _names(before)
        gone = [each for symbol, each in was.items() if symbol not in there]
        new = [each for symbol, each in now.items() if symbol not in stood]
        if not (before.unsure or after.unsure):
            for each in gone:
                yield from self._gone(file, each, new, after)
            yield from self._hidden(file, before, after)
        for symbol, each in was.items():
            if symbol in now and _differ(each, now[symbol]):
                yield from self._changed_signature(file, each, now[symbol])
        yield from self._remade(file, before, after)

    def _gone(self, file: File, each: Definition, new: list[Definition], after: Facts) -> Iterator[Broken]:
        if each.kind == _METHOD or each.symbol in after.bound or any(it.local == each.symbol for it in after.imports):
            return
        # As it was, or nobody would know any more what these calls meant.
        place = Place(file.was or file.path, each.symbol)
        elsewhere = [
            site
            for site in sites(self._before(file), place, each.name)
            if site.path not in {place.path, file.path} and not is_served(self._view, site)
        ]
        told = {(site.path, site.line) for site in elsewhere}
        here = list(used_here(self._view, file, each, after))
        values = used_elsewhere(self._before(file), self._view, place, each)
        found = (*here, *elsewhere, *(site for site in values if (site.path, site.line) not in told))
        if not found:
            return
        alike = [it for it in new if it.kind == each.kind and it.parameters == each.parameters and it.kind != _METHOD]
        line = alike[0].line if len(alike) == 1 else here[0].line if here else 1
        if len(alike) == 1:
            yield Broken(RENAMED, each.symbol, line, f"is called `{alike[0].symbol}` now", found)
        else:
            yield Broken(GONE, each.symbol, line, "is gone", found)

    def _changed_signature(self, file: File, was: Definition, now: Definition) -> Iterator[Broken]:
        if was.kind != now.kind or now.kind not in {_FUNCTION, _METHOD} or now.name in MAKERS:
            return
        is_lenient = language_of(file.path) in _LENIENT
        if was.parameters is not None and now.parameters is not None and not is_lenient:
            yield from self._misfits(file, was, now)
        told = _otherwise(was, now) if language_of(file.path) in _TYPED else None
        found = tuple(site for site in self._calls(file, now) if site.path not in self._changed) if told else ()
        if told and found:
            yield Broken(told[0], now.symbol, now.line, told[1], found)

    def _remade(self, file: File, before: Facts, after: Facts) -> Iterator[Broken]:
        """Classes whose objects take something else to be made, be it written there or made of fields."""
        was, now = _making(before), _making(after)
        if was == now or language_of(file.path) in _LENIENT:
            return
        stood, stands = _unique(before), _unique(after)
        for symbol in was:
            old, new = stood.get(symbol), stands.get(symbol)
            if old is None or new is None or new.kind != _CLASS:
                continue
            takes, took = (
                self._takes(self._view, file.path, new),
                self._takes(self._before(file), file.was or file.path, old),
            )
            if takes is not None and took is not None and takes != took:
                yield from self._misfits(file, replace(old, parameters=took), replace(new, parameters=takes))

    def _takes(self, view: View, path: str, each: Definition) -> tuple[Parameter, ...] | None:
        found = constructor(view, path, each)
        if found is not None or any(base.endswith(_LISTED) for base in each.bases):
            return found
        facts = view.facts(path)
        own = own_maker(facts, each.symbol) if facts is not None else None
        return own.parameters if own is not None else None

    def _misfits(self, file: File, was: Definition, now: Definition) -> Iterator[Broken]:
        found = list(differences(was, now))
        if not found:
            return
        calls = list(self._calls(file, now))
        fitted = tuple(site for site in calls if _fits(site, was.parameters) and not _fits(site, now.parameters))
        difference = next((each for each in found if each.rule != REORDERED), found[0])
        if fitted:
            yield Broken(difference.rule, now.symbol, now.line, difference.text, fitted)
        elif found[-1].rule == REORDERED:
            place = moved_from(was, now)
            moved = tuple(
                site for site in calls if site.path not in self._changed and site.call and site.call.positional > place
            )
            if moved:
                yield Broken(REORDERED, now.symbol, now.line, found[-1].text, moved)
        if now.kind == _METHOD:
            yield from self._by_name(was, now, difference)

    def _calls(self, file: File, now: Definition) -> Iterator[Site]:
        for site in sites(self._view, Place(file.path, now.symbol), now.name):
            if site.call is not None and language_of(site.path) not in _LENIENT:
                yield site

    def _by_name(self, was: Definition, now: Definition, difference: Difference) -> Iterator[Broken]:
        """Calls of a method that only one class of the project has."""
        homes = [each for _, facts in self._view.holding([f"d{now.name}"]) for each in facts.definitions]
        if sum(each.name == now.name for each in homes) != 1 or now.name.startswith("__"):
            return
        found = tuple(
            site
            for path, facts in self._view.holding([f"c{now.name}"])
            for call in facts.calls
            if call.callee.endswith(f".{now.name}") and not call.callee.startswith(("self.", "this.", "cls."))
            for site in [Site(path, call.line, call)]
            if _fits(site, was.parameters) and not _fits(site, now.parameters)
        )
        if found:
            yield Broken(difference.rule, now.symbol, now.line, difference.text, found, by_name=True)

    def _hidden(self, file: File, before: Facts, after: Facts) -> Iterator[Broken]:
        """Names that others import, and that cannot be had from here any more, be it passed on or of another kind."""
        is_script = language_of(file.path) in _SCRIPTS
        lost = _offered(before, is_script=is_script) - (set() if file.was else _offered(after, is_script=is_script))
        gone = _names(before) - _names(after)
        told = gone | {each.name for each in before.exports if each.local in gone and not each.module}
        found: dict[str, list[Site]] = {}
        for name, site in self._importing(file, lost) if lost else ():
            if name not in told and not is_served(self._view, site):
                found.setdefault(name, []).append(site)
        if file.was and found:
            every = dict.fromkeys(site for each in found.values() for site in each)
            yield Broken(EXPORT, file.was, 1, f"is `{file.path}` now", tuple(every))
            return
        still = {each.symbol: each.line for each in after.definitions}
        text = "is not exported any more" if is_script else "cannot be imported from here any more"
        for name, each in found.items():
            yield Broken(EXPORT, name, still.get(name, 1), text, tuple(each))

    def _importing(self, file: File, names: set[str]) -> Iterator[tuple[str, Site]]:
        """Who imported one of these from the file, as it was."""
        earlier, place = self._before(file), file.was or file.path
        wanted = [] if any(name.startswith("*") for name in names) else ["*", *names]
        for path, facts in importers(earlier, [place], wanted):
            listed: list[tuple[str, Import | Export]] = [(each.name, each) for each in facts.imports]
            listed += [(each.local, each) for each in facts.exports if each.module]
            for name, each in listed:
                is_wanted = path not in {place, file.path} and name and (name in names or not wanted)
                if is_wanted and module_file(earlier, path, each.module) == place and offers(earlier, place, name):
                    yield name, Site(path, each.line, None, each)


def _offered(facts: Facts, *, is_script: bool) -> set[str]:
    if is_script:
        # Of what nobody knows nobody can say that it is gone.
        told = (each for each in facts.exports if each.module or each.name != "*")
        return {f"* {each.module}" if each.name == "*" else each.name for each in told}
    return _names(facts) | facts.bound | {each.local for each in facts.imports}


def _unique(facts: Facts) -> dict[str, Definition]:
    """Definitions of which there is one."""
    found: dict[str, Definition] = {}
    twice = {each.local for each in facts.imports} | facts.rebound
    for each in facts.definitions:
        if each.symbol in found:
            twice.add(each.symbol)
        found[each.symbol] = each
    return {symbol: each for symbol, each in found.items() if symbol not in twice}


def _differ(was: Definition, now: Definition) -> bool:
    """In more than where they stand."""
    return replace(was, line=0) != replace(now, line=0)


def _making(facts: Facts) -> dict[str, tuple[Definition, ...]]:
    """All that has a say in how objects are made, by class."""
    found: dict[str, tuple[Definition, ...]]
    found = {each.symbol: (replace(each, line=0),) for each in facts.definitions if each.kind == _CLASS}
    for each in facts.definitions:
        owner, _, name = each.symbol.rpartition(".")
        if name in MAKERS and owner in found:
            found[owner] += (replace(each, line=0),)
    return found


def _names(facts: Facts) -> set[str]:
    return {each.symbol for each in facts.definitions}


def _fits(site: Site, parameters: tuple[Parameter, ...] | None) -> bool:
    return parameters is None or site.call is None or misfit(site.call, parameters) is None


def _otherwise(was: Definition, now: Definition) -> tuple[str, str] | None:
    """What a call gives back, where that is another thing than before."""
    if was.is_async != now.is_async:
        return ASYNC, "is async now" if now.is_async else "is no longer async"
    if was.returns and now.returns and not gives_the_same(was.returns, now.returns):
        return RETURN, f"returns `{now.returns}` now, not `{was.returns}`"
    return None
