"""Git's hooks: what they are called with as events, verdicts as an exit status and text for people."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from vetgate.agents import CANARY
from vetgate.agents.git.known import CAPABILITIES
from vetgate.model import EventKind, Reply, UserError
from vetgate.source.git_landing import LandingEvent, Ref

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from vetgate.model import Event, Verdict

NAME = "git"
PRE_COMMIT, COMMIT_MSG, PRE_PUSH = "pre-commit", "commit-msg", "pre-push"
HOOKS: Mapping[str, EventKind] = {
    PRE_COMMIT: EventKind.COMMIT,
    COMMIT_MSG: EventKind.COMMIT,
    PRE_PUSH: EventKind.PUSH,
}


def hook_payload(words: Sequence[str], read: Callable[[], str]) -> bytes:
    """How many words, a hook's name first, each of them, and what git writes to it: NUL ends all but the last."""
    lines = read() if words[0] == PRE_PUSH and tuple(words[1:]) != (CANARY,) else ""
    return os.fsencode("\0".join((str(len(words)), *words, lines)))


def parse(payload: bytes, cwd: str) -> LandingEvent:
    """Raises ValueError for what is no call of a hook, UserError for a hook that nobody answers."""
    count, _, rest = os.fsdecode(payload).partition("\0")
    called = rest.split("\0", int(count))
    if len(called) != int(count) + 1 or not called[1:]:
        raise ValueError("the payload is not what a hook of git is called with")
    hook, *words, lines = called
    if hook not in HOOKS:
        raise UserError(f"vetgate does nothing in git's {hook!r} hook", hint=f"one of: {', '.join(HOOKS)}")
    event = LandingEvent(NAME, HOOKS[hook], CANARY if words == [CANARY] else "", Path(cwd), hook, name=hook)
    if hook == PRE_PUSH:
        return replace(event, remote=tuple(words), refs=_refs(lines))
    return replace(event, message=next(iter(words), "")) if hook == COMMIT_MSG else event


def render(event: Event, verdict: Verdict) -> Reply:
    """Nobody is there to be asked, so what needs a person's answer does not pass."""
    told = "".join(message.text for message in verdict.messages)
    return Reply(int(CAPABILITIES.holds(event.kind, verdict.decision)), stderr=told.encode("utf-8", "backslashreplace"))


def _refs(lines: str) -> tuple[Ref, ...]:
    """`<local ref> <local id> <remote ref> <remote id>`, a line each; a local ref may be an expression with spaces."""
    found = []
    for line in lines.split("\n"):
        words = line.rsplit(" ", 3)
        if len(words) == 4:
            found.append(Ref(words[1], words[3], (words[0], words[2])))
        elif line.strip():
            raise UserError(f"git told the pre-push hook {line!r}, which is not four words", hint="update git")
    return tuple(found)
