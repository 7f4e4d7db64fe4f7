"""What was refused before in this session, and what follows when it is tried again, by whatever route."""

from __future__ import annotations

import time
from dataclasses import replace
from hashlib import blake2b
from typing import TYPE_CHECKING

import msgspec

from vetgate.checks.unsafe_command import CHECK
from vetgate.checks.unsafe_command.effect import NEVER_ASKED
from vetgate.engine.decide import after_retries, blocks
from vetgate.model import Decision, Override, Retry, Verdict
from vetgate.record import decision_id
from vetgate.respond.correction import times
from vetgate.store import Attempt

if TYPE_CHECKING:
    from vetgate.config.schema import Config
    from vetgate.model import Change, Finding
    from vetgate.respond.call import Call

COMMANDS = CHECK.id
_GIVEN_UP = "this was refused {} and is let through as it is; it is recorded, and should still be fixed"


def forgotten_before(config: Config) -> float:
    return time.time() - config.retries.forget * 60


def counted(call: Call, config: Config, verdict: Verdict, change: Change) -> Verdict:
    """A refusal with its place in the row of attempts; after the last one `retries.then` decides.

    An attempt is counted for a file and a kind of finding, so a clean edit of one file does not forgive another; the
    same finding in another place, or by a command, is the same thing by another route.
    """
    refused = _refused(config, verdict)
    if not refused:
        return verdict
    earlier = call.project.store.attempts(call.event.session, forgotten_before(config))
    content = _content(call, change)
    retry = Retry(
        number=1 + max(_times(each, earlier) for each in refused),
        most=config.retries.max,
        earlier=tuple(dict.fromkeys(each.decision for each in earlier if _is_elsewhere(each, content, refused))),
        same=any(each.content == content for each in earlier),
        tried=_tried(refused, earlier),
    )
    verdict = replace(verdict, retry=retry)
    if retry.number <= config.retries.max:
        return verdict
    # Each kind has a budget of its own: what was refused too seldom does not pass together with another. Of commands
    # only the same one does: `push --force` of one branch and of all is the same deed, and not the same loss.
    asked = earlier if change.files else [each for each in earlier if each.content == content]
    passes = all(_times(each, asked) >= config.retries.max and not _is_never_asked(each) for each in refused)
    is_edit = bool(change.files) and config.retries.then != "allow"
    return _escalated(verdict, config, refused) if passes or is_edit else verdict


def _is_never_asked(finding: Finding) -> bool:
    """What leaks, tampers or runs unread code stays refused, however often it is tried."""
    return finding.check == COMMANDS and finding.rule in NEVER_ASKED


def _refused(config: Config, verdict: Verdict) -> list[Finding]:
    """Of this call; one that is stopped for an earlier one may be made again."""
    own = (outcome for outcome in verdict.outcomes if not outcome.earlier)
    found = ((config.gates[outcome.gate], each) for outcome in own for each in outcome.findings)
    return [each for gate, each in found if blocks(each, gate)]


def note_attempts(call: Call, config: Config, verdict: Verdict, change: Change) -> None:
    """What this verdict refuses, whatever follows the last attempt."""
    content, now = _content(call, change), time.time()
    attempts = [
        Attempt(each.span.path, each.id, each.fingerprint, content, verdict.id, now)
        for each in _refused(config, verdict)
    ]
    if attempts:
        call.project.store.attempt(call.event.session, attempts)


def recognised(call: Call, config: Config, verdict: Verdict) -> Verdict:
    """What is on disk already and was refused before it got there: the answer names that refusal."""
    if verdict.decision is not Decision.BLOCK:
        return verdict
    since = forgotten_before(config)
    # What was put off came by the way that it was let through.
    owing = call.memory(config).owing()
    refused = [each for each in verdict.findings if each.new and not each.advisory and each.span.path not in owing]
    known = {finding.fingerprint for finding in refused}
    attempts = call.project.store.attempts(call.event.session, since)
    earlier = [each for each in attempts if each.fingerprint in known]
    if not earlier:
        return verdict
    ids = tuple(dict.fromkeys(each.decision for each in earlier))
    return replace(verdict, retry=Retry(number=len(ids) + 1, most=max(config.retries.max, len(ids) + 1), earlier=ids))


def too_soon(call: Call, config: Config, change: Change) -> Verdict | None:
    """The answer when exactly this was refused less than `retries.delay` ago; None to judge it.

    It is an attempt as well, and when those are used up it is judged, so that `retries.then` can follow.
    """
    same = _same_attempts(call, config, change)
    now = time.time()
    tried = dict.fromkeys(each.decision for each in same)
    if not same or now - same[-1].time >= config.retries.delay or len(tried) >= config.retries.max:
        return None
    last = _last_of(same)
    note = (
        f"exactly this was refused {now - last[0].time:.0f} seconds ago, as {last[0].decision} "
        f"({', '.join(dict.fromkeys(each.finding for each in last))}), and nothing has changed: fix it as said there"
    )
    retry = Retry(len(tried) + 1, config.retries.max)
    return Verdict(Decision.BLOCK, notes=(note,), id=decision_id(call.payload), retry=retry)


def note_repeated(call: Call, config: Config, change: Change) -> None:
    """What was refused last is tried again, as it was."""
    again, now = decision_id(call.payload), time.time()
    last = _last_of(_same_attempts(call, config, change))
    attempts = [msgspec.structs.replace(each, decision=again, time=now) for each in last]
    call.project.store.attempt(call.event.session, attempts)


def _same_attempts(call: Call, config: Config, change: Change) -> list[Attempt]:
    content = _content(call, change)
    earlier = call.project.store.attempts(call.event.session, forgotten_before(config))
    return [each for each in earlier if each.content == content]


def _last_of(attempts: list[Attempt]) -> list[Attempt]:
    return [each for each in attempts if each.decision == attempts[-1].decision]


def _escalated(verdict: Verdict, config: Config, refused: list[Finding]) -> Verdict:
    then = after_retries(config.retries.then, refused)
    if then >= Decision.ASK:
        return replace(verdict, decision=then)
    notes = (*verdict.notes, _GIVEN_UP.format(times(config.retries.max)))
    return replace(verdict, decision=then, notes=notes, overridden=Override.RETRIES)


def _times(finding: Finding, earlier: list[Attempt]) -> int:
    """How often this kind of finding was refused there, or this very finding anywhere."""
    return len({each.decision for each in earlier if _is_kind(each, finding)})


def _is_kind(attempt: Attempt, finding: Finding) -> bool:
    # A command has no place: another one of the same kind may be worse, so only the same deed counts.
    there = finding.span.path and (attempt.place, attempt.finding) == (finding.span.path, finding.id)
    return bool(there) or attempt.fingerprint == finding.fingerprint


def _tried(refused: list[Finding], earlier: list[Attempt]) -> tuple[str, ...]:
    """Each attempt before with all that it was refused for, the last one last."""
    ids = dict.fromkeys(each.decision for each in earlier if any(_is_kind(each, finding) for finding in refused))
    causes: dict[str, dict[str, None]] = {name: {} for name in ids}
    for each in earlier:
        causes.get(each.decision, {})[each.finding] = None
    return tuple(f"{name} ({', '.join(found)})" for name, found in causes.items())


def _is_elsewhere(attempt: Attempt, content: str, refused: list[Finding]) -> bool:
    """The same in another file, or a command in other words."""
    places = {finding.span.path for finding in refused if finding.fingerprint == attempt.fingerprint}
    return bool(places) and (attempt.place not in places or (not attempt.place and attempt.content != content))


def _content(call: Call, change: Change) -> str:
    """A digest of what would be written or run; never that itself."""
    texts = [f"{file.path}\0{file.after}" for file in change.files] or [call.event.command]
    return blake2b("\0".join(texts).encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
