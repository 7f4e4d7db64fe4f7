"""PowerShell, its basics: commands by name, told as the programs that do the same."""

from __future__ import annotations

import base64
import binascii
import re
from typing import TYPE_CHECKING

from vetgate.expression import expression
from vetgate.source.shell.inline.values import Done
from vetgate.source.shell.marks import FETCHED, HIDDEN, STAR
from vetgate.source.shell.runs import Inner

if TYPE_CHECKING:
    from collections.abc import Mapping

    from vetgate.source.shell.inline.values import ReaderContext

_NAMES: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(("remove-item", "ri", "rd", "del", "erase", "rm", "rmdir"), ("rm", "-rf")),
    **dict.fromkeys(("get-content", "gc", "type", "cat"), ("cat",)),
    **dict.fromkeys(("clear-content", "clc"), ("truncate", "-s", "0")),
    **dict.fromkeys(("stop-computer", "restart-computer"), ("reboot",)),
    **dict.fromkeys(("format-volume", "clear-disk", "initialize-disk"), ("mkfs",)),
    **dict.fromkeys(("set-content", "sc", "out-file", "add-content"), ("tee",)),
}
_FETCHES = expression(
    r"\b(?:iwr|irm|invoke-webrequest|invoke-restmethod|downloadstring|downloadfile|curl|wget)\b", re.IGNORECASE
)
_RUNS_TEXT = expression(r"\b(?:iex|invoke-expression)\b", re.IGNORECASE)
_SEPARATOR = expression(r"[;|\n]|&&|\|\|")
_WORD = expression(r"'([^']*)'|\"([^\"]*)\"|([^\s'\"]+)")


def read_powershell(language: str, code: str, known: ReaderContext) -> Done:
    done = Done()
    if _RUNS_TEXT.search(code):
        mark = FETCHED if _FETCHES.search(code) else ""
        mark = mark or (HIDDEN if "frombase64string" in code.lower() else "")
        done.inners.append(Inner(script=mark, language=language)) if mark else None
    for statement in _SEPARATOR.split(code):
        words = [next(filter(None, match.groups()), "") for match in _WORD.finditer(statement)]
        if words:
            done.inners.append(Inner(_argv(words, known)))
    return done


def _argv(words: list[str], known: ReaderContext) -> tuple[str, ...]:
    program = _NAMES.get(words[0].lower())
    if program is None:
        return tuple(words)
    home = re.compile(r"\$HOME|\$env:(?:HOME|USERPROFILE)|^~", re.IGNORECASE)
    operands = [word for word in words[1:] if not word.startswith("-")]
    return (*program, *(home.sub(known.home, word).replace("*", STAR) for word in operands))


def decoded(text: str) -> str:
    """The value of -EncodedCommand."""
    try:
        return base64.b64decode(text).decode("utf-16-le", "replace")
    except (ValueError, binascii.Error):
        return HIDDEN
