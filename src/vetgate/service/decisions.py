"""Recorded decisions: which are wanted, whether they are as they were written, and what would have changed one."""

from __future__ import annotations

import contextlib
import re
import time
from dataclasses import dataclass
from datetime import UTC, datetime
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, NamedTuple

from vetgate.checks import all_checks, known_names
from vetgate.config.glob import compiled, complaint
from vetgate.config.models import judge_names
from vetgate.engine.suppressions import can_be_waived
from vetgate.gates.locks import running_gates
from vetgate.model import Decision, UserError
from vetgate.service.configuration import is_known, open_store, recorded_store
from vetgate.service.safe_text import printable
from vetgate.store import TRUSTED_AGAIN, AcceptanceAct

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from vetgate.progress import RunningGate
    from vetgate.store import DecisionBody, RecordedDecision, RecordedFinding, Store

# What can stand as the outcome of a record.
DECISIONS = (*map(str, Decision), *map(str, AcceptanceAct))
_MOST_IDS = 5
_SEARCHED = 10_000
_ID = re.compile(r"d[0-9a-f]{4,}|[0-9a-f]{6,}")
_AGO = re.compile(r"([0-9]{1,6})([smhdw])")
_SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86400, "w": 604800}
_STOPPED = frozenset({"block", "halt", "ask"})
_SEVERITIES = {"note": "warning", "warning": "warning", "error": "error", "critical": "critical"}
_ANSWERS = {"block": "deny", "halt": "deny", "ask": "ask"}
_MEASURES = {
    "complexity/cyclomatic": "cyclomaticComplexity",
    "complexity/cognitive": "cognitiveComplexity",
    "complexity/nesting": "nestingDepth",
    "complexity/length": "functionLength",
    "complexity/parameters": "parameterCount",
}


def moment(text: str) -> float:
    """So long ago, or a day with or without a time, as seconds since the epoch; what has no time zone is local."""
    if ago := _AGO.fullmatch(text.strip()):
        return time.time() - int(ago[1]) * _SECONDS[ago[2]]
    try:
        return datetime.fromisoformat(text.strip()).astimezone().timestamp()
    except (ValueError, OverflowError):
        raise UserError(f"--since {text!r} is not a time", hint="90m, 12h, 7d, 2026-11-15, 2026-11-15T13:00") from None


@dataclass(frozen=True, slots=True)
class Filter:
    """Which rows are wanted; empty for all."""

    session: str = ""
    decision: tuple[str, ...] = ()
    rule: str = ""
    glob: str = ""

    def wants(self, row: RecordedDecision) -> bool:
        body = row.body
        return (
            row.session.startswith(self.session)
            and (not self.decision or body.decision in self.decision)
            and (not self.rule or self.rule in _rules(body))
            and (not self.glob or any(map(compiled((self.glob,)).match, _paths(body))))
        )

    def __post_init__(self) -> None:
        if self.glob and (wrong := complaint(self.glob)):
            raise UserError(f"--path {self.glob!r} {wrong}")


def _rules(body: DecisionBody) -> set[str]:
    ids = [each.id for each in body.findings]
    ids += [body.waiver.what] if body.waiver else []
    return {name for each in ids for name in (each, *each.split("/"))}


def _paths(body: DecisionBody) -> list[str]:
    return [*map(printable, body.files), *(each.path for each in body.findings)]


class Record:
    """The decisions of a project, to be read once or followed."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._last = store.last_number()

    def decisions(self, wanted: Filter, since: str = "", most: int | None = None) -> list[RecordedDecision]:
        """Oldest first, the newest `most` of them."""
        rows = self._store.decisions_after(0, moment(since) if since else 0.0)
        self._last = rows[-1][0] if rows else self._last
        found = [row for _, row in rows if wanted.wants(row)]
        return found if most is None or most >= len(found) else found[len(found) - most :]

    def new(self, wanted: Filter) -> Iterator[RecordedDecision]:
        """What has come since it was asked last."""
        for number, row in self._store.decisions_after(self._last):
            self._last = number
            if wanted.wants(row):
                yield row

    def running(self) -> tuple[RunningGate, ...]:
        """Gates that run just now."""
        return tuple(running_gates(self._store.folder)) if self._store.folder else ()

    def verified(self) -> Verified:
        if self._store.failure:
            return Verified(0, f"the decisions cannot be looked at: {self._store.failure}")
        self._store.verify_sessions()
        broken = self._store.broken()
        if not broken:
            return Verified(self._store.last_number())
        after_loss = TRUSTED_AGAIN if self._store.is_lost else ""
        return Verified(0, f"the decisions are not as they were written: {broken}", after_loss)


class Verified(NamedTuple):
    """How many decisions are as they were written, or why not, and what to do."""

    decisions: int
    problem: str = ""
    repair: str = ""


@contextlib.contextmanager
def open_record(root: Path) -> Iterator[Record]:
    with recorded_store(root) as store:
        yield Record(store)


def decisions_like(root: Path, prefix: str) -> dict[str, list[RecordedDecision]]:
    """Decisions by ids that begin like this, newest first; looking leaves no store behind where there was none."""
    if not prefix or not is_known(root):
        return {}
    with open_store(root) as store:
        exact = store.decision(prefix)
        if exact:
            return {prefix: exact}
        found: dict[str, list[RecordedDecision]] = {}
        for row in store.decisions(_SEARCHED, accepted=True):
            if row.id.startswith(prefix):
                found.setdefault(row.id, []).append(row)
        return found


def last_of(root: Path, event: str, tool: str) -> RecordedDecision | None:
    """The newest decision at events of that kind, by that tool; None where there is none."""
    if not is_known(root):
        return None
    with open_store(root) as store:
        return next((row for row in store.decisions(_SEARCHED) if row.event == event and row.body.tool == tool), None)


def find_decision(root: Path, identity: str) -> list[RecordedDecision]:
    """The decisions of one id, newest first; its first letters are enough."""
    found = decisions_like(root, identity)
    if len(found) == 1:
        return next(iter(found.values()))
    if found:
        ids = ", ".join(list(found)[:_MOST_IDS])
        raise UserError(f"{len(found)} decisions begin with {identity!r}: {ids}", hint="type more of the id")
    if _ID.fullmatch(identity):
        hint = "every project has its own; `vetgate explain` lists checks and rules"
        raise UserError(f"no such decision in this project ({root}): {identity}", hint=hint)
    raise _unknown(identity)


def _unknown(identity: str) -> UserError:
    names = [*known_names(), *judge_names()]
    near = get_close_matches(identity, (*names, *(name.rpartition("/")[2] for name in names)), n=3, cutoff=0.6)
    hint = f"did you mean {' or '.join(near)}?" if near else "`vetgate explain` lists all checks and rules"
    return UserError(f"no check, rule, weakness, judge or decision of this project is called {identity!r}", hint=hint)


def ways_to_pass(body: DecisionBody) -> Iterator[str]:
    """What would have changed it: less of a measure, a waiver, a setting; nothing for one that stopped nobody."""
    if body.decision not in _STOPPED:
        return
    deciding = [each for each in body.findings if each.decides]
    for finding in deciding:
        yield from _of_finding(finding)
    for each in body.gates:
        if each.error:
            yield f"had the gate {each.gate} not failed; what a failure does is `gates.{each.gate}.on_error`"
    if not deciding and body.unchecked:
        yield "had the files that were not checked been readable and within the limits"


def _of_finding(finding: RecordedFinding) -> Iterator[str]:
    name = finding.id
    check, _, rule = name.partition("/")
    where = f"{printable(finding.path)}:{finding.line}" if finding.path else ""
    if finding.limit is not None:
        yield f"{where}: {name} of {finding.limit} or less, not {finding.value} (the limit is `{check}.{rule}`)"
    known = all_checks().get(check)
    if check in judge_names():
        gate, appeal = finding.gate, "one with `judge: appeal` as its `on_fail`"
        yield f"another answer of the models of the gate {gate}, or {appeal}; `vetgate judge {check}` asks again"
    elif known and known.decisions:
        yield f"`{known.decisions.key}.{rule}` set to ask or allow, or `vetgate allow CODE` for exactly this command"
    elif not can_be_waived(check):
        yield f"{where}: {known.allowed_by if known else 'its settings'}"
    else:
        yield f"{where}: `vetgate waive {finding.fingerprint} --reason … --until …`, by a person"
        above = f", or `gates.{finding.gate}.block_at` above {finding.severity}"
        yield f"`rules: {{{name}: warning}}`{above if finding.severity != 'critical' else ''}"


def plain(row: RecordedDecision) -> dict[str, Any]:
    """A decision as plain data."""
    return {"id": row.id, "time": _stamp(row.time), "session": row.session, "event": row.event, **row.stored}


def audited(row: RecordedDecision) -> Iterator[dict[str, Any]]:
    """One record a file, with the names that the judge hook gave them."""
    body = row.body
    if row.is_acceptance:
        return
    found = [each for each in body.findings if each.new]
    # What a command has changed is named by its findings alone.
    for path in dict.fromkeys([*body.files, *(each.path for each in found)]) or [""]:
        issues = [each for each in found if each.path == path]
        yield {
            "timestamp": _stamp(row.time),
            "sessionId": row.session,
            "file": path,
            "decision": _ANSWERS.get(body.decision, "allow"),
            "confidence": max((each.confidence for each in issues), default=1.0),
            "issuesCount": len(issues),
            "issues": [
                {
                    "type": each.id.partition("/")[0],
                    "severity": _SEVERITIES.get(each.severity, "warning"),
                    "message": each.message,
                    "rule": each.id,
                    "line": each.line,
                }
                for each in issues
            ],
            "metrics": _metrics(issues, body),
        }


def _metrics(issues: list[RecordedFinding], body: DecisionBody) -> dict[str, Any]:
    """The highest value of each measure that was above its limit; others are not on record."""
    complexity: dict[str, int] = {}
    for each in issues:
        name = _MEASURES.get(each.id)
        if name and each.value is not None:
            complexity[name] = max(complexity.get(name, 0), each.value)
    security = [each for each in issues if each.id.partition("/")[0] in {"security", "secrets"}]
    return {
        "complexity": complexity,
        "security": {
            f"{severity}Issues": sum(_SEVERITIES.get(each.severity) == severity for each in security)
            for severity in ("critical", "error", "warning")
        },
        "performance": {"elapsedMs": body.elapsed_ms or 0.0},
    }


def _stamp(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
