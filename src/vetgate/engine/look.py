"""One text looked at by the checks of a gate; a crash of a check is data."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from dataclasses import dataclass, replace
from hashlib import blake2b
from typing import TYPE_CHECKING

from vetgate.engine.settle import numbered, weighed
from vetgate.model import Unchecked
from vetgate.source.language import language_of
from vetgate.source.notebook import code_of
from vetgate.source.syntax import Source

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from vetgate.config.schema import Config
    from vetgate.engine.check import Check
    from vetgate.model import Finding, Gate
    from vetgate.source.deadline import Deadline
    from vetgate.source.text import NotText

_REMEMBERED = 256


@dataclass(frozen=True, slots=True)
class Look:
    """What all checks of a gate found in one text."""

    findings: tuple[Finding, ...] = ()
    unchecked: tuple[Unchecked, ...] = ()
    failed: tuple[str, ...] = ()
    error: str = ""
    elapsed_ms: float = 0.0


class Looker:
    """Looks at texts and remembers: what an edit leaves behind is what the next one starts from."""

    def __init__(self, checks: Mapping[str, Check]) -> None:
        self._checks = checks
        self._lock = threading.Lock()
        self._looks: OrderedDict[tuple[str, str, str, str], Look] = OrderedDict()

    def look(self, gate: Gate, config: Config, source: Source, deadline: Deadline) -> Look:
        key = (gate.id, config.digest, source.path, digest_of(source.text))
        with self._lock:
            known = self._looks.get(key)
            if known:
                self._looks.move_to_end(key)
                return known
        look = self._looked(gate, config, source, deadline)
        if not look.failed and not look.unchecked:
            with self._lock:
                self._looks[key] = look
                while len(self._looks) > _REMEMBERED:
                    self._looks.popitem(last=False)
        return look

    def _looked(self, gate: Gate, config: Config, source: Source, deadline: Deadline) -> Look:
        started = time.perf_counter()
        findings: list[Finding] = []
        unchecked: list[Unchecked] = []
        failed, errors = [], []
        for check in self._wanted(gate, source):
            try:
                report = check.run(source, config, deadline)
            except (Exception, RecursionError, MemoryError) as error:  # noqa: BLE001 - a crash is data
                failed.append(check.id)
                errors.append(f"{check.id}: {error.__class__.__name__}: {error}")
            else:
                findings += report.findings
                unchecked += report.unchecked
        kept = weighed((each for each in findings if _asked(each, gate)), config, source.path)
        elapsed = (time.perf_counter() - started) * 1000
        return Look(numbered(kept), tuple(unchecked), tuple(failed), "; ".join(errors), elapsed)

    def _wanted(self, gate: Gate, source: Source) -> Iterable[Check]:
        families = dict.fromkeys(name.partition("/")[0] for name in gate.checks)
        for family in families:
            check = self._checks[family]
            if source.language in check.languages:
                yield check


def source_of(path: str, text: str, before: str | None = None) -> Source:
    """The source to judge: a notebook's is its code. Raises NotText where there is none."""
    if path.endswith(".ipynb"):
        return Source(path, code_of(text), "python")
    source = Source(path, text, language_of(path))
    return source if before is None else replace(source, first=changed_lines(before, text))


def changed_lines(before: str, after: str) -> tuple[tuple[int, int], ...]:
    """The lines of `after` between the first and the last difference: cheap, and enough to know where to begin."""
    old, new = before.split("\n"), after.split("\n")
    head = 0
    while head < min(len(old), len(new)) and old[head] == new[head]:
        head += 1
    tail = 0
    while tail < min(len(old), len(new)) - head and old[-1 - tail] == new[-1 - tail]:
        tail += 1
    return ((head + 1, max(head + 1, len(new) - tail)),)


def digest_of(text: str) -> str:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def unreadable(path: str, error: NotText) -> Look:
    return Look(unchecked=(Unchecked(path, error.reason),))


def _asked(finding: Finding, gate: Gate) -> bool:
    """A gate may ask for a whole family or for single rules of it."""
    return finding.check in gate.checks or finding.id in gate.checks
