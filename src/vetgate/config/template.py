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


def render(
    *,
    languages: Sequence[str] = (),
    exclude: Sequence[str] = (),
    tests: Sequence[str] = (),
    preset: str = "recommended",
) -> str:
    """`exclude` and `tests` are globs beyond those of the preset; `languages` are told, nothing depends on them."""
    parts = [_HEAD.format(preset=preset, space=" " * (12 - len(preset)))]
    if languages:
        parts.append(f"# Languages found here: {', '.join(languages)}.\n")
    if exclude or tests:
        parts.append(
            "\n".join(
                ["", "paths:                             # these add to the preset's", *_globs(exclude, tests), ""]
            )
        )
    return "".join([*parts, _TAIL])


def _globs(exclude: Sequence[str], tests: Sequence[str]) -> list[str]:
    lines = []
    for key, globs in (("exclude", exclude), ("tests", tests)):
        if globs:
            lines += [f"  {key}:", *(f"    - {json.dumps(glob, ensure_ascii=False)}" for glob in globs)]
    return lines
