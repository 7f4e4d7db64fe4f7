"""Two configurations over the same edits: what only one of them would stop."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from vetgate.replay.tally import blocks_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vetgate.replay.judge import Judgement
    from vetgate.replay.tally import Block


@dataclass(frozen=True, slots=True)
class Difference:
    """Blocks of edits that one configuration stops and the other lets pass; `both` counts the edits that both stop.

    `held` are edits that pass and hold the end of the turn, under the one and under the other.
    """

    only_current: tuple[Block, ...]
    only_other: tuple[Block, ...]
    both: int
    held: tuple[int, int] = (0, 0)


def difference(current: Sequence[Judgement], other: Sequence[Judgement]) -> Difference:
    pairs = list(zip(current, other, strict=True))
    return Difference(
        tuple(block for mine, theirs in pairs if not theirs.is_stopped for block in blocks_of(mine)),
        tuple(block for mine, theirs in pairs if not mine.is_stopped for block in blocks_of(theirs)),
        sum(mine.is_stopped and theirs.is_stopped for mine, theirs in pairs),
        (_held(current), _held(other)),
    )


def _held(judgements: Sequence[Judgement]) -> int:
    return sum(bool(each.held) and not each.is_stopped for each in judgements)
