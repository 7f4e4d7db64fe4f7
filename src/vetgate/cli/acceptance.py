"""Whether agents are held to more than the file on disk says, because nobody accepted it yet."""

from __future__ import annotations

import contextlib
import getpass
import os
from typing import TYPE_CHECKING

from vetgate.checks import known_names
from vetgate.config.load import find
from vetgate.config.processes import terminal_name
from vetgate.config.trust import effective
from vetgate.model import CONFIG_NAME
from vetgate.runtime import state_dir
from vetgate.source.root import store_key
from vetgate.store import Hand, Store, folder_of, was_set_up

if TYPE_CHECKING:
    from pathlib import Path

_MOST = 3


def unaccepted(root: Path) -> str:
    """One line for a person, or nothing."""
    if find(root) is None:
        return ""
    ignored = effective(root, trusted(root), None, known_names()).ignored
    if not ignored:
        return ""
    more = f"; and {len(ignored) - _MOST} more" if len(ignored) > _MOST else ""
    return (
        f"{CONFIG_NAME} is not accepted as it is now; until `vetgate trust`, agents are held to the stricter settings "
        f"({'; '.join(ignored[:_MOST])}{more})"
    )


def trusted(root: Path) -> tuple[str, str] | None:
    """What a person accepted; looking leaves no store behind where there was none."""
    if not is_known(root):
        return None
    with contextlib.closing(Store.open(state_dir(), store_key(root))) as store:
        return store.trusted()


def is_known(root: Path) -> bool:
    """Whether anything is remembered of this project."""
    key = store_key(root)
    try:
        return (folder_of(state_dir(), key) / "store.db").exists() or was_set_up(state_dir(), key)
    except OSError:
        return False


def hand(how: str = "") -> Hand:
    """Who accepts, as it goes on record: the account and the terminal."""
    return Hand(_user(), terminal_name(), how)


def _user() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError):  # an account without a name
        return str(os.getuid())
