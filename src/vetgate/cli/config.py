"""`vetgate config`: what is in force and where it comes from, the schema, the file."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from vetgate.checks import known_names
from vetgate.cli.surface import current_root
from vetgate.config.load import find, loaded
from vetgate.config.node import ConfigNode, Position
from vetgate.config.show import show as shown
from vetgate.config.trust import Effective, effective
from vetgate.model import CONFIG_NAME, UserError
from vetgate.service.configuration import open_store

if TYPE_CHECKING:
    from pathlib import Path

_NO_FILE = b"version: 1\n"


@click.group()
def config() -> None:
    """Show the effective configuration or its schema."""


@config.command()
def show() -> None:
    """Print the configuration in force as YAML, each value with where it comes from."""
    root = current_root()
    found, has_accepted = _in_force(root)
    for note in found.notes:
        click.echo("\n".join(f"# {line}" for line in note.splitlines()))
    if found.problem:
        nothing = ConfigNode({}, Position(CONFIG_NAME, 1, 1))
        click.echo(
            shown(found.config, nothing, elsewhere="default" if found.must_ask else "last good version"), nl=False
        )
        raise found.problem
    file = found.file or loaded(_NO_FILE, None, None, name="default")
    elsewhere = "accepted earlier" if has_accepted else "default"
    click.echo(shown(found.config, file.tree, elsewhere=elsewhere), nl=False)


@config.command()
def schema() -> None:
    """Print the JSON Schema of vetgate.yaml, for editors."""
    from vetgate.config.document import schema_text  # noqa: PLC0415 - only this command builds it

    click.echo(schema_text(), nl=False)


@config.command()
def path() -> None:
    """Print the path of this project's vetgate.yaml."""
    root = current_root()
    found = find(root)
    if found is None:
        raise UserError(
            f"there is no {CONFIG_NAME} in {root}: the defaults are in force", hint="`vetgate init` writes one"
        )
    click.echo(str(found))


def _in_force(root: Path) -> tuple[Effective, bool]:
    with open_store(root) as store:
        trusted = store.trusted()
        return effective(root, trusted, store.last_good(), known_names()), trusted is not None
