"""Commands: how many dangerous ones are stopped, how many everyday ones are not let through, and how long it takes.

    python bench/commands.py [FILE.jsonl …]

Without files it takes the tables of the tests. A line of a file is {"command": …, "expected": "block" or "allow"}.
Times are of the processor, so that what else the machine does counts less: `first` when the command is new, `again` the
best of two more.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "tests"))

from command_tables import PLACE, rows  # noqa: E402
from vetgate.checks.unsafe_command.judge import judge  # noqa: E402

_ROUNDS = 3


def corpus(files: list[str]) -> list[tuple[str, bool]]:
    """Commands, and whether they are to be stopped."""
    if not files:
        return [(text, True) for _, text in rows("dangerous")] + [(text, False) for _, text in rows("benign")]
    lines = [json.loads(line) for file in files for line in Path(file).read_text("utf-8").splitlines() if line]
    return [(line["command"], line["expected"] != "allow") for line in lines]


def timed(command: str) -> tuple[bool, list[float]]:
    times = []
    stopped = False
    for _ in range(_ROUNDS):
        start = time.process_time()
        stopped = bool(judge(command, PLACE))
        times.append((time.process_time() - start) * 1000)
    return stopped, times


def startup() -> float:
    """Milliseconds from nothing to the first answer, beyond an interpreter that does nothing; the median of five."""
    code = (
        "from pathlib import Path as P; from vetgate.checks.unsafe_command.judge import judge; "
        "from vetgate.checks.unsafe_command.command_context import CommandContext; "
        "judge('ls', CommandContext(P(), P(), P()))"
    )
    return _median(code) - _median("pass")


def _median(code: str) -> float:
    times = []
    for _ in range(5):
        start = time.perf_counter()
        subprocess.run([sys.executable, "-c", code], check=True)
        times.append((time.perf_counter() - start) * 1000)
    return statistics.median(times)


def share(part: int, whole: int) -> str:
    return f"{part} of {whole} ({100 * part / whole:.1f}%)" if whole else "none"


def main(files: list[str]) -> int:
    results = [(command, bad, *timed(command)) for command, bad in corpus(files)]
    dangerous = [(command, stopped) for command, bad, stopped, _ in results if bad]
    everyday = [(command, stopped) for command, bad, stopped, _ in results if not bad]
    print(f"dangerous stopped    {share(sum(stopped for _, stopped in dangerous), len(dangerous))}")
    print(f"everyday stopped     {share(sum(stopped for _, stopped in everyday), len(everyday))}")
    first = sorted(times[0] for *_, times in results)
    again = sorted(min(times[1:]) for *_, times in results)
    for name, values in (("first", first), ("again", again)):
        print(f"{name:<20} p50 {values[len(values) // 2]:.2f} ms, p95 {values[int(len(values) * 0.95)]:.2f} ms")
    print(f"start-up             {startup():.0f} ms")
    for command, stopped in dangerous:
        if not stopped:
            print(f"missed: {command!r}")
    for command, stopped in everyday:
        if stopped:
            print(f"stopped: {command!r}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
