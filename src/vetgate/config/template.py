"""The vetgate.yaml that a new project starts with: short, commented, and only what works."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

_HEAD = """\
# vetgate holds what a coding agent writes to this project's bar, before it lands.
# `vetgate config show` prints what is in force, `vetgate config schema` every key.
version: 1
extends: [{preset}]{space} # recommended, strict or advisory
"""

_TAIL = """
# What differs from the preset goes here, for example:
#
# complexity: {cyclomatic: 12}         # cyclomatic, cognitive, nesting, length, parameters
# rules: {complexity/length: off}      # off, note, warning, error or critical
# gates:
#   code: {block_at: warning}          # findings below it are told, not blocked
"""
# At the end of a turn, in this order: what is quick first. A build is left to whoever wants it.
_AT_STOP = ("format", "lint", "types", "test")


def render(
    *,
    languages: Sequence[str] = (),
    exclude: Sequence[str] = (),
    tests: Sequence[str] = (),
    preset: str = "recommended",
    commands: Sequence[tuple[str, str, str]] = (),
) -> str:
    """`exclude` and `tests` are globs beyond those of the preset; `languages` are told, nothing depends on them.

    `commands` that the project has, each with its kind and where it was found, are offered as gates.
    """
    parts = [_HEAD.format(preset=preset, space=" " * (12 - len(preset)))]
    if languages:
        parts.append(f"# Languages found here: {', '.join(languages)}.\n")
    if exclude or tests:
        parts.append(
            "\n".join(
                ["", "paths:                             # these add to the preset's", *_globs(exclude, tests), ""]
            )
        )
    return "".join([*parts, _TAIL, *_gates(commands)])


def _gates(commands: Sequence[tuple[str, str, str]]) -> list[str]:
    """They run once a person takes away the mark before them: some take long, and some change files."""
    lines = [f"#   {kind}: {{command: {_quoted(command)}}}" for kind, command, _ in commands]
    width = max([37, *map(len, lines)])
    shown = [f"{line:{width}}  # from {source}\n" for line, (_, _, source) in zip(lines, commands, strict=True)]
    at_stop = ["code", *(kind for kind in _AT_STOP if kind in {each[0] for each in commands})]
    ended = f"#   stop: [{', '.join(at_stop)}]"
    on = ["# on:\n", f"{ended:{width}}  # run at the end of a turn, see docs/gates.md\n"] if len(at_stop) > 1 else []
    return [*shown, *on]


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _globs(exclude: Sequence[str], tests: Sequence[str]) -> list[str]:
    lines = []
    for key, globs in (("exclude", exclude), ("tests", tests)):
        if globs:
            lines += [f"  {key}:", *(f"    - {json.dumps(glob, ensure_ascii=False)}" for glob in globs)]
    return lines
