"""The examples on the pages of a project's own rules, tried out."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from vetgate.checks import all_checks
from vetgate.checks.security.user import user_rules
from vetgate.config.schema import Security
from vetgate.engine.examples import FLAGS, Example, examples, found, marked
from vetgate.source.language import LANGUAGES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vetgate.config.pages import Page
    from vetgate.config.schema import Config

    # Line of the example and rule.
    Places = Counter[tuple[int, str]]

_FAMILY = "security"


@dataclass(frozen=True)
class Tried:
    """One example; `problem` says why nothing could be compared."""

    example: Example
    expected: Places
    found: Places
    problem: str = ""

    @property
    def missing(self) -> Places:
        return self.expected - self.found

    @property
    def unexpected(self) -> Places:
        return self.found - self.expected

    @property
    def passed(self) -> bool:
        return not self.problem and self.expected == self.found


@dataclass(frozen=True)
class Trial:
    """One page; `trouble` says why its rule cannot be run."""

    page: Page
    tried: tuple[Tried, ...] = ()
    trouble: str = ""

    @property
    def rule(self) -> str:
        return f"{_FAMILY}/{self.page.rule}"


def trials(pages: tuple[Page, ...], config: Config) -> Iterator[Trial]:
    """Every page beside all the others, so that a name that is taken shows."""
    security = Security(custom=config.security.custom, pages=pages)
    config = replace(config, security=security)
    troubles = {trouble.file: trouble.told({}) for trouble in user_rules(security).troubles}
    for page in pages:
        if page.name in troubles:
            yield Trial(page, trouble=troubles[page.name])
        else:
            yield Trial(
                page, tuple(_tried(example, f"{_FAMILY}/{page.rule}", config) for example in examples(page.text))
            )


def _tried(example: Example, own: str, config: Config) -> Tried:
    """Other rules count only where the example speaks of them: a page is not broken by a newer vetgate."""
    expected = marked(example.code)
    problem = _problem(example, expected)
    if problem:
        return Tried(example, expected, Counter(), problem)
    asked = {own, *(rule for _, rule in expected)}
    try:
        everything = found(example, all_checks()[_FAMILY], config)
    except (ValueError, TypeError) as error:
        return Tried(example, expected, Counter(), str(error))
    return Tried(example, expected, Counter({place: n for place, n in everything.items() if place[1] in asked}))


def _problem(example: Example, expected: Places) -> str:
    if example.language not in LANGUAGES:
        return f"{example.language} is no language that vetgate reads ({', '.join(sorted(LANGUAGES))})"
    if bool(expected) == (example.section == FLAGS):
        return ""
    return "it has a mark, but is to be left alone" if expected else "no line is marked with `finds: security/...`"
