"""Secrets in any text: tokens of four hundred kinds, private keys, passwords in addresses and under telling names."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from vetgate.checks.secrets.evidence import evidence_of
from vetgate.checks.secrets.literals import VISITOR, across
from vetgate.checks.secrets.look import BOM, pairs_of
from vetgate.checks.secrets.scan import Asked, scan_text
from vetgate.checks.secrets.tell import RULES, fix_for, message_for, severity_of
from vetgate.engine.check import Check, Report
from vetgate.model import Finding, Span, Unchecked
from vetgate.source.language import LANGUAGES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vetgate.checks.secrets.match import Match
    from vetgate.config.schema import Config
    from vetgate.engine.check import Sight
    from vetgate.source.deadline import Deadline
    from vetgate.source.walk import Visitor

_MOST = 200
_OUT_OF_TIME = "time did not suffice to look for secrets in all of it"
_CWE = {"encrypted-private-key": (321,), "private-key": (321,), "password": (259, 798)}


def _visitor(language: str) -> Visitor:  # noqa: ARG001 - one for all: node kinds of several languages do not clash
    return VISITOR


def _report(sight: Sight, config: Config, deadline: Deadline) -> Report:  # noqa: ARG001 - one pass, quicker than a look
    path, text = sight.source.path, sight.source.text.removeprefix(BOM)
    asked = Asked(
        allow=frozenset(config.secrets.allow),
        bar=config.secrets.entropy,
        is_test=config.paths.is_test(path),
        pairs=pairs_of(sight.state),
    )
    beside = sight.source.beside
    try:
        found = scan_text(path, text, asked)
        shown = scan_text(path, beside, replace(asked, pairs=None)) if beside else []
    except Exception as error:  # noqa: BLE001 - whatever it is, its text must not get out
        # What an exception says may quote the text.
        raise RuntimeError(f"{type(error).__name__} while looking for secrets") from None
    findings = (*_findings(path, text, found), *_findings(path, beside, shown))
    return Report(findings, (Unchecked(path, _OUT_OF_TIME),) if sight.unvisited else ())


def _findings(path: str, text: str, found: list[Match]) -> Iterator[Finding]:
    data = text.encode("utf-8", "replace")
    return (_finding(path, data, match) for match in found[:_MOST])


def _finding(path: str, data: bytes, match: Match) -> Finding:
    line, column = _position(data, match.start)
    end_line, end_column = _position(data, match.end)
    return Finding(
        check="secrets",
        rule=match.rule,
        span=Span(path, line, column, end_line, end_column),
        message=message_for(match),
        severity=severity_of(match),
        symbol=match.name,
        confidence=match.confidence,
        evidence=evidence_of(match.value),
        fix=fix_for(match),
        cwe=_CWE.get(match.rule, (798,)),
        owasp="A07:2021",
    )


def _position(data: bytes, offset: int) -> tuple[int, int]:
    start = data.rfind(b"\n", 0, offset) + 1
    return data.count(b"\n", 0, offset) + 1, len(data[start:offset].decode("utf-8", "replace")) + 1


CHECK = Check(
    id="secrets",
    summary="Tokens of vendors, private keys, passwords in addresses, and values whose name says secret.",
    rules=RULES,
    languages=LANGUAGES,
    visitor=_visitor,
    report=_report,
    plain=True,
    in_tests=True,
    local=True,
    noted=across,
)
