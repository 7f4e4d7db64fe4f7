"""The types check: values that the type beside them denies."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from vetgate.checks.types.checkers import CHECKERS
from vetgate.checks.types.readers import (
    ASSIGNMENT,
    DEFAULT,
    NONE,
    READERS,
    RETURN,
    WORDS,
    TypedValues,
    is_accepted,
    is_soft,
)
from vetgate.engine.check import Check, Report, Rule
from vetgate.model import Finding, Span, Unchecked
from vetgate.severity import Severity
from vetgate.source.clock import Deadline
from vetgate.source.syntax import first_line, last_line, parse
from vetgate.source.walk import Visitor, walk

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vetgate.checks.types.readers import Slip
    from vetgate.checks.types.server import Diagnostic
    from vetgate.config.schema import Config
    from vetgate.engine.check import CheckInput
    from vetgate.source.syntax import Source, Syntax

_CHECKER = "checker"
_OF_CHECKERS = frozenset(language for checker in CHECKERS for language in checker.languages)
_RULES = {
    rule.id: rule
    for rule in (
        Rule(DEFAULT, Severity.ERROR, "A parameter's default is of another type than the parameter."),
        Rule(RETURN, Severity.ERROR, "A function returns a value of another type than it declares."),
        Rule(ASSIGNMENT, Severity.ERROR, "A variable is given a value of another type than it declares."),
        Rule(_CHECKER, Severity.WARNING, "The project's own type checker reports a new error.", languages=_OF_CHECKERS),
    )
}
_WHAT = {DEFAULT: "The default is", RETURN: "The returned value is", ASSIGNMENT: "The value is"}


@dataclass(frozen=True, slots=True)
class TypeCounts:
    """How many values stand beside a type that is known well enough, and how many of them it denies."""

    judged: int = 0
    slips: int = 0


def measured(source: Source) -> TypeCounts:
    """The values of one file, for a score over many."""
    syntax = parse(source)
    if isinstance(syntax, Unchecked) or syntax.language not in READERS:
        return TypeCounts()
    (seen,) = walk(syntax, [_visitor(syntax.language)], Deadline.never()).states
    return TypeCounts(seen.judged, sum(not is_accepted(syntax, slip.node, slip.declared) for slip in seen.slips))


def _report(check_input: CheckInput, config: Config, deadline: Deadline) -> Report:  # noqa: ARG001 - what every check is asked with
    seen: TypedValues = check_input.state
    slips = (slip for slip in seen.slips if not is_accepted(check_input.parsed, slip.node, slip.declared))
    return Report(tuple(_finding(check_input.source, check_input.parsed, slip) for slip in slips))


def _noted(state: TypedValues) -> Iterator[int]:
    """What excuses a slip may stand outside of its piece, and go."""
    syntax = state.walk.syntax
    return (first_line(slip.node) for slip in state.slips if is_accepted(syntax, slip.node, slip.declared))


def _finding(source: Source, syntax: Syntax, slip: Slip) -> Finding:
    node = slip.node
    soft = is_soft(slip, syntax.language)
    given = _in_words(slip.given, syntax.language)
    return Finding(
        check=CHECK.id,
        rule=slip.rule,
        span=Span(source.path, first_line(node), syntax.column(node), last_line(node), syntax.end_column(node)),
        message=f"{_WHAT[slip.rule]} {given}, but the declared type is `{slip.declared}`.",
        severity=Severity.WARNING if soft else _RULES[slip.rule].severity,
        evidence=f"{slip.rule} {slip.declared} {slip.given} {syntax.text(node)[:80]}",
        confidence=0.9 if soft else 1.0,
        fix="Use a value of the declared type, or correct the declaration.",
    )


def _in_words(kind: str, language: str) -> str:
    return WORDS[kind] if kind != NONE else "`None`" if language == "python" else "`null`"


def from_checker(name: str, path: str, said: Diagnostic) -> Finding:
    """What the project's own checker says of a place: told, for it may know less than whoever wrote the code."""
    return Finding(
        check=CHECK.id,
        rule=_CHECKER,
        span=Span(path, said.line, said.column, said.end_line),
        message=f"{name}: {said.message} ({said.code})",
        severity=_RULES[_CHECKER].severity,
        evidence=f"{said.code} {said.message}",
        confidence=0.8,
        advisory=True,
    )


@cache
def _visitor(language: str) -> Visitor:
    return Visitor(TypedValues, READERS[language])


CHECK = Check(
    id="types",
    summary="Defaults, returned values and assignments that contradict the declared type.",
    details=(
        "a default, a returned value or an assignment that contradicts its declared type; only where both are beyond "
        "doubt ([measured](docs/measured/types.md)); new errors of the project's own checker (ty, tsgo), "
        "reported at the next event"
    ),
    rules=tuple(_RULES.values()),
    languages=frozenset(READERS),
    visitor=_visitor,
    report=_report,
    piecewise=True,
    noted_lines=_noted,
    rank=100,
)
