"""What a gate costs around its command, and what the end of a turn costs when evidence is fresh; one run.

python bench/gates.py [ROUNDS]

Against `sh -c true` started as plainly as Python can, in the same run.
"""

from __future__ import annotations

import contextlib
import json
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

GIT = ("git", "-c", "user.name=bench", "-c", "user.email=bench@example.org")
FILES = 2_000
GATES = {"true": {"command": "true"}, "failing": {"command": "exit 1", "on_fail": "CONTINUE"}}
CONFIG = json.dumps(
    {"version": 1, "gates": GATES, "on": {"stop": ["code", "true"], "prompt": ["failing"], "after_edit": ["true"]}}
)
WHAT = {
    "edited": "around `true` after an edit (at most 25 ms)",
    "known": "around a command at a prompt, for which git lists all that changed (at most 25 ms)",
    "stop": "the whole end of a turn with fresh evidence, sweep included (at most 20 ms)",
}
# What an agent needs to start a hook after it wrote a file.
HOOK_STARTS = 0.015


def planted(root: Path) -> None:
    for number in range(FILES):
        place = root / f"part{number % 40}"
        place.mkdir(parents=True, exist_ok=True)
        (place / f"f{number}.py").write_text(f"def f{number}(a):\n    return a + {number}\n")
    (root / "vetgate.yaml").write_text(CONFIG)
    _an_hour_ago(root)
    for words in (["init", "-q"], ["add", "."], ["commit", "-qm", "x"]):
        subprocess.run([*GIT, *words], cwd=root, check=True)
    time.sleep(3)  # a commit of just now might be the session's own, and git would be asked


def _an_hour_ago(folder: Path) -> None:
    """As a project lies there when somebody opens it: of files as young as its index git reads the content again."""
    then = time.time() - 3600
    for path in folder.rglob("*"):
        os.utime(path, (then, then))


class Took(NamedTuple):
    """Milliseconds by the clock, and of processors, children included: other work on the machine disturbs it less."""

    clock: float
    processor: float


@contextlib.contextmanager
def timed(into: list[Took]) -> Iterator[None]:
    started, used = time.perf_counter(), _used()
    yield
    into.append(Took((time.perf_counter() - started) * 1000, (_used() - used) * 1000))


def _used() -> float:
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


class Session:
    def __init__(self, state: Path, root: Path) -> None:
        from vetgate.app import App  # noqa: PLC0415 - HOME is set by now

        self.root = root
        self.app = App(state)
        self.app.stays = True
        self.app.project(root).store.set_trusted(sha256(CONFIG.encode()).hexdigest(), CONFIG)

    def send(self, event: str, into: list[Took], **fields: object) -> None:
        payload = {"session_id": "bench", "cwd": str(self.root), "hook_event_name": event, **fields}
        with timed(into):
            self.app.answer("claude-code", json.dumps(payload).encode(), str(self.root), seconds=60)
        self.app.flush()

    def edit(self, text: str, into: list[Took]) -> None:
        file = self.root / "part1" / "f1.py"
        file.write_text(text)
        time.sleep(HOOK_STARTS)
        given = {"file_path": str(file), "content": text}
        self.send("PostToolUse", into, tool_name="Write", tool_input=given, tool_response={})


def measured(session: Session, rounds: int) -> dict[str, list[Took]]:
    """Interleaved."""
    found: dict[str, list[Took]] = {"sh": [], "edited": [], "known": [], "stop": []}
    for _ in range(rounds):
        with timed(found["sh"]):
            subprocess.run(["/bin/sh", "-c", "true"], check=True, capture_output=True, stdin=subprocess.DEVNULL)
        session.edit(f"def f(a):\n    return a + {time.time_ns()}\n", found["edited"])
        # It fails, so there is no evidence, and it runs each time.
        session.send("UserPromptSubmit", found["known"], prompt="x")
        session.send("Stop", [])
        session.send("Stop", found["stop"])
    return found


def report(found: dict[str, list[Took]]) -> None:
    """Of gates what they cost beyond the shell that they start; an end of a turn starts none."""
    middle = {name: Took(*map(statistics.median, zip(*took, strict=True))) for name, took in found.items()}
    shell = middle["sh"]
    least = min(took.clock for took in found["sh"])
    print(f"`sh -c true` alone: {shell.clock:.1f} ms, processors {shell.processor:.1f} ms; {FILES} files")
    print("median  (least)  processors  x sh")
    for name, what in WHAT.items():
        own = name != "stop"
        clock, used = middle[name].clock - own * shell.clock, middle[name].processor - own * shell.processor
        lowest = min(took.clock for took in found[name]) - own * least
        print(f"{clock:6.1f} {lowest:8.1f} {used:11.1f} {middle[name].clock / shell.clock:6.1f}  {what}")
    figures = {f"{name}_ms": round(middle[name].clock, 2) for name in found}
    print(json.dumps({"bench": "gates", **figures}))


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 30
    home = Path(tempfile.mkdtemp(prefix="vggates"))
    os.environ["HOME"] = str(home)
    try:
        root = home / "project"
        planted(root)
        session = Session(home / "state", root)
        session.send("SessionStart", [], source="startup")
        measured(session, 3)
        report(measured(session, rounds))
    finally:
        shutil.rmtree(home, ignore_errors=True)


if __name__ == "__main__":
    main()
