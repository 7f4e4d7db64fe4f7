"""`vetgate init`: find out what the project is, write its configuration, register the hooks, and say what was done."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from vetgate.agents.installation import Scope
from vetgate.cli.progress import Bar
from vetgate.model import CONFIG_NAME, UserError
from vetgate.runtime import has_terminal
from vetgate.service.baseline import old_findings, write_baseline
from vetgate.service.caller import session_agent_names
from vetgate.service.configuration import review_shapes
from vetgate.service.installation import (
    TrustState,
    copy_of,
    installation_at,
    plan_set_up,
    quick_commands,
    removal,
    require_commands,
    require_project,
    require_settler,
    require_supported,
    set_up,
    stack_of,
    take_back,
    titles_here,
)
from vetgate.service.safe_text import counted

if TYPE_CHECKING:
    from vetgate.agents.installation import Installation, Writing
    from vetgate.service.installation import SetUp
    from vetgate.source.stack import Stack

_SCOPES = {
    Scope.USER: "for you, in every repository that has a vetgate.yaml; works from every folder",
    Scope.PROJECT: "for everybody who works here; committed; only for sessions started in the top folder",
    Scope.LOCAL: "for you, in this repository; not committed; only for sessions started in the top folder",
}
_NO_REVIEW = "checks"
_NO_GATES = "none"
# More take longer than somebody waits who only wants to set it up.
_COUNTED_FILES = 2000
_REVIEWS = {
    **review_shapes(),
    _NO_REVIEW: "one loop of vetgate's own checks and the commands found here; more later: vetgate config review",
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
    help="Only git's hooks and the configuration; or everything but git's hooks. By default both are set up.",
)
@click.option(
    "--review",
    type=click.Choice(tuple(review_shapes())),
    help="Put the loops of a review into a new vetgate.yaml: tiers (lint, tests, model, CodeRabbit) or stages "
    "(quality, tests, performance, integration).",
)
@click.option(
    "--gates",
    metavar="NAMES",
    help="Commands found here that hold an agent at the end of its turn, in a new vetgate.yaml: lint,test or none.",
)
@click.option("--tracked-hooks", is_flag=True, help="Also add vetgate's lines to hooks that are in git (.husky/…).")
@click.option(
    "--agent",
    "names",
    multiple=True,
    type=click.Choice(session_agent_names()),
    help="A coding agent to gate; may be repeated. Without it you are asked; with --yes those that are set up here.",
)
@click.option("--no-commands", is_flag=True, help="Without slash commands, agents and skills.")
@click.option("--no-mcp", is_flag=True, help="Without the MCP server.")
@click.option(
    "--instructions",
    is_flag=True,
    help="Also add a few lines to AGENTS.md, or to the page that a gated agent reads instead.",
)
@click.option("--yes", is_flag=True, help="Ask nothing, take the defaults.")
@click.option("--dry-run", is_flag=True, help="Show every change as a diff and write nothing.")
@click.option("--remove", is_flag=True, help="Remove what init added; with --settings or --agent only that part.")
def init(
    scope: str | None,
    review: str | None,
    gates: str | None,
    names: tuple[str, ...],
    *,
    git: bool | None,
    tracked_hooks: bool,
    no_commands: bool,
    no_mcp: bool,
    instructions: bool,
    yes: bool,
    dry_run: bool,
    remove: bool,
) -> None:
    """Set up the gate in this repository: configuration, hooks, slash commands and MCP server.

    Looks at the project, writes vetgate.yaml if there is none, and registers vetgate's hooks with git and with the
    coding agents that you choose. It touches nothing else in their settings, and other hooks keep running. For agents
    that support them it also adds the MCP server and commands such as /check, /commit, /push and /review; it never
    overwrites a file of yours. If the Claude Code plugin is installed, that provides all of these. A second run
    changes nothing.
    """
    if git and (scope or names):
        raise click.UsageError("--git sets up git's hooks alone; --settings and --agent are for the agents' hooks.")
    if not dry_run:
        require_settler(removes=remove)
        if not yes and not has_terminal():
            raise UserError("there is no terminal to ask in", hint="with --yes it asks nothing and takes the defaults")
    installation = replace(
        installation_at(Path.cwd()),
        commands=not no_commands,
        mcp=not no_mcp,
        instructions=instructions,
        tracked=tracked_hooks,
    )
    chosen = Scope(scope) if scope else None
    if remove:
        _take_back(installation, chosen, names, git=git, yes=yes, dry_run=dry_run)
        return
    require_project(installation)
    asking = not (yes or dry_run)
    gated = () if git else _chosen_agents(installation, names, asking=asking)
    for note in require_supported(gated):
        click.echo(f"note: {note}", err=True)
    wishes = _Wishes(chosen, review, gates, gated, git=git, asking=asking, dry_run=dry_run)
    _set_up(installation, wishes)


def _chosen_agents(installation: Installation, names: tuple[str, ...], *, asking: bool) -> tuple[str, ...]:
    if names:
        return tuple(dict.fromkeys(names))
    found = titles_here(installation.root)
    if not asking or len(found) == 1:
        return tuple(found)
    click.echo("Which coding agents should be gated? Found here:")
    for name, title in found.items():
        click.echo(f"  {name:12} {title}")
    answer: str = click.prompt("Agents", default=" ".join(found))
    return tuple(dict.fromkeys(answer.replace(",", " ").split()))


@dataclass(frozen=True, slots=True)
class _Wishes:
    """What was said on the command line; None where a person is asked, if there is one. `gated` names the agents."""

    scope: Scope | None
    review: str | None
    gates: str | None
    gated: tuple[str, ...]
    git: bool | None
    asking: bool
    dry_run: bool


def _set_up(installation: Installation, wishes: _Wishes) -> None:
    stack = stack_of(installation)
    _show_found(installation, stack)
    asking, git = wishes.asking, wishes.git
    is_new = not (installation.root / CONFIG_NAME).exists()
    review = wishes.review or (_ask_review() if wishes.review is None and asking and is_new else "")
    at_stop = _at_stop(stack, wishes.gates, asking=asking and is_new)
    scope = None if git else wishes.scope or (_ask_scope() if asking else Scope.USER)

    def plan_for(wanted: Installation) -> SetUp:
        return plan_set_up(wanted, stack, scope, git=git, review=review, at_stop=at_stop, gated=wishes.gated)

    plan = plan_for(installation)
    if asking and plan.hooks.tracked and _ask_tracked(plan.hooks.tracked):
        plan = plan_for(replace(installation, tracked=True))
    writings = plan.writings
    for warning in plan.notes:
        click.secho(f"note: {warning}", err=True)
    if wishes.dry_run:
        _show_diffs(writings)
        return
    if writings and asking:
        _show_plan(writings)
        click.confirm("Go ahead?", default=True, abort=True)
    _say_done(writings, installation, _TRUST[set_up(plan)])
    if is_new:
        _say_old_findings(installation.root, sum(number for _, number in stack.languages), asking=asking)
    click.echo("next: `vetgate doctor` proves that the gate is on; sessions started from now on are gated")


def _at_stop(stack: Stack, wanted: str | None, *, asking: bool) -> list[str]:
    """Which commands of the project hold an agent at the end of its turn; none unless somebody says so."""
    quick = quick_commands(stack)
    if wanted is None and asking and quick:
        click.echo("Which commands should run at the end of an agent's turn, and hold it until they pass?")
        wanted = click.prompt(f"Gates, of {', '.join(quick)}, or {_NO_GATES}", default=",".join(quick))
    names = [name.strip() for name in (wanted or _NO_GATES).split(",") if name.strip()]
    if names == [_NO_GATES]:
        return []
    require_commands(names, stack)
    return names


def _ask_tracked(paths: list[Path]) -> bool:
    click.echo("These hooks are in git. Without vetgate's lines in them, git does not run vetgate:")
    for path in paths:
        click.echo(f"  {path}")
    return click.confirm("Add vetgate's lines to them?", default=False)


def _say_old_findings(root: Path, files: int, *, asking: bool) -> None:
    """Whoever adopts the gate on old code wants to know how much there is, and that it holds nobody back."""
    lists = "`vetgate baseline --write` lists them, so that `vetgate check` counts only new ones"
    if files > _COUNTED_FILES:
        click.echo(f"findings in the {files} source files that were here before block no edit; {lists}")
        return
    with Bar() as progress:
        old = old_findings(root, progress)
    if not old.found:
        return
    critical = f", {old.critical} of them critical" if old.critical else ""
    click.echo(f"{counted(old.found, 'finding')} in old code{critical}: they block no edit; `vetgate check` shows them")
    if asking and click.confirm("List them in .vetgate/baseline.json, so that only new ones count?", default=False):
        with Bar() as progress:
            write_baseline(root, progress)
    else:
        click.echo(lists)


def _show_found(installation: Installation, stack: Stack) -> None:
    click.echo(f"project    {installation.root}")
    if not (installation.root / ".git").exists():
        click.echo("           not a git repository: this folder is the project")
    more = " (of the first files; the project is very large)" if stack.partial else ""
    languages = ", ".join(f"{language} ({count})" for language, count in stack.languages[:6])
    click.echo(f"languages  {languages or 'none that vetgate reads'}{more}")
    click.echo(f"packages   {', '.join(stack.managers) or 'no package manager found'}")
    for number, task in enumerate(stack.tasks):
        click.echo(f"{'commands' if number == 0 else '':11}{task.name}: {task.command}  ({task.source})")
    click.echo("")


def _ask_scope() -> Scope:
    click.echo("Where should the hooks be registered?")
    for scope, what in _SCOPES.items():
        click.echo(f"  {scope.value:8} {what}")
    answer: str = click.prompt("Settings", type=click.Choice([p.value for p in Scope]), default=Scope.USER.value)
    return Scope(answer)


def _ask_review() -> str:
    click.echo("Should `vetgate review` run loops over a branch?")
    for shape, what in _REVIEWS.items():
        click.echo(f"  {shape:8} {what}")
    answer: str = click.prompt("Review", type=click.Choice(list(_REVIEWS)), default=next(iter(_REVIEWS)))
    return "" if answer == _NO_REVIEW else answer


def _show_plan(writings: list[Writing]) -> None:
    for writing in writings:
        click.echo(f"  {writing.verb} {writing.path}  ({writing.kind})")


def _show_diffs(writings: list[Writing]) -> None:
    for writing in writings:
        click.echo(writing.diff(), nl=False)
    click.echo("nothing was written" if writings else "nothing to do")


def _say_done(writings: list[Writing], installation: Installation, trust: str) -> None:
    done = {"create": "created", "change": "changed"}
    for writing in writings:
        copy = copy_of(writing, installation)
        kept = f"; as it was: {copy}" if copy else ""
        click.echo(f"{done[writing.verb]} {writing.path}  ({writing.kind}{kept})")
    if not writings:
        click.echo("everything was in place already; nothing was changed")
    click.echo(trust)


def _take_back(
    installation: Installation,
    scope: Scope | None,
    names: tuple[str, ...],
    *,
    git: bool | None,
    yes: bool,
    dry_run: bool,
) -> None:
    found = removal(installation, scope, git=git, only=names)
    if dry_run:
        _show_diffs(found.writings)
    else:
        if found.writings and not yes:
            _show_plan(found.writings)
            click.confirm("Take these back?", default=True, abort=True)
        take_back(found, installation, forgets=scope is None and not git and not names)
        _say_taken_back(found.writings)
    for left in found.left:
        click.echo(f"left {left}")
    if not dry_run and installation.state.exists():
        click.echo(f"left {installation.state}: the record of decisions; delete it when you no longer need it")


def _say_taken_back(writings: list[Writing]) -> None:
    for writing in writings:
        done = "removed" if writing.after is None else "removed vetgate's entries from"
        click.echo(f"{done} {writing.path}")
    if not writings:
        click.echo("vetgate had added nothing here")
