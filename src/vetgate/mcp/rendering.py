"""Values of the service layer as the answers of tools."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mcp.types import ToolAnnotations

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from mcp.server.mcpserver import MCPServer

    from vetgate.mcp.answers import CheckAnswer, CommandAnswer, ConfirmAnswer, ReviewAnswer, ShipStatusAnswer
    from vetgate.model import Outcome
    from vetgate.service.check import Judged
    from vetgate.service.confirmation import Confirmed
    from vetgate.service.review import Reviewed
    from vetgate.service.ship import ShipAnswer

_MOST_FINDINGS = 200
_MOST_OUTPUT = 4_000

# What a tool does, for the client that asks a person before some of them.
READS = ToolAnnotations(read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False)
RUNS = ToolAnnotations(read_only_hint=False, destructive_hint=False, idempotent_hint=True, open_world_hint=False)
ASKS = ToolAnnotations(read_only_hint=False, destructive_hint=False, idempotent_hint=True, open_world_hint=True)
WRITES = ToolAnnotations(read_only_hint=False, destructive_hint=False, idempotent_hint=False, open_world_hint=True)


def add_tools(server: MCPServer, *tools: tuple[Callable[..., Any], ToolAnnotations]) -> None:
    for tool, hints in tools:
        server.add_tool(tool, annotations=hints, structured_output=True)


def check_answer(judged: Judged, ran: Iterable[Outcome] = (), write: Callable[[str], str] | None = None) -> CheckAnswer:
    """Counts come first in the summary, whatever a model is asked to `write` behind them."""
    from vetgate.service.report.as_json import plain_findings
    from vetgate.service.report.run import Run

    run = Run.of(judged)
    shown: dict[str, Any] = plain_findings(run)
    commands = list(map(command_answer, ran))
    failed = [each["gate"] for each in commands if each["status"] == "failed"]
    verdict = "block" if failed and shown["verdict"] in {"allow", "warn"} else shown["verdict"]
    notes = [*judged.notes, *run.verdict.notes, *run.errors]
    if len(shown["findings"]) > _MOST_FINDINGS:
        notes.append(f"{len(shown['findings']) - _MOST_FINDINGS} more findings are not listed; check fewer paths")
    counts = run.summary() + (f"; failed: {', '.join(failed)}" if failed else "")
    words = write(_facts(shown["findings"], commands)) if write and (shown["findings"] or failed) else ""
    return {
        "verdict": verdict,
        "findings": shown["findings"][:_MOST_FINDINGS],
        "unchecked": shown["unchecked"][:_MOST_FINDINGS],
        "commands": commands,
        "summary": f"{counts}. {words}" if words else counts,
        "summary_by": "model" if words else "rules",
        "notes": notes,
        "elapsed_ms": shown["elapsed_ms"],
    }


def _facts(findings: Iterable[dict[str, Any]], commands: Iterable[CommandAnswer]) -> str:
    lines = [
        f"{each['path']}:{each['line']} {each['severity']} {each['check']}/{each['rule']}: {each['message']}"
        for each in findings
    ]
    lines += [
        f"command {each['gate']} failed with status {each['exit_status']}:\n{each['output']}"
        for each in commands
        if each["status"] == "failed"
    ]
    return "\n".join(lines)


def command_answer(outcome: Outcome) -> CommandAnswer:
    told = outcome.judgement.reason if outcome.judgement else outcome.output
    return {
        "gate": outcome.gate,
        "status": str(outcome.status),
        "exit_status": outcome.exit_status,
        "error": outcome.error or outcome.evidence,
        "output": told[-_MOST_OUTPUT:],
    }


def confirm_answer(found: Confirmed) -> ConfirmAnswer:
    answer = check_answer(found.judged)
    return {
        "decision": "CONFIRMED" if found.is_confirmed else "DECLINED",
        "id": found.id,
        "verdict": answer["verdict"],
        "findings": answer["findings"],
        "unchecked": answer["unchecked"],
        "commands": list(map(command_answer, found.ran)),
        "notes": [*answer["notes"], *found.notes],
        "elapsed_ms": found.elapsed_ms,
    }


def ship_answer(found: ShipAnswer) -> ShipStatusAnswer:
    return {
        "allowed": found.allowed,
        "reasons": [{"kind": kind, "message": message} for kind, message in found.reasons],
        "notes": list(found.notes),
        "summary": found.text,
    }


def review_answer(found: Reviewed) -> ReviewAnswer:
    from vetgate.service.report.as_json import plain_findings

    run = found.report()
    shown: dict[str, Any] = plain_findings(run)
    told: dict[str, Any] = run.review.plain() if run.review else {}
    return {
        "passed": not run.blocked,
        "review": found.id,
        "base": found.base,
        "loops": told.get("loops", []),
        "ship_allowed": bool(told.get("ship_allowed")),
        "blockers": told.get("blockers", []),
        "verdict": shown["verdict"],
        "findings": shown["findings"][:_MOST_FINDINGS],
        "unchecked": shown["unchecked"][:_MOST_FINDINGS],
        "summary": run.summary(),
        "notes": [*run.verdict.notes, *run.errors],
        "elapsed_ms": shown["elapsed_ms"],
    }
