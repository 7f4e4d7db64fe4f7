"""The content of a work tree under one name: what `git write-tree` would say if everything in it were added.

Nothing of the repository is touched: the index is a copy, and what git has to write goes to a folder of its own.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
from pathlib import Path
from typing import NamedTuple

from vetgate.model import UserError
from vetgate.source.git_process import ask
from vetgate.source.root import store_key

_LINK = "gitdir:"


class Content(NamedTuple):
    """`names` are the files in it: tracked ones, and untracked ones that are not ignored."""

    id: str
    names: tuple[str, ...]


class Changes(NamedTuple):
    """Files that are other than they were, and those that are gone."""

    files: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()


def content(root: Path, seconds: float) -> Content | None:
    """None without git, or when it does not answer in time."""
    if not (root / ".git").exists():
        return None
    with contextlib.suppress(UserError, OSError), tempfile.TemporaryDirectory(prefix="vetgate-") as folder:
        return _content(root, Path(folder), seconds)
    return None


def _content(root: Path, folder: Path, seconds: float) -> Content | None:
    index, objects = folder / "index", folder / "objects"
    objects.mkdir()
    with contextlib.suppress(FileNotFoundError):  # nothing was ever added
        shutil.copyfile(_git_folder(root) / "index", index)
    elsewhere = {
        "GIT_OBJECT_DIRECTORY": os.fspath(objects),
        "GIT_ALTERNATE_OBJECT_DIRECTORIES": os.fspath(store_key(root) / "objects"),
    }
    answers = (
        ask(args, root, index=index, seconds=seconds, variables=elsewhere)
        for args in (("add", "--all", "--", "."), ("write-tree",), ("ls-files", "-z"))
    )
    told = []
    for answer in answers:
        if answer.status != 0:
            return None
        told.append(answer.out)
    _, tree, names = told
    return Content(tree.decode("ascii").strip(), tuple(os.fsdecode(name) for name in names.split(b"\0") if name))


def _git_folder(root: Path) -> Path:
    """Of this work tree alone: its index lies there."""
    dot_git = root / ".git"
    if dot_git.is_dir():
        return dot_git
    return root / dot_git.read_text(encoding="utf-8").removeprefix(_LINK).strip()


def changes(root: Path, base: str | None, seconds: float) -> Changes:
    """What differs from a commit, untracked files included; everything where `base` is None."""
    since = ("diff", "--name-only", "-z", "--no-renames", "--no-ext-diff", "--ignore-submodules=all", base or "", "--")
    others = ("ls-files", "-z", "--others", "--exclude-standard")
    asked = (since, others) if base else (("ls-files", "-z"), others)
    names: set[str] = set()
    with contextlib.suppress(UserError):
        for args in asked:
            answer = ask(args, root, seconds=seconds)
            names.update(os.fsdecode(name) for name in answer.out.split(b"\0") if name and answer.status == 0)
    there = {name for name in names if os.path.lexists(root / name)}
    return Changes(tuple(sorted(there)), tuple(sorted(names - there)))


def ignored(root: Path, names: tuple[str, ...], seconds: float) -> frozenset[str]:
    """Which of these git is told to leave alone."""
    given = b"\0".join(os.fsencode(name) for name in names)
    try:
        answer = ask(("check-ignore", "-z", "--stdin"), root, stdin=given, seconds=seconds)
    except UserError:
        return frozenset()
    return frozenset(os.fsdecode(name) for name in answer.out.split(b"\0") if name)
