"""A commit of exactly what was confirmed: all that is not committed yet, or nothing."""

from __future__ import annotations

import os
import re
from collections import Counter
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from vetgate import runtime
from vetgate.checks.secrets.text_redaction import without_secrets
from vetgate.gates.content import tree_of
from vetgate.gates.output import readable
from vetgate.gates.process import run
from vetgate.gates.ship import listens, ship_judged, ship_lines, work_tree
from vetgate.model import Decision, UserError
from vetgate.progress import Progress, unseen
from vetgate.project import Project
from vetgate.service.confirmation import Confirmation, Confirmed
from vetgate.service.model_words import Writer
from vetgate.source import git, git_process
from vetgate.source.git_refs import branch

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from vetgate.gates.process import CommandResult
    from vetgate.model import Change, File

_SECONDS = 900.0  # hooks of the repository run in it
_SUBJECT = 72
_LISTED = 20
_CHANGED = "files changed during the check, so nothing was committed"
_REWRITTEN = "a git hook or another process changed what was committed, so the commit was undone; the files stay"
_MESSAGE = re.compile(r"[^\x00-\x08\x0b-\x1f\x7f]+")


CALLER, MODEL, RULES = "caller", "model", "rules"


@dataclass(frozen=True, slots=True)
class CommitResult:
    """`commit` is empty where there is none, and `reason` says why. The message is by the caller, a model or rules."""

    confirmed: Confirmed
    message: str
    commit: str = ""
    reason: str = ""
    message_by: str = CALLER


def commit(
    root: Path,
    agent: str,
    session: str = "",
    message: str = "",
    *,
    asks_judge: bool = True,
    progress: Progress = unseen,
) -> CommitResult:
    """Once it is checked and confirmed. UserError where nothing can be committed, or not with that message."""
    wanted = _message(message) if message else ""
    project = Project(git.open_at(root).top, runtime.state_dir())
    tree = tree_of(project)  # before anything is read: what changes from here on shows
    confirmation = Confirmation.at(root, agent, session)
    found = confirmation.run(asks_judge=asks_judge, progress=progress)
    if not found.is_confirmed:
        return CommitResult(found, wanted or message_of(confirmation.change), reason="it was not confirmed")
    wanted, by = (wanted, CALLER) if wanted else _made(confirmation)
    if held := _held_by_ship(confirmation):
        return CommitResult(found, wanted, reason=held, message_by=by)
    if not tree or tree_of(project) != tree:
        raise UserError(_CHANGED, hint="ask again")
    before = _rev(project.root, "HEAD")
    _stage(confirmation.change, tree, project.root)
    done = git_as_a_person(("commit", "--quiet", "-m", wanted), project.root)
    head = _rev(project.root, "HEAD")
    if head != before and done.status == 0 and _rev(project.root, "HEAD^{tree}") != tree:
        # A hook that rewrites files, or somebody who staged at the same time.
        _undo(before, project.root)
        raise UserError(_REWRITTEN, hint="run the hook that changes files first, then ask again")
    if done.status != 0:
        return CommitResult(found, wanted, reason=f"git refused it{said_by(done)}", message_by=by)
    return CommitResult(found, wanted, commit=head, message_by=by)


def _made(confirmation: Confirmation) -> tuple[str, str]:
    """A message by a model where one is configured, else by rules."""
    writer = Writer(confirmation.project, confirmation.in_force.config, confirmation.session)
    said = writer.commit_message(confirmation.change)
    return (said, MODEL) if said else (message_of(confirmation.change), RULES)


def _stage(confirmed: Change, tree: str, root: Path) -> None:
    """All of it, and nothing but what was confirmed; UserError where that is not what git has now."""
    added = git_as_a_person(("add", "--all"), root)
    written = git_as_a_person(("write-tree",), root)
    if added.status != 0 or written.output.decode().strip() != tree:
        raise UserError(f"what git would commit is not what was confirmed{said_by(added)}", hint="git status says more")
    # By content as well: a file that was another one just while it was read has the same name for its tree again.
    staged = {file.path: file.after for file in git.open_at(root).staged().files}
    different = (file for file in confirmed.files if staged.get(file.path, file.after) != file.after)
    if not all(_is_staged(file, root) for file in different):
        raise UserError(_CHANGED, hint="ask again")


def _is_staged(file: File, root: Path) -> bool:
    """Whether git has this text, once its filters have gone over it: line ends, large files."""
    if file.after is None:
        return False
    text = file.after.encode("utf-8", "surrogateescape")
    wanted = git_process.ask(("hash-object", "--stdin", f"--path={file.path}"), root, stdin=text)
    return wanted.status == 0 and os.fsdecode(wanted.out).strip() == _rev(root, f":{file.path}")


def _undo(before: str, root: Path) -> None:
    """The files stay as they are."""
    words = ("reset", "--quiet", "--soft", before) if before else ("update-ref", "-d", "HEAD")
    git_as_a_person(words, root)


def _rev(root: Path, name: str) -> str:
    said = git_as_a_person(("rev-parse", "--verify", "--quiet", name), root)
    return said.output.decode().strip() if said.status == 0 else ""


def _held_by_ship(confirmation: Confirmation) -> str:
    """On a branch from which code leaves, only what was reviewed is committed; as at the agent's own command."""
    config, project = confirmation.in_force.config, confirmation.project
    name = branch(project.root)
    if not listens(config) or not any(fnmatchcase(name, glob) for glob in config.ship.branches):
        return ""
    verdict = ship_judged(project, config, (work_tree(project),))
    return "" if verdict.decision <= Decision.WARN else ship_lines(verdict)


def git_as_a_person(words: Sequence[str], root: Path) -> CommandResult:
    """As a person would call it, hooks included; deaf to variables that point to another repository."""
    env = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    env |= {"GIT_TERMINAL_PROMPT": "0", "GIT_EDITOR": "true", "LC_ALL": "C"}
    return run(("git", *words), cwd=root, env=env, seconds=_SECONDS)


def said_by(ran: CommandResult) -> str:
    text = (readable(ran.output) if ran.output else ran.cause).strip()
    return f": {text[-2000:]}" if text else ""


def _message(text: str) -> str:
    found = "".join(_MESSAGE.findall(text.replace("\r\n", "\n"))).strip()
    if not found:
        raise UserError("the message is empty", hint="leave it out: vetgate writes one from the change")
    if without_secrets(found) != found:
        raise UserError("the message holds a secret", hint="everybody can read a commit: leave the secret out")
    return found


def message_of(change: Change) -> str:
    """What changed, by rules: a line on all of it, then the files."""
    verbs = Counter(map(_verb, change.files))
    names = [file.path for file in change.files]
    where = _common(names)
    verb = next(iter(verbs)) if len(verbs) == 1 else "Change"
    if len(names) == 1:
        subject = f"{verb} {names[0]}"
    else:
        what = f"{len(names)} files" + (f" in {where}" if where else "")
        subject = f"{verb} {what}"
    lines = [f"- {_verb(file).lower()} {file.path}" for file in change.files[:_LISTED]]
    more = len(change.files) - _LISTED
    lines += [f"- and {more} more"] if more > 0 else []
    body = "\n\n" + "\n".join(lines) if len(names) > 1 else ""
    return without_secrets(f"{subject[:_SUBJECT]}{body}")


def _verb(file: File) -> str:
    if file.after is None:
        return "Remove"
    if file.was and file.was != file.path:
        return "Rename"
    return "Add" if file.before is None else "Change"


def _common(names: Sequence[str]) -> str:
    parents = [PurePosixPath(name).parent.parts for name in names]
    shared: list[str] = []
    for parts in zip(*parents, strict=False):
        if len(set(parts)) != 1:
            break
        shared.append(parts[0])
    return "/".join(shared)
