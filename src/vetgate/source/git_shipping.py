"""What would leave a repository: commits, the index and branches by name, and where they left what they go into."""

from __future__ import annotations

import os
import tempfile
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from vetgate.model import UserError
from vetgate.source.git import EMPTY_TREE, TRUNKS
from vetgate.source.git_process import ask, failed, run
from vetgate.source.root import store_key

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path


class CommitTree(NamedTuple):
    """A commit, the name of its content, and the commit at the end of what it is meant to go into.

    All of it is "" where git knows no commit by that name.
    """

    commit: str = ""
    tree: str = ""
    trunk: str = ""


def commit_trees(top: Path, names: Iterable[str]) -> tuple[CommitTree, ...]:
    """By one question to git, however many there are."""
    asked = [f"{name}^{{{kind}}}" for name in names for kind in ("commit", "tree")]
    found = _resolved(top, [*asked, *(f"{name}^{{commit}}" for name in TRUNKS)])
    trunk = next(filter(None, found[len(asked) :]), "")
    pairs = zip(found[: len(asked) : 2], found[1 : len(asked) : 2], strict=True)
    return tuple(CommitTree(commit, tree, trunk or commit) if commit else CommitTree() for commit, tree in pairs)


@lru_cache(maxsize=64)
def fork_of(top: Path, trunk: str, commit: str) -> str:
    """Where it left what it is meant to go into; UserError where that cannot be told. Commits keep their ancestors."""
    if trunk == commit:
        return commit
    answer = ask(("merge-base", trunk, commit), top)
    if answer.status != 0:
        raise UserError(
            f"commit {commit[:10]} has no ancestor in common with its target branch",
            hint="a shallow clone may have cut it off: git fetch --unshallow",
        )
    return os.fsdecode(answer.out).split("\n", 1)[0]


def fork_at_remote(top: Path, fork: str, commit: str, known: Iterable[str]) -> str:
    """`fork` where the remote has it, else the newest ancestor of `commit` that it has, else no file at all.

    Refs of remotes are files of this repository: whoever moves one would have others compare with what nobody saw.
    """
    has = "".join(f"^{each}\n" for each in known)
    if has and not _listed(top, ("--max-count=1",), f"{fork}\n{has}"):
        return fork
    told = _listed(top, ("--boundary",), f"{commit}\n{has}") if has else ()
    edges = [line[1:] for line in told if line.startswith("-")]
    answer = ask(("merge-base", commit, *edges), top) if edges else None
    return os.fsdecode(answer.out).split("\n", 1)[0] if answer and answer.status == 0 else EMPTY_TREE


def is_unpublished(top: Path) -> bool:
    """Whether a remote is named here of which nothing is known: the first push sends all there is."""
    if not ask(("remote",), top).out:
        return False
    return not ask(("for-each-ref", "--count=1", "refs/remotes"), top).out


def _listed(top: Path, words: tuple[str, ...], asked: str) -> list[str]:
    return os.fsdecode(run(("rev-list", *words, "--stdin"), top, stdin=asked.encode("ascii"))).splitlines()


def is_ancestor(top: Path, older: str, newer: str) -> bool:
    return older in {newer, EMPTY_TREE} or ask(("merge-base", "--is-ancestor", older, newer), top).status == 0


def _resolved(top: Path, names: list[str]) -> list[str]:
    """The object that each of these names, "" where there is none."""
    if any("\n" in name or name.startswith("-") for name in names):
        raise UserError("git has no refs with such names")
    given = "".join(f"{name}\n" for name in names).encode("utf-8", "surrogateescape")
    told = run(("cat-file", "--batch-check=%(objectname)"), top, stdin=given)
    lines = os.fsdecode(told).splitlines()
    return [line if line.isalnum() else "" for line in lines] if len(lines) == len(names) else [""] * len(names)


@lru_cache(maxsize=4)
def tree_listing(top: Path, tree: str) -> bytes:
    """Each file with mode and content, by the id of a tree or commit: what that names never changes."""
    return run(("ls-tree", "-r", "-z", tree), top)


def branches(top: Path) -> tuple[str, ...]:
    told = run(("for-each-ref", "--format=%(refname)", "refs/heads"), top)
    return tuple(os.fsdecode(told).split())


def aliases(top: Path, name: str) -> tuple[str, ...]:
    """Branches that are only another name of this one: they come to hold whatever it does."""
    told = os.fsdecode(ask(("for-each-ref", "--format=%(refname) %(symref)", "refs/heads"), top).out)
    pairs = (line.partition(" ") for line in told.splitlines())
    return tuple(each.removeprefix("refs/heads/") for each, _, target in pairs if target == f"refs/heads/{name}")


def branch_before(top: Path) -> str:
    """What was checked out before, which git calls `-`."""
    return os.fsdecode(ask(("rev-parse", "--abbrev-ref", "@{-1}"), top).out).strip()


def index_tree(top: Path, index: Path | None) -> tuple[str, bytes]:
    """What a commit of the index would hold: its name, and its files; nothing of the repository is touched."""
    with tempfile.TemporaryDirectory(prefix="vetgate-") as folder:
        elsewhere = {
            "GIT_OBJECT_DIRECTORY": folder,
            "GIT_ALTERNATE_OBJECT_DIRECTORIES": os.fspath(store_key(top) / "objects"),
        }
        tree = ask(("write-tree",), top, index=index, variables=elsewhere)
        if tree.status != 0:
            raise failed("write-tree", tree, top)
        listed = run(("ls-files", "--stage", "-z"), top, index=index)
    return tree.out.decode("ascii").strip(), listed


__all__ = [
    "CommitTree",
    "aliases",
    "branch_before",
    "branches",
    "commit_trees",
    "fork_at_remote",
    "fork_of",
    "index_tree",
    "is_ancestor",
    "is_unpublished",
    "tree_listing",
]
