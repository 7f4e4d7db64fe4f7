"""What was left to a person: that they said yes shows when the call has happened all the same."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from vetgate.model import Decision, Verdict
from vetgate.record import decision_id, elapsed_ms, record
from vetgate.store import MarkKind

if TYPE_CHECKING:
    from collections.abc import Mapping

    from vetgate.config.schema import Config
    from vetgate.project import SessionMemory
    from vetgate.respond.call import Call


class AskedFinding(NamedTuple):
    """A finding that was put to a person, by file, rule and name."""

    path: str
    id: str
    symbol: str


def note_question(call: Call, config: Config, verdict: Verdict, contents: Mapping[str, str]) -> None:
    """`contents` are digests of the files as the person sees them, by path."""
    if call.event.call:
        call.later.append(partial(call.project.store.ask, call.event.session, call.event.call, verdict.id))
        call.later.append(partial(_note_contents, call.memory(config), verdict.id, contents))


def _note_contents(memory: SessionMemory, asked: str, contents: Mapping[str, str]) -> None:
    for path, content in contents.items():
        memory.mark(path, MarkKind.ASKED, f"{asked} {content}")


def answered(call: Call, config: Config, contents: Mapping[str, str]) -> frozenset[AskedFinding] | None:
    """After a tool: what a person was asked about, if they wanted exactly this. Their yes is a decision like others."""
    if not call.event.call:
        return None
    asked = call.project.store.asked(call.event.session, call.event.call)
    if not asked:
        return None
    call.project.store.forget_asked(call.event.session, call.event.call)
    if not call.is_from_client:
        note = f"what was left to a person as {asked} is said to have happened, but not by the agent's client"
        verdict = Verdict(Decision.WARN, notes=(note,), id=decision_id(call.payload + b"forged"))
        call.later.append(
            partial(record, call.project.decisions, call.event, verdict, config, elapsed_ms(call.started))
        )
        return None
    note = f"it was left to a person as {asked}, and has happened"
    verdict = Verdict(Decision.ALLOW, notes=(note,), id=decision_id(call.payload + b"yes"), answers=asked)
    elapsed = elapsed_ms(call.started)
    call.later.append(partial(record, call.project.decisions, call.event, verdict, config, elapsed))
    memory = call.memory(config)
    if not all(memory.is_marked(path, MarkKind.ASKED, f"{asked} {content}") for path, content in contents.items()):
        return None
    findings = [each for row in call.project.store.decision(asked)[:1] for each in row.body.get("findings", ())]
    for path in {each["path"] for each in findings if each.get("later") and each["new"]}:
        memory.owe(path)  # told beside the question, and no part of it
    return frozenset(AskedFinding(each["path"], each["id"], each["symbol"]) for each in findings if each["blocks"])
