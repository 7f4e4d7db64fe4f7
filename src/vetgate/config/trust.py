"""Which configuration is in force, given the file, what a person accepted, and what could be read last."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, NamedTuple

from vetgate.config.layers import read_file
from vetgate.config.load import LoadedConfig, defaults, find, loaded, restored_config
from vetgate.config.pages import read_pages
from vetgate.config.plain import text
from vetgate.config.stricter import tighten
from vetgate.model import CONFIG_NAME, RULES_FOLDER, UserError

if TYPE_CHECKING:
    from collections.abc import Collection
    from pathlib import Path

    from vetgate.config.schema import Config

    Trusted = tuple[str, str] | None

# What is accepted when a person accepts that there is no file: the defaults.
NO_FILE = sha256(b"").hexdigest()
_PAGES_WAIT = f"{RULES_FOLDER} holds rules, but they need a {CONFIG_NAME} that a person accepted"
_WAITS = f"run `vetgate trust` in a terminal to accept {CONFIG_NAME}"


class Effective(NamedTuple):
    """`text` is what to remember as the last good version; `extends` says that other files take part in it.

    `file` is what was read, None where there is none or it is broken.
    `ignored` names the settings of the file that wait for a person, `looser` those of them that would loosen something.
    With `must_ask` there is nothing good to fall back on: the defaults are in force, and a person has to decide.
    """

    config: Config
    notes: tuple[str, ...] = ()
    problem: UserError | None = None
    must_ask: bool = False
    text: str | None = None
    extends: bool = False
    ignored: tuple[str, ...] = ()
    looser: tuple[str, ...] = ()
    file: LoadedConfig | None = None


def effective(
    root: Path,
    trusted: Trusted,
    last_good: str | None,
    known_checks: Collection[str] | None = None,
    file: LoadedConfig | None = None,
) -> Effective:
    """`trusted` is the digest and text that a person accepted. Only they can loosen; whatever breaks, nothing does.

    `file` is the project's own where that was read already.
    """
    try:
        file = file or project_file(root, known_checks)
    except UserError as error:
        return _broken(error, trusted, last_good, known_checks)
    if file is None:
        return _absent(root, trusted, known_checks)
    if trusted is not None and file.sha256 == trusted[0]:
        return Effective(file.config, text=text(file.config), extends=len(file.parts) > 1, file=file)
    return _untrusted(file, trusted, known_checks)


def project_file(root: Path, known_checks: Collection[str] | None = None) -> LoadedConfig | None:
    """The project's own file with all it extends, None where there is none; UserError where it is broken."""
    path = find(root)
    return loaded(read_file(path, CONFIG_NAME), known_checks, root, path=path) if path else None


def base(trusted: Trusted, known_checks: Collection[str] | None = None) -> Config:
    """What a file that nobody accepted is measured by: the one accepted before, else the defaults."""
    return (trusted and _restored(trusted[1], known_checks)) or defaults()


def _untrusted(file: LoadedConfig, trusted: Trusted, known_checks: Collection[str] | None) -> Effective:
    result = tighten(base(trusted, known_checks), file.config, known_checks)
    notes: tuple[str, ...] = ()
    ignored = (*result.ignored, *result.waiting)
    if ignored:
        notes = (f"{CONFIG_NAME} is not accepted yet; not in force: {'; '.join(ignored)}; {_WAITS}",)
    return Effective(
        result.config,
        notes,
        text=text(result.config),
        extends=len(file.parts) > 1,
        ignored=ignored,
        looser=result.ignored,
        file=file,
    )


def _absent(root: Path, trusted: Trusted, known_checks: Collection[str] | None) -> Effective:
    """Deleting an accepted file must not loosen anything: what it tightened stays until a person says otherwise."""
    if trusted is None or trusted[0] == NO_FILE:
        notes = (_PAGES_WAIT,) if read_pages(root) else ()
        return Effective(defaults(), notes, text=text(defaults()))
    result = tighten(base(trusted, known_checks), defaults(), known_checks)
    note = f"{CONFIG_NAME} is gone; the accepted file stays in force where it is stricter than the defaults; {_WAITS}"
    notes, ignored = (note,) if result.ignored else (), result.ignored
    return Effective(result.config, notes, text=text(result.config), ignored=ignored, looser=ignored)


def _broken(
    error: UserError, trusted: Trusted, last_good: str | None, known_checks: Collection[str] | None
) -> Effective:
    for earlier in (last_good, trusted[1] if trusted else None):
        config = _restored(earlier, known_checks) if earlier else None
        if config is not None:
            note = f"the configuration is broken, its last good version is in force: {error.message}"
            return Effective(config, (note,), problem=error)
    note = f"the configuration is broken and there is no good version of it: {error.message}"
    return Effective(defaults(), (note,), problem=error, must_ask=True)


def _restored(earlier: str, known_checks: Collection[str] | None) -> Config | None:
    """A version from the store, which an older or newer vetgate may have written."""
    try:
        return restored_config(earlier, known_checks)
    except (UserError, ValueError):
        return None
