"""What reading the end of a conversation costs in a small transcript and in one of 50 MB: at most 5 ms more.

Both are made of bench/corpus/transcript.jsonl, lines of a real session, with long results among them and links from
line to line as the client writes them. Each preset is read cold, by a process that has not seen the file, and warm.
"""

from __future__ import annotations

import itertools
import json
import sys
import tempfile
import time
from pathlib import Path

from vetgate.agents import agent
from vetgate.agents.claude_code import recent_messages
from vetgate.agents.conversation import Preset
from vetgate.judges import presets

SAMPLE = Path(__file__).parent / "corpus" / "transcript.jsonl"
SMALL, LARGE = 200_000, 50_000_000
RUNS = 60
LIMIT_MS = 5.0


def made(path: Path, size: int) -> Path:
    """The sample over and over, one prompt to 20 rounds, every eighth result as long as a test run's output."""
    lines = [json.loads(line) for line in SAMPLE.read_text("utf-8").splitlines()]
    written, parent, number = 0, None, itertools.count()
    with path.open("w", encoding="utf-8") as stream:
        for round_number in itertools.count():
            for line in lines[1:] if round_number % 20 else lines:
                at = next(number)
                fresh = line | {"uuid": f"{at:032x}", "parentUuid": parent}
                if at % 8 == 2 and isinstance(fresh.get("message", {}).get("content"), list):
                    block = fresh["message"]["content"][0] | {"content": f"test {at} passed\n" * 1_500}
                    fresh["message"] = fresh["message"] | {"content": [block]}
                parent = fresh["uuid"]
                written += stream.write(json.dumps(fresh, separators=(",", ":")) + "\n")
                if written >= size:
                    return path
    raise AssertionError


def milliseconds(paths: tuple[Path, ...], preset: Preset, *, cold: bool) -> list[float]:
    """In turns, so that whoever else is busy here holds up all of them alike."""
    read = agent("claude-code").transcript.recent
    times: list[list[float]] = [[] for _ in paths]
    for _ in range(RUNS):
        for path, taken in zip(paths, times, strict=True):
            if cold:
                recent_messages._searched.clear()  # noqa: SLF001 - what only a fresh process has
            before = time.perf_counter()
            read(path, preset)
            taken.append((time.perf_counter() - before) * 1000)
    return [min(taken) for taken in times]  # what it costs; what comes on top is the machine's


def main() -> int:
    named = {name: preset for name, preset in vars(presets).items() if isinstance(preset, Preset) and preset.users}
    worst = 0.0
    with tempfile.TemporaryDirectory() as folder:
        small, large = (made(Path(folder) / f"{size}.jsonl", size) for size in (SMALL, LARGE))
        print(f"{'preset':14} {'0.2 MB':>9} {'50 MB':>9} {'more':>9}   fastest of {RUNS} runs, in ms")
        for name, preset in named.items():
            for cold in (True, False):
                few, many = milliseconds((small, large), preset, cold=cold)
                worst = max(worst, many - few)
                print(f"{name.lower():14} {few:9.2f} {many:9.2f} {many - few:9.2f}   {'cold' if cold else 'warm'}")
    print(f"\nat most {worst:.2f} ms more; the limit is {LIMIT_MS:.0f} ms")
    return 0 if worst <= LIMIT_MS else 1


if __name__ == "__main__":
    sys.exit(main())
