"""Findings of some checks and rules alone: what `--select` and `--ignore` leave of a verdict."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from vetgate.checks import checks_under
from vetgate.config.node import did_you_mean
from vetgate.engine.decide import blocks, decided
from vetgate.model import Decision, Status, UserError
from vetgate.service.rule_search import rules_about

if TYPE_CHECKING:
    from collections.abc import Iterable

    from vetgate.config.schema import Config
    from vetgate.model import Finding, Outcome
    from vetgate.service.check import Judged

_ALWAYS = "protected-file/looser-configuration"


@dataclass(frozen=True, slots=True)
class FindingFilter:
    """Checks (`security`), rules (`security/sql-concatenation`), weaknesses (`xss`); none: all but those ignored."""

    select: frozenset[str] = frozenset()
    ignore: frozenset[str] = frozenset()

    @classmethod
    def of(cls, select: Iterable[str], ignore: Iterable[str], config: Config) -> FindingFilter:
        """Names may be joined by commas; the error for an unknown one names the closest."""
        known = [
            name
            for check in checks_under(config).values()
            for name in (check.id, *(f"{check.id}/{rule.id}" for rule in check.rules))
        ]
        return cls(*(frozenset(_names(given, known)) for given in (select, ignore)))

    def takes(self, finding: Finding) -> bool:
        """A configuration that became looser is shown whatever is selected."""
        names = {finding.check, finding.id}
        return not names & self.ignore and (not self.select or bool(names & self.select) or finding.id == _ALWAYS)

    def applied(self, judged: Judged) -> Judged:
        if not self.select and not self.ignore:
            return judged
        config = judged.config
        outcomes = tuple(self._of(outcome, config) for outcome in judged.verdict.outcomes)
        of_gates = [outcome for outcome in outcomes if outcome.gate in config.gates]
        told = Decision.WARN if len(of_gates) < len(outcomes) else Decision.ALLOW  # files that nobody could look at
        return replace(
            judged, verdict=replace(judged.verdict, outcomes=outcomes, decision=max(told, decided(of_gates, config)))
        )

    def _of(self, outcome: Outcome, config: Config) -> Outcome:
        findings = tuple(filter(self.takes, outcome.findings))
        gate = config.gates.get(outcome.gate)
        held = gate is None or any(blocks(finding, gate) for finding in findings)
        status = outcome.status if held or outcome.status is not Status.FAILED else Status.PASSED
        return replace(outcome, findings=findings, status=status)


def _names(given: Iterable[str], known: list[str]) -> list[str]:
    names = [name.strip() for each in given for name in each.split(",") if name.strip()]
    return [each for name in names for each in _meant(name, known)]


def _meant(name: str, known: list[str]) -> list[str]:
    """A check or rule, also without its check, or all rules about a weakness (`xss`)."""
    exact = [name] if name in known else [each for each in known if each.rpartition("/")[2] == name]
    found = exact or [f"{check.id}/{rule.id}" for check, rule in rules_about(name)]
    if not found:
        raise UserError(
            f"no check, rule or weakness is called {name!r}{did_you_mean(name, known)}",
            hint="`vetgate explain` lists all checks and rules",
        )
    return found
