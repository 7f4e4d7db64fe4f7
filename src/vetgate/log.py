"""What vetgate did, one JSON object a line, in the state folder; as much of it as `log_level` or VETGATE_LOG asks for.

Never the code under judgement, never a payload: names, places, numbers and decisions.
"""

from __future__ import annotations

import contextlib
import json
import os
import time
from pathlib import Path
from typing import Any

from vetgate.ownership import fault
from vetgate.redact import redacted

LEVELS = ("debug", "info", "warning", "error")
_LARGEST = 1_000_000


class Log:
    def __init__(self, state_dir: Path) -> None:
        self._file = state_dir / "vetgate.log"
        self._is_ours = not fault(str(state_dir))

    def write(self, level: str, wanted: str, event: str, **fields: Any) -> None:
        """One line, if `wanted` asks for this much. A log that cannot be written stops nothing."""
        if not self._is_ours or LEVELS.index(level) < LEVELS.index(wanted if wanted in LEVELS else "warning"):
            return
        stamp = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        told = {
            name: redacted(str(value)) if isinstance(value, str | Path) else value for name, value in fields.items()
        }
        line = json.dumps({"time": stamp, "level": level, "event": event, **told}, default=str) + "\n"
        with contextlib.suppress(OSError):
            self._rotate()
            flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_NOFOLLOW", 0)
            descriptor = os.open(self._file, flags, 0o600)
            try:
                os.write(descriptor, line.encode("utf-8", "backslashreplace"))  # one write: lines never mix
            finally:
                os.close(descriptor)

    def _rotate(self) -> None:
        with contextlib.suppress(FileNotFoundError):
            if self._file.stat().st_size > _LARGEST:
                self._file.replace(self._file.with_suffix(".log.1"))
