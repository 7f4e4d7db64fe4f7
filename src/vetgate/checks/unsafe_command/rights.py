"""Folders that nobody can enter any more: rights and owners that are changed, and links in their place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vetgate.checks.unsafe_command.words import Words
from vetgate.expression import expression
from vetgate.source.shell.options import value_of
from vetgate.source.shell.placeholders import UNKNOWN

if TYPE_CHECKING:
    from vetgate.source.shell.runs import ProgramRun

_OCTAL = expression(r"=?[0-7]{1,5}")
_TAKES_ENTRY = expression(r"[ugoa]*-[rwst]*x[rwxst]*|[ugoa]*=[rwst]*")
_OF_OTHERS = expression(r"[go]+[-=].*")
_NO_ENTRY = expression(r".*\bu(?:ser)?:[^:,]*:[rw-]*(?:,.*)?")
_OWNER_MAY_ENTER = 0o100


def closes_folders(run: ProgramRun, owner: str) -> bool:
    """Whether its owner cannot enter a folder afterwards that this program changes, or finds another one there."""
    if run.name == "chmod":
        return any(map(_takes_entry, run.arguments))
    if run.name == "install":
        makes = Words(run.arguments).has("-d", "--directory")
        return makes and _takes_entry(value_of(run.arguments, "-m", "--mode") or "755")
    if run.name == "chown":
        operands = [each for each in run.arguments if not each.startswith("-")]
        given = operands[0].partition(":")[0] if operands else ""
        return given not in ("", owner) and UNKNOWN not in given
    if run.name == "setfacl":
        return any(map(_NO_ENTRY.fullmatch, run.arguments))
    return run.name == "ln" and Words(run.arguments).has("-n", "--no-dereference", "-T", "--no-target-directory")


def _takes_entry(mode: str) -> bool:
    if _OCTAL.fullmatch(mode):
        return not int(mode.lstrip("="), 8) & _OWNER_MAY_ENTER
    changes = [each for each in mode.split(",") if not _OF_OTHERS.fullmatch(each)]
    return any(_TAKES_ENTRY.fullmatch(each) for each in changes)
