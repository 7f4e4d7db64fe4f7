"""What a check is: a family of rules that looks at one source and reports findings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from vetgate.config.schema import Config
    from vetgate.model import Finding, Severity, Unchecked
    from vetgate.source.deadline import Deadline
    from vetgate.source.syntax import Source, Syntax
    from vetgate.source.walk import Visitor


@dataclass(frozen=True, slots=True)
class Rule:
    """`confidence` is how sure its findings are at best; without `languages` it speaks of all of its check's."""

    id: str
    severity: Severity
    summary: str
    category: str = ""
    cwe: tuple[int, ...] = ()
    owasp: str = ""
    confidence: float = 1.0
    languages: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Report:
    findings: tuple[Finding, ...] = ()
    unchecked: tuple[Unchecked, ...] = ()


@dataclass(frozen=True, slots=True)
class Sight:
    """What a check saw of one file: the state its visitor left, and the byte ranges time did not suffice for."""

    source: Source
    syntax: Syntax
    state: Any
    unvisited: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Check:
    """`visitor` names what to note, by language, on the one walk all checks share; `report` makes findings of that.

    `under`, where there is one, gives the check with what a configuration adds to it.
    """

    id: str
    summary: str
    rules: tuple[Rule, ...]
    languages: frozenset[str]
    visitor: Callable[[str], Visitor]
    report: Callable[[Sight, Config, Deadline], Report]
    under: Callable[[Config], Check] | None = None
