"""Patches in the form of `*** Begin Patch`: files that are added, changed, moved and deleted, as proposals.

Three agents write files this way, and one of them also takes it from a shell: `apply_patch <<'EOF'`. A hunk names no
line numbers. It is found by the lines around it, and a line counts as found when only the space at its ends differs, or
a dash or a quotation mark that an editor made prettier.
"""

from __future__ import annotations

import os
import re
import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from vetgate.model import UncheckedKind
from vetgate.source.text import NotText

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

_BEGIN, _END = "*** Begin Patch", "*** End Patch"
_ADD, _UPDATE, _DELETE, _MOVE = "*** Add File: ", "*** Update File: ", "*** Delete File: ", "*** Move to: "
_HEADS = (_ADD, _UPDATE, _DELETE)
_AT_THE_END, _HUNK = "*** End of File", "@@"
_PROGRAM = re.compile(r"\bapply[-_]?patch\b")
# What a file holds stands behind a sign; whatever else stands before the first line is a quotation mark of the shell.
_BEGINS = re.compile(rf"(?m)^(?![+-]).*{re.escape(_BEGIN)}[^\S\n]*$")
_ENDS = re.compile(rf"(?m)^[^\S\n]*{re.escape(_END)}")
_MOVES_FIRST = re.compile(r"^\s*cd\s+(\S+)\s*(?:&&|;|\n)")
_PRETTY = str.maketrans(
    {
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-"),
        **dict.fromkeys("\u2018\u2019\u201a\u201b", "'"),
        **dict.fromkeys("\u201c\u201d\u201e\u201f", '"'),
        **dict.fromkeys("\u00a0\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000", " "),
    }
)
# From exact to generous: a line is looked for in the whole file with each of them before the next.
_SAMENESS = (
    lambda line: line,
    str.rstrip,
    str.strip,
    lambda line: line.strip().translate(_PRETTY),
)


class PatchError(ValueError):
    """The text is no patch; the message says why."""


@dataclass(frozen=True, slots=True)
class PatchHunk:
    """Some lines in place of others, below those in `anchors`; `at_end`: they are the last of the file."""

    anchors: tuple[str, ...] = ()
    old: tuple[str, ...] = ()
    new: tuple[str, ...] = ()
    at_end: bool = False


@dataclass(frozen=True, slots=True)
class FilePatch:
    """What happens to one file: it is written whole, changed by hunks, or deleted; `moves_to` is its new name."""

    path: Path
    content: str | None = None
    hunks: tuple[PatchHunk, ...] = ()
    deletes: bool = False
    moves_to: Path | None = None


def parse_patch(text: str) -> tuple[FilePatch, ...]:
    """Raises PatchError for what is no patch. Of what stands around it nothing counts."""
    lines = text.replace("\r\n", "\n").split("\n")
    marks = [line.strip() for line in lines]
    if _BEGIN not in marks:
        raise PatchError(f"it has no line `{_BEGIN}`")
    start = marks.index(_BEGIN) + 1
    if marks[start:].count(_END) > 1:  # one agent stops at the first of them, another at the last
        raise PatchError(f"it has more than one line `{_END}`")
    end = marks.index(_END, start) if _END in marks[start:] else len(lines)
    files = tuple(_files(lines[start:end]))
    if not files:
        raise PatchError("it names no file")
    return files


def patches_in_command(command: str) -> tuple[tuple[FilePatch, ...], str]:
    """What a command would have `apply_patch` do, and the folder it goes to first, "" where it stays."""
    if not _PROGRAM.search(command):
        return (), ""
    found: list[FilePatch] = []
    command = command.replace("\r\n", "\n")
    scripts = _quoted_scripts(command)
    for part in (part for script in scripts for part in _BEGINS.split(script)[1:]):
        ends = [match.end() for match in _ENDS.finditer(part)]
        if not ends:
            raise PatchError(f"it has no line `{_END}`")
        found += parse_patch(f"{_BEGIN}{part[: ends[-1]]}")
    moves = map(_MOVES_FIRST.match, dict.fromkeys((command, *scripts)))
    return tuple(found), os.path.join("", *(_unquoted(each[1]) for each in moves if each))  # noqa: PTH118 - of text


def _quoted_scripts(command: str) -> list[str]:
    """What a shell gets that the command starts, without the quotation marks, where every patch stands in there."""
    try:
        inside = [word for word in shlex.split(command) if _BEGIN in word]
    except ValueError:
        return [command]
    return inside if sum(word.count(_BEGIN) for word in inside) == command.count(_BEGIN) else [command]


def _unquoted(word: str) -> str:
    try:
        return (shlex.split(word) or [""])[0]
    except ValueError:
        return word


def _files(lines: Sequence[str]) -> Iterator[FilePatch]:
    at = 0
    while at < len(lines):
        line = lines[at].strip()
        head = next((each for each in _HEADS if line.startswith(each.strip())), None)
        if head is None:
            if line and not line.startswith("*** "):  # a head of a kind that is not known names no file
                raise PatchError(f"line {at + 1} of it belongs to no file")
            at += 1
            continue
        end = next((n for n in range(at + 1, len(lines)) if _is_head(lines[n])), len(lines))
        yield _file(head, line.removeprefix(head.strip()).strip(), lines[at + 1 : end])
        at = end


def _is_head(line: str) -> bool:
    """What a file holds stands behind a sign, so no line of it begins like this."""
    return line.startswith(tuple(each.strip() for each in _HEADS))


def _file(head: str, name: str, body: Sequence[str]) -> FilePatch:
    if not name:
        raise PatchError("a file in it has no name")
    path = Path(name)
    # Some agents take a head with space before it for one, so no line is left that nobody can place.
    if head == _DELETE:
        if any(line.strip() for line in body):
            raise PatchError("lines follow a file that is deleted")
        return FilePatch(path, deletes=True)
    if head == _ADD:
        if any(line.strip() and not line.startswith("+") for line in body):
            raise PatchError("a line of a new file has no +")
        return FilePatch(path, content="".join(f"{line[1:]}\n" for line in body if line.startswith("+")))
    moves_to = None
    if body and body[0].strip().startswith(_MOVE.strip()):
        moves_to, body = Path(body[0].strip().removeprefix(_MOVE.strip()).strip()), body[1:]
    return FilePatch(path, hunks=tuple(_hunks(body)), moves_to=moves_to)


def _hunks(lines: Sequence[str]) -> Iterator[PatchHunk]:
    anchors: list[str] = []
    old: list[str] = []
    new: list[str] = []
    for line in [*lines, _HUNK]:
        if not line.startswith(_HUNK) and line.strip() != _AT_THE_END:
            _add(line, old, new)
            continue
        if old or new:
            yield PatchHunk(tuple(anchors), tuple(old), tuple(new), line.strip() == _AT_THE_END)
            anchors, old, new = [], [], []
        anchor = line.removeprefix(_HUNK).strip() if line.startswith(_HUNK) else ""
        anchors += [anchor] if anchor else []


def _add(line: str, old: list[str], new: list[str]) -> None:
    sign, rest = line[:1], line[1:]
    if sign not in {" ", "", "-", "+"}:
        raise PatchError(f"the line `{line[:40]}` of a hunk has no sign")
    if sign != "+":  # an empty line may have lost its sign
        old.append(rest)
    if sign != "-":
        new.append(rest)


def patched(text: str, hunks: Iterable[PatchHunk]) -> str:
    """The text with all hunks in it; NotText where one of them is nowhere to be found."""
    lines = text.split("\n")
    if lines[-1] == "":
        lines.pop()
    at = 0
    for hunk in hunks:
        at = _applied(lines, hunk, at)
    return "\n".join([*lines, ""]) if lines else ""


def _applied(lines: list[str], hunk: PatchHunk, start: int) -> int:
    for anchor in hunk.anchors:
        found = _found(lines, (anchor,), start)
        if found is None:
            raise _misfit(f"`{anchor[:60]}` is not in it")
        start = found + 1
    old, new = hunk.old, hunk.new
    if not old:  # nothing to find: behind the anchor, else at the end
        at = start if hunk.anchors else len(lines)
        lines[at:at] = new
        return at + len(new)
    found = _found(lines, old, start, at_end=hunk.at_end)
    if found is None and old[-1] == "":  # the empty line behind the last line feed is none
        old, new = old[:-1], new[:-1] if new and new[-1] == "" else new
        found = _found(lines, old, start, at_end=hunk.at_end) if old else len(lines)
    if found is None:
        raise _misfit(f"the lines to replace are not in it, beginning with `{old[0].strip()[:60]}`")
    lines[found : found + len(old)] = new
    return found + len(new)


def _found(lines: Sequence[str], wanted: Sequence[str], start: int, *, at_end: bool = False) -> int | None:
    last = len(lines) - len(wanted)
    for same in _SAMENESS:
        goal = [same(line) for line in wanted]
        order = [last, *range(start, last + 1)] if at_end and last >= start else range(start, last + 1)
        for at in order:
            if all(same(lines[at + n]) == line for n, line in enumerate(goal)):
                return at
    return None


def _misfit(why: str) -> NotText:
    return NotText(UncheckedKind.MISFIT, f"the patch does not fit the file: {why}")
