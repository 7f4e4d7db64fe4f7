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

from differential_corpus import CACHE, Missing, python_sources

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


def timed(peer: Peer, folder: Path, cores: set[int]) -> tuple[float, int]:
    threads = ("-t", str(len(cores))) if peer.name == "lizard" else ()
    started = time.perf_counter()
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
        raise Missing(f"{peer.name} failed: {done.stderr.strip()[-400:]}")
    return elapsed, peer.functions(done.stdout)


def compare(folder: Path, cores: set[int], rounds: int) -> None:
    times: dict[str, list[float]] = {peer.name: [] for peer in PEERS}
    counts: dict[str, int] = {}
    for _ in range(rounds):
        for peer in PEERS:
            elapsed, counts[peer.name] = timed(peer, folder, cores)
            times[peer.name].append(elapsed)
    ours = statistics.median(times[PEERS[0].name])
    print(f"\n{len(cores)} core{'s' if len(cores) > 1 else ''}{'':14} functions   seconds   times vetgate")
    for peer in PEERS:
        median = statistics.median(times[peer.name])
        print(f"{peer.name:20} {counts[peer.name]:>10,} {median:>9.2f} {median / ours:>15.1f}")


def package(named: list[str]) -> Path:
    missing = [peer.module for peer in PEERS if importlib.util.find_spec(peer.module) is None]
    if missing:
        raise Missing(f"no {' and no '.join(missing)}: pip install 'vetgate[bench]'")
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
    except Missing as problem:
        print(f"metrics_peers: {problem}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
