"""Measures that an edit is not refused for, because they are a small part of what it writes.

To refuse an edit is to have all of it written again. That is right when what is wrong is most of it, or there is little
of it; a long text in which one function of many has grown too far is better mended by the next edit. What is deferred
is told at once, and holds the end of the turn and the commit like everything else.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from vetgate.source.text_diff import written_lines

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vetgate.model import Finding
    from vetgate.store import Known

# Lines; an edit of so few is quickly written again.
_FEW = 20
# Of the lines that an edit writes, in functions at fault.
_MOST = 0.75


@dataclass(frozen=True, slots=True)
class Edit:
    """What stands in the file before and after; what is known of before, where something was deferred already."""

    before: str
    after: str
    stood: tuple[Known, ...] = ()


def defer(findings: Sequence[Finding], at_fault: Sequence[Finding], edit: Edit) -> tuple[Finding, ...]:
    """The findings, those `at_fault` told only unless the edit is to be refused for them.

    Never for one that was deferred and stands as it is: this edit does not write it.
    """
    stood = {(known.id, known.symbol, known.evidence) for known in edit.stood}
    written = [each for each in at_fault if (each.id, each.symbol, each.evidence) not in stood]
    waits = at_fault if not _is_worth_refusing(written, edit) else [each for each in at_fault if each not in written]

    def weighed(finding: Finding) -> Finding:
        if finding in waits:
            # What stands there was told to whoever wrote it, and is theirs.
            return replace(finding, later=True, advisory=True, said=finding not in written)
        return _with_bar(finding, edit.stood) if finding in written else finding

    return tuple(map(weighed, findings))


def _is_worth_refusing(at_fault: Sequence[Finding], edit: Edit) -> bool:
    if not at_fault:
        return False
    written = written_lines(edit.before, edit.after)
    lines = {line for each in at_fault for line in range(each.span.line, each.last_line + 1)}
    return len(written) <= _FEW or len(lines & written) >= _MOST * len(written)


def _with_bar(finding: Finding, stood: Sequence[Known]) -> Finding:
    """Of a function that is to be mended: what an edit of it has to come below."""
    there = next((known for known in stood if (known.id, known.symbol) == (finding.id, finding.symbol)), None)
    if there is None or there.value is None or finding.before is not None:
        return finding
    bar = f" It stands in the file with {there.value}, and is to be mended: an edit of it passes with less than that."
    return replace(finding, message=finding.message + bar)
