"""The end of a project's log, kept apart from the database and its folder: what is cut off or put back shows."""

from __future__ import annotations

import contextlib
import json
import os
import threading
from hashlib import blake2b
from typing import TYPE_CHECKING, NamedTuple

from vetgate.ownership import fault
from vetgate.store.encoding import encoded, read_file, write, write_new
from vetgate.store.seal import Seal

if TYPE_CHECKING:
    from pathlib import Path

FOLDER = "anchors"


class Head(NamedTuple):
    """The last row, and the last one of those that say what a person accepted; `set_up` once a person chose the gate.

    One that is not `valid` was damaged, or was not written by us; its number may still be right.
    """

    seq: int = 0
    digest: str = ""
    accepted_seq: int = 0
    accepted_digest: str = ""
    set_up: bool = False
    valid: bool = True


def name_of(project: Path) -> str:
    return blake2b(os.fsencode(project), digest_size=8).hexdigest()


def file_of(state_dir: Path, project: Path) -> Path:
    return state_dir / FOLDER / name_of(project)


def was_set_up(state_dir: Path, project: Path) -> bool:
    """Whether a person chose the gate for this project. What cannot be read, or is not ours to believe, may say so."""
    file = file_of(state_dir, project)
    try:
        text = read_file(file).decode("ascii", "replace")
        if fault(os.fspath(file)):
            return True
        sealed = Seal.of_project(state_dir, project)
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError:
        return True
    found = _parsed(text)
    # Not ours: damaged, or written to switch the gate off.
    return found is None or found[0].set_up or found[1] != _seal_of(found[0], sealed)


def read(file: Path, seal: Seal) -> Head | None:
    """None where there is none."""
    try:
        text = read_file(file).decode("ascii", "replace")
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError:
        return Head(valid=False)
    found = _parsed(text)
    if found is None:
        return Head(valid=False)
    head, found_seal = found
    return head._replace(valid=found_seal == _seal_of(head, seal))


def identity(file: Path) -> tuple[int, int]:
    try:
        found = os.stat(file)  # noqa: PTH116 - asked at every event
    except OSError:
        return (0, 0)
    return found.st_ino, found.st_ctime_ns  # which nobody can set


def put(file: Path, head: Head, seal: Seal) -> None:
    """Best effort: one that lags behind hides nothing but the rows after it. It never goes back."""
    known = read(file, seal)
    if known is not None and known.valid:
        head = _later(known, head)
    temporary = file.with_name(f"{file.name}.{os.getpid()}.{threading.get_ident()}")
    with contextlib.suppress(OSError):
        write(temporary, _text(head, seal))
        temporary.replace(file)


def _later(one: Head, other: Head) -> Head:
    """Another process may have written a row meanwhile."""
    end = max(one, other, key=lambda each: each.seq)
    accepted = max(one, other, key=lambda each: each.accepted_seq)
    return accepted._replace(seq=end.seq, digest=end.digest)


def put_first(file: Path, seal: Seal) -> None:
    """Before there is a row; never over one that another process put there meanwhile."""
    with contextlib.suppress(OSError):
        write_new(file, _text(Head(), seal))


def _text(head: Head, seal: Seal) -> str:
    return encoded([*head[:5], _seal_of(head, seal)])


def _seal_of(head: Head, seal: Seal) -> str:
    return seal.of("anchor", *head[:5])


def _parsed(text: str) -> tuple[Head, str] | None:
    try:
        seq, digest, accepted, accepted_digest, set_up, found_seal = json.loads(text)
        return Head(int(seq), str(digest), int(accepted), str(accepted_digest), bool(set_up)), str(found_seal)
    except (ValueError, TypeError, ArithmeticError, RecursionError):
        return None
