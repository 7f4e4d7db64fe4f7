"""The rest of the project: its index kept up to date behind the answers, and what is still broken when a turn ends."""

from __future__ import annotations

import contextlib
import subprocess
import threading
import time
from dataclasses import replace
from typing import TYPE_CHECKING

from vetgate import fallback
from vetgate.index.build import may_begin
from vetgate.respond.session_diff import diff_since_session_start
from vetgate.source.git_ignored import ignored, index_identity
from vetgate.source.git_tree import head
from vetgate.source.language import language_of
from vetgate.store import SessionMark

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from vetgate.config.schema import Config
    from vetgate.engine.run import CheckRunner
    from vetgate.index.project import ProjectIndex
    from vetgate.model import Change, File, Outcome
    from vetgate.respond.call import Call

# More files than this that changed at once are read by a process of its own.
_AT_ONCE = 50
# At the end of a turn there is time for more.
_AT_THE_END = 300
_BUILDER_RESTS = 120.0
# Seconds that the end of a turn waits for the rest of the project to be read.
_LONGEST = 120.0
_NOT_BUILT = (
    "the index of the project could not be built in time, so duplicates and contracts are not checked; "
    "`vetgate index --build` builds it"
)
_NO_PLACE = "the index of the project cannot be stored anywhere, so duplicates and contracts are not checked"
_GIT_SECONDS = 1.0


def note_edited(call: Call, config: Config, change: Change) -> None:
    """These files are the session's to answer for when its turn ends."""
    memory = call.memory(config)
    for path in {path for file in change.files for path in (file.path, file.was) if path}:
        memory.mark(path, SessionMark.EDITED)


def note_theirs(call: Call, config: Config, change: Change) -> None:
    """These files a person had changed before the session began."""
    memory = call.memory(config)
    for file in change.files:
        memory.mark(file.path, SessionMark.THEIRS)


def edited(call: Call, config: Config) -> list[str]:
    return [path for path in call.memory(config).marked(SessionMark.EDITED) if not path.startswith("/")]


def _compared(call: Call, config: Config, gates: Iterable[str]) -> frozenset[str]:
    """The languages of which any check of these gates compares a change with the rest of the project."""
    families = {name for gate in config.reached(gates) for name in config.gates[gate].families}
    checks = (call.analyzer.checks[family] for family in families if family in call.analyzer.checks)
    return frozenset(language for check in checks if check.on_whole_change is not None for language in check.languages)


def broken_so_far(call: Call, config: Config, gates: tuple[str, ...], change: Change) -> tuple[Outcome, ...]:
    """What a change that landed does to the rest of the project."""
    return _outcomes(call.runner(config, call.memory(config), _of_the_session(call, config, change)), gates)


def still_broken(call: Call, config: Config, gates: tuple[str, ...], change: Change) -> tuple[Outcome, ...]:
    """What an edit was only told of, because the next one could have put it right, and none did."""
    own = _of_the_session(call, config, change)
    languages = _compared(call, config, gates)
    if not any(language_of(name) in languages for file in own.files for name in (file.path, file.was) if name):
        return ()
    missing = _missing(call, config)
    runner = replace(call.runner(config, call.memory(config), own), final=True, no_index=missing)
    return _outcomes(runner, gates)


def _missing(call: Call, config: Config) -> str:
    """Why the rest of the project cannot be asked; "" when it can. A turn that ends waits for who reads it."""
    index = call.project.index(config)
    if index is None:
        return _NO_PLACE
    if index.catch_up(call.project.tree, _AT_THE_END) if index.is_ready else index.complete(_AT_THE_END):
        return ""
    left = call.seconds - (time.perf_counter() - call.started)
    seconds = min(left / 2, _LONGEST)
    try:
        _start_builder(call.project.root, call.own[0], seconds).wait(seconds)
    except subprocess.TimeoutExpired:  # it goes on: the next turn finds what it has read
        return _NOT_BUILT
    return "" if index.is_ready else index.store.problem or _NOT_BUILT


def _of_the_session(call: Call, config: Config, change: Change) -> Change:
    """Compared with the last commit; without what a person had not committed yet, and without what git ignores.

    The one is theirs; the other is no part of the project, and may well be made from what is.
    """
    theirs = set(call.memory(config).marked(SessionMark.THEIRS))
    files = [file for file in change.files if config.paths.checks(file.path) and file.path not in theirs]
    aside = _ignored(call, [file.path for file in files])
    files = [file for file in files if file.path not in aside]
    # What a merge has put into a file was there before, in another commit.
    merged = diff_since_session_start(call, [file.path for file in files if file.before is not None]).merged
    return replace(change, files=tuple(_with_merged(file, merged.get(file.path)) for file in files))


def _with_merged(file: File, other: str | None) -> File:
    return file if other is None or file.before is None else replace(file, before=f"{file.before}\n{other}")


def _ignored(call: Call, paths: Iterable[str]) -> frozenset[str]:
    inside = tuple(path for path in paths if not path.startswith("/"))
    return ignored(call.project.root, inside, _GIT_SECONDS) if inside else frozenset()


def _outcomes(runner: CheckRunner, gates: Iterable[str]) -> tuple[Outcome, ...]:
    named = runner.config.reached(gates) if runner.change.files else ()
    outcomes = (runner.run_beside(runner.config.gates[name]) for name in named)
    return tuple(each for each in outcomes if each.findings or each.failed_checks or each.unchecked)


def ask_ahead(call: Call, change: Change) -> None:
    """What git has to say of files that were edited: whoever looks at them after a command finds it known."""
    root = call.project.root
    state = (call.event.session, head(root), index_identity(root))
    paths = call.project.asked_ahead.unknown(state, {file.path for file in change.files}) if call.stays else ()
    if paths:
        diff_since_session_start(call, paths)
        _ignored(call, paths)
        call.project.asked_ahead.add(state, set(paths))


def tend(call: Call, config: Config, gates: tuple[str, ...]) -> None:
    """What changed is read, or somebody is sent to read all of it."""
    index = call.project.index(config) if _compared(call, config, gates) else None
    if index is None:
        return
    tree, change = call.project.tree, call.event.change
    if not index.is_ready:
        _build(call, index)
    elif not tree.is_watched:
        index.refresh(file.path for file in (change.files if change else ()))
    elif not index.catch_up(tree, _AT_ONCE) and may_begin(index.store.path.parent, _BUILDER_RESTS):
        _start_builder(call.project.root, call.own[0])


def prepare(call: Call, config: Config, gates: tuple[str, ...]) -> None:
    """Somebody is sent to read all of a project that nobody has read yet."""
    index = call.project.index(config)
    if index is not None and not index.is_ready and _compared(call, config, gates):
        _build(call, index)


def _build(call: Call, index: ProjectIndex) -> None:
    """A few files at once; for more somebody is sent, and nobody waits: edits are looked at again at the turn's end."""
    with contextlib.suppress(OSError):
        if may_begin(index.store.path.parent, _BUILDER_RESTS) and not index.complete(_AT_ONCE):
            _start_builder(call.project.root, call.own[0])


def _start_builder(root: Path, state: Path, waits: float = 0.0) -> subprocess.Popen[bytes]:
    """It outlives us where it has to. One that somebody `waits` for lines up behind another that is at it."""
    child = fallback.begin(fallback.INDEX, str(root), str(state), str(waits))
    if not waits:
        # Nobody asks how it went; but somebody has to, or it stays in the process table.
        threading.Thread(target=child.wait, name="index", daemon=True).start()
    return child
