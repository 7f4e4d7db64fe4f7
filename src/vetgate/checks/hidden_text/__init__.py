"""The hidden-text check: characters that make code read differently from what it is."""

from __future__ import annotations

from bisect import bisect_right
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING

from vetgate.checks.hidden_text.invisible import BIDI, CONTROL, INVISIBLE, SEPARATOR, TAG, is_allowed, is_plain, runs
from vetgate.checks.hidden_text.scripts import skeleton
from vetgate.checks.hidden_text.text_kinds import TextKind, TextKinds, disguised, is_binary_format
from vetgate.engine.check import Check, InTests, Report, Rule
from vetgate.expression import expression
from vetgate.model import Finding, Span
from vetgate.severity import Severity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vetgate.checks.hidden_text.invisible import InvisibleRun
    from vetgate.config.schema import Config
    from vetgate.engine.check import CheckInput
    from vetgate.source.clock import Deadline
    from vetgate.source.syntax import Source

MIXED = "mixed-script"
_RULES = (
    Rule(BIDI, Severity.ERROR, "A control character changes the order in which a line is shown.", cwe=(451,)),
    Rule(TAG, Severity.ERROR, "Tag characters carry text that no reviewer sees.", cwe=(451,)),
    Rule(SEPARATOR, Severity.ERROR, "A line ends here for some readers and not for others.", cwe=(451,)),
    Rule(CONTROL, Severity.ERROR, "A control character that a terminal obeys instead of showing it.", cwe=(150, 451)),
    Rule(INVISIBLE, Severity.ERROR, "A character without width or picture.", cwe=(451,)),
    Rule(MIXED, Severity.ERROR, "A name with letters of another script that pass for Latin ones.", cwe=(1007,)),
)
_WHAT = {
    BIDI: "changes the order in which this line is shown",
    TAG: "carries text that no reviewer sees",
    SEPARATOR: "ends a line for some readers and not for others",
    CONTROL: "is obeyed by a terminal and not shown",
    INVISIBLE: "cannot be seen",
}
_ESCAPE = "Delete it; where the program needs the character, write it as an escape."
_PLAIN = frozenset({TextKind.PROSE, TextKind.DATA})
# Two in a row may be a slip of the keyboard; more of them are a message.
_MESSAGE = 3
_MOST = 500  # of names in disguise, before more of them say nothing new
_END = expression("\n")


def _report(check_input: CheckInput, config: Config, deadline: Deadline) -> Report:  # noqa: ARG001 - what every check is asked
    if is_plain(check_input.source.text) or is_binary_format(check_input.source):
        return Report()
    places = TextKinds(check_input.source)
    findings = (*_unseen(check_input.source, places), *_disguised(check_input.source, places))
    if config.paths.is_test(check_input.source.path) and places.are_data:
        # What a test is fed with may well be strange.
        findings = tuple(finding.at(min(finding.severity, Severity.WARNING)) for finding in findings)
    return Report(findings)


def _unseen(source: Source, places: TextKinds) -> Iterator[Finding]:
    told: set[tuple[int, str]] = set()
    lines = _NumberedLines(source.text)
    for run in runs(source.text):
        if (lines.number(run.start), run.rule) in told:
            continue
        place = places.at(run.start)
        if is_allowed(run, "" if place is TextKind.CODE else places.around(run.start) or run.line):
            continue
        severity = _severity(run, place)
        span = lines.span(source.path, run.start, run.end)
        if severity is not None:
            told.add((span.line, run.rule))
            message = f"{run.names()} in {place.value} {_WHAT[run.rule]}."
            yield Finding(
                CHECK.id,
                run.rule,
                span,
                message,
                severity,
                evidence=f"{run.characters!a} {run.line.strip()!a}",
                fix=_ESCAPE,
                cwe=(451,),
            )


def _severity(run: InvisibleRun, place: TextKind) -> Severity | None:
    """How bad it is there, given that nothing around it asks for it; None where it is usual."""
    if run.rule == CONTROL:
        return _of_control(run, place)
    if run.rule in {BIDI, TAG} or len(run.characters) >= _MESSAGE:
        return Severity.ERROR
    if run.rule == SEPARATOR:
        return Severity.WARNING if place in _PLAIN else Severity.ERROR
    if run.characters == "\u00ad" and place is not TextKind.CODE:
        return None if place is TextKind.PROSE else Severity.NOTE
    return Severity.WARNING if place in _PLAIN or place is TextKind.COMMENT else Severity.ERROR


def _of_control(run: InvisibleRun, place: TextKind) -> Severity | None:
    """Strings, recordings and logs of programs that colour what they print are full of them."""
    if place in _PLAIN or place is TextKind.STRING or (place is TextKind.SOURCE and "\x1b" in run.characters):
        return None
    # The ends of lines of two systems may be mixed up in one file.
    return Severity.WARNING if place is TextKind.SOURCE or set(run.characters) == {"\r"} else Severity.ERROR


def _disguised(source: Source, places: TextKinds) -> Iterator[Finding]:
    lines = _NumberedLines(source.text)
    for start, word, severity in islice(disguised(source.text, places), _MOST):
        odd = dict.fromkeys(f"U+{ord(each):04X}" for each in word if not each.isascii())
        yield Finding(
            CHECK.id,
            MIXED,
            lines.span(source.path, start, start + len(word)),
            f"`{word}` reads as `{skeleton(word)}` and is another name: {', '.join(list(odd)[:3])}.",
            severity,
            symbol=word,
            evidence=ascii(word),
            fix="Write the name in one script.",
            cwe=(1007,),
        )


class _NumberedLines:
    """Where the lines of a text begin: counting them anew for each of many findings takes minutes."""

    def __init__(self, text: str) -> None:
        self._text = text

    @cached_property
    def _starts(self) -> list[int]:
        """Most texts hold nothing that anybody asks the line of."""
        return [0, *(match.end() for match in _END.finditer(self._text))]

    def number(self, offset: int) -> int:
        return bisect_right(self._starts, offset)

    def span(self, path: str, start: int, end: int) -> Span:
        line = self.number(start)
        column = start - self._starts[line - 1] + 1
        return Span(path, line, column, line, column + end - start)


CHECK = Check(
    id="hidden-text",
    summary="Characters and names that read as something else than they are.",
    details=(
        "controls that turn a line around, invisible characters, tags and separators, names with letters of "
        "another script; right-to-left prose, emoji and names in any one script pass"
    ),
    rules=_RULES,
    report=_report,
    plain=True,
    in_tests=InTests.BLOCKS,
    rank=30,
)
