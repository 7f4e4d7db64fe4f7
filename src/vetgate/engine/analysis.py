"""One text analyzed by the checks of a gate; a crash of a check is data."""

from __future__ import annotations

import contextlib
import threading
import time
from collections import OrderedDict
from dataclasses import dataclass, field, replace
from functools import lru_cache
from hashlib import blake2b
from typing import TYPE_CHECKING, TypeVar

from vetgate.engine.check import CheckInput, Report
from vetgate.engine.piece_cache import Cut, PieceCache, depends_on_siblings
from vetgate.engine.settle import numbered, redacted_finding, weighed
from vetgate.model import Unchecked, UncheckedKind
from vetgate.source.disk_cache import disk_reads
from vetgate.source.language import language_in, language_of
from vetgate.source.notebook import parts_of
from vetgate.source.syntax import Source, parse
from vetgate.source.text import BINARY, is_binary, is_no_text
from vetgate.source.text_diff import common_head, common_tail
from vetgate.source.walk import BIG_LINES, cut, walk_pieces

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from vetgate.config.schema import Config
    from vetgate.engine.check import Check, Safeguard
    from vetgate.engine.kept_reports import KeptReport, KeptReports
    from vetgate.engine.piece_cache import CarriedFindings
    from vetgate.model import Finding, Gate
    from vetgate.source.clock import Deadline
    from vetgate.source.disk_cache import DiskReads
    from vetgate.source.syntax import Syntax

    Redactor = Callable[[Source], Callable[[str], str]]

T = TypeVar("T")
_REMEMBERED = 256
_LONGEST_WAIT = 1.0  # as long as a look ahead may take: whoever takes longer is stuck
_WHOLE = Cut(())
_UNNOTED = contextlib.nullcontext()


@dataclass(frozen=True, slots=True)
class Analysis:
    """What all checks of a gate found in one text, and what of worth stands in it."""

    findings: tuple[Finding, ...] = ()
    safeguards: tuple[Safeguard, ...] = ()
    unchecked: tuple[Unchecked, ...] = ()
    failed: tuple[str, ...] = ()
    error: str = ""
    elapsed_ms: float = 0.0

    @property
    def unsure(self) -> frozenset[str]:
        """The checks that did not see all of it; "" for a text that nobody saw."""
        return frozenset((*self.failed, *(item.check for item in self.unchecked)))


class Analyzer:
    """Analyzes texts and remembers: what an edit leaves behind is what the next one starts from.

    `redactor` gives, for a source, what redacts its secrets in words: whatever a check says, it quotes none. `kept` is
    what was said in earlier runs.
    """

    def __init__(
        self, checks: Mapping[str, Check], redactor: Redactor | None = None, kept: KeptReports | None = None
    ) -> None:
        self.checks = checks
        self._kept = kept
        self._redactor = redactor
        self._in_tests = {name: check.in_tests for name, check in checks.items()}
        self._lock = threading.Lock()
        self._analyses: OrderedDict[tuple[object, ...], Analysis] = OrderedDict()
        self._at_work: dict[tuple[object, ...], threading.Event] = {}
        self._piece_cache = PieceCache()

    def analyze(self, gate: Gate, config: Config, source: Source, deadline: Deadline) -> Analysis:
        key = _remembered_by(gate, config, source)
        done = threading.Event()
        with self._lock:
            known = self._analyses.get(key)
            if known:
                self._analyses.move_to_end(key)
                return known
            self._at_work[key] = done
        try:
            analysis, lasts = self._analyzed_anew(gate, config, source, deadline)
            if lasts and not analysis.failed and not analysis.unchecked:
                with self._lock:
                    self._analyses[key] = analysis
                    while len(self._analyses) > _REMEMBERED:
                        self._analyses.popitem(last=False)
            return analysis
        finally:
            with self._lock:
                if self._at_work.get(key) is done:
                    del self._at_work[key]
            done.set()

    def wait_for(self, gate: Gate, config: Config, source: Source, deadline: Deadline) -> None:
        """Let another thread end that is at this text: two at once take twice as long, and learn the same."""
        with self._lock:
            done = self._at_work.get(_remembered_by(gate, config, source))
        if done is not None:
            done.wait(min(_LONGEST_WAIT, deadline.left() / 2))

    def keeping(self, kept: KeptReports) -> Analyzer:
        """One that takes what it can from earlier runs."""
        return Analyzer(self.checks, self._redactor, kept)

    def weighed(self, findings: Iterable[Finding], gate: Gate, config: Config, path: str) -> tuple[Finding, ...]:
        """What the gate asks for of these, as the configuration weighs it."""
        return weighed((each for each in findings if _asked(each, gate)), config, path, self._in_tests)

    def _analyzed_anew(self, gate: Gate, config: Config, source: Source, deadline: Deadline) -> tuple[Analysis, bool]:
        """With whether it may be remembered."""
        started = time.perf_counter()
        key = b"" if self._kept is None else _key(gate, config, source)
        kept = {} if self._kept is None else self._kept.find(key)
        reports: dict[str, Report] = {}
        unchecked: list[Unchecked] = []
        failed, errors = [], []
        reads: dict[str, DiskReads | None] = {}
        for check, report, read in self._reports(gate, config, source, deadline, kept):
            if isinstance(report, BaseException):
                failed.append(check)
                errors.append(f"{check}: {report.__class__.__name__}: {report}")
            else:
                unchecked += [replace(item, check=check) for item in report.unchecked]
                reports[check] = report
                reads[check] = read
        if source.language and "\0" in source.text:
            unchecked.append(
                Unchecked(source.path, UncheckedKind.NOT_CODE, BINARY)
            )  # its name says code, and nobody can read it as that
        if self._redactor is not None and (errors or any(reports[each].findings for each in reports.keys() - kept)):
            hide = self._redactor(source)
            reports = {check: _redacted(report, hide) for check, report in reports.items()}
            errors = list(map(hide, errors))
        if self._kept is not None and not unchecked and not failed:
            self._kept.keep(key, kept, reports, reads)
        findings = [finding for report in reports.values() for finding in report.findings]
        analysis = Analysis(
            numbered(self.weighed(findings, gate, config, source.path)),
            tuple(safeguard for report in reports.values() for safeguard in report.safeguards),
            tuple(dict.fromkeys(unchecked)),
            tuple(failed),
            "; ".join(errors),
            (time.perf_counter() - started) * 1000,
        )
        return analysis, not any(report.momentary for report in reports.values())

    def _reports(
        self, gate: Gate, config: Config, source: Source, deadline: Deadline, kept: Mapping[str, KeptReport]
    ) -> Iterator[tuple[str, Report | BaseException, DiskReads | None]]:
        """Of every check in turn, with what it read where that is asked; those that `kept` has are not asked again."""
        checks = list(self._wanted(gate, config, source))
        asked = [check for check in checks if check.id not in kept]
        walking = [check for check in asked if source.language in check.languages and not source.shapes_only]
        round_ = _Round(config, source, deadline, self._piece_cache)
        seen = dict(zip((check.id for check in walking), round_.walked(walking) if walking else (), strict=True))
        for check in checks:
            if check.id in kept:
                yield check.id, kept[check.id].report, None
                continue
            check_input = seen.get(check.id, CheckInput(source, None))
            with _UNNOTED if self._kept is None else disk_reads() as read:
                report = round_.reported(check, check_input) if isinstance(check_input, CheckInput) else check_input
            yield check.id, report, read

    def _wanted(self, gate: Gate, config: Config, source: Source) -> Iterable[Check]:
        for family in gate.families:
            check = self.checks[family].configured_by(config)
            if check.covers_all_files if source.shapes_only else check.plain or source.language in check.languages:
                yield check


@dataclass(slots=True)
class _Round:
    """One text and the checks that look at it: one parse and one walk for all that have a visitor."""

    config: Config
    source: Source
    deadline: Deadline
    piece_cache: PieceCache
    _cut: Cut = _WHOLE
    _carried: dict[str, CarriedFindings] = field(default_factory=dict)

    def walked(self, checks: list[Check]) -> list[CheckInput | Report | BaseException]:
        syntax = _caught(lambda: parse(self.source))
        if isinstance(syntax, BaseException):
            return [syntax] * len(checks)
        if isinstance(syntax, Unchecked):
            return [CheckInput(self.source, None) if check.plain else Report(unchecked=(syntax,)) for check in checks]
        self._cut = Cut(cut(syntax, self.source.first))
        return self._inputs(checks, syntax)

    def _inputs(
        self, checks: Sequence[Check], syntax: Syntax, *, whole: bool = False
    ) -> list[CheckInput | Report | BaseException]:
        """Should a visitor crash the walk, each walks alone, so that it takes nobody along.

        Most of a file is in the cache; where a check notes something in the rest, it has to see all of it after all.
        """
        visitors = [check.visitor_of(syntax.language) for check in checks]
        for check in checks:
            carried = {} if whole else self.piece_cache.carried(check, self.config, self.source.path, self._cut)
            self._carried[check.id] = carried
        planned, partly = self.piece_cache.plan(
            checks, self.config, syntax.language, self._cut, carried=self._carried, whole=whole
        )
        walked = _caught(lambda: walk_pieces(syntax, visitors, self.deadline, planned))
        if isinstance(walked, BaseException):
            alone = (self._inputs([check], syntax, whole=whole)[0] for check in checks)
            return [walked] if len(checks) == 1 else list(alone)
        inputs: list[CheckInput | Report | BaseException] = [
            CheckInput(self.source, syntax, state, walked.unvisited) for state in walked.states
        ]
        again = [number for number in sorted(partly) if depends_on_siblings(checks[number], walked.states[number])]
        if again and not walked.unvisited:
            anew = self._inputs([checks[number] for number in again], syntax, whole=True)
            for number, check_input in zip(again, anew, strict=True):
                inputs[number] = check_input
        return inputs

    def reported(self, check: Check, check_input: CheckInput) -> Report | BaseException:
        report = _caught(lambda: check.report(check_input, self.config, self.deadline))
        if isinstance(report, Report):
            carried = [finding for own in self._carried.get(check.id, {}).values() for finding in own]
            report = replace(report, findings=(*report.findings, *carried)) if carried else report
            # With what was carried along: a piece that nobody walked again is not one without findings.
            self.piece_cache.learn(check, self.config, check_input, report, self._cut)
        return report


def _remembered_by(gate: Gate, config: Config, source: Source) -> tuple[object, ...]:
    texts = digest_of(source.text), digest_of(source.beside)
    return gate.id, config.digest, source.root, source.path, source.shapes_only, *texts


def _key(gate: Gate, config: Config, source: Source) -> bytes:
    """Of all that a report depends on, where its check looks at nothing else."""
    parts = (gate.id, config.digest, source.path, str(source.shapes_only), str(source.language), repr(source.first))
    digest = blake2b("\0".join(parts).encode("utf-8", "surrogatepass"))
    for text in (source.text, source.beside):
        digest.update(digest_of(text).encode())
    return digest.digest()


def _redacted(report: Report, hide: Callable[[str], str]) -> Report:
    return replace(report, findings=tuple(redacted_finding(finding, hide) for finding in report.findings))


def run_check(check: Check, source: Source, config: Config, deadline: Deadline) -> Report:
    """What one check says by itself; its crash is the caller's."""
    check = check.configured_by(config)
    round_ = _Round(config, source, deadline, PieceCache())
    (check_input,) = round_.walked([check]) if source.language in check.languages else (CheckInput(source, None),)
    result = round_.reported(check, check_input) if isinstance(check_input, CheckInput) else check_input
    if isinstance(result, BaseException):
        raise result
    return result


def _caught(act: Callable[[], T]) -> T | BaseException:
    try:
        return act()
    except (Exception, RecursionError, MemoryError) as error:  # noqa: BLE001 - a crash of a check is data
        return error


def source_of(
    path: str, text: str, before: str | None = None, root: Path | None = None, *, shapes_only: bool = False
) -> Source:
    """The source to judge: a notebook's is its code. Raises NotText where there is none."""
    if shapes_only or is_no_text(text):
        language = None if shapes_only or not is_binary(text) else language_of(path)
        return Source(path, text, language, root=root, shapes_only=True)
    if path.endswith(".ipynb"):
        parts = parts_of(text)
        return Source(path, parts.code, "python", root=root, beside=parts.beside)
    first = () if before is None or text.count("\n") < BIG_LINES else changed_lines(before, text)
    return Source(path, text, language_in(path, text), first, root)


def changed_lines(before: str, after: str) -> tuple[tuple[int, int], ...]:
    """The lines of `after` between the first and the last difference: cheap, and enough to know where to begin."""
    old, new = before.split("\n"), after.split("\n")
    head = common_head(old, new)
    tail = common_tail(old, new, min(len(old), len(new)) - head)
    return ((head + 1, max(head + 1, len(new) - tail)),)


@lru_cache(maxsize=8)
def digest_of(text: str) -> str:
    """Of the same few texts several times in every answer."""
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def _asked(finding: Finding, gate: Gate) -> bool:
    """A gate may ask for a whole family or for single rules of it."""
    return finding.check in gate.checks or finding.id in gate.checks
