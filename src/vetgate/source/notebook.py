"""Jupyter notebooks: the code of all cells as one text to judge, and an edit of one cell."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from vetgate.source.text import NotText


@dataclass(frozen=True, slots=True)
class CellEdit:
    cell: str
    source: str
    mode: str = "replace"
    kind: str = ""


def code_of(notebook: str) -> str:
    """The code cells joined, each under a comment that names it; lines only a notebook understands are blanked."""
    cells = _load(notebook)["cells"]
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
    if not found and edit.cell.removeprefix("cell-").isdigit():
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


def _plain(code: str) -> str:
    lines = code.split("\n")
    if lines[0].startswith("%%"):
        return "\n" * (len(lines) - 1)  # another language, named by the first line
    return "\n".join("" if line.lstrip().startswith(("%", "!")) else line for line in lines)
