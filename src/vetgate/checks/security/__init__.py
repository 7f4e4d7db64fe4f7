"""Security rules with data flow: each rule is a page, all of them one table, looked up on the walk all checks share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vetgate.checks.security.load import rules
from vetgate.checks.security.rule import FAMILIES
from vetgate.checks.security.scan import VISITOR, found
from vetgate.engine.check import Check, Report, Rule
from vetgate.model import Severity, Unchecked

if TYPE_CHECKING:
    from vetgate.config.schema import Config
    from vetgate.engine.check import Sight
    from vetgate.model import Finding
    from vetgate.source.deadline import Deadline
    from vetgate.source.walk import Visitor


def _visitor(language: str) -> Visitor:  # noqa: ARG001 - one for all: node kinds of several languages do not clash
    return VISITOR


def _report(sight: Sight, config: Config, deadline: Deadline) -> Report:  # noqa: ARG001 - severities are the engine's
    findings: list[Finding] = []
    late = bool(sight.unvisited)
    for finding in found(sight.state, sight.source.path):
        findings.append(finding)
        if deadline.passed():
            late = True
            break
    reason = "the time for the security rules ran out"
    return Report(tuple(findings), (Unchecked(sight.source.path, reason),) if late else ())


CHECK = Check(
    id="security",
    summary="Input that reaches code, commands, queries, files, addresses or markup; weak and switched-off protection.",
    rules=tuple(Rule(rule.id, Severity[rule.severity.upper()], rule.summary) for rule in rules()),
    languages=frozenset(FAMILIES),
    visitor=_visitor,
    report=_report,
)
