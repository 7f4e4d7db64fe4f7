"""Whether a rule that somebody wrote can be run: found when it is loaded, never at the moment of an edit."""

from __future__ import annotations

import re
import warnings
from typing import TYPE_CHECKING

from vetgate.checks.security.addresses import ADDRESSES
from vetgate.checks.security.regexes import exponential
from vetgate.checks.security.rule import FAMILIES, PLACES
from vetgate.checks.security.texts import TEXTS
from vetgate.checks.security.user.linear import is_linear
from vetgate.model import Severity
from vetgate.source.language import LANGUAGES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from vetgate.checks.security.rule import Condition, Pattern, SecurityRule

    Path = tuple[str | int, ...]
    Complaint = tuple[Path, str]

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


def _conditions(pattern: Pattern, path: Path) -> Iterable[tuple[Condition | Pattern, Path]]:
    yield pattern, path
    for name in ("all", "none"):
        yield from ((each, (*path, name, number)) for number, each in enumerate(getattr(pattern, name)))


def _of_condition(condition: Condition | Pattern, path: Path) -> Iterator[Complaint]:
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
        yield path, f"is no regular expression: {error}"
        return
    if not linear and exponential(text):
        yield path, "this regular expression can take exponential time; write it without a repetition in a repetition"


def _among(path: Path, word: str, known: tuple[str, ...]) -> Iterator[Complaint]:
    if word not in known:
        yield path, f"{path[-1]} must be one of {', '.join(known)}, not {word!r}"
