"""The shapes in which tools say that they write a file, whatever the tool is called."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from vetgate.source.edit import Proposal, Replace
from vetgate.source.notebook import CellEdit

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_PATHS = ("file_path", "path", "filePath", "notebook_path", "filename", "file", "target_file", "relative_path", "uri")
_CONTENTS = ("content", "contents", "text", "file_text", "new_content")
_OLDS = ("old_string", "oldText", "old_text", "old_str", "oldString", "search")
_NEWS = ("new_string", "newText", "new_text", "new_str", "newString", "replace")
_PREVIEWS = ("dryRun", "dry_run")


def proposals(tool_input: Mapping[str, Any]) -> tuple[Proposal, ...]:
    """What the call would write; empty when it has no shape of a write."""
    path = _text(tool_input, _PATHS)
    if not path or any(tool_input.get(key) is True for key in _PREVIEWS):
        return ()
    place = Path(path.removeprefix("file://"))
    if "new_source" in tool_input or tool_input.get("edit_mode") == "delete":
        return (Proposal(place, cell=_cell(tool_input)),)
    replaces = tuple(_replaces(tool_input))
    if replaces:
        return (Proposal(place, replaces=replaces),)
    content = _text(tool_input, _CONTENTS)
    return () if content is None else (Proposal(place, content=content),)


def _replaces(tool_input: Mapping[str, Any]) -> Iterable[Replace]:
    edits = tool_input.get("edits")
    for edit in edits if isinstance(edits, list) else [tool_input]:
        if not isinstance(edit, dict):
            continue
        old, new = _text(edit, _OLDS), _text(edit, _NEWS)
        if old is not None and new is not None:
            yield Replace(old, new, edit.get("replace_all") is True)


def _cell(tool_input: Mapping[str, Any]) -> CellEdit:
    def value(key: str, otherwise: str = "") -> str:
        found = tool_input.get(key)
        return found if isinstance(found, str) else otherwise

    return CellEdit(value("cell_id"), value("new_source"), value("edit_mode", "replace"), value("cell_type"))


def _text(source: Mapping[str, Any], keys: Iterable[str]) -> str | None:
    return next((source[key] for key in keys if isinstance(source.get(key), str)), None)
