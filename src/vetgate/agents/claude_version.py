"""Which Claude Code is installed here, asked without letting it see our environment or reach anybody."""

from __future__ import annotations

import os
import shutil
import tempfile
from dataclasses import dataclass

from vetgate.agents.quiet_process import run_quietly
from vetgate.expression import expression

SUPPORTED = (2, 1, 240)
FAILS_CLOSED = (2, 1, 295)  # from here on a hook entry can say that the hook's own failure blocks

_SECONDS = 5.0
_VERSION = expression(r"(\d+)\.(\d+)\.(\d+)")
_KEPT = ("PATH", "LANG", "LC_ALL")


@dataclass(frozen=True, slots=True)
class Installed:
    """The client on the PATH; `version` is None when it would not say."""

    path: str
    version: tuple[int, ...] | None

    def __str__(self) -> str:
        return spelled(self.version) if self.version else "of unknown version"


def spelled(version: tuple[int, ...]) -> str:
    return ".".join(map(str, version))


def installed() -> Installed | None:
    path = shutil.which("claude")
    if path is None:
        return None
    with tempfile.TemporaryDirectory(prefix="vetgate-") as home:
        environment = {name: os.environ[name] for name in _KEPT if name in os.environ}
        quiet = {
            "HOME": home,
            "TMPDIR": home,
            "DISABLE_AUTOUPDATER": "1",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        }
        ran = run_quietly([path, "--version"], b"", cwd=home, env=environment | quiet, seconds=_SECONDS)
    match = _VERSION.search(ran.stdout.decode("utf-8", "replace")) if ran.status == 0 else None
    return Installed(path, tuple(map(int, match.groups())) if match else None)
