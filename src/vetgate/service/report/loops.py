"""What the loops of a review came to, for every report: values and the words for them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from vetgate.service.safe_text import counted

if TYPE_CHECKING:
    from vetgate.suite_results import TestResults

_SECOND = 1000.0
_STOPPED = "stopped"


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
        return {
            "number": self.number,
            "name": self.name,
            "status": self.status,
            "blocks": self.blocks,
            "elapsed_ms": round(self.elapsed_ms, 1),
            "why": self.why,
            "gates": [each.plain() for each in self.gates],
        }


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
