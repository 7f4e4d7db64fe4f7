"""What the person asked for: kept short and without secrets while the session lasts, and said to whoever is refused."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from vetgate.checks.secrets.text_redaction import without_secrets
from vetgate.model import SILENT
from vetgate.respond.attempts import forgotten_before

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vetgate.model import Verdict
    from vetgate.project import Project
    from vetgate.respond.call import Call

LONGEST = 200
_READ = 4_000


def prompt(call: Call) -> Verdict:
    """Nothing is said. What a machine wrote, as clients do when something ends in the background, is no task."""
    asked = call.event.prompt.strip()
    if asked and not asked.startswith("<"):
        call.later.append(partial(_keep, call, asked))
    return SILENT


def _keep(call: Call, asked: str) -> None:
    words = "".join(filter(str.isprintable, " ".join(without_secrets(asked[:_READ]).split())))
    short = words if len(words) <= LONGEST else f"{words[: LONGEST - 1]}…"
    for project in _projects(call):
        project.store.set_task(call.event.session, short)
        # With a new task it is held back anew for what it left open.
        project.store.let_go(call.event.session)


def _projects(call: Call) -> Iterator[Project]:
    for root in dict.fromkeys((call.project.root, *call.project.store.visited(call.event.session))):
        yield call.open_project(root)


def session_end(call: Call) -> Verdict:
    """Neither the task nor what was refused outlives its session, in any project that it has edited."""
    session = call.event.session
    for project in _projects(call):
        project.store.forget_task(session)
        project.store.forget_attempts(forgotten_before(project.effective().config), session)
    return SILENT
