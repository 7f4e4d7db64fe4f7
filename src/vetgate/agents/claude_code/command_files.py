"""Slash commands, agents and a skill for the client: where `init` writes each file, and what stands in it.

They stand beside the settings that hold the hooks. The client prefers such files to its own commands of the same name,
a person's own ones in every repository. `/review` is only a second name of its `/code-review`, so that stays within
reach: what a person has for all repositories leaves the name `code-review` to the client. The plugin has the same
texts (plugin.py), where each name has the plugin's before it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from typing import TYPE_CHECKING

from vetgate.agents.claude_code.settings import settings_path
from vetgate.agents.installation import COMMANDS, Plan, Removal, Scope, Writing
from vetgate.source.replace import read_bytes

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from vetgate.agents.installation import Installation, Receipts

STATUS = "vetgate"  # the command that is called like the program
COMMAND_NAMES = ("check", "confirm", "commit", "push", "review", "ship", "reconcile", STATUS)
AGENT_NAMES = ("quality-checker", "git-agent")
SKILL = "code-review"
_SKILL_NAMES = {Scope.USER: "vetgate-code-review", Scope.PROJECT: SKILL, Scope.LOCAL: SKILL}


@dataclass(frozen=True, slots=True)
class Naming:
    """How the client calls what is named in these texts: before a command, an agent and a tool; the skill by itself."""

    command: str = "/"
    agent: str = ""
    tool: str = "mcp__vetgate__"
    skill: str = SKILL

    def applied(self, text: str) -> str:
        marks = {"@/@": self.command, "@AGENT@": self.agent, "@TOOL@": self.tool, "@NAME@": self.skill}
        for mark, name in marks.items():
            text = text.replace(mark, name)
        return text


@lru_cache(maxsize=32)
def _template(name: str) -> str:
    return (resources.files(__package__) / "templates" / name).read_text(encoding="utf-8")


def texts(naming: Naming) -> Mapping[str, str]:
    """Every file by its place below a folder of the client's."""
    found = {f"commands/{name}.md": _template(f"commands/{name}.md") for name in COMMAND_NAMES}
    found |= {f"agents/{name}.md": _template(f"agents/{name}.md") for name in AGENT_NAMES}
    found[f"skills/{naming.skill}/SKILL.md"] = _template(f"skills/{SKILL}/SKILL.md")
    return {place: naming.applied(text) for place, text in found.items()}


def command_files(scope: Scope, root: Path) -> Mapping[Path, bytes]:
    """Every file of that place with its content."""
    folder = settings_path(scope, root).parent
    return {folder / place: text.encode() for place, text in texts(Naming(skill=_SKILL_NAMES[scope])).items()}


def install_commands(installation: Installation, receipts: Receipts, scope: Scope) -> Plan:
    """What somebody else wrote under one of these names, or changed since, stays and is named."""
    plan = Plan()
    for path, content in command_files(scope, installation.root).items():
        there, receipt = read_bytes(path), receipts.of(path)
        if there is None or there == content or (receipt and receipt.is_untouched(there)):
            plan.writings.append(Writing(path, COMMANDS, there, content))
        else:
            whose = "you changed it since init wrote it" if receipt else "init did not write it"
            plan.notes.append(f"{path} was left alone: {whose}; move it away and run init again for vetgate's own")
    return plan


def remove_commands(installation: Installation, receipts: Receipts, scope: Scope) -> Removal:
    """Of what nobody touched since; a file that init did not write is not even named."""
    found = Removal()
    for path, data, is_ours in _written(installation, receipts, scope):
        if not is_ours:
            found.left.append(f"{path}: it was changed since init wrote it")
        elif data is not None:
            receipt = receipts.of(path)
            found.writings.append(Writing(path, COMMANDS, data, receipt.before if receipt else None))
    return found


def used_by_others(installation: Installation, receipts: Receipts, scope: Scope) -> tuple[str, ...]:
    """The other projects that these files were written for."""
    written = (receipts.of(path) for path, _, _ in _written(installation, receipts, scope))
    return tuple(sorted({name for each in written if each for name in each.projects if name != str(installation.root)}))


def _written(installation: Installation, receipts: Receipts, scope: Scope) -> Iterator[tuple[Path, bytes | None, bool]]:
    for path in command_files(scope, installation.root):
        receipt = receipts.of(path)
        data = read_bytes(path) if receipt else None
        if receipt and data is not None:
            yield path, data, receipt.is_untouched(data)
