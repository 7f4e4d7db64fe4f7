"""Does git call us, and does what it calls stop what it should?"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

from vetgate.agents import CANARY
from vetgate.agents.diagnosis import Diagnosis, Examination, bad, good, note
from vetgate.agents.git.registration import install
from vetgate.agents.git.script import is_ours
from vetgate.model import UserError
from vetgate.source.git_settings import other_history
from vetgate.source.protected import Protected, ProtectedKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vetgate.agents.installation import Installation, Plan, Writing
    from vetgate.progress import Progress

_SECONDS = 30
_ALTERNATES = "alternates"  # a clone that shares its objects with another has them from the start
_PROBING = "probing git's hooks"
_STOPS = 1
_REPAIR = "vetgate init --git"
_UNJUDGED = "what is committed or pushed past the agent is not judged"


def examine(installation: Installation, progress: Progress) -> Examination:
    return Examination(answers=_look_at_hooks(installation, progress))


def _look_at_hooks(installation: Installation, progress: Progress) -> Iterator[Diagnosis]:
    try:
        plan = install(installation)
    except UserError as error:
        yield bad("git", error.message, _UNJUDGED, error.hint)
        return
    if not plan.writings:
        return
    if plan.writings[0].before is None:
        yield note("git", "git's own hooks do not run vetgate here", _UNJUDGED, _REPAIR)
        return
    progress(_PROBING, 0, 1)
    troubles = [*_hooks(plan), *_runs(plan.writings[0].path, installation.root)]
    progress(_PROBING, 1, 1)
    names = ", ".join(writing.path.name for writing in plan.writings[1:])
    yield from troubles or [good("git", f"git runs vetgate before commits and pushes ({names})")]
    yield from _history(installation.root)


def _history(root: Path) -> Iterator[Diagnosis]:
    """Vetgate's own git looks through replacements and grafts; people and other programs do not."""
    for path, kind in Protected(root, Path.home()).files():
        if kind is ProtectedKind.GIT_HISTORY and path.name != _ALTERNATES and other_history(_text(path)):
            why = "git shows commits that differ from the real ones; vetgate judges the real ones"
            yield note(
                "git",
                f"{path} makes git show another history than the real one",
                why,
                "git replace -d, or delete the file",
            )


def _text(path: Path) -> str:
    try:
        return path.read_bytes().decode("latin-1")
    except OSError:
        return ""


def repairs(installation: Installation) -> list[Writing]:
    """What has to be written again, where git's hooks were set up at all."""
    plan = install(installation)
    return plan.changes if plan.writings and plan.writings[0].before is not None else []


def require_supported() -> str:
    return ""


def _hooks(plan: Plan) -> Iterator[Diagnosis]:
    for each in plan.stuck:
        yield bad("git", each, _UNJUDGED, _REPAIR)
    for writing in plan.writings:
        ours = writing.before is not None and is_ours(writing.before)
        if writing.changes and ours and os.access(writing.path, os.X_OK):
            why = "another version of vetgate wrote it, or one installed elsewhere"
            yield note("git", f"{writing.path} is not as this vetgate would write it", why, _REPAIR)
        elif writing.changes:
            yield bad("git", f"{writing.path} does not run vetgate", _UNJUDGED, _REPAIR)


def _runs(runner: Path, root: Path) -> Iterator[Diagnosis]:
    """The exact script that git's hooks call, with a change that has to be stopped."""
    command = [str(runner), "pre-commit", CANARY]
    try:
        done = subprocess.run(command, cwd=root, capture_output=True, timeout=_SECONDS, check=False)  # noqa: S603
    except (OSError, subprocess.TimeoutExpired) as error:
        yield bad("git", f"{runner} does not run: {error}", _UNJUDGED, _REPAIR)
        return
    if done.returncode != _STOPS:
        said = done.stderr.decode("utf-8", "replace").strip().splitlines()
        what = f"{runner} let a bad change pass (status {done.returncode}){f': {said[-1]}' if said else ''}"
        yield bad("git", what, _UNJUDGED, _REPAIR)
