"""Who asks: the project that a process was started in, and the agent and session that started it; who could ask."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

from vetgate.agents import hook_agents, session_agents
from vetgate.model import UserError
from vetgate.source.root import name_in, project_root, real

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

ANY_AGENT = "mcp"


def root_of(folder: Path) -> Path:
    """The root of the project that a folder belongs to; without one the folder itself."""
    return project_root(folder) or folder


def session_agent_names() -> tuple[str, ...]:
    """The coding agents that can be gated."""
    return tuple(each.name for each in session_agents())


def hook_agent_names() -> tuple[str, ...]:
    """Those without sessions that call hooks of ours."""
    return tuple(each.name for each in hook_agents())


@dataclass(frozen=True, slots=True)
class Caller:
    """Nothing outside of `root` is looked at for it."""

    root: Path
    agent: str = ANY_AGENT
    session: str = ""

    @classmethod
    def of(cls, folder: Path, environment: Mapping[str, str] | None = None) -> Caller:
        """By the variables that an agent's client sets for what it starts."""
        root = root_of(real(folder))
        environment = os.environ if environment is None else environment
        for agent in session_agents():
            if session := agent.known.session(environment):
                return cls(root, agent.name, session)
        return cls(root)

    def name_of(self, path: str) -> str:
        """A path as the project calls it; UserError for one that leads out of it, by whichever link."""
        if not path or "\0" in path:
            raise UserError(f"{path!r} is not a path", hint="paths start at the root of the project")
        place = real(self.root / path)
        if not place.is_relative_to(self.root):
            raise UserError(f"{path} lies outside of this project", hint=f"the project is {self.root}")
        return name_in(self.root, place)

    def names_of(self, paths: Iterable[str]) -> tuple[str, ...]:
        return tuple(map(self.name_of, paths))

    def find_transcript(self) -> Path | None:
        """What the agent keeps of this session; None where there is none."""
        for agent in session_agents():
            if agent.name == self.agent and agent.capabilities.keeps_transcripts and self.session:
                found = agent.transcript.transcripts(self.root)
                return next(
                    (
                        each
                        for each in reversed(found)
                        if self.session in each.parts or each.stem.endswith(self.session)
                    ),
                    None,
                )
        return None
