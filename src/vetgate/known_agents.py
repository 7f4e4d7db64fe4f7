"""What is known of coding agents, as plain data: how one is recognised, and which files and variables decide about it.

Each package of `vetgate.agents` declares its own; those that we are not attached to stand in one list beside them. They
are found by walking that package, so that nothing below it names an agent.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_PACKAGE = "vetgate.agents"


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Gated:
    """What decides whether the hooks of an agent run that we can be attached to.

    `looks_after_itself` are words with which its program starts no session, `loosens` options with which it asks nobody
    or leaves hooks out, `bypasses` the mode of permissions that does the same. `sources` is the option that says whose
    settings are read and what it must not leave out, `settings` the option for more settings, `switches` the keys in
    there that turn hooks off. `unhooked_by` are variables with which it runs none, `blinded_by` those that count only
    where it is started. `moved_by` is the variable that moves a person's settings, `moved` what is then found there,
    `started_in` the variable that says where a session began.
    """

    looks_after_itself: frozenset[str]
    loosens: tuple[str, ...]
    bypasses: str
    sources: tuple[str, str]
    settings: str
    switches: tuple[str, ...]
    unhooked_by: tuple[str, ...]
    blinded_by: tuple[str, ...]
    moved_by: str
    moved: tuple[str, ...]
    started_in: str


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownAgent:
    """`program` is how people call it, `processes` how the system does, `launches` what starts it from a command line.

    `markers` are variables that it sets for the commands it runs, and nobody has in a terminal of their own.
    `servers` are terminals of its editor; `extends` is a program that runs it as a word of its own. `folder` is its
    own, in a project and a home, `notes` what it keeps for itself in the latter; `settings` and `hooks` are paths below
    both. A name that ends in a slash is a folder with everything in it. `machine` are folders of an administrator.
    `tampers` are commands that change it, as lines of a table, and `in_project`, `in_home` and `anywhere` globs of what
    commands must leave alone.
    `instructions` are names of pages that it reads as orders, without their endings, `rules` whole names of files.
    """

    title: str
    program: str = ""
    processes: tuple[str, ...] = ()
    markers: tuple[str, ...] = ()
    servers: tuple[str, ...] = ()
    extends: str = ""
    launches: Mapping[str, Launch] = field(default_factory=dict)
    folder: str = ""
    notes: tuple[str, ...] = ()
    settings: tuple[str, ...] = ()
    hooks: tuple[str, ...] = ()
    machine: tuple[str, ...] = ()
    credentials: tuple[str, ...] = ()
    instructions: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    tampers: str = ""
    in_project: tuple[str, ...] = ()
    in_home: tuple[str, ...] = ()
    anywhere: tuple[str, ...] = ()
    gated: Gated | None = None

    def session_folder(self, environment: Mapping[str, str]) -> str:
        """Where the session began, as its client says; "" where it does not."""
        return environment.get(self.gated.started_in, "") if self.gated else ""

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
