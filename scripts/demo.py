"""The gate at work on a throw-away repository: a bad edit refused, the fix let through, the time it took.

Everything happens in a temporary folder with a home of its own; nothing of yours is read or changed.
"""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
import tempfile
import time
from pathlib import Path

VETGATE = Path(sys.executable).with_name("vetgate")
COLOURS = sys.stdout.isatty() and "NO_COLOR" not in os.environ
ROUNDS = 20
# Setting up is a person's act and refused below an agent's process. The home is the demo's own, so whoever shows the
# demo may do it.
INIT = """
import vetgate.config.person as person
person.PROGRAMS, person.MARKERS_ABOVE, person.SCRIPTED = {}, {}, frozenset()
from vetgate.cli.main import main
main()
"""

BAD = """\
export function price(order: Order, user: User, coupon?: Coupon): number {
  let total = 0;
  for (const item of order.items) {
    if (item.active) {
      if (user.isMember) {
        if (coupon && coupon.valid) {
          total += item.price * 0.7;
        } else {
          total += item.price * 0.9;
        }
      } else if (coupon) {
        total += item.price * 0.8;
      } else {
        total += item.price;
      }
    }
  }
  if (total > 100 && user.country === "NL") {
    total -= 10;
  }
  return total;
}
"""

GOOD = """\
function rate(user: User, coupon?: Coupon): number {
  if (user.isMember) {
    return coupon?.valid ? 0.7 : 0.9;
  }
  return coupon ? 0.8 : 1;
}

export function price(order: Order, user: User, coupon?: Coupon): number {
  const active = order.items.filter((item) => item.active);
  const total = active.reduce((sum, item) => sum + item.price * rate(user, coupon), 0);
  return total > 100 && user.country === "NL" ? total - 10 : total;
}
"""


def say(text: str, colour: str = "") -> None:
    print(f"\033[{colour}m{text}\033[0m" if COLOURS and colour else text, flush=True)


def run(words: list[str], project: Path, environment: dict[str, str]) -> str:
    done = subprocess.run(words, cwd=project, env=environment, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{shlex.join(words)} failed:\n{done.stdout}{done.stderr}")
    return done.stdout


class Agent:
    """What a coding agent does before it writes: ask the registered hook, and obey."""

    def __init__(self, home: Path, project: Path, environment: dict[str, str]) -> None:
        settings = json.loads((home / ".claude" / "settings.json").read_text())
        self.hook = settings["hooks"]["PreToolUse"][0]["hooks"][0]["command"]
        self.project = project
        self.environment = environment

    def write(self, name: str, content: str) -> tuple[int, str, float]:
        """Exit status, what the agent is told, and the milliseconds from start to end of the hook process."""
        call = {
            "session_id": "demo",
            "cwd": str(self.project),
            "hook_event_name": "PreToolUse",
            "tool_name": "Write",
            "tool_input": {"file_path": str(self.project / name), "content": content},
        }
        started = time.perf_counter()
        done = subprocess.run(
            ["/bin/sh", "-c", self.hook],
            input=json.dumps(call),
            cwd=self.project,
            env=self.environment,
            capture_output=True,
            text=True,
            check=False,
        )
        elapsed = (time.perf_counter() - started) * 1000
        return done.returncode, done.stderr, elapsed


def main(folder: Path) -> None:
    home, project = folder / "home", folder / "shop"
    home.mkdir()
    project.mkdir()
    (folder / "run").mkdir(mode=0o700)
    environment = {
        "HOME": str(home),
        "PATH": f"{VETGATE.parent}:/usr/local/bin:/usr/bin:/bin",
        "VETGATE_RUNTIME_DIR": str(folder / "run"),
    }
    run(["git", "init", "-q"], project, environment)
    (project / "package.json").write_text('{"name": "shop", "scripts": {"test": "vitest run"}}\n')
    (project / "price.ts").write_text("export const currency = 'EUR';\n")

    say("$ vetgate init --yes", "1")
    say(run([sys.executable, "-I", "-c", INIT, "init", "--yes"], project, environment))
    agent = Agent(home, project, environment)
    try:
        say("# An agent is about to write src/price.ts", "1;36")
        status, told, cold = agent.write("src/price.ts", BAD)
        say(told, "31")
        say(f"exit {status}: the file was not written.\n", "1;31")

        say("# It does as it was told, and tries again", "1;36")
        status, told, _ = agent.write("src/price.ts", GOOD)
        say(f"exit {status}: no objection{told and ' ' + told}. The user's own permissions decide.\n", "1;32")

        times = sorted(agent.write("src/price.ts", GOOD)[2] for _ in range(ROUNDS))
        say("# The time it took, from the start of the hook process to its end", "1;36")
        say(f"{cold:6.0f} ms  the first call, with no daemon yet")
        say(f"{times[ROUNDS // 2]:6.1f} ms  each call after it (median of {ROUNDS})")
    finally:
        told = run([str(VETGATE), "daemon", "stop"], project, environment)
    if told != "stopped\n":
        sys.exit(f"the daemon is still there: {told}")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory(prefix="vetgate-demo-") as temporary:
        main(Path(temporary))
