"""How Qwen Code is recognised, and what of it decides whether a gate stands."""

from __future__ import annotations

from vetgate.agents import Capabilities
from vetgate.agents.hook_settings import AFTER_TOOL, BEFORE_TOOL, HELD, LOOKS, read_json_hooks
from vetgate.known_agents import Gated, KnownAgent, Launch
from vetgate.model import EventKind

NAME = "qwen"
OFF = "disableAllHooks"
_LOOKS = LOOKS | {"extensions", "hooks", "skills"}
_LAUNCH = Launch(looks=_LOOKS)

EVENTS = {
    "SessionStart": (EventKind.SESSION_START,),
    "SessionEnd": (EventKind.SESSION_END,),
    "UserPromptSubmit": (EventKind.PROMPT,),
    "PreToolUse": BEFORE_TOOL,
    "PostToolUse": AFTER_TOOL,
    "Stop": (EventKind.STOP,),
}

KNOWN = KnownAgent(
    title="Qwen Code",
    program="qwen",
    processes=("qwen", "qwen-code"),
    markers=("QWEN_CODE",),
    launches={"qwen": _LAUNCH, "qwen-code": _LAUNCH},
    folder=".qwen",
    variable_files=(".qwen/.env", ".env"),
    settings=(".qwen/settings.json",),
    hooks=(".qwen/hooks/",),
    plugins=(".qwen/extensions/",),
    prompts=(".qwen/commands/", ".qwen/agents/"),
    conversations=(".qwen/projects/*/chats/*.jsonl",),
    credentials=(".qwen/oauth_creds.json",),
    instructions=("QWEN",),
    tampers="""
        qwen hooks disable
        qwen|qwen-code extensions install|link|uninstall|disable
        qwen|qwen-code mcp add|remove
    """,
    in_project=(".qwen", ".qwen/settings.json", ".qwen/hooks*", ".qwen/extensions/*", "*/.qwen/settings.json"),
    in_home=(".qwen", ".qwen/settings.json", ".qwen/hooks*", ".qwen/extensions/*"),
    gated=Gated(
        events=EVENTS,
        read_settings=read_json_hooks,
        commands=frozenset({"run_shell_command"}),
        looks_after_itself=_LOOKS,
        loosens=("--yolo", "-y", "--approval-mode=yolo"),
        about_hooks=frozenset({"hooks"}),
        switches=(OFF,),
        started_in="QWEN_PROJECT_DIR",
    ),
)

CAPABILITIES = Capabilities(
    HELD,
    asks=True,
    asks_on=frozenset({EventKind.BEFORE_COMMAND}),
    shows_content=True,
    keeps_transcripts=True,
)
