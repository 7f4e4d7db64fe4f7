"""Lefthook owns the hooks it installs and writes them anew: what it runs besides is said in its local file."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Any

import yaml

from vetgate.agents.git.wire import COMMIT_MSG, HOOKS, PRE_PUSH
from vetgate.agents.installation import Plan, Writing
from vetgate.source.git_ignored import is_ignored
from vetgate.source.replace import read_bytes

if TYPE_CHECKING:
    from pathlib import Path

_FILES = tuple(f"{dot}lefthook.{suffix}" for dot in ("", ".") for suffix in ("yml", "yaml", "toml", "json", "jsonc"))
_LOCAL = tuple(name.replace("lefthook.", "lefthook-local.") for name in _FILES)
_BEGIN = "# >>> vetgate >>> `vetgate init --remove` takes this out"
_END = "# <<< vetgate <<<"


def is_lefthooks(data: bytes | None) -> bool:
    return data is not None and b"call_lefthook" in data


def lefthook_plan(top: Path, runner: Path, kind: str) -> Plan | None:
    """Our commands in the file that lefthook reads besides the committed one; None where lefthook is not used."""
    if not any((top / name).exists() for name in _FILES):
        return None
    found = next((top / name for name in _LOCAL if (top / name).exists()), top / _LOCAL[0])
    before = read_bytes(found)
    text = without_lines((before or b"").decode("utf-8", "surrogateescape"))
    after = _joined(text, _lines(runner)) if found.suffix in {".yml", ".yaml"} else None
    if after is None:
        return Plan(notes=[f"{found} has hooks of its own; add to it by hand:\n{_lines(runner)}"])
    told = [] if is_ignored(top, found) else [f"{found.name} is yours alone; add it to .gitignore"]
    return Plan([Writing(found, kind, before, after.encode("utf-8", "surrogateescape"))], told)


def without_lines(text: str) -> str:
    head, begin, rest = text.partition(f"{_BEGIN}\n")
    return head + rest.partition(f"{_END}\n")[2] if begin else text


def _joined(text: str, lines: str) -> str | None:
    """None when the file says something about one of these hooks already, or cannot be read."""
    whole = f"{text}{'' if not text or text.endswith(chr(10)) else chr(10)}{lines}"
    try:
        mine, theirs, both = (yaml.safe_load(each) or {} for each in (lines, text, whole))
    except yaml.YAMLError:
        return None
    return whole if isinstance(theirs, dict) and not theirs.keys() & mine.keys() and both == theirs | mine else None


def _lines(runner: Path) -> str:
    commands = {hook: {"commands": {"vetgate": _command(hook, runner)}} for hook in HOOKS}
    return f"{_BEGIN}\n{yaml.safe_dump(commands, sort_keys=False, width=1000)}{_END}\n"


def _command(hook: str, runner: Path) -> dict[str, Any]:
    words = f"{shlex.quote(str(runner))} {hook}" + (" {1}" if hook == COMMIT_MSG else "")
    return {"run": words, "use_stdin": True} if hook == PRE_PUSH else {"run": words}
