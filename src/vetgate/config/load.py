"""vetgate.yaml and what it extends, over the defaults -> Config, or a UserError naming file, line and key."""

from __future__ import annotations

import os
from dataclasses import replace
from functools import lru_cache
from hashlib import sha256
from typing import TYPE_CHECKING, NamedTuple

from vetgate.config.layers import GROUND, Layers, Part, layers, merge, preset, read_file
from vetgate.config.node import ConfigNode, Problem, failure
from vetgate.config.pages import Page, pages_from, read_pages
from vetgate.config.plain import digest, without_pages
from vetgate.config.resolve import build, name_problems, own_rules
from vetgate.model import CONFIG_NAME, UserError

if TYPE_CHECKING:
    from collections.abc import Collection
    from pathlib import Path

    from vetgate.config.looser import ConfigFiles
    from vetgate.config.schema import Config


class LoadedConfig(NamedTuple):
    """A configuration with the tree it was built from: every value of it knows its place."""

    config: Config
    tree: ConfigNode
    parts: tuple[Part, ...]
    pages: tuple[Part, ...] = ()

    @property
    def sha256(self) -> str:
        return content_digest((*self.parts, *self.pages))

    def without_pages(self) -> LoadedConfig:
        return LoadedConfig(_paged(self.config, ()), self.tree, self.parts)


@lru_cache(maxsize=1)
def defaults() -> Config:
    """What holds where there is no file."""
    return build(preset(GROUND), None)


def find(root: Path) -> Path | None:
    """The project's configuration file. Only one name is read, so that two files can never compete."""
    path = root / CONFIG_NAME
    if os.path.lexists(path):
        return path
    other = root / "vetgate.yml"
    if os.path.lexists(other):
        raise UserError(
            f"{other.name} is not read; the file is called {CONFIG_NAME}", hint=f"mv {other.name} {CONFIG_NAME}"
        )
    return None


def load(path: Path, known_checks: Collection[str] | None = None, root: Path | None = None) -> Config:
    """Read a file. `known_checks` holds the ids of checks and rules; None takes any. `root` bounds `extends`."""
    root = root or path.parent
    return loaded(read_file(path, path.name), known_checks, root, name=path.name, path=path).config


def loaded(
    data: bytes,
    known_checks: Collection[str] | None,
    root: Path | None,
    name: str = CONFIG_NAME,
    *,
    path: Path | None = None,
    files: ConfigFiles | None = None,
) -> LoadedConfig:
    """With the pages of the root; what it extends, and they, come from `files` where that is not the disk."""
    stack = layers(data, name, root, files.data if files else None)
    found = pages_from(files.data, files.pages()) if files else read_pages(root) if root else ()
    pages = tuple(each.page for each in found)
    tree = checked(stack, known_checks, pages)
    return LoadedConfig(build(tree, path, pages), tree, stack.parts, tuple(each.part for each in found))


def restored_config(text: str, known_checks: Collection[str] | None) -> Config:
    """A configuration from what `plain.text` made of it, pages and all."""
    content, pages = without_pages(text)
    tree = checked(layers(content, "the last good version", None), known_checks, pages)
    return build(tree, None, pages)


def with_pages(config: Config, root: Path) -> Config:
    """The same with the pages that lie there now."""
    return _paged(config, tuple(each.page for each in read_pages(root)))


def _paged(config: Config, pages: tuple[Page, ...]) -> Config:
    if pages == config.security.pages:
        return config
    changed = replace(config, security=replace(config.security, pages=pages))
    return replace(changed, digest=digest(changed))


def checked(stack: Layers, known_checks: Collection[str] | None, pages: tuple[Page, ...] = ()) -> ConfigNode:
    """The merged tree; names are looked up even in a file with other problems, but no slip is told twice."""
    tree = merge(stack.trees)
    problems = list(stack.problems)
    told = tuple(problems)
    known = known_checks if known_checks is None else {*known_checks, *own_rules(tree, pages)}
    problems += [each for each in name_problems(tree, known) if not _is_reported(each, told)]
    if problems:
        raise failure(problems)
    return tree


def _is_reported(problem: Problem, told: tuple[Problem, ...]) -> bool:
    """Whether something was said of this value, of one around it or one in it; a key and its value are two things."""
    key = problem.key
    return any(
        problem.place == other.place
        or key.startswith((f"{other.key}.", f"{other.key}["))
        or other.key.startswith(f"{key}.")
        for other in told
        if other.key
    )


def content_digest(parts: tuple[Part, ...]) -> str:
    """What a person accepts: `sha256sum vetgate.yaml`; with more files, `sha256sum FILES... | sha256sum`."""
    digests = [sha256(part.data).hexdigest() for part in parts]
    if len(digests) == 1:
        return digests[0]
    lines = "".join(f"{digest}  {part.name}\n" for digest, part in zip(digests, parts, strict=True))
    return sha256(lines.encode()).hexdigest()
