"""A gate over a change: each file looked at as it would be, minus what was wrong before."""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace
from operator import itemgetter
from typing import TYPE_CHECKING, Protocol

from vetgate.engine.look import Look, Looker, source_of, unreadable
from vetgate.engine.settle import settled
from vetgate.model import Outcome, Status, Unchecked
from vetgate.source.language import language_of
from vetgate.source.text import NotText
from vetgate.store import Known

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from vetgate.config.schema import Config
    from vetgate.model import Change, File, Finding, Gate
    from vetgate.source.deadline import Deadline


# Only so many functions that look new are looked for elsewhere.
_SUSPECTS = 5


@dataclass(frozen=True, slots=True)
class Past:
    """What was known of a text from before; not `whole` when time or a crash cut the look at it short."""

    known: tuple[Known, ...] = ()
    whole: bool = True


class Memory(Protocol):
    """What is known of a file from before this change."""

    def baseline(self, path: str, disk: Past, head: Callable[[], Past]) -> tuple[Known, ...]:
        """What stood in the file when it was first seen, given what stands in it now and in the last commit."""

    def elsewhere(self, path: str) -> frozenset[str]:
        """Evidence of findings in other files, from which code may have moved here."""


class Forgetful:
    """No session: what stands in the file before the change is all there is."""

    def baseline(self, path: str, disk: Past, head: Callable[[], Past]) -> tuple[Known, ...]:  # noqa: ARG002
        return disk.known

    def elsewhere(self, path: str) -> frozenset[str]:  # noqa: ARG002
        return frozenset()


def _no_head(path: str) -> str | None:  # noqa: ARG001
    return None


def _no_others(name: str, path: str) -> Iterable[tuple[str, str]]:  # noqa: ARG001
    return ()


@dataclass(frozen=True, slots=True)
class Runner:
    """Runs gates with everything they may ask for.

    `head` gives a file's text in the last commit, for one that is not on disk; `others` other files that speak of a
    name, with their text.
    """

    looker: Looker
    config: Config
    deadline: Deadline
    memory: Memory = field(default_factory=Forgetful)
    head: Callable[[str], str | None] = _no_head
    others: Callable[[str, str], Iterable[tuple[str, str]]] = _no_others

    def run(self, gate: Gate, change: Change) -> Outcome:
        started = time.perf_counter()
        files = [file for file in change.files if file.after is not None and self.config.paths.checks(file.path)]
        looks = {file.path: self._look(gate, file.path, file.after or "", file.before) for file in files}
        disks = {file.path: self._disk(gate, file, looks[file.path]) for file in files}
        findings: list[Finding] = []
        homes = self._homes(gate, change, disks)
        for file in files:
            look = looks[file.path]
            moved = frozenset(f.evidence for f in look.findings if homes.get(f.evidence, set()) - {file.path})
            findings += self._settled(gate, file.path, look, disks[file.path], moved)
        every = list(looks.values())
        cut = (
            Unchecked(path, "what stood in it before could not be looked at")
            for path, past in disks.items()
            if not past.whole
        )
        unchecked = (*self._unchecked(change), *(item for look in every for item in look.unchecked), *cut)
        outcome = _outcome(gate, every, findings, unchecked, started)
        slowest = max(((path, look.elapsed_ms) for path, look in looks.items()), key=itemgetter(1), default=("", 0.0))
        return replace(outcome, slowest=slowest)

    def _settled(self, gate: Gate, path: str, look: Look, disk: Past, moved: frozenset[str]) -> tuple[Finding, ...]:
        if gate.scope == "file":
            return look.findings
        baseline = self.memory.baseline(path, disk, lambda: self._past(gate, path, self.head(path)))
        if not look.findings:
            return ()
        moved |= self.memory.elsewhere(path)
        result = settled(look.findings, baseline, disk.known, moved)
        copied = self._copied(gate, path, [f for f in result if f.new and not f.advisory and f.value is not None])
        if copied:
            result = settled(look.findings, baseline, disk.known, moved | copied)
        if not disk.whole:
            # Nobody can say what of this is old: told, never held against the edit.
            return tuple(replace(finding, advisory=True) for finding in result)
        return result

    def _copied(self, gate: Gate, path: str, suspects: list[Finding]) -> frozenset[str]:
        """Evidence that the last commit has elsewhere: an agent moves a function by writing it before deleting it."""
        wanted = {finding.evidence for finding in suspects}
        found: set[str] = set()
        for name in dict.fromkeys(finding.symbol.rpartition(".")[2] for finding in suspects[:_SUSPECTS]):
            for place, text in self.others(name, path) if name.isidentifier() else ():
                if self.config.paths.checks(place) and not self.config.paths.is_test(place):
                    found |= {each.evidence for each in self._look(gate, place, text).findings} & wanted
        return frozenset(found)

    def _homes(self, gate: Gate, change: Change, disks: Mapping[str, Past]) -> dict[str, set[str]]:
        """Where each piece of evidence stood before this change, deleted files included."""
        homes: dict[str, set[str]] = {}
        gone = {file.path: self._disk(gate, file, Look()) for file in change.files if file.after is None}
        for path, past in (*disks.items(), *gone.items()):
            for known in past.known:
                homes.setdefault(known.evidence, set()).add(path)
        return homes

    def _disk(self, gate: Gate, file: File, look: Look) -> Past:
        if gate.scope == "file":
            return Past()
        before = file.before
        if before is None and look.findings:
            before = self.head(file.path)
        return self._past(gate, file.path, before)

    def _past(self, gate: Gate, path: str, text: str | None) -> Past:
        if text is None:
            return Past()
        look = self._look(gate, path, text)
        return Past(tuple(Known.of(finding) for finding in look.findings), not look.unchecked and not look.failed)

    def _look(self, gate: Gate, path: str, text: str, before: str | None = None) -> Look:
        try:
            source = source_of(path, text, before)
        except NotText as error:
            return unreadable(path, error)
        return self.looker.look(gate, self.config, source, self.deadline)

    def _unchecked(self, change: Change) -> Iterable[Unchecked]:
        """Only files that a check would have looked at: nobody misses a verdict on a picture."""
        for item in change.unchecked:
            judged = language_of(item.path) is not None or item.path.endswith(".ipynb")
            if judged and self.config.paths.checks(item.path):
                yield item


def _outcome(
    gate: Gate, looks: list[Look], findings: list[Finding], unchecked: tuple[Unchecked, ...], started: float
) -> Outcome:
    failed = tuple(dict.fromkeys(name for look in looks for name in look.failed))
    status = Status.ERRORED if failed else Status.FAILED if any(finding.new for finding in findings) else Status.PASSED
    return Outcome(
        gate=gate.id,
        status=status,
        findings=tuple(findings),
        unchecked=unchecked,
        error="; ".join(look.error for look in looks if look.error),
        failed_checks=failed,
        elapsed_ms=(time.perf_counter() - started) * 1000,
    )
