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
_DEEPEST = 4
# Longer text than this beside a path is not an option or a query.
_MUCH = 80


def proposals(tool_input: Mapping[str, Any], tool: str = "") -> tuple[Proposal, ...]:
    """What the call would write; empty when it has no shape of a write."""
    if tool in EDITS:
        return tuple(_own(tool_input, tool))
    return tuple(each for part in _objects_in(tool_input, 0) for each in _proposals(part, tool))


def _objects_in(given: Mapping[str, Any], depth: int) -> Iterator[Mapping[str, Any]]:
    """Some servers take their arguments in an object below another one."""
    yield given
    for value in given.values() if depth < _DEEPEST else ():
        if isinstance(value, dict):
            yield from _objects_in(value, depth + 1)


def patch_proposals(patch: str | Iterable[FilePatch]) -> tuple[Proposal, ...]:
    """Raises PatchError for what is no patch."""
    files = parse_patch(patch) if isinstance(patch, str) else patch
    return tuple(Proposal(file.path, patch=file) for file in files)


def looks_like_a_write(tool_input: Mapping[str, Any]) -> bool:
    """A path and much text, in a shape that nobody here knows: worth a word."""
    texts = [value for value in tool_input.values() if isinstance(value, str)]
    return _text(tool_input, _PATHS) is not None and any(len(text) > _MUCH and "\n" in text for text in texts)


def _own(given: Mapping[str, Any], tool: str) -> Iterator[Proposal]:
    """Of a tool that an agent has itself. It takes nothing else, so that nothing else can hide what it writes."""
    path = _text(given, _PATHS)
    if not path:
        return
    if tool == "NotebookEdit":
        yield Proposal(_place(path), cell=_cell(given))
    elif tool == "Write":
        if (content := _text(given, _CONTENTS)) is not None:
            yield Proposal(_place(path), content=content)
    elif replaces := tuple(each for part in list(_objects(given.get("edits"))) or [given] for each in _replaces(part)):
        yield Proposal(_place(path), replaces=replaces)


def _proposals(given: Mapping[str, Any], tool: str) -> Iterator[Proposal]:
    path = _text(given, _PATHS)
    parts = [part for key in _LISTS for part in _objects(given.get(key))]
    elsewhere = [part for part in parts if _text(part, _PATHS) not in {None, path}]
    for part in elsewhere:
        yield from _proposals(part, tool)
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
_DATABASES = re.compile(
    r"(?i)sql|postgres|maria|duckdb|database|supabase|neon|mongo|snowflake|clickhouse|bigquery|(?:^|[_-])(?:pg|db)(?:[_-]|$)"
)
_SHELL_LINES = re.compile(r"(?m)^\s*!(?!=)(.+)$")
_OF_FILES = re.compile(r"(?i)file|fs__|director|folder|editor|workspace")
_WHAT = r"(?:[_-]?(?:files?|dir|director(?:y|ies)|folders?|paths?|items?|entry|entries))?"
_DELETES = re.compile(rf"(?i)(?:.*[_-])?(?:delete|remove|unlink|trash){_WHAT}")
_MOVES = re.compile(rf"(?i)(?:.*[_-])?(?:move|rename){_WHAT}")
_COPIES = re.compile(rf"(?i)(?:.*[_-])?copy{_WHAT}")
_GIT = re.compile(r"(?i)git.*(?:commit|push)")
_FORCES = re.compile(r"(?i)git.*push|push_?branch")
_FORCE_LETTER = re.compile(r"-[a-eg-zA-Z]*f[a-zA-Z]*")
_FETCH = "WebFetch"
_URLS = ("url", "uri", "address", "link", "endpoint")
# A name or number that is no address of a page: what it is, the check of commands tells.
_OF_THIS_CLOUD = re.compile(
    r"(?i)(?:https?://)?(?:[^/@]*@)?(?:metadata(?:\.goog[a-z.]*)?|instance-data[a-z0-9.]*|[0-9][0-9a-fx.]*|169\.254[^/:]*|\[[^\]]+\])(?::\d+)?(?:/|$)"
)
_GIT_CONFIG = re.compile(r"(?i)git.*config")
_LEAVES = (
    (re.compile(r"(?i)(?:create|open|submit)_?(?:draft_?)?pull_?request(?:_with_copilot)?"), "gh pr create"),
    (re.compile(r"(?i)merge_?pull_?request"), "gh pr merge"),
    (re.compile(r"(?i)create_?merge_?request"), "glab mr create"),
    (re.compile(r"(?i)(?:merge|accept)_?merge_?request"), "glab mr merge"),
    (re.compile(r"(?i)push_?files|create_?or_?update_?file"), "gh api -X PUT /contents/FILES"),
    (re.compile(r"(?i)create_?gist"), "gh gist create FILES"),
    (re.compile(r"(?i)deploy_?to_?[a-z]+"), "vercel deploy --prod"),
)
_OF_FORGES = re.compile(r"(?i)git(?:hub|lab|ea)|forgejo|bitbucket")
_OF_GIT = re.compile(r"(?i)(?:^|[_-])git(?:[_-]|$)")
_GIT_VERB = re.compile(r"(?i)(?:git_?)?(reset|clean|checkout|restore|branch|stash|rebase|filter_branch)")
# Switches of such a tool, and what they are for git.
_SWITCHES = {
    "hard": "--hard",
    "force": "--force",
    "directories": "-d",
    "ignored": "-x",
    "delete": "-D",
    "clear": "clear",
    "drop": "drop",
}
_GIT_OPERANDS = ("action", "ref", "commit", "target", "revision", "branch", "branch_name", "files", "paths")
# Programs whose commands are tools of a server: `kubectl_delete`, or `destroy` of a server of that name.
_PROGRAMS = re.compile(r"(?i)(?:^|[_-])(kubectl|kubernetes|k8s|helm|terraform|tofu|pulumi|redis|valkey)(?:[_-]|$)")
_CALLED = {"kubernetes": "kubectl", "k8s": "kubectl", "redis": "redis-cli", "valkey": "redis-cli"}
_DROPS = re.compile(r"(?i)(?:drop|delete|truncate)[_-]?(?:database|db|collection|table|schema|keyspace|index|many)s?")
_SAY_NOTHING = ("generic", "command", "run", "exec")
_TAKES_AWAY = frozenset({"delete", "uninstall", "destroy", "drain"})
_COMMAND_LINES = ("cli_command", "shell_command", "command_line", "commandline")
_MOST_WORD = 200
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
    if tool not in _OUTWARD and not tool.startswith("mcp__"):
        return ""
    named = {str(key).casefold(): value for key, value in given.items()}
    return "\n".join(filter(None, (_sends_a_key(tool, named), _done_by(tool, named))))


def _done_by(tool: str, named: Mapping[str, Any]) -> str:
    if asks := _asks_this_cloud(tool, named):
        return asks
    if not tool.startswith("mcp__"):
        return ""
    if as_sent := _leaves_by(tool):
        return as_sent
    if _FORCES.search(tool) and _is_forced(named):
        return "git push --force"
    if _GIT.search(tool) and _skips_hooks(named):
        return f"git {'push' if 'push' in tool.casefold() else 'commit'} --no-verify"
    if configured := _configured(tool, named):
        return configured
    return "\n".join(filter(None, (_by_git(tool, named) or _by_program(tool, named), _done_in_a_shell(tool, named))))


def _done_in_a_shell(tool: str, named: Mapping[str, Any]) -> str:
    server, _, verb = tool.rpartition("__")
    runs = _RUNS.search(verb) or _TERMINALS.search(server) or verb.casefold().startswith("eval")
    lines = dict.fromkeys(_all_runs(named, 0)) if runs else (_text(named, _COMMAND_LINES) or "",)
    return "\n".join(lines) or _statement(tool, named) or _on_files(tool, named)


def _asks_this_cloud(tool: str, named: Mapping[str, Any]) -> str:
    """A page is fetched unseen; what only a machine of a cloud answers is judged as if a command asked for it."""
    if tool != _FETCH and not tool.startswith("mcp__"):
        return ""
    addresses = (named.get(key) for key in _URLS)
    found = (each for each in addresses if isinstance(each, str) and _OF_THIS_CLOUD.match(each))
    return "\n".join(f"curl {shlex.quote(each)}" for each in found)


# A run of letters and digits as keys have it; whether it is one, the check of commands tells.
_LIKE_A_KEY = re.compile(r"(?<![\w-])(?=[\w-]{0,200}[G-Zg-z])(?=[\w-]{0,200}[A-Z])(?=[\w-]{0,200}\d)[\w-]{16,}")
_OUTWARD = ("WebFetch", "WebSearch")
_MOST_SENT = 16_000


def _sends_a_key(tool: str, named: Mapping[str, Any]) -> str:
    """What goes to a page, a search or a server is judged as if a command sent it, where a key may be in it."""
    texts = [each for each in _strings(named, 0) if _LIKE_A_KEY.search(each)]
    if not texts or sum(map(len, texts)) > _MOST_SENT:
        return ""
    address = next((named[key] for key in _URLS if isinstance(named.get(key), str)), "")
    server = address or f"https://{tool.removeprefix('mcp__').partition('__')[0].casefold()}.tool"
    return " ".join(("curl", *(f"--data-raw {shlex.quote(each)}" for each in texts), shlex.quote(server)))


def _strings(value: object, depth: int) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif depth < _DEEPEST and isinstance(value, dict):
        for each in value.values():
            yield from _strings(each, depth + 1)
    elif depth < _DEEPEST and isinstance(value, list):
        for each in value:
            yield from _strings(each, depth + 1)


def _is_forced(named: Mapping[str, Any]) -> bool:
    switches = (value for key, value in named.items() if "force" in key)
    given = (named.get(key) for key in (*_ARGUMENTS, "flags", "options", "refspec", "refspecs", "branch", "ref"))
    words = [each for value in given for each in (value.split() if isinstance(value, str) else _texts(value))]
    return any(map(is_on, switches)) or any(
        each.startswith(("--force", "+")) or _FORCE_LETTER.fullmatch(each) is not None for each in words
    )


def _configured(tool: str, named: Mapping[str, Any]) -> str:
    """What git is told for good; asking what it was told is none of that."""
    key, value = (_text(named, keys) for keys in (("key", "name", "option"), ("value", "new_value", "newvalue")))
    return f"git config {shlex.quote(key)} {shlex.quote(value)}" if _GIT_CONFIG.search(tool) and key and value else ""


def _statement(tool: str, named: Mapping[str, Any]) -> str:
    if not _DATABASES.search(tool):
        return ""
    if _DROPS.fullmatch(tool.rpartition("__")[2]) and not named.get("filter"):
        return "psql -c 'drop table x'"
    given = (named.get(key) for key in ("sql", "query", "statement"))
    return "\n".join(f"psql -c {shlex.quote(each)}" for each in given if isinstance(each, str) and each)


def _leaves_by(tool: str) -> str:
    """What a tool by which code leaves would be as a command; "" for any other one."""
    verb = tool.rpartition("__")[2]
    if _DELETES.fullmatch(verb) and "file" in verb.casefold() and _OF_FORGES.search(tool.rpartition("__")[0]):
        return "gh api -X DELETE /contents/FILE"
    return next((command for pattern, command in _LEAVES if pattern.fullmatch(verb)), "")


def leaves(tool: str) -> bool:
    """Such a call looks like a write, and is none on this machine."""
    return tool.startswith("mcp__") and bool(_leaves_by(tool))


def _by_git(tool: str, named: Mapping[str, Any]) -> str:
    """What a server of git is asked to do, as a command: a line of words, or a verb with switches."""
    server, _, verb = tool.removeprefix("mcp__").rpartition("__")
    if not _OF_GIT.search(server):
        return ""
    line = _text(named, _COMMAND) or " ".join(map(shlex.quote, _texts(named.get("args"))))
    if line and not _GIT_VERB.fullmatch(verb):
        return line if line.startswith("git ") else f"git {line}"
    found = _GIT_VERB.fullmatch(verb)
    if found is None:
        return ""
    words = [switch for name, switch in _SWITCHES.items() if is_on(named.get(name))]
    words += [each for key in _GIT_OPERANDS for each in _paths(named, (key,))]
    mode = [f"--{each.removeprefix('--')}" for each in _paths(named, ("mode",))]
    folder = _text(named, ("repo_path", "repopath", "cwd", "working_directory")) or "."
    return shlex.join(["git", "-C", folder, found[1].replace("_", "-").casefold(), *mode, *words])


def _by_program(tool: str, named: Mapping[str, Any]) -> str:
    """`kubectl_delete`, or `destroy` of a server for Terraform: the words that the program would be given."""
    server, _, verb = tool.removeprefix("mcp__").rpartition("__")
    program = _PROGRAMS.search(verb) or _PROGRAMS.search(server)
    if program is None:
        return ""
    name = program[1].casefold()
    words = [each for each in re.split(r"[_-]", verb.casefold()) if each not in (name, *_SAY_NOTHING)]
    first = sorted(words, key=lambda each: each not in _TAKES_AWAY)
    values = [text for value in named.values() for text in ([value] if isinstance(value, str) else _texts(value))]
    given = [each for each in values if each and "\n" not in each and len(each) <= _MOST_WORD]
    return " ".join((_CALLED.get(name, name), *first, *map(shlex.quote, given)))


def moves_files(tool: str, given: Mapping[str, Any]) -> bool:
    """Such a call may look like a write: what it calls its source is no content."""
    return bool(_on_files(tool, {str(key).casefold(): value for key, value in given.items()}))


def _on_files(tool: str, named: Mapping[str, Any]) -> str:
    verb = tool.rpartition("__")[2]
    sources, targets = _paths(named, _FROM), _paths(named, _TO)
    if not _OF_FILES.search(tool):
        return ""
    if _DELETES.fullmatch(verb):
        named_at_all = dict.fromkeys(each for key in (*_FROM, *_TO) for each in _paths(named, (key,)))
        return f"rm -r -- {_words(named_at_all)}" if named_at_all else ""
    if not sources:
        return ""
    program = "mv" if _MOVES.fullmatch(verb) else "cp -r" if _COPIES.fullmatch(verb) else ""
    return f"{program} -- {_words([*sources, *targets[:1]])}" if program and targets else ""


def _skips_hooks(named: Mapping[str, Any]) -> bool:
    switches = (named.get(key) for key in ("no_verify", "noverify", "no-verify", "skip_hooks", "skiphooks"))
    given = (named.get(key) for key in (*_ARGUMENTS, "flags", "options"))
    listed = (each for value in given for each in (value.split() if isinstance(value, str) else _texts(value)))
    return any(map(is_on, switches)) or any(each in ("--no-verify", "-n") for each in listed)


def _texts(value: object) -> list[str]:
    return [each for each in value if isinstance(each, str)] if isinstance(value, list) else []


def _all_runs(named: Mapping[str, Any], depth: int) -> Iterator[str]:
    """Whatever of it counts for that server, however deep it lies: what nobody runs is judged as well."""
    yield from _runs(named)
    for value in named.values() if depth < _DEEPEST else ():
        for each in value if isinstance(value, list) else [value]:
            if isinstance(each, dict):
                yield from _all_runs({str(key).casefold(): item for key, item in each.items()}, depth + 1)


def _runs(named: Mapping[str, Any]) -> Iterator[str]:
    if as_code := _code(named):
        yield as_code
    arguments, is_program_named = [" ".join(each) for each in _word_lists(named)], False
    for key in (*_COMMAND, "program", "executable"):
        value = named.get(key)
        if isinstance(value, list) and value and all(isinstance(each, str) for each in value):
            is_program_named = True
            yield " ".join(next(_word_lists({"argv": value})))
        elif isinstance(value, str) and value.strip():
            is_program_named = True
            yield from (f"{value} {each}".rstrip() for each in arguments or [""])
    yield from _texts(named.get("commands"))
    if not is_program_named:
        yield from arguments
    typed = _text(named, _TYPED)
    if typed and typed.strip():
        yield f"{_TYPED_INTO} {shlex.quote(typed)}"


def _code(named: Mapping[str, Any]) -> str:
    """Of a notebook, the lines that go to a shell; else whatever is to be evaluated."""
    code, language = named.get("code", named.get("source")), named.get("language", "python")
    if not isinstance(code, str) or not isinstance(language, str):
        code, language = named.get("expression"), "javascript"
    if not isinstance(code, str):
        return ""
    program = _INTERPRETERS.get(language.casefold())
    return "\n".join(_SHELL_LINES.findall(code)) or (f"{program} {shlex.quote(code)}" if program else "")


def _word_lists(named: Mapping[str, Any]) -> Iterator[list[str]]:
    for words in filter(None, (_texts(named.get(name)) for name in _ARGUMENTS)):
        yield [_word(each) for each in words]


def _words(texts: Iterable[str]) -> str:
    return " ".join(map(_word, texts))


def _word(text: str) -> str:
    return text if _EXPANDS.fullmatch(text) else shlex.quote(text)


def _paths(named: Mapping[str, Any], keys: tuple[str, ...]) -> list[str]:
    for key in keys:
        value = named.get(key)
        if isinstance(value, str) and value:
            return [value]
        if isinstance(value, list) and value and all(isinstance(each, str) for each in value):
            return value
    return []
