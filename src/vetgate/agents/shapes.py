"""The shapes in which tools say that they write a file, whatever the tool is called."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from vetgate.source.edit import Proposal, Replace
from vetgate.source.notebook import CellEdit
from vetgate.tool_input import is_on

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

_PATHS = (
    *("file_path", "path", "filePath", "notebook_path", "filename", "file_name", "file", "target_file"),
    *("relative_path", "pathInProject", "uri", "destination"),
)
_CONTENTS = ("content", "contents", "text", "file_text", "new_content", "body", "data", "source", "code")
_OLDS = ("old_string", "oldText", "old_text", "old_str", "oldString", "search", "find")
_NEWS = ("new_string", "newText", "new_text", "new_str", "newString", "replace", "replacement")
_LISTS = ("edits", "files", "changes", "operations", "documents")
_PREVIEWS = ("dryRun", "dry_run")
# Whoever names one of these writes a part of the file; what becomes of the whole is seen when it has landed.
_PARTS = (
    *("name_path", "symbol", "symbol_name", "symbolName", "line", "lineNumber", "start_line", "startLine"),
    *("insert_line", "end_line", "endLine", "range", "position", "offset", "heading", "section", "selector", "anchor"),
)
# Longer text than this beside a path is not an option or a query.
_MUCH = 80


def proposals(tool_input: Mapping[str, Any], tool: str = "") -> tuple[Proposal, ...]:
    """What the call would write; empty when it has no shape of a write."""
    if any(tool_input.get(key) is True for key in _PREVIEWS):
        return ()
    return tuple(_proposals(tool_input, _text(tool_input, _PATHS), tool))


def looks_like_a_write(tool_input: Mapping[str, Any]) -> bool:
    """A path and much text, in a shape that nobody here knows: worth a word."""
    texts = [value for value in tool_input.values() if isinstance(value, str)]
    return _text(tool_input, _PATHS) is not None and any(len(text) > _MUCH and "\n" in text for text in texts)


def _proposals(given: Mapping[str, Any], path: str | None, tool: str) -> Iterator[Proposal]:
    parts = [part for key in _LISTS for part in _objects(given.get(key))]
    elsewhere = [part for part in parts if _text(part, _PATHS) not in {None, path}]
    for part in elsewhere:
        yield from _proposals(part, _text(part, _PATHS), tool)
    if not path:
        return
    place = _place(path)
    if "new_source" in given or given.get("edit_mode") == "delete":
        yield Proposal(place, cell=_cell(given))
        return
    here = [part for part in parts if part not in elsewhere]
    replaces = tuple(replace for part in (here or [given]) for replace in _replaces(part))
    content = _text(given, _CONTENTS)
    if replaces:
        yield Proposal(place, replaces=replaces)
    elif content is not None and all(given.get(key) is None for key in _PARTS):
        yield Proposal(place, content=content, appends="append" in tool)


def _objects(value: Any) -> Iterator[Mapping[str, Any]]:
    if isinstance(value, list):
        yield from (each for each in value if isinstance(each, dict))


def _replaces(part: Mapping[str, Any]) -> Iterator[Replace]:
    old, new = _text(part, _OLDS), _text(part, _NEWS)
    if old is not None and new is not None:
        yield Replace(old, new, is_on(part.get("replace_all")))


def _cell(tool_input: Mapping[str, Any]) -> CellEdit:
    def value(key: str, otherwise: str = "") -> str:
        found = tool_input.get(key)
        return found if isinstance(found, str) else otherwise

    return CellEdit(value("cell_id"), value("new_source"), value("edit_mode", "replace"), value("cell_type"))


def _place(path: str) -> Path:
    return Path(unquote(path.removeprefix("file://"))) if path.startswith("file://") else Path(path)


def _text(source: Mapping[str, Any], keys: Iterable[str]) -> str | None:
    return next((source[key] for key in keys if isinstance(source.get(key), str)), None)
