"""What setting up the gate means: the files to write, in order, each decided before the first is written."""

from __future__ import annotations

import os
import shlex
from dataclasses import dataclass, replace
from pathlib import Path

from vetgate import launcher, runtime
from vetgate.agents.claude_code.accepts import Refusal, refusals
from vetgate.agents.claude_code.register import are_in_our_entries, our_entries, registered, settings_text, unregistered
from vetgate.agents.claude_code.settings import HOOK, LISTENING, Place, differences, settings_path
from vetgate.cli.receipt import Receipt, Receipts, digest
from vetgate.cli.writing import Writing
from vetgate.config.load import find
from vetgate.model import CONFIG_NAME, UserError
from vetgate.ownership import fault, make
from vetgate.source.replace import read_bytes
from vetgate.source.root import project_root

SETTINGS = "settings"
LAUNCHER = "launcher"
CONFIG = "configuration"

A_FOLDER_OF_YOUR_OWN = "make it a folder of your own, or set VETGATE_STATE_DIR to one"
_EXECUTABLE = 0o755
_PAGE = "docs/claude-code.md"


@dataclass(frozen=True, slots=True)
class Ground:
    """Where everything stands: the project, and our two folders outside of it."""

    root: Path
    state: Path
    runtime: Path | None

    @property
    def launcher(self) -> Path:
        return self.state / "bin" / HOOK

    def command(self, place: Place) -> str:
        """What is registered. A committed file is shared with people who have another home, or no vetgate."""
        return launcher.shared_command() if place is Place.PROJECT else shlex.quote(os.fspath(self.launcher))


def here() -> Ground:
    if os.name != "posix":
        raise UserError("init and doctor need Linux or macOS: the hook is started by a shell script", link=_PAGE)
    folder = Path.cwd().resolve()
    return Ground(project_root(folder) or folder, runtime.state_dir(), runtime.runtime_dir())


def plan(ground: Ground, place: Place | None, starter: str) -> list[Writing]:
    """Say what to write. The settings come last: from then on the client runs what stands there."""
    found = [launcher_writing(ground), settings_writing(ground, place)] if place else []
    if find(ground.root) is None:
        found.insert(0, Writing(ground.root / CONFIG_NAME, CONFIG, None, starter.encode()))
    return [writing for writing in found if writing.changes]


def launcher_writing(ground: Ground) -> Writing:
    text = launcher.script(ground.state, ground.runtime)
    return Writing(ground.launcher, LAUNCHER, read_bytes(ground.launcher), text.encode(), mode=_EXECUTABLE)


def settings_writing(ground: Ground, place: Place) -> Writing:
    path = settings_path(place, ground.root)
    before = read_bytes(path)
    refuse_unfit(path, before)
    return Writing(path, SETTINGS, before, registered(before, ground.command(place)))


def refuse_unfit(path: Path, data: bytes | None) -> None:
    """Raise for a file that cannot be edited, or that the client skips whole: hooks in it would never run."""
    if data is None:
        return
    text = settings_text(data)
    fatal = [refusal for refusal in refusals(text) if refusal.drops_file or _in_our_way(refusal)]
    if fatal and not are_in_our_entries(text, fatal):
        raise UserError(
            f"{path}:{fatal[0].line}: {said(fatal[0])}",
            hint="Claude Code skips a settings file like this, with every hook in it, and hardly says so; "
            "put that line right and run it again. Nothing was changed",
        )


def _in_our_way(refusal: Refusal) -> bool:
    return refusal.where in {"hooks", *(f"hooks.{row.event}" for row in LISTENING)}


def said(refusal: Refusal) -> str:
    return f"{refusal.where} {refusal.why}" if refusal.where else refusal.why


def carry_out(writings: list[Writing], ground: Ground) -> None:
    """Write all of them, or none: what stands there already is taken back when a later one fails."""
    receipts = Receipts(ground.state)
    close_to_others(ground.state)
    done: list[tuple[Writing, Receipt | None]] = []
    try:
        for writing in writings:
            earlier = receipts.of(writing.path)
            done.append((writing, earlier))
            receipts.keep(_receipt(writing, earlier, ground.root))
            writing.write()
            if writing.kind == SETTINGS:
                _look_again(writing)
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
    before = writing.before
    if earlier and earlier.is_untouched(before):
        before = earlier.before
    elif writing.kind == SETTINGS and before is not None and our_entries(settings_text(before)):
        before = unregistered(before, earlier.before if earlier else None)
    projects = earlier.projects if earlier else ()
    assert writing.after is not None  # noqa: S101 - init only ever writes; taking back is undo's
    return Receipt(writing.path, writing.kind, before, digest(writing.after), projects).with_project(root)


def _look_again(writing: Writing) -> None:
    """Read the file as the client will; a file it would not take is put back before anybody relies on it."""
    data = read_bytes(writing.path)
    text = settings_text(data or b"")
    fatal = [refusal for refusal in refusals(text) if refusal.drops_file]
    entries = [] if fatal else our_entries(text)
    sound = {entry.event for entry in entries if not differences(entry, entry.command)}
    if fatal or sound != {row.event for row in LISTENING}:
        Writing(writing.path, writing.kind, data, writing.before).write()
        why = said(fatal[0]) if fatal else "our entries are not all there"
        raise UserError(f"{writing.path} did not read back as written ({why}); it was put back", hint="run it again")
