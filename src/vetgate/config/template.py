"""The vetgate.yaml that a new project starts with: short, commented, and only what works."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from vetgate.config.review_template import review_template

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
"""
_TAIL_GATES = """\
# gates:
#   code: {block_at: warning}          # findings below it are told, not blocked
"""
# In this order: what is quick first. A build is left to whoever wants it.
AT_STOP = ("format", "lint", "types", "check", "test")


def render(
    *,
    languages: Sequence[str] = (),
    exclude: Sequence[str] = (),
    tests: Sequence[str] = (),
    preset: str = "recommended",
    commands: Sequence[tuple[str, str, str]] = (),
    at_stop: Sequence[str] = (),
    review: str = "",
) -> str:
    """`exclude` and `tests` are globs beyond those of the preset; `languages` are told, nothing depends on them.

    `commands` that the project has, each with its name and where it was found, are gates: those `at_stop` run at the
    end of a turn, all that are quick or test in a review; with a `review` of that shape they are its loops.
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
    if review:
        parts += ["\n", review_template(review, [(name, command) for name, command, _ in commands])]
    elif commands:
        parts += ["\n", *_gates(commands)]
    reviewed = () if review else runs_at_stop([name for name, _, _ in commands])
    return "".join([*parts, *_on(reviewed, at_stop), _TAIL, "" if commands or review else _TAIL_GATES])


def runs_at_stop(names: Sequence[str]) -> list[str]:
    """Those of these gates that are quick, or test, in the order in which they run."""
    return [name for kind in AT_STOP for name in names if name.partition("-")[0] == kind]


def _gates(commands: Sequence[tuple[str, str, str]]) -> list[str]:
    lines = [f"  {name}: {{command: {_quoted(command)}}}" for name, command, _ in commands]
    width = max(36, *map(len, lines))
    shown = [f"{line:{width}}  # from {source}\n" for line, (_, _, source) in zip(lines, commands, strict=True)]
    return ["gates:\n", *shown]


def _on(reviewed: Sequence[str], at_stop: Sequence[str]) -> list[str]:
    rows = (
        ("review", reviewed, "what `vetgate review` runs, see docs/review.md"),
        ("stop", at_stop, "what holds an agent at the end of its turn, see docs/gates.md"),
    )
    lines = [(f"  {event}: [{', '.join(('code', *names))}]", why) for event, names, why in rows if names]
    width = max([36, *(len(line) for line, _ in lines)])
    return ["\non:\n", *(f"{line:{width}}  # {why}\n" for line, why in lines)] if lines else []


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _globs(exclude: Sequence[str], tests: Sequence[str]) -> list[str]:
    lines = []
    for key, globs in (("exclude", exclude), ("tests", tests)):
        if globs:
            lines += [f"  {key}:", *(f"    - {json.dumps(glob, ensure_ascii=False)}" for glob in globs)]
    return lines
