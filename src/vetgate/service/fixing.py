"""Corrections that are certain, written into the files: the code of the finding is replaced, and then judged again."""

from __future__ import annotations

import difflib
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from vetgate.engine.suppressions import Suppressions
from vetgate.gates.linter import linter_verdict
from vetgate.model import Change, File, UserError
from vetgate.source import disk
from vetgate.source.replace import read_bytes, write_bytes
from vetgate.source.text import NotText

if TYPE_CHECKING:
    from pathlib import Path

    from vetgate.config.schema import Config
    from vetgate.model import Finding, Span
    from vetgate.service.check import Judged

# What the code does stays the same, but for what was wrong: no digest, no page and no message looks otherwise.
CERTAIN = frozenset(
    f"security/{rule}"
    for rule in (
        "sql-concatenation",
        "shell-command",
        "unsafe-yaml",
        "unverified-certificate",
        "world-writable-file",
        "insecure-cookie",
    )
)
_NAME = re.compile(r"(?<![\w.\"'])[A-Za-z_]\w*(?=\s*[.(])")


@dataclass(frozen=True, slots=True)
class FixedFile:
    """`fixed` are the findings that are gone, `left` those whose correction did not hold."""

    path: str
    before: str
    after: str
    fixed: tuple[Finding, ...]
    left: tuple[Finding, ...]
    line_end: str = "\n"

    def bytes_of(self, text: str) -> bytes:
        return text.replace("\n", self.line_end).encode("utf-8")

    def diff(self) -> str:
        lines = (self.before.splitlines(keepends=True), self.after.splitlines(keepends=True))
        made = difflib.unified_diff(*lines, f"a/{self.path}", f"b/{self.path}")
        return "".join(line if line.endswith("\n") else f"{line}\n" for line in made)


def fixable(judged: Judged) -> dict[str, list[Finding]]:
    """By file; never in tests, which say what the code has to do."""
    found: dict[str, list[Finding]] = {}
    for each in judged.verdict.findings:
        path = each.span.path
        if each.new and each.replacement and each.id in CERTAIN and not judged.config.paths.is_test(path):
            known = found.setdefault(path, [])
            if each.span not in [other.span for other in known]:
                known.append(each)
    return found


def fix(judged: Judged) -> tuple[FixedFile, ...]:
    """Write every correction that can be made; files that changed meanwhile are left alone."""
    made = (_fixed(judged.root, path, found, judged.config) for path, found in fixable(judged).items())
    written = [each for each in made if each is not None]
    for each in written:
        if each.fixed:
            write_bytes(judged.root / each.path, each.bytes_of(each.after), expected=each.bytes_of(each.before))
    return tuple(written)


def _fixed(root: Path, path: str, found: list[Finding], config: Config) -> FixedFile | None:
    before, line_end = _text(root / path)
    if not line_end:
        return None
    text, fixed, left = before, [], []
    counts = _fingerprints(root, path, before, config)
    # From the end, so that what stands before keeps its place.
    for each in sorted(found, key=lambda one: (one.span.line, one.span.column), reverse=True):
        candidate = _replaced(text, each)
        after = _fingerprints(root, path, candidate, config) if candidate else None
        if candidate and after is not None and after < counts:
            text, counts = candidate, after
            fixed.append(each)
        else:
            left.append(each)
    return FixedFile(path, before, text, tuple(fixed), tuple(left), line_end)


def _text(path: Path) -> tuple[str, str]:
    """What it says and how its lines end; nothing of what would not come out byte for byte as it was."""
    try:
        data, text = read_bytes(path), disk.read(path)
    except (NotText, UserError):
        return "", ""
    ends = ("\n", "\r\n")
    return text, next((end for end in ends if text.replace("\n", end).encode("utf-8", "surrogatepass") == data), "")


def _replaced(text: str, finding: Finding) -> str:
    """The text with the correction; empty where the place does not hold what was found, or a name is not imported."""
    start, end = _offsets(text, finding.span)
    if start >= end:
        return ""
    missing = set(_NAME.findall(finding.replacement)) - set(_NAME.findall(text[start:end]))
    if not all(re.search(rf"\bimport\b[^\n]*\b{re.escape(name)}\b", text) for name in missing):
        return ""
    return text[:start] + finding.replacement + text[end:]


def _offsets(text: str, span: Span) -> tuple[int, int]:
    lines = text.split("\n")
    if not 1 <= span.line <= span.end_line <= len(lines):
        return 0, 0
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)
    return starts[span.line - 1] + span.column - 1, starts[span.end_line - 1] + span.end_column - 1


def _fingerprints(root: Path, path: str, text: str, config: Config) -> frozenset[str]:
    change = Change(root, (File(path, None, text),))
    verdict = linter_verdict(change, config, compares=False, suppressions=Suppressions())
    return frozenset(each.fingerprint for each in verdict.findings)
