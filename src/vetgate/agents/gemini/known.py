"""How Gemini CLI is recognised, and what of it decides whether a gate stands."""

from __future__ import annotations

from vetgate.agents import Capabilities
from vetgate.agents.hook_settings import AFTER_TOOL, BEFORE_TOOL, HELD, LOOKS, object_in, read_json_hooks
from vetgate.known_agents import Gated, HookSettings, KnownAgent, Launch
from vetgate.model import EventKind

NAME = "gemini"
OFF, DISABLED = "hooksConfig.enabled=false", "hooksConfig.disabled"
_LOOKS = LOOKS | {"extensions", "hooks", "skills"}
_LAUNCH = Launch(looks=_LOOKS)

EVENTS = {
    "SessionStart": (EventKind.SESSION_START,),
    "SessionEnd": (EventKind.SESSION_END,),
    "BeforeAgent": (EventKind.PROMPT,),
    "BeforeTool": BEFORE_TOOL,
    "AfterTool": AFTER_TOOL,
    "AfterAgent": (EventKind.STOP,),
}


def read_settings(text: str | None) -> HookSettings | None:
    found = read_json_hooks(text)
    config = (object_in(text) or {}).get("hooksConfig")
    if found is None or not isinstance(config, dict):
        return found
    off = {OFF} if config.get("enabled") is False else set()
    listed = config.get("disabled")
    off |= {DISABLED} if isinstance(listed, list) and any("vetgate" in str(each) for each in listed) else set()
    return found._replace(switched_on=found.switched_on | off)


KNOWN = KnownAgent(
    title="Gemini CLI",
    program="gemini",
    processes=("gemini", "gemini-cli"),
    markers=("GEMINI_CLI",),
    launches={"gemini": _LAUNCH, "gemini-cli": _LAUNCH},
    folder=".gemini",
    variable_files=(".gemini/.env", ".env"),
    settings=(".gemini/settings.json",),
    hooks=(".gemini/hooks/",),
    plugins=(".gemini/extensions/",),
    prompts=(".gemini/commands/",),
    conversations=(".gemini/tmp/*/chats/*.json*", ".gemini/tmp/*/chats/*/*.json*"),
    runs_by_prompt=((r"!\{[^}\n]+\}", "it has the client run a command that no hook sees"),),
    machine=("/etc/gemini-cli",),
    credentials=(".gemini/oauth_creds.json",),
    instructions=("GEMINI",),
    tampers="""
        gemini hooks disable
        gemini|gemini-cli extensions install|link|uninstall|disable
        gemini|gemini-cli mcp add|remove
    """,
    in_project=(
        *(".gemini", ".gemini/settings.json", ".gemini/hooks*", ".gemini/extensions/*", "*/.gemini/settings.json"),
    ),
    in_home=(".gemini", ".gemini/settings.json", ".gemini/hooks*", ".gemini/extensions/*"),
    gated=Gated(
        events=EVENTS,
        read_settings=read_settings,
        commands=frozenset({"run_shell_command"}),
        looks_after_itself=_LOOKS,
        loosens=("--yolo", "-y", "--approval-mode=yolo", "--skip-trust"),
        about_hooks=frozenset({"hooks", "hooksConfig"}),
        switches=(OFF, DISABLED),
        started_in="GEMINI_PROJECT_DIR",
        session_in="GEMINI_SESSION_ID",
    ),
)

CAPABILITIES = Capabilities(
    HELD,
    shows_content=True,
    keeps_transcripts=True,
)
