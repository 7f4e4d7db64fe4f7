"""Compare vetgate's measures, function by function, with the tools that define them.

    python bench/differential.py [javascript] [python] [go] [--show N]

Reference tools and packages are installed into .cache/bench on the first run. Exit status 1 when less than 99 % of
the functions agree in any comparison.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import differential_go
import differential_javascript
import differential_python
from differential_corpus import MissingError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

TARGET = 0.99

RUNS: dict[str, Callable[[], Iterator[tuple[str, str, int, int]]]] = {
    "javascript": differential_javascript.compared,
    "python": differential_python.compared,
    "go": differential_go.compared,
}


@dataclass
class Tally:
    joined: int = 0
    equal: int = 0
    above: int = 0  # functions above the reference's usual limit
    above_found: int = 0
    differences: list[str] = field(default_factory=list)

    @property
    def share(self) -> float:
        return self.equal / self.joined if self.joined else 0.0


LIMITS = {"cyclomatic": 10, "cognitive": 15}


def tally(pairs: Iterator[tuple[str, str, int, int]]) -> dict[str, Tally]:
    """`pairs` gives (comparison, place, our value, the reference's value)."""
    tallies: dict[str, Tally] = {}
    for comparison, place, ours, theirs in pairs:
        one = tallies.setdefault(comparison, Tally())
        limit = LIMITS["cyclomatic" if "cyclomatic" in comparison else "cognitive"]
        one.joined += 1
        one.equal += ours == theirs
        one.above += theirs > limit
        one.above_found += theirs > limit and ours > limit
        if ours != theirs:
            one.differences.append(f"{place}: {'not found' if ours < 0 else ours}, reference {theirs}")
    return tallies


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("languages", nargs="*", help="which to compare; all if none is named")
    parser.add_argument("--show", type=int, default=10, help="differences to print for each comparison")
    options = parser.parse_args()
    unknown = set(options.languages) - set(RUNS)
    if unknown:
        parser.error(f"unknown: {', '.join(sorted(unknown))}; there are {', '.join(RUNS)}")
    good = True
    print(f"{'comparison':55} {'functions':>9} {'equal':>9} {'share':>9} {'above limit':>14}")
    for language in options.languages or RUNS:
        try:
            tallies = tally(RUNS[language]())
        except MissingError as missing:
            print(f"{language}: not compared, {missing}", file=sys.stderr)
            good = False
            continue
        for comparison, one in tallies.items():
            found = f"{one.above_found}/{one.above}"
            print(f"{comparison:55} {one.joined:9,} {one.equal:9,} {one.share:9.3%} {found:>14}")
            for difference in one.differences[: options.show]:
                print(f"    {difference}")
            good = good and one.share >= TARGET
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
