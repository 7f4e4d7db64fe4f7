"""Git runs no agent and is run by everybody: what protects its hooks is said where its files are read."""

from __future__ import annotations

from vetgate.known_agents import KnownAgent

KNOWN = KnownAgent(title="git", program="git")
