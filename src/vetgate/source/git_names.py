"""Names only: which files a scope of a review holds, and which branch is checked out."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from vetgate.source.git_process import ask, failed

if TYPE_CHECKING:
    from pathlib import Path

    from vetgate.source.git import Repository

_NAMES = ("diff", "--name-only", "-z", "--no-renames", "--no-ext-diff", "--no-textconv", "--ignore-submodules=all")
_OTHERS = ("ls-files", "-z", "--others", "--exclude-standard")


def changed_names(repository: Repository, scope: str, base: str, seconds: float) -> tuple[str, ...]:
    """`staged` is the index, `changed` all since the last commit, everything else all since the branch left `base`."""
    compared = {"staged": ("--cached",), "changed": ("HEAD",)}.get(scope) or (repository.fork(base),)
    answer = ask((*_NAMES, *compared, "--"), repository.top, seconds=seconds)
    if answer.status != 0:
        raise failed("diff", answer, repository.top)
    untracked = () if scope == "staged" else ask(_OTHERS, repository.top, seconds=seconds).names
    return tuple(sorted({*answer.names, *untracked}))


def current_branch(top: Path) -> str:
    """Its short name; "" where none is checked out."""
    answer = ask(("symbolic-ref", "--quiet", "--short", "HEAD"), top)
    return os.fsdecode(answer.out).strip() if answer.status == 0 else ""
