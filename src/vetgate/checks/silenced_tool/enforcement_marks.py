"""What a file enforces, as marks that must not get lost."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vetgate.checks.silenced_tool.commands import limits
from vetgate.checks.silenced_tool.enforcement import DROPPED, SCALE, THRESHOLD, enforcement_of
from vetgate.checks.silenced_tool.pipelines import CHECKS, TESTS, pipeline, scripts
from vetgate.engine.check import Mark
from vetgate.expression import expression

if TYPE_CHECKING:
    from vetgate.source.syntax import Source

ID = "silenced-tool"
# Settings that hold options of a command line.
_OPTIONS = expression(r"(?:^|/)(?:pyproject\.toml|setup\.cfg|\.?pytest\.ini)$")


def marks_of(source: Source) -> tuple[Mark, ...]:
    """What holds the code to a bar in this file."""
    held = [
        Mark(ID, each.rule, f"{each.tool} {each.name}", each.value, line=each.line)
        for each in enforcement_of(source).held
    ]
    run = pipeline(source.path, source.text)
    if run is not None:
        held += [Mark(ID, DROPPED, f"{kind} step {tool}", count) for (kind, tool), count in run.runs.items()]
        held += [Mark(ID, DROPPED, f"trigger {name}") for name in dict.fromkeys(run.triggers)]
        held += [Mark(ID, THRESHOLD, f"option {name}", round(value * SCALE)) for name, value in run.limits.items()]
    if _OPTIONS.search(source.path):
        held += [Mark(ID, THRESHOLD, f"option {name}", round(value * SCALE)) for name, value in limits(source.text)]
    held += [
        Mark(ID, DROPPED, f"script {each.name}", 0 if each.is_empty else 1)
        for each in scripts(source)
        if CHECKS.search(each.name) and not TESTS.search(each.name)
    ]
    return tuple(held)
