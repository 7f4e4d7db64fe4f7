"""What is in force for a command: what a person accepted here, else what is committed, and what on disk is looser."""

from __future__ import annotations

import contextlib
import getpass
import os
from typing import TYPE_CHECKING, NamedTuple

from vetgate.checks import known_names
from vetgate.config import baseline
from vetgate.config.load import defaults, find, load, with_pages
from vetgate.config.looser import Changed, ConfigInForce, OnDisk, standing
from vetgate.config.processes import terminal_name
from vetgate.config.stricter import tighten
from vetgate.config.trust import base, effective
from vetgate.model import CONFIG_NAME, UserError
from vetgate.respond.loosened_config import as_committed, between, committed
from vetgate.runtime import state_dir
from vetgate.source.root import store_key
from vetgate.store import Hand, Store, folder_of, was_set_up

if TYPE_CHECKING:
    from pathlib import Path

    from vetgate.config.baseline import Listed
    from vetgate.config.schema import Config
    from vetgate.model import Change, Finding

_MOST = 3


class InForce(NamedTuple):
    """The configuration and the baseline to go by, what the files loosen, and a line for a person."""

    config: Config
    listed: Listed
    findings: tuple[Finding, ...] = ()
    note: str = ""


class _Kept(NamedTuple):
    """What the store has of a person: their configuration, and the list of old findings."""

    trusted: tuple[str, str] | None = None
    listed: Listed | None = None


def in_force(root: Path, commit: str = "HEAD", change: Change | None = None) -> InForce:
    """What a person accepted here and, where nobody did, what is committed; stricter files hold at once.

    `change` is what is judged where that is not the work tree. Raises UserError for a file that cannot be read.
    """
    kept = _kept(root)
    texts = {file.path: file.after for file in change.files} if change is not None else {}
    find(root)  # a file by a name that nobody reads is an error
    now = standing(Changed(committed(root, commit), texts) if change is not None else OnDisk(root), known_names(), root)
    before = as_committed(root, commit)
    accepted = ConfigInForce(base(kept.trusted, known_names()), kept.listed) if kept.trusted is not None else None
    findings = tuple(between(accepted, before, now))
    reference = accepted if accepted is not None else None if before.is_nothing else before
    allowed = kept.listed if kept.listed is not None else reference.listed if reference is not None else now.listed
    listed = baseline.common(now.listed or {}, allowed or {})
    note = "" if findings else _unaccepted(root, kept)
    return InForce(_config(root, kept, before, now), listed, findings, note)


def configuration(root: Path, file: Path | None) -> Config:
    """A file as it stands there, whether anybody accepted it or not: to be tried, or to be tested."""
    if file is not None and not file.exists():
        raise UserError(f"there is no file {file}", hint="--config takes the path of a configuration file")
    path = file or find(root)
    return load(path, known_names(), root) if path else with_pages(defaults(), root)


def _config(root: Path, kept: _Kept, before: ConfigInForce, now: ConfigInForce) -> Config:
    if kept.trusted is not None:
        return effective(root, kept.trusted, None, known_names()).config
    if before.config is None:
        return now.config or with_pages(defaults(), root)
    wanted = now.config or defaults()
    same = before.config.digest == wanted.digest
    return wanted if same else tighten(before.config, wanted, known_names()).config


def _unaccepted(root: Path, kept: _Kept) -> str:
    """One line for a person, or nothing."""
    if find(root) is None:
        return ""
    ignored = effective(root, kept.trusted, None, known_names()).ignored
    if not ignored:
        return ""
    more = f"; and {len(ignored) - _MOST} more" if len(ignored) > _MOST else ""
    return (
        f"{CONFIG_NAME} is not accepted as it is now; until `vetgate trust`, agents are held to the stricter settings "
        f"({'; '.join(ignored[:_MOST])}{more})"
    )


def _kept(root: Path) -> _Kept:
    """Looking leaves no store behind where there was none."""
    if not is_known(root):
        return _Kept()
    with contextlib.closing(Store.open(state_dir(), store_key(root))) as store:
        listed = store.baseline()
        with contextlib.suppress(UserError):
            return _Kept(store.trusted(), None if listed is None else baseline.parsed(listed))
        return _Kept(store.trusted())


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
