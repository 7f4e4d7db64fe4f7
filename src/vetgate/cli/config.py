"""`vetgate config` and `vetgate migrate`: what is in force and where it comes from, the schema, the file."""

from __future__ import annotations

from pathlib import Path

import click

from vetgate.cli.surface import current_root, say
from vetgate.model import CONFIG_NAME
from vetgate.service.configuration import (
    configuration_file,
    migrated_configuration,
    review_loops,
    review_shapes,
    schema_document,
    show_configuration,
    write_configuration,
)

_SHAPES = tuple(review_shapes())


@click.group()
def config() -> None:
    """Show the effective configuration or its schema."""


@config.command()
def show() -> None:
    """Print the configuration in force as YAML, with the source of each value."""
    found = show_configuration(current_root())
    click.echo(found.text, nl=False)
    if found.problem:
        raise found.problem


@config.command()
def schema() -> None:
    """Print the JSON Schema of vetgate.yaml, for editors."""
    click.echo(schema_document(), nl=False)


@config.command()
@click.argument("shape", type=click.Choice(_SHAPES), default=_SHAPES[0])
def review(shape: str) -> None:
    """Print loops of a review for vetgate.yaml, from the commands of this project.

    tiers: lint, types and format at once; secrets, build and tests; a model; CodeRabbit. stages: quality, tests,
    performance, integration.
    """
    click.echo(review_loops(current_root(), shape), nl=False)


@config.command()
def path() -> None:
    """Print the path of this project's vetgate.yaml."""
    click.echo(str(configuration_file(current_root())))


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--write", is_flag=True, help=f"Write {CONFIG_NAME} instead of printing it; an existing one is kept.")
def migrate(file: Path, *, write: bool) -> int:
    """Turn a gates.json, review-config.yaml or judge.config.json into a vetgate.yaml.

    The new file begins with a list of what each key became, and names keys without a counterpart.
    """
    root = current_root()
    found = migrated_configuration(file, root)
    if not write:
        say(found.text)
        return 0
    write_configuration(root, found.text)
    for key, why in found.left:
        say(f"not migrated: {key} ({why})\n", err=True)
    click.echo(f"wrote {CONFIG_NAME}; read it and run `vetgate trust`: until then its commands wait")
    return 0
