"""What is known of coding agents, as plain data: how one is recognised, and which files and variables decide about it.

Each package of `vetgate.agents` declares its own; those that we are not attached to stand in one list beside them. They
are found by walking that package, so that nothing below it names an agent.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from vetgate.model import EventKind

_PACKAGE = "vetgate.agents"
# The page that most agents read, beside those with names of their own.
SHARED_PAGE = "AGENTS"


@dataclass(frozen=True, slots=True)
class Launch:
    """How a program starts an agent: with nothing in `starts`, by everything but `looks` and asking for help.

    Both are options and words; with `first_word` a word counts only where it comes first. One that `reads_stdin` needs
    no arguments when something is piped into it.
    """

    starts: frozenset[str] = frozenset()
    looks: frozenset[str] = frozenset()
    first_word: bool = False
    reads_stdin: bool = False


class HookSettings(NamedTuple):
    """What a settings file says about hooks.

    `ours` is how vetgate is run, by event; what may change with its version is left out. `switched_on` are the keys
    that are true, `environment` the variables that it sets, and `mode` is that of permissions. `weakened` says in which
    ways a hook of ours does not run, or not in time; `closed` are the events where a call is stopped when it fails.
    """

    ours: Mapping[str, object]
    switched_on: frozenset[str] = frozenset()
    environment: tuple[str, ...] = ()
    mode: str = ""
    weakened: frozenset[str] = frozenset()
    closed: frozenset[str] = frozenset()


_NO = frozenset({"", "0", "false", "no"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Gated:
    """What decides whether the hooks of an agent run that we can be attached to.

    `events` is what it calls them in its settings, `commands` are its tools that run some. `read_settings` reads the
    text of a settings file, None for one that nobody can read. `looks_after_itself` are words with which its program
    starts no session, `loosens` options with which it asks nobody or leaves hooks out, `bypasses` the mode of
    permissions that does the same. `sources` is the option that says whose settings are read and what it must not leave
    out, `settings` the option for more settings, `about_hooks` the keys in there that say which hooks run and
    `switches` those that turn them off. `unhooked_by` are variables with which it runs none, `blinded_by` those that
    count only where it is started. `moved_by` is the variable that moves a person's settings, `moved` what is then
    found there, `started_in` the variable that says where a session began, `session_in` the one that names it.
    `heard_elsewhere` says of a payload that another hook of ours, which this agent runs as well, answers it, `stamp` is
    a field of every payload of an agent that also runs hooks of others, and `silence` is what lets a call pass where
    nothing at all does not.
    `attended_by` is the variable by which it says that a person is there, `unattended` are globs of others where it
    does not; `nested_by` are variables that only the commands have that it runs. `version_in` reads the version of its
    client from where it writes a conversation down, "" where that does not say it.
    """

    events: Mapping[str, tuple[EventKind, ...]]
    read_settings: Callable[[str | None], HookSettings | None]
    commands: frozenset[str] = frozenset()
    looks_after_itself: frozenset[str] = frozenset()
    loosens: tuple[str, ...] = ()
    bypasses: str = ""
    sources: tuple[str, str] = ("", "")
    settings: str = ""
    about_hooks: frozenset[str] = frozenset()
    switches: tuple[str, ...] = ()
    unhooked_by: tuple[str, ...] = ()
    blinded_by: tuple[str, ...] = ()
    moved_by: str = ""
    moved: tuple[str, ...] = ()
    started_in: str = ""
    session_in: str = ""
    heard_elsewhere: Callable[[bytes, Mapping[str, str]], bool] | None = None
    stamp: str = ""
    silence: bytes = b""
    attended_by: str = ""
    unattended: tuple[tuple[str, str], ...] = ()
    nested_by: tuple[str, ...] = ()
    version_in: Callable[[str], str] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownAgent:
    """`program` is how people call it, `processes` how the system does, `launches` what starts it from a command line.

    `markers` are variables that it sets for the commands it runs, and nobody has in a terminal of their own.
    `servers` are terminals of its editor; `extends` is a program that runs it as a word of its own. `folder` is its
    own, in a project and a home, `places` are others of its, `notes` what it keeps for itself in the latter; `settings`
    and `hooks` are paths below both, and so are `plugins`: what it installs by itself. A name that ends in a slash
    is a folder with everything in it. `machine` are
    folders of an administrator. `tampers` are commands that change it, as lines of a table, and `in_project`, `in_home`
    and `anywhere` globs of what commands must leave alone.
    `prompts` are folders of commands and the like, `runs_by_prompt` what in them runs something or opens a door, with
    what that means; `mcp` are files that name MCP servers, below a project.
    `conversations` are globs of the logs of its sessions, below a home; a star stays within one folder.
    `instructions` are names of pages that it reads as orders, without their endings, `rules` whole names of files.
    `sourced` are folders below a home from which its shell reads before each command, and `sourced_by` the variable
    that names a file there.
    `variable_files` are those of a project whose variables it takes over for itself, and so for what it starts.
    """

    title: str
    program: str = ""
    processes: tuple[str, ...] = ()
    markers: tuple[str, ...] = ()
    servers: tuple[str, ...] = ()
    extends: str = ""
    launches: Mapping[str, Launch] = field(default_factory=dict)
    folder: str = ""
    places: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    settings: tuple[str, ...] = ()
    hooks: tuple[str, ...] = ()
    plugins: tuple[str, ...] = ()
    prompts: tuple[str, ...] = ()
    runs_by_prompt: tuple[tuple[str, str], ...] = ()
    mcp: tuple[str, ...] = ()
    conversations: tuple[str, ...] = ()
    machine: tuple[str, ...] = ()
    credentials: tuple[str, ...] = ()
    variable_files: tuple[str, ...] = ()
    sourced: tuple[str, ...] = ()
    sourced_by: str = ""
    instructions: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    tampers: str = ""
    in_project: tuple[str, ...] = ()
    in_home: tuple[str, ...] = ()
    anywhere: tuple[str, ...] = ()
    gated: Gated | None = None

    @property
    def in_every_project(self) -> tuple[str, ...]:
        """Pages, commands and the like of a person's own, below a home: they count wherever the agent works."""
        pages = (*(f"{page}.md" for page in (SHARED_PAGE, *self.instructions)), *self.rules)
        folders = [folder for folder in (self.folder, *self.places) if folder]
        return (*(f"{folder}/{page}" for folder in folders for page in pages), *self.prompts)

    @property
    def moves_folder(self) -> bool:
        """Whether a variable moves the whole folder that it has in a home."""
        return bool(self.gated and self.gated.moved_by and self.folder)

    def below_folder(self, names: Iterable[str]) -> tuple[str, ...]:
        """Those in its folder, by their names there."""
        inside = f"{self.folder}/"
        return tuple(name.removeprefix(inside) for name in names if name.startswith(inside))

    def is_configured(self, root: Path) -> bool:
        """Whether somebody has a folder of its settings, in a project or for themselves."""
        places = (base / name for base in (root, Path.home()) for name in (self.folder, *self.places) if name)
        return any(place.is_dir() for place in places)

    def is_around(self, environment: Mapping[str, str]) -> bool:
        """Whether a process with this environment was started by it."""
        return bool(self.session_folder(environment)) or any(map(environment.get, self.markers))

    def session_folder(self, environment: Mapping[str, str]) -> str:
        """Where the session began, as its client says; "" where it does not."""
        return environment.get(self.gated.started_in, "") if self.gated else ""

    def session(self, environment: Mapping[str, str]) -> str:
        """The session that a process runs in, by what its client says; "" where it does not."""
        return environment.get(self.gated.session_in, "") if self.gated else ""

    def is_attended(self, environment: Mapping[str, str]) -> bool:
        """Whether a person is there, as far as anybody says; never in a pipeline."""
        if self.gated is None or environment.get("CI", "").casefold() not in _NO:
            return False
        told = environment.get(self.gated.attended_by, "")
        return (
            told not in _NO
            if told
            else not any(fnmatchcase(environment.get(name, ""), glob) for name, glob in self.gated.unattended)
        )

    def moved_settings(self, environment: Mapping[str, str]) -> str:
        """The folder that a person's settings were moved to, or ""."""
        return environment.get(self.gated.moved_by, "") if self.gated else ""


@lru_cache(maxsize=1)
def known_agents() -> tuple[KnownAgent, ...]:
    """Those that we can be attached to come first."""
    return (*_declared(), *import_module(f"{_PACKAGE}.others").OTHERS)


def _declared() -> Iterator[KnownAgent]:
    for module in iter_modules(import_module(_PACKAGE).__path__):
        if module.ispkg:
            known: KnownAgent = import_module(f"{_PACKAGE}.{module.name}.known").KNOWN
            yield known
