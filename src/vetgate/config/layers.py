"""`extends`: a file and everything it builds on, in the order in which they are laid over each other."""

from __future__ import annotations

import os
import stat
from functools import cache, reduce
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from vetgate.config.keys import FILE, PRESETS
from vetgate.config.node import MOST_BYTES, PRESET, ConfigNode, Position, Problem, did_you_mean, failure, read, shown
from vetgate.config.options import with_defaults

if TYPE_CHECKING:
    from collections.abc import Callable

    Reads = Callable[[str], bytes | None]
    from collections.abc import Iterable

MOST_FILES = 16
GROUND = "recommended"
_PRESET_FILES = {name: "defaults.yaml" if name == GROUND else f"{name}.yaml" for name in PRESETS}


class ConfigPart(NamedTuple):
    """One file of a configuration, as read."""

    name: str
    data: bytes


class Layers(NamedTuple):
    """`trees` from the ground up; `parts` the files of the repository they came from, the project's own first."""

    trees: tuple[ConfigNode, ...]
    parts: tuple[ConfigPart, ...]
    problems: tuple[Problem, ...]


@cache
def preset(name: str) -> ConfigNode:
    data = (Path(__file__).parent / "presets" / _PRESET_FILES[name]).read_bytes()
    tree, problems = read(data, f"{PRESET}{name}")
    tree = with_defaults(tree) if name == GROUND else tree
    FILE.check(tree, "", problems)
    if problems:
        raise failure(problems)
    return tree


def layers(data: bytes, name: str, root: Path | None, reads: Reads | None = None) -> Layers:
    """The layers of a file. Without a root it may extend presets only; `reads` gives files that are not on disk."""
    stack = _LayerStack(root, reads)
    stack.trees[GROUND] = preset(GROUND)
    stack.add(ConfigPart(name, data), chain=())
    return Layers(tuple(stack.trees.values()), tuple(stack.parts), tuple(stack.problems))


def read_file(path: Path, name: str, most: int = MOST_BYTES) -> bytes:
    """The bytes of a regular file, no more than tells that it is too large. A pipe would never end."""
    try:
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
        if stat.S_ISREG(os.fstat(handle).st_mode):
            with os.fdopen(handle, "rb") as file:
                return file.read(most + 1)
        os.close(handle)
        cause = "is not a regular file"
    except OSError as error:
        cause = f"cannot be read: {error.strerror}"
    raise failure([Problem(Position(name, 1, 1), "", cause)])


def on_disk(path: Path, name: str, most: int = MOST_BYTES) -> bytes | None:
    return read_file(path, name, most) if os.path.exists(path) else None  # noqa: PTH110 - a name too long is no file


class _LayerStack:
    def __init__(self, root: Path | None, reads: Reads | None = None) -> None:
        self.root = root
        self._reads = reads
        self.trees: dict[str, ConfigNode] = {}
        self.parts: list[ConfigPart] = []
        self.problems: list[Problem] = []

    def add(self, part: ConfigPart, chain: tuple[str, ...]) -> None:
        tree, problems = read(part.data, part.name)
        FILE.check(tree, "", problems)
        self.problems += problems
        self.parts.append(part)
        for number, source in enumerate(tree.at("extends").items):
            if isinstance(source.value, str):
                self._extend(source, f"extends[{number}]", (*chain, part.name))
        self.trees[part.name] = tree

    def _extend(self, source: ConfigNode, key: str, chain: tuple[str, ...]) -> None:
        text = str(source.value)
        if text in PRESETS:
            self.trees.setdefault(f"{PRESET}{text}" if text != GROUND else GROUND, preset(text))
            return
        if not text.endswith((".yaml", ".yml")):
            known = f"unknown preset {shown(text)}{did_you_mean(text, PRESETS)}"
            self._refuse(source, key, f"{known} (presets: {', '.join(PRESETS)}; a file ends in .yaml)")
            return
        name = self._name(source, key, chain[-1])
        if name is None or self.root is None:
            return
        if name in chain:
            self._refuse(source, key, f"extends itself: {' -> '.join((*chain[chain.index(name) :], name))}")
        elif len(self.parts) >= MOST_FILES:
            self._refuse(source, key, f"more than {MOST_FILES} files")
        elif name not in self.trees:
            self._add_file(source, key, name, chain)

    def _add_file(self, source: ConfigNode, key: str, name: str, chain: tuple[str, ...]) -> None:
        assert self.root is not None  # noqa: S101 - a name is only given inside a root
        data = self._reads(name) if self._reads else on_disk(self.root / name, name)
        if data is None:
            self._refuse(source, key, f"there is no file {name}")
            return
        self.add(ConfigPart(name, data), chain)

    def _name(self, source: ConfigNode, key: str, extending: str) -> str | None:
        """The file as it is called from the root, if it lies inside of it, also when links are followed."""
        if self.root is None:
            self._refuse(source, key, "cannot extend a file here")
            return None
        root = Path(os.path.realpath(self.root))
        try:
            path = Path(os.path.realpath((root / extending).parent / str(source.value)))
            name = path.relative_to(root)
        except ValueError:  # outside, or not a path at all
            name = Path(".git")
        if Path(str(source.value)).is_absolute() or ".git" in name.parts:
            self._refuse(source, key, f"{shown(source.value)} is not a file inside this repository")
            return None
        return name.as_posix()

    def _refuse(self, source: ConfigNode, key: str, message: str) -> None:
        self.problems.append(Problem(source.place, key, message))


ADDING = frozenset({"paths.exclude", "paths.tests"})
_WHOLE = "on."  # the gates of an event are one value, whether written as a list or with filters


def merge(trees: Iterable[ConfigNode]) -> ConfigNode:
    """The trees laid over each other, the last on top; each value keeps the place it came from."""
    return reduce(lambda below, above: _over(below, above, ""), trees)


def _over(below: ConfigNode, above: ConfigNode, key: str) -> ConfigNode:
    if key.startswith(_WHOLE):
        return above if isinstance(above.value, list | dict) else below
    if isinstance(below.value, dict):
        # What is no mapping was told already by the schema; the names below it still stand.
        return (
            ConfigNode(_entries(below, above, key), above.place, above.key) if isinstance(above.value, dict) else below
        )
    if key in ADDING and isinstance(below.value, list) and isinstance(above.value, list):
        return ConfigNode(_joined(below.value, above.value), above.place, above.key)
    return above


def _entries(below: ConfigNode, above: ConfigNode, key: str) -> dict[str, ConfigNode]:
    merged = dict(below.entries)
    for name, node in above.entries.items():
        path = f"{key}.{name}" if key else name
        merged[name] = _over(merged[name], node, path) if name in merged else node
    return merged


def _joined(below: list[ConfigNode], above: list[ConfigNode]) -> list[ConfigNode]:
    """A glob that is repeated moves to its last place, where it decides."""
    repeated = {node.plain for node in above if isinstance(node.value, str)}
    return [node for node in below if node.plain not in repeated] + above
