"""The format that scripts rely on; its fields are a promise (docs/commands.md)."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from vetgate.cli.report.metrics import metrics
from vetgate.service.safe_text import encodable

if TYPE_CHECKING:
    from vetgate.cli.report.run import Run
    from vetgate.model import Finding


def render(run: Run) -> str:
    report = {
        "verdict": str(run.verdict.decision),
        "findings": [_finding(run, finding) for finding in run.findings],
        "unchecked": [
            {"path": encodable(run.shown(each.path)), "reason": encodable(each.reason)}
            for each in run.verdict.unchecked
        ],
        "elapsed_ms": round(run.elapsed_ms, 1),
        "metrics": metrics(run),
    }
    return json.dumps(report, indent=2, ensure_ascii=False) + "\n"


def _finding(run: Run, finding: Finding) -> dict[str, Any]:
    return {
        "check": finding.check,
        "rule": finding.rule,
        "severity": str(finding.severity),
        "confidence": finding.confidence,
        "path": encodable(run.shown(finding.span.path)),
        "line": finding.span.line,
        "column": finding.span.column,
        "end_line": finding.span.end_line or finding.span.line,
        "message": encodable(finding.message),
        "fix": encodable(finding.fix),
        "cwe": list(finding.cwe),
        "owasp": finding.owasp,
        "fingerprint": finding.fingerprint,
        "new": finding.new,
        "advisory": finding.advisory,
        "excuse": encodable(finding.suppression.reason if finding.suppression else ""),
        "steps": [{"line": step.line, "text": encodable(step.text)} for step in finding.steps],
    }
