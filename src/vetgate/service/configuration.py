"""What is in force for a command: what a person accepted here, else what is committed, and what on disk is looser."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, NamedTuple

from vetgate.checks import known_names, troubles
from vetgate.config import baseline
from vetgate.config.load import defaults, find, load, with_pages
from vetgate.config.looser import Changed, ConfigInForce, standing, standing_with
from vetgate.config.stricter import tighten
from vetgate.config.trust import base, effective, project_file
from vetgate.model import CONFIG_NAME, UserError
from vetgate.respond.loosened_config import as_committed, between, committed
from vetgate.runtime import state_dir
from vetgate.source.root import store_key
from vetgate.store import Store, folder_of, was_set_up

if TYPE_CHECKING:
    from pathlib import Path

    from vetgate.config.baseline import Listed
    from vetgate.config.load import LoadedConfig
    from vetgate.config.schema import Config
    from vetgate.config.trust import Effective
    from vetgate.model import Change, Finding

_MOST = 3


class InForce(NamedTuple):
    """The configuration and the baseline to go by, what the files loosen, and lines for a person."""

    config: Config
    listed: Listed
    findings: tuple[Finding, ...] = ()
    notes: tuple[str, ...] = ()


class _AcceptedConfig(NamedTuple):
    """What the store has of a person: their configuration, and the list of old findings."""

    trusted: tuple[str, str] | None = None
    listed: Listed | None = None


class Configurations:
    """What the projects that one command is about are configured with; each file is read once.

    `tried` is a file to go by instead of the projects' own.
    """

    def __init__(self, tried: Path | None = None) -> None:
        self._tried = tried
        self._files: dict[Path, LoadedConfig | None] = {}
        self._other: dict[Path, Config] = {}

    def written(self, root: Path) -> Config:
        """The file as it stands there, whether anybody accepted it or not."""
        if self._tried is not None:
            if root not in self._other:
                self._other[root] = named(self._tried, root)
            return self._other[root]
        file = self._file(root)
        return file.config if file is not None else with_pages(defaults(), root)

    def in_force(self, root: Path, commit: str = "HEAD", change: Change | None = None) -> InForce:
        """What a person accepted here and, where nobody did, what is committed; stricter files hold at once.

        `change` is what is judged where that is not the work tree. Raises UserError for a file that cannot be read.
        """
        found = self._in_force(root, commit, change)
        if self._tried is not None:
            found = InForce(self.written(root), found.listed)
        left_out = tuple(f"a rule of this project is left out: {trouble}" for trouble in troubles(found.config))
        return found._replace(notes=(*found.notes, *left_out))

    def _in_force(self, root: Path, commit: str, change: Change | None) -> InForce:
        kept = _kept(root)
        now = self._standing(root) if change is None else _changed(root, commit, change)
        before = as_committed(root, commit)
        accepted = ConfigInForce(base(kept.trusted, known_names()), kept.listed) if kept.trusted is not None else None
        findings = tuple(between(accepted, before, now))
        reference = accepted if accepted is not None else None if before.is_nothing else before
        allowed = kept.listed if kept.listed is not None else reference.listed if reference is not None else now.listed
        listed = baseline.common(now.listed or {}, allowed or {})
        for_agents = effective(root, kept.trusted, None, known_names(), self._files.get(root))
        config = for_agents.config if kept.trusted is not None else _unaccepted(root, before, now)
        notes = () if findings or find(root) is None else _waiting(for_agents)
        return InForce(config, listed, findings, notes)

    def _standing(self, root: Path) -> ConfigInForce:
        file = self._file(root)
        return standing_with(file and file.config, root)

    def _file(self, root: Path) -> LoadedConfig | None:
        if root not in self._files:
            self._files[root] = project_file(root, known_names())
        return self._files[root]


def named(file: Path, root: Path) -> Config:
    """A file that somebody wants to try."""
    if not file.exists():
        raise UserError(f"there is no file {file}", hint="--config takes the path of a configuration file")
    return load(file, known_names(), root)


def _changed(root: Path, commit: str, change: Change) -> ConfigInForce:
    find(root)  # a file by a name that nobody reads is an error
    texts = {file.path: file.after for file in change.files}
    return standing(Changed(committed(root, commit), texts), known_names(), root)


def _unaccepted(root: Path, before: ConfigInForce, now: ConfigInForce) -> Config:
    """What is committed, where nobody accepted anything."""
    if before.config is None:
        return now.config or with_pages(defaults(), root)
    wanted = now.config or defaults()
    same = before.config.digest == wanted.digest
    return wanted if same else tighten(before.config, wanted, known_names()).config


def _waiting(for_agents: Effective) -> tuple[str, ...]:
    ignored = for_agents.ignored
    if not ignored:
        return ()
    more = f"; and {len(ignored) - _MOST} more" if len(ignored) > _MOST else ""
    waits = (
        f"{CONFIG_NAME} is not accepted as it is now; until `vetgate trust`, agents are held to the stricter settings"
    )
    return (f"{waits} ({'; '.join(ignored[:_MOST])}{more})",)


def _kept(root: Path) -> _AcceptedConfig:
    """Looking leaves no store behind where there was none."""
    if not is_known(root):
        return _AcceptedConfig()
    with open_store(root) as store:
        listed = store.baseline()
        with contextlib.suppress(UserError):
            return _AcceptedConfig(store.trusted(), None if listed is None else baseline.parsed(listed))
        return _AcceptedConfig(store.trusted())


def is_known(root: Path) -> bool:
    """Whether anything is remembered of this project."""
    key = store_key(root)
    try:
        return (folder_of(state_dir(), key) / "store.db").exists() or was_set_up(state_dir(), key)
    except OSError:
        return False


def open_store(root: Path) -> contextlib.closing[Store]:
    """What is remembered of a project."""
    return contextlib.closing(Store.open(state_dir(), store_key(root)))


def recorded_store(root: Path) -> contextlib.closing[Store]:
    """The same for who only reads: UserError where nothing is on record."""
    if not is_known(root):
        raise UserError(f"nothing is recorded of {root}", hint="`vetgate init` sets a project up")
    return open_store(root)
