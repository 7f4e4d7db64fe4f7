"""Files as commits have them. A commit never changes: what was read of one is kept for whoever asks again."""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import TYPE_CHECKING

from vetgate.source import git_objects
from vetgate.source.root import common_dir, git_dir
from vetgate.source.text import NotText, decode

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    Name = tuple[str, str, str]

_SECONDS = 2.0
_MOST, _LONGEST = 400, 200_000
_IDS = frozenset({40, 64})
_kept: OrderedDict[Name, str | None] = OrderedDict()
_lock = threading.Lock()


def texts(top: Path, commits: Sequence[str], paths: Sequence[str]) -> list[tuple[str | None, ...]]:
    """For each path its text in each of the commits, None where there is none; a name must not hold a line break."""
    fixed = [head(top) or each if each == "HEAD" else each for each in commits]
    names = [(str(top), commit, path) for path in paths for commit in fixed]
    with _lock:
        found = {name: _kept[name] for name in names if name in _kept}
    asked = tuple(dict.fromkeys(name for name in names if name not in found))
    read = git_objects.read(tuple(f"{commit}:{path}" for _, commit, path in asked), top, _SECONDS)
    found |= {name: _text(data) for name, data in zip(asked, read, strict=True)}
    _keep({name: found[name] for name in asked})
    return [tuple(found[str(top), commit, path] for commit in fixed) for path in paths]


def head(top: Path) -> str:
    """The commit that HEAD stands for, read without git; "" where that takes more than two files."""
    own = git_dir(top)
    try:
        told = (own / "HEAD").read_text(encoding="utf-8").strip() if own else ""
        if own and told.startswith("ref: "):
            told = (common_dir(own) / told.removeprefix("ref: ")).read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError, ValueError):
        return ""
    return told if len(told) in _IDS and told.isalnum() else ""


def _keep(found: dict[Name, str | None]) -> None:
    with _lock:
        for name, text in found.items():
            if len(name[1]) in _IDS and len(text or "") <= _LONGEST:
                _kept[name] = text
        while len(_kept) > _MOST:
            _kept.popitem(last=False)


def _text(data: bytes | None) -> str | None:
    try:
        return None if data is None else decode(data)
    except NotText:
        return None
