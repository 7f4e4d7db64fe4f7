"""Small projects of several files, and what the contracts check says of an edit to one of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from fixtures import IndexedTree
from vetgate.checks.contracts import CHECK
from vetgate.config.load import defaults
from vetgate.engine.check import WholeChange
from vetgate.index.view import View
from vetgate.model import Change, File
from vetgate.source.clock import Deadline

if TYPE_CHECKING:
    from pathlib import Path


class Edit(NamedTuple):
    """In one file of the project, of what there was to what there would be; all of it where there was nothing."""

    path: str
    was: str
    now: str | None
    moved_to: str = ""


def findings(folder: Path, files: dict[str, str], edit: Edit) -> list[str]:
    """The rule of each finding, with the places it names."""
    before = files.get(edit.path)
    after = edit.now if not edit.was or before is None or edit.now is None else before.replace(edit.was, edit.now)
    assert edit.moved_to or before is None or before != after, "the edit changes nothing"
    if edit.moved_to:
        moved = File(edit.moved_to, before, after, was=edit.path)
        return _judged(folder, files, {edit.path: None, edit.moved_to: after}, (moved,))
    return findings_of(folder, files, {edit.path: after})


def findings_of(folder: Path, files: dict[str, str], texts: dict[str, str | None]) -> list[str]:
    """The same of an edit that gives some files other texts, or none."""
    return _judged(folder, files, texts, tuple(File(path, files.get(path), text) for path, text in texts.items()))


def _judged(folder: Path, files: dict[str, str], texts: dict[str, str | None], changed: tuple[File, ...]) -> list[str]:
    tree = IndexedTree(folder)
    tree.write(files)
    view = View(tree.built(), texts)
    report = CHECK.on_whole_change(WholeChange(Change(tree.root, changed), view, defaults(), Deadline.after(60)))
    assert not report.unchecked
    told = "by its name alone"
    return [
        f"{each.rule}{' by name' if told in each.message else ''}: {_places(each.message)}" for each in report.findings
    ]


def _places(message: str) -> str:
    head, _, tail = message.rpartition(": ")
    return tail.rstrip(".") if "it is used" in head else ""
