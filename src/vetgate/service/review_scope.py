"""What a review looks at: which files, compared with which commit, and the name of the content that lies there."""

from __future__ import annotations

import enum
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from vetgate.gates.command_kinds import digest
from vetgate.gates.content import content_of
from vetgate.gates.loop_identity import files_of, loop_inputs
from vetgate.model import UserError
from vetgate.service.check import limited_to
from vetgate.source.git import EMPTY_TREE
from vetgate.source.git_process import ask
from vetgate.source.git_refs import branch
from vetgate.source.git_shipping import is_unpublished

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from vetgate.config.schema import Loop
    from vetgate.model import Change
    from vetgate.project import Project
    from vetgate.source.git import Repository

_SHORT = 16


class ReviewScope(enum.StrEnum):
    """Which files a review is about."""

    BRANCH = "branch"  # all since the branch left its base, what is not committed included
    CHANGED = "changed"  # what is not committed
    STAGED = "staged"  # what the next commit would hold


@dataclass(frozen=True, slots=True)
class ReviewTarget:
    """The change under review. `tree` names all that lies in the work tree, "" where git could not say.

    `files` are the parts of that, `before` those of the commit `fork`, each with mode and content.

    Unless it `is_whole`, something that would leave was not looked at: `paths` chose some files, or what is staged is
    not what lies there.
    """

    change: Change
    scope: ReviewScope
    base: str
    fork: str
    head: str
    branch: str
    tree: str
    files: Mapping[str, str]
    before: Mapping[str, str]
    paths: tuple[str, ...] = ()
    is_whole: bool = True

    def inputs(self, loop: Loop) -> str:
        """Names what a loop looks at here; of a part of the files it is never what the whole is called."""
        found = loop_inputs(loop, self.tree, self.fork, self.files)
        return found if self.is_whole else digest((found, self.scope, *self.paths))[:_SHORT]

    @property
    def scope_words(self) -> str:
        return f"{self.scope}: {' '.join(self.paths)}" if self.paths else str(self.scope)

    @property
    def differing(self) -> dict[str, str]:
        """Each file that is not as it was at `fork`, with its content now, "" for one that is gone."""
        names = sorted(self.files.keys() | self.before.keys())
        return {name: self.files.get(name, "") for name in names if self.files.get(name) != self.before.get(name)}

    @property
    def present(self) -> tuple[str, ...]:
        return tuple(file.path for file in self.change.files if file.after is not None)


def target_of(
    repository: Repository, project: Project, *, scope: ReviewScope, base: str | None, paths: tuple[str, ...], cwd: Path
) -> ReviewTarget:
    """Raises UserError where there is nothing to compare with."""
    if scope is not ReviewScope.BRANCH and base is not None:
        raise UserError(
            f"--base does not go with --scope {scope}, which compares with the last commit", hint="name one"
        )
    by_itself = base is None and scope is ReviewScope.BRANCH
    head, base, fork = repository.left(base or ("" if by_itself else "HEAD"))
    if by_itself and fork == head and is_unpublished(repository.top):
        base = fork = EMPTY_TREE  # with its own end there is nothing to look at
    found = content_of(project)  # before anything is read: what changes from here on shows
    change = repository.changed_since(fork, found.untracked if found else None)
    is_whole = not paths
    if scope is ReviewScope.STAGED:
        lying, change = change, repository.staged()
        # Commands run over what lies there.
        is_whole = is_whole and {(each.path, each.after) for each in lying.files} == {
            (each.path, each.after) for each in change.files
        }
    change = limited_to(change, paths, cwd)
    if change.base is None:
        change = replace(change, base=fork)
    return ReviewTarget(
        change,
        scope,
        base,
        fork,
        head,
        branch(repository.top),
        found.id if found else "",
        files_of(found.listed) if found else {},
        files_of(ask(("ls-tree", "-r", "-z", "--full-tree", fork), repository.top).out),
        paths,
        is_whole=is_whole and bool(found),
    )
