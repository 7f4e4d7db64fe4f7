"""What is known while a command is followed: variables, functions, the folder, and files written on the way."""

from __future__ import annotations

import fnmatch
import posixpath
import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from vetgate.expression import expression
from vetgate.known_agents import known_agents
from vetgate.source.shell.placeholders import CREDENTIAL, UNKNOWN, without_globs
from vetgate.source.shell.this_machine import OWN_NAME

if TYPE_CHECKING:
    from vetgate.source.shell.model import Script

_SECRET_NAME = expression(
    r"(?:^|_)(?:TOKEN|SECRETS?|PASSWORD|PASSWD|PASSPHRASE|API_?KEY|PRIVATE_?KEY|CREDENTIALS?|PAT)(?:$|_)"
    r"|ACCESS_KEY$|_KEY_ID$",
    re.IGNORECASE,
)
DEFAULT_IFS = " \t\n"
# Files that the shell of an agent reads before each command, by the variables that name them.
_SOURCED = {agent.sourced_by: agent.sourced[-1] for agent in known_agents() if agent.sourced_by}


def is_secret_name(name: str) -> bool:
    return _SECRET_NAME.search(name) is not None


@dataclass(slots=True)
class ShellState:
    home: str
    cwd: str
    variables: dict[str, str] = field(default_factory=dict)
    arrays: dict[str, tuple[str, ...]] = field(default_factory=dict)
    functions: dict[str, Script] = field(default_factory=dict)
    aliases: dict[str, str] = field(default_factory=dict)
    files: dict[str, str] = field(default_factory=dict)
    sinks: dict[str, Script] = field(default_factory=dict)  # what reads that which is written there: `> >(sh)`
    opened: dict[str, str] = field(default_factory=dict)  # by `exec 3> f`
    programs: dict[str, str] = field(default_factory=dict)  # under another name: `cp /bin/rm x`
    arguments: tuple[str, ...] = ()
    program: str = "bash"
    exported: dict[str, str] = field(default_factory=dict)
    unpacked: dict[str, bool] = field(default_factory=dict)  # folders with an archive from the network; if named
    has_secrets: bool = False  # a file of credentials was read into its variables
    traces: bool = False  # what it runs, it prints
    stdin: str = ""  # since `exec < file`
    references: dict[str, str] = field(default_factory=dict)  # `declare -n r=x`: r is another name of x

    def inner(self) -> ShellState:
        """For a subshell: what it sets is gone afterwards, what it writes is not."""
        return replace(
            self,
            variables=dict(self.variables),
            arrays=dict(self.arrays),
            functions=dict(self.functions),
            aliases=dict(self.aliases),
            exported=dict(self.exported),
            opened=dict(self.opened),
            references=dict(self.references),
        )

    def value(self, name: str) -> str | None:
        """None for what is not set here and nobody knows."""
        name = self.references.get(name, name)
        if name in self.variables:
            return self.variables[name]
        if name in self.arrays:
            return self.arrays[name][0] if self.arrays[name] else ""
        known = {
            "HOSTNAME": OWN_NAME,
            "HOME": self.home,
            "PWD": self.cwd,
            "IFS": DEFAULT_IFS,
            "TMPDIR": "/tmp",  # noqa: S108 - what the variable usually says
            "SHELL": "/bin/bash",
            "BASH": "/bin/bash",
            "USER": posixpath.basename(self.home),
            "LOGNAME": posixpath.basename(self.home),
        }
        if name in known:
            return known[name]
        if name in _SOURCED:
            return f"{self.home}/{_SOURCED[name]}{UNKNOWN}"
        return UNKNOWN + CREDENTIAL if is_secret_name(name) else None

    def program_at(self, path: str) -> str:
        """What a program was called before this command copied or linked it."""
        return self.programs.get(self.absolute(path), path)

    def program_in_path(self, name: str) -> str:
        """The program that this command laid under the name into a folder where it looks for programs."""
        folders = self.variables.get("PATH", "").split(":") if self.programs else ()
        paths = (self.absolute(f"{folder}/{name}") for folder in folders if folder)
        return next((self.programs[path] for path in paths if path in self.programs), name)

    def written_like(self, path: str) -> str:
        """Of the files that this command wrote, those that a path with a part that only the run tells may name."""
        pattern = without_globs(path.replace(UNKNOWN, "*"))
        if pattern == path or not pattern.strip("*?/"):
            return ""
        pattern = pattern.replace("/*/", "*/")  # `*` goes through folders, and may go through none
        return "".join(f"{text}\n" for name, text in self.files.items() if fnmatch.fnmatchcase(name, pattern))

    def absolute(self, path: str) -> str:
        """Without `.` and `..`; what begins with an unknown part stays as it is."""
        if not path or path[0] == UNKNOWN:
            return path
        joined = path if path.startswith("/") else f"{self.cwd}/{path}"
        trailing = "/" if joined.endswith("/") and len(joined) > 1 else ""
        return posixpath.normpath(joined).replace("//", "/", 1) + trailing if joined[0] == "/" else joined
