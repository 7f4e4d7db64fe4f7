"""Which commits a repository's refs name, and which of them came from a remote rather than being claimed to.

Anybody can point `refs/remotes/origin/main` at a commit made here. Git itself writes down what moved a ref: a fetch, a
clone or a push. That is no proof against somebody who forges the log as well; where it matters, the remote is asked.
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, NamedTuple

from vetgate.source.git_logs import PUSHED, REMOTES
from vetgate.source.git_process import ask
from vetgate.source.git_remote import is_new_folder
from vetgate.source.root import common_dir, git_dir

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

# More refs than these are kept by servers, not by people.
_MOST = 20_000
_SECONDS = 5.0
_LINK = b"160000 "
_BRANCH = "ref: refs/heads/"
# Where git keeps refs in tables, this is all that its file says.
_IN_TABLES = "ref: refs/heads/.invalid"
_LAST_LINE = 4096
# What git says of a ref that a remote gave it; `git fetch .` and a fetch from a folder take it from this machine.
_HERE = r"(?:-\S+ +)*(?:\.|/|~|file:)"
_FETCHED = re.compile(rf"(?:fetch|pull)(?::| (?!{_HERE}).*:) |clone: from (?!{_HERE})")


class Tip(NamedTuple):
    """What one ref names; `remote` is whose branch it follows, "" for refs of our own.

    `is_pushed` where git moved it because we sent it there.
    """

    id: str
    remote: str = ""
    is_pushed: bool = False


def tips(top: Path) -> tuple[Tip, ...]:
    """HEAD and every ref, as they are now; raises UserError when git does not answer."""
    lines = os.fsdecode(ask(("show-ref", "--head"), top, seconds=_SECONDS).out).splitlines()[:_MOST]
    pairs = (line.split(" ", 1) for line in lines if " " in line)
    return tuple(Tip(id_, _remote(ref)) for id_, ref in pairs)


def commit_named(top: Path, name: str) -> str:
    """The commit that a name stands for; "" where git knows none."""
    # No ref starts with a dash; git would take such a name for an option.
    if not name or name.startswith("-"):
        return ""
    answer = ask(("rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}"), top)
    return os.fsdecode(answer.out).strip() if answer.status == 0 else ""


def branch(top: Path) -> str:
    """What is checked out, read without git where refs are files; "" where that is no branch."""
    own = git_dir(top)
    try:
        told = (own / "HEAD").read_text(encoding="utf-8").strip() if own else ""
    except (OSError, UnicodeDecodeError):
        return ""
    if told == _IN_TABLES:
        told = f"ref: {os.fsdecode(ask(('symbolic-ref', '--quiet', 'HEAD'), top).out).strip()}"
    return told.removeprefix(_BRANCH) if told.startswith(_BRANCH) else ""


def own_tips(top: Path) -> tuple[str, ...]:
    """What branches and tags name that are made here."""
    asked = ("for-each-ref", "--format=%(objectname)", "refs/heads", "refs/tags")
    return tuple(dict.fromkeys(os.fsdecode(ask(asked, top, seconds=_SECONDS).out).split()[:_MOST]))


def submodules(top: Path) -> tuple[str, ...]:
    """Repositories that the index names and that are checked out."""
    if not (top / ".gitmodules").exists():
        return ()
    told = ask(("ls-files", "--stage", "-z"), top, seconds=_SECONDS).out.split(b"\0")
    names = (os.fsdecode(line.partition(b"\t")[2]) for line in told if line.startswith(_LINK))
    return tuple(name for name in names if (top / name / ".git").exists())


def came_from_remotes(top: Path, since: int) -> Iterator[Tip]:
    """The refs of remotes whose last move was a fetch, a clone or a push, by git's own log of it.

    A remote in a folder that was made after `since` (in nanoseconds) is none: whoever made it chose what it has.
    """
    is_new: dict[str, bool] = {}
    for tip in _moved_by_remotes(top):
        if tip.remote not in is_new:
            is_new[tip.remote] = is_new_folder(top, tip.remote, since)
        if not is_new[tip.remote]:
            yield tip


def _moved_by_remotes(top: Path) -> Iterator[Tip]:
    own = git_dir(top)
    logs = common_dir(own) / "logs" if own else None
    if logs is None:
        return
    for file in sorted((logs / REMOTES).rglob("*")):
        line = _last_line(file)
        moved, _, message = line.partition("\t")
        words = moved.split(" ")
        if len(words) > 1 and (_FETCHED.match(message) or message == PUSHED):
            yield Tip(words[1], _remote(file.relative_to(logs).as_posix()), message == PUSHED)


def fetched_heads(top: Path) -> tuple[str, ...]:
    """What the last fetch brought from another machine, also where no ref follows it."""
    own = git_dir(top)
    try:
        lines = (own / "FETCH_HEAD").read_text("utf-8", "replace").splitlines() if own else []
    except OSError:
        return ()
    parts = (line.split("\t") for line in lines)
    return tuple(part[0] for part in parts if len(part) == 3 and _is_elsewhere(part[2]))


def _is_elsewhere(described: str) -> bool:
    """`branch 'main' of github.com:o/r`; of a folder only where it is a remote with a name."""
    place = described.rpartition(" of ")[2]
    return ":" in place and not place.startswith(("file:", ".", "/", "~"))


def _remote(ref: str) -> str:
    return ref.removeprefix(REMOTES).partition("/")[0] if ref.startswith(REMOTES) else ""


def _last_line(file: Path) -> str:
    try:
        with file.open("rb") as log:
            log.seek(max(0, file.stat().st_size - _LAST_LINE))
            lines = log.read().decode("utf-8", "replace").splitlines()
    except OSError:  # a folder, or gone by now
        return ""
    return lines[-1] if lines else ""
