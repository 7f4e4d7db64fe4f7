"""A real repository in a temporary folder, and what the command line says in it."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


@dataclass(frozen=True)
class Tree:
    top: Path

    def git(self, *args: str) -> str:
        done = subprocess.run(["git", *args], cwd=self.top, capture_output=True, check=False)
        assert done.returncode == 0, done.stderr.decode()
        return done.stdout.decode().strip()

    def write(self, path: str, content: str | bytes) -> Path:
        file = self.top / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content.encode() if isinstance(content, str) else content)
        return file

    def commit(self, message: str = "work") -> str:
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", message)
        return self.git("rev-parse", "HEAD")


@dataclass(frozen=True)
class Said:
    status: int
    out: str
    err: str
