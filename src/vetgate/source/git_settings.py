"""Git's settings as they stand in its files, which of them our git does not obey, and which files can mislead git.

Whoever can write to `.git/config` names programs that git starts on its own: filters, hooks, file system monitors.
Looking at a repository must run none of them, whether or not somebody accepted it.
"""

from __future__ import annotations

import os
import re
import threading
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from vetgate.source.disk import file_identity
from vetgate.source.root import common_dir, git_dir

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    Settings = tuple[tuple[str, str], ...]


_SECTION = re.compile(r'^\[\s*([\w.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\s*\]')
_VALUE = re.compile(r"^([A-Za-z][\w-]*)\s*(?:=\s*(.*))?$")
_MOST_BYTES = 1_000_000


_OFF = frozenset({"false", "no", "off", "0", "never"})


def keeps_no_log(name: str, value: str) -> bool:
    """With this git writes down nothing of what moves its refs, or where nobody looks for it."""
    said = value.strip('"').lower()
    return (name == "core.logallrefupdates" and said in _OFF) or (name == "extensions.refstorage" and said != "files")


def values_in(text: str) -> Iterator[tuple[str, str]]:
    """Names in small letters, `section.part.key`, and their values; a line that goes on is put together."""
    section = ""
    for line in text.replace("\\\n", "").split("\n"):
        stripped = line.strip()
        head = _SECTION.match(stripped)
        if head:
            section = head[1].lower() + (f".{head[2]}" if head[2] else "")
            stripped = stripped[head.end() :].strip()
        value = _VALUE.match(stripped)
        if value and section:
            yield f"{section}.{value[1].lower()}", (value[2] or "").strip()


def values_of(file: Path) -> tuple[tuple[str, str], ...]:
    """Of a file; nothing where there is none. Read again when it has changed."""
    try:
        status = file.stat()
    except (OSError, ValueError):
        return ()
    return _read(os.fspath(file), status.st_mtime_ns, status.st_size) if status.st_size < _MOST_BYTES else ()


def values_in_force(files: Iterable[Path]) -> Settings | None:
    """Of several files; None where they name others, which may change unseen, or are too large to be read."""
    found: list[tuple[str, str]] = []
    for file in files:
        status = file_identity(file)
        if status and status[2] >= _MOST_BYTES:
            return None
        found += values_of(file)
    return None if any(_INCLUDE.fullmatch(os.fsencode(key)) for key, _ in found) else tuple(found)


@lru_cache(maxsize=32)
def _read(file: str, _changed: int, _size: int) -> tuple[tuple[str, str], ...]:
    try:
        with open(file, encoding="utf-8-sig", errors="replace") as opened:  # noqa: PTH123
            return tuple(values_in(opened.read()))
    except OSError:
        return ()


# All but where the hooks are: where git itself would look for them is a question that we ask.
SEES_THE_HOOKS: Settings = (
    ("core.quotepath", "false"),
    # Programs.
    ("core.fsmonitor", "false"),
    ("core.pager", "cat"),
    ("core.askpass", ""),
    ("credential.helper", ""),
    ("log.showsignature", "false"),
    ("gc.auto", "0"),
    ("maintenance.auto", "false"),
    # What stands in for the objects themselves, and can be written by anybody.
    ("core.usereplacerefs", "false"),
    ("core.commitgraph", "false"),
    ("core.multipackindex", "false"),
    # What keeps git from seeing that a file changed.
    ("core.ignorestat", "false"),
    ("core.trustctime", "true"),
    ("core.checkstat", "default"),
    ("core.untrackedcache", "false"),
    # What changes which files it names, and in what order.
    ("submodule.recurse", "false"),
    ("diff.ignoresubmodules", "all"),
    ("diff.orderfile", os.devnull),
)
ALWAYS: Settings = (*SEES_THE_HOOKS, ("core.hookspath", os.devnull))

_FILTER = re.compile(rb"filter\.(.*)\.(clean|smudge|process|required)", re.DOTALL)
_INCLUDE = re.compile(rb"include(?:if\..*)?\.path", re.DOTALL)
_OF_THE_USER = ("HOME", "XDG_CONFIG_HOME", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM")
_MOST = 64


def as_variables(settings: Settings) -> dict[str, str]:
    """As git takes them from the environment: after every file, and without a limit to what a name may hold."""
    keys = {f"GIT_CONFIG_KEY_{number}": key for number, (key, _) in enumerate(settings)}
    values = {f"GIT_CONFIG_VALUE_{number}": value for number, (_, value) in enumerate(settings)}
    return {"GIT_CONFIG_COUNT": str(len(settings)), **keys, **values}


def work_tree(folder: Path) -> str:
    """The folder itself where it is the top of a work tree, so that `core.worktree` and `core.bare` cannot deny it.

    A repository without an index has none: people keep a bare one beside the work trees that belong to it.
    """
    own = git_dir(folder)
    if own is None or not (own / "index").is_file() or not (own / "HEAD").is_file():
        return ""
    return os.fspath(folder.absolute()) if (common_dir(own) / "objects").is_dir() else ""


class Filters:
    """Every filter that some configuration names, switched off; asked of git again once one of the files changed."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, ...], tuple[object, Settings]] = {}
        self._lock = threading.Lock()

    def off(self, cwd: Path, environment: Mapping[str, str], listed: Callable[[], bytes]) -> Settings:
        own = git_dir(cwd)
        if own is None:
            return _off(listed().split(b"\0")[1::2])
        name = (str(cwd), *(environment.get(each, "") for each in _OF_THE_USER))
        files = settings_files(own, environment)
        now = tuple(map(file_identity, files))
        with self._lock:
            known = self._known.get(name)
        if known is not None and known[0] == now:
            return known[1]
        told = listed().split(b"\0")
        found = _off(told[1::2])
        # An included file may change, appear, or count from another branch on.
        if not any(_INCLUDE.fullmatch(key) for key in told[1::2]):
            with self._lock:
                if len(self._known) >= _MOST:
                    self._known.clear()
                self._known[name] = (now, found)
        return found


def _off(keys: Iterable[bytes]) -> Settings:
    matches = (_FILTER.fullmatch(key) for key in dict.fromkeys(keys))
    named = [(os.fsdecode(match[0]), match[2]) for match in matches if match]
    return tuple((key, "false" if what == b"required" else "") for key, what in named)


def settings_files(own: Path, environment: Mapping[str, str]) -> tuple[Path, ...]:
    home = environment.get("HOME", "")
    folder = environment.get("XDG_CONFIG_HOME") or f"{home}/.config"
    known = (environment.get("GIT_CONFIG_GLOBAL"), environment.get("GIT_CONFIG_SYSTEM"))
    users = (f"{home}/.gitconfig", f"{folder}/git/config", "/etc/gitconfig", *filter(None, known))
    return (common_dir(own) / "config", own / "config.worktree", *map(Path, users))


# Below the folder that all work trees share. A name that ends in a slash is a folder.
HISTORY = ("refs/replace/", "packed-refs", "info/grafts", "objects/info/alternates")
WORK_TREES = "worktrees"
OWN_CONFIG = "config.worktree"
_MACHINE = Path("/etc/gitconfig")


def other_history(text: str) -> list[str]:
    """What in such a file makes git show another history than the real one.

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
