"""Git runs no agent and is run by everybody: which of its files are guarded is said where they are read."""

from __future__ import annotations

from vetgate.agents import Capabilities
from vetgate.known_agents import KnownAgent
from vetgate.model import EventKind

KNOWN = KnownAgent(title="git", program="git")

CAPABILITIES = Capabilities(frozenset({EventKind.COMMIT, EventKind.PUSH}), shows_content=True)
