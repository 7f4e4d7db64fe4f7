"""What a reviewer says, held against the code: each finding has a place that it was shown. Values only.

A finding is recognised by its file, the function it is in and what it says: models never word it the same way twice.
"""

from __future__ import annotations

from dataclasses import replace
from hashlib import blake2b
from typing import TYPE_CHECKING, NamedTuple

from rapidfuzz import fuzz

from vetgate.expression import expression
from vetgate.judgement import JudgeDecision
from vetgate.severity import Severity
from vetgate.store import RefutedFinding

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from vetgate.judgement import Answer, JudgeFinding
    from vetgate.store import RaisedFinding

    Shown = Mapping[str, Mapping[int, str]]

_ALIKE = 75
_QUOTED = expression(r"`([^`\n]{4,200})`")
_WORD = expression(r"[a-z0-9_]{2,60}")
_PREFIXES = ("a/", "b/")


class CheckedAnswer(NamedTuple):
    """An answer with the findings that have a place, and how many have none."""

    answer: Answer
    dropped: int = 0


def checked(answer: Answer, shown: Shown) -> CheckedAnswer:
    """`shown` are the files that the reviewer saw, each with the lines of it by their numbers."""
    places = [placed(each, shown) for each in answer.findings]
    found = tuple(each for each in places if each is not None)
    # A denial that shows nothing cannot be checked at all.
    unfounded = not answer.findings and answer.decision is JudgeDecision.DENY
    return CheckedAnswer(with_findings(answer, found), len(places) - len(found) + unfounded)


def with_findings(answer: Answer, findings: Iterable[JudgeFinding]) -> Answer:
    """Findings decide, not the word: it is a denial where one of them is an error or worse."""
    found = tuple(findings)
    return replace(answer, decision=decision_of(found), findings=found)


def decision_of(findings: Iterable[JudgeFinding]) -> JudgeDecision:
    has_error = any(each.severity >= Severity.ERROR for each in findings)
    return JudgeDecision.DENY if has_error else JudgeDecision.ALLOW


def placed(finding: JudgeFinding, shown: Shown) -> JudgeFinding | None:
    """At the line that it names, or else at the one that it quotes; None where neither was shown to it."""
    path = _path(finding.path, shown)
    if path is None:
        return None
    if finding.line in shown[path]:
        return replace(finding, path=path)
    line = _quoted_line(finding, shown[path])
    return replace(finding, path=path, line=line) if line else None


def _path(said: str, shown: Shown) -> str | None:
    if not said:
        return next(iter(shown)) if len(shown) == 1 else None
    path = said.removeprefix("./")
    candidates = (path, *(path.removeprefix(prefix) for prefix in _PREFIXES if path.startswith(prefix)))
    return next((each for each in candidates if each in shown), None)


def _quoted_line(finding: JudgeFinding, lines: Mapping[int, str]) -> int:
    """The one line that holds what it quotes; 0 where there are several, or none."""
    for quote in _QUOTED.findall(finding.message):
        found = [number for number, text in lines.items() if quote.strip() in text]
        if len(found) == 1:
            return found[0]
    return 0


def fingerprint(path: str, symbol: str, message: str) -> str:
    """Of a finding by its place and the words of its message."""
    words = " ".join(sorted(set(_WORD.findall(message.lower()))))
    return blake2b(f"{path}\0{symbol}\0{words}".encode("utf-8", "replace"), digest_size=8).hexdigest()


def is_same_matter(one: tuple[str, str, str], other: tuple[str, str, str]) -> bool:
    """Of two findings, each as path, symbol and message."""
    return one[:2] == other[:2] and fuzz.token_set_ratio(one[2].casefold(), other[2].casefold()) >= _ALIKE


def refutation_of(
    matter: tuple[str, str, str], refuted: Iterable[RefutedFinding], content: str
) -> RefutedFinding | None:
    """Why a finding is not raised again; `content` names the code that it is about."""
    for each in refuted:
        if is_same_matter((each.path, each.symbol, each.message), matter) and each.content in {"", content}:
            return each
    return None


def was_let_through(matter: tuple[str, str, str], raised: Iterable[RaisedFinding]) -> bool:
    """Whether an earlier review raised it without blocking for it."""
    same = [each for each in raised if is_same_matter((each.path, each.symbol, each.message), matter)]
    return bool(same) and not any(each.blocked for each in same)


def refutation(matter: tuple[str, str, str], reason: str, by: str, *, category: str = "", now: float) -> RefutedFinding:
    """What to hand to `store.refute`: from then on no reviewer raises it again, whatever becomes of the code.

    `matter` is the finding's path, symbol and message; `by` says who refuted it, and is on record.
    """
    path, symbol, message = matter
    return RefutedFinding(fingerprint(*matter), path, symbol, category, message, reason, by, time=now)
