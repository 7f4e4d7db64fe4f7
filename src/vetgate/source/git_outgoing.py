"""Everything that a push would send: each commit, tag, tree and file that the remote does not have, read once.

Not the difference between two states: what one commit adds and the next takes away travels as well.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import tempfile
from dataclasses import dataclass
from itertools import islice, pairwise
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from vetgate.model import UserError
from vetgate.source.git_process import ask, names_in, run, start
from vetgate.source.text import LARGEST

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Callable, Iterable, Iterator

    from vetgate.source.git import Repository

T = TypeVar("T")

BLOB, TREE = "blob", "tree"
_AT_ONCE = 500
# A file too large to be read at once is read in pieces; what stands where two meet is in both.
_PIECE, _SHARED = 8 * 1024 * 1024, 64 * 1024
_TREE_ENTRY = {20: re.compile(rb"\d+ ([^\0]+)\0.{20}", re.DOTALL), 32: re.compile(rb"\d+ ([^\0]+)\0.{32}", re.DOTALL)}
_FOUND_AT_ONCE = 200
_MOST_NAMED = "--max-count=500"
# `:mode mode id id status`
_RAW_WORDS, _SUBMODULE = 5, b"160000"


class Object(NamedTuple):
    """One object, or a piece of a large one; `path` is one of the names under which it is committed."""

    id: str
    kind: str
    data: bytes
    path: str = ""
    is_large: bool = False

    def names(self) -> Iterator[str]:
        """The names in a folder."""
        pattern = _TREE_ENTRY[len(self.id) // 2]
        return (os.fsdecode(match[1]) for match in pattern.finditer(self.data))


class Introduction(NamedTuple):
    """A commit that put this content under this path, and what stood there in its parents."""

    commit: str
    path: str
    before: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Outgoing:
    """`tips` are what is pushed, `known` what the remote has, as far as it is here, too."""

    repository: Repository
    tips: tuple[str, ...]
    known: tuple[str, ...]

    @property
    def asked(self) -> bytes:
        """As git reads it."""
        return "".join((*(f"{tip}\n" for tip in self.tips), *(f"^{each}\n" for each in self.known))).encode("ascii")

    def objects(self, wanted: Callable[[list[str]], set[str]]) -> Iterator[Object]:
        """Those of them that somebody wants, by their names."""
        with self._listed() as listed, _reader(self.repository.top) as reader:
            for some in in_parts(listed, _AT_ONCE):
                paths = dict(some)
                kept = wanted(list(paths))
                yield from _read(reader, [(name, path) for name, path in paths.items() if name in kept])

    @contextlib.contextmanager
    def _listed(self) -> Iterator[Iterator[tuple[str, str]]]:
        top = self.repository.top
        with _whole_history(self.repository) as variables:
            process = start(("rev-list", "--objects", "--stdin"), top, variables)
            with _ended(process):
                _feed(process, self.asked)
                assert process.stdout is not None  # noqa: S101 - it was asked for
                yield (_entry(line) for line in process.stdout)
                if process.wait() != 0:
                    raise UserError(
                        f"git could not list what is pushed from {top}", hint="git fsck says what is missing"
                    )

    def introduced(self, blobs: Iterable[str]) -> dict[str, list[Introduction]]:
        """Where each of these files came in: a merge counts only for what none of its parents has."""
        found: dict[str, list[Introduction]] = {}
        for some in in_parts(blobs, _FOUND_AT_ONCE):
            wanted = tuple(f"--find-object={blob}" for blob in some)
            args = ("log", "-c", "-M", "--raw", "-z", "--no-abbrev", "--root", "--no-ext-diff", "--format=%x01%H")
            told = run((*args, *wanted, "--stdin"), self.repository.top, stdin=self.asked)
            for blob, each in _introductions(told):
                if blob in some:
                    found.setdefault(blob, []).append(each)
        return found


def in_parts(items: Iterable[T], size: int) -> Iterator[list[T]]:
    left = iter(items)
    while part := list(islice(left, size)):
        yield part


def existing(top: Path, names: Iterable[str]) -> tuple[str, ...]:
    """Those objects that are here."""
    asked = sorted(set(names))
    if not asked:
        return ()
    told = run(("cat-file", "--batch-check"), top, stdin="".join(f"{name}\n" for name in asked).encode("ascii"))
    return tuple(name for name, line in zip(asked, told.splitlines(), strict=True) if not line.endswith(b" missing"))


def new_commits(top: Path, tips: Iterable[str], known: Iterable[str], *, claimed: bool = False) -> int:
    """How many; `claimed` also leaves out what the refs of remotes name here, true or not."""
    asked = "".join((*(f"{tip}\n" for tip in tips), *(f"^{each}\n" for each in known)))
    more = ("--remotes",) if claimed else ()
    answer = ask(("rev-list", "--count", "--stdin", "--not", *more), top, stdin=asked.encode("ascii"))
    return int(answer.out or 0) if answer.status == 0 else -1


def is_in_history(top: Path, blob: str, tips: Iterable[str], seconds: float) -> bool:
    """Whether a commit of these, or below them, has had this content; no where git takes too long to tell."""
    args = ("log", f"--find-object={blob}", "--max-count=1", "--format=%H", "--no-ext-diff", "--stdin")
    asked = "".join(f"{tip}\n" for tip in tips).encode("ascii")
    try:
        return bool(asked) and bool(ask(args, top, stdin=asked, seconds=seconds).out.strip())
    except UserError:
        return False


def new_files(outgoing: Outgoing) -> list[str]:
    """The files that the commits of it wrote."""
    args = ("log", "--format=", "--name-only", "-z", "--no-renames", "--diff-filter=d", "--no-ext-diff")
    told = run((*args, _MOST_NAMED, "--stdin"), outgoing.repository.top, stdin=outgoing.asked)
    return list(dict.fromkeys(names_in(told)))


def new_submodules(outgoing: Outgoing) -> dict[str, list[str]]:
    """The commits of submodules that the new commits name, by their folders."""
    args = ("log", "-m", "--raw", "-z", "--no-abbrev", "--no-renames", "--diff-filter=d", "--root", "--no-ext-diff")
    more = ("--format=", "--ignore-submodules=none", "--stdin")
    told = run((*args, *more), outgoing.repository.top, stdin=outgoing.asked)
    found: dict[str, dict[str, None]] = {}
    for about, path in pairwise(told.split(b"\0")):
        words = about.strip(b"\n").split(b" ")
        if len(words) == _RAW_WORDS and words[0].startswith(b":") and words[1] == _SUBMODULE:
            found.setdefault(os.fsdecode(path), {})[words[3].decode("ascii")] = None
    return {path: list(ids) for path, ids in found.items()}


def _entry(line: bytes) -> tuple[str, str]:
    name, _, path = line.rstrip(b"\n").partition(b" ")
    return name.decode("ascii"), os.fsdecode(path)


def _introductions(told: bytes) -> Iterator[tuple[str, Introduction]]:
    """`:mode mode id id status NUL path NUL`, with a colon, a mode and an id more for each further parent."""
    commit, fields = "", iter(told.split(b"\0"))
    for field in fields:
        text = field.strip(b"\n")
        if text.startswith(b"\x01"):
            commit, _, text = text[1:].decode("ascii", "replace").partition("\n")[0], b"", text.partition(b"\n")[2]
        if not text.startswith(b":"):
            continue
        parents = len(text) - len(text.lstrip(b":"))
        words = text.lstrip(b":").decode("ascii").split(" ")
        ids, status = words[parents + 1 : -1], words[-1]
        path = next(fields, b"")
        if status[0] in "RC" and parents == 1:
            path = next(fields, b"")
        yield ids[-1], Introduction(commit, os.fsdecode(path), tuple(each for each in ids[:-1] if each.strip("0")))


@contextlib.contextmanager
def _whole_history(repository: Repository) -> Iterator[dict[str, str]]:
    """A shallow clone has commits whose parents are not here; whoever only says so of others hides their past."""
    try:
        cut = (repository.common / "shallow").read_text(encoding="ascii").split()
    except (OSError, UnicodeDecodeError):
        yield {}
        return
    true = [commit for commit in existing(repository.top, cut) if not _has_parents(repository.top, commit)]
    if set(true) == set(cut):
        yield {}
        return
    with tempfile.TemporaryDirectory(prefix="vetgate-") as folder:
        file = Path(folder) / "shallow"
        file.write_text("".join(f"{commit}\n" for commit in true))
        yield {"GIT_SHALLOW_FILE": os.fspath(file) if true else ""}


def _has_parents(top: Path, commit: str) -> bool:
    head = run(("cat-file", "commit", commit), top).partition(b"\n\n")[0]
    parents = [os.fsdecode(line.removeprefix(b"parent ")) for line in head.split(b"\n") if line.startswith(b"parent ")]
    return len(existing(top, parents)) == len(set(parents))


@contextlib.contextmanager
def _reader(top: Path) -> Iterator[subprocess.Popen[bytes]]:
    process = start(("cat-file", "--batch"), top)
    with _ended(process):
        yield process


@contextlib.contextmanager
def _ended(process: subprocess.Popen[bytes]) -> Iterator[None]:
    try:
        yield
    finally:
        process.kill()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()
        process.wait()


def _feed(process: subprocess.Popen[bytes], data: bytes) -> None:
    assert process.stdin is not None  # noqa: S101 - it was asked for
    with contextlib.suppress(BrokenPipeError):
        process.stdin.write(data)
        process.stdin.close()


def _read(reader: subprocess.Popen[bytes], wanted: list[tuple[str, str]]) -> Iterator[Object]:
    assert reader.stdin is not None  # noqa: S101
    assert reader.stdout is not None  # noqa: S101
    # So few names fit into a pipe: nobody waits for the other.
    reader.stdin.write("".join(f"{name}\n" for name, _ in wanted).encode("ascii"))
    reader.stdin.flush()
    for name, path in wanted:
        words = reader.stdout.readline().split()
        if len(words) != 3:
            raise UserError(f"git has no object {name}, which would be pushed", hint="git fsck says what is missing")
        kind, size = words[1].decode("ascii"), int(words[2])
        yield from _pieces(reader, Object(name, kind, b"", path, is_large=size > LARGEST), size)
        reader.stdout.read(1)


def _pieces(reader: subprocess.Popen[bytes], about: Object, size: int) -> Iterator[Object]:
    """Read, and compared with its name: nobody else looks whether an object is what it is called."""
    assert reader.stdout is not None  # noqa: S101
    named = (hashlib.sha256 if len(about.id) == 64 else hashlib.sha1)(f"{about.kind} {size}\0".encode("ascii"))
    left, before = size, b""
    while True:
        wanted = min(left, _PIECE if about.is_large else LARGEST)
        part = reader.stdout.read(wanted)
        if len(part) != wanted:
            raise UserError("git ended while it was read", hint="try again")
        named.update(part)
        left -= len(part)
        yield about._replace(data=before + part)
        before = part[-_SHARED:]
        if not left:
            break
    if named.hexdigest() != about.id:
        raise UserError(f"object {about.id} is not what its name says", hint="git fsck says what is damaged")
