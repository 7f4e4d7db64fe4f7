"""Where a name is defined."""

from __future__ import annotations

from typing import NamedTuple

# How the callee of a call begins that makes an object.
NEW = "new "
# How a method is reached that needs no object; and one whose object is a class.
STATIC, OF_CLASS = "static", "class"
# What an object or a class calls itself, and what it has from its ancestors.
SELVES, SUPER = frozenset({"self", "cls", "this"}), "super"
# What a class calls the function that fills its objects, where files define names.
MAKERS = ("__init__", "constructor")


class Place(NamedTuple):
    """A name in a file; the file itself where there is no name. In Go any file of the folder may hold it."""

    path: str
    symbol: str

    def member(self, name: str) -> Place:
        return Place(self.path, f"{self.symbol}.{name}")
