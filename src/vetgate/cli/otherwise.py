"""What would have changed a decision: less of a measure, a waiver, a setting. Said only of what really decided it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from vetgate.cli.report.words import printable
from vetgate.engine.suppressions import can_be_waived

if TYPE_CHECKING:
    from collections.abc import Iterator

_STOPPED = frozenset({"block", "halt", "ask"})
_SETTINGS = {
    "secrets": "a kind of token that is no secret here goes into `secrets.allow`",
    "protected-file": "a person changes that file by hand",
}


def otherwise(body: dict[str, Any]) -> Iterator[str]:
    """One line a thing, for a decision that stopped somebody; nothing for one that did not."""
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
