"""What an agent is about to write, judged by the gates of an edit before it is written; nothing of it is kept."""

from __future__ import annotations

import os
import tempfile
import time
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from vetgate.config.gates import running_only
from vetgate.gates.linter import linter_verdict
from vetgate.model import Change, EventKind, File, GateKind, UserError
from vetgate.project import SessionMemory
from vetgate.respond.call import listening
from vetgate.service.check import OFF, Judged, app
from vetgate.source import disk
from vetgate.source.clock import elapsed_ms
from vetgate.source.edit import Proposal, change_of
from vetgate.source.git_process import ask
from vetgate.source.root import real
from vetgate.source.text import NotText
from vetgate.source.unified_diff import read_diff

if TYPE_CHECKING:
    from vetgate.engine.run import FileBaseline
    from vetgate.model import Gate

_NO_DIFF = "that is not a unified diff"


@dataclass(frozen=True, slots=True)
class _ReadMemory(SessionMemory):
    """What the session knows of its files, for who only asks: the hook of the edit itself is who remembers."""

    def keep_baseline(self, path: str, gate: Gate, baseline: FileBaseline) -> None:
        """Asking leaves nothing behind."""


def check_content(root: Path, path: str, content: str, session: str = "") -> Judged:
    """One file as it would be. With a `session` it is compared with what that session found there."""
    started = time.perf_counter()
    change = change_of((Proposal(root / path, content),), root)
    return _judged(replace(change, root=root) if not change.files else change, root, session, started)


def check_diff(root: Path, diff: str, session: str = "") -> Judged:
    """The files as a unified diff would leave them; UserError where it does not fit what is there."""
    started = time.perf_counter()
    files = read_diff(diff, root).files
    if not files:
        raise UserError(_NO_DIFF, hint="pass what `git diff` prints, or leave `diff` out to check the work tree")
    names = dict.fromkeys(name for each in files for name in (each.path, each.was) if name)
    before = {name: _text(root, name) for name in names}
    after = _applied(diff, before)
    changed = tuple(File(name, text, after[name]) for name, text in before.items() if text != after[name])
    return _judged(Change(root, changed), root, session, started)


def _judged(change: Change, root: Path, session: str, started: float) -> Judged:
    project = app().project(root)
    config = running_only(project.effective().config, GateKind.CHECKS)
    if not config.enabled:
        return Judged(root, config, OFF, 0)
    memory = _ReadMemory(project.store, root, session, config.digest, before_edit=True) if session else None
    verdict = linter_verdict(
        change,
        config,
        suppressions=project.suppressions(),
        index=project.index(config),
        gates=listening(config, EventKind.BEFORE_EDIT),
        final=False,
        memory=memory,
    )
    texts = {file.path: file.after for file in change.files if file.after is not None}
    looked_at = sum(config.paths.checks(path) for path in texts)
    return Judged(root, config, verdict, looked_at, texts=texts, elapsed_ms=elapsed_ms(started))


def _text(root: Path, name: str) -> str | None:
    place = real(root / name)
    if not place.is_relative_to(root):
        raise UserError(f"{name} lies outside of this project", hint=f"the project is {root}")
    try:
        return disk.read_existing(place, follow=True)
    except NotText as error:
        raise UserError(f"{name} cannot be checked: {error}") from None


def _applied(diff: str, before: dict[str, str | None]) -> dict[str, str | None]:
    """By git itself, in a folder that holds nothing but these files."""
    with tempfile.TemporaryDirectory(prefix="vetgate-") as folder:
        place = Path(folder)
        for name, text in before.items():
            if text is not None:
                (place / name).parent.mkdir(parents=True, exist_ok=True)
                (place / name).write_bytes(text.encode("utf-8", "surrogateescape"))
        data = (diff if diff.endswith("\n") else f"{diff}\n").encode("utf-8", "surrogateescape")
        stops = {"GIT_CEILING_DIRECTORIES": os.fspath(place.parent)}
        answer = ask(("apply", "--whitespace=nowarn", "-"), place, stdin=data, variables=stops)
        if answer.status != 0:
            why = next(iter(answer.error.splitlines()), "git gives no reason").removeprefix("error: ")
            raise UserError(f"the diff does not fit the files as they are: {why}", hint="make it anew, then ask again")
        found: dict[str, str | None] = {}
        for name in before:
            found[name] = None
            with suppress(NotText):
                found[name] = disk.read_existing(place / name, follow=False)
        return found
