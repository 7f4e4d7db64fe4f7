"""docs/measured/security.md: what stands between `<!-- measured: NAME -->` and `<!-- end -->` comes from a run."""

from __future__ import annotations

import datetime as dt
import os
import platform
import re
from pathlib import Path
from typing import TYPE_CHECKING

import security_speed
from security_corpus import TITLES
from security_peers import HALVES

if TYPE_CHECKING:
    from security_corpus import Halves, Score
    from security_peers import Comparison
    from security_speed import Speed

PAGE = Path(__file__).parent.parent / "docs" / "measured" / "security.md"
COUNTED = {
    "in class": "Counted in class: a finding must name a weakness of the variant's class.",
    "anything": "Counted anything: any finding in the variant, whatever it is about.",
    "known to bandit": "Counted in class, in those classes alone of which bandit finds at least one variant.",
}


def write(blocks: dict[str, str]) -> None:
    """Replace the blocks that were measured; the rest of the page is by hand."""
    text = PAGE.read_text(encoding="utf-8")
    for name, body in blocks.items():
        block = re.compile(rf"(<!-- measured: {name} -->\n).*?(<!-- end -->)", re.DOTALL)
        if not block.search(text):
            raise SystemExit(f"{PAGE.name} has no place for `{name}`")
        text = block.sub(lambda found, body=body: f"{found[1]}{_circumstances()}\n\n{body}\n{found[2]}", text)
    PAGE.write_text(text, encoding="utf-8")


def classes(halves: Halves) -> str:
    rows = [
        "| class | found | recall | false alarms | held out: found | recall | false alarms |",
        "|---|---|---|---|---|---|---|",
    ]
    for kind, whole in halves.whole.items():
        rows.append(_row(kind, *(cell for each in (whole, halves.held_out[kind]) for cell in _scored(each))))
    rows.append(_row("**all**", *(f"**{cell}**" for each in halves.totals() for cell in _scored(each))))
    return "\n".join(rows)


def languages(found: dict[str, Halves]) -> str:
    rows = [
        "| language | classes | found | recall | false alarms | held out: found | recall | false alarms |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for language, halves in found.items():
        scored = (cell for each in halves.totals() for cell in _scored(each))
        rows.append(_row(TITLES[language], str(len(halves.whole)), *scored))
    return "\n".join(rows)


def by_language(found: dict[str, Halves]) -> str:
    """Of each class what is found, and in how many safe variants something is: of all, then of those held out."""
    kinds = sorted({kind for halves in found.values() for kind in halves.whole})
    rows = [_row("class", *(TITLES[language] for language in found)), f"|---|{'---|' * len(found)}"]
    rows += [_row(kind, *(_cell(halves, kind) for halves in found.values())) for kind in kinds]
    return "\n".join(rows)


def not_covered(found: dict[str, Halves]) -> str:
    """The classes of each language of which no more than half of what is held out is found."""
    rows = ["| language | classes |", "|---|---|"]
    for language, halves in found.items():
        weak = [kind for kind, each in halves.held_out.items() if each.found * 2 <= each.vulnerable]
        rows.append(_row(TITLES[language], ", ".join(weak) or "none"))
    return "\n".join(rows)


def _cell(halves: Halves, kind: str) -> str:
    if kind not in halves.whole:
        return ""
    whole, held_out = (
        f"{each.found}/{each.vulnerable}{f' ({each.alarms} false)' if each.alarms else ''}"
        for each in (halves.whole[kind], halves.held_out[kind])
    )
    return f"{whole}, **{held_out}**"


def _scored(each: Score) -> tuple[str, str, str]:
    return f"{each.found} of {each.vulnerable}", _share(each.recall), f"{each.alarms} of {each.safe}"


def compared(comparison: Comparison) -> dict[str, str]:
    return {"peers": _peers(comparison), "bandit": _bandit(comparison), "pace": _pace(comparison)}


def _peers(comparison: Comparison) -> str:
    parts = [f"{', '.join(comparison.versions)}."]
    for counting, sentence in COUNTED.items():
        rows = [
            "| | tool | recall | false alarms | held out: recall | false alarms |",
            "|---|---|---|---|---|---|",
        ]
        for half, title in HALVES.items():
            for line in comparison.lines:
                if (line.half, line.counting) == (half, counting):
                    shares = (
                        each for score in (line.whole, line.held_out) for each in (score.recall, score.alarm_rate)
                    )
                    rows.append(_row(title, line.tool, *map(_share, shares)))
        parts += [sentence, "\n".join(rows)]
    return "\n\n".join([*parts, *(f"Missing in this run: {each}" for each in comparison.missing)])


def _bandit(comparison: Comparison) -> str:
    rows = ["| against, counted, variants | times its recall | times its false alarms |", "|---|---|---|"]
    for name, ratio in comparison.ratios().items():
        rows.append(_row(name, f"{ratio['recall']:.2f}", f"{ratio['alarms']:.2f}"))
    return "\n".join(rows)


def _pace(comparison: Comparison) -> str:
    rows = [
        "| | tool | one file, ms | of it processor | each of many, ms | of it processor |",
        "|---|---|---|---|---|---|",
    ]
    for pace in comparison.paces:
        alone = f"{pace.alone:,.0f}", f"{pace.alone_processor:,.0f}"
        rows.append(_row(HALVES[pace.half], pace.tool, *alone, f"{pace.each:.2f}", f"{pace.each_processor:.2f}"))
    return "\n".join(rows)


def timed(speed: Speed) -> dict[str, str]:
    typical = [
        "| | files | lines, p50 | parse, ms | complexity | both | security adds, p50 | p95 | both by complexity |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for half, timings in speed.typical.items():
        numbers = security_speed.summary(timings)
        del numbers["with_parse"]
        typical.append(_row(HALVES[half], *(f"{value:g}" for value in numbers.values())))
    sizes = ["| file | lines | parse, ms | complexity, ms | both, ms | security adds |", "|---|---|---|---|---|---|"]
    for each in (timing for timings in speed.by_size.values() for timing in timings):
        times = (f"{value:.1f}" for value in (each.parse, each.complexity, each.both, each.added))
        sizes.append(_row(f"`{_place(each.path)}`", f"{each.lines:,}", *times))
    return {"typical": "\n".join(typical), "sizes": "\n".join(sizes)}


def _place(path: str) -> str:
    parts = path.replace("/package/", "/").split("/")
    return path if len(parts) < 3 else f"{parts[0]}/…/{parts[-1]}"


def _row(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"


def _share(value: float) -> str:
    return f"{value * 100:.1f} %"


def _circumstances() -> str:
    pages, size = os.sysconf("SC_PHYS_PAGES"), os.sysconf("SC_PAGE_SIZE")
    memory = f"{pages * size / 2**30:.0f} GiB"
    today = dt.datetime.now(dt.UTC).date()
    load = f"load {os.getloadavg()[0]:.0f}"
    return f"Measured {today}, Python {platform.python_version()}, {os.cpu_count()} cores, {memory}, {load}."
