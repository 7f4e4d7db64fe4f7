"""Every question to git in one place: the index, the work tree and refs as a `Change`. Nothing here writes."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from vetgate.model import Change, UserError
from vetgate.source import git_changes, git_objects
from vetgate.source.disk import Listing, closed_to_git, sorted_out
from vetgate.source.git_objects import points_to
from vetgate.source.git_process import TIMEOUT, GitAnswer, ask, failed, index_of_hook, names_in, run
from vetgate.source.git_refs import commit_named, commits_named
from vetgate.source.root import common_dir

if TYPE_CHECKING:
    from collections.abc import Iterable

# Neither links nor submodules.
_PLAIN = frozenset({b"100644", b"100755"})
# What git calls no files at all; every repository knows it, those of SHA-256 by another name.
EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
_EMPTY_TREE_OF_SHA256 = "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321"
# What a branch is meant to go into, the first of them that there is.
TRUNKS = ("origin/HEAD", "origin/main", "origin/master", "main", "master", "trunk")


class GitFileNames(NamedTuple):
    """Files that git has in its index or could take in, and those of them that it does not know."""

    every: tuple[str, ...]
    untracked: tuple[str, ...]


class BranchPoint(NamedTuple):
    """HEAD's commit, what it is compared with, and the commit at which it left that."""

    head: str
    base: str
    fork: str


class _IndexEntry(NamedTuple):
    name: bytes
    committed: bytes
    may_be_same: bool


def dirty(top: Path, seconds: float) -> tuple[bytes, ...] | None:
    """Their names; None without a commit to compare with."""
    answer = ask(("diff-index", "-z", "--no-renames", "--ignore-submodules=all", "HEAD", "--"), top, seconds=seconds)
    if answer.status != 0:
        return None
    fields = answer.out.split(b"\0")
    entries = [_entry(head, name) for head, name in zip(fields[::2], fields[1::2], strict=False)]
    same = _same(top, [entry for entry in entries if entry.may_be_same], seconds)
    return tuple(entry.name for entry in entries if entry.name not in same)


def _entry(head: bytes, name: bytes) -> _IndexEntry:
    """`:100644 100644 <committed> <now> M`; nothing but zeros for what git would have to read."""
    was, now, committed, held, how = head.removeprefix(b":").split(b" ")
    is_plain = was == now and was in _PLAIN and b"\n" not in name and not name.startswith(b'"')
    return _IndexEntry(name, committed, how == b"M" and not held.strip(b"0") and is_plain)


def _same(top: Path, entries: list[_IndexEntry], seconds: float) -> frozenset[bytes]:
    if not entries:
        return frozenset()
    names = b"".join(entry.name + b"\n" for entry in entries)
    answer = ask(("hash-object", "--no-filters", "--stdin-paths"), top, stdin=names, seconds=seconds)
    if answer.status != 0:  # one of them is gone by now
        return frozenset()
    pairs = list(zip(entries, answer.out.split(), strict=False))
    same = {entry.name for entry, found in pairs if found == entry.committed}
    return frozenset(same) | _pointed_to(top, [entry for entry, _ in pairs if entry.name not in same], seconds)


def _pointed_to(top: Path, entries: list[_IndexEntry], seconds: float) -> frozenset[bytes]:
    committed = git_objects.read(tuple(os.fsdecode(entry.committed) for entry in entries), top, seconds)
    pairs = zip(entries, committed, strict=True)
    return frozenset(entry.name for entry, data in pairs if points_to(data, top / os.fsdecode(entry.name)))


_NAMES = ("diff", "--name-only", "-z", "--no-renames", "--no-ext-diff", "--no-textconv", "--ignore-submodules=all")
_OTHERS = ("ls-files", "-z", "--others", "--exclude-standard")
_LITERAL = "--literal-pathspecs"  # a folder called `[id]` is a folder, not a pattern; check-ignore knows no patterns


@dataclass(frozen=True, slots=True)
class Repository:
    """A work tree. `common` is the git directory that all work trees of one clone share."""

    top: Path
    common: Path
    seconds: float = TIMEOUT

    def files(self, under: str = "") -> tuple[str, ...]:
        return self.listing(under).files

    def listing(self, under: str = "") -> Listing:
        """Tracked files and untracked ones that are not ignored, relative to `top`; not what is missing on disk."""
        wanted = ("--cached", "--others", "--exclude-standard", "--", under or ".")
        answer = ask((_LITERAL, "ls-files", "-z", *wanted), self.top)
        if answer.status != 0:
            raise failed("ls-files", answer, self.top)
        names = sorted({*answer.names})
        return sorted_out(self.top, names, closed_to_git(answer.error))

    def names(self) -> GitFileNames:
        """By one question; some of the tracked ones may be missing on disk."""
        lines = run(("ls-files", "-t", "-z", "--cached", "--others", "--exclude-standard"), self.top).split(b"\0")
        tagged = [(line[:1], os.fsdecode(line[2:])) for line in lines if line]
        return GitFileNames(tuple(name for _, name in tagged), tuple(name for tag, name in tagged if tag == b"?"))

    def tracked(self, names: Iterable[str]) -> frozenset[str]:
        """Which of these files git has in its index."""
        answer = ask((_LITERAL, "ls-files", "-z", "--", *names), self.top)
        return frozenset(answer.names)

    def ignores(self, folder: Path) -> bool:
        """Whether git is told to leave this folder alone."""
        if folder == self.top:
            return False
        answer = ask(("check-ignore", "-q", "--", os.fspath(folder)), self.top)
        if answer.status not in {0, 1}:
            raise failed("check-ignore", answer, self.top)
        return answer.status == 0

    def head(self, path: str) -> bytes | None:
        """A file's content in the last commit; None if it is not there, or there is no commit yet."""
        if "\n" not in path:
            return git_objects.read((f"HEAD:{path}",), self.top, self.seconds)[0]
        if not commit_named(self.top, "HEAD"):
            return None
        entry = run((_LITERAL, "ls-tree", "-z", "HEAD", "--", path), self.top)
        oid = os.fsdecode(entry.partition(b"\t")[0]).rpartition(" ")[2]
        return git_objects.read((oid,), self.top)[0] if oid else None

    def uncommitted(self) -> tuple[str, ...]:
        """Files that differ from the last commit, missing ones among them, and those that git does not know.

        Of what it is told to ignore only single files: folders are full of what programs make.
        """
        changed = dirty(self.top, self.seconds)
        if changed is None:  # no commit yet
            changed = tuple(ask(("ls-files", "-z"), self.top, seconds=self.seconds).out.split(b"\0"))
        unknown = ask(_OTHERS, self.top, seconds=self.seconds)
        ignored = ask((*_OTHERS, "--ignored", "--directory"), self.top, seconds=self.seconds)
        names = (*changed, *(unknown.out + ignored.out).split(b"\0"))
        return tuple(dict.fromkeys(os.fsdecode(name) for name in names if name and not name.endswith(b"/")))

    def changed_names(self, scope: str, base: str) -> tuple[str, ...]:
        """`staged` is the index, `changed` all since the last commit, everything else all since `base` was left."""
        compared = {"staged": ("--cached",), "changed": ("HEAD",)}.get(scope) or (self.fork(base),)
        answer = ask((*_NAMES, *compared, "--"), self.top, seconds=self.seconds)
        if answer.status != 0:
            raise failed("diff", answer, self.top)
        untracked = () if scope == "staged" else ask(_OTHERS, self.top, seconds=self.seconds).names
        return tuple(sorted({*answer.names, *untracked}))

    def mentioning(self, word: str, suffix: str, *, committed: bool) -> tuple[str, ...]:
        """Files with this suffix in which the word stands: of the last commit, or of the work tree."""
        where = ("-e", word, "HEAD") if committed else ("--untracked", "-e", word)
        args = ("grep", "-l", "-z", "-F", "-w", *where, "--", f":(glob)**/*{suffix}")
        answer = ask(args, self.top, seconds=self.seconds)
        return tuple(path.removeprefix("HEAD:") for path in answer.names)

    def staged(self, index: Path | None = None) -> Change:
        """What the next commit would change: the index against HEAD, the work tree left alone."""
        index = index or index_of_hook(self.common)
        raw = run((*git_changes.RAW, "--cached"), self.top, index=index)
        return git_changes.from_index(self.top, raw)

    def since(self, base: str) -> Change:
        """What this work tree changes compared with where it left `base`, untracked files included."""
        return self.changed_since(self.fork(base))

    def changed_since(self, fork: str, untracked: Iterable[str] | None = None) -> Change:
        """What it changes compared with a commit; `untracked` are the files that git does not know, where known."""
        is_longer = fork == EMPTY_TREE and len(commit_named(self.top, "HEAD")) > len(EMPTY_TREE)
        raw = run((*git_changes.RAW, _EMPTY_TREE_OF_SHA256 if is_longer else fork), self.top)
        others = names_in(run(_OTHERS, self.top)) if untracked is None else untracked
        return git_changes.from_work_tree(self.top, raw, others, fork)

    def trunk(self) -> str:
        """What this branch is meant to go into: the remote's default, a branch by a usual name, else HEAD itself."""
        return self._trunk(commits_named(self.top, TRUNKS))

    @staticmethod
    def _trunk(commits: Iterable[str]) -> str:
        return next((name for name, commit in zip(TRUNKS, commits, strict=True) if commit), "HEAD")

    def fork(self, base: str) -> str:
        """The commit at which this branch left `base`; the empty tree is where every branch began."""
        return self._forked(base, *commits_named(self.top, ("HEAD", base)))

    def left(self, base: str = "") -> BranchPoint:
        """Where this branch left `base`, or what it is meant to go into."""
        head, *commits = commits_named(self.top, ("HEAD", *((base,) if base else TRUNKS)))
        if not base:
            base = self._trunk(commits)
            commits.append(head)
        return BranchPoint(head, base, self._forked(base, head, next(filter(None, commits), "")))

    def _forked(self, base: str, head: str, commit: str) -> str:
        if not head:
            raise UserError(f"there is no commit yet in {self.top}", hint="commit first, or `vetgate check` the files")
        if base == EMPTY_TREE:
            return base
        if commit == head:
            return head
        if not commit:
            raise UserError(
                f"git knows no commit called {base!r} in {self.top}",
                hint="name a branch, a tag or a commit; a remote branch may have to be fetched first",
            )
        answer = ask(("merge-base", commit, "HEAD"), self.top)
        if answer.status != 0:
            raise UserError(
                f"{base!r} and HEAD have no common ancestor in {self.top}",
                hint="a shallow clone may have cut it off: git fetch --unshallow",
            )
        return os.fsdecode(answer.out).split("\n", 1)[0]


def find(start: Path) -> Repository | None:
    """The repository around a path (which need not exist yet), or None outside of any."""
    folder = _nearest_folder(start)
    asked = ("rev-parse", "--path-format=absolute", "--show-toplevel", "--is-inside-work-tree", "--git-common-dir")
    answer = ask(asked, folder)
    if answer.status == 0:
        top, _, common = answer.out.removesuffix(b"\n").partition(b"\ntrue\n")
        return Repository(Path(os.fsdecode(top)), Path(os.fsdecode(common)))
    if "not a git repository" in answer.error:
        return None
    raise _unusable(answer, folder)


def of_hook(cwd: Path) -> Repository | None:
    """The repository whose hook git runs: `--git-dir` and `--work-tree` may have led it elsewhere."""
    found = find(cwd)
    named = os.environ.get("GIT_DIR")
    own = (cwd / named).resolve() if named else None
    if own is None or (found is not None and found.common.resolve() == common_dir(own)):
        return found
    try:
        linked = (own / "gitdir").read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError):
        linked = os.fspath(own)
    return find(Path(linked).parent) or found


def open_at(start: Path) -> Repository:
    repository = find(start)
    if repository is None:
        raise UserError(f"{start} is not in a git repository", hint="name the files to check: vetgate check PATH")
    return repository


def _unusable(answer: GitAnswer, folder: Path) -> UserError:
    if "must be run in a work tree" in answer.error:
        return UserError(
            f"{folder} belongs to a git repository without a work tree", hint="go to a work tree of this repository"
        )
    return failed("rev-parse", answer, folder)


def _nearest_folder(start: Path) -> Path:
    return next((folder for folder in (start, *start.absolute().parents) if folder.is_dir()), Path("/"))
