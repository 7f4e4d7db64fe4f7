"""Where a name is defined."""

from __future__ import annotations

from typing import NamedTuple

# How the callee of a call begins that makes an object.
NEW = "new "


class Place(NamedTuple):
    """A name in a file; the file itself where there is no name. In Go any file of the folder may hold it."""

    path: str
    symbol: str
