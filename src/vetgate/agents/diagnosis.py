"""What the doctor found out: each with why it matters and how to put it right."""

from __future__ import annotations

import enum
import os
import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from vetgate.model import UserError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from vetgate.agents.installation import Installation


class Health(enum.StrEnum):
    GOOD = "good"
    NOTE = "note"  # worth knowing; the gate stands
    BAD = "bad"


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """`until` is said where the gate is on, but for something that a person has to do first."""

    id: str
    health: Health
    what: str
    why: str = ""
    repair: str = ""
    until: str = ""


@dataclass(frozen=True, slots=True)
class Examination:
    """Whether an agent is gated here, looked at when it is asked for: its settings, its hooks' answers, the client.

    A probe starts a warm process; where nobody set up a gate there is nothing to prove.
    """

    registration: Iterable[Diagnosis] = ()
    answers: Iterable[Diagnosis] = ()
    client: Iterable[Diagnosis] = ()


def good(name: str, what: str) -> Diagnosis:
    return Diagnosis(name, Health.GOOD, what)


def note(name: str, what: str, why: str, repair: str) -> Diagnosis:
    return Diagnosis(name, Health.NOTE, what, why, repair)


def bad(name: str, what: str, why: str, repair: str) -> Diagnosis:
    return Diagnosis(name, Health.BAD, what, why, repair)


def look_at_launcher(installation: Installation, agent: str) -> Diagnosis:
    """What is registered with an agent runs it."""
    path = installation.launcher(agent)
    repair = "vetgate doctor --repair"
    try:
        wanted = installation.launcher_writing(agent)
    except UserError as error:
        return bad("launcher", error.message, "the hooks cannot run", error.hint)
    if wanted.before is None:
        return bad("launcher", f"{path} is missing", "every edit is stopped, or passes unjudged", repair)
    if not os.access(path, os.X_OK):
        return bad("launcher", f"{path} may not be executed", "every edit is stopped, or passes unjudged", repair)
    if wanted.before == wanted.after:
        return good("launcher", f"{path} runs this installation")
    return bad("launcher", f"{path} {_how_it_differs(wanted.before)}", "the hooks do not run this vetgate", repair)


def _how_it_differs(script: bytes) -> str:
    lines = script.decode("utf-8", "replace").splitlines()
    line = next((line for line in lines if line and not line.startswith("#")), "")
    try:
        words = shlex.split(line)
    except ValueError:
        return "is damaged"
    gone = [word for word in words if word.startswith("/") and not Path(word).exists()]
    if gone:
        return f"runs {gone[0]}, which no longer exists"
    return "is not what this version writes: damaged, changed, or of another installation"
