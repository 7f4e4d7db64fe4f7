"""What a language's own module finds out about an import, and tells of it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tree_sitter import Node

# Beside the program: what they need is often named nowhere.
_ASIDE = re.compile(r"(?:^|/)(?:docs?|docs_src|examples?|samples?|demos?|scripts?|tools?|bench\w*|ci|contrib|\.\w+)/")
UNKNOWN = "unknown-package"
MISTYPED = "mistyped-package"
WRONG_FILE = "mistyped-file"


@dataclass(frozen=True, slots=True)
class UnknownImport:
    """An import, at its `node`, of a module that nobody knows."""

    rule: str
    name: str
    node: Node
    message: str
    fix: str
    confidence: float = 0.7


def places_of(word: bytes, data: bytes) -> Iterator[int]:
    """Where a word stands; a regular expression over the whole text takes twenty times as long."""
    place = data.find(word)
    while place >= 0:
        yield place
        place = data.find(word, place + len(word))


def is_aside(path: str) -> bool:
    return _ASIDE.search(path) is not None


def folders(root: str, path: str) -> list[str]:
    """From the file's own folder up to the root; a file outside of the root belongs to nobody."""
    if path.startswith("/") or ".." in path.split("/"):
        return []
    parts = path.split("/")[:-1]
    return [f"{root}/{'/'.join(parts[:count])}" if count else root for count in range(len(parts), -1, -1)]


def resembles(name: str, declared: Iterable[str]) -> bool:
    """Whether a package that is declared may well bring a module of that name: `rust-crypto`, `crypto`."""
    bare = _SIGNS.sub("", name).lower()
    others = (_SIGNS.sub("", each).lower() for each in declared)
    return any(bare in other or (len(other) >= _LEAST and other in bare) for other in others)


_SIGNS = re.compile(r"[^A-Za-z0-9]+")
_LEAST = 4
