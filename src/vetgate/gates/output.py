"""What a command printed, made useful for whoever has to fix it: short, plain, without secrets, the failure first."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from vetgate.checks.secrets.redaction import redacted_source
from vetgate.engine.analysis import source_of
from vetgate.source.text import NotText

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

MOST_CHARACTERS = 5_000
_LINE = 400
# Colours and cursor movements, links and titles, and what is left of a character that was cut.
_ANSI = re.compile(
    r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[PX^_][^\x1b]*(?:\x1b\\)?|[@-Z\\-_])|\x9b[0-?]*[@-~]"
)
_INVISIBLE = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]")
_FAILS = re.compile(
    r"\bFAIL(?:ED|URES?|S|ING)?\b|\bERRORS?\b|\b[A-Za-z.]*(?:Error|Exception)\b|\berror(?:\[\w+\])?:|\bpanicked\b|\bfatal\b"
    r"|^\s*(?:not ok|✕|✗|✖|\u00d7|●|E  )|\bTraceback\b|\bundefined reference\b|\bAssertion\b"
)
_PASSES = re.compile(r"(?i)\b(?:0|no) (?:errors?|failures?|failed)\b|0 failed")
_NAMED = re.compile(
    r"(?i)((?:passw(?:or)?d|passphrase|secret|token|api[_-]?key)[\w-]{0,20}[\"']?\s{0,3}[=:]\s{0,3}[\"']?)"
    r"(?=[^\s\"']*\d)(?:[A-Za-z0-9+/=_-]{32,}|[^\s\"'&,;()\[\]<>{}/]{8,})(?=[\"'\s,;&]|$)",
    re.MULTILINE,
)
_GAP = re.compile(r"\[\.\.\. (\d+) lines")
# Lines that are shown with one that tells of a failure: what leads to it, and what follows from it.
_BEFORE, _AFTER = 2, 12


def readable(output: bytes) -> str:
    """As a terminal would have left it, without colours and without secrets."""
    plain = "\n".join(_shortened(line, 20 * _LINE) for line in plain_text(output).split("\n"))
    return _without_secrets(re.sub(r"\n{3,}", "\n\n", plain).strip("\n"))


def plain_text(output: bytes) -> str:
    """All of it without colours; to be read by programs, for its secrets are still there."""
    text = _ANSI.sub("", output.decode("utf-8", "replace")).replace("\r\n", "\n")
    return "\n".join(_INVISIBLE.sub("", _overwritten(line)).rstrip() for line in text.split("\n"))


def excerpt(text: str, most: int = MOST_CHARACTERS) -> str:
    """All of it where that is short; else what fails, then how it began and ended."""
    lines = [_shortened(line, _LINE) for line in text.strip("\n").split("\n")]
    if _size(lines) <= most:
        return "\n".join(lines)
    failing = _taken(lines, _failing(lines), most // 2)
    others = [number for number in range(len(lines)) if number not in failing]
    left = most - _size(lines[number] for number in failing)
    head = _taken(lines, others, left // 4)
    tail = _taken(lines, (number for number in reversed(others) if number not in head), left - left // 4)
    around = _joined(lines, {*head, *tail})
    if not failing:
        return around
    return f"{_joined(lines, failing)}\n\nBeginning and end:\n{around}"


def _overwritten(line: str) -> str:
    """A progress bar returns to the start of its line; what it says last is what stays."""
    return next((part for part in reversed(line.split("\r")) if part), "")


def _shortened(line: str, most: int) -> str:
    """How it begins, and how it ends."""
    return line if len(line) <= most else f"{line[: most * 3 // 4]} [...] {line[-most // 4 :]}"


def _without_secrets(text: str) -> str:
    """As the check sees them, and what a program prints behind a telling name: code that speaks of tokens stays."""
    try:
        return _NAMED.sub(r"\1[hidden]", redacted_source(source_of("output.txt", text)))
    except NotText:
        return "[the output is not text]"


def _failing(lines: Sequence[str]) -> Iterable[int]:
    """The places of lines that tell of a failure, with their surroundings, in the order of the text."""
    for number, line in enumerate(lines):
        if _FAILS.search(line) and not _PASSES.search(line):
            yield from range(max(0, number - _BEFORE), min(len(lines), number + _AFTER))


def _taken(lines: Sequence[str], numbers: Iterable[int], most: int) -> set[int]:
    """As many as there is room for, the first of them first."""
    taken: set[int] = set()
    for number in numbers:
        most -= len(lines[number]) + 1 if number not in taken else 0
        if most < 0:
            break
        taken.add(number)
    return taken


def _joined(lines: Sequence[str], numbers: set[int]) -> str:
    """In the order of the text, with a word where something is left out."""
    shown: list[str] = []
    last = -1
    for number in sorted(numbers):
        if number > last + 1:
            shown.append(_left_out(lines[last + 1 : number]))
        shown.append(lines[number])
        last = number
    if last < len(lines) - 1:
        shown.append(_left_out(lines[last + 1 :]))
    return "\n".join(shown)


def _left_out(lines: Sequence[str]) -> str:
    """With those that were never kept."""
    gaps = [int(found[1]) for line in lines if (found := _GAP.match(line))]
    return f"[... {len(lines) - len(gaps) + sum(gaps)} lines ...]"


def _size(lines: Iterable[str]) -> int:
    return sum(len(line) + 1 for line in lines)
