"""The rest of the project: its index kept up to date behind the answers, and what is still broken when a turn ends."""

from __future__ import annotations

import subprocess
import threading
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from vetgate import fallback
from vetgate.model import Outcome, Status
from vetgate.source.git_tree import ignored

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from vetgate.config.schema import Config
    from vetgate.engine.run import Runner
    from vetgate.model import Change
    from vetgate.respond.call import Call

_EDITED, _THEIRS = "edited", "changed before the session"
# More files than this that changed at once are read by a process of its own.
_AT_ONCE = 50
# At the end of a turn there is time for more.
_AT_THE_END = 300
_BUILDER_RESTS = 120.0
_GIT_SECONDS = 1.0


def note_edited(call: Call, config: Config, change: Change) -> None:
    """These files are the session's to answer for when its turn ends."""
    memory = call.memory(config)
    for path in {path for file in change.files for path in (file.path, file.was) if path}:
        memory.untold(path, _EDITED)


def note_theirs(call: Call, config: Config, change: Change) -> None:
    """These files a person had changed before the session began."""
    memory = call.memory(config)
    for file in change.files:
        memory.untold(file.path, _THEIRS)


def edited(call: Call, config: Config) -> list[str]:
    return [path for path in call.memory(config).marked(_EDITED) if not path.startswith("/")]


def looks_across(call: Call, config: Config, gates: Iterable[str]) -> bool:
    families = {name for gate in gates for name in config.gates[gate].families}
    return any(call.looker.checks[family].across is not None for family in families if family in call.looker.checks)


def broken_so_far(call: Call, config: Config, gates: tuple[str, ...], change: Change) -> tuple[Outcome, ...]:
    """What a change that landed does to the rest of the project."""
    return _outcomes(call.runner(config, call.memory(config)), gates, _of_the_session(call, config, change))


def still_broken(call: Call, config: Config, gates: tuple[str, ...], change: Change) -> tuple[Outcome, ...]:
    """What an edit was only told of, because the next one could have put it right, and none did."""
    own = _of_the_session(call, config, change)
    if not own.files or not looks_across(call, config, gates):
        return ()
    runner = replace(call.runner(config, call.memory(config)), final=True)
    if runner.index is not None and runner.index.is_ready:
        runner.index.catch_up(call.project.tree, _AT_THE_END)
    return _outcomes(runner, gates, own)


def _of_the_session(call: Call, config: Config, change: Change) -> Change:
    """Compared with the last commit; without what a person had not committed yet, and without what git ignores.

    The one is theirs; the other is no part of the project, and may well be made from what is.
    """
    theirs = set(call.memory(config).marked(_THEIRS))
    files = [file for file in change.files if config.paths.checks(file.path) and file.path not in theirs]
    aside = _ignored(call, [file.path for file in files])
    return replace(change, files=tuple(file for file in files if file.path not in aside))


def _ignored(call: Call, paths: Iterable[str]) -> frozenset[str]:
    inside = tuple(path for path in paths if not path.startswith("/"))
    return ignored(call.project.root, inside, _GIT_SECONDS) if inside else frozenset()


def _outcomes(runner: Runner, gates: Iterable[str], change: Change) -> tuple[Outcome, ...]:
    found = []
    for name in gates if change.files else ():
        look = runner.across(runner.config.gates[name], change)
        if look.findings or look.failed or look.unchecked:
            status = Status.ERRORED if look.failed else Status.FAILED if look.findings else Status.PASSED
            found.append(Outcome(name, status, look.findings, look.unchecked, look.error, look.failed))
    return tuple(found)


def tend(call: Call, config: Config, gates: tuple[str, ...]) -> None:
    """After the answer: what changed is read, or somebody is sent to read all of it."""
    if looks_across(call, config, gates):
        call.later.append(partial(_tend, call, config))


def prepare(call: Call, config: Config, gates: tuple[str, ...]) -> None:
    """After the answer: somebody is sent to read all of a project that nobody has read yet."""
    if looks_across(call, config, gates):
        call.later.append(partial(_prepare, call, config))


def _tend(call: Call, config: Config) -> None:
    index = call.project.index(config)
    if index is None:
        return
    tree, change = call.project.tree, call.event.change
    if index.is_ready and not tree.is_watched:
        index.refresh(file.path for file in (change.files if change else ()))
    elif not index.is_ready or not index.catch_up(tree, _AT_ONCE):
        _send_builder(call)


def _prepare(call: Call, config: Config) -> None:
    index = call.project.index(config)
    if index is not None and not index.is_ready:
        _send_builder(call)


def _send_builder(call: Call) -> None:
    if call.stays and call.project.may_build(_BUILDER_RESTS):
        _start_builder(call.project.root, call.own[0])


def _start_builder(root: Path, state: Path) -> None:
    child = subprocess.Popen(  # noqa: S603 - our own interpreter, our own program
        fallback.command("cli.index", str(root), str(state)),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd=fallback.ROOT,
        env=fallback.environment(),
        start_new_session=True,
    )
    # Nobody asks how it went; but somebody has to, or it stays in the process table.
    threading.Thread(target=child.wait, name="index", daemon=True).start()
