"""Scripts and targets that a command names and its runner does not know: nothing ran, so nothing failed.

Whatever runs may print such words. They count only where the command itself starts that runner, where they name a word
of the command, and where little else was printed; of package.json it is looked up.
"""

from __future__ import annotations

import re
import shutil
from typing import TYPE_CHECKING

from vetgate.gates.affected_tests import scripts_of
from vetgate.gates.evidence import command_words
from vetgate.gates.output import plain_text, readable

if TYPE_CHECKING:
    from pathlib import Path

    from vetgate.gates.process import CommandResult

_Q = r"[\"'`\u2018]?"
_NAME = rf"{_Q}(?P<name>[\w:.@/+-]*\w){_Q}"
_SCRIPTS = (
    rf"missing script: {_NAME}$",
    rf"\bcommand {_NAME} not found\b",
    rf"couldn't find a script named {_NAME}[.\s]*$",
    rf"script not found {_NAME}$",
)
_NO_PACKAGE = r"no package\.json|package\.json'?(?: was)? not found|ENOENT.*package\.json"
_SAYS = {
    "make": (rf"no rule to make target {_NAME}[,.\u2019]", r"no targets specified and no makefile found"),
    "just": (rf"justfile does not contain recipes? {_NAME}", r"no justfile found"),
    "task": (rf"task {_NAME} does not exist", r"no taskfile found"),
    "mise": (rf"no tasks? (?:named )?{_NAME} found", r"no tasks defined"),
    "tox": (rf"(?:environments? not found in configuration file: |unknown environment ){_NAME}",),
    "nox": (rf"sessions? not found: {_NAME}", r"no such file exists"),
    "cargo": (rf"no such (?:sub)?command: {_NAME}",),
    "poetry": (rf"command not found: {_NAME}",),
    "uv": (rf"failed to spawn: {_NAME}",),
    "pdm": (rf"(?:command|script) {_NAME} is not found",),
    "composer": (rf"command {_NAME} is not defined",),
    "rake": (rf"don't know how to build task {_NAME}",),
    "python": (rf"no module named {_NAME}$",),
}
_PACKAGE_RUNNERS = frozenset({"npm", "pnpm", "yarn", "bun"})
_MOST_LINES = 30


_SHELL_SAYS = re.compile(
    r"(?:^|: )(?P<name>[^\s:]+): (?P<how>(?:command )?not found|permission denied)\s*$", re.IGNORECASE
)


# A word that starts a command and means nothing else to a shell.
_PLAIN = re.compile(r"[\w.+-]+(?=\s|\Z)")
_BUILTINS = frozenset(
    ("cd", "test", "true", "false", "echo", "exit", "exec", "eval", "export", "set", "if", "for", "while")
)
_NOT_STARTED = re.compile(
    r"not found|permission denied|no such file or directory|is a directory|exec format error|cannot execute",
    re.IGNORECASE,
)


def absent_program(command: str, path: str | None) -> str:
    """The program that it begins with, where none of that name is on the PATH."""
    program = _PLAIN.match(command)
    if program is None or program[0] in _BUILTINS or shutil.which(program[0], path=path):
        return ""
    return program[0]


def was_not_started(command: str, output: bytes, path: str | None) -> bool:
    """Of a command that ended as if it was not found: it may as well have run, and have ended so itself.

    A shell says one line when it finds no program, in its own language; whoever printed more has run.
    """
    lines = output.strip().splitlines()
    if len(lines) > 1:
        return False
    return any(_NOT_STARTED.search(plain_text(line)) for line in lines) or bool(absent_program(command, path))


def missing_program(command: str, ran: CommandResult) -> str:
    """Which one it is, by what the shell says, or else by how the command begins."""
    said = _SHELL_SAYS.search(plain_text(ran.output).strip())
    words = command_words(command)
    name = said["name"] if said else (words[0].split() or [""])[0] if words else ""
    how = "cannot be run: permission denied" if said and "denied" in said["how"].lower() else "was not found"
    return readable(f"{name or command} {how}".encode())


def missing_task(command: str, ran: CommandResult, root: Path) -> str:
    """What its runner says is not there; "" where it ran something."""
    if not ran.status:
        return ""
    words = command_words(command)
    words = tuple(words[0].split()) if len(words) == 1 else words
    runner = re.sub(r"[\d.]+$", "", words[0].rpartition("/")[2]) if words else ""
    text = plain_text(ran.output).strip()
    if text.count("\n") >= _MOST_LINES:
        return ""
    if runner in _PACKAGE_RUNNERS:
        return _missing_script(runner, words, text, root)
    for pattern in _SAYS.get(runner, ()):
        found = re.search(pattern, text, re.IGNORECASE | re.MULTILINE)
        name = found.groupdict().get("name") if found else None
        if found and (name is None or name in words or name in _values(words)):
            return f"{runner} knows no {name}" if name else f"{runner} finds no file that says what to run"
    return ""


def _missing_script(runner: str, words: tuple[str, ...], text: str, root: Path) -> str:
    known = scripts_of(root)
    for pattern in _SCRIPTS:
        found = re.search(pattern, text, re.IGNORECASE | re.MULTILINE)
        if found and found["name"] in words and found["name"] not in known:
            return f"{runner} knows no script {found['name']}"
    if not (root / "package.json").exists() and re.search(_NO_PACKAGE, text, re.IGNORECASE):
        return f"{runner} finds no package.json"
    return ""


def _values(words: tuple[str, ...]) -> set[str]:
    """What stands behind `-e=` and the like, and the parts of lists."""
    return {part for word in words for part in re.split(r"[=,]", word)}
