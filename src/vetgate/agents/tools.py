"""What tools do, whatever they are called: the files they write, the commands they run, the files they move."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from vetgate.source.edit import Proposal, Replace
from vetgate.source.notebook import CellEdit
from vetgate.source.patch import parse_patch
from vetgate.tool_input import EDITS, is_on

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from vetgate.source.patch import FilePatch

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
    path = _text(tool_input, _PATHS)
    return tuple(_own(tool_input, path, tool) if tool in EDITS else _proposals(tool_input, path, tool))


def patch_proposals(patch: str | Iterable[FilePatch]) -> tuple[Proposal, ...]:
    """Raises PatchError for what is no patch."""
    files = parse_patch(patch) if isinstance(patch, str) else patch
    return tuple(Proposal(file.path, patch=file) for file in files)


def looks_like_a_write(tool_input: Mapping[str, Any]) -> bool:
    """A path and much text, in a shape that nobody here knows: worth a word."""
    texts = [value for value in tool_input.values() if isinstance(value, str)]
    return _text(tool_input, _PATHS) is not None and any(len(text) > _MUCH and "\n" in text for text in texts)


def _own(given: Mapping[str, Any], path: str | None, tool: str) -> Iterator[Proposal]:
    """Of a tool that an agent has itself. It takes nothing else, so that nothing else can hide what it writes."""
    if not path:
        return
    if tool == "NotebookEdit":
        yield Proposal(_place(path), cell=_cell(given))
    elif tool == "Write":
        if (content := _text(given, _CONTENTS)) is not None:
            yield Proposal(_place(path), content=content)
    elif replaces := tuple(each for part in list(_objects(given.get("edits"))) or [given] for each in _replaces(part)):
        yield Proposal(_place(path), replaces=replaces)


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
        if not any(given.get(key) is True for key in _PREVIEWS):
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


_RUNS = re.compile(r"(?i)shell|bash|zsh|terminal|exec|command|run|process|powershell|cmd|pty|keys|tmux|console")
# Servers all of whose tools may type into a shell, and those that ask a database.
_TERMINALS = re.compile(r"(?i)(?:^|[_-])(?:term(?:inal)?|shell|console|pty|repl|ssh|tmux|tty)")
_DATABASES = re.compile(r"(?i)sql|postgres|maria|duckdb|database|(?:^|[_-])(?:pg|db)(?:[_-]|$)")
_SHELL_LINES = re.compile(r"(?m)^\s*!(?!=)(.+)$")
_OF_FILES = re.compile(r"(?i)file|fs__|director|folder|editor|workspace")
_WHAT = r"(?:[_-]?(?:files?|dir|director(?:y|ies)|folders?|paths?|items?|entry|entries))?"
_DELETES = re.compile(rf"(?i)(?:.*[_-])?(?:delete|remove|unlink|trash){_WHAT}")
_MOVES = re.compile(rf"(?i)(?:.*[_-])?(?:move|rename){_WHAT}")
_COPIES = re.compile(rf"(?i)(?:.*[_-])?copy{_WHAT}")
_GIT = re.compile(r"(?i)git.*(?:commit|push)")
_LEAVES = (
    (re.compile(r"(?i)(?:create|open|submit)_?(?:draft_?)?pull_?request(?:_with_copilot)?"), "gh pr create"),
    (re.compile(r"(?i)merge_?pull_?request"), "gh pr merge"),
    (re.compile(r"(?i)create_?merge_?request"), "glab mr create"),
    (re.compile(r"(?i)(?:merge|accept)_?merge_?request"), "glab mr merge"),
    (re.compile(r"(?i)push_?files|create_?or_?update_?file"), "gh api -X PUT /contents/FILES"),
)
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
# What is typed into a program that runs already: a shell or an interpreter, nobody knows which.
_TYPED = ("input", "keys", "text", "stdin", "line")
_TYPED_INTO = '"$PROGRAM" -c'
# No shell need be there to expand these, but most tools of this kind have one.
_EXPANDS = re.compile(r"[~$][\w{}~./-]*")
_FROM = ("source", "src", "from", "old_path", "oldpath", "source_path", "path", "file_path", "paths", "files")
_TO = ("destination", "dest", "dst", "to", "target", "new_path", "newpath", "destination_path", "target_path")


def command_of(tool: str, given: Mapping[str, Any]) -> str:
    """Nothing for tools that do neither."""
    if not tool.startswith("mcp__"):
        return ""
    named = {str(key).casefold(): value for key, value in given.items()}
    if as_sent := _leaves_by(tool):
        return as_sent
    if _GIT.search(tool) and _skips_hooks(named):
        return f"git {'push' if 'push' in tool.casefold() else 'commit'} --no-verify"
    server, _, verb = tool.rpartition("__")
    runs = _RUNS.search(verb) or _TERMINALS.search(server) or verb.casefold().startswith("eval")
    return (_run(named) if runs else "") or _statement(tool, named) or _on_files(tool, named)


def _statement(tool: str, named: Mapping[str, Any]) -> str:
    sql = _text(named, ("sql", "query", "statement")) if _DATABASES.search(tool) else None
    return f"psql -c {shlex.quote(sql)}" if sql else ""


def _leaves_by(tool: str) -> str:
    """What a tool by which code leaves would be as a command; "" for any other one."""
    verb = tool.rpartition("__")[2]
    return next((command for pattern, command in _LEAVES if pattern.fullmatch(verb)), "")


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
    given = (named.get(key) for key in (*_ARGUMENTS, "flags", "options"))
    listed = (each for value in given for each in (value.split() if isinstance(value, str) else _texts(value)))
    return any(map(is_on, switches)) or any(each in ("--no-verify", "-n") for each in listed)


def _texts(value: object) -> list[str]:
    return [each for each in value if isinstance(each, str)] if isinstance(value, list) else []


def _run(named: Mapping[str, Any]) -> str:
    if as_code := _code(named):
        return as_code
    for key in (*_COMMAND, "program", "executable"):
        value = named.get(key)
        if isinstance(value, list) and value and all(isinstance(each, str) for each in value):
            return " ".join(_words({"argv": value}))
        if isinstance(value, str) and value.strip():
            return " ".join((value, *_words(named)))
    if commands := _texts(named.get("commands")):
        return "\n".join(commands)
    if words := _words(named):
        return " ".join(words)
    typed = _text(named, _TYPED)
    return f"{_TYPED_INTO} {shlex.quote(typed)}" if typed and typed.strip() else ""


def _code(named: Mapping[str, Any]) -> str:
    """Of a notebook, the lines that go to a shell; else whatever is to be evaluated."""
    code, language = named.get("code"), named.get("language", "python")
    if not isinstance(code, str) or not isinstance(language, str):
        code, language = named.get("expression"), "javascript"
    if not isinstance(code, str):
        return ""
    program = _INTERPRETERS.get(language.casefold())
    return "\n".join(_SHELL_LINES.findall(code)) or (f"{program} {shlex.quote(code)}" if program else "")


def _words(named: Mapping[str, Any]) -> list[str]:
    words = next(filter(None, (_texts(named.get(name)) for name in _ARGUMENTS)), [])
    return [each if _EXPANDS.fullmatch(each) else shlex.quote(each) for each in words]


def _paths(named: Mapping[str, Any], keys: tuple[str, ...]) -> list[str]:
    for key in keys:
        value = named.get(key)
        if isinstance(value, str) and value:
            return [value]
        if isinstance(value, list) and value and all(isinstance(each, str) for each in value):
            return value
    return []
