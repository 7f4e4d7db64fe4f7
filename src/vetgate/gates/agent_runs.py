"""Commands that the agent ran itself: how they ended is read from the event, never from what it says."""

from __future__ import annotations

import contextlib
import os
import time
from collections import OrderedDict
from pathlib import Path
from typing import TYPE_CHECKING

from vetgate.gates.command_kinds import digest, kind_of
from vetgate.gates.content import SECONDS, changed_since, tree_of
from vetgate.gates.evidence import command_words
from vetgate.source.git_ignored import ignored
from vetgate.source.root import real
from vetgate.source.shell.own_status import own_commands
from vetgate.store import Evidence

if TYPE_CHECKING:
    from collections.abc import Mapping

    from vetgate.config.schema import Config
    from vetgate.model import Event
    from vetgate.project import Project
    from vetgate.source.shell.own_status import StatusCommand

# Between the end of a command and our being told of it, where nobody saw it begin.
DELAY = 100_000_000
_MOST_UNDER_WAY = 200
# When commands were let go, by the number of the call; in a process that stays.
_began: OrderedDict[str, int] = OrderedDict()


def note_own_run(project: Project, config: Config, event: Event, told: int) -> None:
    """Only where the status is the command's own, and nothing changed while it ran; `told` is when we were, in ns."""
    status = event.status
    if status is None:
        return
    known = {command_words(gate.command): gate.id for gate in config.gates.values() if gate.command}
    telling = [
        (own, kind)
        for own in own_commands(event.command, passed=status == 0)
        if (kind := _kind(own, event, project, known))
    ]
    tree = tree_of(project) if telling and _stood_still(project, event, told) else ""
    for own, kind in telling if tree else ():
        project.store.prove(Evidence(tree, digest(own.words), kind, status, time.time(), "the agent"))


def _kind(own: StatusCommand, event: Event, project: Project, known: Mapping[tuple[str, ...], str]) -> str:
    """What it tells about; "" for nothing. A gate's own command counts only where the gate would run it."""
    where = real(Path(event.cwd, os.path.expanduser(own.cwd)))  # noqa: PTH111 - of nobody's home it makes no error
    if own.words in known and where != project.root:
        return ""
    inside = where == project.root or where.is_relative_to(project.root)
    return kind_of(own.words) or ("gate" if own.words in known else "") if inside else ""


def note_start(event: Event) -> None:
    """It is about to run: what changes from here on may have changed under it."""
    if event.call:
        _began[_call(event)] = time.time_ns()
    while len(_began) > _MOST_UNDER_WAY:
        with contextlib.suppress(KeyError):  # another thread was quicker
            _began.popitem(last=False)


def _stood_still(project: Project, event: Event, told: int) -> bool:
    """Whether no file that counts changed since the command was started."""
    began = _began.pop(_call(event), None) or _counted_back(event, told)
    if began is None:
        return False
    changed = changed_since(project, began)
    return not changed or set(changed) <= ignored(project.root, changed, SECONDS)


def _call(event: Event) -> str:
    return f"{event.session} {event.call}"


def _counted_back(event: Event, told: int) -> int | None:
    return None if event.took_ms is None else told - int(event.took_ms * 1e6) - DELAY
