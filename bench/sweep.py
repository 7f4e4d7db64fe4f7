"""What the look behind the gate's back costs after a command in a tree of 25,000 files, against `git status`; one run.

python bench/sweep.py [ROUNDS]
"""

from __future__ import annotations

import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

FOLDERS, FILES = 500, 50
GIT = ("git", "-c", "user.name=bench", "-c", "user.email=bench@example.org")


def planted(root: Path) -> None:
    for folder in range(FOLDERS):
        place = root / f"part{folder % 50}" / f"m{folder}"
        place.mkdir(parents=True)
        for number in range(FILES):
            (place / f"f{number}.py").write_text(f"def f{number}(a):\n    return a + {number}\n")
    for words in (["init", "-q"], ["add", "."], ["commit", "-qm", "x"]):
        subprocess.run([*GIT, *words], cwd=root, check=True)


class Session:
    def __init__(self, state: Path, root: Path) -> None:
        from vetgate.app import App  # noqa: PLC0415 - HOME is set by now

        self.root = root
        self.app = App(state)
        self.app.stays = True

    def send(self, event: str, **fields: object) -> float:
        payload = {"session_id": "bench", "cwd": str(self.root), "hook_event_name": event, **fields}
        started = time.perf_counter()
        self.app.answer("claude-code", json.dumps(payload).encode(), str(self.root))
        elapsed = (time.perf_counter() - started) * 1000
        self.app.flush()
        return elapsed

    def after_a_command(self, number: int) -> float:
        (self.root / "part1" / "m1" / "f1.py").write_text(f"def f(a):\n    return {number}\n")
        return self.send("PostToolUse", tool_name="Bash", tool_input={"command": "true"})


def status(root: Path) -> float:
    started = time.perf_counter()
    subprocess.run(["git", "status", "--porcelain", "-uall"], cwd=root, check=True, capture_output=True)
    return (time.perf_counter() - started) * 1000


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    home = Path(tempfile.mkdtemp(prefix="vgsweep"))
    os.environ["HOME"] = str(home)
    try:
        root = home / "project"
        planted(root)
        session = Session(home / "state", root)
        session.send("SessionStart", source="startup")
        session.after_a_command(-1)  # from here on the kernel's list is complete
        swept, asked = [], []
        for number in range(rounds):
            swept.append(session.after_a_command(number))
            asked.append(status(root))
        ended = [session.send("Stop", stop_hook_active=False) for _ in range(5)]
        ours, theirs, last = map(statistics.median, (swept, asked, ended))
        print(f"after a command {ours:.1f} ms, end of a turn {last:.1f} ms, git status -uall {theirs:.1f} ms")
        print(f"sweep / git status: {ours / theirs:.2f} ({FOLDERS * FILES} files; target: at most 50 ms)")
        print(
            json.dumps({"bench": "sweep", "ratio_to_git_status": round(ours / theirs, 3), "sweep_ms": round(ours, 2)})
        )
    finally:
        shutil.rmtree(home, ignore_errors=True)


if __name__ == "__main__":
    main()
