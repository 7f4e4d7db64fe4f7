"""`vetgate hook`: the same as the `vetgate-hook` that is registered with agents."""

from __future__ import annotations

import click

from vetgate import client


@click.command()
@click.option("--agent", default="claude-code", show_default=True, help="The coding agent that asks.")
def hook(agent: str) -> int:
    """Answer one hook event on standard input.

    At most one JSON object on standard output; exit status 0, or 2 to stop the call.
    """
    return client.run(["--agent", agent])
