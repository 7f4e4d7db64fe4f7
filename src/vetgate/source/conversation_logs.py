"""Where agents keep their conversations: judges believe what a person says there, so only the client writes them."""

from __future__ import annotations

from fnmatch import fnmatchcase
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from vetgate.known_agents import known_agents
from vetgate.source.root import key, real

if TYPE_CHECKING:
    from pathlib import Path

_SAMPLE = "x"


class _Logs(NamedTuple):
    """`folder` is a key, the segments of `names` are globs below it."""

    folder: str
    names: tuple[str, ...]


def is_conversation_log(place: str, home: Path, moved: Path | None = None) -> bool:
    """Of a real path as a key; `moved` is where an agent keeps its own folder instead of below the home."""
    return any(len(path) == len(logs.names) and _fits(logs.names, path) for logs, path in _near(place, home, moved))


def hits_conversation_log(place: str, home: Path, moved: Path | None = None) -> bool:
    """The same of a target with globs, or of a folder with such logs in it."""
    return any(_fits(logs.names, path) for logs, path in _near(place, home, moved))


def _near(place: str, home: Path, moved: Path | None) -> list[tuple[_Logs, tuple[str, ...]]]:
    below = ((logs, _below(place, logs.folder)) for logs in _all_logs(home, moved))
    return [(logs, path) for logs, path in below if path is not None]


def _below(place: str, folder: str) -> tuple[str, ...] | None:
    if place == folder:
        return ()
    return tuple(place[len(folder) + 1 :].split("/")) if place.startswith(f"{folder}/") else None


@lru_cache(maxsize=16)
def _all_logs(home: Path, moved: Path | None) -> tuple[_Logs, ...]:
    globs = [glob for agent in known_agents() for glob in agent.conversations]
    found = [_logs(home, glob.split("/")) for glob in globs]
    return (*found, *(_logs(moved, glob.split("/")[1:]) for glob in globs if moved))


def _logs(base: Path, segments: list[str]) -> _Logs:
    """The folder is real, as somebody may keep it elsewhere with a link in its place."""
    first = next(index for index, each in enumerate(segments) if "*" in each)
    return _Logs(key(real(base.joinpath(*segments[:first]))), tuple(segments[first:]))


def _fits(names: tuple[str, ...], path: tuple[str, ...]) -> bool:
    if not path or not names:
        return not path
    if _may_be(names[0], path[0]) and _fits(names[1:], path[1:]):
        return True
    # A folder that is `*` alone is any number of them, as `find` goes.
    return path[0] == "*" and len(path) > 1 and _fits(names[1:], path)


def _may_be(glob: str, name: str) -> bool:
    return fnmatchcase(name, glob) or fnmatchcase(name.replace("*", glob.replace("*", _SAMPLE)), glob)
