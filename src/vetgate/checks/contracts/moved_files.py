"""Files that moved and grew until git sees no rename: known by what they define."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

from vetgate.index.resolve import SCRIPTS
from vetgate.source.language import language_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from vetgate.index.facts import Facts
    from vetgate.index.view import View
    from vetgate.model import File

_MOST = 0.5
_SHORTEST = 2


def rejoin_moved(view: View, files: Iterable[File]) -> tuple[File, ...]:
    """Each deleted file as the new one that has most of what it defined, where there is just one such file."""
    files = tuple(files)
    fresh = {file.path: file for file in files if file.before is None and file.after is not None}
    gone = {file.path: file for file in files if file.before is not None and file.after is None}
    homes = _homes(view, gone.values(), fresh.values()) if fresh and gone else {}
    moved = {was: replace(fresh[path], before=gone[was].before, was=was) for was, path in homes.items()}
    taken = Counter(homes.values())
    # What several came together in is a new file besides.
    return tuple(moved.get(file.path, file) for file in files if taken[file.path] != 1)


def _homes(view: View, gone: Iterable[File], fresh: Iterable[File]) -> Mapping[str, str]:
    holders: dict[tuple[str, str], list[str]] = {}
    for file in fresh:
        for symbol in _telling(view.read(file.path).facts):
            holders.setdefault((_language(file.path), symbol), []).append(file.path)
    found = {}
    for file in gone:
        symbols = _telling(view.read_text(file.path, file.before or "").facts)
        shared = Counter(path for symbol in symbols for path in holders.get((_language(file.path), symbol), ()))
        most = [path for path, count in shared.items() if count > _MOST * len(symbols)]
        if len(most) == 1:
            found[file.path] = most[0]
    return found


def _telling(facts: Facts) -> set[str]:
    """Without names of the kind that a packer gives: any file may have those."""
    return {each.symbol for each in facts.definitions if len(each.name) > _SHORTEST}


def _language(path: str) -> str:
    """A script may become one with types on its way."""
    language = language_of(path) or ""
    return "script" if language in SCRIPTS else language
