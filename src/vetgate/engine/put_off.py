"""Measures that an edit is not refused for, because they are a small part of what it writes.

To refuse an edit is to have all of it written again. That is right when what is wrong is most of it, or there is little
of it; a long text in which one function of many has grown too far is better mended by the next edit. What is put off so
is told at once, and holds the end of the turn and the commit like everything else.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from vetgate.source.written import written_lines

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vetgate.model import Finding

# Lines; an edit of so few is quickly written again.
_FEW = 20
# Of the lines that an edit writes, in functions at fault.
_MOST = 0.75


@dataclass(frozen=True, slots=True)
class Edit:
    """What stands in the file before and after; one that `owes` has something put off in it already."""

    before: str
    after: str
    owes: bool = False


def put_off(findings: Sequence[Finding], at_fault: Sequence[Finding], edit: Edit) -> tuple[Finding, ...]:
    """The findings, those `at_fault` told only unless the edit is to be refused for them."""
    if _is_worth_refusing(at_fault, edit):
        return tuple(findings)
    return tuple(replace(each, later=True, advisory=True) if each in at_fault else each for each in findings)


def _is_worth_refusing(at_fault: Sequence[Finding], edit: Edit) -> bool:
    """Never again for functions that were put off, as long as nothing is written in them."""
    written = written_lines(edit.before, edit.after)
    lines = {line for each in at_fault for line in range(each.span.line, each.last_line + 1)}
    bad = len(lines & written)
    return (bad > 0 or not edit.owes) and (len(written) <= _FEW or bad >= _MOST * len(written))
