"""What following a command gives: the programs it would run, with what is known of their arguments."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Protocol, TypeVar

from vetgate.expression import expression

if TYPE_CHECKING:
    from collections.abc import Mapping

T = TypeVar("T")

HERE, CONTAINER, REMOTE = "here", "container", "remote"
_VERSION = expression(r"(?<=[a-z])-?\d+(?:\.\d+)*$")
_VERSIONED = frozenset({"python", "pip", "node", "ruby", "perl", "php", "lua", "gcc", "clang", "pypy"})


class Surroundings(Protocol):
    """What the follower has to ask of whoever knows the machine."""

    def mark_of(self, path: str) -> str:
        """The mark that the content of a file carries; nothing for an ordinary one."""


@dataclass(frozen=True, slots=True)
class Write:
    path: str
    appends: bool = False
    is_output: bool = True


@dataclass(frozen=True, slots=True)
class ProgramRun:
    """One program. Paths in `argv` are as written; `cwd` says where they start. `part` counts in the whole command.

    A run with `code` and no `argv` says that some program takes this text as code; a shell, unless it has a `language`.
    """

    argv: tuple[str, ...]
    stdin: str = ""
    env: Mapping[str, str] = field(default_factory=dict)
    writes: tuple[Write, ...] = ()
    reads: tuple[str, ...] = ()
    cwd: str = ""
    part: tuple[int, int] = (0, 0)
    source: str = ""
    where: str = HERE
    mounts: tuple[tuple[str, str], ...] = ()
    code: str = ""
    language: str = ""

    @property
    def name(self) -> str:
        return program(self.argv[0]) if self.argv else ""

    @property
    def arguments(self) -> tuple[str, ...]:
        return self.argv[1:]


@lru_cache(maxsize=1024)
def program(path: str) -> str:
    """`/usr/bin/python3.11` is python, `npm@latest` of npx npm: by its name, without folder, version and suffix."""
    name = path.rpartition("/")[2].lower().removesuffix(".exe")
    name = name[:1] + name[1:].partition("@")[0]
    base = _VERSION.sub("", name)
    return base if base in _VERSIONED else name


def by_name(lines: Mapping[str, T]) -> dict[str, T]:
    """A table in which a line may stand for several names, with spaces between them."""
    return {name: each for names, each in lines.items() for name in names.split()}


@dataclass(frozen=True, slots=True)
class Inner:
    """What a program runs in turn: another program, or text that a shell reads.

    `stdin` None means that of the outer one; `arguments` are the positional parameters of a script; with a `language`
    the script is code in that.
    """

    argv: tuple[str, ...] = ()
    script: str | None = None
    stdin: str | None = None
    env: Mapping[str, str] = field(default_factory=dict)
    arguments: tuple[str, ...] = ()
    where: str = ""
    mounts: tuple[tuple[str, str], ...] = ()
    cwd: str = ""
    keeps_scope: bool = False
    language: str = ""
