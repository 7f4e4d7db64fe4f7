"""What a replay found, as text for a person, as JSON, or one line a block to be marked."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import click

from vetgate.cli.surface import wants_colour
from vetgate.service.replay.tally import Rating, precision
from vetgate.service.safe_text import encodable, printable

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Callable, Iterator, Mapping

    from vetgate.service.replay.tally import Block, Difference, Marks, OfRule, Tally

FORMATS = ("text", "json", "jsonl")
_WIDEST = 160


@dataclass(frozen=True, slots=True)
class Replayed:
    what: str
    tally: Tally
    elapsed_ms: float
    examples: int
    difference: Difference | None = None
    other: str = ""
    notes: tuple[str, ...] = ()
    marks: Marks = field(default_factory=dict)


def render(replayed: Replayed, form: str) -> str:
    text = "".join(f"{line}\n" for line in _FORMS[form](replayed))
    return text if form != "text" or wants_colour() else click.unstyle(text)


def _as_text(replayed: Replayed) -> Iterator[str]:
    tally = replayed.tally
    yield click.style(f"{tally.edits:,} edits of {replayed.what}: {_stopped(tally)}", bold=True)
    if tally.then is not None:
        yield f"  then {tally.then:,} were stopped"
    if tally.blocks:
        without = tally.without_complexity
        yield f"  without complexity {without:,} ({tally.share(without):.1%})"
    if tally.held:
        more = " more" if tally.blocked or tally.asked else ""
        yield f"  {tally.held:,}{more} ({tally.share(tally.held):.1%}) pass, and hold the end of the turn until mended"
    yield from _marked("  ", tally.marks)
    for each in tally.by_rule:
        yield from _of_rule(each, tally, replayed.examples)
    if replayed.difference is not None:
        yield from _compared(replayed.difference, replayed)
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


def _marked(indent: str, marks: Counter[Rating]) -> Iterator[str]:
    sure = precision(marks)
    if sure is not None:
        counts = ", ".join(f"{marks[mark]:,} {mark}" for mark in Rating)
        yield f"{indent}marked: {counts}; precision {sure[0]:.0%}, {sure[1]:.0%} with what is arguable"


def _of_rule(each: OfRule, tally: Tally, examples: int) -> Iterator[str]:
    count = len(each.blocks)
    yield ""
    edits = "1 edit" if count == 1 else f"{count:,} edits"
    yield f"{click.style(each.rule, bold=True)}  {edits} ({tally.share(count):.1%})"
    yield from _marked("  ", each.marks)
    yield from map(_line, each.blocks[:examples])
    if count > examples:
        yield f"  and {count - examples:,} more"


def _line(block: Block) -> str:
    what = f"  {block.path}:{block.line}  {block.message}"
    return f"{printable(what)[:_WIDEST]}  {click.style(f'[{printable(block.origin)[:60]}]', dim=True)}"


def _compared(difference: Difference, replayed: Replayed) -> Iterator[str]:
    yield ""
    yield click.style(f"compared with {replayed.other}: both stop {difference.both:,}", bold=True)
    sides = (("only the current one stops", difference.only_current), ("only the other stops", difference.only_other))
    for title, blocks in sides:
        yield f"  {title} {len({block.edit for block in blocks}):,}"
        for block in blocks[: max(replayed.examples, 1) * 5]:
            yield f"  {block.rule}{_line(block)}"
    current, other = difference.held
    if current or other:
        yield f"  held at the end of the turn: {current:,} by the current one, {other:,} by the other"


def _as_json(replayed: Replayed) -> Iterator[str]:
    tally, times, compared = replayed.tally, replayed.tally.times, replayed.difference
    told: dict[str, Any] = {
        "source": replayed.what,
        "edits": tally.edits,
        "blocked": tally.blocked,
        "asked": tally.asked,
        "without_complexity": tally.without_complexity,
        "held": tally.held,
        "stopped_then": tally.then,
        "rules": [_rule_json(each, replayed) for each in tally.by_rule],
        "marks": _marks_json(tally.marks),
        "time_ms": {"p50": times.half, "p95": times.most, "max": times.longest, "total": times.total},
        "unjudged": dict(tally.unjudged),
        "difference": None,
        "notes": list(replayed.notes),
        "elapsed_ms": replayed.elapsed_ms,
    }
    if compared is not None:
        told["difference"] = {
            "other": replayed.other,
            "both": compared.both,
            "only_current": [_block_json(block, replayed) for block in compared.only_current],
            "only_other": [_block_json(block, replayed) for block in compared.only_other],
            "held": dict(zip(("current", "other"), compared.held, strict=True)),
        }
    yield encodable(json.dumps(told, ensure_ascii=False, indent=2))


def _rule_json(each: OfRule, replayed: Replayed) -> dict[str, Any]:
    return {
        "rule": each.rule,
        "edits": len(each.blocks),
        "marks": _marks_json(each.marks),
        "blocks": [_block_json(block, replayed) for block in each.blocks],
    }


def _marks_json(marks: Counter[Rating]) -> dict[str, Any]:
    sure = precision(marks)
    counts = {str(mark): marks[mark] for mark in Rating}
    return {**counts, "precision": sure and sure[0], "precision_with_arguable": sure and sure[1]}


def _block_json(block: Block, replayed: Replayed) -> dict[str, Any]:
    return {
        "edit": block.edit,
        "rule": block.rule,
        "verdict": str(replayed.marks.get(block.key, "")),
        "path": block.path,
        "line": block.line,
        "message": block.message,
        "findings": block.findings,
        "decision": "ask" if block.asks else "block",
        "origin": block.origin,
    }


def _as_lines(replayed: Replayed) -> Iterator[str]:
    """One block a line, ready to be marked."""
    for block in replayed.tally.blocks:
        yield encodable(json.dumps(_block_json(block, replayed), ensure_ascii=False))


_FORMS: Mapping[str, Callable[[Replayed], Iterator[str]]] = {
    "text": _as_text,
    "json": _as_json,
    "jsonl": _as_lines,
}
