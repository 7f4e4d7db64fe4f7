"""One file `init` or `doctor` is about to write: shown as a diff first, written whole, and looked at afterwards."""

from __future__ import annotations

import difflib
import stat
from dataclasses import dataclass
from typing import TYPE_CHECKING

from vetgate.source.replace import remove, write_bytes

if TYPE_CHECKING:
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class Writing:
    """`before` is what was read when it was planned, `after` what is to stand there; None means no file."""

    path: Path
    kind: str
    before: bytes | None
    after: bytes | None
    mode: int | None = None

    @property
    def changes(self) -> bool:
        return self.before != self.after or self._has_wrong_mode()

    def _has_wrong_mode(self) -> bool:
        return self.mode is not None and self.before is not None and stat.S_IMODE(self.path.stat().st_mode) != self.mode

    @property
    def verb(self) -> str:
        if self.before is None:
            return "create"
        return "remove" if self.after is None else "change"

    def diff(self) -> str:
        return "".join(
            line if line.endswith("\n") else f"{line}\n"
            for line in difflib.unified_diff(
                _lines(self.before),
                _lines(self.after),
                str(self.path) if self.before is not None else "/dev/null",
                str(self.path) if self.after is not None else "/dev/null",
            )
        )

    def write(self) -> None:
        if self.after is not None:
            write_bytes(self.path, self.after, expected=self.before, mode=self.mode)
        elif self.before is not None:
            remove(self.path, expected=self.before)


def _lines(data: bytes | None) -> list[str]:
    return (data or b"").decode("utf-8", "replace").splitlines(keepends=True)
