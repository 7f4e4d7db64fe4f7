"""What a task of the project runs, as text for a shell: of package.json, make, just and other runners."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from vetgate.checks.unsafe_command.task_files import TASK_RUNNERS, task_text
from vetgate.checks.unsafe_command.words import Words
from vetgate.expression import expression
from vetgate.source.shell.folders import moved_to
from vetgate.source.shell.placeholders import UNKNOWN

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from vetgate.source.shell.runs import ProgramRun

_LARGEST = 1 << 18
_MOST_TARGETS = 32
# A value stands in as often as it is named.
_LONGEST_VALUE = 1_000
_MANAGERS = frozenset({"npm", "pnpm", "yarn", "bun"})
_RUNS = frozenset({"run", "run-script", "rum", "urn"})
# What npm runs without `run`; the others take any script so.
_OWN = {"t": "test", "tst": "test", "test": "test", "start": "start", "stop": "stop", "restart": "restart"}
_OF_WORKSPACES = ("-w", "--workspace", "--workspaces", "-F", "--filter", "-r", "--recursive")
_MAKEFILES = ("GNUmakefile", "makefile", "Makefile")
_JUSTFILES = ("justfile", "Justfile", ".justfile")
# A head, what it needs first, and the indented lines below it.
_TARGET = expression(r"(?m)^([^\s#:][^:\n]*):{1,2}(?![=:])([^\n]*)\n((?:[ \t][^\n]*\n|\n)*)")
_VARIABLE = expression(r"(?m)^(\w+)[ \t]*[:?]?:?=[ \t]*([^\n]*)$")
_USE = expression(r"\$[({](\w+)[)}]|\{\{\s*(\w+)\s*\}\}")
_MARKS = "@-+"


def task_of(run: ProgramRun, cwd: str) -> tuple[str, str] | None:
    """The folder it runs in, and the text; None for what runs no task that is known."""
    reader = _READERS.get(run.name)
    folder, arguments = moved_to(run.name, run.arguments)
    place = f"{run.cwd or cwd}/{folder}" if not folder.startswith("/") else folder
    if reader is None or UNKNOWN in place or not place.startswith("/"):
        return None
    return reader(run.name, Path(place), arguments)


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
    folder = next((each for each in (place, *place.parents) if (each / "package.json").is_file()), None)
    if not wanted or folder is None:
        return None
    scripts = _scripts(folder / "package.json")
    found = [scripts[each] for each in (f"pre{wanted}", wanted, f"post{wanted}") if isinstance(scripts.get(each), str)]
    return (str(folder), "\n".join(found)) if found else None


def _scripts(file: Path) -> Mapping[str, str]:
    try:
        content = json.loads(_text(file))
    except (ValueError, RecursionError):
        return {}
    scripts = content.get("scripts") if isinstance(content, dict) else None
    return scripts if isinstance(scripts, dict) else {}


def _make(_name: str, place: Path, arguments: Sequence[str]) -> tuple[str, str] | None:
    words = Words(arguments)
    if words.has("-n", "--just-print", "--dry-run", "--recon", "-q", "-f", "--file", "--makefile"):
        return None
    # `-j` and `-l` take a number or nothing.
    named = [each for each in words.without("-o", "-W", "-I").plain if "=" not in each and not each.isdigit()]
    return _recipes(place, _MAKEFILES, named)


def _just(_name: str, place: Path, arguments: Sequence[str]) -> tuple[str, str] | None:
    words = Words(arguments)
    if words.has("-n", "--dry-run", "-l", "--list", "-f", "--justfile", "--show", "-s", "--summary"):
        return None
    return _recipes(place, _JUSTFILES, list(words.plain))


def _of_file(name: str, place: Path, arguments: Sequence[str]) -> tuple[str, str] | None:
    return task_text(name, place, arguments, _text)


def _recipes(place: Path, files: Sequence[str], named: list[str]) -> tuple[str, str] | None:
    text = next(filter(None, (_text(place / each) for each in files)), "")
    if not text:
        return None
    values = {name: value[:_LONGEST_VALUE] for name, value in _VARIABLE.findall(text)}
    targets: dict[str, tuple[list[str], str]] = {}
    for head, needs, body in _TARGET.findall(f"{text}\n"):
        for name in head.lstrip(_MARKS).split():
            targets.setdefault(name, (needs.partition("#")[0].split(), body))
    named = named or [next((each for each in targets if not each.startswith(".")), "")]
    found = "".join(_lines(named, targets, values))
    return (str(place), found) if found.strip() else None


def _lines(named: list[str], targets: Mapping[str, tuple[list[str], str]], values: Mapping[str, str]) -> Iterator[str]:
    seen: set[str] = set()
    waiting = list(reversed(named))
    while waiting and len(seen) < _MOST_TARGETS:
        name = waiting.pop()
        if name in seen or name not in targets:
            continue
        seen.add(name)
        needs, body = targets[name]
        waiting += needs
        for line in body.splitlines():
            step = _USE.sub(lambda use: values.get(use[1] or use[2], use[0]).strip("'\""), line.strip())
            yield f"{step.lstrip(_MARKS).replace('$$', '$')}\n"


def _text(file: Path) -> str:
    try:
        if not file.is_file():  # a pipe would never end
            return ""
        with file.open(encoding="utf-8", errors="replace") as opened:
            return opened.read(_LARGEST)
    except (OSError, ValueError):  # a NUL in the name
        return ""


_READERS: Mapping[str, Callable[[str, Path, Sequence[str]], tuple[str, str] | None]] = {
    **dict.fromkeys(_MANAGERS, _script),
    **dict.fromkeys(("make", "gmake"), _make),
    "just": _just,
    **dict.fromkeys(TASK_RUNNERS, _of_file),
}
