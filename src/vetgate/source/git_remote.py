"""What a remote really has: asked of itself, by the address git is about to push to; and folders made as remotes.

Asked from outside of the repository, so that nothing in its configuration has a say in where the question goes and
what answers it; the user's own keys and helpers work as ever.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

from vetgate.model import UserError
from vetgate.source.git_process import ask, plain_environment

if TYPE_CHECKING:
    from collections.abc import Mapping

SECONDS = 5.0
_PROTOCOLS = "file:git:http:https:ssh"
_REWRITES = ("config", "--get-regexp", "-z", r"^url\..*\.insteadof$")
_BATCH = "ssh -oBatchMode=yes -oConnectTimeout=4"


def refs_of(address: str, top: Path, seconds: float = SECONDS) -> Mapping[str, str] | None:
    """The object that each of its refs names; None where it did not say, or somebody else might answer."""
    place = _place(address, top)
    outside = Path(os.path.abspath(os.sep))  # noqa: PTH100 - the root, on whatever system
    if address.startswith("-") or "::" in address.partition("/")[0] or _is_rewritten(place, outside):
        return None
    environment = plain_environment() | {"GIT_ALLOW_PROTOCOL": _PROTOCOLS, "GIT_CEILING_DIRECTORIES": str(outside)}
    environment |= {"GIT_ASKPASS": "", "SSH_ASKPASS": "", "SSH_ASKPASS_REQUIRE": "never", "GIT_DIR": os.devnull}
    if not _own_ssh(outside):
        environment["GIT_SSH_COMMAND"] = _BATCH
    out = _output_of(
        ("git", "ls-remote", "--quiet", "--upload-pack=git-upload-pack", "--", place), environment, seconds
    )
    if out is None:
        return None
    lines = (os.fsdecode(line).partition("\t") for line in out.splitlines())
    return {name: found for found, sign, name in lines if sign}


def _place(address: str, top: Path) -> str:
    """A path is meant from the work tree."""
    is_path = address.startswith((".", "/")) or (":" not in address and (top / address).exists())
    return os.fspath((top / address).resolve()) if is_path else address


def _is_rewritten(address: str, outside: Path) -> bool:
    """Git has rewritten it already: a second time it would lead elsewhere than the push."""
    try:
        told = ask(_REWRITES, outside, seconds=SECONDS).out
    except UserError:
        return True
    rules = (entry.partition(b"\n") for entry in told.split(b"\0") if entry)
    return any(address.startswith(os.fsdecode(prefix)) and _leads(key) != address for key, _, prefix in rules)


def _leads(key: bytes) -> str:
    return os.fsdecode(key).removeprefix("url.").rpartition(".")[0]


def _own_ssh(outside: Path) -> bool:
    return bool(ask(("config", "core.sshCommand"), outside, seconds=SECONDS).out.strip())


def _output_of(command: tuple[str, ...], environment: dict[str, str], seconds: float) -> bytes | None:
    """All that it starts ends with it: what holds on to its output would be waited for."""
    try:
        process = subprocess.Popen(  # noqa: S603 - fixed program, arguments as a list
            command,
            cwd=os.sep,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
    except OSError:
        return None
    try:
        out = process.communicate(timeout=seconds)[0]
    except subprocess.TimeoutExpired:
        with contextlib.suppress(OSError):
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        return None
    return out if process.returncode == 0 else None


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
    place = _folder_at(address.removeprefix(_FILE), top)
    return place is not None and _is_new(place, since)


def _folder_at(path: str, top: Path) -> Path | None:
    full = os.path.join(top, os.path.expanduser(path))  # noqa: PTH111, PTH118 - git adds endings to the text
    found = (Path(full.rstrip("/") + ending) for ending in _ENDINGS)
    return next((each for each in found if each.exists()), None) if path else None


def _is_new(place: Path, since: int) -> bool:
    try:
        parts = [place] if place.is_file() else [Path(each) for each in os.scandir(place)]
        return all(each.stat(follow_symlinks=False).st_ctime_ns >= since for each in parts)
    except OSError:
        return False
