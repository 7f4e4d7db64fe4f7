"""Files of a commit, read one by one without a work tree."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

from vetgate.source import git_objects
from vetgate.source.git_process import TIMEOUT, ask

if TYPE_CHECKING:
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class Committed:
    """Of a commit that need not exist: then there are no files. `folder` is the one whose Markdown pages are listed."""

    top: Path
    commit: str
    folder: str
    seconds: float = TIMEOUT

    def data(self, name: str) -> bytes | None:
        return None if "\n" in name else git_objects.read((f"{self.commit}:{name}",), self.top, self.seconds)[0]

    def pages(self) -> list[str]:
        args = ("ls-tree", "-z", "--name-only", "--full-tree", self.commit, "--", f"{self.folder}/")
        answer = ask(args, self.top, seconds=self.seconds)
        return sorted(os.fsdecode(name) for name in answer.out.split(b"\0") if name.endswith(b".md"))
