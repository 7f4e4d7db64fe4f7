"""The naming check: functions and types that are called otherwise than those around them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vetgate.checks.naming.conventions import CONVENTIONS, FUNCTION, TYPE
from vetgate.checks.naming.judge import NamingResult, judged
from vetgate.checks.naming.names import noted, visitor
from vetgate.engine.check import Check, Report, Rule
from vetgate.model import Finding, Severity, Span, Unchecked
from vetgate.source.clock import Deadline
from vetgate.source.file_kinds import is_generated
from vetgate.source.syntax import first_line, parse
from vetgate.source.walk import walk

if TYPE_CHECKING:
    from vetgate.checks.naming.judge import Odd
    from vetgate.config.schema import Config
    from vetgate.engine.check import CheckInput
    from vetgate.source.syntax import Source, Syntax

__all__ = ["CHECK", "NamingResult", "measured"]

_RULES = (
    Rule(
        FUNCTION, Severity.WARNING, "A function or method whose name is not written as those around it.", confidence=0.8
    ),
    Rule(
        TYPE, Severity.WARNING, "A class or another type whose name is not written as those around it.", confidence=0.8
    ),
)
_PLURAL = {FUNCTION: "functions", TYPE: "types"}


def measured(source: Source, config: Config) -> NamingResult:
    """The names of one file, for a score over many."""
    syntax = parse(source)
    if isinstance(syntax, Unchecked) or syntax.language not in CONVENTIONS or _is_left_alone(source):
        return NamingResult()
    (names,) = walk(syntax, [visitor(syntax.language)], Deadline.never()).states
    return judged(source, names, is_test=config.paths.is_test(source.path))


def _report(check_input: CheckInput, config: Config, deadline: Deadline) -> Report:  # noqa: ARG001 - what every check is asked with
    source, syntax = check_input.source, check_input.parsed
    if not any(noted(check_input.state)) or _is_left_alone(source):
        return Report()
    odd = judged(source, check_input.state, is_test=config.paths.is_test(source.path)).odd
    # What the files beside it do may change while the text stays the same.
    return Report(tuple(_finding(source, syntax, each) for each in odd), momentary=bool(odd))


def _is_left_alone(source: Source) -> bool:
    return source.path.endswith(".pyi") or is_generated(source.text)


def _finding(source: Source, syntax: Syntax, each: Odd) -> Finding:
    name, at = each.name, each.name.at
    line = first_line(at)
    return Finding(
        check=CHECK.id,
        rule=name.kind,
        span=Span(source.path, line, syntax.column(at), line, syntax.end_column(at)),
        message=f"`{name.text}` is {name.style}; {_PLURAL[name.kind]} in {each.who} are {each.style}.",
        severity=Severity.WARNING,
        symbol=name.text,
        confidence=0.8,
        evidence=name.text,
        fix=f"Call it `{each.better}`.",
    )


CHECK = Check(
    id="naming",
    summary="Functions and types that are called otherwise than those around them.",
    details=(
        "functions and types that are called otherwise than those around them, by the file first, then the files "
        "beside it, then the language; told, never blocked"
    ),
    rules=_RULES,
    languages=frozenset(CONVENTIONS),
    visitor=visitor,
    report=_report,
    noted_lines=noted,
    rank=110,
)
