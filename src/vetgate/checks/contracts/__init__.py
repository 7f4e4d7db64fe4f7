"""The contracts check: what a function promises its callers, and what they pass to it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vetgate.checks.contracts.broken import ASYNC, EXPORT, GONE, RENAMED, RETURN, Sides, rejoin_moved
from vetgate.checks.contracts.callers import changed_signatures, find_changed_constructors
from vetgate.checks.contracts.calls import find_lost_overloads, wrong_calls
from vetgate.checks.contracts.expected_failures import drop_expected
from vetgate.checks.contracts.reduced_visibility import (
    find_lost_re_exports,
    find_reduced_members,
    find_reduced_visibility,
)
from vetgate.checks.contracts.removed_names import find_removed, find_removed_from_namespace
from vetgate.checks.contracts.signature import ARITY, DEFAULT, REMOVED, REORDERED, REQUIRED, UNKNOWN
from vetgate.engine.check import Check, Report, Rule
from vetgate.index.language_resolver import resolver_for
from vetgate.model import Finding, Span, Unchecked, UncheckedKind
from vetgate.severity import Severity
from vetgate.source.language import language_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from vetgate.checks.contracts.broken import Broken
    from vetgate.checks.contracts.calls import Wrong
    from vetgate.engine.check import WholeChange
    from vetgate.index.references import Reference
    from vetgate.model import File

_LANGUAGES = frozenset({"python", "javascript", "typescript", "tsx", "go", "java", "csharp", "php", "ruby", "rust"})
_RULES = {
    rule.id: rule
    for rule in (
        Rule(GONE, Severity.ERROR, "A function or class is gone, and others still use it."),
        Rule(RENAMED, Severity.ERROR, "A function or class has another name, and others use the old one."),
        Rule(REQUIRED, Severity.ERROR, "A parameter that callers have to pass was added, and some do not."),
        Rule(REMOVED, Severity.ERROR, "A parameter is gone or has another name, and callers pass it."),
        Rule(DEFAULT, Severity.ERROR, "A parameter no longer has a default, and callers rely on it."),
        Rule(REORDERED, Severity.ERROR, "The order of parameters changed, and callers pass them by position."),
        Rule(EXPORT, Severity.ERROR, "A name is no longer exported, and others import it."),
        Rule(ASYNC, Severity.WARNING, "A function became async, or no longer is, and is called elsewhere."),
        Rule(RETURN, Severity.WARNING, "A function returns another type, and is called elsewhere."),
        Rule(ARITY, Severity.ERROR, "A call passes too few or too many arguments."),
        Rule(UNKNOWN, Severity.ERROR, "A call names an argument that the function does not take."),
    )
}
_SHOWN = 8
_OUT_OF_TIME = "the time to look for callers ran out"


def _broken_contracts(whole: WholeChange) -> Report:
    changed = frozenset(file.path for file in whole.change.files)
    findings: list[Finding] = []
    files = tuple(file for file in whole.change.files if _concerns(file))
    for file in files:
        # What stayed as it was is read once, if the two texts are read one after the other.
        whole.view.add(file)
    files = rejoin_moved(whole.view, files)
    for number, file in enumerate(files):
        left = tuple(Unchecked(each.path, UncheckedKind.UNFINISHED, _OUT_OF_TIME) for each in files[number:])
        if whole.deadline.passed():
            return Report(tuple(findings), left)
        # One finding after the other: beside a class that hundreds inherit from each of them may take long.
        for each in _findings(Sides(file, whole.view, changed)):
            findings.append(each)
            if whole.deadline.passed():
                return Report(tuple(findings), left)
    return Report(tuple(findings))


def _findings(sides: Sides) -> Iterator[Finding]:
    told: set[tuple[str, int]] = set()
    for each in drop_expected(sides.view, _broken(sides)) if sides.file.before is not None else ():
        told.update((reference.path, reference.line) for reference in each.references)
        yield _finding(sides.file.path, each)
    yield from _wrong(sides, told)


def _broken(sides: Sides) -> Iterator[Broken]:
    own_way = resolver_for(sides.old_path)
    yield from find_removed_from_namespace(sides, own_way) if own_way else find_removed(sides)
    yield from find_reduced_visibility(sides, own_way) if own_way else find_reduced_members(sides)
    yield from find_lost_re_exports(sides, own_way) if own_way else ()
    yield from changed_signatures(sides)
    yield from find_lost_overloads(sides) if own_way and own_way.is_typed else ()
    yield from find_changed_constructors(sides) if not own_way else ()


def _concerns(file: File) -> bool:
    return language_of(file.path) in _LANGUAGES and (file.before != file.after or bool(file.was))


def _finding(path: str, each: Broken) -> Finding:
    rule = _RULES[each.rule]
    calls = f"{len(each.references)} {'place' if len(each.references) == 1 else 'places'}"
    how = "by its name alone, so it may be another" if each.by_name else f"in {calls}"
    return Finding(
        check=CHECK.id,
        rule=rule.id,
        span=Span(path, each.line),
        message=f"`{each.symbol}` {each.text}; it is used {how}: {_listed(each.references)}.",
        severity=Severity.WARNING if each.by_name else rule.severity,
        symbol=each.symbol,
        confidence=0.5 if each.by_name else 0.95,
        evidence=f"{each.symbol} {each.text}",
        fix="Change these places too, or keep what they rely on.",
        advisory=each.by_name,
        later=True,
    )


def _listed(references: Iterable[Reference]) -> str:
    sites = list(dict.fromkeys(f"{reference.path}:{reference.line}" for reference in references))
    more = f" and {len(sites) - _SHOWN} more" if len(sites) > _SHOWN else ""
    return ", ".join(sites[:_SHOWN]) + more


def _wrong(sides: Sides, told: set[tuple[str, int]]) -> Iterator[Finding]:
    path = sides.file.path
    for each in wrong_calls(sides.view, path, sides.before, sides.after) if sides.file.after is not None else ():
        if (path, each.call.line) not in told:
            yield _misfit(path, each)


def _misfit(path: str, each: Wrong) -> Finding:
    rule = _RULES[each.misfit.rule]
    name = each.call.callee
    where = f"{each.path}:{each.definition.line}" if each.path != path else f"line {each.definition.line}"
    return Finding(
        check=CHECK.id,
        rule=rule.id,
        span=Span(path, each.call.line),
        message=f"`{name}` does not fit `{each.definition.symbol}` ({where}): {each.misfit.text}.",
        severity=rule.severity,
        symbol=name,
        confidence=0.95,
        evidence=f"{name} {each.call.positional} {' '.join(each.call.keywords)}",
        fix=f"Pass what `{each.definition.symbol}` takes.",
        later=True,
    )


CHECK = Check(
    id="contracts",
    summary="Functions that changed while their callers did not, and calls that do not fit what they call.",
    details=(
        "changes of a function's parameters, name or result that callers elsewhere do not follow, with each call "
        "that would break; calls that a known function cannot take"
    ),
    rules=tuple(_RULES.values()),
    languages=_LANGUAGES,
    on_whole_change=_broken_contracts,
    rank=90,
)
