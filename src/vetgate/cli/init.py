"""`vetgate init`: find out what the project is, write its configuration, register the hooks, and say what was done."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from vetgate import client
from vetgate.agents import agent
from vetgate.agents.installation import SETTINGS, Receipts, Scope
from vetgate.config.person import has_terminal, require_person
from vetgate.model import CONFIG_NAME, UserError
from vetgate.service.installation import TrustState, here, plan_set_up, removal, require_project, set_up, take_back
from vetgate.source.stack import detect

if TYPE_CHECKING:
    from vetgate.agents.installation import Installation, Writing
    from vetgate.source.stack import Stack

_SCOPES = {
    Scope.USER: "for you, in every repository that has a vetgate.yaml; works from every folder",
    Scope.PROJECT: "for everybody who works here; committed; only for sessions started in the top folder",
    Scope.LOCAL: "for you, in this repository; not committed; only for sessions started in the top folder",
}
_TRUST = {
    TrustState.WRITTEN: f"accepted {CONFIG_NAME}; `vetgate trust` accepts a later change of it",
    TrustState.ACCEPTED: f"kept {CONFIG_NAME}, which was accepted before",
    TrustState.WAITS: f"kept {CONFIG_NAME}; until `vetgate trust` accepts it, only what it tightens is in force",
}


@click.command()
@click.option(
    "--settings",
    "scope",
    type=click.Choice([scope.value for scope in Scope]),
    help="Where to register the hooks: your own settings (the default), the repository's, or your local ones for it.",
)
@click.option(
    "--git/--no-git",
    "git",
    default=None,
    help="Only the hooks of git, with the configuration; or everything but them. Both are set up unless you say.",
)
@click.option("--yes", is_flag=True, help="Ask nothing, take the defaults.")
@click.option("--dry-run", is_flag=True, help="Show every change as a diff and write nothing.")
@click.option("--remove", is_flag=True, help="Take back what init added; with --settings only the hooks of that place.")
def init(scope: str | None, *, git: bool | None, yes: bool, dry_run: bool, remove: bool) -> None:
    """Set up the gate in this repository: configuration and hooks.

    Looks at the project, writes vetgate.yaml if there is none, and registers vetgate's hooks in Claude Code's settings
    without touching anything else in there, and with git; hooks that others put there keep running. Doing it again
    changes nothing.
    """
    if git and scope:
        raise click.UsageError("--git is that part alone; --settings is about the other one.")
    if not dry_run:
        require_person("remove the gate" if remove else "set up the gate", terminal=False)
        if not yes and not has_terminal():
            raise UserError("there is no terminal to ask in", hint="with --yes it asks nothing and takes the defaults")
    installation = here()
    chosen = Scope(scope) if scope else None
    if remove:
        _take_back(installation, chosen, git=git, yes=yes, dry_run=dry_run)
        return
    require_project(installation)
    if not git and (note := agent(client.AGENT).examination.require_supported()):
        click.echo(f"note: {note}", err=True)
    _set_up(installation, chosen, git=git, yes=yes, dry_run=dry_run)


def _set_up(installation: Installation, chosen: Scope | None, *, git: bool | None, yes: bool, dry_run: bool) -> None:
    stack = detect(installation.root)
    _show_found(installation, stack)
    asking = not (yes or dry_run)
    scope = None if git else chosen or (_ask_scope() if asking else Scope.USER)
    plan = plan_set_up(installation, stack, scope, git=git)
    writings = plan.writings
    for warning in plan.notes:
        click.secho(f"note: {warning}", err=True)
    if dry_run:
        _show_diffs(writings)
        return
    if writings and asking:
        _show_plan(writings)
        click.confirm("Go ahead?", default=True, abort=True)
    _say_done(writings, Receipts(installation.state), _TRUST[set_up(plan)])


def _show_found(installation: Installation, stack: Stack) -> None:
    click.echo(f"project    {installation.root}")
    if not (installation.root / ".git").exists():
        click.echo("           not a git repository: this folder is taken as the project")
    more = " (of the first files; the project is very large)" if stack.partial else ""
    languages = ", ".join(f"{language} ({count})" for language, count in stack.languages[:6])
    click.echo(f"languages  {languages or 'none that vetgate reads'}{more}")
    click.echo(f"packages   {', '.join(stack.managers) or 'no package manager found'}")
    for number, task in enumerate(stack.tasks):
        click.echo(f"{'commands' if number == 0 else '':11}{task.kind}: {task.command}  ({task.source})")
    click.echo("")


def _ask_scope() -> Scope:
    click.echo("Where should the hooks be registered?")
    for scope, what in _SCOPES.items():
        click.echo(f"  {scope.value:8} {what}")
    answer: str = click.prompt("Settings", type=click.Choice([p.value for p in Scope]), default=Scope.USER.value)
    return Scope(answer)


def _show_plan(writings: list[Writing]) -> None:
    for writing in writings:
        click.echo(f"  {writing.verb} {writing.path}  ({writing.kind})")


def _show_diffs(writings: list[Writing]) -> None:
    for writing in writings:
        click.echo(writing.diff(), nl=False)
    click.echo("nothing was written" if writings else "nothing to do")


def _say_done(writings: list[Writing], receipts: Receipts, trust: str) -> None:
    done = {"create": "created", "change": "changed"}
    for writing in writings:
        copy = f"; as it was: {receipts.copy_of(writing.path)}" if writing.before and writing.kind == SETTINGS else ""
        click.echo(f"{done[writing.verb]} {writing.path}  ({writing.kind}{copy})")
    if not writings:
        click.echo("everything was in place already; nothing was changed")
    click.echo(trust)
    click.echo("next: `vetgate doctor` proves that the gate is on; sessions started from now on are gated")


def _take_back(installation: Installation, scope: Scope | None, *, git: bool | None, yes: bool, dry_run: bool) -> None:
    receipts = Receipts(installation.state)
    found = removal(installation, receipts, scope, git=git)
    if dry_run:
        _show_diffs(found.writings)
    else:
        if found.writings and not yes:
            _show_plan(found.writings)
            click.confirm("Take these back?", default=True, abort=True)
        take_back(found, installation, receipts, forgets=scope is None and not git)
        _say_taken_back(found.writings)
    for left in found.left:
        click.echo(f"left {left}")
    if not dry_run and installation.state.exists():
        click.echo(f"left {installation.state}: what was decided so far; delete it when nobody needs it")


def _say_taken_back(writings: list[Writing]) -> None:
    for writing in writings:
        done = "removed" if writing.after is None else "took our entries out of"
        click.echo(f"{done} {writing.path}")
    if not writings:
        click.echo("nothing of ours was found here")
