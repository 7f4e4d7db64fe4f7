"""Remotes that are folders or bundles on this machine: a script makes one with whatever commits it likes."""

from __future__ import annotations

import os
from pathlib import Path

from vetgate.source.git_process import ask

_SECONDS = 5.0
_FILE = "file://"
# Where git looks, in this order, when an address is a path.
_ENDINGS = ("/.git", "", ".git/.git", ".git", ".bundle")


def is_new_folder(top: Path, remote: str, since: int) -> bool:
    """Whether a remote lies on this machine, and nothing in it is older than this moment, in nanoseconds."""
    if not remote or remote.startswith("-"):
        return False
    told = ask(("ls-remote", "--get-url", remote), top, seconds=_SECONDS).out  # goes nowhere; knows `insteadOf`
    address = os.fsdecode(told.removesuffix(b"\n"))
    place = _place(address.removeprefix(_FILE), top)
    return place is not None and _is_new(place, since)


def _place(path: str, top: Path) -> Path | None:
    full = os.path.join(top, os.path.expanduser(path))  # noqa: PTH111, PTH118 - git adds endings to the text
    found = (Path(full.rstrip("/") + ending) for ending in _ENDINGS)
    return next((each for each in found if each.exists()), None) if path else None


def _is_new(place: Path, since: int) -> bool:
    try:
        parts = [place] if place.is_file() else [Path(each) for each in os.scandir(place)]
        return all(each.stat(follow_symlinks=False).st_ctime_ns >= since for each in parts)
    except OSError:
        return False
