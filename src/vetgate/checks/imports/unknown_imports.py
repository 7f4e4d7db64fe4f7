"""What a language's own module finds out about an import and tells of it, and what the project holds anywhere."""

from __future__ import annotations

import os
import re
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from vetgate.source.disk_cache import read_too_much
from vetgate.source.syntax import enclosing

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from tree_sitter import Node

    from vetgate.source.syntax import Syntax


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


def mistyped(name: str, node: Node, near: str, what: str, *, said: str = "", verb: str = "Import") -> UnknownImport:
    """`what` is not there by the name that was `said`, the whole of it unless only a part was."""
    message = f"There is no {what} `{said or name}` here, but there is `{near}`."
    return UnknownImport(MISTYPED, name, node, message, f"{verb} `{near}`.", 0.95)


def unknown_package(name: str, node: Node, near: str, message: str, todo: tuple[str, str]) -> UnknownImport:
    """`todo` is what should exist, and where it should be added."""
    meant = f"Did you mean `{near}`? If not, make" if near else "Make"
    return UnknownImport(
        UNKNOWN, name, node, message, f"{meant} sure that the {todo[0]} exists, and add it to {todo[1]}."
    )


def statement_at(syntax: Syntax, offset: int, *kinds: str) -> Node | None:
    """The statement of one of these kinds that a byte stands in."""
    return enclosing(syntax.tree.root_node.descendant_for_byte_range(offset, offset + 1), kinds)


def known_in(above: Iterable[str], names_in: Callable[[str], frozenset[str] | None]) -> frozenset[str] | None:
    """All that the manifests in these folders name; None where there is no manifest."""
    named = [names for folder in above if (names := names_in(folder)) is not None]
    return frozenset().union(*named) if named else None


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


# Asked only when something is about to be told, so it may take a moment, but not at every edit of a file.
_SECONDS = 5.0
_MOST_ENTRIES = 40_000
_MOST_PROJECTS = 16
_MANIFESTS = frozenset(
    "package.json pyproject.toml setup.py setup.cfg Pipfile go.mod requirements.txt deno.json Cargo.toml Gemfile "
    "composer.json".split()
)
_SKIPPED = frozenset({"node_modules", "__pycache__", "target", "site-packages", "bower_components"})


@dataclass(slots=True)
class ProjectContents:
    """`modules` are names that code could be imported by from some folder; `manifests` the folders that have one."""

    at: float
    modules: set[str] = field(default_factory=set)
    manifests: set[str] = field(default_factory=set)
    declarations: list[str] = field(default_factory=list)
    whole: bool = True


_indexes: dict[str, ProjectContents] = {}


def index_of(root: str) -> ProjectContents:
    read_too_much()
    now = time.monotonic()
    index = _indexes.get(root)
    if index is None or now - index.at > _SECONDS:
        if len(_indexes) > _MOST_PROJECTS:
            _indexes.clear()
        index = _indexes[root] = _walked(root, now)
    return index


def _walked(root: str, now: float) -> ProjectContents:
    index = ProjectContents(now)
    left = _MOST_ENTRIES
    pending = [root]
    while pending:
        folder = pending.pop()
        for entry in _entries(folder):
            left -= 1
            if entry.is_dir(follow_symlinks=False):
                index.modules.add(entry.name)
                if entry.name not in _SKIPPED and not entry.name.startswith("."):
                    pending.append(entry.path)
            else:
                _take(index, folder, entry)
        if left < 0:
            index.whole = False
            break
    return index


def _take(index: ProjectContents, folder: str, entry: os.DirEntry[str]) -> None:
    stem, _, suffix = entry.name.partition(".")
    if suffix in {"py", "pyi", "pyx", "so", "pyd", "rs", "rb"} or suffix.endswith((".so", ".pyd")):
        index.modules.add(stem)
    elif entry.name.endswith(".d.ts"):
        index.declarations.append(entry.path)
    elif entry.is_symlink():
        index.modules.add(entry.name)
    if entry.name in _MANIFESTS or suffix == "gemspec":
        index.manifests.add(folder)


def _entries(folder: str) -> Iterator[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            yield from entries
    except OSError:
        return
