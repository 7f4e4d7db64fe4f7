"""Our entries in the text of one of Claude Code's settings files, for the events in its table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vetgate.agents import hook_entries
from vetgate.agents.claude_code.settings import GUARD, listening
from vetgate.agents.hook_entries import our_entries, settings_text, unregister, unregistered

if TYPE_CHECKING:
    from vetgate.agents.claude_code.accepts import Refusal

__all__ = ["are_in_our_entries", "our_entries", "register", "registered", "settings_text", "unregister", "unregistered"]


def register(text: str, command: str, judged: float = 0.0) -> str:
    """Judges before a call are waited for so many seconds."""
    kept = next((entry.hook for entry in our_entries(text) if entry.event == GUARD), None)
    return hook_entries.register(text, command, listening(judged, kept))


def registered(data: bytes | None, command: str, judged: float = 0.0) -> bytes:
    kept = next((entry.hook for entry in our_entries(settings_text(data or b"")) if entry.event == GUARD), None)
    return hook_entries.registered(data, command, listening(judged, kept))


def are_in_our_entries(text: str, found: list[Refusal]) -> bool:
    """Whether all that the client refuses stands in entries of ours, which `register` writes anew."""
    if any(not refusal.where for refusal in found):  # it is not even JSON
        return False
    ours = [f"hooks.{entry.event}[{entry.group}].hooks[{entry.index}]" for entry in our_entries(text)]
    return all(any(refusal.where.startswith(place) for place in ours) for refusal in found)
