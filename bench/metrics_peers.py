"""`vetgate metrics` over a large package against lizard and radon: whole processes, interleaved in one run.

python bench/metrics_peers.py [FOLDER] [ROUNDS]

Without a folder: Django, from the cache of the differential run. lizard and radon come with the `bench` extra.
vetgate prints five measures of every function; lizard three of them, radon one.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from differential_corpus import CACHE, MissingError, python_sources

if TYPE_CHECKING:
    from collections.abc import Callable

ROUNDS = 3
PINNED = hasattr(os, "sched_setaffinity")  # elsewhere only a run on all cores
EVERY = os.sched_getaffinity(0) if PINNED else set(range(os.cpu_count() or 1))


@dataclass(frozen=True)
class Peer:
    name: str
    module: str
    arguments: tuple[str, ...]
    functions: Callable[[str], int]

    def command(self, folder: Path) -> list[str]:
        return [sys.executable, "-m", self.module, *self.arguments, str(folder)]


def lines(out: str) -> int:
    return out.count("\n")


def radon_blocks(out: str) -> int:
    return sum(line.startswith("    ") for line in out.splitlines())


PEERS = (
    Peer("vetgate metrics", "vetgate", ("metrics", "--format", "jsonl"), lines),
    Peer("lizard", "lizard", ("-l", "python", "--csv"), lines),
    Peer("radon cc", "radon", ("cc", "--show-complexity"), radon_blocks),
)


def timed(peer: Peer, folder: Path, cores: set[int]) -> tuple[float, float, int]:
    """Seconds on the clock, seconds of processor time of the peer and its children, functions."""
    threads = ("-t", str(len(cores))) if peer.name == "lizard" else ()
    started, worked = time.perf_counter(), processor_time()
    done = subprocess.run(
        [*peer.command(folder), *threads],
        capture_output=True,
        text=True,
        check=False,
        cwd=folder,
        preexec_fn=(lambda: os.sched_setaffinity(0, cores)) if PINNED else None,
    )
    elapsed = time.perf_counter() - started
    if done.returncode not in {0, 1}:  # lizard says 1 when it would warn
        raise MissingError(f"{peer.name} failed: {done.stderr.strip()[-400:]}")
    return elapsed, processor_time() - worked, peer.functions(done.stdout)


def processor_time() -> float:
    times = os.times()
    return times.children_user + times.children_system


def compare(folder: Path, cores: set[int], rounds: int) -> None:
    runs: dict[str, list[tuple[float, float, int]]] = {peer.name: [] for peer in PEERS}
    for _ in range(rounds):
        for peer in PEERS:
            runs[peer.name].append(timed(peer, folder, cores))
    ours = medians(runs[PEERS[0].name])
    print(f"\n{counted(len(cores)):16} functions  seconds  processor s   times vetgate: seconds  processor s")
    for peer in PEERS:
        clock, processor = medians(runs[peer.name])
        functions = runs[peer.name][-1][2]
        ratios = f"{clock / ours[0]:>24.1f} {processor / ours[1]:>12.1f}"
        print(f"{peer.name:16} {functions:>9,} {clock:>8.2f} {processor:>12.2f} {ratios}")


def medians(runs: list[tuple[float, float, int]]) -> tuple[float, float]:
    return statistics.median(run[0] for run in runs), statistics.median(run[1] for run in runs)


def counted(cores: int) -> str:
    return f"{cores} core{'s' if cores > 1 else ''}"


def package(named: list[str]) -> Path:
    missing = [peer.module for peer in PEERS if importlib.util.find_spec(peer.module) is None]
    if missing:
        raise MissingError(f"no {' and no '.join(missing)}: pip install 'vetgate[bench]'")
    if named:
        return Path(named[0]).resolve()
    python_sources()
    return CACHE / "pypi" / "django"


def only_python(package: Path, scratch: Path) -> Path:
    """Radon reads nothing else, so nobody gets anything else to read."""

    def others(folder: str, names: list[str]) -> list[str]:
        return [name for name in names if not (name.endswith(".py") or Path(folder, name).is_dir())]

    return shutil.copytree(package, scratch / package.name, ignore=others)


def main() -> int:
    named = [argument for argument in sys.argv[1:] if not argument.isdigit()]
    rounds = next((int(argument) for argument in sys.argv[1:] if argument.isdigit()), ROUNDS)
    try:
        with tempfile.TemporaryDirectory() as scratch:
            folder = only_python(package(named), Path(scratch))
            files = sum(1 for _ in folder.rglob("*.py"))
            print(f"metrics over {folder.name}: {files:,} files, medians of {rounds} interleaved rounds")
            if PINNED and len(EVERY) > 1:
                compare(folder, {min(EVERY)}, rounds)
            compare(folder, EVERY, rounds)
    except MissingError as problem:
        print(f"metrics_peers: {problem}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
