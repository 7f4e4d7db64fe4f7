"""One text looked at by the checks of a gate; a crash of a check is data."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from dataclasses import dataclass, replace
from functools import lru_cache
from hashlib import blake2b
from typing import TYPE_CHECKING, TypeVar

from vetgate.engine.check import Report, Sight
from vetgate.engine.quiet import Cut, Quiet, hangs_together
from vetgate.engine.settle import numbered, veiled, weighed
from vetgate.model import Unchecked
from vetgate.source.ends import common_head, common_tail
from vetgate.source.language import language_of
from vetgate.source.notebook import parts_of
from vetgate.source.pieces import BIG_LINES, cut
from vetgate.source.syntax import Source, parse
from vetgate.source.text import BINARY, is_binary, is_no_text
from vetgate.source.walk import walk_pieces

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from vetgate.config.schema import Config
    from vetgate.engine.check import Check, Mark
    from vetgate.model import Finding, Gate
    from vetgate.source.deadline import Deadline
    from vetgate.source.syntax import Syntax
    from vetgate.source.text import NotText

    Veil = Callable[[Source], Callable[[str], str]]

T = TypeVar("T")
_REMEMBERED = 256
_WHOLE = Cut(())


@dataclass(frozen=True, slots=True)
class Look:
    """What all checks of a gate found in one text, and what of worth stands in it."""

    findings: tuple[Finding, ...] = ()
    marks: tuple[Mark, ...] = ()
    unchecked: tuple[Unchecked, ...] = ()
    failed: tuple[str, ...] = ()
    error: str = ""
    elapsed_ms: float = 0.0

    @property
    def unsure(self) -> frozenset[str]:
        """The checks that did not see all of it; "" for a text that nobody saw."""
        return frozenset((*self.failed, *(item.check for item in self.unchecked)))


class Looker:
    """Looks at texts and remembers: what an edit leaves behind is what the next one starts from.

    `veil` gives, for a source, what takes its secrets out of words: whatever a check says, it quotes none.
    """

    def __init__(self, checks: Mapping[str, Check], veil: Veil | None = None) -> None:
        self.checks = checks
        self._veil = veil
        self._in_tests = frozenset(name for name, check in checks.items() if check.in_tests)
        self._lock = threading.Lock()
        self._looks: OrderedDict[tuple[object, ...], Look] = OrderedDict()
        self._quiet = Quiet()

    def look(self, gate: Gate, config: Config, source: Source, deadline: Deadline) -> Look:
        texts = digest_of(source.text), digest_of(source.beside)
        key = (gate.id, config.digest, source.root, source.path, source.shapes_only, *texts)
        with self._lock:
            known = self._looks.get(key)
            if known:
                self._looks.move_to_end(key)
                return known
        look, lasts = self._looked(gate, config, source, deadline)
        if lasts and not look.failed and not look.unchecked:
            with self._lock:
                self._looks[key] = look
                while len(self._looks) > _REMEMBERED:
                    self._looks.popitem(last=False)
        return look

    def weighed(self, findings: Iterable[Finding], gate: Gate, config: Config, path: str) -> tuple[Finding, ...]:
        """What the gate asks for of these, as the configuration weighs it."""
        return weighed((each for each in findings if _asked(each, gate)), config, path, self._in_tests)

    def _looked(self, gate: Gate, config: Config, source: Source, deadline: Deadline) -> tuple[Look, bool]:
        started = time.perf_counter()
        reports: list[Report] = []
        unchecked: list[Unchecked] = []
        failed, errors = [], []
        for check, report in self._reports(gate, config, source, deadline):
            if isinstance(report, BaseException):
                failed.append(check)
                errors.append(f"{check}: {report.__class__.__name__}: {report}")
            else:
                unchecked += [replace(item, check=check) for item in report.unchecked]
                reports.append(report)
        if source.language and "\0" in source.text:
            unchecked.append(Unchecked(source.path, BINARY))  # its name says code, and nobody can read it as that
        findings = [finding for report in reports for finding in report.findings]
        if self._veil is not None and (findings or errors):
            hide = self._veil(source)
            findings, errors = [veiled(finding, hide) for finding in findings], list(map(hide, errors))
        look = Look(
            numbered(self.weighed(findings, gate, config, source.path)),
            tuple(mark for report in reports for mark in report.marks),
            tuple(dict.fromkeys(unchecked)),
            tuple(failed),
            "; ".join(errors),
            (time.perf_counter() - started) * 1000,
        )
        return look, not any(report.momentary for report in reports)

    def _reports(
        self, gate: Gate, config: Config, source: Source, deadline: Deadline
    ) -> Iterator[tuple[str, Report | BaseException]]:
        checks = list(self._wanted(gate, config, source))
        walking = [check for check in checks if source.language in check.languages and not source.shapes_only]
        round_ = _Round(config, source, deadline, self._quiet)
        seen = dict(zip((check.id for check in walking), round_.walked(walking) if walking else (), strict=True))
        for check in checks:
            sight = seen.get(check.id, Sight(source, None))
            yield check.id, sight if not isinstance(sight, Sight) else round_.reported(check, sight)

    def _wanted(self, gate: Gate, config: Config, source: Source) -> Iterable[Check]:
        for family in gate.families:
            check = _under(self.checks[family], config)
            if check.everywhere if source.shapes_only else check.plain or source.language in check.languages:
                yield check


@dataclass(slots=True)
class _Round:
    """One text and the checks that look at it: one parse and one walk for all that have a visitor."""

    config: Config
    source: Source
    deadline: Deadline
    quiet: Quiet
    _cut: Cut = _WHOLE

    def walked(self, checks: list[Check]) -> list[Sight | Report | BaseException]:
        syntax = _caught(lambda: parse(self.source))
        if isinstance(syntax, BaseException):
            return [syntax] * len(checks)
        if isinstance(syntax, Unchecked):
            return [Sight(self.source, None) if check.plain else Report(unchecked=(syntax,)) for check in checks]
        self._cut = Cut(cut(syntax, self.source.first))
        return self._sights(checks, syntax)

    def _sights(
        self, checks: Sequence[Check], syntax: Syntax, *, whole: bool = False
    ) -> list[Sight | Report | BaseException]:
        """Should a visitor crash the walk, each walks alone, so that it takes nobody along.

        Most of a file is quiet; where a check has noted something in what is not, it has to see all of it after all.
        """
        visitors = [check.visitor(syntax.language) for check in checks]
        planned, partly = self.quiet.plan(checks, self.config, syntax.language, self._cut, whole=whole)
        walked = _caught(lambda: walk_pieces(syntax, visitors, self.deadline, planned))
        if isinstance(walked, BaseException):
            alone = (self._sights([check], syntax, whole=whole)[0] for check in checks)
            return [walked] if len(checks) == 1 else list(alone)
        sights: list[Sight | Report | BaseException] = [
            Sight(self.source, syntax, state, walked.unvisited) for state in walked.states
        ]
        again = [number for number in sorted(partly) if hangs_together(checks[number], walked.states[number])]
        if again and not walked.unvisited:
            anew = self._sights([checks[number] for number in again], syntax, whole=True)
            for number, sight in zip(again, anew, strict=True):
                sights[number] = sight
        return sights

    def reported(self, check: Check, sight: Sight) -> Report | BaseException:
        report = _caught(lambda: check.report(sight, self.config, self.deadline))
        if isinstance(report, Report):
            self.quiet.learn(check, self.config, sight, report, self._cut)
        return report


def alone(check: Check, source: Source, config: Config, deadline: Deadline) -> Report:
    """What one check says by itself; its crash is the caller's."""
    check = _under(check, config)
    round_ = _Round(config, source, deadline, Quiet())
    (sight,) = round_.walked([check]) if source.language in check.languages else (Sight(source, None),)
    result = round_.reported(check, sight) if isinstance(sight, Sight) else sight
    if isinstance(result, BaseException):
        raise result
    return result


def _under(check: Check, config: Config) -> Check:
    return check.under(config) if check.under else check


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
    return Source(path, text, language_of(path), first, root)


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


def unreadable(path: str, error: NotText) -> Look:
    return Look(unchecked=(Unchecked(path, error.reason),))


def _asked(finding: Finding, gate: Gate) -> bool:
    """A gate may ask for a whole family or for single rules of it."""
    return finding.check in gate.checks or finding.id in gate.checks
