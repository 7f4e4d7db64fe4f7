"""What git is told to leave alone, and since when it was."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from vetgate.model import UserError
from vetgate.source.git_base import base_commits
from vetgate.source.git_process import ask

if TYPE_CHECKING:
    from vetgate.source.git_base import Start

EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
_SECONDS = 2.0
_ADDED = "A"


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
    texts = base_commits(root, start).texts([file.relative_to(root).as_posix()])[0]
    return any(rule in (line.strip() for line in text.splitlines()) for text in texts if text)


class AddedIgnored(NamedTuple):
    """New files in the index that a rule ignores; all that differs from a commit, or that git does not know yet."""

    against_the_rules: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()


def find_added_ignored(root: Path, commit: str) -> AddedIgnored:
    compared = ("diff", "--name-status", "-z", "--no-renames", "--no-ext-diff", "--ignore-submodules=all", commit)
    # Both look at every file of the tree, so they do it at the same time.
    with ThreadPoolExecutor(1, thread_name_prefix="ignored") as aside:
        others = aside.submit(_names, ("ls-files", "-z", "--others", "--exclude-standard"), root)
        told = iter(_names(compared, root))
        changed = {path: status for status, path in zip(told, told, strict=False)}
        covered: tuple[str, ...] = ()
        if _ADDED in changed.values():
            covered = _names(("ls-files", "-z", "--cached", "--ignored", "--exclude-standard"), root)
        unknown = others.result()
    return AddedIgnored(tuple(path for path in covered if changed.get(path) == _ADDED), (*changed, *unknown))


def _names(args: tuple[str, ...], root: Path) -> tuple[str, ...]:
    answer = ask(args, root, seconds=_SECONDS)
    listed = answer.out.split(b"\0") if answer.status == 0 else ()
    return tuple(os.fsdecode(name) for name in listed if name and not name.endswith(b"/"))
