"""Effects as findings: which effect, which part of the command, and a safe way to do the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vetgate.checks.unsafe_command.effect import KINDS
from vetgate.model import Decision, Finding, Severity, Span

if TYPE_CHECKING:
    from vetgate.checks.unsafe_command.effect import Effect

_CHECK = "unsafe-command"


def findings_of(command: str, effects: tuple[Effect, ...]) -> tuple[Finding, ...]:
    """The evidence is what is done, not how it is written: the same deed by another route is the same finding."""
    return tuple(
        Finding(
            check=_CHECK,
            rule=effect.kind,
            span=_span(command, effect),
            message=f"`{effect.part}` {KINDS[effect.kind].summary}: {effect.what}.",
            severity=Severity.ERROR,
            evidence=effect.what,
            fix=f"A safe way: {effect.safe}.",
            cwe=KINDS[effect.kind].cwe,
            asks=effect.decision is Decision.ASK,
        )
        for effect in effects
    )


def _span(command: str, effect: Effect) -> Span:
    line, column = _place(command, effect.start)
    end_line, end_column = _place(command, effect.end)
    return Span("", line, column, end_line, end_column)


def _place(command: str, offset: int) -> tuple[int, int]:
    before = command[:offset]
    return before.count("\n") + 1, len(before) - (before.rfind("\n") + 1) + 1
