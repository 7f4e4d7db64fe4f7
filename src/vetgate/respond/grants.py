"""What a person lets through: by a code that only they are shown, or by a yes to what the agent asks them."""

from __future__ import annotations

import enum
import time
from dataclasses import dataclass, replace
from functools import partial
from hashlib import blake2b
from typing import TYPE_CHECKING, NamedTuple

from vetgate.agents import agent
from vetgate.checks.secrets.text_redaction import without_secrets
from vetgate.config.person import account, is_persons_client
from vetgate.expression import expression
from vetgate.model import Decision, Message, Override, Verdict
from vetgate.record import decision_id, record
from vetgate.source.clock import elapsed_ms
from vetgate.store import Hand, SessionMark

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from vetgate.config.schema import Config
    from vetgate.model import Change
    from vetgate.project import Project, SessionMemory
    from vetgate.respond.call import Call
    from vetgate.store import PendingGrant


# How long a code can be used, and how long what it allows may then take to be tried again.
PENDING_SECONDS = 3600.0
GRANTED_SECONDS = 600.0
_TYPED = expression(r"(?:vetgate\s+)?allow\s+`?([a-z2-7]{8})`?[.!]?")
_NOTE = "a person allowed this once"


class GrantKind(enum.StrEnum):
    COMMAND = "command"
    EDIT = "edit"
    TURN = "end of the turn"


@dataclass(frozen=True, slots=True)
class GrantRequest:
    """`parts` are exactly what would be let through."""

    kind: GrantKind
    parts: tuple[str, ...]

    @property
    def subject(self) -> str:
        """Their digest. Only what is refused needs one: nearly nothing is, and a file may be large."""
        return blake2b("\0\0".join(self.parts).encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def of_command(command: str, cwd: Path) -> GrantRequest:
    """To the letter, and where it runs."""
    return GrantRequest(GrantKind.COMMAND, (str(cwd), command))


def of_edit(change: Change) -> GrantRequest:
    """With what it would leave behind."""
    return GrantRequest(GrantKind.EDIT, tuple(f"{file.path}\0{file.after}" for file in change.files))


def of_turn(verdict: Verdict, change: Change) -> GrantRequest:
    """What is open, in the files as they are."""
    open_findings = sorted(f"{each.span.path} {each.fingerprint}" for each in verdict.findings if each.new)
    return GrantRequest(GrantKind.TURN, (*open_findings, of_edit(change).subject, *sorted(verdict.notes)))


def use_grant(call: Call, verdict: Verdict, request: GrantRequest) -> Verdict:
    """Let through, where a person allowed exactly this; from then on its code is void."""
    if verdict.decision < Decision.ASK:
        return verdict
    store = call.project.store
    pending = _pending(call, request)
    if pending is None or not store.take_grant(pending.code, time.time()):
        return verdict
    store.forget_pending_grant(pending)
    return replace(verdict, decision=Decision.ALLOW, notes=(_NOTE,), overridden=Override.PERSON)


def await_person(call: Call, request: GrantRequest, what: str) -> str:
    """From now on a person may let it through; how, in words for them alone."""
    store, session, root = call.project.store, call.event.session, str(call.project.root)
    store.await_grant(session, root, request.kind, request.subject, without_secrets(what))
    pending = _pending(call, request)
    if pending is None:  # the store cannot be written to
        return ""
    typed = f"type `allow {pending.code}`, or " if call.is_attended else ""
    return f"to let exactly this through once, {typed}in a terminal of your own: vetgate allow {pending.code}"


def _pending(call: Call, request: GrantRequest) -> PendingGrant | None:
    wanted = (call.event.session, str(call.project.root), request.kind, request.subject)
    found = call.project.store.pending_grants()
    return next((each for each in found if (each.session, each.root, each.kind, each.subject) == wanted), None)


def may_ask(call: Call) -> bool:
    """Whether a person is there whom the agent's own dialog shows why they are asked."""
    return call.is_attended and call.event.kind in agent(call.event.agent).capabilities.asks_on


def is_persons_prompt(call: Call) -> bool:
    """Whether a person wrote it: not the client, not another agent, and not the agent itself, to be submitted later."""
    event = call.event
    if not event.task or event.subagent_id or event.is_automatic or not call.is_from_client:
        return False
    if call.caller and not is_persons_client(call.caller):
        return False
    scheduled = call.project.store.subjects(event.session, "", SessionMark.SCHEDULED)
    words = _plain(event.task)
    return not any(each in words or words in each for each in scheduled)


def note_scheduled(call: Call) -> None:
    """What the agent has the client submit later is its own word, whenever it comes."""
    call.project.store.mark(call.event.session, "", SessionMark.SCHEDULED, _plain(call.event.schedules))


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold()[:_LONGEST]


_LONGEST = 1_000


def typed_code(call: Call, projects: Iterable[Project]) -> Message | None:
    """What is said to a prompt that is a code and nothing else; None for any other."""
    typed = _TYPED.fullmatch(" ".join(call.event.task.split()).casefold())
    if typed is None:
        return None
    if not call.is_attended or not is_persons_prompt(call):
        said = "a code counts here only when a person types it in a session of their own; use a terminal"
        return Message(Decision.ALLOW, "", f"vetgate: {said}: vetgate allow CODE")
    now = time.time()
    for project in projects:
        for each in project.store.pending_grants(now - PENDING_SECONDS):
            if (each.code, each.session) == (typed[1], call.event.session):
                by = Hand(account(), "", "typed as a prompt")
                project.store.grant(each.code, now + GRANTED_SECONDS, by, each.what)
                return _allowed(each)
    return Message(Decision.ALLOW, "", "vetgate: nothing waits for this code; `vetgate allow` lists what waits")


def _allowed(pending: PendingGrant) -> Message:
    again = "You may end your turn." if pending.kind == GrantKind.TURN else "Try exactly that again, unchanged."
    text = f"vetgate: the person allows this once: {pending.what}. {again}"
    return Message(Decision.ALLOW, text, f"vetgate: allowed once, for {GRANTED_SECONDS / 60:.0f} minutes")


def void_codes(call: Call) -> str:
    """A code that stands in an agent's own call is void: it was for the person. What to say of it, or ""."""
    store = call.project.store
    seen = [each for each in store.pending_grants() if each.code.encode() in call.payload.lower()]
    for each in seen:
        store.forget_pending_grant(each)
    if not seen:
        return ""
    return "this call contains a one-time code; codes are for the person only, so this one no longer works"


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


class PersonsAnswer(NamedTuple):
    """A call has happened that was left to a person, as the decision `asked`.

    Where they saw exactly this, `wanted` is what they were asked about, and `deferred` are the files of what was told
    beside the question.
    """

    asked: str
    wanted: frozenset[AskedFinding] | None = None
    deferred: frozenset[str] = frozenset()


def answer_to(call: Call, config: Config, contents: Mapping[str, str]) -> PersonsAnswer | None:
    """After a tool: what a person said by letting it happen; None where nobody was asked."""
    asked = call.project.store.asked(call.event.session, call.event.call) if call.event.call else ""
    if not asked:
        return None
    memory = call.memory(config)
    if not call.is_from_client or not all(
        memory.is_marked(path, SessionMark.ASKED, f"{asked} {content}") for path, content in contents.items()
    ):
        return PersonsAnswer(asked)
    findings = [each for row in call.project.store.decision(asked)[:1] for each in row.body.findings]
    return PersonsAnswer(
        asked,
        frozenset(AskedFinding(each.path, each.id, each.symbol) for each in findings if each.blocks),
        frozenset(each.path for each in findings if each.later and each.new),
    )


def note_answer(call: Call, config: Config, answer: PersonsAnswer) -> None:
    """Their yes is a decision like others. One that the agent's client does not report is none."""
    call.project.store.forget_asked(call.event.session, call.event.call)
    if call.is_from_client:
        note = f"the call left to a person as {answer.asked} happened"
        number = decision_id(call.payload + b"yes")
        verdict = Verdict(Decision.ALLOW, notes=(note,), id=number, answers=answer.asked)
    else:
        note = f"the call left to a person as {answer.asked} is reported as done, but not by the agent's client"
        verdict = Verdict(Decision.WARN, notes=(note,), id=decision_id(call.payload + b"forged"))
    call.later.append(partial(record, call.project.decisions, call.event, verdict, config, elapsed_ms(call.started)))
    memory = call.memory(config)
    for path in answer.deferred:
        memory.owe(path)
