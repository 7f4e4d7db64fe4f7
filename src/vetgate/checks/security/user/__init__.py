"""Rules of a project's own: pages, lines and sinks, compiled once. They only ever add findings."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache, partial
from typing import TYPE_CHECKING, TypeVar

import msgspec

from vetgate.checks.security.fenced_blocks import BadBlock
from vetgate.checks.security.rule import FAMILIES, Pattern, RuleTable, SecurityRule, rules, table
from vetgate.checks.security.rule import rules as built_in
from vetgate.checks.security.user.page import LineMatcher, complaints, lines_of, of_configuration, own_rule

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from vetgate.checks.security.user.structure import Structure
    from vetgate.config.pages import Page
    from vetgate.config.schema import LineRule, Security

Made = TypeVar("Made")


@dataclass(frozen=True, slots=True)
class Trouble:
    """`file` is a page or the configuration; of the configuration the `key` is known, and its place may be."""

    file: str
    line: int
    message: str
    key: str = ""

    def render(self, places: Mapping[str, object]) -> str:
        where = places.get(self.key, self.file) if self.key else f"{self.file}:{self.line}"
        return f"{where}: {self.key}: {self.message}" if self.key else f"{where}: {self.message}"


def attempt(file: str, key: str, make: Callable[[], Made]) -> Made | Trouble:
    try:
        return make()
    except BadBlock as error:
        return Trouble(file, error.line or 1, error.message, key)
    except (Exception, RecursionError, MemoryError) as error:  # noqa: BLE001 - a broken rule never takes the gate down
        return Trouble(file, 1, f"the rule cannot be understood ({error.__class__.__name__}: {error})", key)


def with_sinks(name: str, globs: tuple[str, ...]) -> SecurityRule:
    """The rule with only these to look for: in every language family, as the first of its calls that input reaches."""
    rule = next((rule for rule in rules() if rule.id == name), None)
    if rule is None:
        raise BadBlock(0, "only rules of vetgate itself take more sinks")
    first: dict[str, Pattern] = {}
    for pattern in rule.find:
        family = FAMILIES.get(pattern.languages[0], "")
        if pattern.call and pattern.tainted:
            first.setdefault(family, pattern)
    if not first:
        raise BadBlock(0, f"security/{name} does not follow input into a call, so there is nothing to add to")
    return msgspec.structs.replace(rule, find=tuple(_like(pattern, globs) for pattern in first.values()))


def _like(pattern: Pattern, globs: tuple[str, ...]) -> Pattern:
    """What narrows the rule's own calls down by their surroundings says nothing about these."""
    return Pattern(
        languages=pattern.languages,
        call=globs,
        argument=pattern.argument,
        tainted=True,
        text=pattern.text,
        severity=pattern.severity,
        message=pattern.message,
        fix=pattern.fix,
    )


_CONFIGURATION = "vetgate.yaml"


@dataclass(frozen=True, eq=False)
class UserRules:
    """`rules` have an id of their own; `sinks` are rules of vetgate with other calls to look for."""

    rules: tuple[SecurityRule, ...] = ()
    sinks: tuple[SecurityRule, ...] = ()
    structures: tuple[Structure, ...] = ()
    troubles: tuple[Trouble, ...] = ()

    @cached_property
    def tables(self) -> dict[str, RuleTable]:
        return {family: table((*self.rules, *self.sinks), family) for family in set(FAMILIES.values())}

    @cached_property
    def lines(self) -> tuple[LineMatcher, ...]:
        return tuple(line for rule in self.rules for line in lines_of(rule))

    @cached_property
    def languages(self) -> frozenset[str]:
        """Those that lines and structures are looked for in."""
        covered = [each.languages for each in self.lines] + [each.languages for each in self.structures]
        return frozenset().union(*covered)


@lru_cache(maxsize=16)
def user_rules(security: Security) -> UserRules:
    """Whatever is broken is left out and named; the rest is in force."""
    return _RuleCompiler().compiled(security)


class _RuleCompiler:
    def __init__(self) -> None:
        self._taken = {rule.id: "vetgate itself has a rule of this name" for rule in built_in()}
        self._rules: list[SecurityRule] = []
        self._sinks: list[SecurityRule] = []
        self._structures: list[Structure] = []
        self._troubles: list[Trouble] = []

    def compiled(self, security: Security) -> UserRules:
        for rule in security.custom:
            self._try(_CONFIGURATION, f"security.custom.{rule.id}", partial(self._line, rule))
        for page in security.pages:
            self._try(page.name, "", partial(self._page, page))
        for name, globs in security.sinks:
            self._try(_CONFIGURATION, f"security.sinks.{name}", partial(self._sink, name, globs))
        return UserRules(tuple(self._rules), tuple(self._sinks), tuple(self._structures), tuple(self._troubles))

    def _try(self, file: str, key: str, take: Callable[[], None]) -> None:
        trouble = attempt(file, key, take)
        if isinstance(trouble, Trouble):
            self._troubles.append(trouble)

    def _line(self, rule: LineRule) -> None:
        made = of_configuration(rule)
        for _, message in complaints(made):
            raise BadBlock(0, message)
        self._take(made, f"{_CONFIGURATION} has a rule of this name, too")

    def _page(self, page: Page) -> None:
        if page.rule in self._taken:
            raise BadBlock(1, f"{self._taken[page.rule]}; call the page differently")
        own = own_rule(page)
        self._structures += own.structures
        self._take(own.rule, f"{page.name} has a rule of this name, too")

    def _take(self, rule: SecurityRule, taken: str) -> None:
        if rule.id in self._taken:
            raise BadBlock(0, f"{self._taken[rule.id]}; choose another name")
        self._taken[rule.id] = taken
        self._rules.append(rule)

    def _sink(self, name: str, globs: tuple[str, ...]) -> None:
        self._sinks.append(with_sinks(name, globs))
