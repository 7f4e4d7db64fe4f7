"""Which commits hold what stood in a work tree before a moment: commits made since then do not count.

A command can write a file and commit it in one go; compared with HEAD nothing would have changed.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from vetgate.source.disk import file_identity
from vetgate.source.git_process import ask, names_in, run
from vetgate.source.git_refs import came_from_remotes, fetched_heads
from vetgate.source.git_tree import head, texts
from vetgate.source.recent_sets import RecentValues
from vetgate.source.root import common_dir, git_dir

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from vetgate.source.git_process import GitAnswer

# What git is in the middle of bringing in was there before, too.
_IN_PROGRESS = ("MERGE_HEAD", "CHERRY_PICK_HEAD", "REBASE_HEAD")
_BEFORE_A_REBASE = "ORIG_HEAD"
_HEAD = "HEAD"
_SECONDS = 2.0
_KEPT = 64
_LISTED: RecentValues[tuple[object, ...], GitAnswer] = RecentValues(_KEPT)
_NAMES = ("diff", "--name-only", "-z", "--no-renames", "--no-ext-diff", "--ignore-submodules=all")


@dataclass(frozen=True, slots=True)
class BaseCommits:
    """The commits that hold what stood there; `base` is the one to compare with, "" where nothing stood there."""

    top: Path
    commits: tuple[str, ...] = ()
    base: str = ""

    def texts(self, paths: Sequence[str]) -> list[tuple[str | None, ...]]:
        """For each path its text in each of the commits; a name must not hold a line break."""
        return texts(self.top, self.commits, paths)

    def base_text(self, path: str) -> str | None:
        return texts(self.top, (self.base,), (path,))[0][0] if self.base else None

    def clean(self) -> frozenset[str]:
        """The files of the index that are as one of the commits has them, by git's own quick comparison."""
        names = frozenset(names_in(run(("ls-files", "-z"), self.top, seconds=_SECONDS)))
        dirty = [frozenset(names_in(run((*_NAMES, each), self.top, seconds=_SECONDS))) for each in self.commits]
        return frozenset().union(*(names - each for each in dirty))

    def missing(self) -> tuple[str, ...]:
        """Files of the first commit that are not on disk any more."""
        if not self.commits:
            return ()
        args = ("diff-index", "-z", "--name-only", "--diff-filter=D", "--no-renames", "--ignore-submodules=all")
        return tuple(ask((*args, self.commits[0], "--"), self.top, seconds=_SECONDS).names)


class Start(NamedTuple):
    """When a session began, in nanoseconds, and what the refs of a repository named then, HEAD first.

    None where nobody looked in time: then there are only the dates that commits give themselves.
    """

    at: int
    tips: tuple[str, ...] | None = None

    @property
    def second(self) -> int:
        """The first one that is after it: git counts in seconds."""
        return self.at // 1_000_000_000 + 1


def base_commits(top: Path, start: Start) -> BaseCommits:
    """The one commit to compare with, and all others whose content was there; raises UserError without an answer."""
    own = git_dir(top)
    made = _made(top, own, start)
    if made is None:
        return BaseCommits(top)
    if not made:
        return BaseCommits(top, (_HEAD, *_older(top, own, start, _in_progress(own))), _HEAD)
    rebased = (_BEFORE_A_REBASE,) if _is_fresh(own, _BEFORE_A_REBASE, start.second) else ()
    older = _older(top, own, start, (*_in_progress(own), *rebased))
    parents = _parents(made)
    return BaseCommits(top, tuple(dict.fromkeys((*parents, *older, *(start.tips or ())[:1]))), next(iter(parents), ""))


def is_younger(top: Path, moment: int) -> bool:
    """Whether a repository was made since then: nothing in its own folder is older."""
    own = git_dir(top)
    try:
        return own is not None and all(each.stat().st_ctime_ns >= moment for each in os.scandir(own))
    except OSError:
        return False


def _parents(made: Mapping[str, list[str]]) -> tuple[str, ...]:
    """Of all these commits together."""
    return tuple(dict.fromkeys(parent for each in made.values() for parent in each if parent not in made))


def _made(top: Path, own: Path | None, start: Start) -> dict[str, list[str]] | None:
    """The commits made here since then, with their parents, oldest first; None where there is no commit at all.

    What was there when the session began is not the session's, nor what was fetched since. The dates of commits say
    nothing: whoever makes one chooses them.
    """
    if _is_unmoved(own, start.second):
        return {}
    if start.tips is None:
        return _dated(top, start.second)
    answer = _listed(top, own, ("--parents", "--reverse"), head(top) or _HEAD, start)
    if answer.status != 0:
        return None
    lines = (os.fsdecode(line).split(" ") for line in answer.out.splitlines())
    return {name: parents for name, *parents in lines}


def _listed(top: Path, own: Path | None, how: tuple[str, ...], name: str, start: Start) -> GitAnswer:
    """What a commit leads to, without what was there before and what came from a remote since.

    Between two commits lies the same whenever git is asked, so it is asked once.
    """
    fetched = (tip.id for tip in came_from_remotes(top, start.at) if not tip.is_pushed)
    asked = "".join(
        (f"{name}\n", *(f"^{each}\n" for each in dict.fromkeys((*(start.tips or ()), *fetched, *fetched_heads(top)))))
    )
    state = (str(top), how, asked, file_identity(common_dir(own) / "shallow") if own else ())
    known = _LISTED.get(state)
    if known is None:
        args = ("rev-list", "--ignore-missing", *how, "--stdin")
        known = ask(args, top, stdin=asked.encode("ascii"), seconds=_SECONDS)
        if name != _HEAD and known.status == 0:
            _LISTED.put(state, known)
    return known


def _dated(top: Path, since: int) -> dict[str, list[str]] | None:
    """What a remote has is somebody else's, unless it was committed under our own name: it may have been pushed."""
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


def _is_unmoved(own: Path | None, since: int) -> bool:
    """Whether HEAD has certainly stayed where it was: git is not asked when the files that say so are old."""
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


def _in_progress(own: Path | None) -> tuple[str, ...]:
    return tuple(name for name in _IN_PROGRESS if own is None or (own / name).exists())


def _older(top: Path, own: Path | None, start: Start, names: tuple[str, ...]) -> list[str]:
    """Those of the names that stand for a commit from before."""
    if not names:
        return []
    asked = ("log", "--no-walk=unsorted", "--ignore-missing", "--format=%ct %H", *names, "--")
    lines = (line.split(" ") for line in os.fsdecode(ask(asked, top, seconds=_SECONDS).out).splitlines())
    if start.tips is None:
        return [name for at, name in lines if int(at) < start.second]
    return [name for _, name in lines if not _listed(top, own, ("--max-count=1",), name, start).out.strip()]


def _is_fresh(own: Path | None, name: str, since: int) -> bool:
    """Whether git has set this since then: an old one says nothing about now."""
    try:
        return own is not None and (own / name).stat().st_mtime >= since - 1
    except OSError:
        return False
