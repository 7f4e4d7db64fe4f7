"""The loops of a review as text for a vetgate.yaml, made of the commands that a project has."""

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
    "reviewer": "{judge: reviewer}",
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
_HEAD = {
    TIERS: "# A review in four loops: quick checks at once, then tests, a model, an outside reviewer.\n",
    STAGES: "# A review in four loops: quality, tests, performance, integration.\n",
}
_SHIP = "  reviewed: {ship: true}\n"
_END = """
# With this nothing leaves that was not reviewed: push, pull request, publishing. See docs/ship.md.
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
    return "".join([_HEAD[shape], left, "gates:\n", *lines, _SHIP, "\nreview:\n", *shown, _END])


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
