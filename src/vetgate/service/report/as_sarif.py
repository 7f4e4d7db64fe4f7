"""SARIF 2.1.0, for code scanning and editors."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from vetgate import __version__
from vetgate.service.report.run import is_flow
from vetgate.service.safe_text import encodable
from vetgate.severity import Severity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vetgate.engine.check import Rule
    from vetgate.model import Finding, Span, Step
    from vetgate.service.report.run import Run

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

_ROOT = "%SRCROOT%"
_LEVELS = {
    Severity.CRITICAL: "error",
    Severity.ERROR: "error",
    Severity.WARNING: "warning",
    Severity.NOTE: "note",
}
# Scores as CVSS has them, one from the middle of each band: above 9.0 critical, from 7.0 high, from 4.0 medium.
_SCORES = {Severity.CRITICAL: "9.5", Severity.ERROR: "8.0", Severity.WARNING: "5.5", Severity.NOTE: "2.0"}
_PRECISION = ((0.95, "very-high"), (0.8, "high"), (0.5, "medium"), (0.0, "low"))


def render(run: Run) -> str:
    ids = sorted({finding.id for finding in run.findings})
    log = {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {
                    "driver": {
                        "name": "vetgate",
                        "version": __version__,
                        "rules": [described(run, identity) for identity in ids],
                    }
                },
                "originalUriBaseIds": {_ROOT: {"description": {"text": "The root of the project."}}},
                "columnKind": "unicodeCodePoints",
                "invocations": [_invocation(run)],
                "results": [_result(finding, ids.index(finding.id)) for finding in run.findings],
                **({"properties": _encodable(run.review.plain())} if run.review else {}),
            }
        ],
    }
    return json.dumps(log, indent=2, ensure_ascii=False) + "\n"


def _encodable(review: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(encodable(json.dumps(review, ensure_ascii=False)))
    return found


def described(run: Run, identity: str) -> dict[str, Any]:
    """Code scanning wants both descriptions and a help text of every rule, even where the id is all there is."""
    family, _, name = identity.partition("/")
    rule = run.rule(identity)
    summary = {"text": rule.summary if rule else identity}
    page = run.page(identity)
    descriptor: dict[str, Any] = {
        "id": identity,
        "name": name,
        "shortDescription": summary,
        "fullDescription": summary,
        "help": {"text": page, "markdown": page} if page else summary,
        "properties": {"tags": [family]},
    }
    if rule is not None:
        descriptor["defaultConfiguration"] = {"level": _LEVELS[rule.severity]}
        descriptor["properties"] = _properties(family, rule)
    return descriptor


def _properties(family: str, rule: Rule) -> dict[str, Any]:
    properties: dict[str, Any] = {
        "tags": list(dict.fromkeys(_tags(family, rule))),
        "precision": next(word for least, word in _PRECISION if rule.confidence >= least),
    }
    if rule.cwe:
        properties["security-severity"] = _SCORES[rule.severity]
    return properties


def _tags(family: str, rule: Rule) -> Iterator[str]:
    yield family
    if rule.category:
        yield rule.category
    if rule.cwe:
        # Without this word code scanning does not look at the score.
        yield "security"
    yield from (f"external/cwe/cwe-{number}" for number in rule.cwe)


def _result(finding: Finding, rule_index: int) -> dict[str, Any]:
    text = f"{finding.message}\n{finding.fix}" if finding.fix else finding.message
    result: dict[str, Any] = {
        "ruleId": finding.id,
        "ruleIndex": rule_index,
        "level": "note" if finding.advisory else _LEVELS[finding.severity],
        "message": {"text": encodable(text)},
        "locations": [_location(finding)],
        "partialFingerprints": {"vetgate/v1": finding.fingerprint},
        "baselineState": "new" if finding.new else "unchanged",
        "properties": {"severity": str(finding.severity), "confidence": finding.confidence},
    }
    if is_flow(finding):
        result["codeFlows"] = [_flow(finding)]
    elif finding.steps:
        related = enumerate(finding.steps, 1)
        result["relatedLocations"] = [{"id": number} | _passed(finding, step) for number, step in related]
    if finding.cwe:
        result["properties"]["cwe"] = [f"CWE-{number}" for number in finding.cwe]
    if finding.owasp:
        result["properties"]["owasp"] = finding.owasp
    return result


def _flow(finding: Finding) -> dict[str, Any]:
    """The way of the data; its last step is the finding's own place."""
    *way, sink = [_passed(finding, step) for step in finding.steps]
    if finding.steps[-1].line == finding.span.line:
        sink["physicalLocation"]["region"] = _region(finding.span)
    return {"threadFlows": [{"locations": [{"location": each} for each in (*way, sink)]}]}


def _passed(finding: Finding, step: Step) -> dict[str, Any]:
    region = {"startLine": step.line}
    return {
        "physicalLocation": {"artifactLocation": _artifact(finding.span.path), "region": region},
        "message": {"text": encodable(step.text)},
    }


def _location(finding: Finding) -> dict[str, Any]:
    location: dict[str, Any] = {
        "physicalLocation": {"artifactLocation": _artifact(finding.span.path), "region": _region(finding.span)}
    }
    if finding.symbol:
        location["logicalLocations"] = [{"fullyQualifiedName": encodable(finding.symbol)}]
    return location


def _artifact(path: str) -> dict[str, str]:
    # quote() writes the very bytes of the name, so that a name which is not UTF-8 stays findable.
    if os.path.isabs(path):  # noqa: PTH117 - a string from a change, not a place to look at
        return {"uri": "file://" + quote(os.fsencode(Path(path).as_posix()))}
    return {"uri": quote(os.fsencode(path)), "uriBaseId": _ROOT}


def _region(span: Span) -> dict[str, int]:
    region = {"startLine": span.line, "startColumn": span.column, "endLine": max(span.line, span.end_line)}
    if span.end_column and (span.end_line > span.line or span.end_column >= span.column):
        region["endColumn"] = span.end_column
    return region


def _invocation(run: Run) -> dict[str, Any]:
    notices = [
        {
            "level": "warning",
            "message": {"text": encodable(f"not checked: {each.reason}")},
            "locations": [{"physicalLocation": {"artifactLocation": _artifact(each.path)}}],
        }
        for each in run.verdict.unchecked
    ]
    notices += [{"level": "error", "message": {"text": encodable(error)}} for error in run.errors]
    return {
        "executionSuccessful": not run.errors,
        "exitCode": int(run.blocked),
        "toolExecutionNotifications": notices,
    }
