"""Where the texts of a notebook stand in its file: line for line what is code, and what is not."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from vetgate.expression import expression

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    Route = tuple[str | int, ...]

_STRING = expression(r'"(?:[^"\\]|\\.)*"', re.DOTALL)
_PICTURES = ("image/png", "image/jpeg", "image/gif", "application/pdf", "application/octet-stream")
_CELLS = "cells"
_IN_DATA = len(("cells", 0, "outputs", 0, "data", "application/json", "name"))
_SHOWN = frozenset({"text", "data", "evalue", "traceback"})


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
    """All that cells hold and that is not code: what they printed and showed, prose, commands of the notebook."""
    told = set(code)
    kept = [(route, text) for route, text in _texts(content) if _is_shown(route) and route not in told]
    return placed((lines[route], _in_one_line(route, text)) for route, text in kept)


def _in_one_line(route: Route, text: str) -> str:
    line = text.rstrip("\n").replace("\n", "\r")
    named = len(route) >= _IN_DATA and isinstance(route[-1], str)
    return f'"{route[-1]}": "{line}"' if named else line


def _is_shown(route: Route) -> bool:
    """Of `("cells", 3, "source", 0)` and `("cells", 3, "outputs", 0, "text", 0)`."""
    if route[:1] != (_CELLS,) or any(part in _PICTURES for part in route):
        return False
    return route[2:3] == ("source",) or (route[2:3] == ("outputs",) and not _SHOWN.isdisjoint(route[4:5]))
