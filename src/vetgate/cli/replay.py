"""`vetgate replay`: what the gate would have stopped in edits of the past, told or as JSON."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from vetgate.cli.progress import Bar
from vetgate.cli.surface import current_root, say, wants_colour
from vetgate.service.replay.replay import ReplayRequest
from vetgate.service.replay.replay import replay as replayed_edits
from vetgate.service.replay.tally import Rating, precision
from vetgate.service.safe_text import encodable, printable

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Iterator

    from vetgate.service.replay.replay import Replayed
    from vetgate.service.replay.tally import Block, Difference, RuleTally, Tally

FORMATS = ("text", "json", "jsonl")
_WIDEST = 160
_FILE = click.Path(path_type=Path)


@click.command(epilog="Exit status: 0 whatever would have been blocked, 2 wrong usage, 3 something to fix first.")
@click.option("--git", "commits", metavar="RANGE", help="Each file of each commit of this range is an edit.")
@click.option("--sessions", "of_project", is_flag=True, help="What agents did in this project, from their transcripts.")
@click.option("--transcript", "transcripts", type=_FILE, multiple=True, help="This transcript, or all in this folder.")
@click.option("--log", "remembered", is_flag=True, help="The decisions in vetgate's own log, as far as possible.")
@click.option("--last", type=click.IntRange(min=1), metavar="N", help="Only the newest N commits, or decisions.")
@click.option("--config", "config_file", type=_FILE, help="Use this file, not the project's own.")
@click.option("--diff", "other_file", type=_FILE, help="Compare with this configuration: what only one would block.")
@click.option("--marks", "marks_file", type=_FILE, help="Your verdicts on blocks, for the precision of each rule.")
@click.option("--format", "form", type=click.Choice(FORMATS), default="text", show_default=True, help="How to report.")
@click.option("--examples", type=click.IntRange(min=0), default=3, show_default=True, help="How many for each rule.")
def replay(*, form: str, examples: int, **chosen: Any) -> None:
    """Show what the gate would have blocked in past edits, by rule, and the time it would have cost.

    By default it takes the newest 100 commits of this repository. It changes nothing and runs only the checks. With
    --format jsonl each block is a line of JSON; write `right`, `arguable` or `wrong` as its `verdict`, and --marks
    reads it.
    """
    request = ReplayRequest(**chosen)
    if sum((request.commits is not None, request.of_project, bool(request.transcripts), request.remembered)) > 1:
        raise click.UsageError("--git, --sessions, --transcript and --log exclude each other.")
    with Bar() as progress:
        found = replayed_edits(request, current_root(), progress)
    say(render(found, form, examples))


def render(replayed: Replayed, form: str, examples: int = 3) -> str:
    if form == "json":
        return f"{encodable(json.dumps(replayed.plain(), ensure_ascii=False, indent=2))}\n"
    if form == "jsonl":
        blocks = (replayed.plain_block(block) for block in replayed.tally.blocks)
        return "".join(f"{encodable(json.dumps(block, ensure_ascii=False))}\n" for block in blocks)
    text = "".join(f"{line}\n" for line in _as_text(replayed, examples))
    return text if wants_colour() else click.unstyle(text)


def _as_text(replayed: Replayed, examples: int) -> Iterator[str]:
    tally = replayed.tally
    yield click.style(f"{tally.edits:,} edits of {replayed.what}: {_stopped(tally)}", bold=True)
    if tally.then is not None:
        yield f"  then {tally.then:,} were stopped"
    if tally.blocks:
        without = tally.without_complexity
        yield f"  without complexity {without:,} ({tally.share(without):.1%})"
    if tally.held:
        more = " more" if tally.blocked or tally.asked else ""
        yield f"  {tally.held:,}{more} ({tally.share(tally.held):.1%}) pass and hold the end of the turn until fixed"
    yield from _rated(tally.ratings)
    for each in tally.by_rule:
        yield from _of_rule(each, tally, examples)
    if replayed.difference is not None:
        yield from _compared(replayed.difference, replayed.other, examples)
    times = tally.times
    yield ""
    yield (
        f"time it would have cost: {times.half:.1f} ms for half of the edits, {times.most:.1f} ms for 95 %, "
        f"{times.longest:,.0f} ms for the longest, {times.total / 1000:.1f} s in all"
    )
    for reason, count in tally.unjudged.most_common():
        yield f"not judged: {count:,} ({printable(reason)})"
    for note in replayed.notes:
        yield f"note: {printable(note)}"
    yield f"replayed in {replayed.elapsed_ms / 1000:.1f} s"


def _stopped(tally: Tally) -> str:
    if not tally.blocks:
        return "none would have been blocked"
    asked = f", {tally.asked:,} put to a person" if tally.asked else ""
    return f"{tally.blocked:,} would have been blocked ({tally.share(tally.blocked):.1%}){asked}"


def _rated(ratings: Counter[Rating]) -> Iterator[str]:
    sure = precision(ratings)
    if sure is not None:
        counts = ", ".join(f"{ratings[rating]:,} {rating}" for rating in Rating)
        yield f"  marked: {counts}; precision {sure[0]:.0%}, {sure[1]:.0%} with what is arguable"


def _of_rule(each: RuleTally, tally: Tally, examples: int) -> Iterator[str]:
    count = len(each.blocks)
    yield ""
    edits = "1 edit" if count == 1 else f"{count:,} edits"
    yield f"{click.style(each.rule, bold=True)}  {edits} ({tally.share(count):.1%})"
    yield from _rated(each.ratings)
    yield from map(_line, each.blocks[:examples])
    if count > examples:
        yield f"  and {count - examples:,} more"


def _line(block: Block) -> str:
    what = f"  {block.path}:{block.line}  {block.message}"
    return f"{printable(what)[:_WIDEST]}  {click.style(f'[{printable(block.origin)[:60]}]', dim=True)}"


def _compared(difference: Difference, other: str, examples: int) -> Iterator[str]:
    yield ""
    yield click.style(f"compared with {other}: both stop {difference.both:,}", bold=True)
    sides = (("only the current one stops", difference.only_current), ("only the other stops", difference.only_other))
    for title, blocks in sides:
        yield f"  {title} {len({block.edit for block in blocks}):,}"
        for block in blocks[: max(examples, 1) * 5]:
            yield f"  {block.rule}{_line(block)}"
    ours, theirs = difference.held
    if ours or theirs:
        yield f"  held at the end of the turn: {ours:,} by the current one, {theirs:,} by the other"
