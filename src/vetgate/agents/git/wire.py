"""Git's hooks: what they are called with as events, verdicts as an exit status and text for people."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from vetgate.agents.git.known import CAPABILITIES
from vetgate.model import Change, Event, EventKind, File, Reply, UserError
from vetgate.source.disk import read
from vetgate.source.git_landing import Landing, Ref, at_commit
from vetgate.source.text import NotText

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from vetgate.model import Verdict
    from vetgate.source.git import Repository

NAME = "git"
MESSAGE = "COMMIT_EDITMSG"
PRE_COMMIT, COMMIT_MSG, PRE_PUSH = "pre-commit", "commit-msg", "pre-push"
HOOKS: Mapping[str, EventKind] = {
    PRE_COMMIT: EventKind.COMMIT,
    COMMIT_MSG: EventKind.COMMIT,
    PRE_PUSH: EventKind.PUSH,
}

# Below it git shows what is committed, with `--verbose`; it never becomes part of the message.
_SCISSORS = "------------------------ >8 ------------------------"


@dataclass(frozen=True, slots=True)
class HookEvent(Event):
    """`words` are what git calls the hook with, `refs` what it would push."""

    words: tuple[str, ...] = ()
    refs: tuple[Ref, ...] = ()


def hook_payload(words: Sequence[str], lines: str = "") -> bytes:
    """How many words, a hook's name first, each of them, and what git writes to it: NUL ends all but the last."""
    return os.fsencode("\0".join((str(len(words)), *words, lines)))


def parse(payload: bytes, cwd: str) -> HookEvent:
    """Raises ValueError for what is no call of a hook, UserError for a hook that nobody answers."""
    count, _, rest = os.fsdecode(payload).partition("\0")
    called = rest.split("\0", int(count))
    if len(called) != int(count) + 1 or not called[1:]:
        raise ValueError("the payload is not what a hook of git is called with")
    hook, *words, lines = called
    if hook not in HOOKS:
        raise UserError(f"vetgate has nothing to say in git's {hook!r} hook", hint=f"one of: {', '.join(HOOKS)}")
    pushed = _refs(lines) if hook == PRE_PUSH else ()
    return HookEvent(NAME, HOOKS[hook], cwd=Path(cwd), tool=hook, name=hook, words=tuple(words), refs=pushed)


def render(event: Event, verdict: Verdict) -> Reply:
    """Nobody is there to be asked, so what needs a person's answer does not pass."""
    told = "".join(message.text for message in verdict.messages)
    return Reply(int(CAPABILITIES.holds(event.kind, verdict.decision)), stderr=told.encode("utf-8", "backslashreplace"))


def landings(event: HookEvent, repository: Repository) -> tuple[Landing, ...]:
    """What a commit is about, as changes."""
    return (at_commit(repository),) if event.tool == PRE_COMMIT else (_message(event, repository),)


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


def _message(event: HookEvent, repository: Repository) -> Landing:
    if not event.words:
        raise UserError("the commit-msg hook was called without a file", hint="git gives it the file of the message")
    try:
        text = read(event.cwd / event.words[0])
    except NotText:  # in another encoding, or with control characters: git itself says what it thinks of that
        return Landing(Change(repository.top))
    kept = text.splitlines(keepends=True)
    end = next((number for number, line in enumerate(kept) if line.rstrip().endswith(_SCISSORS)), len(kept))
    message = "".join(kept[:end])
    return Landing(Change(repository.top, (File(MESSAGE, None, message),) if message.strip() else ()))
