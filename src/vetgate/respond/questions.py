"""What was left to a person: a question that they said yes to."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from vetgate.model import Decision, Verdict
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
        note = f"it was left to a person as {answer.asked}, and has happened"
        number = decision_id(call.payload + b"yes")
        verdict = Verdict(Decision.ALLOW, notes=(note,), id=number, answers=answer.asked)
    else:
        note = f"what was left to a person as {answer.asked} is said to have happened, but not by the agent's client"
        verdict = Verdict(Decision.WARN, notes=(note,), id=decision_id(call.payload + b"forged"))
    call.later.append(partial(record, call.project.decisions, call.event, verdict, config, elapsed_ms(call.started)))
    memory = call.memory(config)
    for path in answer.deferred:
        memory.owe(path)
