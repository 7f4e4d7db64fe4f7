"""Taking git's hooks back: a whole hook of ours makes room for the one before, lines of ours come out of another's."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from vetgate.agents.git.hooks import HOOKS
from vetgate.cli.git_lefthook import without_lines
from vetgate.cli.git_script import RUNNER, chain, has_block, is_ours, without_block
from vetgate.cli.git_setup import GIT, git_plan
from vetgate.cli.git_writing import HookWriting, beside
from vetgate.cli.writing import Writing
from vetgate.source.replace import read_bytes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vetgate.cli.receipt import Receipt, Receipts
    from vetgate.cli.setup import Ground
    from vetgate.cli.undo import Undoing

_DISPLACED = (".legacy", ".old")  # where pre-commit and lefthook put a hook that they find
_NOTHING = frozenset({"", "#!/bin/sh"})


def undo_git(found: Undoing, ground: Ground, receipts: Receipts) -> None:
    """Plan the removal; what runs the gate goes last, so that no hook is ever left without it."""
    paths = list(dict.fromkeys(_places(ground, receipts)))
    for path in sorted(paths, key=lambda path: path.name == RUNNER):
        receipt = receipts.of(path)
        others = [name for name in _others(receipt, ground) if Path(name).is_dir()]
        if others:
            found.left.append(f"{path}: {', '.join(others)} relies on it, too")
        else:
            _undo(found, path, receipt)


def _places(ground: Ground, receipts: Receipts) -> Iterator[Path]:
    """Where our hooks belong today, and where they were put when git was told something else."""
    yield from (writing.path for writing in git_plan(ground).writings)
    for receipt in receipts.all():
        if receipt.kind == GIT and str(ground.root) in receipt.projects:
            yield receipt.path


def _others(receipt: Receipt | None, ground: Ground) -> tuple[str, ...]:
    return receipt.without(ground.root).projects if receipt else ()


def _undo(found: Undoing, path: Path, receipt: Receipt | None) -> None:
    data = read_bytes(path)
    if data is not None and is_ours(data):
        _whole(found, path, data, receipt)
    elif data is not None:
        _lines(found, path, data, receipt)
        _replaced(found, beside(path), data)
    for suffix in _DISPLACED:
        place = path.with_name(path.name + suffix)
        moved = read_bytes(place)
        if moved is not None and is_ours(moved):
            found.writings.append(Writing(place, GIT, moved, None))


def _replaced(found: Undoing, kept: Path, now: bytes) -> None:
    """Somebody put another hook in our place; what we kept is of no use when it is the same again."""
    if os.path.lexists(kept) and not kept.is_symlink() and read_bytes(kept) == now:
        found.writings.append(Writing(kept, GIT, now, None))
    elif os.path.lexists(kept):
        found.left.append(f"{kept}: the hook that was there before; another one has taken its place since")


def _whole(found: Undoing, path: Path, data: bytes, receipt: Receipt | None) -> None:
    known = path.name in HOOKS and data == chain(path.name).encode()
    known |= path.name == RUNNER and receipt is None
    if known or (receipt and receipt.is_untouched(data)):
        found.writings.append(HookWriting(path, GIT, data, read_bytes(beside(path))))
    else:
        found.left.append(f"{path}: it was changed since init wrote it")


def _lines(found: Undoing, path: Path, data: bytes, receipt: Receipt | None) -> None:
    if receipt and receipt.is_untouched(data):
        found.writings.append(Writing(path, GIT, data, receipt.before))
        return
    text = data.decode("utf-8", "surrogateescape")
    rest = without_block(text) if has_block(text) else without_lines(text)
    if rest == text:
        return
    created = receipt is not None and receipt.before is None and rest.strip() in _NOTHING
    found.writings.append(Writing(path, GIT, data, None if created else rest.encode("utf-8", "surrogateescape")))
