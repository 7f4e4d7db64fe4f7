"""`vetgate init`: find out what the project is, write its configuration, register the hooks, and say what was done."""

from __future__ import annotations

import contextlib
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from vetgate import client
from vetgate.agents import agent
from vetgate.agents.installation import SETTINGS, Installation, Plan, Receipts, Scope
from vetgate.checks import known_names
from vetgate.cli.setup import CONFIG, carry_out, close_to_others, here, plan
from vetgate.cli.undo import carry_back, removal
from vetgate.config.person import has_terminal, require_person
from vetgate.config.plain import text as plain_text
from vetgate.config.template import render
from vetgate.config.trust import project_file
from vetgate.model import CONFIG_NAME, UserError
from vetgate.project import note_remotes
from vetgate.service.acceptance import hand
from vetgate.source.git_refs import tips
from vetgate.source.root import store_key
from vetgate.source.stack import Stack, detect
from vetgate.store import Store
from vetgate.store.home_projects import HomeProjects

if TYPE_CHECKING:
    from vetgate.agents.installation import Writing

_SCOPES = {
    Scope.USER: "for you, in every repository that has a vetgate.yaml; works from every folder",
    Scope.PROJECT: "for everybody who works here; committed; only for sessions started in the top folder",
    Scope.LOCAL: "for you, in this repository; not committed; only for sessions started in the top folder",
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
    if installation.root in {Path.home(), Path(installation.root.anchor)}:
        raise UserError(f"{installation.root} is not a project", hint="go to a repository and run it there")
    if not git and (note := agent(client.AGENT).examination.require_supported()):
        click.echo(f"note: {note}", err=True)
    _set_up(installation, chosen, git=git, yes=yes, dry_run=dry_run)


def _set_up(installation: Installation, chosen: Scope | None, *, git: bool | None, yes: bool, dry_run: bool) -> None:
    stack = detect(installation.root)
    _show_found(installation, stack)
    asking = not (yes or dry_run)
    scope = None if git else chosen or (_ask_scope() if asking else Scope.USER)
    hooks = _hooks_of_git(installation, git)
    own = plan(installation, scope, starter(stack))
    writings = [*own.changes, *hooks.changes]
    project_file(installation.root, known_names())  # one that is there has to be readable before anything is written
    if _is_in_uv_cache(sys.executable):
        own.notes.append("this vetgate runs from uv's cache, which may be emptied; better: uv tool install vetgate")
    for warning in (*own.notes, *hooks.stuck, *(hooks.notes if hooks.changes else ())):
        click.secho(f"note: {warning}", err=True)
    if dry_run:
        _show_diffs(writings)
        return
    if writings and asking:
        _show_plan(writings)
        click.confirm("Go ahead?", default=True, abort=True)
    _require_store(installation)
    carry_out(writings, installation)
    receipts = Receipts(installation.state)
    shared = (*(each for each in own.writings if each.kind == SETTINGS), *hooks.writings)
    for writing in shared:
        _remember_project(receipts, writing.path, installation.root)
    _say_done(writings, receipts, _trust(installation, writings))


def _hooks_of_git(installation: Installation, wanted: bool | None) -> Plan:  # noqa: FBT001 - None: nobody said
    if wanted is False:
        return Plan()
    hooks = agent("git").registration.install(installation)
    if wanted and not hooks.writings:
        raise UserError(f"{installation.root} is not a git repository", hint="git init makes it one")
    return hooks


def starter(stack: Stack) -> str:
    """The configuration a new project starts with, with the commands found as gates that wait for a person."""
    return render(
        languages=[language for language, _ in stack.languages],
        commands=[(task.kind, task.command, task.source) for task in stack.tasks],
    )


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


def _is_in_uv_cache(executable: str) -> bool:
    """`uvx` keeps its environments in folders of these names, wherever its cache lies."""
    return any(part.startswith(("archive-v", "environments-v", "builds-v")) for part in Path(executable).parts)


def _remember_project(receipts: Receipts, path: Path, root: Path) -> None:
    receipt = receipts.of(path)
    if receipt and str(root) not in receipt.projects:
        receipts.keep(receipt.with_project(root))


def _require_store(installation: Installation) -> None:
    close_to_others(installation.state)
    with contextlib.closing(Store.open(installation.state, store_key(installation.root))) as store:
        if store.failure:
            raise UserError(store.failure, hint="look at the folder's owner, permissions and free space")


def _trust(installation: Installation, writings: list[Writing]) -> str:
    """Trust what was written just now; a file that was there already waits for a person to read it."""
    store = Store.open(installation.state, store_key(installation.root))
    try:
        file = project_file(installation.root, known_names())
        if store.failure or file is None:
            raise UserError(store.failure or f"{CONFIG_NAME} is gone again", hint="vetgate doctor says more")
        if (installation.root / ".git").exists():
            note_remotes(store, installation.root, tips(installation.root))
        if any(writing.kind == CONFIG for writing in writings):
            own = file.without_pages()  # those were there before, and nobody has read them yet
            store.set_trusted(own.sha256, plain_text(own.config), hand("init"))
            return f"accepted {CONFIG_NAME}; `vetgate trust` accepts a later change of it"
        store.set_up(hand("init"))
        trusted = store.trusted()
        if trusted and trusted[0] == file.sha256:
            return f"kept {CONFIG_NAME}, which was accepted before"
        return f"kept {CONFIG_NAME}; until `vetgate trust` accepts it, only what it tightens is in force"
    finally:
        store.close()


def _forget(installation: Installation) -> None:
    """Hooks that stay for other projects leave this one alone from now on."""
    if installation.state.exists():
        store = Store.open(installation.state, store_key(installation.root))
        store.forget_trusted(hand("init --remove"))
        store.close()
        HomeProjects(installation.state).forget(installation.root)


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
        carry_back(found, installation, receipts)
        if scope is None and not git:
            _forget(installation)
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
