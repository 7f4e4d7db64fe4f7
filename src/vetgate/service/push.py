"""A push of the current branch: once the ship gate and the checks of a push have nothing against it."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

from vetgate.gates.ship import listens
from vetgate.model import UserError
from vetgate.progress import Progress, unseen
from vetgate.runtime import state_dir
from vetgate.service.commit import git_as_a_person, said_by
from vetgate.service.git_hooks import HookSurface, answer_hook
from vetgate.service.ship import ShipAnswer, Shipping
from vetgate.source.git_process import ask
from vetgate.source.git_refs import branch as checked_out
from vetgate.source.git_refs import commit_named

if TYPE_CHECKING:
    from pathlib import Path

    from vetgate.service.report.run import Run

_GIT = "git"
_NOTHING = "0" * 40


@dataclass(frozen=True, slots=True)
class Pushed:
    """`ship` is None where nothing has to be reviewed before it leaves; `reason` says why nothing was pushed."""

    branch: str
    remote: str
    commit: str
    is_pushed: bool
    ship: ShipAnswer | None
    reason: str = ""


def push(root: Path, remote: str = "", progress: Progress = unseen) -> Pushed:
    """Never by force, and to a remote that the repository knows by name."""
    shipping = Shipping.at(root)
    top = shipping.project.root
    branch = checked_out(top)
    if not branch:
        raise UserError("no branch is checked out, so there is nothing to push", hint="git switch BRANCH")
    remote, address = _remote(top, branch, remote)
    commit = commit_named(top, "HEAD")
    if not commit:
        raise UserError("there is no commit yet", hint="commit something first")
    ship = shipping.ask(commit) if listens(shipping.in_force.config) else None
    if ship is not None and not ship.allowed:
        return Pushed(branch, remote, commit, is_pushed=False, ship=ship, reason=ship.text)
    told = _judged(top, (remote, address), (branch, commit), progress)
    if told:
        return Pushed(branch, remote, commit, is_pushed=False, ship=ship, reason=told)
    name = f"refs/heads/{branch}"
    done = git_as_a_person(("push", "--quiet", "--set-upstream", remote, f"{commit}:{name}"), top)
    if done.status != 0:
        return Pushed(branch, remote, commit, is_pushed=False, ship=ship, reason=f"git refused it{said_by(done)}")
    return Pushed(branch, remote, commit, is_pushed=True, ship=ship)


def _remote(top: Path, branch: str, wanted: str) -> tuple[str, str]:
    """Its name and address. An address by itself may be anywhere, and is no remote."""
    known = _said(top, "remote").splitlines()
    name = wanted or _said(top, "config", "--get", f"branch.{branch}.remote") or "origin"
    if name not in known:
        hint = f"there {'is' if len(known) == 1 else 'are'}: {', '.join(known)}" if known else "git remote add NAME URL"
        raise UserError(f"the repository knows no remote called {name!r}", hint=hint)
    return name, _said(top, "remote", "get-url", "--push", name)


def _judged(top: Path, remote: tuple[str, str], pushed: tuple[str, str], progress: Progress) -> str:
    """What the checks of a push have against it, as its hook would say; the hook itself may not be set up here."""
    told: list[str] = []
    branch, commit = pushed
    name = f"refs/heads/{branch}"
    # What the remote has is asked of the remote: a local ref can be made to say anything.
    surface = HookSurface(
        lambda: f"{name} {commit} {name} {_NOTHING}\n", told.append, _lines, progress, lambda _objects: None
    )
    status = answer_hook(_GIT, ("pre-push", *remote), top, state_dir(), surface)
    return ("".join(told).strip() or "the checks of a push stopped it") if status else ""


def _lines(run: Run) -> str:
    found = (f"{run.shown(each.span.path)}:{each.span.line}: {each.id}: {each.message}\n" for each in run.findings)
    return f"{''.join(found)}{run.summary()}\n"


def _said(top: Path, *words: str) -> str:
    answer = ask(words, top)
    return os.fsdecode(answer.out).strip() if answer.status == 0 else ""
