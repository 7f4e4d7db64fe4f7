"""What a file is to a judge: trusted, special, or one that nobody sends anywhere."""

from __future__ import annotations

import os
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from vetgate.checks.hidden_text.text_kinds import TextKind, text_kind_of
from vetgate.checks.unsafe_command.command_context import MOST_PATH, CommandContext, CommandPaths
from vetgate.checks.unsafe_command.secrets import CredentialFiles
from vetgate.expression import expression
from vetgate.judges.triggers import PathTrust
from vetgate.known_agents import known_agents
from vetgate.source.root import key
from vetgate.source.shell.follow import follow
from vetgate.source.shell.model import Unreadable

if TYPE_CHECKING:
    from collections.abc import Iterable

    from vetgate.source.shell.runs import ProgramRun

# Wider than what a command may touch: here nothing is lost by leaving one out.
_ENVIRONMENT = expression(r"(?i)\.env(?!\.(?:example|sample|template|dist)$)(?:\..*|rc)?$|.+\.env$")
_STRICTEST = (PathTrust.TRUSTED, PathTrust.SPECIAL, PathTrust.UNTRUSTED, PathTrust.SENSITIVE)
_PLANS = "plans"
_HOMES = ("~/", "$HOME/", "${HOME}/")


class PathRules:
    """Of one project; `sensitive` is what its configuration adds."""

    def __init__(self, root: Path, sensitive: tuple[str, ...] = (), home: Path | None = None) -> None:
        self._root, self._home = root, home or Path.home()
        self._real: dict[str, str] = {}
        self._paths = CommandPaths(CommandContext(root, root, self._home))
        self._credentials = CredentialFiles(self._paths, sensitive)

    def is_withheld(self, path: str) -> bool:
        """Whether what stands in it is sent nowhere: by its name, or by that of the file it leads to."""
        if "\0" in path or len(path) > MOST_PATH:
            return False
        if is_environment(_name(path.rstrip("*?/"))):
            return True
        try:
            place = self._place(path)
        except (OSError, ValueError):  # words that somebody took for a path
            return False
        return is_environment(_name(place)) or self._credentials.is_secret(place)

    def is_named_withheld(self, path: str) -> bool:
        """The same by its name alone, for words of which there are many."""
        if is_environment(_name(path.rstrip("*?/"))):
            return True
        return self._credentials.is_named(os.path.normpath(self._placed(path))) if "\0" not in path else False

    def programs(self, command: str) -> tuple[ProgramRun, ...]:
        """What a command would run; nothing where nobody can say."""
        try:
            return follow(command, self._credentials, home=str(self._home), cwd=str(self._root))
        except Unreadable:
            return ()

    def is_there(self, path: str, folder: str) -> bool:
        """Whether a word of a command that runs in this folder is the path of a file or a folder."""
        place = os.path.join(folder or self._root, self._placed(path))  # noqa: PTH118 - as below
        return 0 < len(path) <= MOST_PATH and "\0" not in path and os.path.lexists(place)

    def is_plan(self, path: str) -> bool:
        """Whether an agent keeps its plans there."""
        return _is_below(self._place(path), self._plans)

    def trust_of(self, paths: Iterable[str]) -> PathTrust:
        """Of several files the strictest; nothing at all is trusted."""
        return max(map(self._trust, paths), key=_STRICTEST.index, default=PathTrust.TRUSTED)

    def _trust(self, path: str) -> PathTrust:
        if self.is_withheld(path):
            return PathTrust.SENSITIVE
        if self.is_plan(path):
            return PathTrust.SPECIAL
        place = self._place(path)
        if _is_below(place, self._notes):
            return PathTrust.TRUSTED
        if not self._paths.in_project(key(place)):
            return PathTrust.UNTRUSTED
        return PathTrust.SPECIAL if is_instructions(path) else PathTrust.TRUSTED

    @cached_property
    def _plans(self) -> tuple[str, ...]:
        folders = [each.folder for each in known_agents() if _PLANS in each.notes]
        return tuple(f"{base}/{folder}/{_PLANS}" for folder in folders for base in (self._root, self._home))

    @cached_property
    def _notes(self) -> tuple[str, ...]:
        return tuple(f"{self._home}/{each.folder}/{note}" for each in known_agents() for note in each.notes)

    def _place(self, path: str) -> str:
        """Where it really lies; looked up once, for one call is asked about several times."""
        placed = self._placed(path)
        if placed not in self._real:
            self._real[placed] = os.path.realpath(placed)
        return self._real[placed]

    def _placed(self, path: str) -> str:
        below = next((path.removeprefix(each) for each in _HOMES if path.startswith(each)), None)
        return os.path.join(self._root, path) if below is None else os.path.join(self._home, below)  # noqa: PTH118 - many


def _name(path: str) -> str:
    return path.rpartition("/")[2]


def _is_below(place: str, folders: Iterable[str]) -> bool:
    return any(place == folder or place.startswith(f"{folder}/") for folder in folders)


def is_environment(name: str) -> bool:
    """Whether a file of this name holds what a program is configured with: `.env` and the like."""
    return _ENVIRONMENT.match(name) is not None


def is_instructions(path: str) -> bool:
    """Whether agents read it as orders: CLAUDE.md, AGENTS.md and the like."""
    return text_kind_of(path) is TextKind.INSTRUCTIONS
