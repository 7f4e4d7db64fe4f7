"""Jupyter notebooks: the code of all cells as one text to judge, and an edit of one cell."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

from vetgate.source.text import NotText

_CELL_MAGIC = re.compile(r"%%(\w+)")
# `%name` and `!command` at the start of a line; an operator there continues the line before.
_MAGIC = re.compile(r"\s*(?:%[A-Za-z]|![^=\s])")
_STILL_PYTHON = frozenset({"time", "timeit", "capture", "prun", "python", "python3"})


@dataclass(frozen=True, slots=True)
class CellEdit:
    cell: str
    source: str
    mode: str = "replace"
    kind: str = ""


def code_of(notebook: str) -> str:
    """The code cells joined, each under a comment that names it; lines only a notebook understands are blanked."""
    content = _load(notebook)
    language = _language(content)
    if language != "python":
        raise NotText(f"a notebook in {language}")
    cells = content["cells"]
    parts = []
    for number, cell in enumerate(cells, start=1):
        if isinstance(cell, dict) and cell.get("cell_type") == "code":
            parts.append(f"# cell {number}\n{_plain(_source(cell))}")
    return "\n".join(parts)


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
        raise NotText("not a readable notebook") from error
    if not isinstance(content, dict) or not isinstance(content.get("cells"), list):
        raise NotText("not a readable notebook")
    return content


def _index(cells: list[Any], edit: CellEdit) -> int:
    """Where the edit lands; an insertion goes behind the named cell, or first."""
    found = [n for n, cell in enumerate(cells) if isinstance(cell, dict) and edit.cell and cell.get("id") == edit.cell]
    if not found and edit.cell.removeprefix("cell-").isdecimal():
        found = [int(edit.cell.removeprefix("cell-"))]
    if edit.mode == "insert":
        return found[0] + 1 if found else 0
    if not found or not 0 <= found[0] < len(cells) or not isinstance(cells[found[0]], dict):
        raise NotText(f"the notebook has no cell {edit.cell!r}")
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
