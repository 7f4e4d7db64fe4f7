"""What still runs while a turn ends: the client says so, and ends it once more when that has ended."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vetgate.model import AN_AGENT

if TYPE_CHECKING:
    from vetgate.model import Event


def is_an_agent_running(event: Event) -> bool:
    return any(AN_AGENT in kind for kind in event.background)
