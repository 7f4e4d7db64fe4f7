"""What the security rules add to a file's time: complexity alone against both on the same walk, and by size.

    python bench/security_speed.py

Real files of the packages that the differential run uses. Everything is warm and in one process, as in the daemon; the
parse is timed apart. Medians of interleaved rounds, in processor time: a busy machine does not move it much.
"""

from __future__ import annotations

import json
import statistics
import sys
import time
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from differential_corpus import CACHE, MissingError, node_sources, python_sources
from tree_sitter import Parser

from vetgate.checks import all_checks
from vetgate.config.load import defaults
from vetgate.engine.check import CheckInput
from vetgate.source.clock import Deadline
from vetgate.source.language import grammar, language_of
from vetgate.source.syntax import MAX_BYTES, MAX_LINES, Source, Syntax
from vetgate.source.walk import walk

if TYPE_CHECKING:
    from pathlib import Path

ROUNDS = 9
TYPICAL = range(100, 501)  # lines
SAMPLE = 60  # typical files of each half
SIZES = (100, 300, 1_000, 3_000, 8_000)  # lines
HALVES = {"python": python_sources, "script": node_sources}


@dataclass(frozen=True)
class Timing:
    """Milliseconds of one file."""

    path: str
    lines: int
    parse: float
    complexity: float
    security: float
    both: float

    @property
    def added(self) -> float:
        return self.both - self.complexity


@dataclass(frozen=True)
class Speed:
    typical: dict[str, list[Timing]]
    by_size: dict[str, list[Timing]]
    missing: list[str]

    def as_json(self) -> dict[str, object]:
        return {
            "typical": {half: summary(timings) for half, timings in self.typical.items()},
            "by_size": {half: [asdict(each) for each in timings] for half, timings in self.by_size.items()},
            "missing": self.missing,
        }


def measure() -> Speed:
    typical, by_size, missing = {}, {}, []
    for half, sources in HALVES.items():
        try:
            files = [(path, lines) for path in sources() if (lines := _lines(path))]
        except MissingError as problem:
            missing.append(f"{half}: {problem}")
            continue
        within = [path for path, lines in files if lines in TYPICAL]
        typical[half] = [timed(path) for path in within[:: max(1, len(within) // SAMPLE)][:SAMPLE]]
        chosen = dict.fromkeys(min(files, key=lambda file: abs(file[1] - size))[0] for size in SIZES)
        by_size[half] = [timed(path) for path in chosen]
    return Speed(typical, by_size, missing)


def timed(path: Path) -> Timing:
    text = path.read_text(encoding="utf-8", errors="replace")
    language = language_of(path.name) or ""
    source, data = Source(path.name, text, language), text.encode()
    took: dict[str, list[float]] = {"parse": [], "complexity": [], "security": [], "both": []}
    for turn in range(ROUNDS + 1):
        started = time.thread_time()
        syntax = Syntax(language, data, Parser(grammar(language)).parse(data))
        seconds = {"parse": time.thread_time() - started}
        for name in ("complexity", "security", "both"):
            seconds[name] = _looked(source, syntax, ("complexity", "security") if name == "both" else (name,))
        for name, each in seconds.items() if turn else ():  # the first turn only warms up
            took[name].append(each * 1000)
    place = "/".join(path.relative_to(CACHE).parts[1:])
    medians = {name: round(statistics.median(each), 3) for name, each in took.items()}
    return Timing(place, text.count("\n") + 1, **medians)


def _looked(source: Source, syntax: Syntax, names: tuple[str, ...]) -> float:
    checks, config, deadline = [all_checks()[name] for name in names], defaults(), Deadline.never()
    started = time.thread_time()
    walked = walk(syntax, [check.visitor_of(syntax.language) for check in checks], deadline, ())
    for check, state in zip(checks, walked.states, strict=True):
        check.report(CheckInput(source, syntax, state, walked.unvisited), config, deadline)
    return time.thread_time() - started


def _lines(path: Path) -> int:
    """0 for what is not parsed."""
    data = path.read_bytes()
    lines = data.count(b"\n") + 1
    return 0 if len(data) > MAX_BYTES or lines > MAX_LINES or language_of(path.name) is None else lines


def summary(timings: list[Timing]) -> dict[str, float]:
    parse, complexity, both = (sum(getattr(each, name) for each in timings) for name in ("parse", "complexity", "both"))
    added = sorted(each.added for each in timings)
    return {
        "files": len(timings),
        "median_lines": statistics.median(each.lines for each in timings),
        "parse_ms": round(statistics.median(each.parse for each in timings), 2),
        "complexity_ms": round(statistics.median(each.complexity for each in timings), 2),
        "both_ms": round(statistics.median(each.both for each in timings), 2),
        "added_p50_ms": round(statistics.median(added), 2),
        "added_p95_ms": round(added[int(len(added) * 0.95)], 2),
        "both_by_complexity": round(both / complexity, 2),
        "with_parse": round((parse + both) / (parse + complexity), 2),
    }


def table(speed: Speed) -> str:
    out = [f"files of {TYPICAL[0]} to {TYPICAL[-1]} lines: complexity alone against complexity and security, one walk"]
    for half, timings in speed.typical.items():
        numbers = summary(timings)
        out.append(f"{half:8}" + ", ".join(f"{name} {value:g}" for name, value in numbers.items()))
    out.append(f"\n{'milliseconds':52}{'lines':>7}{'parse':>9}{'complexity':>12}{'security':>10}{'both':>9}")
    for timings in speed.by_size.values():
        for each in timings:
            cells = f"{each.parse:>9.2f}{each.complexity:>12.2f}{each.security:>10.2f}{each.both:>9.2f}"
            out.append(f"{each.path[-50:]:52}{each.lines:>7,}{cells}")
    out += [f"missing: {each}" for each in speed.missing]
    return "\n".join(out)


def main() -> int:
    speed = measure()
    print(table(speed))
    print(json.dumps({"security_speed": speed.as_json()}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
