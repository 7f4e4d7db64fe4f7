"""A recording judged in several processes: each edit alone, and what would be stopped once more with its company."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from vetgate.cli.spread import Spread
from vetgate.replay.judge import concerned, judge_batch, judge_together, settled

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vetgate.config.schema import Config
    from vetgate.replay.judge import Judgement
    from vetgate.replay.recording import Recording

# A company may be a large commit: few of them are worth a process.
_MANY_COMPANIES = 8


def judgements(recording: Recording, configs: Sequence[Config]) -> list[tuple[Judgement, ...]]:
    """For each edit, in order, what each configuration says of it."""
    work = partial(judge_batch, recording.edits, tuple(configs))
    alone = [each for batch in Spread("replaying", work).over(recording.items) for each in batch]
    stopped: dict[str, list[Judgement]] = {}
    for one in (one for each in alone for one in each if one.counting and one.company):
        stopped.setdefault(one.company, []).append(one)
    companies = [(name, concerned(recording.company(name), found)) for name, found in stopped.items()]
    again = partial(judge_together, tuple(configs))
    spread = Spread("comparing", again, many=_MANY_COMPANIES, batch=1)
    places = {name: found for batch in spread.over(companies) for name, found in batch}
    return [tuple(map(settled, each, places[each[0].company])) if each[0].company in places else each for each in alone]
