"""What each commit of a range changed, file by file; merges are left out: what they join was changed elsewhere."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from vetgate.model import UserError
from vetgate.source import git_changes, git_objects
from vetgate.source.git_process import ask, run
from vetgate.source.text import NotText, decode

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from vetgate.model import Change
    from vetgate.source.git import Repository

_LISTED = ("diff-tree", "--stdin", "--root", "-r", "-z", "-M", "--raw", "--no-abbrev", "--ignore-submodules=all")
_TWO_PATHS = frozenset(b"RC")
# Another file that speaks of a name is looked for in this many at most.
_LOOKED_INTO = 20


@dataclass(frozen=True, slots=True)
class Touched:
    """One file of a commit, as git lists it: names of contents, not the contents."""

    commit: str
    raw: bytes


def commits(repository: Repository, wanted: str, newest: int | None = None) -> dict[str, str]:
    """Id and subject of each commit of the range, oldest first."""
    most = () if newest is None else (f"--max-count={newest}",)
    asked = (
        "log",
        "--no-merges",
        "--no-show-signature",
        "-z",
        "--format=%H %s",
        *most,
        "--end-of-options",
        wanted,
        "--",
    )
    answer = ask(asked, repository.top)
    if answer.status != 0:
        raise UserError(
            f"git knows no commits {wanted!r} in {repository.top}",
            hint="name a range (v1.0..v2.0, main..HEAD), a branch or a commit",
        )
    told = (line.partition(" ") for line in answer.names)
    found = {commit: subject for commit, _, subject in told}
    return {commit: found[commit] for commit in reversed(found) if commit not in _cut_off(repository)}


def touched(repository: Repository, wanted: Sequence[str]) -> tuple[Touched, ...]:
    if not wanted:
        return ()
    asked = "".join(f"{commit}\n" for commit in wanted).encode("ascii")
    fields = iter(run(_LISTED, repository.top, stdin=asked).split(b"\0"))
    found, commit = [], ""
    for field in fields:
        if field.startswith(b":"):
            paths = [next(fields) for _ in range(2 if field.rpartition(b" ")[2][0] in _TWO_PATHS else 1)]
            found.append(Touched(commit, b"\0".join((field, *paths, b""))))
        elif field:
            commit = field.decode("ascii")
    return tuple(found)


def change_of(top: Path, files: Sequence[Touched]) -> Change:
    """These files of one commit, before and after it."""
    return git_changes.from_index(top, b"".join(file.raw for file in files))


def around(top: Path, commit: str, name: str, path: str) -> Iterator[tuple[str, str]]:
    """Other files of the same kind that speak of this name, as that commit left them."""
    suffix = Path(path).suffix
    if not suffix:
        return
    asked = ("grep", "-l", "-z", "-F", "-w", "-e", name, commit, "--", f":(glob)**/*{suffix}")
    named = (each.partition(":")[2] for each in ask(asked, top).names)
    places = [place for place in named if place != path and "\n" not in place][:_LOOKED_INTO]
    texts = git_objects.read(tuple(f"{commit}:{place}" for place in places), top)
    for place, data in zip(places, texts, strict=True):
        with contextlib.suppress(NotText):
            if data is not None:
                yield place, decode(data)


def _cut_off(repository: Repository) -> frozenset[str]:
    """The oldest commits of a shallow clone: what they started from is not there, so all of their files look new."""
    try:
        return frozenset((repository.common / "shallow").read_text(encoding="ascii").split())
    except OSError:
        return frozenset()
