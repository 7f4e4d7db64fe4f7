"""The complexity check: five measures of every function, each against its limit, and how to get below it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vetgate.checks.complexity.definitions import (
    COGNITIVE,
    CYCLOMATIC,
    LENGTH,
    LIMITS,
    MODIFIED,
    NESTING,
    PARAMETERS,
    RULES,
    TITLES,
    VARIANT,
    FileMeasures,
    Measures,
    code_lines,
    definition,
    modified_cyclomatic,
)
from vetgate.checks.complexity.measure import LANGUAGES, measure, measured, visitor
from vetgate.engine.check import Check, InTests, Report
from vetgate.model import Finding, Span, Unchecked, UncheckedKind

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from vetgate.checks.complexity.definitions import Addition
    from vetgate.config.schema import Config
    from vetgate.engine.check import CheckInput, Rule
    from vetgate.source.clock import Deadline
    from vetgate.source.syntax import Source

_CASES = frozenset({"case", "when", "match arm"})
_OPERATORS = frozenset({"&&", "||", "??", "and", "or"})


def advice(measure: str, function: Measures, value: int, limit: int) -> str:
    """What to extract is only said where that gets the function below its limit."""
    write = _WRITERS.get(measure)
    return write(function, value, limit) if write else _ON_PARAMETERS


_ON_PARAMETERS = (
    "Put the parameters that travel together into one object or type, or split the function by what callers use it for."
)


def _on_branches(function: Measures, value: int, limit: int) -> str:
    additions = function.trail.cyclomatic()
    kinds = [addition.what for addition in additions]
    cases = sum(kind in _CASES for kind in kinds)
    if 2 * cases > len(kinds) and value == function.cyclomatic and value - cases < limit:
        return f"Replace the {cases} cases by a table from value to result or function."
    block = _costliest(additions, function, function.cyclomatic - limit)
    if block is not None:
        held = _held(additions, block)
        share = f"{held} of the {len(additions)} branches"
        return f"Extract {_lines(block)} (the `{block.what}`, with {share}) into a function of its own."
    if 2 * sum(kind in _OPERATORS for kind in kinds) > len(kinds):
        return "Move the long conditions into functions or variables that say what they mean."
    return "Split the function where its branches stop depending on each other."


def _on_thoughts(function: Measures, value: int, limit: int) -> str:
    additions = function.trail.cognitive()
    block = _costliest(additions, function, value - limit)
    if block is None:
        return "Return early instead of nesting, and give long conditions a name."
    share = f"{_held(additions, block)} of {function.cognitive} points"
    return (
        f"Extract {_lines(block)} (the `{block.what}`, {share}) into a function of its own; "
        "return or continue early instead of nesting."
    )


def _on_nesting(function: Measures, _value: int, limit: int) -> str:
    chain = function.trail.nesting()
    if len(chain) <= limit:
        return "Return or continue early instead of nesting."
    block = chain[max(1, limit - 1)] if limit > 1 else chain[-1]
    first = next((addition for addition in chain if addition.what == "if"), None)
    guard = (
        f"Turn the `if` on line {first.line} into a guard that returns or continues early, or extract"
        if first
        else "Extract"
    )
    return f"{guard} {_lines(block)} (the `{block.what}`) into a function of its own."


def _on_length(function: Measures, value: int, limit: int) -> str:
    blocks = [block for block in function.trail.cyclomatic() if _is_part(block, function)]
    enough = [block for block in blocks if value - limit < _size(block) <= limit]
    if not enough:
        return f"Split it into functions of at most {limit} lines, one per step of what it does."
    block = min(enough, key=_size)
    return f"Extract {_lines(block)} (the `{block.what}`, {_size(block)} lines) into a function of its own."


_WRITERS: Mapping[str, Callable[[Measures, int, int], str]] = {
    CYCLOMATIC: _on_branches,
    COGNITIVE: _on_thoughts,
    NESTING: _on_nesting,
    LENGTH: _on_length,
}


def _lines(block: Addition) -> str:
    return f"line {block.line}" if block.line == block.end_line else f"lines {block.line}-{block.end_line}"


def _size(block: Addition) -> int:
    return block.end_line - block.line + 1


def _is_part(block: Addition, function: Measures) -> bool:
    """More than a line, and less than the whole function."""
    return 1 < _size(block) < function.length - 2


def _held(additions: Sequence[Addition], block: Addition) -> int:
    return sum(a.amount for a in additions if block.line <= a.line and a.end_line <= block.end_line)


def _costliest(additions: Sequence[Addition], function: Measures, excess: int) -> Addition | None:
    """The block whose removal suffices and leaves the two functions most alike; None when no block holds enough."""
    total = sum(addition.amount for addition in additions)
    blocks = {(block.line, block.end_line): block for block in reversed(additions) if _is_part(block, function)}
    weighty = [block for block in blocks.values() if 4 * _held(additions, block) >= total]
    enough = [block for block in weighty if _held(additions, block) >= excess]
    return min(enough, key=lambda block: (_larger_half(additions, block, total), _size(block)), default=None)


def _larger_half(additions: Sequence[Addition], block: Addition, total: int) -> int:
    """What is left of the function, or of the block on its own, where nesting starts anew: whichever is more."""
    held = _held(additions, block)
    deeper = sum(a.amount > 1 for a in additions if block.line <= a.line and a.end_line <= block.end_line)
    return max(total - held, held - (block.amount - 1) * deeper)


__all__ = ["CHECK", "FileMeasures", "Measures", "measure"]

_UNITS = {LENGTH: " lines", PARAMETERS: " parameters"}


def _report(check_input: CheckInput, config: Config, deadline: Deadline) -> Report:
    source = check_input.source
    found_here = measured(check_input)
    limits = {name: limit.of(config) for name, limit in LIMITS.items()}
    findings: list[Finding] = []
    is_modified = VARIANT.of(config) == MODIFIED
    for function in found_here.functions:
        values = _above(function, limits, is_modified=is_modified)
        found = [
            _finding(source, function, rule, values[rule.id], limits[rule.id]) for rule in RULES if rule.id in values
        ]
        findings += found
        if found and deadline.passed():
            reason = f"lines after {function.line}: the time for this check ran out"
            return Report(
                tuple(findings), (*found_here.unchecked, Unchecked(source.path, UncheckedKind.UNFINISHED, reason))
            )
    return Report(tuple(findings), found_here.unchecked)


def _above(function: Measures, limits: Mapping[str, int], *, is_modified: bool) -> dict[str, int]:
    """The measures that are above their limit; what counts differently is only worked out where it could matter."""
    values = {name: getattr(function, name) for name in limits}
    if values[LENGTH] > limits[LENGTH]:
        values[LENGTH] = code_lines(function)
    if is_modified and values[CYCLOMATIC] > limits[CYCLOMATIC]:
        values[CYCLOMATIC] = modified_cyclomatic(function)
    return {name: value for name, value in values.items() if value > limits[name]}


def _finding(source: Source, function: Measures, rule: Rule, value: int, limit: int) -> Finding:
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
        fix=advice(rule.id, function, value, limit),
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
    in_tests=InTests.QUIET,
    piecewise=True,
    rank=10,
    options=(*LIMITS.values(), VARIANT),
    options_summary="Limits of the complexity check; a value above its limit is a finding.",
)
