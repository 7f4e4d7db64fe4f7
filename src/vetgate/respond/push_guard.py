"""Whether somebody looks at what a push takes along: our hook, where a person accepted the configuration."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from vetgate.model import Decision, UserError
from vetgate.respond.session_diff import began
from vetgate.source.git import find
from vetgate.source.git_landing import hooks_folder
from vetgate.source.root import common_dir, project_root, real, store_key

if TYPE_CHECKING:
    from pathlib import Path

    from vetgate.respond.call import Call

_HOOK = "pre-push"
_OURS = b"vetgate"
# Written when a repository is made, and left alone from then on.
_FROM_THE_START = ("description", "info/exclude")


def push_from(call: Call, folder: Path) -> Decision:
    """A repository made in this session is refused; one that was there before is left to a person."""
    place = real(folder)
    root = project_root(place)
    shared = _git_folder(place) or (store_key(root) if root is not None else None)
    if shared is None or shared == store_key(call.at_home.project.root):
        return Decision.ALLOW
    if root is not None and call.open_project(root).store.trusted() is not None and _has_our_hook(root):
        return Decision.ALLOW
    return Decision.ASK if _was_there(shared, began(call.at_home)) else Decision.BLOCK


def _git_folder(place: Path) -> Path | None:
    """For a folder that is, or lies in, what git keeps: a bare repository, or a `.git` itself."""
    for folder in (place, *place.parents):
        if (folder / ".git").exists():
            return None
        if (folder / "HEAD").is_file() and ((folder / "objects").is_dir() or (folder / "commondir").is_file()):
            return common_dir(folder)
    return None


def _has_our_hook(root: Path) -> bool:
    try:
        repository = find(root)
        return runs_our_hook(hooks_folder(repository) if repository else root / ".git" / "hooks")
    except UserError:
        return False


def runs_our_hook(folder: Path) -> bool:
    """Whether a push runs vetgate where git takes its hooks from this folder."""
    hook = folder / _HOOK
    try:
        return _OURS in hook.read_bytes() and os.access(hook, os.X_OK)
    except OSError:
        return False


def _was_there(shared: Path, since: int) -> bool:
    """By when the kernel last saw these files change, which no program can set."""
    moments = []
    for name in _FROM_THE_START:
        try:
            moments.append((shared / name).stat().st_ctime_ns)
        except OSError:
            continue
    return bool(moments) and max(moments) < since
