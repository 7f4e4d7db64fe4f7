"""Tools of others that run a command, or delete and move files: the command that does the same."""

from __future__ import annotations

import re
import shlex
from typing import TYPE_CHECKING, Any

from vetgate.tool_input import is_on

if TYPE_CHECKING:
    from collections.abc import Mapping

_RUNS = re.compile(r"(?i)shell|bash|zsh|terminal|exec|command|run|process|powershell|cmd")
_OF_FILES = re.compile(r"(?i)file|fs__|director|folder|editor|workspace")
_WHAT = r"(?:[_-]?(?:files?|dir|director(?:y|ies)|folders?|paths?|items?|entry|entries))?"
_DELETES = re.compile(rf"(?i)(?:.*[_-])?(?:delete|remove|unlink|trash){_WHAT}")
_MOVES = re.compile(rf"(?i)(?:.*[_-])?(?:move|rename){_WHAT}")
_COPIES = re.compile(rf"(?i)(?:.*[_-])?copy{_WHAT}")
_GIT = re.compile(r"(?i)git.*(?:commit|push)")
_INTERPRETERS = {
    **dict.fromkeys(("python", "python3", "py"), "python3 -c"),
    **dict.fromkeys(("javascript", "js", "node"), "node -e"),
    **dict.fromkeys(("bash", "sh", "shell"), "bash -c"),
    "ruby": "ruby -e",
    "php": "php -r",
    "perl": "perl -e",
}
_COMMAND = ("command", "cmd", "script", "commandline", "command_line", "shell_command")
_ARGUMENTS = ("args", "arguments", "argv")
_FROM = ("source", "src", "from", "old_path", "oldpath", "source_path", "path", "file_path", "paths", "files")
_TO = ("destination", "dest", "dst", "to", "target", "new_path", "newpath", "destination_path", "target_path")


def command_of(tool: str, given: Mapping[str, Any]) -> str:
    """Nothing for tools that do neither."""
    if not tool.startswith("mcp__"):
        return ""
    named = {str(key).casefold(): value for key, value in given.items()}
    if _GIT.search(tool) and _skips_hooks(named):
        return f"git {'push' if 'push' in tool.casefold() else 'commit'} --no-verify"
    return (_run(named) if _RUNS.search(tool.rpartition("__")[2]) else "") or _on_files(tool, named)


def moves_files(tool: str, given: Mapping[str, Any]) -> bool:
    """Such a call may look like a write: what it calls its source is no content."""
    is_other = tool.startswith("mcp__")
    return is_other and bool(_on_files(tool, {str(key).casefold(): value for key, value in given.items()}))


def _on_files(tool: str, named: Mapping[str, Any]) -> str:
    verb = tool.rpartition("__")[2]
    sources, targets = _paths(named, _FROM), _paths(named, _TO)
    if not sources or not _OF_FILES.search(tool):
        return ""
    if _DELETES.fullmatch(verb):
        return f"rm -r -- {shlex.join(sources)}"
    program = "mv" if _MOVES.fullmatch(verb) else "cp -r" if _COPIES.fullmatch(verb) else ""
    return f"{program} -- {shlex.join([*sources, *targets[:1]])}" if program and targets else ""


def _skips_hooks(named: Mapping[str, Any]) -> bool:
    switches = (named.get(key) for key in ("no_verify", "noverify", "no-verify", "skip_hooks", "skiphooks"))
    listed = (each for key in (*_ARGUMENTS, "flags", "options") for each in _texts(named.get(key)))
    return any(map(is_on, switches)) or any(each in ("--no-verify", "-n") for each in listed)


def _texts(value: object) -> list[str]:
    return [each for each in value if isinstance(each, str)] if isinstance(value, list) else []


def _run(named: Mapping[str, Any]) -> str:
    code, language = named.get("code"), named.get("language", "python")
    if isinstance(code, str) and isinstance(language, str):
        program = _INTERPRETERS.get(language.casefold())
        if program:
            return f"{program} {shlex.quote(code)}"
    for key in (*_COMMAND, "program", "executable"):
        value = named.get(key)
        if isinstance(value, list) and value and all(isinstance(each, str) for each in value):
            return shlex.join(value)
        if isinstance(value, str) and value.strip():
            words: list[Any] = next((named[name] for name in _ARGUMENTS if isinstance(named.get(name), list)), [])
            return " ".join((value, *(shlex.quote(each) for each in words if isinstance(each, str))))
    return ""


def _paths(named: Mapping[str, Any], keys: tuple[str, ...]) -> list[str]:
    for key in keys:
        value = named.get(key)
        if isinstance(value, str) and value:
            return [value]
        if isinstance(value, list) and value and all(isinstance(each, str) for each in value):
            return value
    return []
