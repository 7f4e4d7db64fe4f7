"""How the gate stands in a project, in a few numbers; quick enough to be asked after every message."""

from __future__ import annotations

import contextlib
import os
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from vetgate.agents import session_agents
from vetgate.config.trust import effective
from vetgate.model import CONFIG_NAME, Status
from vetgate.runtime import state_dir
from vetgate.service.safe_text import printable
from vetgate.source.root import project_root, real, store_key
from vetgate.store import SessionMark, open_project_store, was_set_up

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from vetgate.store import RecordedDecision, Store

_LATELY = 3600.0
_SEARCHED = 200
_QUESTIONS = frozenset({"ask", "halt"})
_REFUSED = frozenset({"block", "halt"})
_REFUSALS_SHOWN = 5
_FILES_SHOWN = 3


@dataclass(frozen=True, slots=True)
class RefusedCall:
    """What was stopped, and why; `id` is for `vetgate explain`."""

    id: str
    at: float
    about: str
    reason: str

    @classmethod
    def of(cls, row: RecordedDecision) -> RefusedCall:
        body = row.body
        stopping = [each for each in body.findings if each.blocks or each.blocks is None] or body.findings
        about = ", ".join(map(printable, body.files[:_FILES_SHOWN])) or printable(body.tool) or row.event
        failed = (f"gate {printable(each.gate)}" for each in body.gates if each.status == Status.FAILED)
        reason = (
            f"{stopping[0].id}: {printable(stopping[0].message)}" if stopping else next(failed, "no reason on record")
        )
        return cls(row.id, row.time, about, reason)


@dataclass(frozen=True, slots=True)
class GateStatus:
    """`off` says why nothing is judged, empty where it is. Of the session: files with something `open`, refusals.

    `waiting` is what only a person can settle. `refusals` are the last ones, of the session where one is named.
    """

    off: str = ""
    open: int = 0
    refused: int = 0
    waiting: tuple[str, ...] = ()
    refusals: tuple[RefusedCall, ...] = ()

    def line(self) -> str:
        if self.off:
            return f"vetgate off ({self.off})"
        parts = [f"{self.open} open"] if self.open else []
        parts += [f"{self.refused} refused"] if self.refused else []
        parts += [f"waits for you: {each}" for each in self.waiting]
        return " · ".join(("vetgate on", *parts))


def gate_status(folder: Path, session: str = "") -> GateStatus:
    here = real(folder)
    root = project_root(here) or here
    key = store_key(root)
    if not (root / CONFIG_NAME).exists() and not was_set_up(state_dir(), key):
        return GateStatus(off="not set up here: vetgate init")
    if not any(each.guard_seconds(root, os.environ) for each in session_agents()):
        return GateStatus(off="no hooks are registered: vetgate init")
    with contextlib.closing(open_project_store(state_dir(), key)) as store:
        return _of_store(store, root, session)


def _of_store(store: Store, root: Path, session: str) -> GateStatus:
    in_force = effective(root, store.trusted(), store.last_good())
    if not in_force.config.enabled:
        return GateStatus(off="the configuration says `enabled: false`")
    waiting = ["vetgate trust"] if in_force.ignored or in_force.must_ask else []
    if store.failure:
        waiting.append("vetgate doctor")
    recent = [row for row in store.decisions(_SEARCHED) if not session or row.session == session]
    rows = recent if session else []
    questions = _unanswered(rows)
    waiting += [f"{questions} {'question' if questions == 1 else 'questions'}"] if questions else []
    owed = len(store.marked(session, SessionMark.OWED)) if session else 0
    refused = sum(row.body.decision == "block" for row in rows)
    last = [row for row in recent if row.body.decision in _REFUSED and not row.is_acceptance]
    shown = sorted(last, key=lambda row: row.time)[-_REFUSALS_SHOWN:]
    return GateStatus(open=owed, refused=refused, waiting=tuple(waiting), refusals=tuple(map(RefusedCall.of, shown)))


def _unanswered(rows: Iterable[RecordedDecision]) -> int:
    """Questions of the last hour that nobody said yes to; a no leaves no trace."""
    oldest = time.time() - _LATELY
    listed = list(rows)
    answered = {row.body.answers for row in listed if row.body.answers}
    return sum(
        row.body.decision in _QUESTIONS and row.time >= oldest and row.id not in answered and not row.body.answers
        for row in listed
    )
