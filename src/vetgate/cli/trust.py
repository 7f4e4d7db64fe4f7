"""`vetgate trust`: a person accepts this repository's vetgate.yaml, in a terminal or by its digest."""

from __future__ import annotations

import contextlib
from hashlib import sha256
from typing import TYPE_CHECKING

import click

from vetgate.checks import known_names
from vetgate.cli.baseline import by_rule
from vetgate.cli.config import current_root
from vetgate.config import baseline
from vetgate.config.changes import changes
from vetgate.config.load import LoadedConfig, defaults
from vetgate.config.person import require_person
from vetgate.config.plain import text
from vetgate.config.stricter import tighten
from vetgate.config.trust import NO_FILE, base, project_file
from vetgate.model import CONFIG_NAME, UserError
from vetgate.runtime import state_dir
from vetgate.service.configuration import hand
from vetgate.source.root import store_key
from vetgate.store import Store

if TYPE_CHECKING:
    from pathlib import Path

    from vetgate.config.schema import Config

_MOST_LINES = 200
_DECLINED = 1
_NOTHING = '{"version": 1, "files": {}}'


@click.command()
@click.option("--digest", metavar="SHA256", help="Accept exactly this content, without a terminal (for CI).")
def trust(digest: str | None) -> int:
    """Accept this repository's vetgate.yaml, so that all of it is in force.

    Until then only those of its settings hold that make the gates stricter. Pages of rules in .vetgate/checks are
    accepted together with it. DIGEST is what `sha256sum vetgate.yaml` prints; where there are such pages, or the file
    extends others of this repository, what `vetgate trust` shows. That of .vetgate/baseline.json accepts the list.
    """
    require_person(f"accept {CONFIG_NAME}", terminal=digest is None, instead="`--digest SHA256` names what you accept")
    root = current_root()
    file = project_file(root, known_names())
    with contextlib.closing(Store.open(state_dir(), store_key(root))) as store:
        if store.failure:
            raise UserError(f"nothing can be accepted: {store.failure}")
        if loss := store.loss:
            click.echo(f"note: {loss}", err=True)
        if digest is not None and _is_baseline(root, digest):
            store.set_baseline(baseline.text(baseline.read(root) or {}), hand("--digest"))
            click.echo(f"accepted: {baseline.NAME} ({digest.strip()[:12]})")
            return 0
        trusted = store.trusted()
        wanted = file.sha256 if file else NO_FILE
        _refuse_other(digest, wanted)
        if trusted and trusted[0] == wanted and not loss:
            click.echo(f"{CONFIG_NAME} is accepted already ({wanted[:12]})")
            return _with_baseline(root, store, digest)
        if file is None and trusted is None and not loss:
            raise UserError(f"there is no {CONFIG_NAME} to accept in {root}", hint="`vetgate init` writes one")
        if digest is None and not _accepts(file, wanted, base(trusted, known_names())):
            click.echo("nothing was accepted")
            return _DECLINED
        store.set_trusted(wanted, text(file.config if file else defaults()), hand("--digest" if digest else ""))
        click.echo(f"accepted: {CONFIG_NAME if file else 'the defaults'} ({wanted[:12]})")
        return _with_baseline(root, store, digest)


def _with_baseline(root: Path, store: Store, digest: str | None) -> int:
    """A list of old findings that grew excuses more than before: that is for a person as well, in a terminal."""
    if digest is not None:
        return 0
    listed = baseline.read(root)
    more = baseline.beyond(listed or {}, baseline.parsed(store.baseline() or _NOTHING))
    if not listed or not more:
        return 0
    _list(f"{baseline.NAME} excuses what nobody accepted", tuple(by_rule(entry for _, entry in more)))
    if click.confirm("Accept that?", default=False):
        store.set_baseline(baseline.text(listed), hand())
    return 0


def _is_baseline(root: Path, digest: str) -> bool:
    try:
        return sha256((root / baseline.NAME).read_bytes()).hexdigest() == digest.strip().lower()
    except OSError:
        return False


def _refuse_other(digest: str | None, wanted: str) -> None:
    if digest is not None and digest.strip().lower() != wanted:
        raise UserError(
            f"{CONFIG_NAME} has the digest {wanted}, not {digest.strip()[:64]}",
            hint="read the file again: it is not the one you meant to accept",
        )


def _accepts(file: LoadedConfig | None, wanted: str, before: Config) -> bool:
    _describe(file, wanted, before)
    return click.confirm("Accept it?", default=False)


def _describe(file: LoadedConfig | None, wanted: str, before: Config) -> None:
    for part in (*file.parts, *file.pages) if file else ():
        click.secho(f"--- {part.name}", bold=True)
        lines = part.data.decode("utf-8", "replace").splitlines()
        click.echo("\n".join(_printable(line) for line in lines[:_MOST_LINES]))
        if len(lines) > _MOST_LINES:
            click.echo(f"... and {len(lines) - _MOST_LINES} lines more")
    config = file.config if file else defaults()
    click.echo(
        f"--- digest {wanted}" if file else f"--- there is no {CONFIG_NAME}: the defaults would be in force again"
    )
    _list("it changes", changes(before, config))
    _list("of these, looser than now", tighten(before, config, known_names()).ignored)


def _list(title: str, lines: tuple[str, ...]) -> None:
    click.echo(f"{title}: {'nothing' if not lines else ''}".rstrip())
    for line in lines:
        click.echo(f"  {_printable(line)}")


def _printable(line: str) -> str:
    """A file must not be able to move the cursor and show something else than what it says."""
    return "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in line.expandtabs())
