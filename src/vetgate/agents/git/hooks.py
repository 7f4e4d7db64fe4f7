"""Git as an agent: its hooks, what they are told, and what about it is judged.

Git's hooks are called with words and lines, and answered with an exit status and text for people; there is no payload
to parse and no JSON to render.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from vetgate.model import Change, EventKind, File, UserError
from vetgate.source.disk import read
from vetgate.source.git_landing import Landing, Ref, at_commit
from vetgate.source.text import NotText

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

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


def landings(hook: str, words: Sequence[str], repository: Repository) -> tuple[Landing, ...]:
    """What a commit is about, as changes."""
    return (at_commit(repository),) if hook == PRE_COMMIT else (_message(words, repository),)


def refs(lines: str) -> tuple[Ref, ...]:
    """`<local ref> <local id> <remote ref> <remote id>`, a line each; a local ref may be an expression with spaces."""
    found = []
    for line in lines.split("\n"):
        words = line.rsplit(" ", 3)
        if len(words) == 4:
            found.append(Ref(words[1], words[3], (words[0], words[2])))
        elif line.strip():
            raise UserError(f"git told the pre-push hook {line!r}, which is not four words", hint="update git")
    return tuple(found)


def _message(words: Sequence[str], repository: Repository) -> Landing:
    if not words:
        raise UserError("the commit-msg hook was called without a file", hint="git gives it the file of the message")
    try:
        text = read(Path.cwd() / words[0])
    except NotText:  # in another encoding, or with control characters: git itself says what it thinks of that
        return Landing(Change(repository.top))
    kept = text.splitlines(keepends=True)
    end = next((number for number, line in enumerate(kept) if line.rstrip().endswith(_SCISSORS)), len(kept))
    message = "".join(kept[:end])
    return Landing(Change(repository.top, (File(MESSAGE, None, message),) if message.strip() else ()))
