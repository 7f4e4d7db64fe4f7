"""Setting up the gate and taking it back: the files to write, in order, each decided before the first is written.

A file that nobody touched since is given back byte for byte; of another only our entries are taken out.
"""

from __future__ import annotations

import contextlib
import enum
import os
import shutil
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from vetgate import client, runtime
from vetgate.agents import hook_agents, instruction_page, session_agent, session_agents
from vetgate.agents.installation import (
    COMMANDS,
    MCP,
    SETTINGS,
    Installation,
    Plan,
    Receipt,
    Receipts,
    Removal,
    Scope,
    Writing,
    digest,
)
from vetgate.checks import known_names
from vetgate.config.load import find
from vetgate.config.node import did_you_mean
from vetgate.config.person import require_person
from vetgate.config.plain import text
from vetgate.config.template import render, runs_at_stop
from vetgate.config.trust import project_file
from vetgate.judges.triggers import longest_wait
from vetgate.model import CONFIG_NAME, UserError
from vetgate.ownership import fault, make
from vetgate.project import note_remotes
from vetgate.service.acceptance import hand
from vetgate.service.caller import root_of
from vetgate.source.git_refs import tips
from vetgate.source.replace import read_bytes
from vetgate.source.root import store_key
from vetgate.source.stack import detect
from vetgate.store import open_home_projects, open_project_store

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from vetgate.agents import Agent
    from vetgate.config.load import LoadedConfig
    from vetgate.source.stack import Stack

CONFIG = "configuration"

A_FOLDER_OF_YOUR_OWN = "make it a folder of your own, or set VETGATE_STATE_DIR to one"


class TrustState(enum.Enum):
    """What became of the configuration: it was written and accepted, was accepted before, or waits for a person."""

    WRITTEN = enum.auto()
    ACCEPTED = enum.auto()
    WAITS = enum.auto()


@dataclass(frozen=True, slots=True)
class SetUp:
    """All that would be written; `file` is the configuration that is there already."""

    installation: Installation
    own: Plan
    hooks: Plan
    file: LoadedConfig | None

    @property
    def writings(self) -> list[Writing]:
        return [*self.own.changes, *self.hooks.changes]

    @property
    def notes(self) -> list[str]:
        return [*self.own.notes, *self.hooks.stuck, *(self.hooks.notes if self.hooks.changes else ())]


def installation_at(cwd: Path) -> Installation:
    if os.name != "posix":
        raise UserError(
            "init and doctor need Linux or macOS: the hook is started by a shell script", link="docs/limits.md"
        )
    folder = cwd.resolve()
    return Installation(root_of(folder), runtime.state_dir(), runtime.runtime_dir())


def require_project(installation: Installation) -> None:
    if installation.root in {Path.home(), Path(installation.root.anchor)}:
        raise UserError(f"{installation.root} is not a project", hint="go to a repository and run it there")


def agents_here(root: Path) -> tuple[Agent, ...]:
    """Those that are installed, or that somebody has settings of; where none is, the one that most people have."""
    found = tuple(
        each
        for each in session_agents()
        if each.known.is_configured(root) or (each.known.program and shutil.which(each.known.program))
    )
    return found or (session_agent(client.AGENT),)


def titles_here(root: Path) -> dict[str, str]:
    """The same by name, and what people call them."""
    return {each.name: each.known.title for each in agents_here(root)}


def require_supported(names: Iterable[str]) -> tuple[str, ...]:
    """What vetgate misses in these agents as they are installed; UserError for one that it cannot gate at all."""
    return tuple(filter(None, (session_agent(name).examination.require_supported() for name in names)))


def require_settler(*, removes: bool = False) -> None:
    """Only a person sets the gate up or takes it back; who is none is told before anything is asked."""
    require_person("remove the gate" if removes else "set up the gate", terminal=False)


def stack_of(installation: Installation) -> Stack:
    """What the project is made of."""
    return detect(installation.root)


def quick_commands(stack: Stack) -> list[str]:
    """The project's own that an agent can be held to at the end of each turn."""
    return runs_at_stop([task.name for task in stack.tasks])


def require_commands(names: Iterable[str], stack: Stack) -> None:
    """UserError for a name that no command of the project has."""
    known = [task.name for task in stack.tasks]
    for name in names:
        if name not in known:
            there = f"there are: {', '.join(known)}" if known else "no commands were found in this project"
            raise UserError(f"no command called {name!r} was found{did_you_mean(name, known)}", hint=there)


def plan_set_up(
    installation: Installation,
    stack: Stack,
    scope: Scope | None,
    *,
    git: bool | None = None,
    review: str = "",
    at_stop: Sequence[str] = (),
    gated: Iterable[str] | None = None,
) -> SetUp:
    """Say what to write; without a `scope` only the configuration. `git` is False for all but its hooks.

    `gated` names the agents to register with. A new configuration gets the loops of a `review` of that shape, and has
    the commands `at_stop` run there.
    """
    require_project(installation)
    file = project_file(installation.root, known_names())  # it has to be readable before anything is written
    if file is not None:
        installation = replace(installation, judged=longest_wait(file.config))
    hooks, own = Plan(), Plan()
    for each in hook_agents() if git is not False else ():
        hooks.add(each.registration.install(installation))
    if git and not hooks.writings:
        raise UserError(f"{installation.root} is not a git repository", hint="git init makes it one")
    chosen = agents_here(installation.root) if gated is None else tuple(map(session_agent, gated))
    for each in chosen if scope else ():
        own.add(each.registration.install(replace(installation, scope=scope)))
    if scope and installation.instructions:
        own.add(instruction_page.plan(chosen, installation.root))
    if find(installation.root) is None:
        starter = starter_configuration(stack, review, at_stop).encode()
        own.writings.insert(0, Writing(installation.root / CONFIG_NAME, CONFIG, None, starter))
    elif review:
        told = f"{CONFIG_NAME} stays as it is; `vetgate config review {review}` prints loops to add"
        own.notes.append(told)
    if _is_in_uv_cache(sys.executable):
        own.notes.append(
            "this vetgate runs from uv's cache, which may be emptied; better: uv tool install . in a clone of vetgate"
        )
    return SetUp(installation, own, hooks, file)


def set_up(plan: SetUp) -> TrustState:
    require_settler()
    installation = plan.installation
    close_to_others(installation.state)
    with contextlib.closing(open_project_store(installation.state, store_key(installation.root))) as store:
        if store.failure:
            raise UserError(store.failure, hint="check the folder's owner, permissions and free space")
    carry_out(plan.writings, installation)
    receipts = Receipts(installation.state)
    shared = (each for each in plan.own.writings if each.kind in {SETTINGS, COMMANDS, MCP})
    for writing in (*shared, *plan.hooks.writings):
        receipt = receipts.of(writing.path)
        if receipt and str(installation.root) not in receipt.projects:
            receipts.keep(receipt.with_project(installation.root))
    return _trust(plan)


def starter_configuration(stack: Stack, review: str = "", at_stop: Sequence[str] = ()) -> str:
    """The configuration a new project starts with: the commands found are gates of its review, some also `at_stop`."""
    return render(
        review=review,
        languages=[language for language, _ in stack.languages],
        commands=[(task.name, task.command, task.source) for task in stack.tasks],
        at_stop=at_stop,
    )


def _is_in_uv_cache(executable: str) -> bool:
    """`uvx` keeps its environments in folders of these names, wherever its cache lies."""
    return any(part.startswith(("archive-v", "environments-v", "builds-v")) for part in Path(executable).parts)


def carry_out(writings: list[Writing], installation: Installation) -> None:
    """Write all of them, or none: what stands there already is taken back when a later one fails."""
    receipts = Receipts(installation.state)
    close_to_others(installation.state)
    done: list[tuple[Writing, Receipt | None]] = []
    try:
        for writing in writings:
            earlier = receipts.of(writing.path)
            done.append((writing, earlier))
            receipts.keep(receipts.sealed(_receipt(writing, earlier, installation.root)))
            writing.write()
            writing.confirm()
    except UserError as error:
        left = [path for path in (_taken_back(*each, receipts) for each in reversed(done)) if path]
        state = f"already written, and still there: {', '.join(left)}" if left else "nothing was changed"
        raise UserError(f"{error.message}; {state}", hint=error.hint) from error


def _taken_back(writing: Writing, earlier: Receipt | None, receipts: Receipts) -> str:
    """Give the file back as it was; its path when that fails, too."""
    try:
        if read_bytes(writing.path) == writing.after:
            replace(writing, before=writing.after, after=writing.before, mode=None).write()
        if earlier:
            receipts.keep(earlier)
        else:
            receipts.forget(writing.path)
    except UserError:
        return str(writing.path)
    return ""


def close_to_others(folder: Path) -> None:
    if why := fault(str(folder / "bin")):
        raise UserError(f"{folder} is not used, because {why}", hint=A_FOLDER_OF_YOUR_OWN)
    try:
        make(str(folder))
        folder.chmod(0o700)
    except OSError as error:
        raise UserError(f"{folder} cannot be used: {error.strerror}", hint=A_FOLDER_OF_YOUR_OWN) from error


def _receipt(writing: Writing, earlier: Receipt | None, root: Path) -> Receipt:
    """Remember the file as it would be without us, also when this is an upgrade of what we wrote before."""
    projects = earlier.projects if earlier else ()
    assert writing.after is not None  # noqa: S101 - init only ever writes; taking back is undo's
    return Receipt(writing.path, writing.kind, writing.original(earlier), digest(writing.after), projects).with_project(
        root
    )


def _trust(plan: SetUp) -> TrustState:
    """Trust what was written just now; a file that was there already waits for a person to read it."""
    root = plan.installation.root
    with contextlib.closing(open_project_store(plan.installation.state, store_key(root))) as store:
        file = plan.file or project_file(root, known_names())
        if store.failure or file is None:
            raise UserError(store.failure or f"{CONFIG_NAME} is gone again", hint="vetgate doctor says more")
        if (root / ".git").exists():
            note_remotes(store, root, tips(root))
        if plan.file is None:
            own = file.without_pages()  # those were there before, and nobody has read them yet
            store.set_trusted(own.sha256, text(own.config), hand("init"))
            return TrustState.WRITTEN
        store.set_up(hand("init"))
        trusted = store.trusted()
        return TrustState.ACCEPTED if trusted and trusted[0] == file.sha256 else TrustState.WAITS


def copy_of(writing: Writing, installation: Installation) -> Path | None:
    """Where settings of others are kept as they were before they were written."""
    is_of_others = writing.before and writing.kind == SETTINGS
    return Receipts(installation.state).copy_of(writing.path) if is_of_others else None


def removal(
    installation: Installation,
    scope: Scope | None,
    *,
    git: bool | None = None,
    only: Iterable[str] = (),
) -> Removal:
    """Plan the removal of the hooks in one file of settings, or of everything this project was set up with.

    `git` is True for its hooks alone, False for all but them; `only` names agents that alone are not gated any more.
    """
    found, receipts = Removal(), Receipts(installation.state)
    chosen = tuple(map(session_agent, only))
    if git or (git is None and scope is None and not chosen):
        for each in hook_agents():
            found.add(each.registration.remove(installation, receipts))
    if git:
        return found
    for each in chosen or session_agents():
        found.add(each.registration.remove(replace(installation, scope=scope), receipts))
    if scope is None:
        found.add(instruction_page.removal(chosen or session_agents(), installation.root, receipts, shared=not chosen))
    if scope is None and not chosen:
        _configuration(found, installation, receipts)
    for each in chosen or session_agents():
        _launcher(found, installation, receipts, each)
    return found


def take_back(found: Removal, installation: Installation, *, forgets: bool) -> None:
    """Unless it `forgets` the project, the hooks that are left go on judging it."""
    require_settler(removes=True)
    receipts = Receipts(installation.state)
    for writing in found.writings:
        writing.write()
        receipts.forget(writing.path)
        if writing.after is None and writing.kind != CONFIG:
            _remove_empty_folders(writing, installation)
    for receipt in list(receipts.all()):
        if str(installation.root) in receipt.projects:
            receipts.keep(receipt.without(installation.root))
    if forgets and installation.state.exists():
        with contextlib.closing(open_project_store(installation.state, store_key(installation.root))) as store:
            store.forget_trusted(hand("init --remove"))
        open_home_projects(installation.state).forget(installation.root)


def _remove_empty_folders(writing: Writing, installation: Installation) -> None:
    kept = {installation.root, installation.state, Path.home()}
    above = (writing.path.parent,) if writing.kind != COMMANDS else writing.path.parents[:3]
    with contextlib.suppress(OSError):  # not empty: others live there too
        for folder in above:
            if folder in kept:
                return
            folder.rmdir()


def _configuration(found: Removal, installation: Installation, receipts: Receipts) -> None:
    path = installation.root / CONFIG_NAME
    data = read_bytes(path)
    receipt = receipts.of(path)
    if data is None:
        return
    if receipt and receipt.before is None and receipt.is_untouched(data):
        found.writings.append(Writing(path, CONFIG, data, None))
    else:
        why = "it was changed since init wrote it" if receipt else "init did not write this file"
        found.left.append(f"{path}: {why}")


def _launcher(found: Removal, installation: Installation, receipts: Receipts, agent: Agent) -> None:
    path = installation.launcher(agent.name)
    data = read_bytes(path)
    if data is None:
        return
    going = {writing.path for writing in found.writings}
    command = installation.command(agent.name, Scope.USER)
    runs = agent.registration.runs
    settings = (each.path for each in receipts.all() if each.kind == SETTINGS and each.path not in going)
    users = [path for path in settings if runs(path, command)]
    receipt = receipts.of(path)
    if users:
        found.left.append(f"{path}: still registered in {', '.join(map(str, users))}")
    elif receipt is None or not receipt.is_untouched(data):
        found.left.append(f"{path}: not as init wrote it")
    else:
        found.writings.append(Writing(path, receipt.kind, data, receipt.before))
