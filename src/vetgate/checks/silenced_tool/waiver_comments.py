"""`vetgate: allow RULE -- reason`: a comment that waives a finding. A new one is a finding itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vetgate.engine.suppressions import INLINE
from vetgate.expression import expression
from vetgate.model import Finding, Severity, Span

if TYPE_CHECKING:
    from vetgate.checks.silenced_tool.suppressions import ToolSuppression
    from vetgate.source.syntax import Source

TOOL = "vetgate"
RULE = INLINE.partition("/")[2]
_CODE = expression(r"\s*(?!#|//|/\*|\*|<!--|--|;|%|\{/\*)\S")


def waiver_of(source: Source, each: ToolSuppression) -> Finding:
    reasoned = bool(each.codes and each.reason)
    names = ", ".join(each.codes)
    message = (
        f"This comment waives {names}." if reasoned else "This comment waives nothing: it needs a rule and a reason."
    )
    return Finding(
        INLINE.partition("/")[0],
        RULE,
        Span(source.path, each.line, each.column, _last_covered(source.text, each.line)),
        message,
        Severity.ERROR,
        symbol=names if reasoned else "",
        evidence=each.digest,
        fix="Mend what is found there. Where it is wrong, leave it to a person (`vetgate waive`).",
    )


def _last_covered(text: str, number: int) -> int:
    """Its own line, and where it stands alone the next one with code."""
    lines = text.split("\n")
    if _CODE.match(lines[number - 1]):
        return number
    following = (at for at in range(number, min(number + 10, len(lines))) if _CODE.match(lines[at]))
    return next(following, number - 1) + 1
