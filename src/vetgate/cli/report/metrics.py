"""The figures of a run, as docs/metrics.md defines them."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from vetgate.model import Severity
from vetgate.service.safe_text import encodable

if TYPE_CHECKING:
    from collections.abc import Mapping

    from vetgate.cli.report.run import Run
    from vetgate.model import Finding

DATA_EXPOSURE = "dataExposure"
# Weaknesses by which data is seen by people it is not meant for, whatever part of the program lets them.
EXPOSING = frozenset({200, 209, 215, 256, 312, 319, 359, 497, 522, 532, 538, 548})
_ALWAYS = ("injection", "xss", "crypto", "auth", DATA_EXPOSURE, "data", "files", "memory", "web")
_OTHER = "other"


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
