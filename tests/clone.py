"""A person's clone with the gate in git's own hooks: real git, a home of its own, and a PATH without vetgate."""

from __future__ import annotations

import stat
import subprocess
from typing import TYPE_CHECKING

from desk import Desk

if TYPE_CHECKING:
    from pathlib import Path

BRANCHES = "".join(f"    if a == {number}:\n        return {number}\n" for number in range(12))
BAD = f"def tangled(a):\n{BRANCHES}"
ALSO_BAD = f"def knotted(a):\n{BRANCHES}"
GOOD = "def plain(a):\n    return a\n"


class Clone(Desk):
    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        (self.home / ".gitconfig").write_text(
            '[user]\nname = A\nemail = a@example.org\n[init]\ndefaultBranch = main\n[protocol "file"]\nallow = always\n'
        )
        self.git("symbolic-ref", "HEAD", "refs/heads/main")
        self.hooks = self.root / ".git" / "hooks"

    def gated(self, *words: str) -> Clone:
        said = self.init("--yes", "--git", *words)
        assert said.returncode == 0, said.stderr
        return self

    def run(self, *words: str, cwd: Path | None = None, **env: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["git", *words],
            cwd=cwd or self.root,
            env=self.env | env,
            capture_output=True,
            text=True,
            check=False,
            stdin=subprocess.DEVNULL,
            timeout=60,
        )

    def ok(self, *words: str, cwd: Path | None = None, **env: str) -> str:
        done = self.run(*words, cwd=cwd, **env)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout.strip()

    def stopped(self, *words: str, cwd: Path | None = None, **env: str) -> str:
        """What is said by a git that was held back; HEAD has to stay where it was."""
        head = self.run("rev-parse", "HEAD", cwd=cwd).stdout
        done = self.run(*words, cwd=cwd, **env)
        assert done.returncode != 0, f"it passed: {done.stdout}{done.stderr}"
        assert self.run("rev-parse", "HEAD", cwd=cwd).stdout == head
        return done.stdout + done.stderr

    def write(self, path: str, text: str, *, cwd: Path | None = None) -> Path:
        file = (cwd or self.root) / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        return file

    def hook(self, path: Path, text: str, mode: int = 0o755) -> Path:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        path.chmod(mode)
        return path


def picture(folder: Path) -> dict[str, tuple[int, bytes | str]]:
    """Every file below, with its mode and its bytes, or where it leads."""
    found: dict[str, tuple[int, bytes | str]] = {}
    for path in sorted(folder.rglob("*")):
        mode = path.lstat().st_mode
        if stat.S_ISLNK(mode):
            found[str(path.relative_to(folder))] = (0, str(path.readlink()))
        elif stat.S_ISREG(mode):
            found[str(path.relative_to(folder))] = (stat.S_IMODE(mode), path.read_bytes())
    return found
