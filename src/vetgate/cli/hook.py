"""`vetgate hook`: the same as the `vetgate-hook` that is registered with agents, and what git's hooks call."""

from __future__ import annotations

from pathlib import Path

import click

from vetgate import client, runtime

_GIT = "git"


@click.command(context_settings={"ignore_unknown_options": True})
@click.option("--agent", default=client.AGENT, show_default=True, help="The coding agent that asks.")
@click.option("--state", type=click.Path(path_type=Path), hidden=True)
@click.argument("words", nargs=-1, type=click.UNPROCESSED, metavar="[HOOK [ARGS]...]")
def hook(agent: str, state: Path | None, words: tuple[str, ...]) -> int:
    """Answer one hook event on standard input.

    At most one JSON object on standard output; exit status 0, or 2 to stop the call.

    With --agent git, HOOK is pre-commit, commit-msg or pre-push, followed by what git calls it with. It tells people
    on standard error; exit status 0, or anything else to stop the commit or push.
    """
    if agent != _GIT:
        if words:
            raise click.UsageError("HOOK goes with --agent git.")
        return client.run(["--agent", agent])
    if not words:
        raise click.UsageError("with --agent git, name the HOOK: pre-commit, commit-msg or pre-push.")
    from vetgate.cli.git_hook import answer  # noqa: PLC0415 - it needs the whole program, the client next to nothing

    return answer(words[0], words[1:], state or runtime.state_dir())
