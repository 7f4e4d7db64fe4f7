"""How Cursor is recognised, and what of it decides whether a gate stands. From its documents; it was not run."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from vetgate.agents import Capabilities
from vetgate.agents.hook_settings import AFTER_TOOL, BEFORE_TOOL, HELD, LOOKS, object_in, read_json_hooks
from vetgate.known_agents import Gated, KnownAgent, Launch
from vetgate.model import EventKind

if TYPE_CHECKING:
    from collections.abc import Mapping

NAME = "cursor"
_LOOKS = LOOKS | {"status", "ls", "about", "create-chat"}

EVENTS = {
    "sessionStart": (EventKind.SESSION_START,),
    "sessionEnd": (EventKind.SESSION_END,),
    "beforeSubmitPrompt": (EventKind.PROMPT,),
    "preToolUse": BEFORE_TOOL,
    "postToolUse": AFTER_TOOL,
    "stop": (EventKind.STOP,),
    "subagentStop": (EventKind.SUBAGENT_STOP,),
}

_BORROWED = ("PreToolUse", "PostToolUse", "Stop")  # as the other agent calls them


def is_heard_elsewhere(payload: bytes, environment: Mapping[str, str]) -> bool:  # noqa: ARG001 - as others have it
    """Whether this comes by the settings of another agent, and our own hook, which is asked as well, answers it."""
    if (object_in(payload) or {}).get("hook_event_name") not in _BORROWED:
        return False
    try:
        return b"vetgate-hook" in (Path.home() / ".cursor" / "hooks.json").read_bytes()
    except OSError:
        return False


KNOWN = KnownAgent(
    title="Cursor",
    program="cursor-agent",
    processes=("cursor-agent",),
    # Not CURSOR_TRACE_ID, which also stands in a person's own terminal.
    markers=("CURSOR_AGENT",),
    servers=("cursor-server",),
    launches={"cursor-agent": Launch(looks=_LOOKS), "cursor": Launch(starts=frozenset({"agent"}))},
    folder=".cursor",
    settings=(".cursor/hooks.json", ".cursor/cli.json"),
    hooks=(".cursor/hooks/",),
    prompts=(".cursor/commands/", ".cursor/rules/", ".cursor/agents/", ".cursor/skills/"),
    mcp=(".cursor/mcp.json",),
    rules=(".cursorrules",),
    in_project=(".cursor/hooks*", ".cursor/cli.json", ".cursor/mcp.json", "*/.cursor/hooks*"),
    in_home=(".cursor/hooks*", ".cursor/cli.json", ".cursor/cli-config.json", ".cursor/mcp.json"),
    gated=Gated(
        events=EVENTS,
        read_settings=read_json_hooks,
        commands=frozenset({"Shell"}),
        looks_after_itself=_LOOKS,
        loosens=("--force", "-f", "--yolo"),
        about_hooks=frozenset({"hooks"}),
        started_in="CURSOR_PROJECT_DIR",
        heard_elsewhere=is_heard_elsewhere,
        stamp="cursor_version",
        silence=b"{}",
    ),
)

CAPABILITIES = Capabilities(
    HELD | {EventKind.SUBAGENT_STOP},
    shows_content=True,
)
