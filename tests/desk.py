"""A person's machine: a home, a repository, and a PATH that holds only what the test puts there."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

SECONDS = 60

# Whoever runs these tests may do so below an agent; what is under test then is everything but that refusal.
RUN = """
import vetgate.config.person as person
person.PROGRAMS, person.MARKERS_ABOVE, person.SCRIPTED = {}, {}, frozenset()
from vetgate.cli.main import main
main()
"""


class Desk:
    def __init__(self, folder: Path) -> None:
        self.home = folder / "home"
        self.root = folder / "repo"
        self.bin = folder / "bin"
        for each in (self.home, self.root, self.bin):
            each.mkdir(parents=True)
        self.user = self.home / ".claude" / "settings.json"
        self.state = self.home / ".local" / "state" / "vetgate"
        self.launcher = self.state / "bin" / "vetgate-hook"
        self.env = {"HOME": str(self.home), "PATH": f"{self.bin}:/usr/bin:/bin", "VETGATE_DAEMON": "off"}
        self.git("init", "-q")

    def git(self, *words: str) -> None:
        subprocess.run(["git", *words], cwd=self.root, check=True, capture_output=True, env=self.env)

    def vetgate(self, *words: str, cwd: Path | None = None, **env: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-c", RUN, *words],
            cwd=cwd or self.root,
            env=self.env | env,
            capture_output=True,
            text=True,
            timeout=SECONDS,
            stdin=subprocess.DEVNULL,
            check=False,
        )

    def init(self, *words: str, cwd: Path | None = None, **env: str) -> subprocess.CompletedProcess[str]:
        return self.vetgate("init", *words, cwd=cwd, **env)

    def install_client(self, script: str) -> None:
        program = self.bin / "claude"
        program.write_text(f"#!/bin/sh\n{script}\n")
        program.chmod(0o755)

    def files(self) -> dict[str, bytes]:
        top = self.home.parent
        there = (path for path in top.rglob("*") if path.is_file() and ".git" not in path.relative_to(top).parts)
        return {str(path.relative_to(top)): path.read_bytes() for path in there}


def lay(path: Path, content: object) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content if isinstance(content, str) else json.dumps(content, indent=2))
