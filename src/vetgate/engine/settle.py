"""Findings to findings: what a change is held to account for, and what was there before."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from vetgate.engine.check import InTests, Loss
from vetgate.failure import fails_closed
from vetgate.model import SAFEGUARD, File
from vetgate.source.text_diff import written_lines

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence

    from vetgate.config.glob import PathFilter
    from vetgate.config.schema import Config
    from vetgate.engine.check import Check, Safeguard
    from vetgate.model import Finding, Identified, Known
    from vetgate.source.syntax import Source

    Others = Callable[[str], Iterable[tuple[str, str]]]

# A measure above its limit may creep by less than this before it blocks.
RISE = 3


def weighed(
    findings: Iterable[Finding], config: Config, path: str, in_tests: Mapping[str, InTests]
) -> tuple[Finding, ...]:
    """With the configured severities; what is switched off is gone; in a test file what a check says of `in_tests`."""
    kept = []
    is_test = config.paths.is_test(path)
    for finding in findings:
        severity = config.rules.get(finding.id, config.rules.get(finding.check, finding.severity))
        if severity is not None:
            # What must not fail open must not slip in by way of a test either.
            means = in_tests.get(finding.check, InTests.ADVISES) if is_test else InTests.BLOCKS
            is_advice = finding.advisory or (means is not InTests.BLOCKS and not fails_closed(finding.check))
            is_quiet = finding.said or means is InTests.QUIET
            is_so = (finding.severity, finding.advisory, finding.said) == (severity, is_advice, is_quiet)
            kept.append(
                finding if is_so else replace(finding, severity=severity, advisory=is_advice, said=is_quiet)
            )  # most are weighed as their check says, and a copy of a finding costs more than the weighing
    return tuple(kept)


def redacted_finding(finding: Finding, hide: Callable[[str], str]) -> Finding:
    """Without the secrets that a message, the code it is about or a step on the way may quote."""
    message, evidence, fix = hide(finding.message), hide(finding.evidence), hide(finding.fix)
    steps = tuple(replace(step, text=hide(step.text)) for step in finding.steps)
    if (message, evidence, fix, steps) == (finding.message, finding.evidence, finding.fix, finding.steps):
        return finding
    return replace(finding, message=message, evidence=evidence, fix=fix, steps=steps)


def numbered(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """In order of place, with an ordinal that tells apart what is otherwise the same."""
    counts: Counter[Hashable] = Counter()
    result = []
    for finding in sorted(findings, key=lambda each: (each.span.path, each.span.line, each.span.column, each.id)):
        same = (finding.id, finding.symbol, "" if finding.value is not None else finding.evidence)
        ordinal = counts[same]
        result.append(finding if finding.ordinal == ordinal else replace(finding, ordinal=ordinal))
        counts[same] += 1
    return tuple(result)


def settled(
    after: Sequence[Finding], baseline: Sequence[Known], disk: Sequence[Known], elsewhere: frozenset[str] = frozenset()
) -> tuple[Finding, ...]:
    """Compare one file's findings with what was known when the session first saw it, and with what is on disk now.

    What the session introduced stays its own by whatever route it reached the disk, but a step in the right
    direction is never stopped. `elsewhere` holds the evidence of code that this change or session moved here.
    """
    before, now = matched(after, baseline), matched(after, disk)
    own = [_introduced(finding, known, elsewhere) for finding, known in zip(after, before, strict=True)]
    better, paid = _spared(after, own, now, disk, baseline)

    def weighed(finding: Finding, known: Known | None, mine: bool) -> Finding:  # noqa: FBT001 - of one place alone
        rise = 0 if known is None else _rise(finding, known)
        told = replace(finding, before=known.value) if known is not None and rise > 0 else finding
        if not mine:
            return replace(told, advisory=True) if rise > 0 else replace(finding, new=False)
        spared = finding in better or finding in paid
        return replace(told, advisory=True, later=finding in better) if spared else told

    return tuple(map(weighed, after, before, own))


def _spared(
    after: Sequence[Finding],
    own: Sequence[bool],
    now: Sequence[Known | None],
    disk: Sequence[Known],
    baseline: Sequence[Known],
) -> tuple[list[Finding], list[Finding]]:
    """Of what the session introduced: what this change leaves better than it found it, and what it paid for.

    The one is still to be fixed before the turn ends; for the other as much is gone elsewhere in the file.
    """
    mine = [(finding, current) for finding, current, is_own in zip(after, now, own, strict=True) if is_own]
    better = [finding for finding, current in mine if current is not None and _rise(finding, current) < 0]
    fresh = [finding for finding, current in mine if current is None or _rise(finding, current) > 0]
    debts = matched(disk, baseline)
    on_disk = sum(_introduced(known, old, frozenset()) for known, old in zip(disk, debts, strict=True))
    if not fresh and (better or len(mine) < on_disk):
        return [finding for finding, _ in mine], []
    old = [known for known, debt in zip(disk, debts, strict=True) if debt is not None]
    return better, [finding for finding in fresh if _is_paid_for(finding, after, now, old)]


def _is_paid_for(finding: Finding, after: Sequence[Finding], now: Sequence[Known | None], old: Sequence[Known]) -> bool:
    """A function that was split, or renamed and fixed: another one of the file gave up what this one has.

    The old debt of the rule as a whole may not rise by more than one function's may; every function a split adds costs
    a point by itself.
    """
    if finding.value is None:
        return False
    same = [known for known in old if known.id == finding.id]
    left = {id(known): each for each, known in zip(after, now, strict=True) if known is not None}
    gave = any(id(known) not in left or _rise(left[id(known)], known) <= -RISE for known in same)
    total = [each for each in after if each.id == finding.id and (each.value is not None)]
    added = max(0, len(total) - len(same))
    risen = sum(each.value or 0 for each in total) - added - sum(known.value or 0 for known in same)
    return gave and risen < RISE


def matched(problems: Sequence[Identified], known: Sequence[Known]) -> list[Known | None]:
    """For each problem the known one it is, from the surest likeness to the loosest; each known one serves once."""
    result: list[Known | None] = [None] * len(problems)
    left = list(known)
    for alike in (_same, _same_function, _same_code):
        for index, problem in enumerate(problems):
            if result[index] is None:
                result[index] = _take(left, problem, alike)
    return result


def _take(left: list[Known], problem: Identified, alike: Callable[[Identified, Known], bool]) -> Known | None:
    for known in left:
        if known.id == problem.id and alike(problem, known):
            left.remove(known)
            return known
    return None


def _same(problem: Identified, known: Known) -> bool:
    return problem.symbol == known.symbol and problem.evidence == known.evidence


def _same_function(problem: Identified, known: Known) -> bool:
    return problem.value is not None and problem.symbol == known.symbol


def _same_code(problem: Identified, known: Known) -> bool:
    return problem.evidence == known.evidence


def _rise(problem: Identified, known: Known) -> int:
    return (problem.value or 0) - (known.value or 0)


def introduces(after: Sequence[Finding], baseline: Sequence[Known]) -> bool:
    """Whether anything in it is the session's own, unless it came from another file."""
    known = matched(after, baseline)
    return any(_introduced(finding, old, frozenset()) for finding, old in zip(after, known, strict=True))


def _introduced(problem: Identified, known: Known | None, elsewhere: frozenset[str]) -> bool:
    if known is None:
        return problem.evidence not in elsewhere
    return _rise(problem, known) >= RISE


def asks_more(paths: PathFilter, home: str, path: str) -> bool:
    """Whether a file is held to more at `path` than it was at `home`: then nothing in it is old."""
    if not paths.checks(path):
        return False
    return not paths.checks(home) or (paths.is_test(home) and not paths.is_test(path))


def taken_apart(paths: PathFilter, files: Iterable[File]) -> Iterator[File]:
    """A rename to such a place is a file that is gone and a new one."""
    for file in files:
        if file.was and asks_more(paths, file.was, file.path):
            yield File(file.was, file.before, None)
            yield replace(file, before=None, was="")
        else:
            yield file


def lost(
    source: Source,
    safeguards: Sequence[Safeguard],
    stood: tuple[Known, ...],
    checks: Mapping[str, Check],
    others: Others,
    *,
    sees_all: bool = False,
) -> Iterator[Finding]:
    """A finding for each safeguard that stood and that these fall short of, unless its check sees it elsewhere."""
    for before, now in _pairs(safeguards, stood):
        if now is not None and now.value >= (before.value or 0):
            continue
        family, _, rule = before.id.removeprefix(SAFEGUARD).partition("/")
        check = checks.get(family)
        if check is not None and check.on_lost_safeguard is not None:
            after = tuple(safeguard for safeguard in safeguards if safeguard.check == family)
            loss = Loss(source, rule, before.symbol, before.value or 0, now, others, stood, after, sees_all)
            finding = check.on_lost_safeguard(loss)
            if finding is not None:
                yield finding


def _pairs(safeguards: Sequence[Safeguard], known: Sequence[Known]) -> Iterator[tuple[Known, Safeguard | None]]:
    """Each known safeguard with what it is now: the one of the same name, else one of the same content.

    Of several of one name (methods that differ in their parameters) it is the one that holds as much, if one does.
    """
    left = list(safeguards)
    open_: list[Known] = []
    for before in known:
        named = (each for each in left if (each.id, each.symbol) == (before.id, before.symbol))
        now = min(named, key=partial(_distance, before), default=None)
        if now is None:
            open_.append(before)
        else:
            left.remove(now)
            yield before, now
    for before in open_:
        alike = (m for m in left if m.id == before.id and before.evidence and m.evidence == before.evidence)
        now = next(alike, None)
        if now is not None:
            left.remove(now)
        yield before, now


def _distance(before: Known, now: Safeguard) -> tuple[bool, int]:
    """The least that is enough comes first; of those that are not, the best."""
    more = now.value - (before.value or 0)
    return more < 0, abs(more)


# Lines; an edit of so few is quickly written again.
_FEW = 20
# Of the lines that an edit writes, in functions at fault.
_MOST = 0.75


@dataclass(frozen=True, slots=True)
class Edit:
    """What stands in the file before and after; what is known of before, and whether something was deferred already."""

    before: str
    after: str
    known: tuple[Known, ...] = ()
    is_owed: bool = False


def defer(findings: Sequence[Finding], at_fault: Sequence[Finding], edit: Edit) -> tuple[Finding, ...]:
    """The findings, those `at_fault` told only unless the edit is to be refused for them.

    Never for one that was deferred and stands as it is: this edit does not write it.
    """
    stood = {(known.id, known.symbol, known.evidence) for known in edit.known} if edit.is_owed else set()
    on_disk = dict(zip(findings, matched(findings, edit.known), strict=True))
    written = [each for each in at_fault if (each.id, each.symbol, each.evidence) not in stood]
    lines = written_lines(edit.before, edit.after)
    is_short = len(lines) <= _FEW
    fresh = [each for each in written if not (is_short and _is_grown_debt(each, on_disk[each]))]
    is_refused = bool(fresh) and (is_short or _is_most(written, lines))
    waits = [each for each in at_fault if each not in fresh] if is_refused else at_fault

    def weighed(finding: Finding) -> Finding:
        if finding in waits:
            # What stands there was told to whoever wrote it, and is theirs.
            return replace(finding, later=True, advisory=True, said=finding not in written)
        return _with_bar(finding, on_disk[finding]) if edit.is_owed and finding in written else finding

    return tuple(map(weighed, findings))


def _is_grown_debt(finding: Finding, on_disk: Known | None) -> bool:
    """A function that was above its limit before anybody began, and that this edit lets grow for the first time.

    Whoever adds one condition to it cannot know a better place for that yet: to extract it takes another edit.
    What the session let grow already is on disk, also where the end of a turn gave up on it; what it deleted is not.
    """
    if finding.before is None or on_disk is None:
        return False
    return (on_disk.value or 0) - finding.before < RISE


def _is_most(findings: Sequence[Finding], written: frozenset[int]) -> bool:
    own = {line for each in findings for line in range(each.span.line, each.last_line + 1)}
    return len(own & written) >= _MOST * len(written)


def _with_bar(finding: Finding, on_disk: Known | None) -> Finding:
    """Of a function that is to be fixed: what an edit of it has to come below."""
    if on_disk is None or on_disk.value is None or finding.before is not None:
        return finding
    bar = f" It is {on_disk.value} in the file, and must be fixed: an edit that lowers it passes."
    return replace(finding, message=finding.message + bar)
