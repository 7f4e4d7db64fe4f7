"""Files that decide whether a gate stands: the agents' settings, hooks and conversations, git's, and the gate's own.

A file is known by where it really is: links followed, letters composed, case folded, and by its inode, so that neither
a second name for it is a way around, nor that it is kept elsewhere, with a link in its place. Judges believe what a
person says in a conversation, so only the client writes them.
"""

from __future__ import annotations

import enum
import os
import site
import stat
import sys
import time
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cached_property, lru_cache
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from vetgate.known_agents import known_agents
from vetgate.launcher import NAME
from vetgate.source.git_settings import (
    HISTORY,
    OWN_CONFIG,
    WORK_TREES,
    hiding_elsewhere,
    hooks_elsewhere,
    included,
    person_configs,
    repository_configs,
)
from vetgate.source.root import key, real, store_key

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


class ProtectedKind(enum.StrEnum):
    GATE = "gate"
    AGENT_SETTINGS = "agent-settings"
    AGENT_HOOK = "agent-hook"
    AGENT_PROMPT = "agent-prompt"
    INSTRUCTIONS = "agent-instructions"
    MCP_SERVERS = "mcp-servers"
    GIT_HOOK = "git-hook"
    GIT_HOOK_ELSEWHERE = "git-hook-elsewhere"
    GIT_CONFIG = "git-config"
    PERSON_GIT_CONFIG = "person-git-config"
    GIT_HISTORY = "git-history"
    GIT_HIDDEN = "git-hidden"
    HOOK_MANAGER = "hook-manager"
    START_UP = "start-up"
    CONVERSATION = "conversation-log"
    PROGRAM = "program"


# Below a project or a home folder. A name that ends in a slash is a folder with everything in it.
_SETTINGS = tuple(name for agent in known_agents() for name in agent.settings)
# What a client that is pointed elsewhere finds there instead of in its folder below the home.
_MOVED = tuple(name for agent in known_agents() if agent.gated for name in agent.gated.moved)
_SCRIPTS = tuple(name for agent in known_agents() for name in agent.hooks)
# What a client has installed with hooks in it, or lets run without a question. It changes that by itself, so only an
# agent's own edits there count.
_PLUGINS = tuple(name for agent in known_agents() for name in agent.plugins)
_PROMPTS = tuple(name for agent in known_agents() for name in agent.prompts)
# A person's own, which count in every project.
INSTRUCTIONS = tuple(dict.fromkeys(name for agent in known_agents() for name in agent.in_every_project))
_MOVED_INSTRUCTIONS = tuple(
    dict.fromkeys(
        name for agent in known_agents() if agent.moves_folder for name in agent.below_folder(agent.in_every_project)
    )
)
_MOVED_SOURCED = tuple(
    name for agent in known_agents() if agent.moves_folder for name in agent.below_folder(agent.sourced)
)
_MCP = tuple(name for agent in known_agents() for name in agent.mcp)
_MANAGERS = (
    ".husky/", "lefthook.yml", "lefthook.yaml", ".lefthook.yml", ".lefthook.yaml", "lefthook-local.yml",
    "lefthook-local.yaml", ".lefthook-local.yml", ".pre-commit-config.yaml",
)  # fmt: skip
# Below a home folder: what runs, or opens a door, the next time somebody logs in.
START_UP = (
    ".bashrc", ".bash_profile", ".bash_login", ".bash_logout", ".profile", ".zshrc", ".zshenv", ".zprofile", ".zlogin",
    ".config/fish/", ".ssh/", ".config/autostart/", ".config/systemd/user/", "library/launchagents/",
    ".pam_environment", ".xprofile", ".xinitrc", ".inputrc", ".gnupg/", ".aws/", ".kube/", ".docker/config.json",
    ".netrc", ".pypirc", ".npmrc", *(name for agent in known_agents() for name in agent.sourced),
)  # fmt: skip
# Of these, what nobody but a person changes: compared when a turn ends.
LOG_INS = (*START_UP[:9], ".ssh/authorized_keys", ".ssh/rc", ".pam_environment", ".xprofile", ".xinitrc", ".inputrc")
_GIT_CONFIGS = (".gitconfig", ".config/git/config")
_MACHINE = tuple(folder for agent in known_agents() for folder in agent.machine)


# What Python runs before any program, from where packages are.
_RUN_AT_START = ("sitecustomize.py", "usercustomize.py")
_HOOKS, _CONFIG = ("hooks/",), ("config",)
_GIT_SETTINGS = ("config", OWN_CONFIG, f"{WORK_TREES}/")
_GIT_HISTORY = (*HISTORY, "refs/")
# With these git leaves files out of what it lists, beside the `.gitignore` that everybody sees.
_HIDING, _HIDING_OF_PERSON = ("info/exclude",), (".config/git/ignore",)
_AT_ROOT = (*_SETTINGS, *_SCRIPTS, *_PROMPTS, *_MCP, *_MANAGERS)
_AT_HOME = (*_SETTINGS, *_SCRIPTS, *INSTRUCTIONS, *_GIT_CONFIGS, *START_UP)
_AT_GIT = (*_HOOKS, *_CONFIG)


@lru_cache(maxsize=64)
def _lasting(folder: Path) -> str:
    """Where a folder really is that does not move while a process lives: the home, the gate's own."""
    return key(real(folder))


@lru_cache(maxsize=1)
def _packages() -> frozenset[str]:
    """Where this interpreter finds packages: the program may be linked in from elsewhere."""
    return frozenset(key(real(Path(each))) for each in site.getsitepackages())


@dataclass(frozen=True)
class Protected:
    """Of one project; `own` are the gate's own folders, `home` the person's, `moved` where an agent's settings went.

    `also` are other projects whose files are protected here: that of a session that has gone elsewhere.
    """

    root: Path
    home: Path
    own: tuple[Path, ...] = ()
    moved: Path | None = None
    also: tuple[Path, ...] = ()

    def kind_of(self, path: Path) -> ProtectedKind | None:
        """What kind of protected file this is, by its real path or by its inode; None for any other."""
        place = key(real(path))
        found = next((each.kind for each in (*self._places, *self._linked) if each.holds(place)), None)
        if found is ProtectedKind.INSTRUCTIONS and self._is_worked_on(place):
            found = None
        found = found or self._of_submodule(place) or self._run_at_start(place)
        if found is None and is_conversation_log(place, self.home, self.moved):
            found = ProtectedKind.CONVERSATION
        if found is None and _has_other_names(path):
            found = self._by_inode.get(_inode(path))
        others = (Protected(root, self.home) for root in self.also)
        return found or next(filter(None, (other.kind_of(path) for other in others)), None)

    def _is_worked_on(self, place: str) -> bool:
        """Whether a person's own instructions are the project itself, kept in a repository."""
        root = key(real(self.root))
        return place.startswith(f"{root}/") and root.startswith(f"{_lasting(self.home)}/")

    def _of_submodule(self, place: str) -> ProtectedKind | None:
        """Hooks and settings that git reads in there, also of one that is still to come."""
        inside = place.partition(f"{self._git_key}/modules/")[2]
        if "/hooks/" in inside:
            return ProtectedKind.GIT_HOOK
        return ProtectedKind.GIT_CONFIG if inside.endswith(("/config", f"/{OWN_CONFIG}")) else None

    def _run_at_start(self, place: str) -> ProtectedKind | None:
        """Beside the gate's program, what Python runs before it."""
        folder, _, name = place.rpartition("/")
        runs = name.endswith(".pth") or name in _RUN_AT_START
        beside = {_lasting(each.parent) for each in self.own[1:]}
        return ProtectedKind.GATE if runs and beside and folder in beside | _packages() else None

    def files(self) -> Iterator[tuple[Path, ProtectedKind]]:
        """Those that exist; of the gate's own only the launchers, the rest changes with every answer."""
        for base in (self.root, self.home):
            yield from _existing(base, _SETTINGS, ProtectedKind.AGENT_SETTINGS)
            yield from _existing(base, _SCRIPTS, ProtectedKind.AGENT_HOOK)
            yield from _nested(base, _PROMPTS, ProtectedKind.AGENT_PROMPT)
        yield from _existing(self.root, _MCP, ProtectedKind.MCP_SERVERS)
        if self.moved is not None:
            yield from _existing(self.moved, _MOVED, ProtectedKind.AGENT_SETTINGS)
        yield from _existing(self.root, _MANAGERS, ProtectedKind.HOOK_MANAGER)
        yield from _existing(self.home, LOG_INS, ProtectedKind.START_UP)
        yield from self._of_git()
        for folder in self.own:
            yield from _existing(folder, ("bin/",), ProtectedKind.GATE)
            # Each agent but the first has a folder for its own.
            yield from ((path, ProtectedKind.GATE) for path in sorted((folder / "bin").glob(f"*/{NAME}")))

    def programs(self) -> tuple[Path, ...]:
        """The gate's own files, and what runs them: too many to be asked for after every command."""
        # By the name it is called with: a link that leads to another one is another program.
        beside = (folder.parent / name for folder in self.own[1:] for name in _RUN_AT_START)
        return (*self.own[1:], Path(sys.executable), *beside)

    def _of_git(self) -> Iterator[tuple[Path, ProtectedKind]]:
        """Also settings and hooks that are kept elsewhere, and what makes git show another history."""
        own, persons = repository_configs(self.git), person_configs(self.home)
        yield from _existing(self.git, _HOOKS, ProtectedKind.GIT_HOOK)
        yield from _existing(self.git, HISTORY, ProtectedKind.GIT_HISTORY)
        yield from _existing(self.git, _HIDING, ProtectedKind.GIT_HIDDEN)
        hiding = (self.home / _HIDING_OF_PERSON[0], *hiding_elsewhere([*persons, *own], self.root, self.home))
        yield from ((path, ProtectedKind.GIT_HIDDEN) for path in dict.fromkeys(hiding) if path.is_file())
        yield from ((path, ProtectedKind.GIT_CONFIG) for path in own if path.is_file())
        more = (*persons, *included([*own, *persons], self.home))
        yield from ((path, ProtectedKind.PERSON_GIT_CONFIG) for path in dict.fromkeys(more) if path.is_file())
        for folder in hooks_elsewhere([*persons, *own], self.root, self.home):
            yield from _existing(folder.parent, (f"{folder.name}/",), ProtectedKind.GIT_HOOK_ELSEWHERE)

    def hook_folders(self) -> tuple[Path, ...]:
        """Where git may look for hooks: every folder that a setting names, else its own."""
        configs = [*person_configs(self.home), *repository_configs(self.git)]
        return tuple(hooks_elsewhere(configs, self.root, self.home)) or (self.git / "hooks",)

    @cached_property
    def git(self) -> Path:
        """The directory that all work trees share: its hooks are the ones that run."""
        shared = store_key(self.root)
        return shared if shared != self.root else self.root / ".git"

    @cached_property
    def _git_key(self) -> str:
        return key(real(self.git))

    @cached_property
    def _places(self) -> tuple[_ProtectedPaths, ...]:
        moved = "" if self.moved is None else _lasting(self.moved)
        own = tuple(map(_lasting, self.own))
        return _all_places(key(real(self.root)), _lasting(self.home), self._git_key, moved, own)

    @cached_property
    def _linked(self) -> tuple[_ProtectedPaths, ...]:
        """Where protected files are that somebody keeps elsewhere, with links in their places."""
        bases = ((self.root, _AT_ROOT), (self.home, _AT_HOME), (self.git, _AT_GIT), (self.moved, _MOVED))
        if not any(links_among(os.fspath(base), _steps(names)) for base, names in bases if base is not None):
            return ()
        groups = (
            *((base, _SETTINGS, ProtectedKind.AGENT_SETTINGS) for base in (self.root, self.home)),
            *((base, _SCRIPTS, ProtectedKind.AGENT_HOOK) for base in (self.root, self.home)),
            (self.root, _PROMPTS, ProtectedKind.AGENT_PROMPT),
            (self.home, INSTRUCTIONS, ProtectedKind.INSTRUCTIONS),
            (self.root, _MCP, ProtectedKind.MCP_SERVERS),
            *(((self.moved, _MOVED, ProtectedKind.AGENT_SETTINGS),) if self.moved is not None else ()),
            (self.git, _HOOKS, ProtectedKind.GIT_HOOK),
            (self.git, _CONFIG, ProtectedKind.GIT_CONFIG),
            (self.home, _GIT_CONFIGS, ProtectedKind.GIT_CONFIG),
            (self.root, _MANAGERS, ProtectedKind.HOOK_MANAGER),
            (self.home, START_UP, ProtectedKind.START_UP),
        )
        return tuple(_places(kind, found) for base, names, kind in groups if (found := _led_to(os.fspath(base), names)))

    @cached_property
    def _by_inode(self) -> dict[tuple[int, int], ProtectedKind]:
        return {_inode(path): kind for path, kind in self.files()}


@lru_cache(maxsize=64)
def _all_places(root: str, home: str, git: str, moved: str, own: tuple[str, ...]) -> tuple[_ProtectedPaths, ...]:
    bases = tuple(dict.fromkeys((root, home)))
    elsewhere = (moved,) if moved else ()
    settings = (*_below(elsewhere, _MOVED), *(f"{each}/" for each in _MACHINE))
    return (
        _places(ProtectedKind.GATE, tuple(f"{folder}/" for folder in own)),
        _places(ProtectedKind.AGENT_SETTINGS, (*_below(bases, _SETTINGS), *settings)),
        _places(ProtectedKind.AGENT_HOOK, _below(bases, (*_SCRIPTS, *_PLUGINS))),
        _places(
            ProtectedKind.INSTRUCTIONS, (*_below(bases[1:], INSTRUCTIONS), *_below(elsewhere, _MOVED_INSTRUCTIONS))
        ),
        _places(ProtectedKind.AGENT_PROMPT, _below(bases, _PROMPTS)),
        _places(ProtectedKind.MCP_SERVERS, _below(bases[:1], _MCP)),
        _places(ProtectedKind.GIT_HOOK, (f"{git}/hooks/",)),
        _places(ProtectedKind.GIT_CONFIG, (*_below((git,), _GIT_SETTINGS), *_below(bases[-1:], _GIT_CONFIGS))),
        _places(ProtectedKind.GIT_HISTORY, _below((git,), _GIT_HISTORY)),
        _places(ProtectedKind.GIT_HIDDEN, (*_below((git,), _HIDING), *_below(bases[-1:], _HIDING_OF_PERSON))),
        _places(ProtectedKind.HOOK_MANAGER, _below(bases[:1], _MANAGERS)),
        _places(ProtectedKind.START_UP, (*_below(bases[-1:], START_UP), *_below(elsewhere, _MOVED_SOURCED))),
    )


def _below(bases: Iterable[str], names: Iterable[str]) -> tuple[str, ...]:
    return tuple(f"{base}/{name.casefold()}" for base in bases for name in names)


def _led_to(base: str, names: tuple[str, ...]) -> tuple[str, ...]:
    """Where those of the names lead that are links, or lie in a folder that is one."""
    links = links_among(base, _steps(names))
    behind = (name for name in names if links and not links.isdisjoint(_steps((name,))))
    return tuple(key(real(Path(base, name))) + "/" * name.endswith("/") for name in behind)


@lru_cache(maxsize=256)
def _steps(names: tuple[str, ...]) -> frozenset[str]:
    """These, and the folders on the way to them."""
    parts = (name.rstrip("/").split("/") for name in names)
    return frozenset("/".join(each[:end]) for each in parts for end in range(1, len(each) + 1))


class _ProtectedPaths(NamedTuple):
    """Where protected files of one kind are, as keys: below folders, or by their names."""

    kind: ProtectedKind
    folders: tuple[str, ...]
    files: frozenset[str]

    def holds(self, place: str) -> bool:
        return place in self.files or place.startswith(self.folders)


def _places(kind: ProtectedKind, names: Iterable[str]) -> _ProtectedPaths:
    names = tuple(names)
    folders = tuple(name for name in names if name.endswith("/"))
    return _ProtectedPaths(kind, folders, frozenset(names).difference(folders))


def _existing(base: Path, names: Iterable[str], kind: ProtectedKind) -> Iterator[tuple[Path, ProtectedKind]]:
    """Written out: hundreds of names are asked for after every command, and nearly none of them is there."""
    folder = os.fspath(base)
    for name in names:
        path = f"{folder}/{name}"
        if not name.endswith("/"):
            if os.path.isfile(path):  # noqa: PTH113 - as above
                yield base / name, kind
            continue
        try:
            inside = sorted(os.listdir(path))  # noqa: PTH208 - as above
        except OSError:
            continue
        yield from ((each, kind) for each in map((base / name).joinpath, inside) if each.is_file())


def _nested(base: Path, names: Iterable[str], kind: ProtectedKind) -> Iterator[tuple[Path, ProtectedKind]]:
    """With folders inside of folders; no client reads hundreds of them."""
    top = os.fspath(base)
    for name in names:
        if not os.path.isdir(f"{top}/{name}"):  # noqa: PTH112 - as above
            continue
        below = (Path(folder, file) for folder, _, files in os.walk(f"{top}/{name}") for file in sorted(files))
        yield from ((path, kind) for path in islice(below, _MOST))


def _has_other_names(path: Path) -> bool:
    try:
        return path.stat().st_nlink > 1
    except OSError:
        return False


def _inode(path: Path) -> tuple[int, int]:
    try:
        status = path.stat()
    except OSError:
        return (0, 0)
    return status.st_dev, status.st_ino


# The kernel's clock for files ticks more slowly than ours: what is younger may change again unseen.
_TICK = 50_000_000
_MOST = 256


class _KnownLinks(NamedTuple):
    """`folders` are those that the names may lie in, with the moment in which what is in them last changed."""

    folders: tuple[tuple[str, int], ...]
    links: frozenset[str]


_known: dict[tuple[str, frozenset[str]], _KnownLinks] = {}


def links_among(base: str, names: frozenset[str]) -> frozenset[str]:
    """`names` are relative to the base, and hold every folder on the way to one of them."""
    known = _known.get((base, names))
    if known is None or any(_changed_at(folder) != at for folder, at in known.folders):
        known = _looked(base, names)
    return known.links


def _looked(base: str, names: frozenset[str]) -> _KnownLinks:
    now = time.time_ns()
    folders, links = [(base, _changed_at(base))], []
    for name in names:
        try:
            status = os.lstat(f"{base}/{name}")
        except OSError:
            continue
        if stat.S_ISLNK(status.st_mode):
            links.append(name)
        elif stat.S_ISDIR(status.st_mode):
            folders.append((f"{base}/{name}", status.st_ctime_ns))
    known = _KnownLinks(tuple(folders), frozenset(links))
    if all(0 <= at < now - _TICK for _, at in folders):
        if len(_known) >= _MOST:
            _known.clear()
        _known[base, names] = known
    return known


def _changed_at(folder: str) -> int:
    """By the time that nobody can set; -1 for what is not there."""
    try:
        return os.stat(folder).st_ctime_ns  # noqa: PTH116 - asked before every edit
    except OSError:
        return -1


_SAMPLE = "x"


class _Logs(NamedTuple):
    """`folder` is a key, the segments of `names` are globs below it."""

    folder: str
    names: tuple[str, ...]


def is_conversation_log(place: str, home: Path, moved: Path | None = None) -> bool:
    """Of a real path as a key; `moved` is where an agent keeps its own folder instead of below the home."""
    return any(len(path) == len(logs.names) and _fits(logs.names, path) for logs, path in _near(place, home, moved))


def hits_conversation_log(place: str, home: Path, moved: Path | None = None) -> bool:
    """The same of a target with globs, or of a folder with such logs in it."""
    return any(_fits(logs.names, path) for logs, path in _near(place, home, moved))


def _near(place: str, home: Path, moved: Path | None) -> list[tuple[_Logs, tuple[str, ...]]]:
    below = ((logs, _path_below(place, logs.folder)) for logs in _all_logs(home, moved))
    return [(logs, path) for logs, path in below if path is not None]


def _path_below(place: str, folder: str) -> tuple[str, ...] | None:
    if place == folder:
        return ()
    return tuple(place[len(folder) + 1 :].split("/")) if place.startswith(f"{folder}/") else None


@lru_cache(maxsize=16)
def _all_logs(home: Path, moved: Path | None) -> tuple[_Logs, ...]:
    globs = [glob for agent in known_agents() for glob in agent.conversations]
    found = [_logs(home, glob.split("/")) for glob in globs]
    return (*found, *(_logs(moved, glob.split("/")[1:]) for glob in globs if moved))


def _logs(base: Path, segments: list[str]) -> _Logs:
    """The folder is real, as somebody may keep it elsewhere with a link in its place."""
    first = next(index for index, each in enumerate(segments) if "*" in each)
    return _Logs(key(real(base.joinpath(*segments[:first]))), tuple(segments[first:]))


def _fits(names: tuple[str, ...], path: tuple[str, ...]) -> bool:
    if not path or not names:
        return not path
    if _may_be(names[0], path[0]) and _fits(names[1:], path[1:]):
        return True
    # A folder that is `*` alone is any number of them, as `find` goes.
    return path[0] == "*" and len(path) > 1 and _fits(names[1:], path)


def _may_be(glob: str, name: str) -> bool:
    return fnmatchcase(name, glob) or fnmatchcase(name.replace("*", glob.replace("*", _SAMPLE)), glob)
