"""The coding agents we can be attached to: one module each, one line in this table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from vetgate.agents.claude_code import wire

if TYPE_CHECKING:
    from collections.abc import Mapping

    from vetgate.model import Decision, Event, Reply


class Agent(Protocol):
    """What a module in this room offers."""

    def edit_payload(self, path: str, content: str, cwd: str, session: str) -> bytes: ...
    def parse(self, payload: bytes, cwd: str) -> Event: ...
    def render(
        self, event: Event, decision: Decision, text: str, summary: str = "", *, approve: bool = False
    ) -> Reply: ...
    def holds(self, reply: Reply) -> bool: ...
    def joined(self, one: Reply, other: Reply) -> Reply: ...


AGENTS: Mapping[str, Agent] = {wire.NAME: wire}
