"""The last review in the files of the two designs that it follows: for scripts that read them; nothing trusts them."""

from __future__ import annotations

import json
import os
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from vetgate.checks.secrets.text_redaction import all_without_secrets
from vetgate.gates.quota import exported_quota, program_of
from vetgate.model import UserError
from vetgate.runtime import state_dir
from vetgate.service.review_outcomes import LoopStatus
from vetgate.service.review_summary import gate_summary
from vetgate.severity import Severity

if TYPE_CHECKING:
    from collections.abc import Iterable

    from vetgate.model import Finding
    from vetgate.service.review import Reviewed
    from vetgate.service.review_outcomes import LoopResult

LOOP_STATE, MODEL_RESULTS, QUOTA_STATE = "loop-state.json", "claude-review-results.json", "rate-limit-state.json"
_STATUS = {
    LoopStatus.PASSED: "pass",
    LoopStatus.FAILED: "fail",
    LoopStatus.SKIPPED: "skip",
    LoopStatus.NOT_RUN: "skip",
    LoopStatus.STOPPED: "skip",
}
_GATE = {"passed": "pass", "failed": "fail", "skipped": "skip", "errored": "skip"}
_SEVERITY = {
    Severity.CRITICAL: "critical",
    Severity.ERROR: "major",
    Severity.WARNING: "minor",
    Severity.NOTE: "minor",
}


def export(reviewed: Reviewed, folder: Path) -> tuple[Path, ...]:
    """What was written; raises UserError where it cannot be."""
    config = reviewed.judged.config
    judged = [each for each in reviewed.judged.verdict.outcomes if config.gates[each.gate].judge]
    asking = next((each for each in config.gates.values() if each.quota or each.reviews), None)
    files = {
        LOOP_STATE: loop_state(reviewed),
        MODEL_RESULTS: {"findings": _findings(finding for each in judged for finding in each.findings)},
    }
    if asking is not None:
        files[QUOTA_STATE] = exported_quota(state_dir(), program_of(asking), asking.quota)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        return tuple(_written(folder / name, content) for name, content in files.items())
    except OSError as error:
        raise UserError(f"{folder} cannot be written: {error.strerror}", hint="--export DIR") from error


def loop_state(reviewed: Reviewed) -> dict[str, Any]:
    """One file that both designs can read: loops by name, and loops by number."""
    record = reviewed.record
    numbered = {f"loop_{each.chosen.number}_passed": each.status is LoopStatus.PASSED for each in reviewed.loops}
    state = {
        "version": "1.0",
        "loops": {each.name: _loop(each, reviewed) for each in reviewed.loops},
        **numbered,
        "ship_allowed": record.ship_allowed,
        "blockers": list(record.blockers),
        "loop_details": {f"loop_{each.chosen.number}": _details(each) for each in reviewed.loops},
    }
    now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    where = {"branch": record.branch, "head_commit": record.head, "timestamp": now}
    hidden: dict[str, Any] = all_without_secrets(state)
    return hidden | where


def _loop(result: LoopResult, reviewed: Reviewed) -> dict[str, Any]:
    config = reviewed.judged.config
    found: dict[str, Any] = {"status": _STATUS[result.status], "elapsed_ms": round(result.elapsed_ms)}
    if _STATUS[result.status] == "skip":
        found["reason"] = result.why or "; ".join(result.skipped)
    if result.outcomes and all(config.gates[each.gate].judge for each in result.outcomes):
        return found | {"findings": _findings(each for outcome in result.outcomes for each in outcome.findings)}
    details = {}
    for outcome in result.outcomes:
        said = gate_summary(outcome, config)
        told = {"coverage": said.coverage, "reason": said.why}
        kept = {name: value for name, value in told.items() if value}
        details[outcome.gate] = {
            "status": _GATE[said.status],
            "warnings": said.warnings,
            "errors": said.findings,
        } | kept
    return found | {"details": details}


def _details(result: LoopResult) -> dict[str, Any]:
    issues = [
        {
            "severity": "error" if each.severity >= Severity.ERROR and not each.advisory else "warning",
            "message": each.message,
            "file": each.span.path,
            "line": each.span.line,
        }
        for outcome in result.outcomes
        for each in outcome.findings
        if each.new
    ]
    return {"passed": result.status is LoopStatus.PASSED, "issues": issues}


def _findings(findings: Iterable[Finding]) -> list[dict[str, Any]]:
    return [
        {
            "severity": _SEVERITY[each.severity],
            "category": each.rule,
            "file": each.span.path,
            "line": each.span.line,
            "message": each.message,
            "fix": each.fix,
        }
        for each in findings
        if each.new
    ]


def _written(path: Path, content: dict[str, Any]) -> Path:
    """Whole or not at all, and for its owner alone."""
    shown = content if path.name == LOOP_STATE else all_without_secrets(content)
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        json.dump(shown, file, indent=2)
    Path(name).replace(path)
    return path
