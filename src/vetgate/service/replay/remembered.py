"""The store's own decisions under another configuration, as far as they tell: it keeps findings, never the code.

What was switched off then was not found and cannot be found now; everything else can be weighed again.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from vetgate.checks import all_checks
from vetgate.engine.decide import decided_for, stops
from vetgate.engine.settle import weighed
from vetgate.model import Decision, EventKind, Finding, Severity, Span
from vetgate.service.replay.judge import Judgement

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from vetgate.config.schema import Config
    from vetgate.model import Gate
    from vetgate.store import RecordedDecision

_BEFORE = (EventKind.BEFORE_EDIT, EventKind.BEFORE_COMMAND)


def judged_again(rows: Iterable[RecordedDecision], config: Config) -> Iterator[Judgement]:
    for row in rows:
        if row.event in _BEFORE:
            yield _judgement(row, config)


def _judgement(row: RecordedDecision, config: Config) -> Judgement:
    then = _decision(row.body.get("decision"))
    gates = [config.gates[name] for name in config.on.get(EventKind(row.event), ())]
    found = [_finding(each, then) for each in _objects(row.body.get("findings"))]
    weighed_again = list(_weighed(found, config))
    stopping = tuple(each for each in weighed_again if any(_stops(each, gate) for gate in gates))
    waiting = ((each, replace(each, advisory=False)) for each in weighed_again if each.later)
    held = tuple(each for each, due in waiting if any(_stops(due, gate) for gate in gates))
    decision = max((decided_for(each, gate) for each in stopping for gate in gates), default=Decision.ALLOW)
    trouble = "; ".join(str(gate["error"]) for gate in _objects(row.body.get("gates")) if gate.get("error"))
    files = [path for path in row.body.get("files", ()) if isinstance(path, str)]
    return Judgement(
        edit=row.id,
        origin=f"session {row.session[:8]}",
        path=", ".join(files) or "command",
        decision=max(decision, then) if trouble else decision,
        stopping=stopping,
        held=held,
        elapsed_ms=float(row.body.get("elapsed_ms") or 0.0),
        trouble=trouble,
        then=then,
    )


def _finding(told: dict[str, Any], then: Decision) -> Finding:
    check, _, rule = str(told.get("id", "")).partition("/")
    return Finding(
        check=check,
        rule=rule,
        span=Span(str(told.get("path", "")), int(told.get("line") or 1)),
        message=str(told.get("message", "")),
        severity=_severity(check, rule, str(told.get("severity", ""))),
        symbol=str(told.get("symbol", "")),
        value=told.get("value"),
        limit=told.get("limit"),
        new=told.get("new") is True,
        # Rows of before this was recorded: what was severe and new and stopped nobody only advised.
        advisory=bool(told.get("advisory", then < Decision.ASK)),
        asks=told.get("asks") is True,
        later=told.get("later") is True,
    )


def _severity(check: str, rule: str, recorded: str) -> Severity:
    """The rule's own: the one recorded is what the configuration of then made of it."""
    rules = all_checks()[check].rules if check in all_checks() else ()
    otherwise = Severity[recorded.upper()] if recorded.upper() in Severity.__members__ else Severity.ERROR
    return next((each.severity for each in rules if each.id == rule), otherwise)


def _weighed(findings: Iterable[Finding], config: Config) -> Iterator[Finding]:
    in_tests = frozenset(name for name, check in all_checks().items() if check.in_tests)
    for finding in findings:
        path = finding.span.path
        if path and not config.paths.checks(path):
            continue
        if finding.value is None or finding.value > _limit(finding, config):
            yield from weighed((replace(finding, limit=_limit(finding, config)),), config, path, in_tests)


def _limit(finding: Finding, config: Config) -> int:
    limit = getattr(config.complexity, finding.rule, None) if finding.check == "complexity" else None
    return limit if isinstance(limit, int) else finding.limit or 0


def _stops(finding: Finding, gate: Gate) -> bool:
    return (finding.check in gate.checks or finding.id in gate.checks) and stops(decided_for(finding, gate))


def _decision(name: object) -> Decision:
    return Decision[str(name).upper()] if str(name).upper() in Decision.__members__ else Decision.ALLOW


def _objects(value: object) -> list[dict[str, Any]]:
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []
