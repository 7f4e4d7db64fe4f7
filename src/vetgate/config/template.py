"""The vetgate.yaml that a new project starts with, and the loops of a review: short, commented, and only what works."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple

from vetgate.model import COMMAND_SECONDS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence


TIERS, STAGES = "tiers", "stages"
SHAPES: Mapping[str, str] = {
    TIERS: "lint, types and format at once; then secrets, build and tests; then a model; then CodeRabbit",
    STAGES: "quality, tests, performance, integration",
}
_OURS = {
    "secrets": "{checks: [secrets]}",
    "reviewer": "{judge: reviewer}  # skipped until `models.opus` names a model, see docs/models.md",
    "coderabbit": (
        '{command: "coderabbit review --plain", parse: coderabbit, quota: 8/hour, timeout: 180, on_fail: CONTINUE}'
    ),
}
_ALWAYS = frozenset({"code", *_OURS})


class _LoopShape(NamedTuple):
    """`timeout` in seconds; `more` are further keys."""

    name: str
    steps: tuple[tuple[str, ...], ...]
    timeout: int
    more: str = ""


# From what is quick and free to what is slow and costs.
_LOOPS: Mapping[str, tuple[_LoopShape, ...]] = {
    TIERS: (
        _LoopShape("quick", (("lint", "types", "format", "check"),), 30),
        _LoopShape("tests", (("code",), ("secrets",), ("build",), ("test",)), 120),
        _LoopShape("model", (("reviewer",),), 300),
        _LoopShape("coderabbit", (("coderabbit",),), 180, ", blocks: false"),
    ),
    STAGES: (
        _LoopShape("quality", (("lint", "types", "format", "check"), ("code",), ("build",)), 180),
        _LoopShape("tests", (("test",),), 300),
        _LoopShape("performance", (("bench",),), 600),
        _LoopShape("integration", (("e2e",),), 900),
    ),
}
_REVIEW_HEAD = {
    TIERS: "# A review in four loops: quick checks at once, then tests, a model, an outside reviewer.\n",
    STAGES: "# A review in four loops: quality, tests, performance, integration.\n",
}
_SHIP = "  reviewed: {ship: true}\n"
_END = """
# With this only reviewed content leaves: push, pull request, publishing. See docs/ship.md.
# on: {ship: [reviewed]}
"""
_PARTS = frozenset({"lint", "types", "format"})


def review_template(shape: str, commands: Iterable[tuple[str, str]]) -> str:
    """Gates and loops; what the project has no command for stays out, and a comment names it."""
    known = dict(commands)
    if any(name.partition("-")[0] in _PARTS for name in known):  # what checks everything runs these again
        known.pop("check", None)
    loops = _LOOPS[shape]
    wanted = [kind for loop in loops for step in loop.steps for kind in step]
    there = {kind: _of_kind(kind, known) for kind in wanted}
    missing = [kind for kind, names in there.items() if not names and kind != "check"]
    longest = {kind: loop.timeout for loop in loops for step in loop.steps for kind in step}
    gates = ((name, longest[kind]) for kind, names in there.items() for name in names if name != "code")
    lines = [f"  {name}: {_gate(name, known, seconds)}\n" for name, seconds in gates]
    shown = [_loop(loop, there) for loop in loops]
    left = f"# No command was found for: {', '.join(missing)}.\n" if missing else ""
    return "".join([_REVIEW_HEAD[shape], left, "gates:\n", *lines, _SHIP, "\nreview:\n", *shown, _END])


def _of_kind(kind: str, known: Mapping[str, str]) -> list[str]:
    """The commands of that kind: more than one where a project has several languages (`test`, `test-python`)."""
    if kind in _ALWAYS:
        return [kind]
    return [name for name in known if name == kind or name.startswith(f"{kind}-")]


def _gate(name: str, known: Mapping[str, str], seconds: int) -> str:
    """A command may take all the time of its loop, where that is more than commands have anyway."""
    if name in _OURS:
        return _OURS[name]
    limit = f", timeout: {seconds}" if seconds > COMMAND_SECONDS else ""
    return f"{{command: {json.dumps(known[name], ensure_ascii=False)}{limit}}}"


def _loop(loop: _LoopShape, there: Mapping[str, Sequence[str]]) -> str:
    steps = [kept for step in loop.steps if (kept := [name for kind in step for name in there[kind]])]
    if not steps:
        return f"  # - {{name: {loop.name}, gates: [...]}}    nothing to run was found\n"
    gates = ", ".join(step[0] if len(step) == 1 else f"[{', '.join(step)}]" for step in steps)
    return f"  - {{name: {loop.name}, gates: [{gates}], timeout: {loop.timeout}{loop.more}}}\n"


_HEAD = """\
# vetgate holds what a coding agent writes to this project's bar, before it is written.
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
#   code: {block_at: warning}          # findings below it are reported, not blocked
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
