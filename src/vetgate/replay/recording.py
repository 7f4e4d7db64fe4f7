"""Edits of the past, wherever they were recorded."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from pathlib import Path

    from vetgate.model import Change, Command, File

    Around = Callable[[str, str], Iterable[tuple[str, str]]]


@dataclass(frozen=True, slots=True)
class Edit:
    """One file as it was changed once, or one command as it was run; where neither is known, `missing` says why.

    `origin` says for a person where it comes from. What else was changed with it is its `company`: code that moved from
    one file to another is known by that. `around` gives other files as they were then.
    """

    id: str
    origin: str
    path: str
    root: Path
    file: File | None = None
    command: Command | None = None
    missing: str = ""
    company: str = ""
    around: Around | None = None


@dataclass(frozen=True, slots=True)
class Company:
    """Files that were changed together, and the others beside them."""

    change: Change
    around: Around | None = None


@dataclass(frozen=True, slots=True)
class Recording:
    """`items` are small and can be sent to another process, which opens `edits` of them, one or more of each.

    `company` gives all files that were changed together, asked for by what an edit says.
    """

    what: str
    items: Sequence[Any]
    edits: Callable[[tuple[Any, ...]], Iterable[Edit]]
    company: Callable[[str], Company]
    notes: tuple[str, ...] = ()
