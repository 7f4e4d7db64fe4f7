"""Findings to findings: what a change is held to account for, and what was there before."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Sequence

    from vetgate.config.schema import Config
    from vetgate.model import Finding
    from vetgate.store import Known

# A measure above its limit may creep by less than this before it blocks.
RISE = 3


def weighed(findings: Iterable[Finding], config: Config, path: str) -> tuple[Finding, ...]:
    """With the configured severities; what is switched off is gone; a measure in a test file only advises."""
    kept = []
    advisory = config.paths.is_test(path)
    for finding in findings:
        severity = config.rules.get(finding.id, config.rules.get(finding.check, finding.severity))
        if severity is not None:
            kept.append(replace(finding, severity=severity, advisory=advisory and finding.value is not None))
    return tuple(kept)


def numbered(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """In order of place, with an ordinal that tells apart what is otherwise the same."""
    counts: Counter[Hashable] = Counter()
    result = []
    for finding in sorted(findings, key=lambda each: (each.span.path, each.span.line, each.span.column, each.id)):
        same = (finding.id, finding.symbol, "" if finding.value is not None else finding.evidence)
        result.append(replace(finding, ordinal=counts[same]))
        counts[same] += 1
    return tuple(result)


class Problem(Protocol):
    """What a finding and a known one have in common."""

    @property
    def id(self) -> str: ...
    @property
    def symbol(self) -> str: ...
    @property
    def evidence(self) -> str: ...
    @property
    def value(self) -> int | None: ...


def settled(
    after: Sequence[Finding], baseline: Sequence[Known], disk: Sequence[Known], elsewhere: frozenset[str] = frozenset()
) -> tuple[Finding, ...]:
    """Compare one file's findings with what was known when the session first saw it, and with what is on disk now.

    What the session introduced stays its own by whatever route it reached the disk, but a step in the right
    direction is never stopped. `elsewhere` holds the evidence of code that this change or session moved here.
    """
    before, now = matched(after, baseline), matched(after, disk)
    own = [_introduced(finding, known, elsewhere) for finding, known in zip(after, before, strict=True)]
    fresh = [
        mine and (current is None or _rise(finding, current) > 0)
        for finding, current, mine in zip(after, now, own, strict=True)
    ]
    better = [
        mine and current is not None and _rise(finding, current) < 0
        for finding, current, mine in zip(after, now, own, strict=True)
    ]
    on_disk = sum(_introduced(known, old, elsewhere) for known, old in zip(disk, matched(disk, baseline), strict=True))
    progress = not any(fresh) and (any(better) or sum(own) < on_disk)
    result = []
    for index, finding in enumerate(after):
        known = before[index]
        if known is not None and _rise(finding, known) > 0:
            finding = replace(finding, before=known.value)  # noqa: PLW2901 - the same finding, known better
        if own[index]:
            result.append(_told(finding) if better[index] or progress else finding)
        elif known is not None and _rise(finding, known) > 0:
            result.append(_told(finding))
        else:
            result.append(replace(finding, new=False))
    return tuple(result)


def matched(problems: Sequence[Problem], known: Sequence[Known]) -> list[Known | None]:
    """For each problem the known one it is, from the surest likeness to the loosest; each known one serves once."""
    result: list[Known | None] = [None] * len(problems)
    left = list(known)
    for alike in (_same, _same_function, _same_code, _replaced):
        for index, problem in enumerate(problems):
            if result[index] is None:
                result[index] = _take(left, problem, alike)
    return result


def _take(left: list[Known], problem: Problem, alike: Callable[[Problem, Known], bool]) -> Known | None:
    for known in left:
        if known.id == problem.id and alike(problem, known):
            left.remove(known)
            return known
    return None


def _same(problem: Problem, known: Known) -> bool:
    return problem.symbol == known.symbol and problem.evidence == known.evidence


def _same_function(problem: Problem, known: Known) -> bool:
    return problem.value is not None and problem.symbol == known.symbol


def _same_code(problem: Problem, known: Known) -> bool:
    return problem.evidence == known.evidence


def _replaced(problem: Problem, known: Known) -> bool:
    """A renamed or half-mended function: what it stands in for was no better."""
    return problem.value is not None and known.value is not None and problem.value <= known.value


def _rise(problem: Problem, known: Known) -> int:
    return (problem.value or 0) - (known.value or 0)


def _introduced(problem: Problem, known: Known | None, elsewhere: frozenset[str]) -> bool:
    if known is None:
        return problem.evidence not in elsewhere
    return _rise(problem, known) >= RISE


def _told(finding: Finding) -> Finding:
    return replace(finding, advisory=True)
