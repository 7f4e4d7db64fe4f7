"""A command without network that can write nowhere but in the project, by bubblewrap, where the system has it."""

from __future__ import annotations

import shutil
import subprocess
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

_PROGRAM = "bwrap"


@lru_cache(maxsize=1)
def available() -> str:
    """The program, if it can do its work here: in a container it often may not."""
    program = shutil.which(_PROGRAM)
    if program is None:
        return ""
    tried = [program, "--ro-bind", "/", "/", "--unshare-net", "--unshare-pid", "true"]
    try:
        done = subprocess.run(tried, capture_output=True, timeout=5, check=False)  # noqa: S603 - fixed words
    except (OSError, subprocess.SubprocessError):
        return ""
    return program if done.returncode == 0 else ""


def inside(argv: Sequence[str], root: Path, program: str) -> list[str]:
    """The whole system readable, only the project and a fresh /tmp writable; all of it ends together."""
    return [
        program,
        *("--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--tmpfs", "/tmp"),  # noqa: S108 - its own
        *("--bind", str(root), str(root), "--chdir", str(root)),
        *("--unshare-net", "--unshare-pid", "--unshare-ipc", "--die-with-parent", "--new-session"),
        *argv,
    ]
