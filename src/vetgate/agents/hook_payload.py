"""What an agent's hook was given, as an event: one reading of one shape, into which each agent's own words are put.

The shape is an object with these fields: `hook_event_name` (a name in `EVENTS`), `session_id`, `cwd`, `tool_name`,
`tool_input`, `tool_use_id`, `prompt`, `transcript_path`, `agent_id`, `agent_type`, `last_assistant_message`,
`stop_hook_active`, `permission_mode`. The tools are those in `tool_input.py`; those of MCP servers begin with `mcp__`.
"""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from vetgate.agents.hook_settings import HOOK_EVENTS
from vetgate.agents.tools import command_of, leaves, looks_like_a_write, moves_files, patch_proposals, proposals
from vetgate.model import POWERSHELL, Event, EventKind, EventSession, Touch
from vetgate.source.edit import change_of, on_disk
from vetgate.source.patch import PatchError, patches_in_command
from vetgate.source.root import as_seen_from
from vetgate.tool_input import COMMANDS, EDITS, PATCH, READS, tool_named, unreadable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from vetgate.model import Change
    from vetgate.source.edit import Proposal

    Shape = Callable[[dict[str, Any], str], dict[str, Any] | None]


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


def text_in(source: object, key: str) -> str:
    found = source.get(key) if isinstance(source, dict) else None
    return found if isinstance(found, str) else ""


def touches(tool: str, given: Mapping[str, Any], folder: Path) -> tuple[Touch, ...]:
    """Absolute and as written: nothing is looked up yet."""
    if tool == "Read":
        path = given.get("file_path")
        return (Touch(_absolute(path, folder), _READS),) if isinstance(path, str) and path else ()
    if tool == "Grep":
        return tuple(each for base in _bases(given, folder) for each in _searched_below(base, given))
    if tool == "Glob":
        return tuple(_listed(given, folder))
    if tool == _READS_MANY:
        given = {"paths": [given.get("paths"), given.get("include")]}
    how = _LISTS if tool == "LS" else _READS
    found = dict.fromkeys(_named(given, "", 0))
    return tuple(Touch(_absolute(path, folder), how) for path in list(found)[:_MOST])


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


FAILURE = "PostToolUseFailure"
EVENTS = HOOK_EVENTS | {FAILURE: HOOK_EVENTS["PostToolUse"]}
_BEFORE = "PreToolUse"
# Why a turn may not end is the next prompt with some agents: it is no new task.
_HELD = "vetgate: "


def loaded(payload: bytes) -> dict[str, Any]:
    """Raises ValueError for what is no JSON object."""
    raw = json.loads(payload)
    if not isinstance(raw, dict):
        raise ValueError("the payload is not an object")  # noqa: TRY004 - as for bad JSON
    return raw


def shaped(shape: Shape, payload: bytes, event: str = "") -> dict[str, Any]:
    """A payload in the shape above; raises ValueError for what no event of this agent looks like."""
    raw = shape(loaded(payload), event)
    if raw is None or not isinstance(raw.get("hook_event_name"), str):
        raise ValueError("the payload is not an object with a hook_event_name")
    return raw


def session_by(shape: Shape, payload: bytes, event: str = "") -> EventSession | None:
    """None for what is no hook payload at all."""
    try:
        raw = shaped(shape, payload, event)
    except (ValueError, RecursionError, MemoryError):
        return None
    return EventSession(str(raw.get("session_id", "")), raw["hook_event_name"] == "SessionEnd")


def tool_payload(event: str, tool: str, tool_input: Mapping[str, Any], cwd: str, session: str) -> bytes:
    """What agents send before they use a tool, as most of them spell it."""
    said = {"session_id": session, "cwd": cwd, "hook_event_name": event, "tool_name": tool, "tool_input": tool_input}
    return json.dumps(said).encode()


def event_of(raw: Mapping[str, Any], agent: str, cwd: str, **more: Any) -> Event:
    """Of an object in the shape above; unknown events and tools are events like others. `more` are fields of it."""
    folder = Path(cwd, text_in(raw, "cwd"))  # one that is relative is so to where the hook runs
    name = raw["hook_event_name"]
    tool = tool_named(raw.get("tool_name"))
    tool_input = raw.get("tool_input")
    given: Mapping[str, Any] = tool_input if isinstance(tool_input, dict) else {}
    acts = command_of(tool, given) if tool else ""
    command = acts or text_in(given, "command")
    wrong = unreadable(tool, tool_input) if name == _BEFORE else ""
    try:
        kind, change = _of_tool(name, tool, given, command, folder, runs=bool(acts) or tool in COMMANDS)
    except PatchError as error:
        kind, change = EVENTS[name][0 if tool == PATCH else 1], None
        wrong = f"it is not a patch that can be applied, {error}"
    prompt = text_in(raw, "prompt").strip()
    is_ours = kind is EventKind.PROMPT and prompt.startswith(_HELD)
    fields: dict[str, Any] = {
        "call": "" if kind is EventKind.AFTER_EDIT and name == FAILURE else text_in(raw, "tool_use_id"),
        "name": name,
        "task": "" if is_ours else prompt,
        "is_automatic": is_ours,
        **more,
    }
    if kind is not EventKind.AFTER_COMMAND:
        fields.pop("status", None)
    return Event(
        agent=agent,
        kind=kind,
        session=text_in(raw, "session_id"),
        cwd=folder,
        tool=tool,
        change=change,
        reads=_read(name, tool, given),
        only_reads=tool in READS,
        touches=_touches(name, tool, given, folder),
        command=command,
        shell=POWERSHELL if tool == "PowerShell" else "",
        subagent=text_in(raw, "agent_type"),
        subagent_id=str(raw.get("agent_id") or ""),
        unreadable=wrong,
        last_message=text_in(raw, "last_assistant_message"),
        held_before=bool(raw.get("stop_hook_active")),
        transcript=_place(raw, "transcript_path"),
        plans=raw.get("permission_mode") == "plan",
        failed=name == FAILURE,
        **fields,
    )


def _of_tool(
    name: str, tool: str, given: Mapping[str, Any], command: str, folder: Path, *, runs: bool
) -> tuple[EventKind, Change | None]:
    kinds = EVENTS.get(name, (EventKind.OTHER,))
    if len(kinds) == 1:
        return kinds[0], None
    edit, run, other = kinds
    if tool == PATCH:
        return edit, _change(name, patch_proposals(text_in(given, "patch")), folder)
    if tool in EDITS:
        return edit, _change(name, proposals(given, tool), folder)
    if tool.startswith("mcp__"):
        wanted = () if moves_files(tool, given) else proposals(given, tool)
        if wanted or looks_like_a_write(given):
            return run if leaves(tool) else edit, _change(name, wanted, folder)
    if not runs:
        return other, None
    # A patch in a command is an edit beside all else that the command does; what became of it shows afterwards.
    files, moved = patches_in_command(command) if name == _BEFORE else ((), "")
    return run, change_of(patch_proposals(files), folder / moved) if files else None


def _change(name: str, wanted: Iterable[Proposal], folder: Path) -> Change:
    if name == _BEFORE:
        return change_of(wanted, folder)
    places = [place for each in wanted for place in (each.path, each.patch.moves_to if each.patch else None) if place]
    gone = {each.path for each in wanted if each.patch and (each.patch.deletes or each.patch.moves_to)}
    return on_disk((place for place in dict.fromkeys(places) if place not in gone), folder)


def _touches(name: str, tool: str, given: Mapping[str, Any], folder: Path) -> tuple[Touch, ...]:
    """Commands are read as a shell reads them, and edits name what they write."""
    if name != _BEFORE or tool in COMMANDS or tool in EDITS:
        return ()
    return touches(tool, given, folder)


def _read(name: str, tool: str, given: Mapping[str, Any]) -> Path | None:
    path = text_in(given, "file_path") if name == "PostToolUse" and tool == "Read" else ""
    return Path(path) if path else None


def _place(source: Mapping[str, Any], key: str) -> Path | None:
    found = text_in(source, key)
    return Path(found) if found else None
