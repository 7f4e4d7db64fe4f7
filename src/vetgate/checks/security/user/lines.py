"""Lines of text that match: the simplest rule somebody can write."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from vetgate.checks.security.rule import FAMILIES, Pattern, SecurityRule
from vetgate.checks.security.user.linear import searcher
from vetgate.checks.security.user.text_findings import UserRuleMatch, finding
from vetgate.model import Span
from vetgate.source.language import LANGUAGES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vetgate.checks.security.user.linear import Search
    from vetgate.checks.security.user.text_findings import FileText
    from vetgate.config.schema import LineRule
    from vetgate.model import Finding
    from vetgate.source.clock import Deadline

LONGEST = 2_000  # characters of a line that are looked at
_BETWEEN_LOOKS = 1_000


@dataclass(frozen=True, eq=False)
class LineMatcher:
    rule: SecurityRule
    pattern: Pattern
    searches: tuple[Search, ...]
    languages: frozenset[str]

    def found(self, text: FileText, deadline: Deadline) -> Iterator[Finding]:
        """One a line. Raises TimeoutError when time runs out."""
        for number, line in enumerate(text.lines, 1):
            if number % _BETWEEN_LOOKS == 0 and deadline.passed():
                raise TimeoutError
            bounded = line[:LONGEST]
            match = next((found for found in (search(bounded) for search in self.searches) if found), None)
            if match:
                span = Span(text.path, number, match[0] + 1, number, match[1] + 1)
                yield finding(self.rule, self.pattern, text, UserRuleMatch(span, line[match[0] : match[1]], line))


def lines_of(rule: SecurityRule) -> list[LineMatcher]:
    return [
        LineMatcher(rule, pattern, tuple(map(searcher, pattern.line)), _covered(pattern.languages))
        for pattern in rule.find
        if pattern.line
    ]


def of_configuration(rule: LineRule) -> SecurityRule:
    languages = rule.languages or tuple(sorted(LANGUAGES))
    return SecurityRule(
        id=rule.id,
        category="custom",
        severity=str(rule.severity),
        message=rule.message,
        fix=rule.fix,
        find=(Pattern(languages=languages, line=(rule.pattern,)),),
        cwe=rule.cwe,
        summary=rule.message,
    )


def _covered(languages: tuple[str, ...]) -> frozenset[str]:
    """JavaScript and TypeScript are one family here as everywhere in the check."""
    families = {FAMILIES.get(language, language) for language in languages}
    return frozenset(language for language in LANGUAGES if FAMILIES.get(language, language) in families)
