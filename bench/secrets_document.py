"""docs/measured/secrets.md: what stands between `<!-- measured: NAME -->` and `<!-- end -->` comes from a run."""

from __future__ import annotations

import datetime as dt
import os
import platform
import re
from pathlib import Path
from typing import TYPE_CHECKING

import secrets_score
from secrets_score import score

import vetgate

if TYPE_CHECKING:
    from secrets_corpus import Sample
    from secrets_peers import Comparison
    from secrets_score import Answers, Score

PAGE = Path(__file__).parent.parent / "docs" / "measured" / "secrets.md"


def write(blocks: dict[str, str]) -> None:
    """Replace the blocks that were measured; the rest of the page is by hand."""
    text = PAGE.read_text(encoding="utf-8")
    for name, body in blocks.items():
        block = re.compile(rf"(<!-- measured: {name} -->\n).*?(<!-- end -->)", re.DOTALL)
        if not block.search(text):
            raise SystemExit(f"{PAGE.name} has no place for `{name}`")
        text = block.sub(lambda found, body=body: f"{found[1]}{_circumstances()}\n\n{body}\n{found[2]}", text)
    PAGE.write_text(text, encoding="utf-8")


def corpus(sample: list[Sample]) -> str:
    secrets = [each for each in sample if each.secret]
    others = [each for each in sample if not each.secret]
    vendors = {each.kind.partition(":")[0] for each in secrets if each.together and each.area != "generic"}
    formats = {(each.area, each.kind) for each in secrets if each.together and each.area != "generic"}
    return (
        f"{len(secrets):,} files with a secret: {len(formats)} formats of {len(vendors)} vendors and standards, and "
        f"secrets that only their names or their use tell. {len(others):,} look-alikes of "
        f"{len({each.kind for each in others})} kinds. Held out: {sum(each.held_out for each in secrets):,} and "
        f"{sum(each.held_out for each in others):,}."
    )


def areas(answers: Answers) -> str:
    rows = [
        "| area | found | recall | formats found in every file | held out: found | recall | formats |",
        "|---|---|---|---|---|---|---|",
    ]
    for area in [*secrets_score.areas(answers), ""]:
        whole, held_out = score(answers, area=area), score(answers, area=area, held_out=True)
        cells = [cell for each in (whole, held_out) for cell in _scored(each)]
        rows.append(_row(area or "**all**", *(cells if area else (f"**{cell}**" for cell in cells))))
    flagged = [
        f"{name}: {each.flagged} of {each.lookalikes}, {_share(each.flag_rate)}"
        for name, each in (("all", score(answers)), ("held out", score(answers, held_out=True)))
    ]
    return "\n".join(rows) + f"\n\nLook-alikes flagged, {'; '.join(flagged)}."


def _scored(each: Score) -> tuple[str, str, str]:
    return f"{each.found} of {each.secrets}", _share(each.recall), f"{each.kinds_found} of {each.kinds}"


def compared(told: dict[str, Answers], comparison: Comparison) -> dict[str, str]:
    rows = [
        "| tool | recall | formats found in every file | look-alikes flagged | held out: recall | formats | flagged |",
        "|---|---|---|---|---|---|---|",
    ]
    for tool, answers in told.items():
        both = score(answers), score(answers, held_out=True)
        shares = [share for each in both for share in (each.recall, each.kind_recall, each.flag_rate)]
        rows.append(_row(tool, *map(_share, shares)))
    versions = ", ".join([f"vetgate {vetgate.__version__}", *comparison.versions])
    missing = [f"Missing in this run: {each}" for each in comparison.missing]
    body = "\n\n".join([f"{versions}.", "\n".join(rows), *missing])
    return {"peers": body, "by area": _by_area(told), "pace": _pace(comparison)}


def _by_area(told: dict[str, Answers]) -> str:
    names = [name for name in told if name not in {"vetgate, errors", "all others together"}]
    head = [_row("recall", *names), "|---" * (len(names) + 1) + "|"]
    rows = (
        _row(area, *(_share(score(told[name], area=area).recall) for name in names))
        for area in secrets_score.areas(next(iter(told.values())))
    )
    return "\n".join([*head, *rows])


def _pace(comparison: Comparison) -> str:
    rows = ["| tool | one file, ms | of it processor | each of many, ms | of it processor |", "|---|---|---|---|---|"]
    for pace in comparison.paces:
        alone = f"{pace.alone:,.0f}", f"{pace.alone_processor:,.0f}"
        rows.append(_row(pace.tool, *alone, f"{pace.each:.2f}", f"{pace.each_processor:.2f}"))
    return "\n".join(rows)


def _row(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"


def _share(value: float) -> str:
    return f"{value * 100:.1f} %"


def _circumstances() -> str:
    today = dt.datetime.now(dt.UTC).date()
    load = f"load {os.getloadavg()[0]:.0f}"
    return f"Measured {today}, Python {platform.python_version()}, {os.cpu_count()} cores, {load}."
