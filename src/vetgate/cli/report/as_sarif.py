"""SARIF 2.1.0, for code scanning and editors."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from vetgate import __version__
from vetgate.cli.report.words import encodable
from vetgate.model import Severity

if TYPE_CHECKING:
    from vetgate.cli.report.run import Run
    from vetgate.engine.check import Rule
    from vetgate.model import Finding, Span

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

_LEVELS = {
    Severity.CRITICAL: "error",
    Severity.ERROR: "error",
    Severity.WARNING: "warning",
    Severity.NOTE: "note",
}
_ROOT = "%SRCROOT%"


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
                        "rules": [_rule(run, identity) for identity in ids],
                    }
                },
                "originalUriBaseIds": {_ROOT: {"description": {"text": "The root of the project."}}},
                "columnKind": "unicodeCodePoints",
                "invocations": [_invocation(run)],
                "results": [_result(finding, ids.index(finding.id)) for finding in run.findings],
            }
        ],
    }
    return json.dumps(log, indent=2, ensure_ascii=False) + "\n"


def _rule(run: Run, identity: str) -> dict[str, Any]:
    """Code scanning wants both descriptions and a help text of every rule, even where the id is all there is."""
    family, _, name = identity.partition("/")
    rule = _known(run, family, name)
    summary = {"text": rule.summary if rule else identity}
    page = run.page(family)
    described: dict[str, Any] = {
        "id": identity,
        "name": name,
        "shortDescription": summary,
        "fullDescription": summary,
        "help": {"text": page, "markdown": page} if page else summary,
        "properties": {"tags": [family]},
    }
    if rule is not None:
        described["defaultConfiguration"] = {"level": _LEVELS[rule.severity]}
    return described


def _known(run: Run, family: str, name: str) -> Rule | None:
    check = (run.checks or {}).get(family)
    return next((rule for rule in check.rules if rule.id == name), None) if check else None


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
    if finding.steps:
        result["relatedLocations"] = [
            {
                "id": number,
                "physicalLocation": {
                    "artifactLocation": _artifact(finding.span.path),
                    "region": {"startLine": step.line},
                },
                "message": {"text": encodable(step.text)},
            }
            for number, step in enumerate(finding.steps, 1)
        ]
    if finding.cwe:
        result["properties"]["cwe"] = [f"CWE-{number}" for number in finding.cwe]
    if finding.owasp:
        result["properties"]["owasp"] = finding.owasp
    return result


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
