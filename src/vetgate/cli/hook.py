"""`vetgate hook`: the same as the `vetgate-hook` that is registered with agents, and what git's hooks call."""

from __future__ import annotations

from pathlib import Path

import click

from vetgate import client, runtime


@click.command(context_settings={"ignore_unknown_options": True})
@click.option("--agent", default=client.AGENT, show_default=True, help="The coding agent that asks.")
@click.option("--event", default="", help="The event, as the agent calls it, if its payloads do not name it.")
@click.option("--state", type=click.Path(path_type=Path), hidden=True)
@click.argument("words", nargs=-1, type=click.UNPROCESSED, metavar="[HOOK [ARGS]...]")
def hook(agent: str, event: str, state: Path | None, words: tuple[str, ...]) -> int:
    """Answer one hook event on standard input.

    At most one JSON object on standard output, in the form that the agent reads; exit status 0, or 2 to stop the call.

    With --agent git, HOOK is pre-commit, commit-msg or pre-push, followed by the arguments that git passes. Messages
    go to standard error; exit status 0, or anything else to stop the commit or push.
    """
    said = ["--agent", agent, *(("--event", event) if event else ())]
    if agent == client.AGENT and not words:  # the client needs next to nothing, the rest the whole program
        return client.run(said)
    from vetgate.service.caller import hook_agent_names  # noqa: PLC0415 - as above

    names = hook_agent_names()
    if agent not in names:
        if words:
            raise click.UsageError(f"HOOK goes with --agent {' or '.join(names)}.")
        return client.run(said)
    if not words:
        raise click.UsageError(f"with --agent {agent}, name the HOOK: pre-commit, commit-msg or pre-push.")
    from vetgate.cli.git_hook import answer  # noqa: PLC0415 - as above

    return answer(agent, words, state or runtime.state_dir())
