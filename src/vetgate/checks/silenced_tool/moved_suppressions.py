"""What was silenced before makes up for what is silenced now, one for one: moved, narrowed, given a reason."""

from __future__ import annotations

import json
from collections import Counter
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from vetgate.checks.silenced_tool.casts import RULE as CAST
from vetgate.checks.silenced_tool.casts import on_what_stood
from vetgate.checks.silenced_tool.directives import COVERAGE, Reach, is_security
from vetgate.checks.silenced_tool.enforcement import LEFT_OUT, SETTINGS
from vetgate.checks.silenced_tool.suppressions import RULE as INLINE
from vetgate.checks.silenced_tool.suppressions import place_in, places_of
from vetgate.severity import Severity

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from vetgate.model import Finding, Known

SUPPRESSION = "suppression"
_ALWAYS = frozenset({"hidden-from-review", INLINE})
_OF_PIPELINES = frozenset({"tolerated-failure"})
_WITHOUT_CODES = frozenset({COVERAGE})
# Names of ruff's rules by their codes.
_RUFF_RULES = Path(__file__).with_name("ruff_rules.json")


class _Silence(NamedTuple):
    tool: str
    is_file: bool
    codes: frozenset[str]

    @property
    def is_narrow(self) -> bool:
        """It names what it silences, and that is no matter of security."""
        if is_security(self.tool, self.codes):
            return False
        return bool(self.codes) or (self.tool in _WITHOUT_CODES and not self.is_file)

    def covers(self, other: _Silence) -> bool:
        """Whether the other silences no more than this one did."""
        if self.tool != other.tool or (other.is_file and not self.is_file):
            return False
        return not self.codes or (bool(other.codes) and other.codes <= self.codes)


def drop_moved(findings: Sequence[Finding], known: Sequence[Known], stood: str) -> list[Finding]:
    """A tool whose first settings these are was never held to more; what it leaves out is told."""
    held = {each.symbol for each in known if each.is_safeguard}
    silenced = [finding for finding in findings if finding.rule == SUPPRESSION]
    cast = [finding for finding in findings if finding.rule == CAST]
    rest = [
        finding
        if finding.rule in _ALWAYS or _is_known(finding, held)
        else finding.at(min(finding.severity, Severity.WARNING))
        for finding in _without_renamed(findings, known)
        if finding.rule not in {SUPPRESSION, CAST}
    ]
    return [*_weighed(_absorbed(silenced, known), known, stood), *on_what_stood(cast, stood), *rest]


def _without_renamed(findings: Sequence[Finding], known: Sequence[Known]) -> Iterator[Finding]:
    """Without names of rules that stand in a list where their codes stood, or codes for names: ruff reads both."""
    of_lists = (each for each in known if each.id.endswith(f"/{LEFT_OUT}") and not each.is_safeguard)
    gone = {(each.symbol, each.evidence) for each in of_lists} - {(each.symbol, each.evidence) for each in findings}
    for finding in findings:
        list_, _, written = finding.evidence.rpartition(" ")
        is_of_ruff = finding.rule == LEFT_OUT and finding.symbol.startswith("ruff ")
        other = _other_words_of_ruff().get(written) if is_of_ruff else None
        if other is None or (finding.symbol, f"{list_} {other}") not in gone:
            yield finding


@cache
def _other_words_of_ruff() -> dict[str, str]:
    """Names of rules by codes and codes by names, of `ruff rule --all`; a rule that is newer is not known here."""
    names: dict[str, str] = json.loads(_RUFF_RULES.read_bytes())
    return names | {name: code for code, name in names.items()}


def _is_known(finding: Finding, held: set[str]) -> bool:
    if finding.symbol.startswith("script "):
        return finding.symbol in held
    return finding.rule in _OF_PIPELINES or f"{finding.symbol.partition(' ')[0]} {SETTINGS}" in held


def _absorbed(findings: Sequence[Finding], known: Sequence[Known]) -> list[Finding]:
    """The suppressions that nothing of before makes up for."""
    before = [each for each in known if not each.is_safeguard and each.id.endswith(f"/{SUPPRESSION}")]
    rest = Counter((each.symbol, each.evidence) for each in before)
    moved: list[Finding] = []
    for finding in findings:
        key = (finding.symbol, finding.evidence)
        if rest[key]:
            rest[key] -= 1
        else:
            moved.append(finding)
    names = Counter(symbol for (symbol, _), count in rest.items() for _ in range(count))
    return _not_covered(_not_named(moved, names), names)


def _weighed(findings: list[Finding], known: Sequence[Known], stood: str) -> Iterator[Finding]:
    """New code may come with a comment that names one rule, and what was silenced may be for another tool too: told.

    A comment put to code that stood there before is how a complaint is made to go away.
    """
    silenced = {place_in(each.evidence) for each in known if each.id.endswith(f"/{SUPPRESSION}")}
    lines = places_of(stood) if findings else frozenset()
    for finding in findings:
        place = place_in(finding.evidence)
        is_spared = _read(finding.symbol).is_narrow and (place in silenced or place not in lines)
        yield finding.at(min(finding.severity, Severity.WARNING)) if is_spared else finding


def _not_named(findings: Iterable[Finding], names: Counter[str]) -> list[Finding]:
    left = []
    for finding in findings:
        if names[finding.symbol]:
            names[finding.symbol] -= 1
        else:
            left.append(finding)
    return left


def _not_covered(findings: Iterable[Finding], names: Counter[str]) -> list[Finding]:
    """A blanket gave way to what it covered; one over the whole file to any number of narrower ones."""
    left = []
    for finding in findings:
        now = _read(finding.symbol)
        wider = next((name for name, count in names.items() if count and _read(name).covers(now)), None)
        if wider is None:
            left.append(finding)
        elif not _read(wider).is_file or now.is_file:
            names[wider] -= 1
    return left


def _read(name: str) -> _Silence:
    """Back from how a suppression is named, see suppressions.py."""
    head, _, codes = name.partition(": ")
    tool = head.removesuffix(Reach.FILE.value)
    return _Silence(tool, tool != head, frozenset(codes.split(", ")) if codes else frozenset())
