"""`vetgate migrate`: configuration of the designs that went before, as a vetgate.yaml."""

from __future__ import annotations

import json
from pathlib import Path

import click

from vetgate.checks import known_names
from vetgate.cli.surface import current_root
from vetgate.config.layers import read_file
from vetgate.config.load import loaded
from vetgate.config.migrate import is_gates_file, migrated
from vetgate.model import CONFIG_NAME, UserError
from vetgate.source.replace import write_bytes


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--write", is_flag=True, help=f"Write {CONFIG_NAME} instead of printing it; one that is there stays.")
def migrate(file: Path, *, write: bool) -> int:
    """Turn a gates.json into a vetgate.yaml."""
    text = migrated(_read(file))
    loaded(text.encode(), known_names(), None, name=f"{file.name} as {CONFIG_NAME}")
    if not write:
        click.echo(text, nl=False)
        return 0
    target = current_root() / CONFIG_NAME
    if target.exists():
        raise UserError(f"there is a {CONFIG_NAME} already", hint="run it without --write and take over what you need")
    write_bytes(target, text.encode(), expected=None)
    click.echo(f"wrote {CONFIG_NAME}; read it and run `vetgate trust`: until then its commands wait")
    return 0


def _read(file: Path) -> dict[str, object]:
    data = read_file(file, file.name)
    try:
        content = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise UserError(f"{file.name} is not JSON: {error}", hint="name a gates.json") from None
    if not is_gates_file(content):
        raise UserError(f"{file.name} is not a gates.json: it has neither `gates` nor `hooks`")
    found: dict[str, object] = content
    return found
