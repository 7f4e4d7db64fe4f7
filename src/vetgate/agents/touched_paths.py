"""The files and folders that a tool call names, whatever the tool is called: what it would read, list or write."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from vetgate.model import Touch
from vetgate.source.root import as_seen_from

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

_READS, _LISTS, _SEARCHES = "reads", "lists", "searches"
_READS_MANY = "read_many_files"  # of two agents; under `include` it takes what others call a path
_LONGEST = 4096
_MOST = 200
_DEEPEST = 4
# Values under these names are paths, however they begin.
_KEYS = frozenset(
    {
        *("file_path", "file_paths", "filepath", "filepaths", "path", "paths", "pathinproject", "relative_path"),
        *("notebook_path", "filename", "filenames", "file_name", "file", "files", "target_file", "source_path"),
        *("input_path", "input_file", "image_path", "directory", "directories", "dir", "folder", "folders"),
        *("uri", "uris", "destination"),
    }
)
_BEGINS = ("/", "~", "./", "../", "file:", "$HOME", "${HOME}")
_HOME = re.compile(r"\$(?:HOME\b|\{HOME\})")
_FILE_URI = re.compile(r"(?i)file:(?://(?:localhost)?)?(?=/)")
_GLOB = re.compile(r"[*?\[]")
_BRACES = re.compile(r"\{([^{}]*)\}")
_BETWEEN_GLOBS = re.compile(r"[\s,]+(?![^{]*\})")


def touches(tool: str, given: Mapping[str, Any], folder: Path) -> tuple[Touch, ...]:
    """Absolute and as written: nothing is looked up yet."""
    if tool == "Read":
        path = given.get("file_path")
        return (Touch(_absolute(path, folder), _READS),) if isinstance(path, str) and path else ()
    if tool == "Grep":
        return tuple(_searched(given, folder))
    if tool == "Glob":
        return tuple(_listed(given, folder))
    if tool == _READS_MANY:
        given = {"paths": [given.get("paths"), given.get("include")]}
    how = _LISTS if tool == "LS" else _READS
    found = dict.fromkeys(_named(given, "", 0))
    return tuple(Touch(_absolute(path, folder), how) for path in list(found)[:_MOST])


def _searched(given: Mapping[str, Any], folder: Path) -> Iterator[Touch]:
    for base in _bases(given, folder):
        yield from _searched_below(base, given)


def _bases(given: Mapping[str, Any], folder: Path) -> Iterator[str]:
    """Where it looks: one agent names several places, the others one."""
    several = given.get("paths")
    named = [given.get("path"), *(several if isinstance(several, list) else [several])]
    texts = [each for each in named if isinstance(each, str) and 0 < len(each) <= _LONGEST]
    return (_absolute(path, folder) for path in texts[:_MOST] or ["."])


def _searched_below(base: str, given: Mapping[str, Any]) -> Iterator[Touch]:
    is_limited = bool(_text(given, "glob").strip() or _text(given, "type"))
    yield Touch(base, _READS if is_limited else _SEARCHES)
    for glob in _globs(_text(given, "glob")):
        place = glob if glob.startswith("/") else f"{base}/{glob}"
        yield Touch(place, _READS)
        last = glob.rpartition("/")[2]
        if last != glob and not _GLOB.search(last):
            yield Touch(f"{base}/{last}", _READS)  # `**/.env` names it as well
        if _has_the_home(base):
            yield Touch(f"{base}/**/{last}", _READS)


def _has_the_home(base: str) -> bool:
    """Whether a search goes through the home folder, or through one that is hidden in it."""
    home = os.path.expanduser("~")  # noqa: PTH111 - as text
    return f"{home}/".startswith(f"{base.rstrip('/')}/") or base.startswith(f"{home}/.")


def _listed(given: Mapping[str, Any], folder: Path) -> Iterator[Touch]:
    for base in _bases(given, folder):
        yield Touch(base, _LISTS)
        for glob in _globs(_text(given, "pattern")):
            whole = _absolute(glob, Path(base))
            at = _GLOB.search(whole)
            yield Touch(whole if at is None else whole[: at.start()].rpartition("/")[0] or "/", _LISTS)


def _globs(text: str) -> Iterator[str]:
    """Each alternative by itself; one that excludes is none."""
    for glob in _BETWEEN_GLOBS.split(text.strip())[:_MOST]:
        if glob and not glob.startswith("!"):
            yield from _alternatives(glob)


def _alternatives(glob: str) -> Iterable[str]:
    pending, found = [glob], list[str]()
    while pending and len(found) + len(pending) <= _MOST:
        here = pending.pop()
        braces = _BRACES.search(here)
        if braces is None:
            found.append(here)
        else:
            pending += [here[: braces.start()] + each + here[braces.end() :] for each in braces[1].split(",")]
    return found


def _named(value: object, key: str, depth: int) -> Iterator[str]:
    if isinstance(value, str):
        if value and len(value) <= _LONGEST and "\n" not in value and (key in _KEYS or value.startswith(_BEGINS)):
            yield value
    elif depth < _DEEPEST and isinstance(value, dict):
        for name, each in value.items():
            yield from _named(each, str(name).casefold(), depth + 1)
    elif depth < _DEEPEST and isinstance(value, list):
        for each in value[:_MOST]:
            yield from _named(each, key, depth + 1)


def _absolute(path: str, folder: Path) -> str:
    uri = _FILE_URI.match(path)
    if uri is not None:
        path = unquote(path[uri.end() :])
    home = os.path.expanduser("~")  # noqa: PTH111 - as text
    path = _HOME.sub(home, path)
    if path == "~" or path.startswith("~/"):
        path = home + path[1:]
    return as_seen_from(path, str(folder)) if path.startswith("/") else f"{folder}/{path}"


def _text(given: Mapping[str, Any], key: str) -> str:
    value = given.get(key)
    return value if isinstance(value, str) and len(value) <= _LONGEST else ""
