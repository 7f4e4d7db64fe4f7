"""What was left to a person: a question that they said yes to, and a command that they allowed once by its code."""

from __future__ import annotations

import time
from base64 import b32encode
from dataclasses import replace
from functools import partial
from hashlib import blake2b
from typing import TYPE_CHECKING, NamedTuple

from vetgate.model import Decision, Override, Verdict
from vetgate.record import decision_id, elapsed_ms, record
from vetgate.store import SessionMark

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
        memory.mark(path, SessionMark.ASKED, f"{asked} {content}")


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
    if not all(memory.is_marked(path, SessionMark.ASKED, f"{asked} {content}") for path, content in contents.items()):
        return None
    findings = [each for row in call.project.store.decision(asked)[:1] for each in row.body.get("findings", ())]
    for path in {each["path"] for each in findings if each.get("later") and each["new"]}:
        memory.owe(path)  # told beside the question, and no part of it
    return frozenset(AskedFinding(each["path"], each["id"], each["symbol"]) for each in findings if each["blocks"])


def code_of(root: str, command: str) -> str:
    """Of the command to the letter, in this project."""
    digest = blake2b(f"{root}\0{command}".encode("utf-8", "surrogatepass"), digest_size=5).digest()
    return b32encode(digest).decode().lower()


def with_grant(call: Call, verdict: Verdict) -> Verdict:
    """Let through, where a person allowed this very command once."""
    code = code_of(str(call.project.root), call.event.command)
    if verdict.decision < Decision.ASK or not call.project.store.take_grant(code, time.time()):
        return verdict
    notes = ("a person allowed this once",)
    return replace(verdict, decision=Decision.ALLOW, notes=notes, overridden=Override.PERSON)


def way_out(call: Call) -> str:
    code = code_of(str(call.project.root), call.event.command)
    return f"to let exactly this run once, in a terminal of your own: vetgate allow {code}"
