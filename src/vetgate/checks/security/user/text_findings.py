"""A finding of a rule that knows places in the text, not nodes of the check's own tree."""

from __future__ import annotations

import importlib
import re
import warnings
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from typing import TYPE_CHECKING, Any

from vetgate.checks.security.findings import symbol_at
from vetgate.checks.security.scan import LONGEST_EVIDENCE
from vetgate.expression import expression
from vetgate.model import Finding, Span
from vetgate.severity import Severity

if TYPE_CHECKING:
    from collections.abc import Callable

    from vetgate.checks.security.rule import Pattern, SecurityRule
    from vetgate.checks.security.scan import FileScan
    from vetgate.source.syntax import Syntax

    Search = Callable[[str], tuple[int, int] | None]


_SPACE = expression(r"\s+")
_LONGEST_SHOWN = 60


@dataclass(frozen=True)
class FileText:
    """One file as these rules see it; `noted` is there in the languages whose functions the check knows."""

    path: str
    syntax: Syntax
    noted: FileScan | None

    @cached_property
    def whole(self) -> str:
        return self.syntax.data.decode("utf-8", "replace")

    @cached_property
    def lines(self) -> list[str]:
        return [line.removesuffix("\r") for line in self.whole.split("\n")]

    def symbol(self, span: Span) -> str:
        if self.noted is None:
            return ""
        before = self.lines[span.line - 1][: span.column - 1]
        return symbol_at(self.noted, self._starts[span.line - 1] + len(before.encode("utf-8", "replace")))

    @cached_property
    def _starts(self) -> list[int]:
        """The byte at which each line begins."""
        return [0, *(found.end() for found in re.finditer(b"\n", self.syntax.data))]


@dataclass(frozen=True, slots=True)
class UserRuleMatch:
    """Where something was found, what it is, and by what it is known again."""

    span: Span
    code: str
    evidence: str


def finding(rule: SecurityRule, pattern: Pattern, text: FileText, match: UserRuleMatch) -> Finding:
    shown = _one_line(match.code)
    shown = shown if len(shown) <= _LONGEST_SHOWN else shown[: _LONGEST_SHOWN - 1] + "…"
    return Finding(
        check="security",
        rule=rule.id,
        span=match.span,
        message=(pattern.message or rule.message).replace("{code}", shown),
        severity=Severity[(pattern.severity or rule.severity).upper()],
        symbol=text.symbol(match.span),
        confidence=rule.confidence,
        evidence=_one_line(match.evidence)[:LONGEST_EVIDENCE],
        fix=pattern.fix or rule.fix,
        cwe=rule.cwe,
        owasp=rule.owasp,
    )


def _one_line(text: str) -> str:
    return _SPACE.sub(" ", text).strip()


@cache
def _re2() -> Any:
    """Expressions in linear time, where google-re2 is installed; Python's own elsewhere."""
    try:
        return importlib.import_module("re2")
    except ImportError:
        return None


def is_linear(pattern: str) -> bool:
    return _linear(pattern) is not None


@lru_cache(maxsize=512)
def _linear(pattern: str) -> Any:
    """None for what only Python understands, such as a look ahead."""
    if _re2() is None:
        return None
    options = _re2().Options()
    options.log_errors = False
    try:
        return _re2().compile(pattern, options)
    except _re2().error:
        return None


def searcher(pattern: str) -> Search:
    with warnings.catch_warnings(action="ignore"):
        compiled: Any = _linear(pattern) or re.compile(pattern)

    def search(line: str) -> tuple[int, int] | None:
        found = compiled.search(line)
        return (found.start(), found.end()) if found else None

    return search
