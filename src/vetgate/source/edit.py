"""A tool call that has not happened yet, as a change: each file before, and as it would be."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from vetgate.model import Change, File, Unchecked
from vetgate.source.disk import found
from vetgate.source.notebook import CellEdit, edited
from vetgate.source.root import name_in, project_root, real
from vetgate.source.text import NotText, Text, decode

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class Replace:
    old: str
    new: str
    everywhere: bool = False


@dataclass(frozen=True, slots=True)
class Proposal:
    """What a tool call would do to one file: write it whole, replace parts of it, or edit one notebook cell."""

    path: Path
    content: str | None = None
    replaces: tuple[Replace, ...] = ()
    cell: CellEdit | None = None


def change_of(proposals: Iterable[Proposal], cwd: Path) -> Change:
    """All files of one call. The root is the edited file's own, not the session's."""
    files, unchecked, root = [], [], None
    for proposal in proposals:
        path = real(cwd / proposal.path)
        root = root or root_for(path, cwd)
        name = name_in(root, path)
        try:
            before = found(path, follow=True)
        except NotText:
            before = None  # what cannot be read counts as nothing: all that the call writes is new
        try:
            after = _applied(proposal, before)
        except NotText as why:
            unchecked.append(Unchecked(name, why.reason))
        else:
            files.append(File(name, before.text if before else None, after))
    return Change(root or cwd, tuple(files), unchecked=tuple(unchecked))


def on_disk(paths: Iterable[Path], cwd: Path) -> Change:
    """These files as they are now, with nothing said of what they were."""
    files, unchecked, root = [], [], None
    for path in map(real, (cwd / path for path in paths)):
        root = root or root_for(path, cwd)
        try:
            text = found(path, follow=True)
        except NotText as why:
            unchecked.append(Unchecked(name_in(root, path), why.reason))
        else:
            files.append(File(name_in(root, path), None, text.text if text else None))
    return Change(root or cwd, tuple(files), unchecked=tuple(unchecked))


def root_for(path: Path, cwd: Path) -> Path:
    return project_root(path.parent) or project_root(real(cwd)) or path.parent


def _applied(proposal: Proposal, before: Text | None) -> str:
    if proposal.content is not None:
        return decode(proposal.content.encode("utf-8", "surrogatepass")).text
    if proposal.cell is not None:
        return edited(before.text if before else '{"cells": []}', proposal.cell)
    text = before.text if before else ""
    for replace in proposal.replaces:
        text = _replaced(text, replace)
    return text


def _replaced(text: str, replace: Replace) -> str:
    # The client compares and writes with line feeds, and puts the file's own line ends back.
    old, new = replace.old.replace("\r\n", "\n"), replace.new.replace("\r\n", "\n")
    if old == "":
        if text:
            raise NotText("the edit replaces nothing in a file that is not empty")
        return new
    if old not in text:
        raise NotText("the text to replace is not in the file on disk")
    if not new and not old.endswith("\n") and f"{old}\n" in text:
        old += "\n"  # so does the client: deleting a line takes its end along
    return text.replace(old, new, -1 if replace.everywhere else 1)
