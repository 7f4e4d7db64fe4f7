"""The figures and the lists of blocks of docs/measured/replay.md, written anew between their markers."""

from __future__ import annotations

import json
import os
import platform
import re
import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from commits import Commits, Replay
    from replay import Measured

    from vetgate.service.replay.tally import Block, Tally

PAGE = Path(__file__).parent.parent / "docs" / "measured" / "replay.md"
MARKS = Path(__file__).parent / "corpus" / "replay-marks.jsonl"
COMMIT_MARKS = MARKS.with_name("commit-marks.jsonl")
_COMPLEXITY = "complexity/"
_UNMARKED = "not read yet"


def write(found: Measured) -> None:
    _write(
        {
            "figures": _figures(found),
            "sizes": _sizes(found),
            "rules": _rules(found),
            "blocks": _blocks(found, MARKS, _release),
        }
    )


def write_commits(found: Commits) -> None:
    _write(
        {
            "commits": _commits(found),
            "rules of commits": _rules(found),
            "blocks of commits": _blocks(found, COMMIT_MARKS, _commit),
        }
    )


def _write(parts: dict[str, Iterator[str]]) -> None:
    text = PAGE.read_text(encoding="utf-8")
    for name, lines in parts.items():
        body = "\n".join((f"<!-- measured: {name} -->", *lines, "<!-- end -->"))
        text, many = re.subn(
            rf"<!-- measured: {name} -->.*?<!-- end -->", lambda _, body=body: body, text, flags=re.DOTALL
        )
        assert many == 1, name
    PAGE.write_text(text, encoding="utf-8")


def _figures(found: Measured) -> Iterator[str]:
    day, cores, load = time.strftime("%Y-%m-%d"), os.cpu_count(), os.getloadavg()[0]
    yield f"Measured {day}, Python {platform.python_version()}, {cores} cores, load {load:.0f}.\n"
    yield "| edits of | edits | stopped | without complexity | wrongly stopped | without complexity | held at the end |"
    yield "|---|---|---|---|---|---|---|"
    rows = (
        ("JavaScript and TypeScript", found.script),
        ("Python", found.python),
        ("**both**", found.code),
        ("other files (documents, settings, data)", found.rest),
    )
    for name, each in rows:
        stopped, lean = len(_edits(each.blocks)), each.without_complexity
        wrong = [block for block in each.blocks if found.ratings.get(block.key) == "wrong"]
        figures = (stopped, lean, len(_edits(wrong)), len(_edits(wrong, lean=True)), each.held)
        yield f"| {name} | {each.edits:,} | {' | '.join(_share(each, figure) for figure in figures)} |"
    times = found.code.times
    yield (
        f"\nAn edit waited {times.half:.0f} ms at the median, {times.most:.0f} ms at the 95th percentile, cores busy. "
        f"{found.edits:,} edits took {found.busy:.0f} s of processor time: 1,000 of them "
        f"{found.busy / found.edits * 1000 / 2:.0f} s on two free cores."
    )


def _sizes(found: Measured) -> Iterator[str]:
    yield "| lines changed | edits | stopped | without complexity | held at the end |"
    yield "|---|---|---|---|---|"
    for name, each in found.by_size:
        figures = (len(_edits(each.blocks)), each.without_complexity, each.held)
        yield f"| {name} | {each.edits:,} | {' | '.join(_share(each, figure) for figure in figures)} |"


def _share(tally: Tally, count: int) -> str:
    return f"{count:,}, {tally.share(count):.2%}"


def _edits(blocks: tuple[Block, ...] | list[Block], *, lean: bool = False) -> set[str]:
    return {block.edit for block in blocks if not (lean and block.rule.startswith(_COMPLEXITY))}


def _commits(found: Commits) -> Iterator[str]:
    yield f"Measured {time.strftime('%Y-%m-%d')}.\n"
    columns = (
        "edits of",
        "language",
        "commits",
        "edits",
        "stopped",
        "without complexity",
        "wrongly",
        "held at the end",
    )
    yield f"| {' | '.join(columns)} |"
    yield f"|{'---|' * len(columns)}"
    groups = {"repositories": "repository", "series of patches": "patches", "both": ""}
    for group, kind in groups.items():
        chosen = [each for each in found.projects if kind in {"", each.project.kind}]
        for each in chosen if kind else ():
            yield _commit_row(each.project.name, each.project.language, [each], found)
        yield _commit_row(f"**{group}**", "", chosen, found)
        yield _commit_row(f"{group}, other files counted in", "", chosen, found, rest=True)


def _commit_row(name: str, language: str, chosen: Sequence[Replay], found: Commits, *, rest: bool = False) -> str:
    tallies = [each.code for each in chosen] + [each.rest for each in chosen if rest]
    edits = sum(each.edits for each in tallies)
    blocks = [block for each in tallies for block in each.blocks]
    wrong = [block for block in blocks if found.ratings.get(block.key) == "wrong"]
    stopped, lean, held = len(_edits(blocks)), len(_edits(blocks, lean=True)), sum(each.held for each in tallies)
    shares = (f"{count:,}, {count / edits:.1%}" for count in (stopped, lean, len(_edits(wrong)), held))
    return f"| {name} | {language} | {sum(each.commits for each in chosen):,} | {edits:,} | {' | '.join(shares)} |"


def _release(block: Block) -> str:
    return block.origin.rpartition(" ")[2]


def _commit(block: Block) -> str:
    """A commit by its id; a patch by its name, as the id is the bench's own."""
    commit, _, subject = block.origin.partition(" ")
    kind, _, patch = subject.partition(" ")
    return patch.partition(": ")[0].rpartition("/")[2] if kind == "upstream" else commit


def _rules(found: Measured | Commits) -> Iterator[str]:
    yield "| rule | edits | right | arguable | wrong |"
    yield "|---|---|---|---|---|"
    for each in found.code.by_rule:
        marks = " | ".join(str(each.ratings[mark]) for mark in ("right", "arguable", "wrong"))
        yield f"| {each.rule} | {len(each.blocks)} | {marks} |"


def _blocks(found: Measured | Commits, marks: Path, brought_by: Callable[[Block], str]) -> Iterator[str]:
    why = _reasons(marks)
    blocks = sorted((*found.code.blocks, *found.rest.blocks), key=lambda each: (each.rule, each.path, each.origin))
    counts = Counter(block.rule for block in blocks)
    rule = ""
    for block in blocks:
        if block.rule != rule:
            rule = block.rule
            yield f"\n**{rule}** ({counts[rule]})\n"
        verdict = found.ratings.get(block.key, _UNMARKED)
        reason = f" *{why[block.key]}*" if why.get(block.key) else ""
        yield f"- {verdict}: `{block.path}:{block.line}` ({brought_by(block)}). {_escaped(block.message)}{reason}"


def _escaped(message: str) -> str:
    return message.replace("<", "&lt;").replace("|", "\\|")


def _reasons(marks: Path) -> dict[tuple[str, str], str]:
    if not marks.exists():
        return {}
    told = map(json.loads, marks.read_text(encoding="utf-8").splitlines())
    return {(each["edit"], each["rule"]): each.get("why", "") for each in told}
