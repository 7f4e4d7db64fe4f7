"""A review in figures, for every report: what each gate came to, how its tests went, and what they covered."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from vetgate.checks.secrets.text_redaction import without_secrets
from vetgate.engine.decide import decided_by, stops
from vetgate.gates.parse import parsed
from vetgate.gates.parse.results import coverage_of
from vetgate.model import GateKind, Status
from vetgate.service.review_outcomes import blocked_words
from vetgate.service.safe_text import counted
from vetgate.severity import Severity

if TYPE_CHECKING:
    from vetgate.config.schema import Config
    from vetgate.model import Outcome
    from vetgate.service.review import Reviewed
    from vetgate.service.review_outcomes import LoopResult
    from vetgate.suite_results import TestResults

_SECOND = 1000.0
_STOPPED = "stopped"
_NOT_PASSED = frozenset({Status.FAILED, Status.ERRORED})


@dataclass(frozen=True, slots=True)
class GateSummary:
    """`why` it did not run or pass; `coverage` in percent and `warnings` as far as its command told of them."""

    gate: str
    status: str
    elapsed_ms: float = 0.0
    why: str = ""
    tests: TestResults | None = None
    coverage: float | None = None
    warnings: int = 0
    findings: int = 0

    @property
    def words(self) -> str:
        """`test passed (12 passed, 1 skipped, 82.5% covered)`."""
        told = [self.why] if self.why else []
        if self.tests is not None:
            counts = (self.tests.passed, "passed"), (self.tests.failed, "failed"), (self.tests.skipped, "skipped")
            told.append(
                "tests: " + ", ".join(f"{number} {what}" for number, what in counts if number or what == "passed")
            )
        told += [f"{self.coverage:g}% covered"] if self.coverage is not None else []
        told += [counted(self.findings, "finding")] if self.findings else []
        told += [counted(self.warnings, "warning")] if self.warnings else []
        return f"{self.gate} {self.status}" + (f" ({'; '.join(told)})" if told else "")

    def plain(self) -> dict[str, Any]:
        tests = self.tests and {name: getattr(self.tests, name) for name in ("passed", "failed", "skipped")}
        told = {"why": self.why, "tests": tests, "coverage": self.coverage, "warnings": self.warnings}
        kept = {name: value for name, value in told.items() if value}
        head = {"gate": self.gate, "status": self.status, "elapsed_ms": round(self.elapsed_ms, 1)}
        return head | {"findings": self.findings} | kept


@dataclass(frozen=True, slots=True)
class LoopSummary:
    number: int
    name: str
    status: str
    blocks: bool = True
    elapsed_ms: float = 0.0
    why: str = ""
    gates: tuple[GateSummary, ...] = ()

    @property
    def took(self) -> str:
        return f"{self.elapsed_ms / _SECOND:.1f} s" if self.elapsed_ms else ""

    @property
    def words(self) -> str:
        """What its gates came to, or why there is nothing to tell of them."""
        gates = ", ".join(each.words for each in self.gates)
        return "; ".join(part for part in (self.why, gates) if part)

    def plain(self) -> dict[str, Any]:
        return asdict(self) | {"elapsed_ms": round(self.elapsed_ms, 1), "gates": [each.plain() for each in self.gates]}


@dataclass(frozen=True, slots=True)
class ReviewSummary:
    """All loops in order. Why code may not leave is said in `blockers`; `skipped` names gates that could not run."""

    id: str
    base: str
    fork: str
    scope: str
    loops: tuple[LoopSummary, ...] = ()
    ship_allowed: bool = False
    blockers: tuple[str, ...] = ()
    skipped: tuple[str, ...] = ()
    blocked_by: tuple[str, ...] = ()
    log: str = ""

    @property
    def state(self) -> str:
        """Where nothing blocks: a loop may have been stopped, left out, or without anything that could run."""
        if any(each.status == _STOPPED for each in self.loops):
            return _STOPPED
        return "passed" if self.ship_allowed else "passed, but this may not ship yet"

    @property
    def ship_words(self) -> str:
        return "This content may ship." if self.ship_allowed else "This content may not ship:"

    def plain(self) -> dict[str, Any]:
        return {
            "review": self.id,
            "base": self.base,
            "fork": self.fork,
            "scope": self.scope,
            "loops": [each.plain() for each in self.loops],
            "ship_allowed": self.ship_allowed,
            "blockers": list(self.blockers),
            "skipped": list(self.skipped),
            "log": self.log,
        }


def summary_of(reviewed: Reviewed, log: str = "") -> ReviewSummary:
    config, record = reviewed.judged.config, reviewed.record
    outcomes = reviewed.judged.verdict.outcomes
    return ReviewSummary(
        reviewed.id,
        record.base,
        record.fork,
        record.scope,
        tuple(loop_summary(each, config) for each in reviewed.loops),
        record.ship_allowed,
        record.blockers,
        tuple(without_secrets(each) for loop in reviewed.loops for each in loop.skipped),
        tuple(dict.fromkeys(_holding(each, config) for each in outcomes if stops(decided_by(each, config)))),
        log,
    )


def _holding(outcome: Outcome, config: Config) -> str:
    """Which gate holds, and why, where no finding of it says so."""
    if outcome.findings:
        return outcome.gate
    return without_secrets(f"{outcome.gate} ({blocked_words(outcome, config)})")


def loop_summary(result: LoopResult, config: Config) -> LoopSummary:
    loop = result.chosen.loop
    gates = tuple(gate_summary(each, config) for each in result.outcomes)
    status = str(result.status)
    return LoopSummary(
        result.chosen.number, result.name, status, loop.blocks, result.elapsed_ms, without_secrets(result.why), gates
    )


def gate_summary(outcome: Outcome, config: Config) -> GateSummary:
    gate = config.gates[outcome.gate]
    why = outcome.error or outcome.evidence
    if not why and outcome.status in _NOT_PASSED and not outcome.findings:
        why = blocked_words(outcome, config)
    found = [each for each in outcome.findings if each.new]
    warnings, coverage = 0, None
    if gate.kind is GateKind.COMMAND and outcome.output:
        read = found or parsed(gate, outcome.output, "").findings
        warnings = sum(each.severity is Severity.WARNING for each in read)
        coverage = coverage_of(outcome.output)
    return GateSummary(
        outcome.gate,
        str(outcome.status),
        outcome.elapsed_ms,
        without_secrets(why),
        outcome.results,
        coverage,
        warnings,
        len(found),
    )
