"""What a judge is, and what it may be shown."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from vetgate.agents.conversation import NO_CONVERSATION, Conversation
from vetgate.severity import Severity

if TYPE_CHECKING:
    from collections.abc import Callable

    from vetgate.agents.conversation import Preset
    from vetgate.judgement import Part, Tier
    from vetgate.judges.review_context import ReviewContext
    from vetgate.model import Change, Event, EventKind

MOST_CHANGED_LINES = 10_000
_PAGES = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Context:
    """All that judges may be shown of an event. A judge takes from it what its page says, and nothing else.

    `change` is what is judged where the event has none, as in a review. `rules` are the project's own instructions to
    agents, each with its path; `plan` is the text of the plan that is being followed. `denied_by` and `denial` are the
    judge that an appeal goes against and what it said. `remembered` are keys that a judge asked to keep, see
    `Judge.keys`. `sensitive` are the paths that the configuration adds to those that nobody sends anywhere.
    `review` is what a reviewer sees beside the change.
    """

    event: Event
    root: Path
    conversation: Conversation = NO_CONVERSATION
    change: Change | None = None
    rules: tuple[tuple[str, str], ...] = ()
    plan: str = ""
    denied_by: str = ""
    denial: str = ""
    remembered: frozenset[str] = frozenset()
    sensitive: tuple[str, ...] = ()
    review: ReviewContext | None = None


@dataclass(frozen=True, slots=True)
class Judge:
    """`parts` gives what it wants to show a model; None where there is nothing to ask.

    `preset` is how much of the conversation it sees. `most_tokens` bounds its answer, `most_lines` the changed lines
    that it is shown. `keys` names what is to be remembered for the session once it has allowed: it does not ask about
    the same again. One that `wants_rules` sees the project's instructions to agents, one that `needs_transcript` goes
    by what the agent said or ran. One that `reviews` may be asked in several questions, and what it finds is checked
    against the code.
    """

    id: str
    summary: str
    tier: Tier
    events: frozenset[EventKind]
    preset: Preset
    parts: Callable[[Context], tuple[Part, ...] | None]
    most_tokens: int = 1024
    most_lines: int = MOST_CHANGED_LINES
    block_at: Severity = Severity.ERROR
    wants_rules: bool = False
    needs_transcript: bool = False
    reviews: bool = False
    keys: Callable[[Context], tuple[str, ...]] | None = None

    @property
    def page(self) -> Path:
        return _PAGES / f"{self.id.replace('-', '_')}.md"

    @property
    def instructions(self) -> str:
        """What its page says under `Prompt`."""
        return section(self.page, "Prompt")


@lru_cache(maxsize=64)
def section(page: Path, title: str) -> str:
    """The text under a heading of a page."""
    _, _, rest = page.read_text(encoding="utf-8").partition(f"\n## {title}\n")
    return rest.partition("\n## ")[0].strip()
