"""`vetgate trust`: a person accepts this repository's vetgate.yaml, in a terminal or by its digest."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from vetgate.cli.baseline import by_rule
from vetgate.cli.surface import current_root
from vetgate.model import BASELINE_NAME, CONFIG_NAME
from vetgate.service import acceptance
from vetgate.service.safe_text import without_controls

if TYPE_CHECKING:
    from vetgate.service.acceptance import Trustable

_MOST_LINES = 200
_DECLINED = 1


@click.command()
@click.option("--digest", metavar="SHA256", help="Accept exactly this content, without a terminal (for CI).")
def trust(digest: str | None) -> int:
    """Accept this repository's vetgate.yaml, so that all of it is in force.

    Until then only settings that make the gates stricter are in force. Pages of rules in .vetgate/checks are accepted
    together with it. SHA256 is what `sha256sum vetgate.yaml` prints; if there are such pages, or the file extends
    others of this repository, what `vetgate trust` shows. The digest of .vetgate/baseline.json accepts that list.
    """
    wanted = acceptance.trustable(current_root(), by_digest=digest is not None)
    if wanted.loss:
        click.echo(f"note: {wanted.loss}", err=True)
    listed = acceptance.baseline_by_digest(wanted, digest) if digest is not None else None
    if digest is not None and listed is not None:
        acceptance.trust_baseline(wanted, listed, "--digest")
        click.echo(f"accepted: {BASELINE_NAME} ({digest.strip()[:12]})")
        return 0
    acceptance.require_trustable(wanted, digest)
    if wanted.is_accepted:
        click.echo(f"{CONFIG_NAME} is accepted already ({wanted.digest[:12]})")
    elif digest is None and not _accepts(wanted):
        click.echo("nothing was accepted")
        return _DECLINED
    else:
        acceptance.trust(wanted, "--digest" if digest else "")
        click.echo(f"accepted: {CONFIG_NAME if wanted.file else 'the defaults'} ({wanted.digest[:12]})")
    if digest is None:
        _offer_baseline(wanted)
    return 0


def _offer_baseline(wanted: Trustable) -> None:
    """A list of old findings that grew excuses more than before: that is for a person as well, in a terminal."""
    grown = acceptance.grown_baseline(wanted)
    if grown is None:
        return
    _list(f"{BASELINE_NAME} lists findings that nobody accepted", tuple(by_rule(grown.rules)))
    if click.confirm("Accept that?", default=False):
        acceptance.trust_baseline(wanted, grown.listed)


def _accepts(wanted: Trustable) -> bool:
    file = wanted.file
    for part in (*file.parts, *file.pages) if file else ():
        click.secho(f"--- {part.name}", bold=True)
        lines = part.data.decode("utf-8", "replace").splitlines()
        click.echo("\n".join(without_controls(line.expandtabs()) for line in lines[:_MOST_LINES]))
        if len(lines) > _MOST_LINES:
            click.echo(f"... and {len(lines) - _MOST_LINES} lines more")
    click.echo(
        f"--- digest {wanted.digest}"
        if file
        else f"--- there is no {CONFIG_NAME}: the defaults would be in force again"
    )
    _list("it changes", wanted.changes())
    _list("of these, looser than now", wanted.looser())
    return click.confirm("Accept it?", default=False)


def _list(title: str, lines: tuple[str, ...]) -> None:
    click.echo(f"{title}: {'nothing' if not lines else ''}".rstrip())
    for line in lines:
        click.echo(f"  {without_controls(line.expandtabs())}")
