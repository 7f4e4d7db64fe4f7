"""The complexity check: five measures of every function, each against its limit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vetgate.checks.complexity.advice import advice
from vetgate.checks.complexity.definitions import LENGTH, PARAMETERS, RULES, TITLES, definition
from vetgate.checks.complexity.measure import LANGUAGES, measure, measured, visitor
from vetgate.checks.complexity.measures import FileMeasures, Measures
from vetgate.engine.check import Check, Report
from vetgate.model import Finding, Span, Unchecked, UncheckedKind

if TYPE_CHECKING:
    from vetgate.config.schema import Config
    from vetgate.engine.check import CheckInput, Rule
    from vetgate.source.clock import Deadline
    from vetgate.source.syntax import Source

__all__ = ["CHECK", "FileMeasures", "Measures", "measure"]

_UNITS = {LENGTH: " lines", PARAMETERS: " parameters"}


def _report(check_input: CheckInput, config: Config, deadline: Deadline) -> Report:
    source = check_input.source
    found_here = measured(check_input)
    findings: list[Finding] = []
    for function in found_here.functions:
        found = [
            _finding(source, function, rule, getattr(config.complexity, rule.id))
            for rule in RULES
            if getattr(function, rule.id) > getattr(config.complexity, rule.id)
        ]
        findings += found
        if found and deadline.passed():
            reason = f"lines after {function.line}: the time for this check ran out"
            return Report(
                tuple(findings), (*found_here.unchecked, Unchecked(source.path, UncheckedKind.UNFINISHED, reason))
            )
    return Report(tuple(findings), found_here.unchecked)


def _finding(source: Source, function: Measures, rule: Rule, limit: int) -> Finding:
    value = getattr(function, rule.id)
    unit = _UNITS.get(rule.id, "")
    has = f"has {value}{unit}" if unit else f"has {TITLES[rule.id]} {value}"
    return Finding(
        check=CHECK.id,
        rule=rule.id,
        span=Span(source.path, function.line, function.column, function.line, function.head_end),
        message=f"`{function.name}` {has}, limit {limit} ({definition(rule.id, source.language or '')}).",
        severity=rule.severity,
        symbol=function.name,
        evidence=function.digest,
        value=value,
        limit=limit,
        last_line=function.end_line,
        fix=advice(rule.id, function, limit),
        steps=function.steps.get(rule.id, ()),
    )


CHECK = Check(
    id="complexity",
    summary="Functions that are too complex, too deep, too long or take too many parameters.",
    details=(
        "functions above the limit in cyclomatic (10) or cognitive (15) complexity, nesting (4), length (50) or "
        "parameters (5), with the lines that add up to it"
    ),
    rules=RULES,
    languages=LANGUAGES,
    visitor=visitor,
    report=_report,
    piecewise=True,
    rank=10,
)
