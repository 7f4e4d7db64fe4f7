"""What every rule may ask: the ground a command stands on, and the project's policy."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable

    from vetgate.checks.unsafe_command.effect import MatchedEffect, Policy
    from vetgate.checks.unsafe_command.place import CommandPaths
    from vetgate.checks.unsafe_command.secrets import CredentialFiles
    from vetgate.source.shell.runs import ProgramRun


@dataclass(frozen=True, slots=True)
class Look:
    """`command` is all of it, `programs` are the names of all that it runs."""

    ground: CommandPaths
    policy: Policy
    secrets: CredentialFiles
    command: str
    programs: frozenset[str]


class Area(Protocol):
    """One area of effects."""

    def __call__(self, run: ProgramRun, look: Look) -> Iterable[MatchedEffect]: ...
