"""What a call of a tool has to look like for anybody to judge it. Stdlib only: the last tier asks as well."""

import os
import re
from typing import Any

# Tools that only read are never stopped when something of ours breaks: a closed gate must not lock anybody out.
READS = frozenset(
    {"Read", "Glob", "Grep", "LS", "NotebookRead", "WebFetch", "WebSearch", "ToolSearch", "AskUserQuestion"}
)
COMMANDS = frozenset({"Bash", "PowerShell", "Monitor"})
BATCH = "Batch"  # several calls in one, of which an agent asks about none
PATCH = "ApplyPatch"  # whatever an agent calls its tool that takes a text with `*** Begin Patch`
EDITS = frozenset({"Write", "Edit", "MultiEdit", "NotebookEdit", PATCH})
# What a patch names, also behind space, as some agents read it; what a file holds stands behind a sign.
_PATCHED = re.compile(r"(?m)^[^\S\n]*\*\*\* (?:(?:Add|Update|Delete) File|Move to):[ \t]*(.+?)[ \t\r]*$")
# Those of them that read files, and the text without which they do nothing.
_READ_FILES = {"Read": "file_path", "NotebookRead": "notebook_path", "Grep": "pattern", "Glob": "pattern", "LS": "path"}
PATHS = ("file_path", "notebook_path", "path", "filePath")
_BY_NAME = {name.casefold(): name for name in (*COMMANDS, *EDITS, *READS)}
_PLACES = (*PATHS, "glob")
_CONTENT = ("content", "contents", "file_text", "new_content", "text")
_OLD = ("old_string", "old_str", "oldText", "oldString")
_NEW = ("new_string", "new_str", "newText", "newString")
# Names of one thing, with some agent each. Nobody can say which of two counts: an agent drops what it does not know.
_SAME = (
    (*PATHS, "absolute_path", "dir_path", "target_directory"),
    _CONTENT,
    _OLD,
    _NEW,
    ("replace_all", "replaceAll", "allow_multiple"),
    ("patch", "patchText", "input"),
    ("pattern", "glob_pattern"),
    ("glob", "include", "include_pattern"),
)
# Tools of others that write files, by their names; what others call a path may be anything.
_OF_FILES = re.compile(r"(?i)file|fs__|notebook|editor|workspace")
_WRITES = re.compile(r"(?i)write|edit|append|patch|replace|insert|create|save|put")
_SWITCH = (True, False, None, "true", "false", "True", "False")


def tool_named(name: object) -> str:
    """A tool by its name, whatever its letters' case and the space around it; "" for what is no name."""
    if not isinstance(name, str):
        return ""
    return _BY_NAME.get(name.strip().casefold(), name.strip())


def patched_paths(patch: str) -> list[str]:
    return _PATCHED.findall(patch)


def renamed(raw: dict[str, Any], tools: dict[str, str], fields: dict[str, str], folder: str = "") -> dict[str, Any]:
    """A payload with the names that are read here, where an agent has others for its tools and what they are given.

    What has a name that is read here already keeps it: where both are there and differ the call is `unreadable`.
    `folder` is the field by which this agent runs a command elsewhere; with others the same word means nothing.
    """
    tool, given = raw.get("tool_name"), raw.get("tool_input")
    if not isinstance(tool, str) or tool not in tools:
        return raw
    if isinstance(given, dict):
        if tools[tool] in COMMANDS and isinstance(given.get(folder), str):
            raw = {**raw, "cwd": os.path.join(str(raw.get("cwd") or ""), given[folder])}  # noqa: PTH118 - quick to load
        given = {**{fields[key]: value for key, value in given.items() if key in fields}, **given}
    return {**raw, "tool_name": tools[tool], "tool_input": given}


def is_on(value: object) -> bool:
    """A switch, as clients take it."""
    return value is True or (isinstance(value, str) and value.casefold() == "true")


def unreadable(tool: str, given: Any) -> str:
    """Why nobody can say what a call would run, write or read; "" where somebody can, and for tools that do neither."""
    if not tool:
        return "it names no tool"
    if tool == BATCH:
        return "it makes several calls at once; make them one by one"
    if tool in COMMANDS:
        return _wrong_command(tool, given)
    if tool in EDITS:
        return _wrong_edit(tool, given)
    if tool in _READ_FILES:
        return _wrong_read(given, _READ_FILES[tool])
    if tool.startswith("mcp__") and _OF_FILES.search(tool) and _WRITES.search(tool.rpartition("__")[2]):
        return _wrong_write(given)
    return ""


def _wrong_command(tool: str, given: Any) -> str:
    if not isinstance(given, dict):
        return f"its input is {_kind(given)}, not an object"
    if tool == "Monitor" and "command" not in given:  # it can listen to something else than a command
        return ""
    return "" if isinstance(given.get("command"), str) else f"its `command` is {_kind(given.get('command'))}, not text"


def _wrong_read(given: Any, needed: str) -> str:
    """Whether what it reads is sensitive is told by its path, so that has to be one."""
    if not isinstance(given, dict):
        return f"its input is {_kind(given)}, not an object"
    if why := _contradiction(given):
        return why
    for key in _PLACES:
        if not isinstance(given.get(key), str | None):
            return f"its `{key}` is {_kind(given[key])}, not text"
    return "" if isinstance(given.get(needed), str) else f"its `{needed}` is {_kind(given.get(needed))}, not text"


def _wrong_edit(tool: str, given: Any) -> str:
    if not isinstance(given, dict):
        return f"its input is {_kind(given)}, not an object"
    if why := _contradiction(given):
        return why
    if tool == PATCH:
        return _wrong_patch(given.get("patch"))
    path = next((given[key] for key in PATHS if given.get(key) is not None), None)
    if not isinstance(path, str) or not path:
        return f"its path is {_kind(path)}, not text"
    if tool == "Write":
        return _wrong_text(given, _CONTENT)
    if tool == "NotebookEdit":
        return _wrong_cell(given)
    parts = given.get("edits") if tool == "MultiEdit" or "edits" in given else [given]
    if not isinstance(parts, list) or not all(isinstance(part, dict) for part in parts):
        return f"its `edits` are {_kind(parts)}, not a list of objects"
    if "edits" in given and any(given.get(key) is not None for key in (*_OLD, *_NEW)):
        return "it has `edits` and a replacement beside them; give one of the two"
    return next(filter(None, map(_wrong_replacement, parts)), "")


def _contradiction(given: dict[str, Any]) -> str:
    for names in _SAME:
        there = [name for name in names if given.get(name) is not None]
        if any(given[name] != given[there[0]] for name in there):
            return f"`{'` and `'.join(there)}` differ, and only one of them counts"
    return ""


def _wrong_patch(patch: Any) -> str:
    if not isinstance(patch, str):
        return f"its patch is {_kind(patch)}, not text"
    return "" if patched_paths(patch) else "its patch names no file"


def _wrong_replacement(part: dict[str, Any]) -> str:
    if why := _contradiction(part):
        return why
    if part.get("replace_all") not in _SWITCH:
        return f"its `replace_all` is {_kind(part['replace_all'])}, neither true nor false"
    return _wrong_text(part, _OLD) or _wrong_text(part, _NEW)


def _wrong_cell(given: dict[str, Any]) -> str:
    for key in ("cell_id", "cell_type", "edit_mode"):
        if not isinstance(given.get(key), str | None):
            return f"its `{key}` is {_kind(given[key])}, not text"
    return "" if given.get("edit_mode") == "delete" else _wrong_text(given, ("new_source",))


def _wrong_write(given: Any) -> str:
    """Only what is there: each of these tools has names of its own for the rest."""
    if not isinstance(given, dict):
        return f"its input is {_kind(given)}, not an object"
    if why := _contradiction(given):
        return why
    for key in (*PATHS, *_CONTENT, *_OLD, *_NEW):
        if not isinstance(given.get(key), str | None):
            return f"its `{key}` is {_kind(given[key])}, not text"
    edits = given.get("edits")
    if edits is not None and not (isinstance(edits, list) and all(isinstance(edit, dict) for edit in edits)):
        return f"its `edits` are {_kind(edits)}, not a list of objects"
    return ""


def _wrong_text(given: dict[str, Any], keys: tuple[str, ...]) -> str:
    value = next((given[key] for key in keys if given.get(key) is not None), None)
    return "" if isinstance(value, str) else f"its `{keys[0]}` is {_kind(value)}, not text"


def _kind(value: Any) -> str:
    if value is None:
        return "missing"
    names = {dict: "an object", list: "a list", str: "text", bool: "true or false", int: "a number", float: "a number"}
    return names.get(type(value), "something else") if value != "" else "empty"
