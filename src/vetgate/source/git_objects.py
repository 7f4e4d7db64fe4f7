"""Contents of objects from git's own database, many at a time; for a pointer of Git LFS what it stands for."""

from __future__ import annotations

import hashlib
import os
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from vetgate.source.git_process import TIMEOUT, ask, run
from vetgate.source.text import LARGEST

if TYPE_CHECKING:
    from pathlib import Path

_POINTER = re.compile(
    rb"version https://git-lfs\.github\.com/spec/v1\n(?:ext-\S+ \S+\n)*oid sha256:([0-9a-f]{64})\nsize (\d{1,18})\n"
)
_LONGEST = 1024


def points_to(committed: bytes | None, file: Path) -> bool:
    """Whether what is committed is a pointer to exactly the content of this file."""
    match = _POINTER.fullmatch(committed) if committed and len(committed) <= _LONGEST else None
    if match is None:
        return False
    try:
        if file.is_symlink() or file.stat().st_size != int(match[2]):
            return False
        with file.open("rb") as content:
            return hashlib.file_digest(content, "sha256").hexdigest() == match[1].decode("ascii")
    except OSError:
        return False


def read(names: tuple[str, ...], top: Path, seconds: float = TIMEOUT) -> tuple[bytes | None, ...]:
    """The content behind each name (an object id, `HEAD:path`), None where there is no such blob.

    A name must not hold a line break: git reads one name per line.
    """
    if not names:
        return ()
    listed = _batch("--batch-check=%(objecttype) %(objectsize)", names, top, seconds)
    sizes = [_size(line) for line in listed.splitlines()]
    small = [name for name, size in zip(names, sizes, strict=True) if size is not None and size <= LARGEST]
    contents = iter(_contents(_batch("--batch", tuple(small), top, seconds)) if small else ())
    # Zeros that are never touched cost no memory, and `decode` refuses them as it would refuse the original.
    large = bytes(LARGEST + 1) if any(size is not None and size > LARGEST for size in sizes) else b""
    return tuple(None if size is None else large if size > LARGEST else next(contents) for size in sizes)


def _batch(mode: str, names: tuple[str, ...], top: Path, seconds: float) -> bytes:
    asked = b"".join(os.fsencode(name) + b"\n" for name in names)
    return run(("cat-file", mode), top, stdin=asked, seconds=seconds)


def _size(line: bytes) -> int | None:
    kind, _, size = line.partition(b" ")
    return int(size) if kind == b"blob" else None


def _contents(printed: bytes) -> list[bytes]:
    found = []
    at = 0
    while at < len(printed):
        end = printed.index(b"\n", at)
        size = int(printed[at:end].rpartition(b" ")[2])
        found.append(printed[end + 1 : end + 1 + size])
        at = end + 1 + size + 1
    return found


@dataclass(frozen=True, slots=True)
class Committed:
    """Of a commit that need not exist: then there are no files. `folder` is the one whose Markdown pages are listed."""

    top: Path
    commit: str
    folder: str
    seconds: float = TIMEOUT

    def data(self, name: str) -> bytes | None:
        return None if "\n" in name else read((f"{self.commit}:{name}",), self.top, self.seconds)[0]

    def pages(self) -> list[str]:
        args = ("ls-tree", "-z", "--name-only", "--full-tree", self.commit, "--", f"{self.folder}/")
        answer = ask(args, self.top, seconds=self.seconds)
        return sorted(os.fsdecode(name) for name in answer.out.split(b"\0") if name.endswith(b".md"))
