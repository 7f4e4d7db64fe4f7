"""What git has taken in, or would, although nobody lints it: in excluded folders, and against the ignore rules."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vetgate.model import UserError
from vetgate.respond.session_diff import start
from vetgate.source.git_ignored import EMPTY_TREE, taken_in
from vetgate.source.git_past import base
from vetgate.store import MarkKind

if TYPE_CHECKING:
    from vetgate.config.schema import Config
    from vetgate.respond.call import Call

# Whoever has more of them than this has put a whole library there; the commit looks at all of it.
_MOST = 400


def unlinted(call: Call, config: Config, *, thorough: bool) -> tuple[str, ...]:
    """Asked of git where its index has changed since the last look, and when the turn ends."""
    root = call.project.root
    if not call.project.has_new_index(call.event.session) and not thorough:
        return ()
    try:
        if not (root / ".git").exists():
            return ()
        commits = base(root, start(call)).commits
        found = taken_in(root, commits[0] if commits else EMPTY_TREE)
    except UserError:
        return ()
    memory = call.memory(config)
    for path in found.against_the_rules:
        if not memory.is_marked(path, MarkKind.FORCED):
            memory.mark(path, MarkKind.FORCED)
            memory.forget(path)  # as long as git did not know it, it was nobody's business
    aside = (path for path in found.paths if not config.paths.checks(path))
    return (*found.against_the_rules, *sorted(aside)[:_MOST])
