"""The security check with the rules of a project beside its own."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property, lru_cache, partial
from typing import TYPE_CHECKING

from vetgate.checks.security.findings import found
from vetgate.checks.security.rule import FAMILIES
from vetgate.checks.security.scan import visitor_with
from vetgate.checks.security.user import user_rules
from vetgate.checks.security.user.structure import parsed
from vetgate.checks.security.user.text_findings import FileText
from vetgate.engine.check import Check, Report, Rule
from vetgate.model import Unchecked, UncheckedKind
from vetgate.source.walk import Visitor

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from vetgate.checks.security.rule import SecurityRule
    from vetgate.checks.security.user import UserRules
    from vetgate.checks.security.user.structure import Structure
    from vetgate.config.schema import Config, Security
    from vetgate.engine.check import CheckInput
    from vetgate.model import Finding
    from vetgate.source.clock import Deadline

_NOTHING = Visitor(lambda _: None, {})


@lru_cache(maxsize=16)
def extended(check: Check, security: Security) -> Check:
    both = _Both(check, user_rules(security))
    return replace(
        check,
        rules=(*check.rules, *map(both.described, both.user.rules)),
        languages=check.languages | both.user.languages,
        visitor=both.visitor,
        report=both.report,
    )


@dataclass(frozen=True, eq=False)
class _Both:
    check: Check
    user: UserRules

    @cached_property
    def _noting(self) -> dict[str, Visitor]:
        return {}

    def visitor(self, language: str) -> Visitor:
        if language not in FAMILIES:
            return _NOTHING
        if language not in self._noting:
            self._noting[language] = visitor_with(self.user.tables, language)
        return self._noting[language]

    def report(self, check_input: CheckInput, config: Config, deadline: Deadline) -> Report:
        """Whatever a rule of the project does, what vetgate's own found stands."""
        own = self.check.report(check_input, config, deadline) if check_input.state is not None else Report()
        looking = _Looking(
            self.user, FileText(check_input.source.path, check_input.parsed, check_input.state), deadline
        )
        return Report((*own.findings, *looking.findings()), (*own.unchecked, *looking.unchecked))

    def described(self, rule: SecurityRule) -> Rule:
        named = {language for pattern in rule.find for language in pattern.languages}
        families = {FAMILIES.get(language, language) for language in named}
        covered = {language for language in FAMILIES if FAMILIES[language] in families} | (named - set(FAMILIES))
        covered |= {each for made in self.user.structures if made.rule.id == rule.id for each in made.languages}
        return rule.described(covered)


class _Looking:
    """One file under the rules of a project; a rule that fails is named, and the others run."""

    def __init__(self, user: UserRules, text: FileText, deadline: Deadline) -> None:
        self._user = user
        self._text = text
        self._deadline = deadline
        self.unchecked: list[Unchecked] = []

    def findings(self) -> list[Finding]:
        kept = self._kept("the rules", self._at_places)
        language = self._text.syntax.language
        for line in self._user.lines:
            if language in line.languages:
                kept += self._kept(f"security/{line.rule.id}", partial(line.found, self._text, self._deadline))
        for each in self._user.structures:
            if language in each.languages and each.possible(self._text.whole):
                kept += self._kept(f"security/{each.rule.id}", partial(self._structured, each))
        return kept

    def _at_places(self) -> Iterable[Finding]:
        noted = self._text.noted
        return found(noted, self._text.path, self._user.tables[noted.family]) if noted else ()

    def _structured(self, structure: Structure) -> Iterable[Finding]:
        return structure.found(self._text, self._tree)

    @cached_property
    def _tree(self) -> object:
        return parsed(self._text, self._text.syntax.language)

    def _kept(self, what: str, look: Callable[[], Iterable[Finding]]) -> list[Finding]:
        kept: list[Finding] = []
        late = self._deadline.passed()
        try:
            for finding in () if late else look():
                kept.append(finding)
                if self._deadline.passed():
                    late = True
                    break
        except TimeoutError:
            late = True
        except (Exception, RecursionError, MemoryError) as error:  # noqa: BLE001 - a rule's crash is its own
            self._leave_out(UncheckedKind.OTHER, f"{what} of this project failed ({error.__class__.__name__}: {error})")
        if late:
            self._leave_out(UncheckedKind.UNFINISHED, f"the time for {what} of this project ran out")
        return kept

    def _leave_out(self, kind: UncheckedKind, reason: str) -> None:
        self.unchecked.append(Unchecked(self._text.path, kind, reason))
