"""What setting up the gate means: the files to write, in order, each decided before the first is written."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

from vetgate import client, runtime
from vetgate.agents import agent
from vetgate.agents.installation import Installation, Plan, Receipt, Receipts, Scope, Writing, digest
from vetgate.config.load import find
from vetgate.model import CONFIG_NAME, UserError
from vetgate.ownership import fault, make
from vetgate.source.replace import read_bytes
from vetgate.source.root import project_root

CONFIG = "configuration"

A_FOLDER_OF_YOUR_OWN = "make it a folder of your own, or set VETGATE_STATE_DIR to one"
_PAGE = f"docs/{client.AGENT}.md"


def here() -> Installation:
    if os.name != "posix":
        raise UserError("init and doctor need Linux or macOS: the hook is started by a shell script", link=_PAGE)
    folder = Path.cwd().resolve()
    return Installation(project_root(folder) or folder, runtime.state_dir(), runtime.runtime_dir())


def plan(installation: Installation, scope: Scope | None, starter: str) -> Plan:
    """Say what to write; without a `scope` only the configuration."""
    registration = agent(client.AGENT).registration
    found = registration.install(replace(installation, scope=scope)) if scope else Plan()
    if find(installation.root) is None:
        found.writings.insert(0, Writing(installation.root / CONFIG_NAME, CONFIG, None, starter.encode()))
    return found


def carry_out(writings: list[Writing], installation: Installation) -> None:
    """Write all of them, or none: what stands there already is taken back when a later one fails."""
    receipts = Receipts(installation.state)
    close_to_others(installation.state)
    done: list[tuple[Writing, Receipt | None]] = []
    try:
        for writing in writings:
            earlier = receipts.of(writing.path)
            done.append((writing, earlier))
            receipts.keep(_receipt(writing, earlier, installation.root))
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
