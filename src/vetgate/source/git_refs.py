"""Which commits a repository's refs name, which came from a remote rather than being claimed to, and what moved them.

Anybody can point `refs/remotes/origin/main` at a commit made here. Git itself writes down what moved a ref: a fetch, a
clone or a push. That is no proof against somebody who forges the log as well; where it matters, the remote is asked.
A line's date is whatever its author wanted, so what is new is known by the lines that ended each log before.
"""

from __future__ import annotations

import os
import re
from hashlib import blake2b
from typing import TYPE_CHECKING, NamedTuple

from vetgate.source.git_process import ask
from vetgate.source.git_remote import is_new_folder
from vetgate.source.root import common_dir, git_dir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path


REMOTES = "refs/remotes/"
PUSHED = "update by push"
_HEADS = "refs/heads/"
# A line is known by its end: a message may be long.
_LINE_END = 1_000
_TAIL = 64 * 1024
# How much earlier the kernel's clock of files may be than that of programs, in nanoseconds.
_COARSE = 20_000_000
# Beside the logs: what says that a branch or a tag was made, also where no log is kept.
_SHOWS_REFS = ("refs/heads", "refs/tags")


class Move(NamedTuple):
    """One line: what a ref named before and from then on, and why in git's words."""

    ref: str
    before: str
    after: str
    message: str

    @property
    def is_push(self) -> bool:
        return self.ref.startswith(REMOTES) and self.message == PUSHED


def log_ends(top: Path) -> list[str]:
    """What each log ends with, as it is known by: enough to tell later what was added."""
    ends = (_tail(file, _LINE_END).rpartition(b"\n")[2] for _, file, _ in _logs(top))
    return sorted({_known_by(end) for end in ends if end})


def moves_since(top: Path, ends: Iterable[str], since: int) -> list[Move]:
    """What was added behind those lines; a log that nothing has touched since then, in nanoseconds, is not read."""
    known = frozenset(ends)
    changed = ((ref, file) for ref, file, at in _logs(top) if at >= since - _COARSE)
    return [move for ref, file in changed for move in _added(ref, file, known)]


def refs_state(top: Path, since: int) -> str:
    """Names how the files are that show new commits of this place; "" where none was touched since then."""
    own = git_dir(top)
    if own is None:
        return ""
    common = common_dir(own)
    files = [file for ref, file, _ in _logs(top) if not ref.startswith(REMOTES)]
    files += [common / "packed-refs", *(each for name in _SHOWS_REFS for each in _below(common / name))]
    seen = [(os.fspath(file), *_identity(file)) for file in files]
    if not any(moment >= since - _COARSE for *_, moment in seen):
        return ""
    return blake2b(repr(sorted(seen)).encode("utf-8", "surrogateescape"), digest_size=16).hexdigest()


def _logs(top: Path) -> Iterator[tuple[str, Path, int]]:
    """Each with its ref and when the kernel last saw it change; HEAD's of every work tree."""
    own = git_dir(top)
    if own is None:
        return
    common = common_dir(own)
    heads = [common / "logs" / "HEAD", *(each / "logs" / "HEAD" for each in _entries(common / "worktrees"))]
    files = [("HEAD", file) for file in heads]
    for name in (_HEADS, REMOTES):
        folder = common / "logs" / name
        files += [(f"{name}{file.relative_to(folder).as_posix()}", file) for file in _below(folder)]
    for ref, file in files:
        moment = _identity(file)[-1]
        if moment:
            yield ref, file, moment


def _added(ref: str, file: Path, known: frozenset[str]) -> Iterator[Move]:
    added = _behind(_tail(file, _TAIL), known)
    if added is None:
        added = _behind(_tail(file, None), known)
    for line in added if added is not None else _tail(file, None).split(b"\n"):
        moved, _, message = line.decode("utf-8", "surrogateescape").partition("\t")
        words = moved.split(" ")
        if len(words) > 1 and all(map(_is_id, words[:2])):
            yield Move(ref, words[0], words[1], message)


def _behind(text: bytes, known: frozenset[str]) -> list[bytes] | None:
    """The lines after the last one that is known; None where none is."""
    lines = text.split(b"\n")
    for at in range(len(lines) - 1, -1, -1):
        if lines[at] and _known_by(lines[at]) in known:
            return lines[at + 1 :]
    return None


def _known_by(line: bytes) -> str:
    return blake2b(line[-_LINE_END + 1 :], digest_size=8).hexdigest()


def _is_id(word: str) -> bool:
    return len(word) in {40, 64} and word.isascii() and word.isalnum()


def _tail(file: Path, size: int | None) -> bytes:
    try:
        with file.open("rb") as log:
            if size is not None:
                log.seek(max(0, os.fstat(log.fileno()).st_size - size))
            return log.read().removesuffix(b"\n")
    except OSError:  # gone by now
        return b""


def _below(folder: Path) -> Iterator[Path]:
    for each in _entries(folder):
        if each.is_dir():
            yield from _below(each)
        else:
            yield each


def _entries(folder: Path) -> list[Path]:
    try:
        return sorted(folder.iterdir())
    except OSError:
        return []


def _identity(file: Path) -> tuple[int, int, int, int]:
    try:
        status = file.stat()
    except OSError:
        return (0, 0, 0, 0)
    return status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns


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


def commits_named(top: Path, names: Sequence[str]) -> tuple[str, ...]:
    """The same of several names, by one question."""
    usable = [name for name in names if name and not name.startswith("-") and "\n" not in name]
    asked = "".join(f"{name}^{{commit}}\n" for name in usable).encode("utf-8", "surrogateescape")
    answer = ask(("cat-file", "--batch-check=%(objectname)"), top, stdin=asked)
    lines = os.fsdecode(answer.out).splitlines()
    if answer.status != 0 or len(lines) != len(usable):
        return tuple(commit_named(top, name) for name in names)
    found = {name: line for name, line in zip(usable, lines, strict=True) if line.isalnum()}
    return tuple(found.get(name, "") for name in names)


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
