"""A gate over a change: each file looked at as it would be, minus what was wrong before."""

from __future__ import annotations

import contextlib
import time
from dataclasses import dataclass, field, replace
from functools import partial
from operator import itemgetter
from typing import TYPE_CHECKING, ClassVar, Protocol

from vetgate.engine.analysis import Analysis, Analyzer, source_of
from vetgate.engine.check import Report, WholeChange
from vetgate.engine.decide import blocks
from vetgate.engine.settle import Edit, asks_more, defer, introduces, lost, matched, numbered, settled, taken_apart
from vetgate.engine.suppressions import INLINE, Suppressions, as_generated, by_comments
from vetgate.failure import fails_closed
from vetgate.index.view import View
from vetgate.model import EventKind, Known, Outcome, Unchecked, UncheckedKind
from vetgate.source.language import is_environment, is_generated, is_made_by_a_tool, language_of, may_hold_code
from vetgate.source.syntax import Source, beyond_limits
from vetgate.source.text import NotText

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from vetgate.config.schema import Config
    from vetgate.engine.check import Check, Safeguard
    from vetgate.index.project import ProjectIndex
    from vetgate.model import Change, File, Finding, Gate
    from vetgate.source.clock import Deadline
    from vetgate.source.protected import Protected


# Only so many functions that look new are looked for elsewhere.
_SUSPECTS = 5
# How code is left out that says of itself that a tool made it.
_PASSES_FOR_MADE = frozenset({UncheckedKind.NOT_PARSED, UncheckedKind.UNFINISHED})
_OUT_OF_TIME = "the time to compare it with the rest of the project ran out"
# In place of a check: a text that none of them could read.
UNREAD = ""


@dataclass(frozen=True, slots=True)
class FileBaseline:
    """What was known of a text from before; `unsure` are the checks whose analysis time or a crash cut short.

    Whether it is on record already, `kept` says.
    """

    known: tuple[Known, ...] = ()
    unsure: frozenset[str] = frozenset()
    safeguards: tuple[Safeguard, ...] = ()
    kept: bool = False

    @property
    def whole(self) -> bool:
        return not self.unsure

    def answers_for(self, check: str) -> bool:
        """Whether what is not known of it is new; what must not fail open is, where nobody could read what was."""
        return check not in self.unsure and (UNREAD not in self.unsure or fails_closed(check))


class Memory(Protocol):
    """What is known of a file from before this change."""

    def baseline(self, path: str, gate: Gate, now: FileBaseline, head: Callable[[], FileBaseline]) -> FileBaseline:
        """What a gate knows of the file as it was first seen, by what stands in it now and in the last commit."""

    def keep_baseline(self, path: str, gate: Gate, baseline: FileBaseline) -> None:
        """Where none is kept yet."""

    def elsewhere(self, path: str, counts: Callable[[str], bool]) -> frozenset[str]:
        """Evidence of findings in other files, those that count, from which code may have moved here."""

    def owing(self) -> frozenset[str]:
        """The files in which something was deferred until the turn ends."""

    @property
    def lasts(self) -> bool:
        """Whether what is deferred now will be known then."""


class Forgetful:
    """No session: what stands in the file before the change is all there is."""

    def baseline(self, path: str, gate: Gate, now: FileBaseline, head: Callable[[], FileBaseline]) -> FileBaseline:  # noqa: ARG002
        return now

    def keep_baseline(self, path: str, gate: Gate, baseline: FileBaseline) -> None:
        """There is nobody to keep it for."""

    def elsewhere(self, path: str, counts: Callable[[str], bool]) -> frozenset[str]:  # noqa: ARG002
        return frozenset()

    def owing(self) -> frozenset[str]:
        return frozenset()

    @property
    def lasts(self) -> bool:
        return True


def _is_left_to_a_tool(analysis: Analysis) -> bool:
    """Nobody reads it as code, nor did anybody before."""
    return any(item.kind is UncheckedKind.NOT_PARSED and not item.holds for item in analysis.unchecked)


def _no_head(path: str) -> str | None:  # noqa: ARG001
    return None


def _nothing(path: str) -> bool:  # noqa: ARG001
    return False


def _no_others(name: str, path: str) -> Iterable[tuple[str, str]]:  # noqa: ARG001
    return ()


@dataclass(frozen=True, slots=True)
class CheckRunner:
    """Runs gates of checks over a change, with everything they may ask for.

    `head` gives a file's text in the last commit, for one that is not on disk; `others` other files that speak of a
    name, with their text as committed, `around` as they are. Unless it `compares`, nothing is known of before, and
    checks that speak of changes alone are silent. Where `protected` says which files are, they are guarded.
    `suppressions` is what a person allowed. `index` is what is known of the rest of the project; a `final` run is one
    after which nothing can be put right any more. Unless `whole`, a change is not looked at beside the rest. One that
    is written `by_hand` may not say of itself that a tool wrote it. Git has left alone since before the session what is
    `covered`. `no_index` says why the rest of the project is not known: what should be compared with it then counts as
    unchecked. Whether `around` knows of every file, `sees_all` says.
    """

    is_cheap: ClassVar[bool] = True

    change: Change
    analyzer: Analyzer
    config: Config
    deadline: Deadline
    memory: Memory = field(default_factory=Forgetful)
    head: Callable[[str], str | None] = _no_head
    others: Callable[[str, str], Iterable[tuple[str, str]]] = _no_others
    around: Callable[[str, str], Iterable[tuple[str, str]]] = _no_others
    compares: bool = True
    protected: Protected | None = None
    suppressions: Suppressions = field(default_factory=Suppressions)
    index: ProjectIndex | None = None
    final: bool = False
    whole: bool = True
    by_hand: bool = False
    no_index: str = ""
    covered: Callable[[str], bool] = _nothing
    sees_all: Callable[[], bool] = bool

    def run(self, gate: Gate) -> Outcome:
        if gate.timeout:
            return self._within(gate).run(replace(gate, timeout=0))
        started = time.perf_counter()
        checks = self._checks(gate)
        guarded = self._guarded(gate, checks)
        change = self._taken_apart()
        files = self._read_by(checks, change)
        within = replace(change, files=tuple(file for file in files if self._is_checked(file.path)))
        looks_beyond = self.compares and self.whole and any(check.on_whole_change for check in checks)
        view = self._view(within) if looks_beyond else None
        analyses: dict[str, Analysis] = {}
        disks: dict[str, FileBaseline] = {}
        for file in files:
            # One file after the other: what its two texts share is parsed and walked once, while it is remembered.
            self._wait_for_look_ahead(gate, change, file)
            analysis = self._analyze(gate, change, file.path, file.after, file.before)
            analyses[file.path] = self._holding(file, analysis)
            disks[file.path] = self._disk(gate, change, file, analyses[file.path])
            if view is not None and not self.deadline.passed() and self._is_checked(file.path):
                view.add(file)
        findings = [*guarded.findings, *self._too_large(gate, checks)]
        homes = _homes(disks)
        for file in files:
            analysis = analyses[file.path]
            moved = frozenset(f.evidence for f in analysis.findings if self._moved_here(homes, f, file.path))
            judged = _JudgedFile(gate, change, file, analysis, disks[file.path])
            if settled_here := self._settled(judged, moved):
                settled_here = tuple(self._where_secrets_belong(file.path, settled_here))
                findings += self._deferred(judged, self._suppressed(judged, settled_here)) if settled_here else ()
        beyond = self.whole_change(gate, within, view) if looks_beyond else Analysis()
        findings += beyond.findings
        every = [guarded, beyond, *analyses.values()]
        cut = (
            Unchecked(path, UncheckedKind.UNFINISHED, "its earlier content could not be read", check)
            for path, before in disks.items()
            if not _is_left_to_a_tool(analyses[path])
            for check in sorted(before.unsure - {UNREAD})
        )
        unchecked = (*self._unchecked(checks), *(item for analysis in every for item in analysis.unchecked), *cut)
        outcome = Outcome.of_findings(
            gate.id,
            findings,
            unchecked=unchecked,
            failed=tuple(dict.fromkeys(name for analysis in every for name in analysis.failed)),
            error="; ".join(analysis.error for analysis in every if analysis.error),
            elapsed_ms=(time.perf_counter() - started) * 1000,
        )
        slowest = max(
            ((path, analysis.elapsed_ms) for path, analysis in analyses.items()), key=itemgetter(1), default=("", 0.0)
        )
        return replace(outcome, slowest=slowest)

    def run_beside(self, gate: Gate) -> Outcome:
        """What its checks say that look at the change beside the rest of the project, and nothing else."""
        found = self._within(gate).whole_change(gate, self.change)
        return Outcome.of_findings(
            gate.id, found.findings, unchecked=found.unchecked, failed=found.failed, error=found.error
        )

    def _within(self, gate: Gate) -> CheckRunner:
        """With the time that the gate has, from now on."""
        return replace(self, deadline=self.deadline.within(gate.timeout)) if gate.timeout else self

    def baselines(self, gate: Gate) -> Iterator[tuple[str, FileBaseline]]:
        """What the checks of a gate know of each file as it was before the change."""
        if gate.scope == "file" or not self.compares:
            return
        for file in self._read_by(self._checks(gate), self._taken_apart()):
            yield file.path, self._disk(gate, self.change, file, Analysis())

    def _taken_apart(self) -> Change:
        return replace(self.change, files=tuple(taken_apart(self.config.paths, self.change.files)))

    def _read_by(self, checks: Sequence[Check], change: Change) -> list[File]:
        """The files that any of the checks reads."""
        reads = any(check.plain or check.languages for check in checks)
        everywhere = any(check.covers_all_files for check in checks)
        return [file for file in change.files if reads and (everywhere or self._is_checked(file.path))]

    def _is_checked(self, path: str) -> bool:
        return self.config.paths.checks(path)

    def _moved_here(self, homes: Mapping[str, set[str]], finding: Finding, path: str) -> bool:
        others = homes.get(finding.evidence, set()) - {path}
        return any(not asks_more(self.config.paths, home, path) for home in others)

    def _where_secrets_belong(self, path: str, findings: Iterable[Finding]) -> Iterator[Finding]:
        """What git has always left alone never leaves the machine: there a `.env` is told of, the rest is nobody's."""
        at_home = is_environment(path)
        for finding in findings:
            aside = finding.new and (at_home or not self._is_checked(path)) and self._looks_everywhere(finding)
            if not aside or not self.covered(path):
                yield finding
            elif at_home:
                yield replace(finding, advisory=True)

    def _looks_everywhere(self, finding: Finding) -> bool:
        return self.analyzer.checks[finding.check].covers_all_files

    def _guarded(self, gate: Gate, checks: Sequence[Check]) -> Analysis:
        """What the checks say that ask which files a change touches, not what is in them."""
        if self.protected is None:
            return Analysis()
        findings: list[Finding] = []
        failed, errors = [], []
        for check in checks:
            if check.on_touched_files is None:
                continue
            try:
                found = check.on_touched_files(self.change, self.config, self.protected)
                findings += self.analyzer.weighed(found, gate, self.config, "")
            except Exception as error:  # noqa: BLE001 - a crash of a check is data
                failed.append(check.id)
                errors.append(f"{check.id}: {error.__class__.__name__}: {error}")
        return Analysis(numbered(findings), failed=tuple(failed), error="; ".join(errors))

    def _view(self, change: Change) -> View:
        """The rest of the project, as it is beside the change."""
        moved = dict.fromkeys(file.was for file in change.files if file.was)
        return View(self.index, moved | {file.path: file.after for file in change.files})

    def whole_change(self, gate: Gate, change: Change, view: View | None = None) -> Analysis:
        """What the checks say that look at a change beside the rest of the project."""
        checks = [check for check in self._checks(gate) if check.on_whole_change is not None]
        if not checks:
            return Analysis()
        if self.deadline.passed():
            return Analysis(unchecked=tuple(_unseen(checks, change, UncheckedKind.UNFINISHED, _OUT_OF_TIME)))
        whole = WholeChange(change, view or self._view(change), self.config, self.deadline)
        reports: list[Report] = []
        unchecked: list[Unchecked] = (
            list(_unseen(checks, change, UncheckedKind.OTHER, self.no_index)) if self.no_index else []
        )
        failed, errors = [], []
        for check in checks:
            try:
                report = check.on_whole_change(whole) if check.on_whole_change else Report()
                reports.append(report)
                unchecked += (replace(item, check=check.id) for item in report.unchecked)
            except Exception as error:  # noqa: BLE001 - a crash of a check is data
                failed.append(check.id)
                errors.append(f"{check.id}: {error.__class__.__name__}: {error}")
        found = [each for report in reports for one in report.findings for each in self._weighed_by_itself(one, gate)]
        told = self.suppressions.over(numbered(found), whole=False) if found else ()
        return Analysis(told, unchecked=tuple(unchecked), failed=tuple(failed), error="; ".join(errors))

    def _weighed_by_itself(self, finding: Finding, gate: Gate) -> Iterable[Finding]:
        for each in self.analyzer.weighed([finding], gate, self.config, finding.span.path):
            waits = each.later and not each.advisory and not self.final
            yield replace(each, later=waits and self._is_held(gate), advisory=each.advisory or waits)

    def _checks(self, gate: Gate) -> list[Check]:
        return [self.analyzer.checks[name] for name in gate.families]

    def _settled(self, judged: _JudgedFile, moved: frozenset[str]) -> tuple[Finding, ...]:
        gate, analysis, disk, path = judged.gate, judged.analysis, judged.disk, judged.file.path
        if gate.scope == "file" or not self.compares:
            return tuple(finding for finding in analysis.findings if not self.analyzer.checks[finding.check].compares)
        head = partial(self._committed, gate, judged.change, path)
        first = self.memory.baseline(path, gate, disk, head)
        self.memory.keep_baseline(path, gate, first)
        baseline = first.known
        stood = judged.file.before or ""
        after = (
            *self._compared_with_before(analysis.findings, baseline, stood),
            *self._lost(judged, analysis.safeguards, baseline),
        )
        if not after:
            return ()
        before = tuple(known for known in baseline if not known.is_safeguard)
        if introduces(after, before):
            elsewhere = self.memory.elsewhere(path, lambda home: not asks_more(self.config.paths, home, path))
            # A secret that stands in a file of the session has not moved here: it is in one place more.
            moved |= elsewhere - {each.evidence for each in after if fails_closed(each.check)}
        stands = tuple(known for known in disk.known if not known.is_safeguard)
        now = (*stands, *(Known.of(each) for each in self._lost(judged, disk.safeguards, baseline)))
        if self.final:
            now = before  # nothing comes after it: what was on the way there does not count
        result = settled(after, before, now, moved)
        # Of a function that stood here before it makes no difference where else it stands.
        fresh = (f for f, was in zip(result, matched(after, before), strict=True) if was is None)
        suspects = [f for f in fresh if f.new and not f.advisory and f.value is not None]
        copied = self._copied(judged, suspects)
        if copied:
            result = settled(after, before, now, moved | copied)
        is_held = self._is_held(gate) and not self.final
        # Of what nobody can say how old it is: told, never held against the edit.
        return tuple(
            replace(f, later=f.later and is_held, advisory=f.advisory or not disk.answers_for(f.check)) for f in result
        )

    def _suppressed(self, judged: _JudgedFile, findings: tuple[Finding, ...]) -> tuple[Finding, ...]:
        """A comment that waives counts when it was there before, or where nobody asks what was."""
        findings = self._without_generated(judged, findings)
        told = self.suppressions.over(findings, whole=judged.gate.scope == "file" or not self.compares)
        if not self.compares:
            return by_comments(told, (each for each in judged.analysis.findings if each.id == INLINE))
        return by_comments(told, (each for each in told if each.id == INLINE and not each.new))

    def _without_generated(self, judged: _JudgedFile, findings: tuple[Finding, ...]) -> tuple[Finding, ...]:
        """Of a file that a tool wrote: the last commit has it so, or no hand was in it; else what stands there."""
        file = judged.file
        if not is_generated(file.after or ""):
            return findings
        earlier = self.head(file.was or file.path) if self.compares else None
        if earlier is None and self.compares and not self.by_hand:
            earlier = file.before
        if earlier is not None:
            return as_generated(findings) if is_generated(earlier) else findings
        if not self.by_hand:
            return findings if self.memory.owing() else as_generated(findings)
        return as_generated(findings, judged.disk.known if is_generated(file.before or "") else ())

    def _deferred(self, judged: _JudgedFile, findings: tuple[Finding, ...]) -> tuple[Finding, ...]:
        if self.final or judged.gate.scope == "file" or not self.compares or not self._is_held(judged.gate):
            return findings
        at_fault = [each for each in findings if each.last_line and blocks(each, judged.gate)]
        file = judged.file
        # Whoever calls it the work of a tool may have it taken for that as soon as nobody looks.
        if not at_fault or is_generated(file.after or ""):
            return findings
        texts = (_judged_text(file.path, file.before), _judged_text(file.path, file.after))
        edit = Edit(*texts, judged.disk.known, is_owed=file.path in self.memory.owing())
        return defer(findings, at_fault, edit)

    def _is_held(self, gate: Gate) -> bool:
        """Whether the turn does not end with what this gate lets pass until then."""
        return gate.id in self.config.on.get(EventKind.STOP, ()) and gate.on_fail == "BLOCK" and self.memory.lasts

    def _compared_with_before(
        self, findings: Sequence[Finding], baseline: Sequence[Known], stood: str
    ) -> Iterator[Finding]:
        """A check may know better than the engine what of before makes up for what it finds now."""
        for name in dict.fromkeys(finding.check for finding in findings):
            own = [finding for finding in findings if finding.check == name]
            compare = self.analyzer.checks[name].compare_with_before
            yield from compare(own, baseline, stood) if compare else own

    def _lost(
        self, judged: _JudgedFile, safeguards: Sequence[Safeguard], baseline: Iterable[Known]
    ) -> tuple[Finding, ...]:
        stood = tuple(known for known in baseline if known.is_safeguard)
        if not stood:
            return ()
        path = judged.file.path
        source = Source(path, judged.file.after or "", language_of(path), root=judged.change.root)

        def others(name: str) -> Iterator[tuple[str, str]]:
            files = judged.change.files
            # Where a file was before it moved it is no more, whatever the last commit has there.
            told = dict.fromkeys(file.was for file in files if file.was) | {file.path: file.after for file in files}
            yield from ((place, text) for place, text in told.items() if place != path and text and name in text)
            yield from ((place, text) for place, text in self.around(name, path) if place not in told)

        found = lost(source, safeguards, stood, self.analyzer.checks, others, sees_all=self.sees_all())
        return numbered(self.analyzer.weighed(found, judged.gate, self.config, path))

    def _copied(self, judged: _JudgedFile, suspects: list[Finding]) -> frozenset[str]:
        """Evidence that the last commit has elsewhere: an agent moves a function by writing it before deleting it."""
        wanted = {finding.evidence for finding in suspects}
        found: set[str] = set()
        for name in dict.fromkeys(finding.symbol.rpartition(".")[2] for finding in suspects[:_SUSPECTS]):
            for place, text in self.others(name, judged.file.path) if name.isidentifier() else ():
                if self.config.paths.checks(place) and not self.config.paths.is_test(place):
                    analysis = self._analyze(judged.gate, judged.change, place, text)
                    found |= {each.evidence for each in analysis.findings} & wanted
        return frozenset(found)

    def _disk(self, gate: Gate, change: Change, file: File, analysis: Analysis) -> FileBaseline:
        if gate.scope == "file" or not self.compares:
            return FileBaseline()
        before = file.before
        if before is None and (analysis.findings or analysis.safeguards or file.after is None):
            before = self.head(file.path)
        return self._baseline_of(gate, change, file.was or file.path, before)

    def _committed(self, gate: Gate, change: Change, path: str) -> FileBaseline:
        return self._baseline_of(gate, change, path, self.head(path))

    def _baseline_of(self, gate: Gate, change: Change, path: str, text: str | None) -> FileBaseline:
        analysis = self._analyze(gate, change, path, text)
        known = (*map(Known.of, analysis.findings), *map(Known.of, analysis.safeguards))
        return FileBaseline(known, analysis.unsure, analysis.safeguards)

    def _wait_for_look_ahead(self, gate: Gate, change: Change, file: File) -> None:
        """A file that was read a moment ago is being looked at, and most of it stays."""
        path = file.was or file.path
        if file.before is None or gate.scope == "file" or not self.compares:
            return
        with contextlib.suppress(NotText):
            source = source_of(path, file.before, root=change.root, shapes_only=not self._is_checked(path))
            self.analyzer.wait_for(gate, self.config, source, self.deadline)

    def _analyze(self, gate: Gate, change: Change, path: str, text: str | None, before: str | None = None) -> Analysis:
        if text is None:
            return Analysis()
        try:
            source = source_of(path, text, before, change.root, shapes_only=not self._is_checked(path))
        except NotText as error:
            return Analysis(unchecked=(error.unchecked(path),))
        return self.analyzer.analyze(gate, self.config, source, self.deadline)

    def _holding(self, file: File, analysis: Analysis) -> Analysis:
        """Whoever says that a tool made what nobody can read is believed where the last commit has it so already."""
        claimed = [item for item in analysis.unchecked if not item.holds and item.kind in _PASSES_FOR_MADE]
        if not claimed or not self.compares or language_of(file.path) is None:
            return analysis
        # Outside of a session the change starts from a commit; in one, from what lies on disk.
        known = (self.head(file.was or file.path), file.before if isinstance(self.memory, Forgetful) else None)
        if any(text is not None and is_made_by_a_tool(text) and beyond_limits(text) for text in known):
            return analysis
        held = tuple(replace(item, holds=True) if item in claimed else item for item in analysis.unchecked)
        return replace(analysis, unchecked=held)

    def _too_large(self, gate: Gate, checks: Sequence[Check]) -> Iterator[Finding]:
        """Data that no check of code applies to, and that nobody wrote by hand: told, and held against nobody."""
        for item in self.change.unchecked if not self.by_hand else ():
            if not _is_data(item) or self.covered(item.path):
                continue
            for check in checks:
                found = (check.on_too_large_file(item.path),) if check.on_too_large_file else ()
                yield from numbered(self.analyzer.weighed(found, gate, self.config, item.path))

    def _unchecked(self, checks: Sequence[Check]) -> Iterable[Unchecked]:
        """Only files that a check would have looked at: nobody misses a verdict on a picture."""
        if not any(check.plain or check.languages for check in checks):
            return
        plain = any(check.plain for check in checks)
        for item in self.change.unchecked:
            if _is_data(item) and not self.by_hand and any(check.on_too_large_file for check in checks):
                continue
            if (may_hold_code(item.path) or plain) and self.config.paths.checks(item.path):
                yield item


@dataclass(frozen=True, slots=True)
class _JudgedFile:
    """One file of a change under one gate: as it would be, and as it is."""

    gate: Gate
    change: Change
    file: File
    analysis: Analysis
    disk: FileBaseline


def _is_data(item: Unchecked) -> bool:
    return item.kind is UncheckedKind.TOO_LARGE and not may_hold_code(item.path)


def _judged_text(path: str, text: str | None) -> str:
    """What the lines of findings count: of a notebook its code."""
    try:
        return source_of(path, text or "").text
    except NotText:
        return ""


def _unseen(checks: Iterable[Check], change: Change, kind: UncheckedKind, reason: str) -> Iterator[Unchecked]:
    for file in change.files:
        languages = {language_of(file.path), language_of(file.was)}
        for check in checks:
            if file.before != file.after and languages & check.languages:
                yield Unchecked(file.path, kind, reason, check.id)


def _homes(disks: Mapping[str, FileBaseline]) -> dict[str, set[str]]:
    """Where each piece of evidence stood before this change, deleted files included."""
    homes: dict[str, set[str]] = {}
    for path, before in disks.items():
        for known in before.known:
            homes.setdefault(known.evidence, set()).add(path)
    return homes
