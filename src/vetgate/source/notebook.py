"""Jupyter notebooks: the code of all cells as one text to judge, where it stands, and an edit of one cell."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from vetgate.expression import expression
from vetgate.model import UncheckedKind
from vetgate.source.text import NotText

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    Route = tuple[str | int, ...]

_STRING = expression(r'"(?:[^"\\]|\\.)*"', re.DOTALL)
_PICTURES = ("image/png", "image/jpeg", "image/gif", "application/pdf", "application/octet-stream")
_IN_DATA = len(("cells", 0, "outputs", 0, "data", "application/json", "name"))
_OF_THE_FORMAT = frozenset({"id", "cell_type", "output_type", "name"})  # words of its own, of a cell and of an output
_COLOUR = expression(r"\x1b\[[0-9;]*m")


def lines_of(notebook: str, content: Mapping[str, Any]) -> dict[Route, int]:
    """The line, from 1, of every text value by the way to it; all are 1 where a name is given twice."""
    routes = [route for route, _ in _texts(content)]
    places = list(_STRING.finditer(notebook))
    if len(routes) != len(places):
        return dict.fromkeys(filter(None, routes), 1)
    found: dict[Route, int] = {}
    line, behind = 1, 0
    for route, place in zip(routes, places, strict=True):
        line += notebook.count("\n", behind, place.start())
        behind = place.start()
        if route:
            found[route] = line
    return found


def _texts(content: Any) -> Iterator[tuple[Route, str]]:
    """In the order of the file; a key has no way to it."""
    pending: list[tuple[Route, Any]] = [((), content)]
    while pending:
        route, here = pending.pop()
        if isinstance(here, str):
            yield route, here
        elif isinstance(here, dict):
            for key, value in reversed(here.items()):
                pending += (((*route, key), value), ((), key))
        elif isinstance(here, list):
            pending += [((*route, number), value) for number, value in reversed([*enumerate(here)])]


def placed(lines: Iterable[tuple[int, str]]) -> str:
    """One text in which each of these stands in its line."""
    rows: list[str] = []
    for line, text in lines:
        rows += [""] * (line - len(rows))
        rows[line - 1] = f"{rows[line - 1]} {text}" if rows[line - 1] else text
    return "\n".join(rows)


def text_outside_code(content: Mapping[str, Any], lines: Mapping[Route, int], code: Iterable[Route]) -> str:
    """All that is not code: what cells printed and showed, prose, commands of the notebook, attachments, settings."""
    told = set(code)
    kept = [(route, text) for route, text in _texts(content) if _is_shown(route) and route not in told]
    return placed((lines[route], _in_one_line(route, text)) for route, text in _whole_lines(kept))


def _whole_lines(texts: Iterable[tuple[Route, str]]) -> Iterator[tuple[Route, str]]:
    """A line may go on in the next item of a list."""
    begun: Route = ()
    line = ""
    for route, text in texts:
        if line and not line.endswith("\n") and route[:-1] == begun[:-1] and isinstance(route[-1], int):
            line += text
            continue
        if line:
            yield begun, line
        begun, line = route, text
    if line:
        yield begun, line


def _in_one_line(route: Route, text: str) -> str:
    line = _COLOUR.sub("", text).rstrip("\n").replace("\n", "\r")
    named = len(route) >= _IN_DATA and isinstance(route[-1], str)
    return f'"{route[-1]}": "{line}"' if named else line


def _is_shown(route: Route) -> bool:
    """Of `("cells", 3, "source", 0)` and `("metadata", "widgets", …)`: all that has a way to it and is no picture."""
    of_the_format = route[:1] == ("cells",) and len(route) in {3, 5} and route[-1] in _OF_THE_FORMAT
    return bool(route) and not of_the_format and not any(part in _PICTURES for part in route)


_CELL_MAGIC = expression(r"%%(\w+)")
# `%name` and `!command` at the start of a line; an operator there continues the line before.
_MAGIC = expression(r"\s*(?:%[A-Za-z]|![^=\s])")
_STILL_PYTHON = frozenset({"time", "timeit", "capture", "prun", "python", "python3"})


@dataclass(frozen=True, slots=True)
class CellEdit:
    cell: str
    source: str
    mode: str = "replace"
    kind: str = ""


@dataclass(frozen=True, slots=True)
class Parts:
    """The code of all cells, and what stands beside it; `beside` counts the lines of the file."""

    code: str
    beside: str = field(repr=False)


def parts_of(notebook: str) -> Parts:
    """Lines that only a notebook understands are blanked in the code.

    Where a file holds every line of code in a line of its own, as notebooks are usually written, they stay there.
    Otherwise cells are joined, each under a comment that names it.
    """
    content = _load(notebook)
    language = _language(content)
    if language != "python":
        raise NotText(UncheckedKind.NOT_CODE, f"a notebook in {language}")
    lines = lines_of(notebook, content)
    rows: dict[Route, tuple[int, str]] = {}
    parts = []
    for number, cell in enumerate(content["cells"]):
        if isinstance(cell, dict) and cell.get("cell_type") == "code":
            code = _plain(_source(cell))
            parts.append(f"# cell {number + 1}\n{code}")
            rows |= dict(_rows(number, cell, code, lines))
    kept = [row for row in rows.values() if row[1].strip()]
    apart = "\n" in notebook.strip() and len({line for line, _ in rows.values()}) == len(rows)
    aligned = apart and len(kept) == _written(parts) > 0
    told = [route for route, (_, text) in rows.items() if text.strip()]
    return Parts(placed(kept) if aligned else "\n".join(parts), text_outside_code(content, lines, told))


def _rows(
    number: int, cell: dict[str, Any], code: str, lines: Mapping[Route, int]
) -> Iterator[tuple[Route, tuple[int, str]]]:
    """Of each element of a cell's source that is a line of code: the line of the file, and the code."""
    source = cell.get("source", "")
    elements = source if isinstance(source, list) else [source]
    for place, (element, text) in enumerate(zip(elements, code.split("\n"), strict=False)):
        route = ("cells", number, "source", *((place,) if isinstance(source, list) else ()))
        if isinstance(element, str) and "\n" not in element[:-1] and route in lines:
            yield route, (lines[route], text)


def _written(parts: list[str]) -> int:
    return sum(bool(line.strip()) for part in parts for line in part.split("\n")[1:])


def edited(notebook: str, edit: CellEdit) -> str:
    content = _load(notebook)
    cells: list[Any] = content["cells"]
    index = _index(cells, edit)
    if edit.mode == "insert":
        kind = edit.kind or "code"
        cells.insert(index, {"cell_type": kind, "metadata": {}, "source": edit.source})
    elif edit.mode == "delete":
        del cells[index]
    else:
        cells[index] = {**cells[index], "source": edit.source, **({"cell_type": edit.kind} if edit.kind else {})}
    return json.dumps(content)


def _load(notebook: str) -> dict[str, Any]:
    try:
        content = json.loads(notebook)
    except (ValueError, RecursionError) as error:
        raise NotText(UncheckedKind.NOT_CODE, "not a readable notebook") from error
    if not isinstance(content, dict) or not isinstance(content.get("cells"), list):
        raise NotText(UncheckedKind.NOT_CODE, "not a readable notebook")
    return content


def _index(cells: list[Any], edit: CellEdit) -> int:
    """Where the edit lands; an insertion goes behind the named cell, or first."""
    found = [n for n, cell in enumerate(cells) if isinstance(cell, dict) and edit.cell and cell.get("id") == edit.cell]
    if not found and edit.cell.removeprefix("cell-").isdecimal():
        found = [int(edit.cell.removeprefix("cell-"))]
    if edit.mode == "insert":
        return found[0] + 1 if found else 0
    if not found or not 0 <= found[0] < len(cells) or not isinstance(cells[found[0]], dict):
        raise NotText(UncheckedKind.OTHER, f"the notebook has no cell {edit.cell!r}")
    return found[0]


def _source(cell: dict[str, Any]) -> str:
    source = cell.get("source", "")
    lines = source if isinstance(source, list) else [source]
    return "".join(line for line in lines if isinstance(line, str))


def _language(content: dict[str, Any]) -> str:
    metadata = content.get("metadata")
    told = metadata.get("kernelspec") if isinstance(metadata, dict) else None
    language = told.get("language") if isinstance(told, dict) else None
    return language.lower() if isinstance(language, str) and language else "python"


def _plain(code: str) -> str:
    lines = code.split("\n")
    first = _CELL_MAGIC.match(lines[0])
    if first and first[1] not in _STILL_PYTHON:
        return "\n" * (len(lines) - 1)  # another language, named by the first line
    return "\n".join("" if _MAGIC.match(line) or _CELL_MAGIC.match(line) else line for line in lines)
