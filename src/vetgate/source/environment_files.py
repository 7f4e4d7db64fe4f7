"""Files that hold settings of one machine, its secrets among them: `.env` and what is called like it."""

from __future__ import annotations

import re

_NAMES = re.compile(r"(?:^|/)\.env(?:rc|\.[A-Za-z0-9._-]+)?$")


def is_environment(path: str) -> bool:
    return _NAMES.search(path) is not None
