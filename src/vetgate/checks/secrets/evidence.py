"""A secret as it may be remembered: hashed with a key that never leaves this machine.

The key lies in the state folder, readable by its owner alone. Where it cannot be kept, one is made for this process:
what is found is the same, only nobody can tell later that it is the same secret.
"""

from __future__ import annotations

import contextlib
import os
import secrets
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path

from vetgate.ownership import fault, make
from vetgate.runtime import state_folder

NAME = "evidence.key"
_BYTES = 32


def evidence_of(value: str) -> str:
    return blake2b(value.encode("utf-8", "replace"), digest_size=12, key=_key(state_folder())).hexdigest()


@lru_cache(maxsize=8)
def _key(folder: str) -> bytes:
    if fault(folder):
        return secrets.token_bytes(_BYTES)
    file = Path(folder) / NAME
    return _read(file) or _made(file) or secrets.token_bytes(_BYTES)


def _read(file: Path) -> bytes | None:
    try:
        descriptor = os.open(file, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0))
    except OSError:
        return None
    with os.fdopen(descriptor, "rb") as opened:
        ours = not hasattr(os, "getuid") or os.fstat(descriptor).st_uid == os.getuid()
        key = opened.read(_BYTES + 1)
    return key if ours and len(key) == _BYTES else None


def _made(file: Path) -> bytes | None:
    """Written whole under another name first: of two processes that make one, the second takes the first's."""
    key = secrets.token_bytes(_BYTES)
    draft = file.with_name(f"{NAME}.{os.getpid()}.{secrets.token_hex(4)}")
    try:
        make(str(file.parent))
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "wb") as opened:
            opened.write(key)
        with contextlib.suppress(FileExistsError):
            os.link(draft, file)
    except OSError:
        return None
    finally:
        with contextlib.suppress(OSError):
            draft.unlink()
    return _read(file)
