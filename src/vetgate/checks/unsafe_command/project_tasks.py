"""What a task of the project runs, as text for a shell: of package.json, make, just and other runners."""

from __future__ import annotations

import json
import re
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING

from vetgate.checks.unsafe_command.words import Words
from vetgate.source.recipes import JUSTFILES, MAKEFILES, recipe_text, small_text
from vetgate.source.shell.folders import moved_to
from vetgate.source.shell.options import value_of
from vetgate.source.shell.placeholders import UNKNOWN
from vetgate.source.task_files import TASK_RUNNERS, task_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from vetgate.source.shell.runs import ProgramRun

_MANAGERS = frozenset({"npm", "pnpm", "yarn", "bun"})
_RUNS = frozenset({"run", "run-script", "rum", "urn"})
# What npm runs without `run`; the others take any script so.
_OWN = {"t": "test", "tst": "test", "test": "test", "start": "start", "stop": "stop", "restart": "restart"}
_MAKEFILE, _JUSTFILE = ("-f", "--file", "--makefile"), ("-f", "--justfile")
_OF_WORKSPACES = ("-w", "--workspace", "--workspaces", "-F", "--filter", "-r", "--recursive")


def task_of(run: ProgramRun, cwd: str) -> tuple[str, str] | None:
    """The folder it runs in, and the text; None for what runs no task that is known."""
    reader = _READERS.get(run.name)
    folder, arguments = moved_to(run.name, run.arguments)
    place = f"{run.cwd or cwd}/{folder}" if not folder.startswith("/") else folder
    if reader is None or UNKNOWN in place or not place.startswith("/"):
        return None
    return reader(run.name, Path(place), arguments)


def _several_scripts(_name: str, place: Path, arguments: Sequence[str]) -> tuple[str, str] | None:
    """`run-s lint 'ship:*'` of npm-run-all."""
    words = Words(arguments).options
    names = words.without("--max-parallel", "--npm-path").plain
    return None if words.has("-h", "--help") else _scripts_named(place, names)


def _script(name: str, place: Path, arguments: Sequence[str]) -> tuple[str, str] | None:
    words = Words(arguments).options
    if not words.plain or words.has("-h", "--help", *_OF_WORKSPACES):
        return None
    first, *rest = words.plain
    if first in _RUNS:
        wanted = rest[0] if rest else ""
    elif first == "version":
        wanted = "version" if rest else ""
    else:
        wanted = _OWN.get(first, "") if name == "npm" else first
    return _scripts_named(place, (wanted,))


def _scripts_named(place: Path, wanted: Iterable[str]) -> tuple[str, str] | None:
    """With what runs before and after each; a name may be a glob, or a pattern between slashes."""
    folder = next((each for each in (place, *place.parents) if (each / "package.json").is_file()), None)
    if folder is None:
        return None
    scripts = _scripts(folder / "package.json")
    names = [name for each in wanted for name in _matching(each, scripts)]
    every = (f"{when}{name}" for name in names for when in ("pre", "", "post"))
    found = [text for each in every if isinstance(text := scripts.get(each), str)]
    return (str(folder), "\n".join(found)) if found else None


def _matching(name: str, scripts: Mapping[str, str]) -> Iterator[str]:
    if len(name) > len("//") and name.startswith("/") and name.endswith("/"):
        # Whatever the pattern means: rather all that has one of its words in its name.
        words = [each for each in re.split(r"\W+", name) if each]
        yield from (each for each in scripts if not words or any(word in each for word in words))
    elif "*" in name:
        yield from (each for each in scripts if fnmatchcase(each, name))
    else:
        yield name


def _scripts(file: Path) -> Mapping[str, str]:
    try:
        content = json.loads(small_text(file))
    except (ValueError, RecursionError):
        return {}
    scripts = content.get("scripts") if isinstance(content, dict) else None
    return scripts if isinstance(scripts, dict) else {}


def _make(_name: str, place: Path, arguments: Sequence[str]) -> tuple[str, str] | None:
    words = Words(arguments)
    if words.has("-n", "--just-print", "--dry-run", "--recon", "-q"):
        return None
    # `-j` and `-l` take a number or nothing.
    plain = words.without("-o", "-W", "-I", *_MAKEFILE).plain
    file = value_of(arguments, *_MAKEFILE)
    named = [each for each in plain if "=" not in each and not each.isdigit()]
    return _recipes(place, (file,) if file else MAKEFILES, named)


def _just(_name: str, place: Path, arguments: Sequence[str]) -> tuple[str, str] | None:
    words = Words(arguments)
    if words.has("-n", "--dry-run", "-l", "--list", "--show", "-s", "--summary"):
        return None
    file = value_of(arguments, *_JUSTFILE)
    if not file:
        return _recipes(place, JUSTFILES, list(words.plain))
    named = place / file
    return _recipes(named.parent, (named.name,), list(words.without(*_JUSTFILE).plain))


def _of_file(name: str, place: Path, arguments: Sequence[str]) -> tuple[str, str] | None:
    words = Words(arguments).options
    return None if words.has(*TASK_RUNNERS[name]) else task_text(name, place, words.plain)


def _recipes(place: Path, files: Sequence[str], named: list[str]) -> tuple[str, str] | None:
    found = recipe_text(place, files, named)
    return (str(place), found) if found.strip() else None


_READERS: Mapping[str, Callable[[str, Path, Sequence[str]], tuple[str, str] | None]] = {
    **dict.fromkeys(_MANAGERS, _script),
    **dict.fromkeys(("run-s", "run-p", "npm-run-all", "npm-run-all2"), _several_scripts),
    **dict.fromkeys(("make", "gmake", "bmake", "remake"), _make),
    "just": _just,
    **dict.fromkeys(TASK_RUNNERS, _of_file),
}
