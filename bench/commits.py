"""Commits of people, replayed as an agent's edits: how many would have been stopped, in which project, by which rule.

python bench/commits.py                  # the figures, by project and by rule
python bench/commits.py --blocks FILE    # every block as a line of JSON, to be read and marked
python bench/commits.py --write-docs     # the figures and the list of blocks in docs/measured/replay.md
"""

from __future__ import annotations

import os
import sys
import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from commit_sources import recordings
from differential_corpus import MissingError
from replay_document import COMMIT_MARKS, write_commits

from vetgate.cli.replay import render
from vetgate.config.load import defaults
from vetgate.service.replay.judge import judgements
from vetgate.service.replay.replay import Replayed
from vetgate.service.replay.tally import Ratings, Tally, read_ratings, tally
from vetgate.source.language import may_hold_code

if TYPE_CHECKING:
    from collections.abc import Sequence

    from commit_sources import Project

    from vetgate.service.replay.judge import EditJudgement


@dataclass(frozen=True)
class Replay:
    """What became of the edits of a project: of `code` in a language that is read, and of the `rest`."""

    project: Project
    commits: int
    code: Tally
    rest: Tally


@dataclass(frozen=True)
class Commits:
    projects: tuple[Replay, ...]
    code: Tally
    rest: Tally
    seconds: float
    ratings: Ratings

    @property
    def commits(self) -> int:
        return sum(each.commits for each in self.projects)


def measured() -> Commits:
    found: list[tuple[Project, int, list[EditJudgement]]] = []
    started = time.perf_counter()
    for project, recording in recordings():
        judged = [replace(each, path=f"{project.name}/{each.path}") for (each,) in judgements(recording, [defaults()])]
        found.append((project, len({each.commit for each in recording.items}), judged))
        print(f"{project.name}: {len(recording.items)} files", file=sys.stderr, flush=True)
    return counted(found, time.perf_counter() - started)


def counted(found: Sequence[tuple[Project, int, list[EditJudgement]]], seconds: float) -> Commits:
    marks = read_ratings(COMMIT_MARKS) if COMMIT_MARKS.exists() else {}
    everything = [each for _, _, judged in found for each in judged]
    return Commits(
        tuple(Replay(project, many, *_tallies(judged, marks)) for project, many, judged in found),
        *_tallies(everything, marks),
        seconds,
        marks,
    )


def _tallies(judged: Sequence[EditJudgement], marks: Ratings) -> tuple[Tally, Tally]:
    code = [each for each in judged if may_hold_code(each.path)]
    return tally(code, marks), tally([each for each in judged if not may_hold_code(each.path)], marks)


def main(arguments: list[str]) -> int:
    os.environ.setdefault("VETGATE_STATE_DIR", str(Path(__file__).parent.parent / ".cache" / "bench" / "state"))
    try:
        found = measured()
    except MissingError as problem:
        print(problem, file=sys.stderr)
        return 1
    what = f"{found.commits} commits of {len(found.projects)} projects"
    replayed = [Replayed(what, each, found.seconds * 1000, ratings=found.ratings) for each in (found.code, found.rest)]
    if "--blocks" in arguments:
        lines = [render(each, "jsonl") for each in replayed]
        Path(arguments[arguments.index("--blocks") + 1]).write_text("".join(lines), encoding="utf-8")
    for name, each in zip(("code", "other files"), replayed, strict=True):
        print(f"\n== {name}\n{render(each, 'text')}", end="")
    if "--write-docs" in arguments:
        write_commits(found)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
