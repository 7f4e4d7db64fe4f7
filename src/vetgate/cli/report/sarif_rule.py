"""A rule as SARIF describes it, with the properties that code scanning sorts and filters by."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from vetgate.model import Severity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vetgate.cli.report.run import Run
    from vetgate.engine.check import Rule

LEVELS = {
    Severity.CRITICAL: "error",
    Severity.ERROR: "error",
    Severity.WARNING: "warning",
    Severity.NOTE: "note",
}
# Scores as CVSS has them, one from the middle of each band: above 9.0 critical, from 7.0 high, from 4.0 medium.
_SCORES = {Severity.CRITICAL: "9.5", Severity.ERROR: "8.0", Severity.WARNING: "5.5", Severity.NOTE: "2.0"}
_PRECISION = ((0.95, "very-high"), (0.8, "high"), (0.5, "medium"), (0.0, "low"))


def described(run: Run, identity: str) -> dict[str, Any]:
    """Code scanning wants both descriptions and a help text of every rule, even where the id is all there is."""
    family, _, name = identity.partition("/")
    rule = run.rule(identity)
    summary = {"text": rule.summary if rule else identity}
    page = run.page(identity)
    descriptor: dict[str, Any] = {
        "id": identity,
        "name": name,
        "shortDescription": summary,
        "fullDescription": summary,
        "help": {"text": page, "markdown": page} if page else summary,
        "properties": {"tags": [family]},
    }
    if rule is not None:
        descriptor["defaultConfiguration"] = {"level": LEVELS[rule.severity]}
        descriptor["properties"] = _properties(family, rule)
    return descriptor


def _properties(family: str, rule: Rule) -> dict[str, Any]:
    properties: dict[str, Any] = {
        "tags": list(dict.fromkeys(_tags(family, rule))),
        "precision": next(word for least, word in _PRECISION if rule.confidence >= least),
    }
    if rule.cwe:
        properties["security-severity"] = _SCORES[rule.severity]
    return properties


def _tags(family: str, rule: Rule) -> Iterator[str]:
    yield family
    if rule.category:
        yield rule.category
    if rule.cwe:
        # Without this word code scanning does not look at the score.
        yield "security"
    yield from (f"external/cwe/cwe-{number}" for number in rule.cwe)
