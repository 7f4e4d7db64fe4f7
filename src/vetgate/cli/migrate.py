"""`vetgate migrate`: configuration of the designs that went before, as a vetgate.yaml."""

from __future__ import annotations

from pathlib import Path

import click

from vetgate.cli.surface import current_root, say
from vetgate.model import CONFIG_NAME
from vetgate.service.configuration import migrated_configuration, write_configuration


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--write", is_flag=True, help=f"Write {CONFIG_NAME} instead of printing it; one that is there stays.")
def migrate(file: Path, *, write: bool) -> int:
    """Turn a gates.json, review-config.yaml or judge.config.json into a vetgate.yaml.

    The new file begins with what each key became, and names those that have no counterpart.
    """
    root = current_root()
    found = migrated_configuration(file, root)
    if not write:
        say(found.text)
        return 0
    write_configuration(root, found.text)
    for key, why in found.left:
        say(f"not taken over: {key} ({why})\n", err=True)
    click.echo(f"wrote {CONFIG_NAME}; read it and run `vetgate trust`: until then its commands wait")
    return 0
