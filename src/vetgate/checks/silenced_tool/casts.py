"""Casts with which code that stood there before is hidden from the TypeScript compiler."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from vetgate.checks.silenced_tool.suppressions import digest_of
from vetgate.checks.tokens import LexicalKind, tokens
from vetgate.expression import expression
from vetgate.severity import Severity
from vetgate.source.text_diff import LineCache

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from vetgate.model import Finding
    from vetgate.source.syntax import Source

RULE = "silencing-cast"
_LANGUAGES = frozenset({"typescript", "tsx"})
_TYPE = r"[\w.]+(?:<[^<>\n]*(?:<[^<>\n]*>[^<>\n]*)*>)?(?:\[\])*"
_CAST = expression(
    rf"\bas\s+(?:any|unknown)\s+as\s+{_TYPE}|\bas\s+any\b(?!\s+as\b)|(?<=[\w)\]])!(?=[.;,)\]\[}}]|\s*$)(?![=])",
)
_REMARK = expression(r"\s//.*$|/\*.*?\*/")
_NO_SIGNS = {ord(sign): None for sign in "();"}
_LINES_KEPT = 8_000
_DOUBLE = expression(r"\bas\s+(?:any|unknown)\s+(?=as\s)")


def _has_any(text: str) -> bool:
    """Most lines hold neither sign; an expression takes longer to find that out."""
    return any(_CAST.search(line) for line in text.split("\n") if "!" in line or "as" in line)


_LINES = LineCache(_has_any, "\n")


@dataclass(frozen=True, slots=True)
class Cast:
    """`places` are the line as it would be without it, whatever parentheses it needed."""

    how: str
    line: int
    column: int
    places: tuple[str, ...]


def casts(source: Source) -> Iterator[Cast]:
    if source.language not in _LANGUAGES or not any(sign in source.text for sign in ("!", "any", "unknown")):
        return
    found = None
    for offset, line in _LINES.holding(source.text):
        match = _CAST.search(line)
        if match is not None:
            found = found or tokens(source)
            if found is not None and found.kind(offset + match.start()) is LexicalKind.CODE:
                number = source.text.count("\n", 0, offset) + 1
                yield Cast(" ".join(match[0].split()), number, match.start() + 1, _places(line))


def on_what_stood(findings: Sequence[Finding], stood: str) -> Iterator[Finding]:
    """Casts that come with new code are how such code is written; told are those put to code that stood there."""
    if not findings:
        return
    lines = set(map(_place, stood.split("\n")))
    for finding in findings:
        if not lines.isdisjoint(finding.evidence.split()):
            yield finding.at(Severity.WARNING)


def _places(line: str) -> tuple[str, ...]:
    narrowed = _DOUBLE.sub("", line)
    return tuple(dict.fromkeys(_place(_CAST.sub("", each)) for each in (line, narrowed)))


@lru_cache(maxsize=_LINES_KEPT)
def _place(line: str) -> str:
    """Kept, because from edit to edit most lines of a file stay as they were."""
    return digest_of(_plain(line))


def _plain(line: str) -> str:
    """Without what a cast brings along: parentheses, and a word about it."""
    return "".join(_REMARK.sub("", line).translate(_NO_SIGNS).split())
