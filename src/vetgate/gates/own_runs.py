"""Commands that the agent ran itself: how they ended is read from the event, never from what it says."""

from __future__ import annotations

import re
import time
from pathlib import Path
from typing import TYPE_CHECKING

from vetgate.gates.content import SECONDS, tree_of
from vetgate.gates.evidence import command_words
from vetgate.gates.kinds import digest, kind_of
from vetgate.source.git_tree import ignored
from vetgate.source.root import real
from vetgate.source.shell.own_status import own_commands
from vetgate.store import Evidence

if TYPE_CHECKING:
    from collections.abc import Mapping

    from vetgate.config.schema import Config
    from vetgate.model import Event
    from vetgate.project import Project
    from vetgate.source.shell.own_status import Own

# Between the end of a command and our being told of it.
DELAY = 100_000_000
_EXIT = re.compile(r"Exit code (\d+)")


def note_own_run(project: Project, config: Config, event: Event, told: int) -> None:
    """Only where the status is the command's own, and nothing changed while it ran; `told` is when we were, in ns."""
    status = _status(event.raw)
    if status is None:
        return
    known = {command_words(gate.command): gate.id for gate in config.gates.values() if gate.command}
    telling = [
        (own, kind)
        for own in own_commands(event.command, passed=status == 0)
        if (kind := _kind(own, event, project, known))
    ]
    tree = tree_of(project) if telling and _stood_still(project, event.raw, told) else ""
    for own, kind in telling if tree else ():
        project.store.prove(Evidence(tree, digest(own.words), kind, status, time.time(), "the agent"))


def _status(raw: Mapping[str, object]) -> int | None:
    """None where nobody knows: in the background, interrupted, or without a word about it."""
    if raw.get("hook_event_name") == "PostToolUseFailure":
        told = _EXIT.match(str(raw.get("error", "")))
        return int(told[1]) if told and not raw.get("is_interrupt") else None
    response = raw.get("tool_response")
    if not isinstance(response, dict) or response.get("interrupted") or response.get("backgroundTaskId"):
        return None
    return 0


def _kind(own: Own, event: Event, project: Project, known: Mapping[tuple[str, ...], str]) -> str:
    """What it tells about; "" for nothing. A gate's own command counts only where the gate would run it."""
    where = real(Path(event.cwd, own.cwd)) if not own.cwd.startswith("~") else Path(own.cwd).expanduser()
    if own.words in known and where != project.root:
        return ""
    inside = where == project.root or where.is_relative_to(project.root)
    return kind_of(own.words) or ("gate" if own.words in known else "") if inside else ""


def _stood_still(project: Project, raw: Mapping[str, object], told: int) -> bool:
    """Whether no file that counts changed since the command was started."""
    took = raw.get("duration_ms")
    if not isinstance(took, int | float) or isinstance(took, bool):
        return False
    changed = project.tree.changed(told - int(took * 1e6) - DELAY).paths
    return not changed or set(changed) <= ignored(project.root, changed, SECONDS)
