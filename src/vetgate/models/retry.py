"""When a request is sent again, how long to wait before that, and what all tries together use up."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING

from vetgate.judgement import Usage

if TYPE_CHECKING:
    from collections.abc import Mapping

MOST_RETRIES = 3
MOST_MALFORMED = 2
RATE_LIMITED = 429
OVERLOADED = 529
_FIRST, _LONGEST = 0.5, 8.0
_RANDOM = secrets.SystemRandom()


@dataclass(slots=True)
class CallTally:
    """What a question has used up so far; filled in while it is under way.

    `status` is HTTP's and `body` what came with it, of the last try. `unanswered` counts requests that went out whole
    and whose answer nobody heard: whoever was asked may have worked on them, and charges for it.
    """

    usage: Usage = field(default_factory=Usage)
    tries: int = 0
    requests: int = 0
    malformed: int = 0
    status: int = 0
    unanswered: int = 0
    body: bytes = field(default=b"", repr=False)


def is_passing(status: int) -> bool:
    """Whether the same request may be answered a little later."""
    return status == RATE_LIMITED or status >= 500  # among them 529, which Anthropic sends when it is overloaded


def wait_before(retry: int, headers: Mapping[str, str]) -> float:
    """Seconds before the retry with this number, counted from 1: as the endpoint asks, else longer each time."""
    asked = _asked(headers)
    if asked is not None:
        return asked
    longest: float = min(_LONGEST, _FIRST * 2 ** (retry - 1))
    return longest * _RANDOM.uniform(0.75, 1.0)


def _asked(headers: Mapping[str, str]) -> float | None:
    for name, unit in (("retry-after-ms", 1000.0), ("retry-after", 1.0)):
        value = headers.get(name, "").strip()
        if value.replace(".", "", 1).isdigit():
            return float(value) / unit
    try:
        then = parsedate_to_datetime(headers.get("retry-after", ""))
    except ValueError:
        return None
    then = then if then.tzinfo else then.replace(tzinfo=UTC)
    return max(0.0, (then - datetime.now(UTC)).total_seconds())
