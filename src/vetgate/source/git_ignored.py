"""What git is told to leave alone, and since when it was."""

from __future__ import annotations

import contextlib
import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from vetgate.model import UserError
from vetgate.source.git_base import base_commits
from vetgate.source.git_process import ask
from vetgate.source.git_rules import ignored, index_identity, rules_of
from vetgate.source.git_tree import head

if TYPE_CHECKING:
    from vetgate.source.git_base import Start
    from vetgate.source.git_rules import Identity

_SECONDS = 2.0
_ADDED = "A"
# Folders that nobody lints, and what lies in those that git looks at: of more git is asked each time.
_MOST_FOLDERS, _MOST_FILES = 500, 2_000
_SESSIONS = 64


def is_covered(root: Path, path: str, start: Start) -> bool:
    """Whether a rule from before the session keeps this path out of git, and git does not know the file.

    False when git has no answer, for then nobody can say that the file never leaves the machine.
    """
    if path.startswith("/") or "\0" in path or not (root / ".git").exists():
        return False
    try:
        answer = ask(("check-ignore", "-v", "-z", "--stdin"), root, stdin=os.fsencode(path), seconds=_SECONDS)
        source, _, rule = (*(os.fsdecode(each) for each in answer.out.split(b"\0")[:3]), "", "", "")[:3]
        # Git also names the rule that takes a file back in.
        return bool(source) and not rule.startswith("!") and _was_there(root, source, rule, start)
    except UserError:
        return False


def _was_there(root: Path, source: str, rule: str, start: Start) -> bool:
    file = root / Path(source).expanduser()
    try:
        if file.lstat().st_ctime_ns < start.at:
            return True
    except OSError:
        return False
    if not file.is_relative_to(root):
        return False
    text = base_commits(root, start).base_text(file.relative_to(root).as_posix())
    return rule in (line.strip() for line in (text or "").splitlines())


class AddedIgnored(NamedTuple):
    """New files in the index that a rule ignores; all that differs from a commit, or that git does not know yet.

    It is not `whole` where git did not answer everything.
    """

    against_the_rules: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    whole: bool = True


def find_added_ignored(root: Path, commit: str) -> AddedIgnored:
    # Not `git diff`: that writes the index anew where a file was only touched, and then it would be asked again.
    compared = ("diff-index", "--name-status", "-z", "--no-renames", "--ignore-submodules=all", commit, "--")
    # Both look at every file of the tree, so they do it at the same time.
    with ThreadPoolExecutor(1, thread_name_prefix="ignored") as aside:
        others = aside.submit(_names, ("ls-files", "-z", "--others", "--exclude-standard"), root)
        differs = _names(compared, root)
        told = iter(differs or ())
        changed = {path: status for status, path in zip(told, told, strict=False)}
        covered: tuple[str, ...] | None = ()
        if _ADDED in changed.values():
            covered = _names(("ls-files", "-z", "--cached", "--ignored", "--exclude-standard"), root)
        unknown = others.result()
    against = tuple(path for path in covered or () if changed.get(path) == _ADDED)
    return AddedIgnored(against, (*changed, *(unknown or ())), None not in (differs, covered, unknown))


def _names(args: tuple[str, ...], root: Path) -> tuple[str, ...] | None:
    """None where git had no answer."""
    answer = ask(args, root, seconds=_SECONDS)
    if answer.status != 0:
        return None
    return tuple(name for name in answer.names if not name.endswith("/"))


class _Unlinted(NamedTuple):
    """All that git's answer about the folders that nobody lints depends on, told without asking it."""

    commit: str
    listed: Identity
    rules: dict[str, Identity]
    files: dict[str, tuple[int, ...]]


@dataclass
class AddedIgnoredMemory:
    """What git said to each session, as long as it would say the same of the folders that nobody lints.

    Of what lies elsewhere whoever asks learns by other means, and calls `forget` where rules have changed.
    """

    root: Path
    _told: dict[str, tuple[_Unlinted | None, Identity, AddedIgnored]] = field(default_factory=dict)
    _tracked: tuple[object, tuple[str, ...] | None] = ((), None)

    def forget(self, session: str) -> None:
        self._told.pop(session, None)

    def has_new_index(self, session: str) -> bool:
        """Whether git's list has changed since this session asked, or it never did."""
        index = index_identity(self.root)
        return bool(index) and (session not in self._told or self._told[session][1] != index)

    def find(self, session: str, commit: str, folders: tuple[str, ...] | None) -> AddedIgnored:
        """`folders` are all that nobody lints; None where nobody knows them, and git is asked each time."""
        index = index_identity(self.root)
        now = self._unlinted(commit, index, folders) if folders is not None else None
        told = self._told.get(session)
        if now is not None and told is not None and told[0] == now:
            return told[2]
        found = find_added_ignored(self.root, commit)
        if len(self._told) > _SESSIONS:
            self._told.clear()
        self._told[session] = (now if found.whole else None, index, found)
        return found

    def _unlinted(self, commit: str, index: Identity, folders: tuple[str, ...]) -> _Unlinted | None:
        """None where that takes more than a look at a few files."""
        base = head(self.root) if commit == "HEAD" else commit
        rules = rules_of(self.root, folders)
        if not base or rules is None or len(folders) > _MOST_FOLDERS:
            return None
        left_alone = ignored(self.root, folders, _SECONDS) if folders else frozenset()
        known = self._known_in(tuple(sorted(left_alone)), index)
        if known is None:
            return None
        files = _files_in(self.root, [each for each in folders if each not in left_alone], known)
        return None if files is None else _Unlinted(base, index, rules, files)

    def _known_in(self, folders: tuple[str, ...], index: Identity) -> tuple[str, ...] | None:
        """Files that git knows although it is told to leave their folder alone."""
        if not folders:
            return ()
        if self._tracked[0] != (folders, index) or self._tracked[1] is None:
            asked = ("--literal-pathspecs", "ls-files", "-z", "--", *folders)
            self._tracked = (folders, index), _names(asked, self.root)
        return self._tracked[1]


def _files_in(root: Path, folders: list[str], more: tuple[str, ...]) -> dict[str, tuple[int, ...]] | None:
    """All below these folders, and more beside them; None where they are too many to be looked at each time."""
    found = {name: _entry_identity(root / name) for name in (*folders, *more)}
    pending = list(folders)
    while pending:
        here = pending.pop()
        with contextlib.suppress(OSError), os.scandir(root / here) as entries:
            for entry in entries:
                found[f"{here}/{entry.name}"] = _entry_identity(entry)
                if entry.is_dir(follow_symlinks=False):
                    pending.append(f"{here}/{entry.name}")
        if len(found) > _MOST_FILES:
            return None
    return found


def _entry_identity(entry: os.DirEntry[str] | Path) -> tuple[int, ...]:
    try:
        status = entry.lstat() if isinstance(entry, Path) else entry.stat(follow_symlinks=False)
    except OSError:
        return ()
    return status.st_mode, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns
