"""Where an agent would have code leave: the verdict of the ship gate before the command, and when a person says /ship.

What leaves a repository is up to the configuration of that repository, wherever the session began; without `on.ship`
there, git is not asked. Then somebody looks at what a push takes along all the same: our hook, or who pushes here.
"""

from __future__ import annotations

import os
import shlex
from dataclasses import replace
from fnmatch import fnmatchcase
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from vetgate.expression import expression
from vetgate.gates.ship import (
    ShippedContent,
    commits,
    listens,
    override_command,
    ship_judged,
    ship_lines,
    staged,
    work_tree,
)
from vetgate.model import POWERSHELL, Decision, Message, UserError, Verdict
from vetgate.record import decision_id, record
from vetgate.respond.session_diff import began
from vetgate.source.clock import elapsed_ms
from vetgate.source.git import find
from vetgate.source.git_landing import hooks_folder
from vetgate.source.git_refs import branch
from vetgate.source.git_shipping import branch_before, branches, commit_trees, is_ancestor
from vetgate.source.root import common_dir, project_root, real, store_key

if TYPE_CHECKING:
    from vetgate.checks.unsafe_command.branch_moves import BranchMove
    from vetgate.checks.unsafe_command.leaving import Leaving
    from vetgate.config.schema import Config
    from vetgate.project import Project
    from vetgate.respond.call import Call


_HOOK = "pre-push"
_OURS = b"vetgate"
# Written when a repository is made, and left alone from then on.
_FROM_THE_START = ("description", "info/exclude")


def push_from(call: Call, folder: Path) -> Decision:
    """A repository made in this session is refused; one that was there before is left to a person."""
    place = real(folder)
    root = project_root(place)
    shared = _git_folder(place) or (store_key(root) if root is not None else None)
    if shared is None or shared == store_key(call.at_home.project.root):
        return Decision.ALLOW
    if root is not None and call.open_project(root).store.trusted() is not None and _has_our_hook(root):
        return Decision.ALLOW
    return Decision.ASK if _was_there(shared, began(call.at_home)) else Decision.BLOCK


def _git_folder(place: Path) -> Path | None:
    """For a folder that is, or lies in, what git keeps: a bare repository, or a `.git` itself."""
    for folder in (place, *place.parents):
        if (folder / ".git").exists():
            return None
        if (folder / "HEAD").is_file() and ((folder / "objects").is_dir() or (folder / "commondir").is_file()):
            return common_dir(folder)
    return None


def _has_our_hook(root: Path) -> bool:
    try:
        repository = find(root)
        return runs_our_hook(hooks_folder(repository) if repository else root / ".git" / "hooks")
    except UserError:
        return False


def runs_our_hook(folder: Path) -> bool:
    """Whether a push runs vetgate where git takes its hooks from this folder."""
    hook = folder / _HOOK
    try:
        return _OURS in hook.read_bytes() and os.access(hook, os.X_OK)
    except OSError:
        return False


def _was_there(shared: Path, since: int) -> bool:
    """By when the kernel last saw these files change, which no program can set."""
    moments = []
    for name in _FROM_THE_START:
        try:
            moments.append((shared / name).stat().st_ctime_ns)
        except OSError:
            continue
    return bool(moments) and max(moments) < since


_ASKED = expression(r"/(?:vetgate:)?ship(?=\s|\Z)")
_PERSON = "A person can let exactly this content leave, in a terminal of their own: "


def before_shipping(call: Call) -> Verdict | None:
    """What the ship gate has against a command; None where nothing would leave, or it may."""
    from vetgate.checks.unsafe_command.leaving import leaving  # noqa: PLC0415 - only before a command

    event = call.event
    texts = [event.command]
    if event.shell == POWERSHELL:  # it reads as both
        texts.append(f"{POWERSHELL} -Command {shlex.quote(event.command)}")
    found = [each for text in texts for each in leaving(text, event.cwd, call.project.root, Path.home())]
    told: Verdict | None = None
    for each in found:
        verdict = _judged(call, each)
        if verdict is not None and (told is None or verdict.decision > told.decision):
            told = verdict
        if told is not None and told.decision >= Decision.BLOCK:
            break
    return told


def _judged(call: Call, each: Leaving) -> Verdict | None:
    project = _project(call, each)
    config = project.own_effective().config
    if not listens(config) or not (project.root / ".git").exists():
        return None
    contents: tuple[ShippedContent, ...] = ()
    try:
        contents = _asked_about(project, config, each)
        verdict = ship_judged(project, config, contents) if contents else None
    except UserError as error:
        verdict = Verdict(Decision.BLOCK, notes=(error.message,))
    if verdict is None or verdict.decision is Decision.ALLOW:
        return None
    command = override_command(project, config, contents)
    verdict = replace(verdict, id=decision_id(call.payload + b"ship"))
    keep = partial(record, project.decisions, call.event, verdict, config, elapsed_ms(call.started))
    if verdict.decision < Decision.BLOCK:
        call.later.append(keep)
    else:
        keep()
    return replace(verdict, messages=(_message(verdict, each, command),))


def _message(verdict: Verdict, each: Leaving, override: str) -> Message:
    parts = [ship_lines(verdict), *verdict.notes]
    if verdict.decision >= Decision.BLOCK:
        parts += [f"This command did not run, because it would send code out ({each.kind}): {each.what}"]
        parts += [_PERSON + override] if override else []
    reason = next((finding.message for finding in verdict.findings), "")
    return Message(
        verdict.decision, "\n".join(parts), f"vetgate: ship gate: {reason}" if reason else "vetgate: ship gate"
    )


def _project(call: Call, each: Leaving) -> Project:
    root = project_root(real(each.folder)) if each.folder is not None else None
    return call.project if root is None or root == call.project.root else call.open_project(root)


def _asked_about(project: Project, config: Config, each: Leaving) -> tuple[ShippedContent, ...]:
    """A commit may be of the index or of all files: git's own hook knows which, here either will do."""
    if each.is_commit:
        name = _target(project, each)
        if not any(fnmatchcase(name, glob) for glob in config.ship.branches):
            return ()
        if each.move is not None:
            lands = _landing(project, each, each.move, name)
            return (lands,) if lands else ()
        part = staged(project, None)
        is_reviewed = ship_judged(project, config, (part,)).decision is Decision.ALLOW
        return (part,) if is_reviewed else (work_tree(project),)
    return _contents(project, each)


def _target(project: Project, each: Leaving) -> str:
    """The branch that comes to hold something else."""
    name = (each.move.branch if each.move else "") or each.branch or branch(project.root)
    return branch_before(project.root) if name in {"-", "@{-1}"} else name


def _landing(project: Project, each: Leaving, move: BranchMove, name: str) -> ShippedContent | None:
    """What the branch would hold that it does not have yet; nothing of what its own remote has."""
    if each.after_commit and move.source:
        return work_tree(project)
    if not move.source:
        return ShippedContent(each.what, problem=f"it makes commits on {name} that nobody has reviewed")
    (found,) = commits(project.root, (move.source,))
    if not found.commit:
        return None if move.may_be_path else found
    names = (f"refs/heads/{name}", f"refs/remotes/origin/{name}")
    own, there = commit_trees(project.root, names)
    if any(tip.commit and is_ancestor(project.root, found.commit, tip.commit) for tip in (own, there)):
        return None
    if move.joins and own.commit and not is_ancestor(project.root, own.commit, found.commit):
        return ShippedContent(each.what, problem=f"{name} has commits that {move.source} does not have")
    return found


def _contents(project: Project, each: Leaving) -> tuple[ShippedContent, ...]:
    """A package is made of the files as they lie there, and so is a commit that the same command makes first."""
    if each.is_made_remotely:
        return (ShippedContent(each.what, problem="it writes files to the remote that are in no commit here"),)
    if each.is_published or each.after_commit:
        return (work_tree(project),)
    if each.sends_all:
        return commits(project.root, branches(project.root))
    return commits(project.root, each.sources or ("HEAD",))


def at_prompt(call: Call) -> Verdict | None:
    """What a person who types /ship gets to know, and the agent with them."""
    if call.event.is_automatic or not _ASKED.match(call.event.task):
        return None
    project = call.project
    config = project.own_effective().config
    if not listens(config):
        return None
    if not (project.root / ".git").exists():
        return None
    verdict = asked_to_ship(project, config)
    text = ship_lines(verdict)
    return Verdict(Decision.ALLOW, messages=(Message(Decision.ALLOW, text, text.partition("\n")[0]),))


def asked_to_ship(project: Project, config: Config) -> Verdict:
    """Of the work tree; where that is not reviewed but the last commit is, that one may leave."""
    whole = ship_judged(project, config, (work_tree(project),))
    if whole.decision is Decision.ALLOW:
        return whole
    last = ship_judged(project, config, commits(project.root, ("HEAD",)))
    if last.decision is not Decision.ALLOW:
        return whole
    note = "the last commit was reviewed and may leave; the work tree has changed since"
    outcomes = tuple(replace(each, evidence="\n".join(filter(None, (each.evidence, note)))) for each in last.outcomes)
    return replace(last, outcomes=outcomes)
