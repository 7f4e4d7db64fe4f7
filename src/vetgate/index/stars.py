"""Which names `from module import *` brings in Python: those that `__all__` lists, else all without an underscore."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from vetgate.expression import expression

if TYPE_CHECKING:
    from vetgate.index.view import View

_MENTIONED = expression(r"^[ \t]*__all__\b", re.MULTILINE)
_LIST = expression(r"^__all__\s*(?::[^=\n]*)?=\s*(?P<items>[\[(](?:[^\[\]()]*)[\])])[ \t]*(?:#[^\n]*)?$", re.MULTILINE)
_NAME = expression(r"[\"'](\w+)[\"']")


def is_for_all(view: View, module: str, name: str) -> bool:
    """Where nobody can tell what is listed, it is."""
    text = view.text(module)
    if not _MENTIONED.search(text):
        return not name.startswith("_")
    listed = _LIST.search(text)
    is_whole = listed is not None and len(_MENTIONED.findall(text)) == 1
    return not is_whole or listed is None or name in _NAME.findall(listed["items"])
