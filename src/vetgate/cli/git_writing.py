"""A hook of ours put in the place of another's, which is moved beside and comes back exactly as it was."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

from vetgate.cli.git_script import BEFORE, is_ours
from vetgate.cli.writing import Writing
from vetgate.model import UserError
from vetgate.source.replace import read_bytes, remove, write_bytes

if TYPE_CHECKING:
    from pathlib import Path

EXECUTABLE = 0o755


def beside(path: Path) -> Path:
    return path.with_name(path.name + BEFORE)


@dataclass(frozen=True, slots=True)
class HookWriting(Writing):
    """Moved, not copied: a link stays a link, with its own mode, and nothing is written through it."""

    def write(self) -> None:
        if self.after is not None and is_ours(self.after):
            self._install(self.after)
        else:
            self._take_back()

    def _install(self, script: bytes) -> None:
        theirs = os.path.lexists(self.path) and not (self.before and is_ours(self.before))
        if theirs:
            self._refuse_changed()
            _move(self.path, beside(self.path))
        try:
            write_bytes(self.path, script, expected=None if theirs else self.before, mode=EXECUTABLE)
        except UserError:
            if theirs and not os.path.lexists(self.path):
                _move(beside(self.path), self.path)
            raise

    def _take_back(self) -> None:
        if self.before is not None:
            remove(self.path, expected=self.before)
        if os.path.lexists(beside(self.path)):
            _move(beside(self.path), self.path)

    def _refuse_changed(self) -> None:
        if read_bytes(self.path) != self.before:
            raise UserError(f"{self.path} was changed by somebody else meanwhile; it was left alone", "run it again")
        if os.path.lexists(beside(self.path)):
            raise UserError(
                f"{self.path} and {beside(self.path)} are both hooks that vetgate did not write",
                hint="one of them is what was there before: join them in the first and delete the second",
            )

    def diff(self) -> str:
        if self.after is None or not is_ours(self.after):
            kept = f"{beside(self.path)} -> {self.path}\n" if os.path.lexists(beside(self.path)) else ""
            return f"{Writing(self.path, self.kind, self.before, None).diff()}{kept}"
        if self.before is None or is_ours(self.before):
            return Writing.diff(self)  # super() does not know a class with slots
        return f"{self.path} -> {beside(self.path)}\n{Writing(self.path, self.kind, None, self.after).diff()}"


def _move(source: Path, target: Path) -> None:
    try:
        source.rename(target)
    except OSError as error:
        raise UserError(
            f"cannot rename {source} to {target.name}: {error.strerror}", hint=f"make {source.parent} writable for you"
        ) from error
