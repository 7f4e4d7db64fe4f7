"""Whether standard output is somebody who likes colours."""

from __future__ import annotations

import os
import sys


def wants_colour() -> bool:
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
