"""The files with which git can be made to run other hooks, to show other history, or fewer files than there are."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from vetgate.source.git_settings import values_of

if TYPE_CHECKING:
    from collections.abc import Iterator

# Below the folder that all work trees share. A name that ends in a slash is a folder.
HISTORY = ("refs/replace/", "packed-refs", "info/grafts", "objects/info/alternates")
WORK_TREES = "worktrees"
OWN_CONFIG = "config.worktree"
_MACHINE = Path("/etc/gitconfig")


def other_history(text: str) -> list[str]:
    """What in such a file has git show other history than there is.

    Of packed references only replacements count: the others come and go with the work.
    """
    lines = (line.strip() for line in text.split("\n"))
    told = (line for line in lines if line and line[0] not in "#^")
    return [line for line in told if " refs/" not in line or " refs/replace/" in line]


def repository_configs(git: Path) -> list[Path]:
    """A repository's settings, and those of its work trees."""
    found = [git / "config", git / OWN_CONFIG]
    try:
        names = sorted(os.listdir(git / WORK_TREES))  # noqa: PTH208 - asked for after every command
    except OSError:
        names = []
    return found + [git / WORK_TREES / name / OWN_CONFIG for name in names]


def person_configs(home: Path) -> list[Path]:
    return [home / ".gitconfig", home / ".config" / "git" / "config", _MACHINE]


def included(configs: list[Path], home: Path) -> Iterator[Path]:
    """The files that these take settings from, one step far."""
    for config in configs:
        for name, value in values_of(config):
            if name == "include.path" or (name.startswith("includeif.") and name.endswith(".path")):
                yield _placed(value, config.parent, home)


def hooks_elsewhere(configs: list[Path], root: Path, home: Path) -> Iterator[Path]:
    """The folders that git is told to take hooks from."""
    for config in configs:
        for name, value in values_of(config):
            if name == "core.hookspath" and value:
                yield _placed(value, root, home)


def hiding_elsewhere(configs: list[Path], root: Path, home: Path) -> Iterator[Path]:
    """The files that git is told to take rules from for what it leaves out."""
    for config in configs:
        for name, value in values_of(config):
            if name == "core.excludesfile" and value:
                yield _placed(value, root, home)


def _placed(value: str, base: Path, home: Path) -> Path:
    path = value.strip('"')
    return home / path[2:] if path.startswith("~/") else base / path
