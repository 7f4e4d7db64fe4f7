"""What a check is: a family of rules that looks at one source and reports findings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from vetgate.config.schema import Config
    from vetgate.model import Finding, Severity, Unchecked
    from vetgate.source.deadline import Deadline
    from vetgate.source.syntax import Source


@dataclass(frozen=True, slots=True)
class Rule:
    id: str
    severity: Severity
    summary: str


@dataclass(frozen=True, slots=True)
class Report:
    findings: tuple[Finding, ...] = ()
    unchecked: tuple[Unchecked, ...] = ()


@dataclass(frozen=True, slots=True)
class Check:
    id: str
    summary: str
    rules: tuple[Rule, ...]
    languages: frozenset[str]
    run: Callable[[Source, Config, Deadline], Report]
