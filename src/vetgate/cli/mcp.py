"""`vetgate mcp`: the server that agents ask."""

from __future__ import annotations

import importlib.util
import os
import sys

import click

from vetgate.model import UserError


@click.command()
@click.option(
    "--http",
    "port",
    type=click.IntRange(0, 65535),
    metavar="PORT",
    help="Streamable HTTP on loopback, with a token, instead of standard input and output; 0 for any free port.",
)
def mcp(port: int | None) -> None:
    """Serve this project to agents over the Model Context Protocol.

    Its tools check code before it is written, run tests, confirm and commit a change, and explain decisions. It
    serves standard input and output until they are closed; `vetgate init` registers it. See docs/mcp.md.
    """
    if importlib.util.find_spec("mcp") is None:
        raise UserError("the MCP server needs a library that is not installed", hint='uv tool install "vetgate[mcp]"')
    more = [] if port is None else ["--http", str(port)]
    # This process becomes the server: its streams are the protocol's, and nothing of the command line stays loaded.
    # -P: no module of the repository is taken for one of ours.
    os.execv(sys.executable, [sys.executable, "-P", "-m", "vetgate.mcp", *more])  # noqa: S606 - fixed program, arguments as a list
