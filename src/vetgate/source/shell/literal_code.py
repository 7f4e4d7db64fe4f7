"""Programs whose languages nobody reads here: every text in their code may be a command, and is followed."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from vetgate.expression import expression
from vetgate.source.shell.options import value_of
from vetgate.source.shell.runs import Inner

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

# The options behind which code stands.
_CODE: Mapping[str, tuple[str, ...]] = {
    "guile": ("-c",),
    "racket": ("-e", "--eval"),
    "sbcl": ("--eval",),
    "clisp": ("-x",),
    "ghc": ("-e",),
    "ocaml": ("-e",),
    "octave": ("--eval",),
    "gnuplot": ("-e",),
    "swipl": ("-g", "-t"),
    "scala": ("-e",),
    "scala-cli": ("-e",),
    "emacs": ("--eval", "-eval", "--execute", "-execute"),
    "emacsclient": ("-e", "--eval"),
    "vim": ("-c", "--cmd"),
    "nvim": ("-c", "--cmd"),
    "jshell": (),
    "erl": ("-eval",),
    "clojure": ("-e", "-M"),
    "clj": ("-e", "-M"),
    "bb": ("-e",),
    "crystal": ("eval",),
}
_TEXT = expression(r"\"((?:[^\"\\\n]|\\.){1,2000})\"|'((?:[^'\\\n]|\\.){1,2000})'|`([^`\n]{1,2000})`")
_DEBUGGER = expression(r"^\s*(?:!|shell\s|make\s|platform shell\s|pipe\s)\s*(.+)$")
_DEBUGGER_CODE = expression(r"^\s*(?:python|py|pi|script)\s+(.+)$")
_ELISP = expression(r"\(delete-(?:directory|file)\s+\"([^\"]+)\"")
_EDITOR_DELETES = expression(r"\bdelete\((?:expand\()?[\"']([^\"']+)[\"']")
_BUILD_TOOL = {"rm": "rm", "remove": "rm", "remove_directory": "rm", "cat": "cat", "copy": "cp", "rename": "mv"}


def in_literals(name: str, arguments: Sequence[str], stdin: str) -> Iterator[Inner]:
    if name in ("gdb", "lldb"):
        yield from _debugger(arguments)
    elif name == "cmake":
        yield from _cmake(arguments)
    elif name == "less":
        yield from (Inner(script=each[2:]) for each in arguments if each.startswith("+!"))
    elif name in _CODE:
        for code in _codes(_CODE[name], arguments, stdin):
            yield from _texts(code)
            for match in (*_ELISP.finditer(code), *_EDITOR_DELETES.finditer(code)):
                yield Inner(script=f"rm -rf {match[1]}")


def _codes(options: Sequence[str], arguments: Sequence[str], stdin: str) -> Iterator[str]:
    for index, argument in enumerate(arguments):
        if argument in options and index + 1 < len(arguments):
            yield arguments[index + 1]
        elif argument.startswith("--") and (value := value_of([argument], *options)):
            yield value
    if not options and stdin:
        yield stdin


def _texts(code: str) -> Iterator[Inner]:
    for match in _TEXT.finditer(code):
        text = next(filter(None, match.groups()), "")
        if " " in text:
            yield Inner(script=text)


def _debugger(arguments: Sequence[str]) -> Iterator[Inner]:
    for option, text in pairwise(arguments):
        if option not in ("-ex", "--eval-command", "-iex", "-o", "--one-line", "-O", "--one-line-before-file"):
            continue
        command, code = _DEBUGGER.search(text), _DEBUGGER_CODE.search(text)
        if command:
            yield Inner(script=command[1])
        elif code:
            yield Inner(script=code[1], language="python")


def _cmake(arguments: Sequence[str]) -> Iterator[Inner]:
    """`cmake -E` is a small shell of its own."""
    if len(arguments) < 3 or arguments[0] != "-E":
        return
    verb, rest = arguments[1], tuple(arguments[2:])
    if verb in ("env", "time", "chdir"):
        skipped = rest[1:] if verb == "chdir" else rest
        yield Inner(("env", *skipped) if verb == "env" else skipped)
    elif verb in _BUILD_TOOL:
        yield Inner((_BUILD_TOOL[verb], *(("-rf",) if "directory" in verb else ()), *rest))
