"""Tool calls of a session that is over, with what each found in the files it was about."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from vetgate.source.edit import Proposal


@dataclass(frozen=True, slots=True)
class Hunk:
    """Some lines of a file as the client replaced them; `start` counts from 1."""

    start: int
    old: tuple[str, ...]
    new: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SeenText:
    """The text of a file as a call found it; None where there was none."""

    path: Path
    text: str | None


@dataclass(frozen=True, slots=True)
class RecordedCall:
    """One call of a tool: an edit, a command, or a look at a file, which only `found` something.

    `refused` is one that a hook or a person stopped. `hunks` are there when a person changed what was proposed.
    """

    id: str
    session: str
    at: str
    cwd: Path
    tool: str
    proposals: tuple[Proposal, ...] = ()
    command: str = ""
    found: SeenText | None = None
    refused: bool = False
    hunks: tuple[Hunk, ...] = ()
