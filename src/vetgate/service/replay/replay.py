"""Edits of the past under a configuration of today, or under two of them."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from vetgate.agents import agents
from vetgate.model import Progress, UserError, unseen
from vetgate.service.configuration import Configurations, named, open_store
from vetgate.service.replay.judge import judgements
from vetgate.service.replay.recording import history
from vetgate.service.replay.remembered import judged_again
from vetgate.service.replay.sessions import sessions, transcripts_at
from vetgate.service.replay.tally import difference, read_marks, tally
from vetgate.source import git

if TYPE_CHECKING:
    from pathlib import Path

    from vetgate.config.schema import Config
    from vetgate.service.replay.judge import Judgement
    from vetgate.service.replay.recording import Recording
    from vetgate.service.replay.tally import Difference, Marks, Tally

_COMMITS = 100
_DECISIONS = 10_000
_OFF = "a configuration says `enabled: false`: it stops nothing, whatever is counted here"


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
    marks: Marks = field(default_factory=dict)


def replay(request: ReplayRequest, root: Path, progress: Progress = unseen) -> Replayed:
    """Nothing is changed, and nothing is run but the checks."""
    started = time.perf_counter()
    tried = request.config_file
    configs = [named(tried, root) if tried else Configurations().in_force(root).config]
    if request.other_file is not None:
        configs.append(named(request.other_file, root))
    marks = read_marks(request.marks_file) if request.marks_file else {}
    what, notes, judged = _judged(request, root, configs, progress)
    current, *other = ([each[index] for each in judged] for index in range(len(configs)))
    return Replayed(
        what=what,
        tally=tally(current, marks),
        elapsed_ms=(time.perf_counter() - started) * 1000,
        difference=difference(current, other[0]) if other else None,
        other=str(request.other_file or ""),
        notes=(*notes, *(_OFF for config in configs if not config.enabled)),
        marks=marks,
    )


def _judged(
    request: ReplayRequest, root: Path, configs: list[Config], progress: Progress
) -> tuple[str, tuple[str, ...], list[tuple[Judgement, ...]]]:
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
            names = " and ".join(each.known.title for each in kept)
            raise UserError(f"{names} keeps no transcripts of {root}", hint="name one: --transcript FILE")
        return sessions(found)
    newest = request.last or (_COMMITS if request.commits is None else None)
    return history(git.open_at(root), request.commits or "HEAD", newest)
