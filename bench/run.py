"""Every benchmark, one after the other, in one run on one machine: `make bench`, or `python bench/run.py NAME…`.

A benchmark that ends with a line of JSON with `ratios` (less is better) is compared with what `bench/ratios.json` says
it was: more than a quarter worse is red, and the run ends with status 1. `--accept` writes the new ones there.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
COMMITTED = HERE / "ratios.json"
WORSE = 1.25
RED, PLAIN = ("\033[31m", "\033[0m") if sys.stdout.isatty() or os.environ.get("FORCE_COLOR") else ("", "")
BENCHMARKS = {
    "hook": ("hook_latency.py", "a whole hook call against an empty Node.js hook and a bare interpreter"),
    "cold": ("hook_latency.py --cold --files 12", "the same while the index of the project is being built"),
    "check": (
        "check_speed.py",
        "vetgate check over 1,000 files, twice, against bandit; a change of two files in 5,000",
    ),
    "memory": ("memory.py", "memory of the daemon with two large repositories, and after it rested"),
    "metrics": ("metrics_peers.py", "vetgate metrics over a large package against lizard and radon"),
    "differential": ("differential.py", "function by function against ESLint, sonarjs, ruff, complexipy"),
    "security": ("security.py", "recall, false alarms and time against bandit, ruff, two ESLint plugins and semgrep"),
    "secrets": ("secrets_bench.py", "secrets found by format and look-alikes flagged, against six other scanners"),
    "types": ("type_slips.py", "values that the type beside them denies, in strictly typed packages: every finding"),
    "index": ("index.py", "the project index: building it, asking it, and a verdict beside it in 10,000 files"),
    "sweep": ("sweep.py", "the look at what a command changed, in 25,000 files, against git status"),
    "gates": ("gates.py", "what a gate costs around its command, and the end of a turn, against `sh -c true`"),
    "commands": ("commands.py", "dangerous commands stopped, everyday ones let through, and the time it takes"),
    "ship": ("ship.py", "what the ship gate adds to a push and to any other command, against an empty Node.js hook"),
    "transcript": ("transcript.py", "the end of a conversation read from a small transcript and from one of 50 MB"),
    "lazy_judges": ("lazy_judges.py", "what a lazy judge adds to the answer to an edit"),
    "mcp": ("mcp_server.py", "the MCP server: its start against a bare import, a check against the daemon's verdict"),
    "judges": ("judges.py", "precision, recall, cost and latency of every judge against a configured model"),
    "replay": ("replay.py", "successive releases of 43 packages replayed: how much good code would have been stopped"),
    "commits": ("commits.py", "651 commits of 19 projects replayed: how many edits of people would have been stopped"),
}


def main(words: list[str]) -> int:
    names = [word for word in words if word != "--accept"]
    unknown = [name for name in names if name not in BENCHMARKS]
    if unknown:
        print(f"no benchmark is called {unknown[0]}; there are: {', '.join(BENCHMARKS)}", file=sys.stderr)
        return 2
    committed: dict[str, dict[str, float]] = json.loads(COMMITTED.read_text()) if COMMITTED.exists() else {}
    failed, worse = [], []
    for name in names or BENCHMARKS:
        script, what = BENCHMARKS[name]
        print(f"\n== {name}: {what}\n", flush=True)
        status, ratios = ran(script.split())
        if status:
            failed.append(name)
        elif ratios:
            worse += compared(name, ratios, committed.get(name, {}))
            committed[name] = ratios
    if "--accept" in words:
        COMMITTED.write_text(json.dumps(committed, indent=1, sort_keys=True) + "\n")
    if failed:
        print(f"\ndid not finish: {', '.join(failed)}", file=sys.stderr)
    if worse:
        print(f"\n{RED}more than a quarter worse: {', '.join(worse)}{PLAIN}", file=sys.stderr)
    return 1 if failed or (worse and "--accept" not in words) else 0


def ran(command: list[str]) -> tuple[int, dict[str, float]]:
    """Its status and its ratios; what it prints is shown as it comes."""
    last = ""
    with subprocess.Popen(
        [sys.executable, str(HERE / command[0]), *command[1:]], env=os.environ, stdout=subprocess.PIPE, text=True
    ) as child:
        for line in child.stdout or ():
            print(line, end="", flush=True)
            last = line if line.startswith("{") else last
    return child.returncode, json.loads(last).get("ratios", {}) if last else {}


def compared(name: str, ratios: dict[str, float], committed: dict[str, float]) -> list[str]:
    """A line for each ratio with the committed one beside it; the names of those that are worse."""
    worse = []
    print(f"\n{name:<58}{'now':>8}{'committed':>11}")
    for what, now in ratios.items():
        was = committed.get(what)
        is_worse = was is not None and now > was * WORSE
        worse += [f"{name}: {what}"] if is_worse else []
        shown = f"{was:>11.2f}" if was is not None else f"{'-':>11}"
        print(f"{RED if is_worse else ''}{what:<58}{now:>8.2f}{shown}{PLAIN if is_worse else ''}")
    return worse


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
