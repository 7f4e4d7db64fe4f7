"""Taking back what `init` added: byte for byte where nobody touched it since, our entries alone where somebody did."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from vetgate.agents.claude_code.accepts import refusals
from vetgate.agents.claude_code.register import our_entries, settings_text, unregistered
from vetgate.agents.claude_code.settings import Place, places, settings_path
from vetgate.agents.json_text import parse
from vetgate.cli.git_undo import undo_git
from vetgate.cli.setup import CONFIG, SETTINGS, Ground, refuse_unfit
from vetgate.cli.writing import Writing
from vetgate.model import CONFIG_NAME
from vetgate.source.replace import read_bytes

if TYPE_CHECKING:
    from pathlib import Path

    from vetgate.cli.receipt import Receipt, Receipts


@dataclass
class Undoing:
    """What would be taken back, and what stays with the reason why."""

    writings: list[Writing] = field(default_factory=list)
    left: list[str] = field(default_factory=list)


def undoing(ground: Ground, receipts: Receipts, place: Place | None, *, git: bool | None = None) -> Undoing:
    """Plan the removal of one place's hooks, or of everything this project was set up with.

    `git` is True for its hooks alone, False for all but them.
    """
    found = Undoing()
    if git or (git is None and place is None):
        undo_git(found, ground, receipts)
    if git:
        return found
    for each in (place,) if place else places(ground.root):
        _settings(found, ground, receipts, each, asked_for=place is not None)
    if place is None:
        _configuration(found, ground, receipts)
    _launcher(found, ground, receipts)
    return found


def carry_back(found: Undoing, ground: Ground, receipts: Receipts) -> None:
    for writing in found.writings:
        writing.write()
        receipts.forget(writing.path)
        if writing.after is None and writing.kind != CONFIG:
            with contextlib.suppress(OSError):  # not empty: others live there too
                writing.path.parent.rmdir()
    for receipt in list(receipts.all()):
        if str(ground.root) in receipt.projects:
            receipts.keep(receipt.without(ground.root))


def _settings(found: Undoing, ground: Ground, receipts: Receipts, place: Place, *, asked_for: bool) -> None:
    path = settings_path(place, ground.root)
    data = read_bytes(path)
    if data is None:
        return
    refuse_unfit(path, data)
    if not our_entries(settings_text(data)):
        return
    receipt = receipts.of(path)
    others = receipt.without(ground.root).projects if receipt else ()
    if place is Place.USER and others and not asked_for:
        found.left.append(
            f"the hooks in {path}: {_count(others)} rely on them (vetgate init --remove --settings user takes them out)"
        )
        return
    found.writings.append(Writing(path, SETTINGS, data, _without_us(data, receipt)))


def _without_us(data: bytes, receipt: Receipt | None) -> bytes | None:
    if receipt and receipt.is_untouched(data):
        return receipt.before
    rest = unregistered(data, receipt.before if receipt else None)
    created = receipt is not None and receipt.before is None
    return None if created and parse(settings_text(rest)).value == {} else rest


def _configuration(found: Undoing, ground: Ground, receipts: Receipts) -> None:
    path = ground.root / CONFIG_NAME
    data = read_bytes(path)
    receipt = receipts.of(path)
    if data is None:
        return
    if receipt and receipt.before is None and receipt.is_untouched(data):
        found.writings.append(Writing(path, CONFIG, data, None))
    else:
        why = "it was changed since init wrote it" if receipt else "init did not write it"
        found.left.append(f"{path}: {why}")


def _launcher(found: Undoing, ground: Ground, receipts: Receipts) -> None:
    path = ground.launcher
    data = read_bytes(path)
    if data is None:
        return
    going = {writing.path for writing in found.writings}
    command = ground.command(Place.USER)
    users = [r.path for r in receipts.all() if r.kind == SETTINGS and r.path not in going and _runs(r.path, command)]
    receipt = receipts.of(path)
    if users:
        found.left.append(f"{path}: still registered in {', '.join(map(str, users))}")
    elif receipt is None or not receipt.is_untouched(data):
        found.left.append(f"{path}: not as init wrote it")
    else:
        found.writings.append(Writing(path, receipt.kind, data, receipt.before))


def _runs(path: Path, command: str) -> bool:
    text = settings_text(read_bytes(path) or b"{}")
    return not refusals(text) and any(entry.command == command for entry in our_entries(text))


def _count(projects: tuple[str, ...]) -> str:
    return projects[0] if len(projects) == 1 else f"{len(projects)} other projects"
