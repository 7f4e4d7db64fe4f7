"""The gate's own files as a glob or a search finds them: nobody has to name what is to be overwritten."""

from __future__ import annotations

import os
import posixpath
from fnmatch import fnmatchcase
from itertools import islice
from typing import TYPE_CHECKING

from vetgate.checks.unsafe_command.command_context import real_path
from vetgate.expression import expression
from vetgate.source.root import key

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from vetgate.checks.unsafe_command.command_context import CommandPaths

_BEFORE_GLOB = expression(r"/(?:[^/*?\[]*/)*(?=[^/]*[*?\[])")
_MOST = 2_000
_ANY_FOLDER = ("*", "**")


def hits_own(path: str, paths: CommandPaths, counts: Callable[[str], bool] = bool) -> bool:
    """`path` is a key with plain globs; one of the gate's own files, or a folder on the way to them, may match it."""
    head = _BEFORE_GLOB.match(path)
    if head is None:
        return False
    above = head[0].rstrip("/") or "/"
    if not any(paths.is_inside(state, above) or paths.is_inside(above, state) for state in paths.own[:1]):
        return False
    wanted = path[len(head[0]) :].split("/")
    names = _own_files(real_path(str(paths.place.own[0])), above)
    below = ((name, name[len(head[0]) :].split("/")) for name in names if name.startswith(head[0]))
    return any(counts(name) and _is_hit(wanted, rest) for name, rest in below)


def lies_on_the_way(path: str, paths: CommandPaths) -> bool:
    """Whether the gate's own state lies in this folder, a key, or around it: a listing of it may name ours."""
    return any(paths.is_inside(state, path) or paths.is_inside(path, state) for state in paths.own[:1])


_PATH_IN_CODE = expression(r"(?:~|\$\{?(?:ENV\{)?['\"]?HOME['\"]?\}?|/)?[\w.*?\[\]/-]*[/.*][\w.*?\[\]/-]*")
_HOME_IN_CODE = expression(r"~|\$\{?(?:ENV\{)?['\"]?HOME['\"]?\}?|(?=/?\.\w)")
_LISTS = expression(
    r"readdir|scandir|listdir|opendir|\bglob|\bwalk\b|iterdir|rglob|\bfind\b|\bDir\b|<[^<>\n]*\*[^<>\n]*>"
)
_OPENS = expression(
    r"(?i)\bopen\b|write|read_?(?:file|text|bytes)|readstream|\.read|unlink|truncate|connect|copy|rename|<F>"
)


def paths_in_code(code: str, home: str) -> Iterator[str]:
    """What looks like a path in a program that lists folders and opens what it found there, as keys."""
    if not _LISTS.search(code) or not _OPENS.search(code):
        return
    for found in _PATH_IN_CODE.finditer(code):
        text = found[0]
        at_home = _HOME_IN_CODE.match(text)
        full = f"{home}/{text[at_home.end() :].lstrip('/')}" if at_home else text
        if full.startswith("/"):
            yield posixpath.normpath(key(full))


def _own_files(state: str, above: str) -> Iterator[str]:
    """As keys: the folders from there down to the gate's state, and what is in it."""
    folder = key(state)
    while len(folder) > len(above):
        yield folder
        folder = folder.rpartition("/")[0]
    below = (f"{top}/{name}" for top, folders, files in os.walk(state) for name in (*folders, *files))
    yield from map(key, islice(below, _MOST))


def _is_hit(wanted: Sequence[str], names: Sequence[str]) -> bool:
    """A folder that is `*` or `**` is any number of them, as `find` goes; a name that is `*` is not hidden."""
    first, rest = wanted[0], wanted[1:]
    if first == "**" and not rest:
        return True
    if first in _ANY_FOLDER and rest:
        rest = rest[next((at for at, each in enumerate(rest[:-1]) if each not in _ANY_FOLDER), len(rest) - 1) :]
        return rest[0] in _ANY_FOLDER or any(_is_hit(rest, names[at:]) for at in range(len(names)))
    if not names or not fnmatchcase(names[0], first) or (first == "*" and names[0][:1] == "."):
        return False
    return _is_hit(rest, names[1:]) if rest else len(names) == 1
