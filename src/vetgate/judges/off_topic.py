"""Whether the agent ends its turn with what was asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vetgate.agents.conversation import Speaker
from vetgate.judgement import Part, Tier
from vetgate.judges import pieces, presets
from vetgate.judges.judge import Judge
from vetgate.model import EventKind

if TYPE_CHECKING:
    from vetgate.judges.judge import Context

_MOST_WORDS = 6_000


def _parts(context: Context) -> tuple[Part, ...] | None:
    """The last message may not be in the transcript yet when a turn ends; then the agent gives it with the event."""
    spoken = context.conversation.of(Speaker.ASSISTANT, Speaker.USER)
    is_answered = bool(spoken) and spoken[-1].speaker is Speaker.ASSISTANT  # else it belongs to an earlier turn
    last = context.event.last_message or (spoken[-1].text if is_answered else "")
    if not last or not context.conversation.of(Speaker.USER):
        return None
    answer = Part("What the agent says at the end of its turn", pieces.words(context, last, _MOST_WORDS))
    return pieces.said(context), pieces.announced(context), answer


JUDGE = Judge(
    "off-topic",
    "Asks at the end of a turn whether the agent did what it was asked, and whether its report is true.",
    Tier.HAIKU,
    frozenset({EventKind.STOP, EventKind.SUBAGENT_STOP}),
    presets.OFF_TOPIC,
    _parts,
    most_tokens=512,
)
