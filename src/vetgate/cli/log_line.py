"""One recorded decision: as a line for people, as plain data, and as the audit record of the judge hook."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import click

from vetgate.model import Status
from vetgate.record import acceptance_words
from vetgate.service.safe_text import printable
from vetgate.store import ACCEPTANCES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vetgate.store import RecordedDecision

_COLOURS = {"block": "red", "halt": "red", "lost": "red", "ask": "yellow", "warn": "yellow"}
_SEVERITIES = {"note": "warning", "warning": "warning", "error": "error", "critical": "critical"}
_ANSWERS = {"block": "deny", "halt": "deny", "ask": "ask"}
_MEASURES = {
    "complexity/cyclomatic": "cyclomaticComplexity",
    "complexity/cognitive": "cognitiveComplexity",
    "complexity/nesting": "nestingDepth",
    "complexity/length": "functionLength",
    "complexity/parameters": "parameterCount",
}
_RULES_SHOWN = 4


def line(row: RecordedDecision) -> str:
    body = row.body
    when = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(row.time))
    decision = str(body.get("decision"))
    colour = _COLOURS.get(decision, "cyan" if row.event in ACCEPTANCES else None)
    head = f"{when}  {row.id}  {click.style(f'{decision:<5}', fg=colour)}"
    if row.event in ACCEPTANCES:
        return f"{head}  {printable(acceptance_words(row))}"
    about = ", ".join(map(printable, body.get("files", ()))) or printable(str(body.get("tool", "")))
    rules = _ids(body) or _unwell(body)
    found = f"  {', '.join(rules[:_RULES_SHOWN])}{' …' if len(rules) > _RULES_SHOWN else ''}" if rules else ""
    session = f"  session {printable(row.session[:8])}" if row.session else ""
    return f"{head}  {row.event}  {about}{found}  {body.get('elapsed_ms')} ms{session}"


def _ids(body: dict[str, Any]) -> list[str]:
    return list(dict.fromkeys(str(each["id"]) for each in body.get("findings", ()) if each.get("new")))


def _unwell(body: dict[str, Any]) -> list[str]:
    """Gates that found nothing to point at: a command of the project, or a check that could not finish."""
    return [
        f"gate {printable(str(each['gate']))} {each['status']}"
        for each in body.get("gates", ())
        if each.get("status") in {Status.FAILED, Status.ERRORED}
    ]


def plain(row: RecordedDecision) -> dict[str, Any]:
    return {"id": row.id, "time": _stamp(row.time), "session": row.session, "event": row.event, **row.body}


def audited(row: RecordedDecision) -> Iterator[dict[str, Any]]:
    """One record a file, with the names that the judge hook gave them."""
    body = row.body
    if row.event in ACCEPTANCES:
        return
    found = [each for each in body.get("findings", ()) if each.get("new")]
    # What a command has changed is named by its findings alone.
    for path in dict.fromkeys([*body.get("files", ()), *(str(each.get("path", "")) for each in found)]) or [""]:
        issues = [each for each in found if each.get("path", "") == path]
        yield {
            "timestamp": _stamp(row.time),
            "sessionId": row.session,
            "file": path,
            "decision": _ANSWERS.get(str(body.get("decision")), "allow"),
            "confidence": max((float(each.get("confidence", 1.0)) for each in issues), default=1.0),
            "issuesCount": len(issues),
            "issues": [
                {
                    "type": str(each["id"]).partition("/")[0],
                    "severity": _SEVERITIES.get(str(each.get("severity")), "warning"),
                    "message": each.get("message", ""),
                    "rule": each["id"],
                    "line": each.get("line"),
                }
                for each in issues
            ],
            "metrics": _metrics(issues, body),
        }


def _metrics(issues: list[dict[str, Any]], body: dict[str, Any]) -> dict[str, Any]:
    """The highest value of each measure that was above its limit; others are not on record."""
    complexity: dict[str, int] = {}
    for each in issues:
        name = _MEASURES.get(str(each["id"]))
        if name and each.get("value") is not None:
            complexity[name] = max(complexity.get(name, 0), int(each["value"]))
    security = [each for each in issues if str(each["id"]).partition("/")[0] in {"security", "secrets"}]
    return {
        "complexity": complexity,
        "security": {
            f"{severity}Issues": sum(_SEVERITIES.get(str(each.get("severity"))) == severity for each in security)
            for severity in ("critical", "error", "warning")
        },
        "performance": {"elapsedMs": body.get("elapsed_ms", 0.0)},
    }


def _stamp(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
