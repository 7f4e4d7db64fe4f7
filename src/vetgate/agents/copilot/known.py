"""How Copilot CLI is recognised, and what of it decides whether a gate stands."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from vetgate.agents import Capabilities
from vetgate.agents.hook_settings import AFTER_TOOL, BEFORE_TOOL, HELD, object_in, read_json_hooks
from vetgate.known_agents import Gated, KnownAgent, Launch
from vetgate.model import EventKind

if TYPE_CHECKING:
    from collections.abc import Mapping

NAME = "copilot"
OFF = "disableAllHooks"
FILE = "vetgate.json"
_STARTS = frozenset(
    {
        *("-p", "--prompt", "-i", "--interactive", "--allow-all-tools", "--allow-all", "--allow-all-paths"),
        *("--allow-tool", "--yolo"),
    }
)

EVENTS = {
    "sessionStart": (EventKind.SESSION_START,),
    "sessionEnd": (EventKind.SESSION_END,),
    "userPromptSubmitted": (EventKind.PROMPT,),
    "preToolUse": BEFORE_TOOL,
    "postToolUse": AFTER_TOOL,
    "agentStop": (EventKind.STOP, EventKind.SUBAGENT_STOP),
}


def config_dir(environment: Mapping[str, str]) -> Path:
    moved = environment.get("COPILOT_HOME", "")
    return Path(moved) if moved.startswith("/") else Path.home() / ".copilot"


def is_heard_elsewhere(payload: bytes, environment: Mapping[str, str]) -> bool:
    """Whether this comes by the settings of another agent, and our own hook, which is asked as well, answers it.

    A payload with `permission_mode` is that other agent's, which somebody runs inside of this one.
    """
    fields = object_in(payload) or {}
    if "hook_event_name" not in fields or "permission_mode" in fields:
        return False
    try:
        return b"vetgate-hook" in (config_dir(environment) / "hooks" / FILE).read_bytes()
    except OSError:
        return False


KNOWN = KnownAgent(
    title="Copilot CLI",
    program="copilot",
    processes=("copilot", "copilot-cli"),
    markers=("COPILOT_CLI",),
    extends="gh",
    launches={"copilot": Launch(starts=_STARTS, reads_stdin=True)},
    folder=".copilot",
    places=(".github/copilot", ".github/hooks"),
    settings=(
        f".copilot/hooks/{FILE}",
        ".copilot/settings.json",
        ".copilot/config.json",
        ".github/copilot/settings.json",
    ),
    hooks=(".github/hooks/", ".copilot/hooks/"),
    prompts=(".copilot/agents/", ".copilot/skills/"),
    mcp=(".github/mcp.json", ".vscode/mcp.json"),
    conversations=(".copilot/session-state/*/events.jsonl",),
    credentials=(".config/github-copilot/",),
    rules=("copilot-instructions.md",),
    tampers="""
        copilot mcp remove|disable
    """,
    in_project=(
        *(".github/hooks", ".github/hooks/*", ".github/copilot/settings.json", ".github/mcp.json", ".vscode/mcp.json"),
    ),
    in_home=(
        *(".copilot", ".copilot/hooks", ".copilot/hooks/*"),
        *(".copilot/settings.json", ".copilot/config.json", ".copilot/mcp-config.json"),
    ),
    gated=Gated(
        events=EVENTS,
        read_settings=read_json_hooks,
        commands=frozenset({"bash", "powershell"}),
        loosens=("--allow-all-tools", "--allow-all", "--allow-all-paths", "--yolo"),
        about_hooks=frozenset({"hooks"}),
        switches=(OFF,),
        moved_by="COPILOT_HOME",
        moved=("hooks/", "settings.json", "config.json"),
        started_in="COPILOT_PROJECT_DIR",
        heard_elsewhere=is_heard_elsewhere,
    ),
)

CAPABILITIES = Capabilities(
    HELD | {EventKind.SUBAGENT_STOP},
    asks=True,
    asks_on=frozenset({EventKind.BEFORE_COMMAND}),
    shows_content=True,
    keeps_transcripts=True,
)
