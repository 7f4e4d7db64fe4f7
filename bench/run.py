"""Every benchmark, one after the other, in one run on one machine: `make bench`, or `python bench/run.py NAME…`."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
BENCHMARKS = {
    "hook": ("hook_latency.py", "a whole hook call against an empty Node.js hook and a bare interpreter"),
    "metrics": ("metrics_peers.py", "vetgate metrics over a large package against lizard and radon"),
    "differential": ("differential.py", "function by function against ESLint, sonarjs, ruff, complexipy"),
    "security": ("security.py", "recall, false alarms and time against bandit, ruff, two ESLint plugins and semgrep"),
    "secrets": ("secrets_bench.py", "secrets found by format and look-alikes flagged, against six other scanners"),
    "types": ("type_slips.py", "values that the type beside them denies, in strictly typed packages: every finding"),
    "index": ("index.py", "the project index: building it, asking it, and a verdict beside it in 10,000 files"),
    "sweep": ("sweep.py", "the look at what a command changed, in 25,000 files, against git status"),
    "gates": ("gates.py", "what a gate costs around its command, and the end of a turn, against `sh -c true`"),
    "commands": ("commands.py", "dangerous commands stopped, everyday ones let through, and the time it takes"),
    "replay": ("replay.py", "successive releases of 43 packages replayed: how much good code would have been stopped"),
}


def main(names: list[str]) -> int:
    unknown = [name for name in names if name not in BENCHMARKS]
    if unknown:
        print(f"no benchmark is called {unknown[0]}; there are: {', '.join(BENCHMARKS)}", file=sys.stderr)
        return 2
    failed = []
    for name in names or BENCHMARKS:
        script, what = BENCHMARKS[name]
        print(f"\n== {name}: {what}\n", flush=True)
        if subprocess.run([sys.executable, str(HERE / script)], check=False, env=os.environ).returncode:
            failed.append(name)
    if failed:
        print(f"\ndid not finish: {', '.join(failed)}", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
