"""Recorded decisions: which are wanted, and what would have changed one."""

from __future__ import annotations

import re
import time
from datetime import datetime
from typing import TYPE_CHECKING, Any

from vetgate.engine.suppressions import can_be_waived
from vetgate.model import UserError
from vetgate.service.safe_text import printable

if TYPE_CHECKING:
    from collections.abc import Iterator

_AGO = re.compile(r"([0-9]{1,6})([smhdw])")
_SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86400, "w": 604800}
_STOPPED = frozenset({"block", "halt", "ask"})
_SETTINGS = {
    "secrets": "a kind of token that is no secret here goes into `secrets.allow`",
    "protected-file": "a person changes that file by hand",
}


def moment(text: str) -> float:
    """So long ago, or a day with or without a time, as seconds since the epoch; what has no time zone is local."""
    if ago := _AGO.fullmatch(text.strip()):
        return time.time() - int(ago[1]) * _SECONDS[ago[2]]
    try:
        return datetime.fromisoformat(text.strip()).astimezone().timestamp()
    except (ValueError, OverflowError):
        raise UserError(f"--since {text!r} is no moment", hint="90m, 12h, 7d, 2026-11-15, 2026-11-15T13:00") from None


def otherwise(body: dict[str, Any]) -> Iterator[str]:
    """What would have changed it: less of a measure, a waiver, a setting; nothing for one that stopped nobody."""
    if body.get("decision") not in _STOPPED:
        return
    deciding = [each for each in body.get("findings", ()) if decides(each)]
    for each in deciding:
        yield from _of_finding(each)
    for gate in body.get("gates", ()):
        if gate.get("error"):
            yield f"had the gate {gate['gate']} not failed; what a failure does is `gates.{gate['gate']}.on_error`"
    if not deciding and body.get("unchecked"):
        yield "had the files that were not checked been readable and within the limits"


def decides(finding: dict[str, Any]) -> bool:
    """Whether a recorded finding was one that blocks; rows of before this was recorded say no more than the rest."""
    return bool(finding.get("blocks", finding.get("new") and not finding.get("advisory")))


def _of_finding(finding: dict[str, Any]) -> Iterator[str]:
    name = str(finding["id"])
    check, _, rule = name.partition("/")
    where = f"{printable(finding['path'])}:{finding['line']}" if finding.get("path") else ""
    if finding.get("limit") is not None:
        yield f"{where}: {name} of {finding['limit']} or less, not {finding['value']} (the limit is `{check}.{rule}`)"
    if check == "unsafe-command":
        yield f"`commands.effects.{rule}` set to ask or allow, or `vetgate allow CODE` for this very command"
    elif not can_be_waived(check):
        yield f"{where}: {_SETTINGS.get(check, 'its settings')}"
    else:
        yield f"{where}: `vetgate waive {finding.get('fingerprint')} --reason … --until …`, by a person"
        above = f", or `gates.{finding['gate']}.block_at` above {finding['severity']}"
        yield f"`rules: {{{name}: warning}}`{above if finding['severity'] != 'critical' else ''}"
