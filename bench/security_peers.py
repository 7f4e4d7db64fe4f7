"""vetgate's security rules against bandit, ruff, two ESLint plugins and semgrep, on the same variants in one run.

    python bench/security_peers.py

Findings are counted in three ways. *In class*: a finding counts, for a tool or against it, when it names a weakness of
the variant's class; peers that name none, or a broader one, are credited with what their rule is about
(bench/peers/security_weaknesses.json). *Anything*: any finding in a vulnerable variant counts as found, any in a safe
one as a false alarm. *Known to bandit*: in class, in those classes alone of which bandit finds something.

semgrep brings no rules: scripts are looked at with the rules that njsscan ships for it, Python with a few of our own,
for the time only.
"""

from __future__ import annotations

import json
import statistics
import sys
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from differential_corpus import MissingError
from security_corpus import SCRIPT, TITLES, Score, Variant, anything, in_class, ours, score, variants, weaknesses
from security_tools import Peer, Run, peers, run, write_tsconfig

import vetgate
from vetgate.severity import Severity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from security_corpus import Answers, Counts

ROUNDS = 3
IN_CLASS, ANYTHING, KNOWN = COUNTINGS = ("in class", "anything", "known to bandit")
HALVES = {"python": TITLES["python"], SCRIPT: TITLES[SCRIPT], "both": "both"}  # what the peers read


@dataclass(frozen=True)
class Line:
    """A tool on one half of the corpus: whole, and the half of it that no rule was changed by."""

    tool: str
    half: str
    counting: str
    whole: Score
    held_out: Score


@dataclass(frozen=True)
class Pace:
    """Milliseconds: of one process over one file, and for each of many files in one process."""

    tool: str
    half: str
    alone: float
    alone_processor: float
    each: float
    each_processor: float


@dataclass(frozen=True)
class Comparison:
    lines: list[Line]
    paces: list[Pace]
    versions: list[str]
    missing: list[str]

    def line(self, tool: str, half: str, counting: str) -> Line | None:
        wanted = (tool, half, counting)
        return next((each for each in self.lines if (each.tool, each.half, each.counting) == wanted), None)

    def ratios(self) -> dict[str, dict[str, float]]:
        """How many times bandit's recall, and what part of its false alarms, on the Python half."""
        found = {}
        for counting in COUNTINGS:
            for name in ("bandit", "bandit -ll"):
                we, they = self.line("vetgate", "python", counting), self.line(name, "python", counting)
                if we and they:
                    for part in ("whole", "held_out"):
                        ours_, theirs = getattr(we, part), getattr(they, part)
                        found[f"{name}, {counting}, {part.replace('_', ' ')}"] = {
                            "recall": round(ours_.recall / max(theirs.recall, 1e-9), 2),
                            "alarms": round(ours_.alarm_rate / max(theirs.alarm_rate, 1e-9), 2),
                        }
        return found

    def as_json(self) -> dict[str, object]:
        return {
            "recall": [asdict(each) for each in self.lines],
            "pace_ms": [asdict(each) for each in self.paces],
            "times_bandit": self.ratios(),
            "missing": self.missing,
        }


def compare(sample: list[Variant]) -> Comparison:
    there, missing = peers()
    sample = [each for each in sample if each.language in HALVES]
    with tempfile.TemporaryDirectory() as scratch:
        folders = _laid_out(sample, Path(scratch))
        told, failed = _answers_of(there, sample, folders, Path(scratch))
        silent = {peer.name for peer in there if peer.says} - set(told)
        timed = [*_vetgate(Path(scratch)), *(peer for peer in there if peer.timed and peer.name not in silent)]
        paces, stopped = _paces(timed, folders, Path(scratch))
    versions = [f"vetgate {vetgate.__version__}", *dict.fromkeys(peer.version for peer in there)]
    return Comparison(_all_lines(told, sample), paces, versions, [*missing, *failed, *stopped])


def _answers_of(
    there: list[Peer], sample: list[Variant], folders: dict[str, Path], home: Path
) -> tuple[dict[str, Answers], list[str]]:
    """What each tool says of the variants it can read; a tool that fails is left out, with the reason."""
    told = {"vetgate": ours(sample)[0], "vetgate, errors": ours(sample, Severity.ERROR)[0]}
    failed = []
    together: Answers = {variant: [] for variant in sample}
    for peer in (each for each in there if each.says):
        try:
            answers = _answers(peer, [each for each in sample if each.language == peer.half], folders[peer.half], home)
        except MissingError as problem:
            failed.append(str(problem))
            continue
        told[peer.name] = answers
        for variant, findings in answers.items():
            together[variant] += findings
    return {**told, "all peers together": together}, failed


def _all_lines(told: dict[str, Answers], sample: list[Variant]) -> list[Line]:
    about = weaknesses()
    countings = {IN_CLASS: in_class(about), ANYTHING: anything}
    lines = [line for tool, answers in told.items() for line in _lines(tool, answers, countings)]
    counts = in_class(about)
    known = {each.kind for each in sample if each.vulnerable and counts(each, told.get("bandit", {}).get(each, []))}
    for tool in ("vetgate", "vetgate, errors", "bandit", "bandit -ll"):
        members = {each: said for each, said in told.get(tool, {}).items() if each.kind in known}
        python = {each: said for each, said in members.items() if each.language == "python"}
        lines += _lines(tool, python, {KNOWN: counts})
    return lines


def _laid_out(sample: list[Variant], scratch: Path) -> dict[str, Path]:
    folders = {}
    for half in ("python", "script"):
        folder = folders[half] = scratch / half
        folder.mkdir()
        members = [each for each in sample if each.language == half]
        for variant in members:
            (folder / variant.name).write_text(variant.code, encoding="utf-8")
        single = folders[f"{half}, one"] = scratch / f"{half}-one"
        single.mkdir()
        typical = sorted(members, key=lambda each: len(each.code))[len(members) // 2]
        (single / typical.name).write_text(typical.code, encoding="utf-8")
    write_tsconfig(folders["script"])
    write_tsconfig(folders["script, one"])
    return folders


def _vetgate(scratch: Path) -> Iterator[Peer]:
    """The whole gate as a linter: complexity and security."""
    command = (sys.executable, "-m", "vetgate", "check", ".", "--format", "json")
    for half in ("python", "script"):
        yield Peer("vetgate", "", half, command, lambda _: iter(()), {"VETGATE_STATE_DIR": str(scratch / "state")})


def _answers(peer: Peer, members: list[Variant], folder: Path, home: Path) -> Answers:
    by_name = {variant.name: variant for variant in members}
    answers: Answers = {variant: [] for variant in members}
    for name, weak in peer.read(run(peer, folder, home).out):
        answers[by_name[name]].append(weak)
    return answers


def _lines(tool: str, answers: Answers, countings: dict[str, Counts]) -> Iterator[Line]:
    halves = sorted({variant.language for variant in answers})
    for half in [*halves, "both"] if len(halves) > 1 else halves:
        members = [each for each in answers if half in {each.language, "both"}]
        held_out = [each for each in members if each.held_out]
        for counting, counts in countings.items():
            yield Line(tool, half, counting, score(answers, members, counts), score(answers, held_out, counts))


def _paces(timed: list[Peer], folders: dict[str, Path], home: Path) -> tuple[list[Pace], list[str]]:
    """Interleaved, so that a busy moment of the machine is everybody's; and which tools did not finish."""
    alone: dict[tuple[str, str], list[Run]] = {(peer.name, peer.half): [] for peer in timed}
    many: dict[tuple[str, str], list[Run]] = {key: [] for key in alone}
    stopped: dict[tuple[str, str], str] = {}
    for turn in range(ROUNDS):
        for peer in (each for each in timed if (each.name, each.half) not in stopped):
            key = (peer.name, peer.half)
            try:
                alone[key].append(run(peer, folders[f"{peer.half}, one"], home))
                if turn == 0 or "semgrep" not in peer.name:  # its half minute tells enough once
                    many[key].append(run(peer, folders[peer.half], home))
            except MissingError as problem:
                stopped[key] = f"the times of {problem}"
    paces = []
    for (name, half), single in alone.items():
        if (name, half) not in stopped:
            files = sum(1 for path in folders[half].iterdir() if path.name != "tsconfig.json")
            paces.append(Pace(name, half, *_milliseconds(single, 1), *_milliseconds(many[name, half], files)))
    return paces, list(stopped.values())


def _milliseconds(runs: list[Run], files: int) -> tuple[float, float]:
    """On the clock and of the processor, for each file."""
    clock, processor = (statistics.median(getattr(each, part) for each in runs) for part in ("seconds", "processor"))
    return clock * 1000 / files, processor * 1000 / files


def table(comparison: Comparison) -> str:
    out = []
    for counting in COUNTINGS:
        head = f"{'recall':>8}{'false alarms':>14}{'held out: recall':>19}{'false alarms':>14}"
        out.append(f"\n{f'counted: {counting}':44}{head}")
        for half, title in HALVES.items():
            for each in comparison.lines:
                if (each.half, each.counting) == (half, counting):
                    shares = (each.whole.recall, each.whole.alarm_rate, each.held_out.recall, each.held_out.alarm_rate)
                    cells = [f"{share:.1%}" for share in shares]
                    label = f"{title[:10]:12}{each.tool}"
                    out.append(f"{label:44}{cells[0]:>8}{cells[1]:>14}{cells[2]:>19}{cells[3]:>14}")
    out.append(f"\n{'milliseconds':44}{'one file':>10}{'processor':>11}{'each of many':>14}{'processor':>11}")
    for pace in comparison.paces:
        label = f"{HALVES[pace.half][:10]:12}{pace.tool}"
        cells = f"{pace.alone:>10.0f}{pace.alone_processor:>11.0f}{pace.each:>14.2f}{pace.each_processor:>11.2f}"
        out.append(f"{label:44}{cells}")
    out.append("\nagainst bandit on Python (aim: recall 2, false alarms 0.33)")
    for name, ratio in comparison.ratios().items():
        out.append(f"{name:44}recall x {ratio['recall']:.2f}, false alarms x {ratio['alarms']:.2f}")
    out += [f"missing: {each}" for each in comparison.missing]
    return "\n".join(out)


def main() -> int:
    comparison = compare(variants())
    print(table(comparison))
    print(json.dumps({"security_peers": comparison.as_json()}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
