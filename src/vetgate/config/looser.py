"""Whether a change of the project's own files would hold code to less than before, and than a person accepted."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple, Protocol

from vetgate.config import baseline
from vetgate.config.layers import on_disk
from vetgate.config.load import defaults, loaded, restored_config
from vetgate.config.node import MOST_BYTES
from vetgate.config.pages import is_page, page_names
from vetgate.config.plain import text
from vetgate.config.stricter import tighten
from vetgate.model import BASELINE_NAME, CONFIG_NAME, RULES_FOLDER, UserError
from vetgate.redact import redacted

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping
    from pathlib import Path

    from vetgate.config.baseline import Listed
    from vetgate.config.schema import Config

    Names = Collection[str] | None

_ENDINGS = (".yaml", ".yml")


class ConfigFiles(Protocol):
    """Where the files of a configuration are read from."""

    def data(self, name: str) -> bytes | None: ...

    def pages(self) -> list[str]: ...


@dataclass(frozen=True, slots=True)
class OnDisk:
    root: Path

    def data(self, name: str) -> bytes | None:
        return on_disk(self.root / name, name, baseline.LARGEST if name == BASELINE_NAME else MOST_BYTES)

    def pages(self) -> list[str]:
        return page_names(self.root)


@dataclass(frozen=True, slots=True)
class Changed:
    """Files as a change would leave them; None is a file that it takes away."""

    below: ConfigFiles
    texts: Mapping[str, str | None] = field(repr=False)

    def data(self, name: str) -> bytes | None:
        if name not in self.texts:
            return self.below.data(name)
        after = self.texts[name]
        return None if after is None else after.encode("utf-8", "surrogateescape")

    def pages(self) -> list[str]:
        mine = {name for name in self.texts if _is_page(name)}
        there = {name for name in mine if self.texts[name] is not None}
        return sorted((set(self.below.pages()) - mine) | there)


class ConfigInForce(NamedTuple):
    """What such files say; None for one that is not there."""

    config: Config | None = None
    listed: Listed | None = None

    @property
    def is_nothing(self) -> bool:
        return self.config is None and self.listed is None


class Loosening(NamedTuple):
    path: str
    how: tuple[str, ...]


def standing(files: ConfigFiles, known: Names, root: Path | None = None) -> ConfigInForce:
    """Raises UserError where one of them is broken."""
    data, listed = files.data(CONFIG_NAME), files.data(BASELINE_NAME)
    config = None if data is None else loaded(data, known, root, files=files).config
    return ConfigInForce(config, None if listed is None else baseline.parsed(listed))


def standing_with(config: Config | None, root: Path) -> ConfigInForce:
    """The same where the configuration was read already."""
    listed = OnDisk(root).data(BASELINE_NAME)
    return ConfigInForce(config, None if listed is None else baseline.parsed(listed))


def may_matter(paths: Collection[str]) -> bool:
    """Cheap: whether a change of these files can be one of what is in force."""
    return any(
        path in {CONFIG_NAME, BASELINE_NAME} or path.startswith(f"{RULES_FOLDER}/") or path.endswith(_ENDINGS)
        for path in paths
    )


def loosenings(
    accepted: ConfigInForce | None, before: ConfigInForce, after: ConfigInForce, known: Names = None
) -> tuple[Loosening, ...]:
    """What is looser than `before` and not `accepted` either; without anybody who accepted, what is looser.

    Where there was nothing at all, somebody sets the project up, and nothing is loosened.
    """
    if accepted is None and before.is_nothing:
        return ()
    found: dict[str, list[str]] = {}
    for line in _in_settings(accepted, before, after, known):
        name = line.partition(" ")[0]
        found.setdefault(name if name.startswith(f"{RULES_FOLDER}/") else CONFIG_NAME, []).append(line)
    more = _in_baseline(accepted, before, after)
    if more:
        found[BASELINE_NAME] = [f"it excuses {more} more finding{'' if more == 1 else 's'}"]
    return tuple(Loosening(path, tuple(how)) for path, how in found.items())


def _in_settings(
    accepted: ConfigInForce | None, before: ConfigInForce, after: ConfigInForce, known: Names
) -> list[str]:
    if accepted is None and before.config is None:
        return []
    now = _as_stored(after.config, known)
    since = tighten(_as_stored(before.config, known), now, known).ignored
    if accepted is None or not since:
        return list(since)
    keys = {_key(line) for line in since}
    return [line for line in tighten(_as_stored(accepted.config, known), now, known).ignored if _key(line) in keys]


def _in_baseline(accepted: ConfigInForce | None, before: ConfigInForce, after: ConfigInForce) -> int:
    listed = after.listed or {}
    since = baseline.beyond(listed, before.listed or {})
    if accepted is None or not since:
        return len(since)
    unaccepted = baseline.beyond(listed, accepted.listed or {})
    return sum(each in since for each in unaccepted)


def _is_page(path: str) -> bool:
    folder, _, name = path.rpartition("/")
    return folder == RULES_FOLDER and is_page(name)


def _key(line: str) -> str:
    return line.partition(" ")[0]


def _as_stored(config: Config | None, known: Names) -> Config:
    """As the store would keep it: what is hidden there must not look like a difference."""
    if config is None:
        return defaults()
    written = text(config)
    shown = redacted(written)
    if shown == written:
        return config
    try:
        return restored_config(shown, known)
    except (UserError, ValueError):
        return config
