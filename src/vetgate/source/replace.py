"""Replace a file whole or not at all: a reader sees the old bytes or the new ones, also when the power goes."""

from __future__ import annotations

import contextlib
import os
import stat
import tempfile
from pathlib import Path

from vetgate.model import UserError

_NEW_FILE = 0o644


def read_bytes(path: Path) -> bytes | None:
    """The bytes of a file, None when there is none; anything else in the way is the user's to put right."""
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise UserError(f"cannot read {path}: {error.strerror}", hint="check its owner and permissions") from error


def write_bytes(path: Path, data: bytes, *, expected: bytes | None, mode: int | None = None) -> None:
    """Write through links to where the file really is, keeping its mode and owner.

    `expected` is what the caller read before it decided: a file that somebody changed since is not overwritten.
    """
    target = Path(os.path.realpath(path))
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        _replace(target, data, expected, mode)
    except OSError as error:
        raise UserError(
            f"cannot write {target}: {error.strerror}", hint=f"make {target.parent} writable for you and run again"
        ) from error


def remove(path: Path, *, expected: bytes) -> None:
    _still(path, expected)
    try:
        Path(os.path.realpath(path)).unlink()
    except OSError as error:
        raise UserError(f"cannot remove {path}: {error.strerror}", hint="remove it by hand") from error


def _replace(target: Path, data: bytes, expected: bytes | None, mode: int | None) -> None:
    handle, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            _take_after(target, handle, mode)
            os.fsync(handle)
        _still(target, expected)
        temporary.replace(target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    _sync_folder(target.parent)


def _take_after(target: Path, handle: int, mode: int | None) -> None:
    try:
        old = target.stat()
    except FileNotFoundError:
        os.fchmod(handle, _NEW_FILE if mode is None else mode)
        return
    os.fchmod(handle, stat.S_IMODE(old.st_mode) if mode is None else mode)
    with contextlib.suppress(OSError):  # only root may give a file away
        os.fchown(handle, old.st_uid, old.st_gid)


def _sync_folder(folder: Path) -> None:
    with contextlib.suppress(OSError):  # some file systems cannot; the rename itself already happened
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _still(path: Path, expected: bytes | None) -> None:
    if read_bytes(path) != expected:
        raise UserError(f"{path} was changed by somebody else meanwhile; it was left alone", hint="run it again")
