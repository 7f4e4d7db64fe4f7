"""What stood in a work tree before a moment: what was committed since then is no measure of it.

A command can write a file and commit it in one go; compared with HEAD nothing would have changed.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

from vetgate.source.git_process import ask, run
from vetgate.source.git_texts import texts
from vetgate.source.root import common_dir, git_dir

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

# What git is in the middle of bringing in was there before, too.
_IN_PROGRESS = ("MERGE_HEAD", "CHERRY_PICK_HEAD", "REBASE_HEAD")
_BEFORE_A_REBASE = "ORIG_HEAD"
_SECONDS = 2.0
_NAMES = ("diff", "--name-only", "-z", "--no-renames", "--no-ext-diff", "--ignore-submodules=all")


@dataclass(frozen=True, slots=True)
class Past:
    """The commits that hold what stood there; the first is the one to compare with, none means that nothing did."""

    top: Path
    commits: tuple[str, ...] = ()

    def texts(self, paths: Sequence[str]) -> list[tuple[str | None, ...]]:
        """For each path its text in each of the commits; a name must not hold a line break."""
        return texts(self.top, self.commits, paths)

    def clean(self) -> frozenset[str]:
        """The files of the index that are as one of the commits has them, by git's own quick comparison."""
        names = frozenset(_names(run(("ls-files", "-z"), self.top, seconds=_SECONDS)))
        dirty = [frozenset(_names(run((*_NAMES, each), self.top, seconds=_SECONDS))) for each in self.commits]
        return frozenset().union(*(names - each for each in dirty))

    def missing(self) -> tuple[str, ...]:
        """Files of the first commit that are not on disk any more."""
        if not self.commits:
            return ()
        args = ("diff-index", "-z", "--name-only", "--diff-filter=D", "--no-renames", "--ignore-submodules=all")
        return tuple(_names(ask((*args, self.commits[0], "--"), self.top, seconds=_SECONDS).out))


def second_after(moment: int) -> int:
    """The first second that is after a moment in nanoseconds: git counts in seconds."""
    return moment // 1_000_000_000 + 1


def base(top: Path, since: int) -> Past:
    """The one commit to compare with, as of `since`, in seconds; raises UserError when git does not answer."""
    own = _made(top, since)
    if own is None:
        return Past(top)
    return Past(top, _parents(own)[:1] if own else ("HEAD",))


def past(top: Path, since: int) -> Past:
    """That commit, and all others whose content was there before."""
    own = _made(top, since)
    if own is None:
        return Past(top)
    if not own:
        return Past(top, ("HEAD", *_older(top, since, _in_progress(top))))
    rebased = (_BEFORE_A_REBASE,) if _is_fresh(top, _BEFORE_A_REBASE, since) else ()
    return Past(top, tuple(dict.fromkeys((*_parents(own), *_older(top, since, (*_in_progress(top), *rebased))))))


def _parents(own: Mapping[str, list[str]]) -> tuple[str, ...]:
    """Of all these commits together."""
    return tuple(dict.fromkeys(parent for each in own.values() for parent in each if parent not in own))


def _made(top: Path, since: int) -> dict[str, list[str]] | None:
    """The commits made here since then, with their parents, oldest first; None where there is no commit at all.

    What a remote has is somebody else's, unless it was committed under our own name: it may have been pushed.
    """
    if _is_unmoved(top, since):
        return {}
    answer = ask(("log", f"--max-age={since}", "--format=%H %ce %P", "--reverse", "HEAD", "--"), top, seconds=_SECONDS)
    if answer.status != 0:
        return None
    lines = [os.fsdecode(line).split(" ") for line in answer.out.splitlines()]
    if not lines:
        return {}
    local = run(("rev-list", f"--max-age={since}", "HEAD", "--not", "--remotes"), top, seconds=_SECONDS)
    ours = os.fsdecode(ask(("config", "user.email"), top, seconds=_SECONDS).out).strip()
    unpushed = frozenset(os.fsdecode(local).split())
    return {name: [each for each in parents if each] for name, by, *parents in lines if name in unpushed or by == ours}


def _is_unmoved(top: Path, since: int) -> bool:
    """Whether HEAD has certainly stayed where it was: git is not asked when the files that say so are old."""
    own = git_dir(top)
    if own is None:
        return False
    try:
        head = (own / "HEAD").read_text(encoding="utf-8").strip()
        branch = head.removeprefix("ref: ") if head.startswith("ref: ") else ""
        shared = common_dir(own)
        kept = [each for each in (shared / branch, shared / "packed-refs") if branch and each.is_file()]
        return bool(kept or not branch) and all(each.stat().st_ctime < since - 1 for each in (own / "HEAD", *kept))
    except (OSError, UnicodeDecodeError, ValueError):
        return False


def _in_progress(top: Path) -> tuple[str, ...]:
    own = git_dir(top)
    return tuple(name for name in _IN_PROGRESS if own is None or (own / name).exists())


def _older(top: Path, since: int, names: tuple[str, ...]) -> list[str]:
    """Those of the names that stand for a commit from before."""
    if not names:
        return []
    asked = ("log", "--no-walk=unsorted", "--ignore-missing", "--format=%ct %H", *names, "--")
    lines = (line.split(" ") for line in os.fsdecode(ask(asked, top, seconds=_SECONDS).out).splitlines())
    return [name for at, name in lines if int(at) < since]


def _is_fresh(top: Path, name: str, since: int) -> bool:
    """Whether git has set this since then: an old one says nothing about now."""
    own = git_dir(top)
    try:
        return own is not None and (own / name).stat().st_mtime >= since - 1
    except OSError:
        return False


def _names(listed: bytes) -> list[str]:
    return [os.fsdecode(name) for name in listed.split(b"\0") if name]
