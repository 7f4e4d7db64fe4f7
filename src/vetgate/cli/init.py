"""`vetgate init`: find out what the project is, write its configuration, register the hooks, and say what was done."""

from __future__ import annotations

import contextlib
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from vetgate.agents.claude_code.accepts import refusals
from vetgate.agents.claude_code.probe import SUPPORTED, installed, spelled
from vetgate.agents.claude_code.register import our_entries, settings_text
from vetgate.agents.claude_code.settings import Place, places, settings_path
from vetgate.checks import known_names
from vetgate.cli.git_setup import GitPlan, git_plan
from vetgate.cli.receipt import Receipts
from vetgate.cli.setup import CONFIG, SETTINGS, Ground, carry_out, close_to_others, here, plan, said
from vetgate.cli.undo import carry_back, undoing
from vetgate.config.person import has_terminal, require_person
from vetgate.config.plain import text as plain_text
from vetgate.config.template import render
from vetgate.config.trust import project_file
from vetgate.model import CONFIG_NAME, UserError
from vetgate.project import note_remotes
from vetgate.service.configuration import hand
from vetgate.source import git_process
from vetgate.source.git_refs import tips
from vetgate.source.replace import read_bytes
from vetgate.source.root import store_key
from vetgate.source.stack import Stack, detect
from vetgate.store import Store
from vetgate.store.home_projects import HomeProjects

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vetgate.cli.writing import Writing

_PLACES = {
    Place.USER: "for you, in every repository that has a vetgate.yaml; works from every folder",
    Place.PROJECT: "for everybody who works here; committed; only for sessions started in the top folder",
    Place.LOCAL: "for you, in this repository; not committed; only for sessions started in the top folder",
}


@click.command()
@click.option(
    "--settings",
    "place",
    type=click.Choice([place.value for place in Place]),
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
def init(place: str | None, *, git: bool | None, yes: bool, dry_run: bool, remove: bool) -> None:
    """Set up the gate in this repository: configuration and hooks.

    Looks at the project, writes vetgate.yaml if there is none, and registers vetgate's hooks in Claude Code's settings
    without touching anything else in there, and with git; hooks that others put there keep running. Doing it again
    changes nothing.
    """
    if git and place:
        raise click.UsageError("--git is that part alone; --settings is about the other one.")
    if not dry_run:
        require_person("remove the gate" if remove else "set up the gate", terminal=False)
        if not yes and not has_terminal():
            raise UserError("there is no terminal to ask in", hint="with --yes it asks nothing and takes the defaults")
    ground = here()
    chosen = Place(place) if place else None
    if remove:
        _take_back(ground, chosen, git=git, yes=yes, dry_run=dry_run)
        return
    if ground.root in {Path.home(), Path(ground.root.anchor)}:
        raise UserError(f"{ground.root} is not a project", hint="go to a repository and run it there")
    if not git:
        _refuse_old_client()
    _set_up(ground, chosen, git=git, yes=yes, dry_run=dry_run)


def _set_up(ground: Ground, chosen: Place | None, *, git: bool | None, yes: bool, dry_run: bool) -> None:
    stack = detect(ground.root)
    _show_found(ground, stack)
    asking = not (yes or dry_run)
    place = None if git else chosen or (_ask_place() if asking else Place.USER)
    hooks = _hooks_of_git(ground, git)
    writings = [*plan(ground, place, starter(stack)), *hooks.changes]
    project_file(ground.root, known_names())  # one that is there has to be readable before anything is written
    for warning in (*_warnings(ground, place), *hooks.stuck, *(hooks.notes if hooks.changes else ())):
        click.secho(f"note: {warning}", err=True)
    if dry_run:
        _show_diffs(writings)
        return
    if writings and asking:
        _show_plan(writings)
        click.confirm("Go ahead?", default=True, abort=True)
    _require_store(ground)
    carry_out(writings, ground)
    receipts = Receipts(ground.state)
    settings = [settings_path(place, ground.root)] if place else []
    for path in (*settings, *(writing.path for writing in hooks.writings)):
        _remember_project(receipts, path, ground.root)
    _say_done(writings, receipts, _trust(ground, writings))


def _hooks_of_git(ground: Ground, wanted: bool | None) -> GitPlan:  # noqa: FBT001 - None: nobody said
    if wanted is False:
        return GitPlan()
    hooks = git_plan(ground)
    if wanted and not hooks.writings:
        raise UserError(f"{ground.root} is not a git repository", hint="git init makes it one")
    return hooks


def starter(stack: Stack) -> str:
    """The configuration a new project starts with, with the commands found as gates that wait for a person."""
    return render(
        languages=[language for language, _ in stack.languages],
        commands=[(task.kind, task.command, task.source) for task in stack.tasks],
    )


def _show_found(ground: Ground, stack: Stack) -> None:
    click.echo(f"project    {ground.root}")
    if not (ground.root / ".git").exists():
        click.echo("           not a git repository: this folder is taken as the project")
    more = " (of the first files; the project is very large)" if stack.partial else ""
    languages = ", ".join(f"{language} ({count})" for language, count in stack.languages[:6])
    click.echo(f"languages  {languages or 'none that vetgate reads'}{more}")
    click.echo(f"packages   {', '.join(stack.managers) or 'no package manager found'}")
    for number, task in enumerate(stack.tasks):
        click.echo(f"{'commands' if number == 0 else '':11}{task.kind}: {task.command}  ({task.source})")
    click.echo("")


def _ask_place() -> Place:
    click.echo("Where should the hooks be registered?")
    for place, what in _PLACES.items():
        click.echo(f"  {place.value:8} {what}")
    answer: str = click.prompt("Settings", type=click.Choice([p.value for p in Place]), default=Place.USER.value)
    return Place(answer)


def _warnings(ground: Ground, place: Place | None) -> list[str]:
    found = _warnings_of_settings(ground, place) if place else []
    if _is_in_uv_cache(sys.executable):
        found.append("this vetgate runs from uv's cache, which may be emptied; better: uv tool install vetgate")
    return found


def _warnings_of_settings(ground: Ground, place: Place) -> list[str]:
    path = settings_path(place, ground.root)
    found = [f"{path}:{r.line}: {said(r)}; the client ignores it" for r in refusals(_text_of(path))]
    found += [
        f"{other_path} has our hooks too, so they run twice; `vetgate init --remove --settings {other}` takes those out"
        for other, other_path in places(ground.root).items()
        if ground.command(other) != ground.command(place) and _is_registered(other_path)
    ]
    found += [f"{each} sets disableAllHooks: until that is taken out no hook runs" for each in _switched_off(ground)]
    if place is not Place.USER:
        found.append("a session started in a subfolder does not load this file; --settings user works from everywhere")
    if place is Place.LOCAL and not _is_ignored(path, ground.root):
        found.append(f"git does not ignore {path}; add it to .gitignore so that it is not committed")
    return found


def _switched_off(ground: Ground) -> Iterator[Path]:
    """Settings that the client reads for this project and that silence every hook."""
    for path in places(ground.root).values():
        with contextlib.suppress(ValueError):
            value = json.loads(_text_of(path) or "{}")
            if isinstance(value, dict) and value.get("disableAllHooks") is True:
                yield path


def _is_in_uv_cache(executable: str) -> bool:
    """`uvx` keeps its environments in folders of these names, wherever its cache lies."""
    return any(part.startswith(("archive-v", "environments-v", "builds-v")) for part in Path(executable).parts)


def _is_registered(path: Path) -> bool:
    text = _text_of(path)
    return bool(text.strip()) and not refusals(text) and bool(our_entries(text))


def _is_ignored(path: Path, root: Path) -> bool:
    if not (root / ".git").exists():
        return True
    return git_process.ask(("check-ignore", "-q", str(path)), root).status == 0


def _text_of(path: Path) -> str:
    return settings_text(read_bytes(path) or b"")


def _refuse_old_client() -> None:
    client = installed()
    if client is None:
        click.echo("note: no `claude` on the PATH; the hooks take effect once Claude Code is installed", err=True)
    elif client.version is None:
        click.echo(f"note: {client.path} did not say its version; {spelled(SUPPORTED)} or later is needed", err=True)
    elif client.version < SUPPORTED:
        raise UserError(
            f"Claude Code {client} is too old: vetgate needs {spelled(SUPPORTED)} or later",
            hint="update it with `claude update` and run it again",
        )


def _remember_project(receipts: Receipts, path: Path, root: Path) -> None:
    receipt = receipts.of(path)
    if receipt and str(root) not in receipt.projects:
        receipts.keep(receipt.with_project(root))


def _require_store(ground: Ground) -> None:
    close_to_others(ground.state)
    with contextlib.closing(Store.open(ground.state, store_key(ground.root))) as store:
        if store.failure:
            raise UserError(store.failure, hint="look at the folder's owner, permissions and free space")


def _trust(ground: Ground, writings: list[Writing]) -> str:
    """Trust what was written just now; a file that was there already waits for a person to read it."""
    store = Store.open(ground.state, store_key(ground.root))
    try:
        file = project_file(ground.root, known_names())
        if store.failure or file is None:
            raise UserError(store.failure or f"{CONFIG_NAME} is gone again", hint="vetgate doctor says more")
        if (ground.root / ".git").exists():
            note_remotes(store, ground.root, tips(ground.root))
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


def _forget(ground: Ground) -> None:
    """Hooks that stay for other projects leave this one alone from now on."""
    if ground.state.exists():
        store = Store.open(ground.state, store_key(ground.root))
        store.forget_trusted(hand("init --remove"))
        store.close()
        HomeProjects(ground.state).forget(ground.root)


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


def _take_back(ground: Ground, place: Place | None, *, git: bool | None, yes: bool, dry_run: bool) -> None:
    receipts = Receipts(ground.state)
    found = undoing(ground, receipts, place, git=git)
    if dry_run:
        _show_diffs(found.writings)
    else:
        if found.writings and not yes:
            _show_plan(found.writings)
            click.confirm("Take these back?", default=True, abort=True)
        carry_back(found, ground, receipts)
        if place is None and not git:
            _forget(ground)
        _say_taken_back(found.writings)
    for left in found.left:
        click.echo(f"left {left}")
    if not dry_run and ground.state.exists():
        click.echo(f"left {ground.state}: what was decided so far; delete it when nobody needs it")


def _say_taken_back(writings: list[Writing]) -> None:
    for writing in writings:
        done = "removed" if writing.after is None else "took our entries out of"
        click.echo(f"{done} {writing.path}")
    if not writings:
        click.echo("nothing of ours was found here")
