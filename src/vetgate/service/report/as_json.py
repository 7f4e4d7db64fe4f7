"""The format that scripts rely on: its fields are a promise (docs/commands.md); docs/metrics.md defines the figures."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING, Any

from vetgate.service.safe_text import encodable
from vetgate.severity import Severity

if TYPE_CHECKING:
    from collections.abc import Mapping

    from vetgate.model import Finding
    from vetgate.service.report.run import Run

DATA_EXPOSURE = "dataExposure"
# Weaknesses by which data is seen by people it is not meant for, whatever part of the program lets them.
EXPOSING = frozenset({200, 209, 215, 256, 312, 319, 359, 497, 522, 532, 538, 548})
_ALWAYS = ("injection", "xss", "crypto", "auth", DATA_EXPOSURE, "data", "files", "memory", "web")
_OTHER = "other"


def render(run: Run) -> str:
    return json.dumps(plain(run), indent=2, ensure_ascii=False) + "\n"


def plain(run: Run) -> dict[str, Any]:
    return {
        **plain_findings(run),
        "metrics": metrics(run),
        **({"gates": list(run.gates)} if run.gates else {}),
        **(run.review.plain() if run.review else {}),
    }


def plain_findings(run: Run) -> dict[str, Any]:
    """The part that says what was found, and nothing of the figures."""
    return {
        "verdict": str(run.verdict.decision),
        "findings": [_finding(run, finding) for finding in run.findings],
        "unchecked": [
            {"path": encodable(run.shown(each.path)), "reason": encodable(each.reason)}
            for each in run.verdict.unchecked
        ],
        "elapsed_ms": round(run.elapsed_ms, 1),
    }


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


def metrics(run: Run) -> dict[str, Any]:
    return {
        "complexity": _complexity(run),
        "security": _security(run),
        "semantic": _semantic(run),
        "performance": _performance(run),
    }


def _complexity(run: Run) -> dict[str, int]:
    totals = run.totals
    return {
        "cyclomaticComplexity": totals.cyclomatic,
        "cognitiveComplexity": totals.cognitive,
        "nestingDepth": totals.nesting,
        "functionLength": totals.length,
        "totalFunctions": totals.functions,
        "highComplexityFunctions": totals.above,
    }


def _security(run: Run) -> dict[str, int | Mapping[str, int]]:
    found = [finding for finding in run.findings if finding.check == "security" or finding.cwe]
    severities = Counter(finding.severity for finding in found)
    categories = Counter(_category(run, finding) for finding in found)
    return {
        "criticalIssues": severities[Severity.CRITICAL],
        "errorIssues": severities[Severity.ERROR],
        "warningIssues": severities[Severity.WARNING],
        "categories": dict.fromkeys(_ALWAYS, 0) | dict(sorted(categories.items())),
    }


def _category(run: Run, finding: Finding) -> str:
    if EXPOSING & set(finding.cwe):
        return DATA_EXPOSURE
    rule = run.rule(finding.id)
    return (rule.category if rule else "") or _OTHER


def _semantic(run: Run) -> dict[str, int]:
    known = run.totals.semantic
    broken = sum(finding.check == "contracts" and not finding.advisory for finding in run.findings)
    return {
        "typeConsistencyScore": _score(known.mistyped, known.typed),
        "typedValues": known.typed,
        "mistypedValues": known.mistyped,
        "namingConsistencyScore": _score(known.odd, known.names),
        "names": known.names,
        "oddNames": known.odd,
        "duplicateCodeScore": _score(known.copied, known.compared),
        "comparedFunctions": known.compared,
        "copiedFunctions": known.copied,
        "apiContractViolations": broken,
    }


def _score(bad: int, every: int) -> int:
    """Of a hundred how many are good; rounded down, so that a hundred means all."""
    return 100 * (every - bad) // every if every else 100


def _performance(run: Run) -> dict[str, Any]:
    path, took = max((each.slowest for each in run.verdict.outcomes), key=lambda each: each[1], default=("", 0.0))
    slowest = {"path": encodable(run.shown(path)), "elapsed_ms": round(took, 1)} if path else None
    return {"files": run.files, "elapsed_ms": round(run.elapsed_ms, 1), "slowest": slowest}
