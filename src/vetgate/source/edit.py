"""A tool call that has not happened yet, as a change: each file before, and as it would be."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from vetgate.model import Change, File, Unchecked, UncheckedKind
from vetgate.source.disk import read_existing, target
from vetgate.source.notebook import CellEdit, edited
from vetgate.source.patch import FilePatch, patched
from vetgate.source.root import as_seen_from, name_in, project_root, real
from vetgate.source.text import NotText, decode, is_no_text, link_text, own_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable


@dataclass(frozen=True, slots=True)
class Replace:
    old: str
    new: str
    everywhere: bool = False


@dataclass(frozen=True, slots=True)
class Proposal:
    """What a tool call would do to one file: write it whole or on, replace parts of it, patch it, or edit a cell."""

    path: Path
    content: str | None = None
    appends: bool = False
    replaces: tuple[Replace, ...] = ()
    cell: CellEdit | None = None
    patch: FilePatch | None = None


def change_of(proposals: Iterable[Proposal], cwd: Path) -> Change:
    """All files of one call. The root is the edited file's own, not the session's."""
    change = Change(cwd)
    texts: dict[Path, str | None] = {}  # one call may write a file more than once
    for proposal in proposals:
        moves_to = proposal.patch.moves_to if proposal.patch else None
        try:
            path = _place(proposal.path, cwd)
            target_path = path if moves_to is None else _place(moves_to, cwd)
        except ValueError as error:  # a NUL in the name; no file system has that
            change = _with(change, Unchecked(str(proposal.path), UncheckedKind.UNREADABLE, f"no such path: {error}"))
            continue
        if not change.files and not change.unchecked:
            change = replace(change, root=root_for(path, cwd))
        change = _with(change, _proposed(proposal, (path, target_path), texts, change.root))
    return _merged(change)


def _proposed(
    proposal: Proposal, places: tuple[Path, Path], texts: dict[Path, str | None], root: Path
) -> File | Unchecked:
    """From one place to another, which is nearly always the same; what it leaves behind is noted in `texts`."""
    path, target_path = places
    if path not in texts:
        texts[path] = _text_at(path)
    before = texts[path]
    found = _file(name_in(root, target_path), before, partial(applied, proposal, before))
    if isinstance(found, File):
        texts[path] = None
        texts[target_path] = found.after
        return found if target_path == path else replace(found, was=name_in(root, path))
    return found


def _place(path: Path, cwd: Path) -> Path:
    return real(Path(as_seen_from(os.fspath(cwd / path), os.fspath(cwd))))


def _text_at(path: Path) -> str | None:
    try:
        return read_existing(path, follow=True)
    except NotText:
        return None  # what cannot be read counts as nothing: all that the call writes is new


def _merged(change: Change) -> Change:
    """Each file once: as it was before the first part of the call, and as the last one leaves it."""
    if len({file.path for file in change.files}) == len(change.files):
        return change
    files: dict[str, File] = {}
    for file in change.files:
        first = files.get(file.path)
        files[file.path] = replace(first, after=file.after) if first else file
    return replace(change, files=tuple(files.values()))


def on_disk(paths: Iterable[Path], cwd: Path, root: Path | None = None) -> Change:
    """These files as they are now, with nothing said of what they were."""
    top, found = root or cwd, list[File | Unchecked]()
    for path in paths:
        named = cwd / path
        place = real(named)
        leads = target(named)
        if leads is not None and not place.exists():  # then where it leads is all there is to it
            found.append(File(name_in(top, real(named.parent) / path.name), None, link_text(leads)))
            continue
        if root is None and not found:
            top = root_for(place, cwd)
        found.append(_file(name_in(top, place), None, partial(read_existing, place, follow=True)))
    files = tuple(each for each in found if isinstance(each, File))
    return Change(top, files, unchecked=tuple(each for each in found if isinstance(each, Unchecked)))


def _file(name: str, before: str | None, after: Callable[[], str | None]) -> File | Unchecked:
    try:
        return File(name, before, after())
    except NotText as why:
        return why.unchecked(name)


def _with(change: Change, item: File | Unchecked) -> Change:
    if isinstance(item, File):
        return replace(change, files=(*change.files, item))
    return replace(change, unchecked=(*change.unchecked, item))


def seen_from(root: Path, change: Change) -> Change:
    """The same files, called as in the project at `root`."""
    if change.root == root:
        return change

    def name(path: str) -> str:
        return name_in(root, change.root / path)

    files = tuple(replace(file, path=name(file.path), was=file.was and name(file.was)) for file in change.files)
    unchecked = tuple(replace(item, path=name(item.path)) for item in change.unchecked)
    return replace(change, root=root, files=files, unchecked=unchecked)


def root_for(path: Path, cwd: Path) -> Path:
    return project_root(path.parent) or project_root(real(cwd)) or path.parent


def applied(proposal: Proposal, before: str | None) -> str | None:
    """The text as it would be, None for none; NotText where the proposal does not fit what is there."""
    if proposal.patch is not None:
        return _patched(proposal.patch, before)
    if proposal.content is not None and proposal.appends:
        return own_text((before or "") + proposal.content)
    if proposal.content is not None:
        return decode(proposal.content.encode("utf-8", "surrogatepass"))
    if proposal.cell is not None:
        return edited(before if before is not None else '{"cells": []}', proposal.cell)
    text = before or ""
    for each in proposal.replaces:
        text = _replaced(text, each)
    return text if is_no_text(before or "") else own_text(text)


def _patched(patch: FilePatch, before: str | None) -> str | None:
    if patch.deletes:
        return None
    if patch.content is not None:
        return own_text(patch.content)
    if before is None:
        raise _misfit("there is none")
    return own_text(patched(before, patch.hunks)) if patch.hunks else before


def _replaced(text: str, wanted: Replace) -> str:
    # The client compares and writes with line feeds, and puts the file's own line ends back.
    old, new = wanted.old.replace("\r\n", "\n"), wanted.new.replace("\r\n", "\n")
    if old == "":
        if text:
            raise _misfit("it replaces an empty text, and the file is not empty")
        return new
    if old not in text:
        raise _misfit("the text to replace is not in it" if text else "there is none")
    if not new and not old.endswith("\n") and f"{old}\n" in text:
        old += "\n"  # so does the client: deleting a line takes its end along
    return text.replace(old, new, -1 if wanted.everywhere else 1)


def _misfit(why: str) -> NotText:
    return NotText(UncheckedKind.MISFIT, f"the edit does not fit the file: {why}")
