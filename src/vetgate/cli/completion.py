"""`vetgate completion`: the script that lets a shell complete vetgate's commands and options."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

_PROGRAM = "vetgate"
_VARIABLE = "_VETGATE_COMPLETE"


@click.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def completion(ctx: click.Context, shell: str) -> None:
    """Print the completion script for your shell.

    \b
    bash:  vetgate completion bash >> ~/.bashrc
    zsh:   vetgate completion zsh >> ~/.zshrc
    fish:  vetgate completion fish > ~/.config/fish/completions/vetgate.fish
    """  # noqa: D301 - click wants the real character
    kind = get_completion_class(shell)
    assert kind is not None  # noqa: S101 - click knows all three
    click.echo(kind(ctx.find_root().command, {}, _PROGRAM, _VARIABLE).source())
