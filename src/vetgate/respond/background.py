"""What still runs while a turn ends: the client says so, and ends it once more when that has ended."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vetgate.model import Event

_AGENT = "agent"


def is_anything_running(event: Event) -> bool:
    return any(True for _ in _others(event))


def is_an_agent_running(event: Event) -> bool:
    """Whoever may still write. A server that was started for the session never ends."""
    return any(_AGENT in str(task.get("type") or _AGENT) for task in _others(event))


def _others(event: Event) -> Iterator[dict[str, Any]]:
    """An agent that runs in the background is told of itself as well."""
    tasks = event.raw.get("background_tasks")
    for task in tasks if isinstance(tasks, list) else ():
        if not isinstance(task, dict):
            yield {}
        elif not task.get("id") or task["id"] != event.raw.get("agent_id"):
            yield task
