"""Slash commands, agents and a skill for the client: where `init` writes each file, and what stands in it.

They stand beside the settings that hold the hooks. The client prefers such files to its own commands of the same name,
a person's own ones in every repository. `/review` is only a second name of its `/code-review`, so that stays within
reach: what a person has for all repositories leaves the name `code-review` to the client. The plugin has the same
texts (plugin.py), where each name has the plugin's before it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from vetgate.agents.claude_code.settings import settings_path
from vetgate.agents.command_files import COMMAND_NAMES, template
from vetgate.agents.installation import Scope

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

AGENT_NAMES = ("quality-checker", "git-agent")
SKILL = "code-review"
_SKILL_NAMES = {Scope.USER: "vetgate-code-review", Scope.PROJECT: SKILL, Scope.LOCAL: SKILL}
_SESSION = " --session ${CLAUDE_SESSION_ID}"


@dataclass(frozen=True, slots=True)
class Naming:
    """How the client calls what is named in these texts: before a command, an agent and a tool; the skill by itself."""

    command: str = "/"
    agent: str = ""
    tool: str = "mcp__vetgate__"
    skill: str = SKILL

    def applied(self, text: str) -> str:
        marks = {"@/@": self.command, "@AGENT@": self.agent, "@TOOL@": self.tool, "@NAME@": self.skill}
        for mark, name in {**marks, "@SESSION@": _SESSION}.items():
            text = text.replace(mark, name)
        return text


def texts(naming: Naming) -> Mapping[str, str]:
    """Every file by its place below a folder of the client's."""
    found = {f"commands/{name}.md": template(f"commands/{name}.md") for name in COMMAND_NAMES}
    found |= {f"agents/{name}.md": template(f"agents/{name}.md") for name in AGENT_NAMES}
    found[f"skills/{naming.skill}/SKILL.md"] = template(f"skills/{SKILL}/SKILL.md")
    return {place: naming.applied(text) for place, text in found.items()}


def command_files(scope: Scope, root: Path) -> Mapping[Path, bytes]:
    """Every file of that place with its content."""
    folder = settings_path(scope, root).parent
    return {folder / place: text.encode() for place, text in texts(Naming(skill=_SKILL_NAMES[scope])).items()}
