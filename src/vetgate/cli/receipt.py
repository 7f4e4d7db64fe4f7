"""What `init` wrote, kept in the state folder so that it can be taken back: the file as it was, and as we left it."""

from __future__ import annotations

import json
import os
import shutil
from dataclasses import dataclass, replace
from hashlib import blake2b, sha256
from pathlib import Path
from typing import TYPE_CHECKING

from vetgate import runtime
from vetgate.model import UserError
from vetgate.source.replace import read_bytes, write_bytes

if TYPE_CHECKING:
    from collections.abc import Iterator

_PRIVATE = 0o600  # a settings file can hold tokens, and so can the copy of it


@dataclass(frozen=True, slots=True)
class Receipt:
    """One written file. `before` is None when there was none; `projects` are the folders it was written for."""

    path: Path
    kind: str
    before: bytes | None
    after: str
    projects: tuple[str, ...] = ()

    def is_untouched(self, data: bytes | None) -> bool:
        return data is not None and digest(data) == self.after

    def without(self, project: Path) -> Receipt:
        return replace(self, projects=tuple(name for name in self.projects if name != str(project)))

    def with_project(self, project: Path) -> Receipt:
        return replace(self, projects=tuple(sorted({*self.projects, str(project)})))


def digest(data: bytes) -> str:
    return sha256(data).hexdigest()


class Receipts:
    def __init__(self, state: Path) -> None:
        self.folder = state / "init"

    def of(self, path: Path) -> Receipt | None:
        return self._read(self._place(path))

    def all(self) -> Iterator[Receipt]:
        for place in sorted(self.folder.glob("*")):
            receipt = self._read(place)
            if receipt:
                yield receipt

    def copy_of(self, path: Path) -> Path:
        return self._place(path) / "before"

    def keep(self, receipt: Receipt) -> None:
        place = self._place(receipt.path)
        if not (runtime.make_private(str(self.folder)) and runtime.make_private(str(place))):
            raise UserError(
                f"{self.folder} cannot be used to remember what was written",
                hint=f"make it a folder of your own: chmod 700 {self.folder}",
            )
        if receipt.before is None:
            (place / "before").unlink(missing_ok=True)
        else:
            self._write(place / "before", receipt.before)
        facts = {
            "path": os.fspath(receipt.path),
            "kind": receipt.kind,
            "created": receipt.before is None,
            "after": receipt.after,
            "projects": list(receipt.projects),
        }
        self._write(place / "receipt.json", json.dumps(facts, indent=2).encode() + b"\n")

    def forget(self, path: Path) -> None:
        shutil.rmtree(self._place(path), ignore_errors=True)

    def _place(self, path: Path) -> Path:
        return self.folder / blake2b(os.fsencode(os.path.realpath(path)), digest_size=8).hexdigest()

    def _write(self, path: Path, data: bytes) -> None:
        write_bytes(path, data, expected=read_bytes(path), mode=_PRIVATE)

    def _read(self, place: Path) -> Receipt | None:
        try:
            facts = json.loads((place / "receipt.json").read_bytes())
            before = None if facts["created"] else (place / "before").read_bytes()
            return Receipt(Path(facts["path"]), facts["kind"], before, facts["after"], tuple(facts["projects"]))
        except (OSError, ValueError, KeyError, TypeError):
            return None  # damaged or half written: then only what we recognise as ours is taken back
