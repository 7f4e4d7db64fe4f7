"""A moment as people write it: so long ago, or a day with or without a time."""

from __future__ import annotations

import re
import time
from datetime import datetime

from vetgate.model import UserError

_AGO = re.compile(r"([0-9]{1,6})([smhdw])")
_SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86400, "w": 604800}


def moment(text: str) -> float:
    """Seconds since the epoch; what has no time zone is local."""
    if ago := _AGO.fullmatch(text.strip()):
        return time.time() - int(ago[1]) * _SECONDS[ago[2]]
    try:
        return datetime.fromisoformat(text.strip()).astimezone().timestamp()
    except (ValueError, OverflowError):
        raise UserError(f"--since {text!r} is no moment", hint="90m, 12h, 7d, 2026-11-15, 2026-11-15T13:00") from None
