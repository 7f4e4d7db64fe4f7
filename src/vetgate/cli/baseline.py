"""`vetgate baseline`: adopt the gate on code that has findings already; the list of them only shrinks by itself."""

from __future__ import annotations

import contextlib
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import click

from vetgate.cli.progress import Bar
from vetgate.cli.surface import BLOCKED
from vetgate.config import baseline as file
from vetgate.config.person import require_person
from vetgate.engine.suppressions import can_be_waived
from vetgate.model import UserError
from vetgate.redact import holds_token
from vetgate.runtime import state_dir
from vetgate.service.check import judge_files, waived
from vetgate.service.configuration import hand, in_force
from vetgate.service.selection import select
from vetgate.source.replace import read_bytes, write_bytes
from vetgate.source.root import store_key
from vetgate.store import Store

if TYPE_CHECKING:
    from collections.abc import Iterable

    from vetgate.config.baseline import BaselineEntry, Listed
    from vetgate.service.selection import Selection

_NONE = f"there is no {file.NAME}"


@click.command(
    epilog="Exit status: 0 as it should be or brought up to date, 1 --check found something to take out, "
    "3 something to put right first."
)
@click.option("--write", is_flag=True, help="List everything that is found now. Only a person can, in a terminal.")
@click.option("--check", "only_check", is_flag=True, help="Write nothing; status 1 when something could be taken out.")
def baseline(*, write: bool, only_check: bool) -> int:
    """Adopt vetgate on old code: list what is found now, so that `vetgate check` counts only what is new.

    Without an option, what is no longer found is taken out of .vetgate/baseline.json; nothing is ever added that way.
    """
    if write and only_check:
        raise click.UsageError("--write and --check exclude each other.")
    if write:
        require_person(f"add to {file.NAME}")
    (selection,) = select((), Path.cwd())
    root = selection.root
    known = None if write else file.read(root)
    if known is None and not write:
        raise UserError(_NONE, hint="`vetgate baseline --write` makes one, in a terminal")
    now = _found(selection)
    if known is None:
        return _written(root, now)
    smaller = file.common(known, now)
    gone, new = len(file.beyond(known, smaller)), len(file.beyond(now, known))
    if gone and not only_check:
        _write(root, smaller)
    _tell(gone, new, file.count(smaller), only_check=only_check)
    return BLOCKED if gone and only_check else 0


def _found(selection: Selection) -> Listed:
    """Everything that counts now, with no regard to what is listed; what is waived has an end of its own."""
    root = selection.root
    with Bar() as progress:
        judged = judge_files(selection, in_force(root).config, suppressions=waived(root), progress=progress)
    listed: dict[str, dict[str, BaselineEntry]] = {}
    for finding in judged.verdict.findings:
        # A name that holds a secret is written nowhere.
        if finding.new and not holds_token(finding.span.path):
            entries = listed.setdefault(finding.span.path, {})
            entries[finding.fingerprint] = file.BaselineEntry(finding.id, finding.value)
    return listed


def _written(root: Path, now: Listed) -> int:
    with contextlib.closing(Store.open(state_dir(), store_key(root))) as store:
        if store.problem:
            raise UserError(f"nothing can be accepted: {store.problem}")
        _write(root, now)
        store.set_baseline(file.text(now), hand())
    click.echo(f"{file.NAME} lists {_findings(file.count(now))}: commit it")
    for line in by_rule(entry for entries in now.values() for entry in entries.values()):
        click.echo(f"  {line}")
    kept = sum(not can_be_waived(entry.rule.partition("/")[0]) for each in now.values() for entry in each.values())
    if kept:
        click.echo(f"{kept} of them are secrets: revoke them, a list does not make them safe")
    return 0


def by_rule(entries: Iterable[BaselineEntry]) -> list[str]:
    counts = Counter(entry.rule for entry in entries)
    return [f"{number:>5}  {rule}" for rule, number in sorted(counts.items(), key=lambda each: (-each[1], each[0]))]


def _write(root: Path, listed: Listed) -> None:
    path = root / file.NAME
    write_bytes(path, file.text(listed).encode(), expected=read_bytes(path))


def _tell(gone: int, new: int, left: int, *, only_check: bool) -> None:
    verb = "can be taken out of" if only_check else "taken out of"
    click.echo(
        f"{_findings(gone)} {verb} {file.NAME}, {left} left" if gone else f"{file.NAME} is as short as it can be"
    )
    if new:
        click.echo(f"{_findings(new)} not in it: mend them, or a person adds them with `vetgate baseline --write`")


def _findings(number: int) -> str:
    return f"{number} finding{'' if number == 1 else 's'}"
