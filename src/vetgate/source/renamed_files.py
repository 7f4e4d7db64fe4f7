"""Files that were moved without telling git: a deletion and an untracked file with much the same lines are one file."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from vetgate.model import File

# As much as git asks of a rename, and no more pairs than a person could have moved by hand.
_ALIKE = 0.5
_MOST_PAIRS = 10_000


def pair_renames(files: Iterable[File]) -> tuple[File, ...]:
    """Each new file with the content of the deleted one it came from as its text before; the best match first."""
    files = tuple(files)
    gone = {file.path: _lines(file.before) for file in files if file.before is not None and file.after is None}
    fresh = {file.path: _lines(file.after) for file in files if file.before is None and file.after is not None}
    if not gone or not fresh or len(gone) * len(fresh) > _MOST_PAIRS:
        return files
    likeness = sorted(
        ((_alike(old, new), before, after) for before, old in gone.items() for after, new in fresh.items()),
        reverse=True,
    )
    origin: dict[str, str] = {}
    for alike, before, after in likeness:
        if alike >= _ALIKE and after not in origin and before not in origin.values():
            origin[after] = before
    texts = {file.path: file.before for file in files}
    moved = frozenset(origin.values())
    return tuple(
        replace(file, before=texts[origin[file.path]], was=origin[file.path]) if file.path in origin else file
        for file in files
        if file.path not in moved
    )


def _lines(text: str | None) -> Counter[str]:
    return Counter(line.strip() for line in (text or "").split("\n") if line.strip())


def _alike(one: Counter[str], other: Counter[str]) -> float:
    return (one & other).total() / max(one.total(), other.total(), 1)
