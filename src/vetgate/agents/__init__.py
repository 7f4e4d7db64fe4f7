"""The coding agents we can be attached to: one module each, one line in this table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from vetgate.agents.claude_code import wire

if TYPE_CHECKING:
    from collections.abc import Mapping

    from vetgate.model import Decision, Event, EventKind, Reply, Verdict


class Agent(Protocol):
    """What a module in this room offers."""

    def edit_payload(self, path: str, content: str, cwd: str, session: str) -> bytes: ...
    def parse(self, payload: bytes, cwd: str) -> Event: ...
    def render(self, event: Event, verdict: Verdict) -> Reply: ...
    def holds(self, kind: EventKind, decision: Decision) -> bool: ...


AGENTS: Mapping[str, Agent] = {wire.NAME: wire}
