"""A finding as people name it: by the place it stands at (`src/app.py:12`), or by its fingerprint."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from vetgate.model import FINGERPRINT, UserError
from vetgate.progress import Progress, unseen
from vetgate.service.check import CheckRequest, check
from vetgate.service.configuration import Configurations
from vetgate.service.safe_text import printable
from vetgate.source.root import name_in, real

if TYPE_CHECKING:
    from pathlib import Path

    from vetgate.model import Finding

_PLACE = re.compile(r"(?P<path>.+?):(?P<line>[0-9]+)(?::[0-9]+)?")


def is_place(what: str) -> bool:
    return _PLACE.fullmatch(what) is not None


def is_finding(what: str) -> bool:
    return is_place(what) or FINGERPRINT.fullmatch(what) is not None


def look_up(
    what: str, root: Path, cwd: Path, progress: Progress = unseen, *, suppressed: bool = False
) -> Finding | None:
    """The finding that is there now; None when a fingerprint is nowhere in the project.

    One that a waiver or the baseline allows counts only where it is asked for.
    """
    if FINGERPRINT.fullmatch(what):
        found = _found(CheckRequest(root), progress, suppressed=suppressed)
        return next((each for each in found if each.fingerprint == what), None)
    place = _PLACE.fullmatch(what)
    if place is None:
        return None
    line = int(place["line"])
    path = name_in(root, real(cwd / place["path"]))
    found = _found(CheckRequest(cwd, (place["path"],)), progress, suppressed=suppressed)
    there = [each for each in found if each.span.path == path]
    at_line = [each for each in there if each.span.line == line] or [each for each in there if _covers(each, line)]
    if not at_line:
        raise UserError(f"nothing is found at {printable(what)}", hint=f"vetgate check {printable(place['path'])}")
    if len(at_line) > 1:
        names = ", ".join(f"{each.fingerprint} ({each.id})" for each in at_line)
        raise UserError(
            f"{len(at_line)} findings are at {printable(what)}", hint=f"name one by its fingerprint: {names}"
        )
    return at_line[0]


def _covers(finding: Finding, line: int) -> bool:
    return finding.span.line <= line <= max(finding.span.end_line, finding.last_line)


def _found(request: CheckRequest, progress: Progress, *, suppressed: bool) -> list[Finding]:
    """Each once, although several gates may report it."""
    judged = check(request, Configurations(), progress)
    wanted = (each for each in judged.verdict.findings if each.new or (suppressed and each.suppression))
    return list({(each.span.path, each.fingerprint): each for each in wanted}.values())
