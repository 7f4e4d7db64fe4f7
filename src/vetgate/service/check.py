"""The gates of an edit as a linter: over files, over what is staged, over all that changed since a commit."""

from __future__ import annotations

import contextlib
import os
import time
from dataclasses import dataclass, field, replace
from functools import cache, partial
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple

from vetgate import runtime
from vetgate.checks.secrets.redaction import hides_nothing, redacted_source
from vetgate.engine.analysis import digest_of, source_of
from vetgate.engine.suppressions import Suppressions
from vetgate.gates.linter import linter_verdict
from vetgate.model import Change, Decision, File, Outcome, Status, Unchecked, UncheckedKind, Verdict
from vetgate.progress import Progress, unseen
from vetgate.respond.loosened_config import with_loosened
from vetgate.service.configuration import is_known, open_store
from vetgate.service.earlier_reports import EarlierReports, earlier_reports
from vetgate.service.figures import Totals, added, totals
from vetgate.service.index import ready_index
from vetgate.service.selection import select
from vetgate.service.spread import MANY, Spread
from vetgate.source import disk, git
from vetgate.source.clock import elapsed_ms
from vetgate.source.language import may_hold_code
from vetgate.source.root import name_in, real
from vetgate.source.syntax import first_error, parse
from vetgate.source.text import BINARY, NotText, is_binary, is_no_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from vetgate.app import App
    from vetgate.config.baseline import Listed
    from vetgate.config.schema import Config
    from vetgate.model import Finding
    from vetgate.service.configuration import Configurations, InForce
    from vetgate.service.selection import Selection
    from vetgate.source.syntax import Source

_WEIGHT = {Status.SKIPPED: 0, Status.PASSED: 1, Status.FAILED: 2, Status.ERRORED: 3}
LEFT_OUT = "left out by `paths` in the configuration"
OFF = Verdict(Decision.ALLOW, notes=("nothing was checked: the configuration says `enabled: false`",))


@dataclass(frozen=True, slots=True)
class CheckRequest:
    """Files by `paths`, all of the project without any; or what is `staged`, or changed since `base`, below `paths`.

    `cwd` is where the person stands who asks; `measured` asks for the figures of all functions, too.
    """

    cwd: Path
    paths: tuple[str, ...] = ()
    staged: bool = False
    base: str | None = None
    measured: bool = False

    @classmethod
    def uncommitted(cls, root: Path) -> CheckRequest:
        """What has changed since the last commit; without git, all of the project."""
        return cls(root, base="HEAD" if git.find(root) is not None else None)


@dataclass(frozen=True)
class Judged:
    """A verdict, and how many files were looked at.

    `names` and `texts` say how a path is called and what it held, where known; `broken` where a file does not parse;
    `totals` what its functions come to, when asked for; `notes` are for a person, beside the report. `plain` has
    the digests of texts by path in which there is nothing to hide.
    """

    root: Path
    config: Config
    verdict: Verdict
    files: int
    broken: Mapping[str, int] = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict)
    texts: Mapping[str, str] = field(default_factory=dict)
    totals: Totals = field(default_factory=Totals)
    notes: tuple[str, ...] = ()
    plain: Mapping[str, str] = field(default_factory=dict)
    elapsed_ms: float = 0.0

    def text(self, path: str) -> str | None:
        """The text whose lines the findings count, as it may be shown; a notebook's is its code."""
        try:
            known = self.texts.get(path)
            source = source_of(path, disk.read(self.root / path) if known is None else known)
            is_plain = self.plain.get(path) == digest_of(source.text)
            return source.text if is_plain else redacted_source(source)
        except NotText:
            return None


def check(request: CheckRequest, configurations: Configurations, progress: Progress = unseen) -> Judged:
    started = time.perf_counter()
    return replace(_check(request, configurations, progress), elapsed_ms=elapsed_ms(started))


def _check(request: CheckRequest, configurations: Configurations, progress: Progress) -> Judged:
    if not request.staged and request.base is None:
        return _check_files(request, configurations, progress)
    repository = git.open_at(request.cwd)
    listed = None
    if request.base is None:
        change = repository.staged()
        stands = configurations.in_force(change.root, change=change)
    else:
        fork = repository.fork(request.base)
        listed, untracked = repository.names()
        change = repository.changed_since(fork, untracked)
        stands = configurations.in_force(change.root, fork)
    limited = limited_to(change, request.paths, request.cwd)
    allowed = suppressions_of(change.root, stands.listed)
    judged = judge_change(
        limited, stands.config, measured=request.measured, suppressions=allowed, progress=progress, listed=listed
    )
    return called_from(_with_loosened(judged, stands), request.cwd)


def _check_files(request: CheckRequest, configurations: Configurations, progress: Progress) -> Judged:
    parts = []
    for selection in select(request.paths, request.cwd):
        stands = configurations.in_force(selection.root)
        allowed = suppressions_of(selection.root, stands.listed)
        judged = judge_files(
            selection, stands.config, measured=request.measured, suppressions=allowed, progress=progress
        )
        parts.append(_with_loosened(judged, stands))
    if len(parts) == 1:
        return parts[0]
    here = real(request.cwd)
    return Judged(
        root=here,
        config=parts[0].config,
        verdict=joined(_with_paths(part.verdict, part.root, here) for part in parts),
        files=sum(part.files for part in parts),
        broken={name_in(here, part.root / path): line for part in parts for path, line in part.broken.items()},
        names={name_in(here, part.root / path): name for part in parts for path, name in part.names.items()},
        totals=added(part.totals for part in parts),
        notes=tuple(note for part in parts for note in part.notes),
    )


def _with_loosened(judged: Judged, stands: InForce) -> Judged:
    if not stands.config.enabled:
        return replace(judged, notes=stands.notes)
    verdict = with_loosened(judged.verdict, stands.findings, stands.config)
    return replace(judged, verdict=verdict, notes=stands.notes)


def called_from(judged: Judged, cwd: Path) -> Judged:
    """With the names that its files have for somebody who stands there."""
    here = real(cwd)
    paths = {item.span.path for item in judged.verdict.findings} | {item.path for item in judged.verdict.unchecked}
    paths |= judged.broken.keys() | {outcome.slowest[0] for outcome in judged.verdict.outcomes}
    return replace(judged, names={path: os.path.relpath(judged.root / path, here) for path in paths})


def limited_to(change: Change, paths: tuple[str, ...], cwd: Path) -> Change:
    """What of it lies below these paths, as somebody calls them who stands in `cwd`; all of it without any."""
    if not paths:
        return change
    wanted = [name_in(change.root, real(cwd / path)) for path in paths]

    def inside(path: str) -> bool:
        return any(name in {".", path} or path.startswith(f"{name}/") for name in wanted)

    return replace(
        change,
        files=tuple(file for file in change.files if inside(file.path)),
        unchecked=tuple(each for each in change.unchecked if inside(each.path)),
    )


def _with_paths(verdict: Verdict, root: Path, here: Path) -> Verdict:
    """Several projects in one report: their files are told apart by where they lie from here."""

    def moved(path: str) -> str:
        return name_in(here, root / path)

    def finding(each: Finding) -> Finding:
        return replace(each, span=replace(each.span, path=moved(each.span.path)))

    def outcome(each: Outcome) -> Outcome:
        unchecked = tuple(replace(item, path=moved(item.path)) for item in each.unchecked)
        path, took = each.slowest
        slowest = (moved(path) if path else "", took)
        return replace(each, findings=tuple(map(finding, each.findings)), unchecked=unchecked, slowest=slowest)

    return replace(verdict, outcomes=tuple(map(outcome, verdict.outcomes)))


def judge_files(
    selection: Selection,
    config: Config,
    *,
    suppressions: Suppressions,
    measured: bool = False,
    progress: Progress = unseen,
) -> Judged:
    """Whole files: without anything to compare them with, every finding is new that nobody excused."""
    if not config.enabled:
        return Judged(selection.root, config, OFF, 0)
    aside: list[str] = []
    wanted, unchecked = [], list(selection.unchecked.values())
    for name in selection.files:
        if config.paths.checks(name):
            wanted.append(name)
        elif name in selection.named:
            unchecked.append(Unchecked(name, UncheckedKind.OTHER, LEFT_OUT))
        elif selection.by_git:
            aside.append(name)  # searched for secrets
    look = partial(_look, _BatchRequest(selection.root, config, measured, selection.named, suppressions))
    names = [*wanted, *aside]
    with earlier_reports(selection.root) as earlier:
        seen = 0 if earlier is None else earlier.count_seen((selection.root / name for name in names), config)
        # What was seen before takes no time, so that more processes would only cost.
        batches = list(Spread("checking", look, many=MANY + seen, progress=progress).over(names))
    verdict = joined([*(batch.verdict for batch in batches), _not_looked_at(unchecked)])
    broken = {path: line for batch in batches for path, line in batch.broken.items()}
    skipped = {name for batch in batches for name in batch.skipped}
    looked_at = _looked_at([name for name in wanted if name not in skipped], verdict)
    summed = added(batch.totals for batch in batches).settled(config)
    plain = {path: digest for batch in batches for path, digest in batch.plain.items()}
    return Judged(selection.root, config, verdict, looked_at, broken, selection.names, totals=summed, plain=plain)


def _looked_at(wanted: Iterable[str], verdict: Verdict) -> int:
    return len(set(wanted) - {each.path for each in verdict.unchecked})


def judge_change(
    change: Change,
    config: Config,
    *,
    suppressions: Suppressions,
    measured: bool = False,
    progress: Progress = unseen,
    listed: Iterable[str] | None = None,
) -> Judged:
    """What a change introduces, by the gates of an edit; `listed` are the files that git knows of, where known."""
    if not config.enabled:
        return Judged(change.root, config, OFF, 0)
    index = ready_index(change.root, config, runtime.state_dir(), progress, listed)
    verdict = linter_verdict(change, config, suppressions=suppressions, index=index)
    return judged_change(change, config, verdict, measured=measured)


def judged_change(change: Change, config: Config, verdict: Verdict, *, measured: bool = False) -> Judged:
    """With all that a report needs to know of the files."""
    texts = {file.path: file.after for file in change.files if file.after is not None}
    wanted = {path: text for path, text in texts.items() if config.paths.checks(path)}
    summed = totals(change.root, wanted, config).settled(config) if measured else Totals()
    looked_at = _looked_at(wanted, verdict)
    return Judged(change.root, config, verdict, looked_at, _broken(wanted), texts=texts, totals=summed)


def joined(verdicts: Iterable[Verdict]) -> Verdict:
    """Verdicts over parts of one whole, as one."""
    decision = Decision.ALLOW
    outcomes: dict[str, Outcome] = {}
    notes: dict[str, None] = {}
    for verdict in verdicts:
        decision = max(decision, verdict.decision)
        notes |= dict.fromkeys(verdict.notes)
        for outcome in verdict.outcomes:
            known = outcomes.get(outcome.gate)
            outcomes[outcome.gate] = _both(known, outcome) if known else outcome
    return Verdict(decision, tuple(outcomes.values()), tuple(notes))


def _both(one: Outcome, other: Outcome) -> Outcome:
    return Outcome(
        gate=one.gate,
        status=max(one.status, other.status, key=_WEIGHT.__getitem__),
        findings=one.findings + other.findings,
        unchecked=one.unchecked + other.unchecked,
        error="; ".join(filter(None, (one.error, other.error))),
        failed_checks=tuple(dict.fromkeys(one.failed_checks + other.failed_checks)),
        elapsed_ms=one.elapsed_ms + other.elapsed_ms,
        slowest=max(one.slowest, other.slowest, key=itemgetter(1)),
    )


def _not_looked_at(unchecked: list[Unchecked]) -> Verdict:
    if not unchecked:
        return Verdict(Decision.ALLOW)
    return Verdict(Decision.WARN, (Outcome("files", Status.SKIPPED, unchecked=tuple(unchecked)),))


class Batch(NamedTuple):
    verdict: Verdict
    broken: dict[str, int]
    totals: Totals
    skipped: tuple[str, ...]
    plain: dict[str, str]


@dataclass(frozen=True, slots=True)
class _BatchRequest:
    """What every batch is looked at with."""

    root: Path
    config: Config
    measured: bool
    named: set[str]
    suppressions: Suppressions

    def misses(self, name: str) -> bool:
        """Nobody misses a verdict on a picture, unless it was asked for by name, nor on what is left out."""
        return name in self.named or (may_hold_code(name) and self.config.paths.checks(name))


def waived(root: Path) -> Suppressions:
    """What a person waived in this project; looking leaves no store behind where there was none."""
    if not is_known(root):
        return Suppressions()
    with open_store(root) as store:
        return Suppressions(store.waivers())


def suppressions_of(root: Path, listed: Listed) -> Suppressions:
    return replace(waived(root), baseline=listed)


def _look(asked: _BatchRequest, names: tuple[str, ...]) -> Batch:
    """One batch, in whichever process."""
    texts: dict[str, str] = {}
    unchecked: list[Unchecked] = []
    skipped = []
    for name in names:
        try:
            texts[name] = disk.read(asked.root / name)
            if is_no_text(texts[name]):
                skipped.append(name)  # searched for secrets, and for nothing else
            if is_binary(texts[name]) and asked.misses(name):
                unchecked.append(Unchecked(name, UncheckedKind.NOT_CODE, BINARY))
        except NotText as why:
            if asked.misses(name):
                unchecked.append(why.unchecked(name))
            else:
                skipped.append(name)
    files = tuple(File(name, None, text) for name, text in texts.items())
    linted = {name: text for name, text in texts.items() if asked.config.paths.checks(name)}
    with earlier_reports(asked.root) as earlier:
        told = linter_verdict(
            Change(asked.root, files),
            asked.config,
            compares=False,
            suppressions=asked.suppressions,
            kept=None if earlier is None else earlier.kept,
        )
        broken = _broken(linted, earlier)
        plain: dict[str, str] = {}
        if earlier is not None:
            plain = _plain(told, texts, earlier)
            earlier.note_seen(asked.config, [asked.root / name for name in names])
    verdict = joined([told, _not_looked_at(unchecked)])
    summed = totals(asked.root, linted, asked.config) if asked.measured else Totals()
    return Batch(verdict, broken, summed, tuple(skipped), plain)


def _plain(told: Verdict, texts: Mapping[str, str], earlier: EarlierReports) -> dict[str, str]:
    """Digests of those of which a line will be shown and nothing has to be hidden."""
    found = {}
    for path in {finding.span.path for finding in told.findings} & texts.keys():
        with contextlib.suppress(NotText):
            source = source_of(path, texts[path])
            if earlier.hides_nothing(source, hides_nothing):
                found[path] = digest_of(source.text)
    return found


def _broken(texts: Mapping[str, str], earlier: EarlierReports | None = None) -> dict[str, int]:
    """Where each file that does not parse first fails to; the trees are still at hand from the checks."""
    sources = []
    for path, text in texts.items():
        with contextlib.suppress(NotText):
            sources.append(source_of(path, text))
    if earlier is None:
        found = {source.path: _error(source) for source in sources}
    else:
        found = earlier.first_errors(sources, _error)
    return {path: line for path, line in found.items() if line}


def _error(source: Source) -> int:
    """The first line that does not parse; 0 where all does, or nobody can tell."""
    syntax = parse(source)
    return 0 if isinstance(syntax, Unchecked) else first_error(syntax) or 0


@cache
def app() -> App:
    from vetgate.app import App  # noqa: PLC0415 - most commands answer no hook, and half of their start would be this

    return App(runtime.state_dir())
