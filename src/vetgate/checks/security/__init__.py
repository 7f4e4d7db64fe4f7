"""Security rules with data flow: each rule is a page, all of them one table, looked up on the walk all checks share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vetgate.checks.security.compiled_rules import rules
from vetgate.checks.security.findings import OUT_OF_TIME, found
from vetgate.checks.security.rule import FAMILIES
from vetgate.checks.security.scan import visitor_of
from vetgate.engine.check import Check, Report, Rule
from vetgate.model import Severity, Unchecked, UncheckedKind
from vetgate.source.syntax import first_line, last_line

if TYPE_CHECKING:
    from collections.abc import Iterable

    from vetgate.checks.security.rule import SecurityRule
    from vetgate.checks.security.scan import FileScan
    from vetgate.config.schema import Config
    from vetgate.engine.check import CheckInput
    from vetgate.source.clock import Deadline


def _under(config: Config) -> Check:
    if not config.security:
        return CHECK
    from vetgate.checks.security.user.check import extended  # noqa: PLC0415 - few projects have rules of their own

    return extended(CHECK, config.security)


def _report(check_input: CheckInput, config: Config, deadline: Deadline) -> Report:  # noqa: ARG001 - severities are the engine's
    noted: FileScan = check_input.state
    findings = tuple(found(noted, check_input.source.path, deadline=deadline))
    reason = OUT_OF_TIME if check_input.unvisited else noted.unfinished
    # Code that is too tangled is what it is, however long one looks.
    kind = UncheckedKind.UNFINISHED if reason == OUT_OF_TIME else UncheckedKind.OTHER
    return Report(findings, (Unchecked(check_input.source.path, kind, reason),) if reason else ())


def _noted(noted: FileScan) -> Iterable[int]:
    """Another name for something known matters wherever it is used."""
    if noted.aliases:
        return range(1, last_line(noted.syntax.tree.root_node) + 1)
    return (first_line(node) for _, _, node in noted.places)


def _rule(rule: SecurityRule) -> Rule:
    families = {FAMILIES.get(language) for pattern in rule.find for language in pattern.languages}
    return Rule(
        id=rule.id,
        severity=Severity[rule.severity.upper()],
        summary=rule.summary[:1].upper() + rule.summary[1:],
        category=rule.category,
        cwe=rule.cwe,
        owasp=rule.owasp,
        confidence=rule.confidence,
        languages=frozenset(language for language, family in FAMILIES.items() if family in families),
    )


CHECK = Check(
    id="security",
    summary="Input that reaches code, commands, queries, files, addresses or markup; weak and switched-off protection.",
    details=(
        "input that reaches code, commands, queries, files, addresses or markup, with the way it takes line by "
        "line; unsafe deserialisation; weak and switched-off protection"
    ),
    scope="JavaScript, TypeScript, TSX, Python; the common frameworks of Go, Java, C#, PHP, Ruby and Rust",
    rules=tuple(map(_rule, rules())),
    languages=frozenset(FAMILIES),
    visitor=visitor_of,
    report=_report,
    configured=_under,
    noted_lines=_noted,
    rank=20,
)
