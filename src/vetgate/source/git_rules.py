"""What git is told to leave alone: it is asked once, as long as nothing has changed that its answer depends on."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from vetgate.model import UserError
from vetgate.source.git_process import ask, plain_environment
from vetgate.source.git_settings import file_identity, settings_files, values_in_force
from vetgate.source.recent_sets import RecentValues
from vetgate.source.root import common_dir, git_dir

if TYPE_CHECKING:
    from collections.abc import Iterable

    Identity = tuple[object, ...]

IGNORE_FILE = ".gitignore"
_EXCLUDES = "core.excludesfile"
# What stands for itself in git's settings and needs no reader: no quotes, comments, escapes, variables.
_NOT_PLAIN = frozenset("\"'\\#;%$")
_KEPT = 4_000
_answers: RecentValues[tuple[str, str], tuple[Identity, bool]] = RecentValues(_KEPT)


def ignored(root: Path, names: tuple[str, ...], seconds: float) -> frozenset[str]:
    """Which of these git is told to leave alone; what it knows already, it is not."""
    states = rules_of(root, names) or {}
    known = {name: _known(root, name, states) for name in names}
    asked = tuple(name for name, answer in known.items() if answer is None)
    found = _asked(root, asked, seconds) if asked else frozenset()
    if found is not None:
        for name in asked:
            if name in states:
                _answers.put((str(root), name), (states[name], name in found))
    return frozenset(name for name, answer in known.items() if answer) | (found or frozenset())


def is_ignored(root: Path, path: Path) -> bool:
    """Of one file or folder, asked anew; False where git cannot say it."""
    return ask(("check-ignore", "-q", "--", os.fspath(path)), root).status == 0


def _known(root: Path, name: str, states: dict[str, Identity]) -> bool | None:
    found = _answers.get((str(root), name))
    return found[1] if found is not None and found[0] == states.get(name) else None


def _asked(root: Path, names: tuple[str, ...], seconds: float) -> frozenset[str] | None:
    """None where git did not answer."""
    given = b"\0".join(os.fsencode(name) for name in names)
    try:
        answer = ask(("check-ignore", "-z", "--stdin"), root, stdin=given, seconds=seconds)
    except UserError:
        return None
    if answer.status not in {0, 1}:
        return None
    return frozenset(answer.names)


def rules_of(root: Path, names: Iterable[str]) -> dict[str, Identity] | None:
    """For each name all that git's answer depends on, told without reading; None where more than this may count."""
    own = git_dir(root)
    shared = _shared(own) if own else None
    if own is None or shared is None:
        return None
    found: dict[str, Identity] = {"": ()}
    # Of a file it also matters whether git knows it; a folder it never does.
    index = (file_identity(own / "index"),)
    of_kind = {name: () if os.path.isdir(root / name) else index for name in names}  # noqa: PTH112
    return {name: (shared, kind, *_above(root, name, found)) for name, kind in of_kind.items()}


def index_identity(root: Path) -> Identity:
    """Of git's list of what it knows; nothing where there is none."""
    own = git_dir(root)
    return file_identity(own / "index") if own else ()


def _above(root: Path, name: str, found: dict[str, Identity]) -> Identity:
    """The rules in the folders that it lies in, from the root on."""
    folder = name.rstrip("/").rpartition("/")[0]
    if folder not in found or not found[folder]:
        above = _above(root, folder, found) if folder else ()
        found[folder] = (*above, file_identity(root / folder / IGNORE_FILE))
    return found[folder]


def _shared(own: Path) -> Identity | None:
    """Of every name: the settings, and the rules beside those of the folders."""
    environment = plain_environment()
    files = settings_files(own, environment)
    values = values_in_force(files)
    named = {value for key, value in values or () if key == _EXCLUDES}
    if values is None or any(_NOT_PLAIN.intersection(each) or not each.startswith(("/", "~/")) for each in named):
        return None
    home = environment.get("HOME", "")
    places = (home + each.removeprefix("~") if each.startswith("~") else each for each in named)
    usual = environment.get("XDG_CONFIG_HOME") or f"{home}/.config"
    more = (Path(usual) / "git/ignore", *map(Path, sorted(places)))
    return tuple(map(file_identity, (*files, *more, common_dir(own) / "info/exclude")))
