"""A page of a project's own, lines that match among it: whether its rule can be run is found when it is loaded."""

from __future__ import annotations

import re
import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from vetgate.checks.security.addresses import ADDRESSES
from vetgate.checks.security.fenced_blocks import BadBlock, FencedBlock, blocks
from vetgate.checks.security.regexes import exponential
from vetgate.checks.security.rule import FAMILIES, PLACES, Pattern, SecurityRule, title_of
from vetgate.checks.security.texts import TEXTS
from vetgate.checks.security.user.structure import Structure, structure_of
from vetgate.checks.security.user.text_findings import UserRuleMatch, finding, is_linear, searcher
from vetgate.config.keys import RULE_NAME
from vetgate.model import Span
from vetgate.severity import Severity
from vetgate.source.language import LANGUAGES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from vetgate.checks.security.rule import Condition
    from vetgate.checks.security.user.text_findings import FileText, Search
    from vetgate.config.pages import Page
    from vetgate.config.schema import LineRule
    from vetgate.model import Finding
    from vetgate.source.clock import Deadline

    Path = tuple[str | int, ...]
    Complaint = tuple[Path, str]

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


_SEVERITIES = tuple(str(severity) for severity in Severity)
_REGEXES = ("regex", "written", "context", "not_context", "nearby", "unless_nearby")
_TEXTS = (*TEXTS, *ADDRESSES)
LINE = "line"


def complaints(rule: SecurityRule) -> Iterator[Complaint]:
    """What is wrong, each with where in the block."""
    yield from _among(("severity",), rule.severity, _SEVERITIES)
    for name in ("parameters", "local"):
        yield from _among((name,), getattr(rule, name), ("off", *_SEVERITIES))
    if not rule.find:
        yield ("find",), "there is nothing to look for"
    for number, pattern in enumerate(rule.find):
        yield from _of_pattern(pattern, ("find", number))


def _of_pattern(pattern: Pattern, path: Path) -> Iterator[Complaint]:
    places = [kind for kind in (*PLACES, LINE) if getattr(pattern, kind)]
    if len(places) != 1:
        yield path, f"needs exactly one place ({', '.join((*PLACES, LINE))}), not {' and '.join(places) or 'none'}"
    known = LANGUAGES if places == [LINE] else FAMILIES
    for language in pattern.languages:
        yield from _among((*path, "languages"), language, tuple(known))
    if not pattern.languages:
        yield (*path, "languages"), "names no language"
    if pattern.severity is not None:
        yield from _among((*path, "severity"), pattern.severity, _SEVERITIES)
    for number, text in enumerate(pattern.line):
        yield from _of_regex(text, (*path, LINE, number), linear=is_linear(text))
    for each, where in _conditions(pattern, path):
        yield from _of_condition(each, where)


def _conditions(pattern: Pattern, path: Path) -> Iterable[tuple[Condition, Path]]:
    yield pattern, path
    for name in ("all", "none"):
        yield from ((each, (*path, name, number)) for number, each in enumerate(getattr(pattern, name)))


def _of_condition(condition: Condition, path: Path) -> Iterator[Complaint]:
    if condition.text is not None:
        yield from _among((*path, "text"), condition.text, _TEXTS)
    for name in _REGEXES:
        text = getattr(condition, name, None)
        if text is not None:
            yield from _of_regex(text, (*path, name))


def _of_regex(text: str, path: Path, *, linear: bool = False) -> Iterator[Complaint]:
    try:
        with warnings.catch_warnings(action="ignore"):
            re.compile(text)
    except (re.error, OverflowError, RecursionError) as error:
        yield path, f"is not a regular expression: {error}"
        return
    if not linear and exponential(text):
        yield path, "this regular expression can take exponential time; write it without a repetition in a repetition"


def _among(path: Path, word: str, known: tuple[str, ...]) -> Iterator[Complaint]:
    if word not in known:
        yield path, f"{path[-1]} must be one of {', '.join(known)}, not {word!r}"


_SILENT = {"category": "custom", "severity": "warning", "fix": ""}


class PageRules(NamedTuple):
    """What one page brings."""

    rule: SecurityRule
    structures: tuple[Structure, ...] = ()


def own_rule(page: Page) -> PageRules:
    """Raises BadBlock."""
    if page.problem:
        raise BadBlock(1, page.problem)
    if not re.fullmatch(RULE_NAME, page.rule):
        raise BadBlock(1, "a page is called like its rule: lower-case letters, digits and -, and .md")
    found = blocks(page.text)
    written = [block for block in found if block.kind == "rule"]
    if not found:
        raise BadBlock(1, "the page has no block marked `rule` or `ast-grep`")
    if len(written) > 1 or (written and len(found) > 1):
        raise BadBlock(found[1].line - 1, "a page holds one `rule` block, or `ast-grep` blocks")
    if written:
        return PageRules(_checked(written[0], page))
    structures = tuple(structure_of(block, page.rule, title_of(page.text)) for block in found)
    return PageRules(structures[0].rule, structures)


def _checked(block: FencedBlock, page: Page) -> SecurityRule:
    given = _SILENT | {"id": page.rule, "summary": title_of(page.text) or page.rule}
    rule = block.read(SecurityRule, given)
    if rule.id != page.rule:
        raise BadBlock(block.line_of(["id"]), f"the rule is called like its page, {page.rule}, not {rule.id}")
    for path, message in complaints(rule):
        raise BadBlock(block.line_of(path), f"{_written(path)}: {message}")
    return rule


def _written(path: tuple[str | int, ...]) -> str:
    return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path).removeprefix(".")
