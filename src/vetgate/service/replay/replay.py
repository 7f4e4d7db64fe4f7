"""Edits of the past under a configuration of today, or under two of them."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from vetgate.agents import agents
from vetgate.model import UserError
from vetgate.progress import Progress, unseen
from vetgate.service.configuration import Configurations, named, open_store
from vetgate.service.replay.judge import judged_again, judgements
from vetgate.service.replay.recording import history, sessions, transcripts_at
from vetgate.service.replay.tally import Rating, difference, precision, read_ratings, tally
from vetgate.source import git

if TYPE_CHECKING:
    from collections import Counter
    from pathlib import Path

    from vetgate.config.schema import Config
    from vetgate.service.replay.judge import EditJudgement
    from vetgate.service.replay.recording import Recording
    from vetgate.service.replay.tally import Block, Difference, Ratings, Tally

_COMMITS = 100
_DECISIONS = 10_000
_OFF = "a configuration says `enabled: false`: it stops nothing, whatever the figures say"


@dataclass(frozen=True, slots=True)
class ReplayRequest:
    """One source of edits: a range of `commits` (the newest without any), an agent's sessions, or our own record.

    `other_file` is a configuration to compare with; `marks_file` holds what people said of blocks.
    """

    commits: str | None = None
    of_project: bool = False
    transcripts: tuple[Path, ...] = ()
    remembered: bool = False
    last: int | None = None
    config_file: Path | None = None
    other_file: Path | None = None
    marks_file: Path | None = None


@dataclass(frozen=True, slots=True)
class Replayed:
    what: str
    tally: Tally
    elapsed_ms: float
    difference: Difference | None = None
    other: str = ""
    notes: tuple[str, ...] = ()
    ratings: Ratings = field(default_factory=dict)

    def plain(self) -> dict[str, Any]:
        found, times = self.tally, self.tally.times
        return {
            "source": self.what,
            "edits": found.edits,
            "blocked": found.blocked,
            "asked": found.asked,
            "without_complexity": found.without_complexity,
            "held": found.held,
            "stopped_then": found.then,
            "rules": [
                {
                    "rule": each.rule,
                    "edits": len(each.blocks),
                    "marks": _plain_ratings(each.ratings),
                    "blocks": list(map(self.plain_block, each.blocks)),
                }
                for each in found.by_rule
            ],
            "marks": _plain_ratings(found.ratings),
            "time_ms": {"p50": times.half, "p95": times.most, "max": times.longest, "total": times.total},
            "unjudged": dict(found.unjudged),
            "difference": self._plain_difference(),
            "notes": list(self.notes),
            "elapsed_ms": self.elapsed_ms,
        }

    def plain_block(self, block: Block) -> dict[str, Any]:
        """Ready to be marked by a person."""
        return {
            "edit": block.edit,
            "rule": block.rule,
            "verdict": str(self.ratings.get(block.key, "")),
            "path": block.path,
            "line": block.line,
            "message": block.message,
            "findings": block.findings,
            "decision": "ask" if block.asks else "block",
            "origin": block.origin,
        }

    def _plain_difference(self) -> dict[str, Any] | None:
        compared = self.difference
        if compared is None:
            return None
        return {
            "other": self.other,
            "both": compared.both,
            "only_current": list(map(self.plain_block, compared.only_current)),
            "only_other": list(map(self.plain_block, compared.only_other)),
            "held": dict(zip(("current", "other"), compared.held, strict=True)),
        }


def _plain_ratings(ratings: Counter[Rating]) -> dict[str, Any]:
    sure = precision(ratings)
    counts = {str(rating): ratings[rating] for rating in Rating}
    return {**counts, "precision": sure and sure[0], "precision_with_arguable": sure and sure[1]}


def replay(request: ReplayRequest, root: Path, progress: Progress = unseen) -> Replayed:
    """Nothing is changed, and nothing is run but the checks."""
    started = time.perf_counter()
    tried = request.config_file
    configs = [named(tried, root) if tried else Configurations().in_force(root).config]
    if request.other_file is not None:
        configs.append(named(request.other_file, root))
    ratings = read_ratings(request.marks_file) if request.marks_file else {}
    what, notes, judged = _judged(request, root, configs, progress)
    current, *other = ([each[index] for each in judged] for index in range(len(configs)))
    return Replayed(
        what=what,
        tally=tally(current, ratings),
        elapsed_ms=(time.perf_counter() - started) * 1000,
        difference=difference(current, other[0]) if other else None,
        other=str(request.other_file or ""),
        notes=(*notes, *(_OFF for config in configs if not config.enabled)),
        ratings=ratings,
    )


def _judged(
    request: ReplayRequest, root: Path, configs: list[Config], progress: Progress
) -> tuple[str, tuple[str, ...], list[tuple[EditJudgement, ...]]]:
    if request.remembered:
        with open_store(root) as store:
            rows = store.decisions(request.last or _DECISIONS)
        if not rows:
            raise UserError(
                "the log of this project is empty", hint="replay commits instead: vetgate replay --git RANGE"
            )
        again = [list(judged_again(reversed(rows), config)) for config in configs]
        return "our own log", (), list(zip(*again, strict=True))
    recording = _recording(request, root)
    return recording.what, recording.notes, judgements(recording, configs, progress)


def _recording(request: ReplayRequest, root: Path) -> Recording:
    if request.transcripts:
        return sessions(transcripts_at(request.transcripts))
    if request.of_project:
        kept = [each for each in agents() if each.capabilities.keeps_transcripts]
        found = [transcript for each in kept for transcript in each.transcript.transcripts(root)]
        if not found:
            names = ", ".join(each.known.title for each in kept)
            raise UserError(f"no agent has a transcript of {root}", hint=f"{names} keep some; --transcript FILE")
        return sessions(found)
    newest = request.last or (_COMMITS if request.commits is None else None)
    return history(git.open_at(root), request.commits or "HEAD", newest)
