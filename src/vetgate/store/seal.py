"""What makes a row ours: a key in the state folder, outside of the repository and of the database.

It shows what was written behind our back. A process of the same user can in the end read any key of that user.
"""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
from hashlib import blake2b
from typing import TYPE_CHECKING

from vetgate.store.encoding import encoded, read_file, write_new

if TYPE_CHECKING:
    from pathlib import Path

NAME = "key"
_BYTES = 32


class Seal:
    """The key of one project: rows of another project's log are not valid here."""

    def __init__(self, key: bytes) -> None:
        self._key = key

    def of(self, *values: object) -> str:
        return blake2b(encoded(values).encode(), key=self._key, digest_size=16).hexdigest()

    def number(self, data: bytes) -> int:
        """Of 128 bits; another than any of `of`, as long as the data do not begin like JSON."""
        return int.from_bytes(blake2b(data, key=self._key, digest_size=16).digest(), "big")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Seal) and other._key == self._key

    def __hash__(self) -> int:
        return hash(self._key)

    @classmethod
    def of_project(cls, state_dir: Path, project: Path) -> Seal:
        """Raises OSError where the key can be neither read nor made."""
        return cls(blake2b(os.fsencode(project), key=_key(state_dir / NAME), digest_size=_BYTES).digest())

    @classmethod
    def passing(cls) -> Seal:
        """For a store that nobody will read again."""
        return cls(secrets.token_bytes(_BYTES))


def _key(file: Path) -> bytes:
    for _ in range(2):
        with contextlib.suppress(FileNotFoundError):
            return _read(file)
        write_new(file, secrets.token_hex(_BYTES))
    return _read(file)


def _read(file: Path) -> bytes:
    if file.is_symlink():
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), os.fspath(file))
    data = read_file(file, 4 * _BYTES).strip()
    try:
        key = bytes.fromhex(data.decode("ascii"))
    except ValueError:
        key = b""
    # Damaged: still one value that all processes agree on, under which nothing that was written before is valid.
    return key if len(key) == _BYTES else blake2b(data, digest_size=_BYTES, person=b"damaged key").digest()
