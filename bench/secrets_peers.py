"""Every scanner over the same files: what each says, and how long it takes."""

from __future__ import annotations

import statistics
import sys
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from differential_corpus import MissingError
from secrets_tools import Peer, Run, peers, run

if TYPE_CHECKING:
    from secrets_corpus import Sample
    from secrets_score import Answers

ROUNDS = 3


@dataclass(frozen=True)
class Pace:
    """Milliseconds: a process over one file, and each of many in one process; of these the processor's."""

    tool: str
    alone: float
    alone_processor: float
    each: float
    each_processor: float


@dataclass(frozen=True)
class Comparison:
    told: dict[str, Answers]
    paces: list[Pace]
    versions: list[str]
    missing: list[str]

    def together(self) -> Answers:
        merged: Answers = {}
        for answers in self.told.values():
            for sample, lines in answers.items():
                merged.setdefault(sample, []).extend(lines)
        return merged

    def as_json(self) -> dict[str, object]:
        return {"pace_ms": [asdict(each) for each in self.paces], "missing": self.missing}


def compare(sample: list[Sample]) -> Comparison:
    there, missing = peers()
    told: dict[str, Answers] = {}
    paces = []
    with tempfile.TemporaryDirectory(prefix="bench") as scratch:
        home, folder, single = (Path(scratch, name) for name in ("home", "all", "one"))
        home.mkdir()
        _lay_out(sample, folder)
        _lay_out([sorted(sample, key=lambda each: len(each.text))[len(sample) // 2]], single)
        for peer in there:
            try:
                many = run(peer, folder, home)
                told[peer.name] = _answers(peer, many, sample, folder)
                paces.append(_pace(peer, many, folder, single, home))
            except MissingError as problem:
                missing.append(str(problem))
        paces.append(_own_pace(folder, single, home))
    return Comparison(told, paces, [each.version for each in there], missing)


def _lay_out(sample: list[Sample], folder: Path) -> None:
    """Each in a folder of its own, so that its path is what it says."""
    for number, each in enumerate(sample):
        path = folder / f"{number:04}" / each.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(each.text, encoding="utf-8")


def _answers(peer: Peer, done: Run, sample: list[Sample], folder: Path) -> Answers:
    answers: Answers = {each: [] for each in sample}
    for path, line in peer.read(done.out):
        place = Path(path)
        relative = place.relative_to(folder) if place.is_absolute() else place
        answers[sample[int(relative.parts[0])]].append(line)
    return answers


def _pace(peer: Peer, many: Run, folder: Path, single: Path, home: Path) -> Pace:
    alone = [run(peer, single, home) for _ in range(ROUNDS)]
    again = [many] if peer.slow else [many, *(run(peer, folder, home) for _ in range(ROUNDS - 1))]
    files = len(list(folder.iterdir()))
    return Pace(
        peer.name,
        round(statistics.median(each.seconds for each in alone) * 1000, 1),
        round(statistics.median(each.processor for each in alone) * 1000, 1),
        round(statistics.median(each.seconds for each in again) * 1000 / files, 2),
        round(statistics.median(each.processor for each in again) * 1000 / files, 2),
    )


def _own_pace(folder: Path, single: Path, home: Path) -> Pace:
    """The whole gate as a linter, with every check that is on by default."""
    command = (sys.executable, "-m", "vetgate", "check", ".", "--format", "json")
    peer = Peer("vetgate, every check", "", command, lambda _: iter(()))
    return _pace(peer, run(peer, folder, home), folder, single, home)
