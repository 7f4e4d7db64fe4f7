"""Successive releases of well-kept packages, replayed: how much of what good people wrote would have been stopped.

python bench/replay.py                  # the figures, by language and by rule, and the speed
python bench/replay.py --blocks FILE    # every block as a line of JSON, to be read and marked
python bench/replay.py --write-docs     # the figures and the list of blocks in docs/measured/replay.md
"""

from __future__ import annotations

import os
import sys
import time
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from differential_corpus import MissingError
from releases import PYTHON, first, repositories, sizes
from replay_document import write

from vetgate.cli.replay import render
from vetgate.config.load import defaults
from vetgate.service.replay.judge import judgements
from vetgate.service.replay.recording import history
from vetgate.service.replay.replay import Replayed
from vetgate.service.replay.tally import Ratings, Tally, read_ratings, tally
from vetgate.source import git

if TYPE_CHECKING:
    from vetgate.service.replay.judge import EditJudgement

MARKS = Path(__file__).parent / "corpus" / "replay-marks.jsonl"
SIZES = (("up to 10 lines", 0, 10), ("11 to 50", 11, 50), ("51 to 200", 51, 200), ("more than 200", 201, 10**9))
CODE = frozenset({".py", ".js", ".jsx", ".mjs", ".cjs", ".ts", ".tsx", ".mts", ".cts"})


@dataclass(frozen=True)
class Measured:
    """`code` are edits of JavaScript, TypeScript and Python; `rest` of all other files."""

    code: Tally
    script: Tally
    python: Tally
    rest: Tally
    by_size: tuple[tuple[str, Tally], ...]
    packages: int
    seconds: float
    busy: float
    ratings: Ratings

    @property
    def edits(self) -> int:
        return self.code.edits + self.rest.edits


def measured() -> Measured:
    marks = read_ratings(MARKS) if MARKS.exists() else {}
    found: dict[bool, list[EditJudgement]] = {True: [], False: []}
    seconds, packages, lines = 0.0, repositories(), dict[str, int]()
    busy = sum(os.times()[:4])
    for package, folder in packages:
        lines |= sizes(folder)
        recording = history(git.open_at(folder), f"{first(folder)}..HEAD")
        started = time.perf_counter()
        for (judgement,) in judgements(recording, [defaults()]):
            found[package in PYTHON].append(replace(judgement, path=f"{package.name}/{judgement.path}"))
        seconds += time.perf_counter() - started
        print(f"{package.name}: {len(recording.items)} files", file=sys.stderr, flush=True)
    everything = found[True] + found[False]
    code = [each for each in everything if _is_code(each)]
    return Measured(
        code=tally(code, marks),
        script=tally([each for each in found[False] if _is_code(each)], marks),
        python=tally([each for each in found[True] if _is_code(each)], marks),
        rest=tally([each for each in everything if not _is_code(each)], marks),
        by_size=tuple(
            (name, tally([each for each in code if least <= lines.get(each.edit, 0) <= most], marks))
            for name, least, most in SIZES
        ),
        packages=len(packages),
        seconds=seconds,
        busy=sum(os.times()[:4]) - busy,
        ratings=marks,
    )


def _is_code(judgement: EditJudgement) -> bool:
    return PurePosixPath(judgement.path).suffix in CODE


def main(arguments: list[str]) -> int:
    os.environ.setdefault("VETGATE_STATE_DIR", str(Path(__file__).parent.parent / ".cache" / "bench" / "state"))
    try:
        found = measured()
    except MissingError as problem:
        print(problem, file=sys.stderr)
        return 1
    if "--blocks" in arguments:
        lines = [render(_replayed(each, found), "jsonl") for each in (found.code, found.rest)]
        Path(arguments[arguments.index("--blocks") + 1]).write_text("".join(lines), encoding="utf-8")
    for name, each in (("code", found.code), ("other files", found.rest)):
        print(f"\n== {name}")
        print(render(_replayed(each, found), "text"), end="")
    took = f"{found.edits:,} edits in {found.seconds:.0f} s, {found.busy:.0f} s of processor time"
    print(f"\n{took}: 1,000 take {found.busy / found.edits * 1000 / 2:.0f} s on two free cores")
    if "--write-docs" in arguments:
        write(found)
    return 0


def _replayed(each: Tally, found: Measured) -> Replayed:
    return Replayed(f"{found.packages} packages", each, found.seconds * 1000, ratings=found.ratings)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
