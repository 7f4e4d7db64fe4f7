"""Git LFS commits a pointer in the place of a large file; what lies on disk is the same content in full.

The user's filter would tell git so. No filter is run by us, so the pointer is read here.
"""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING

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
