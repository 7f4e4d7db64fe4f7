"""How OpenCode is recognised, and what of it decides whether a gate stands."""

from __future__ import annotations

from vetgate.agents import Capabilities
from vetgate.agents.hook_settings import AFTER_TOOL, BEFORE_TOOL, LOOKS
from vetgate.known_agents import Gated, HookSettings, KnownAgent, Launch
from vetgate.model import EventKind

NAME = "opencode"
FILE = "vetgate.js"
_LOOKS = LOOKS | {"agent", "stats", "export", "import", "session", "db", "uninstall"}
_LAUNCH = Launch(looks=_LOOKS)

EVENTS = {
    "session.created": (EventKind.SESSION_START,),
    "chat.message": (EventKind.PROMPT,),
    "tool.execute.before": BEFORE_TOOL,
    "tool.execute.after": AFTER_TOOL,
    "session.idle": (EventKind.STOP,),
}


def read_settings(text: str | None) -> HookSettings | None:
    """Of the plugin, which is ours whole; settings of JSON say nothing about it."""
    if text is None or "vetgate-hook" not in text or "tool.execute.before" not in text:
        return HookSettings({}) if text is None else None
    return HookSettings(dict.fromkeys(EVENTS, text))


KNOWN = KnownAgent(
    title="OpenCode",
    program="opencode",
    processes=("opencode", ".opencode"),
    markers=("OPENCODE",),
    launches={"opencode": _LAUNCH, "opencode-ai": _LAUNCH},
    tampers="""
        opencode|opencode-ai mcp add
    """,
    folder=".opencode",
    places=(".config/opencode",),
    settings=(
        *(f".config/opencode/plugin/{FILE}", f".opencode/plugin/{FILE}"),
        *(".config/opencode/opencode.json", ".config/opencode/opencode.jsonc", "opencode.json", "opencode.jsonc"),
        *(".opencode/opencode.json", ".opencode/opencode.jsonc"),
    ),
    # Code that it loads: plugins, and tools that it gives the model.
    hooks=tuple(
        f"{folder}/{name}/"
        for folder in (".config/opencode", ".opencode")
        for name in ("plugin", "plugins", "tool", "tools")
    ),
    prompts=tuple(
        f"{folder}/{name}/"
        for folder in (".config/opencode", ".opencode")
        for name in ("command", "commands", "agent", "agents")
    ),
    credentials=(".local/share/opencode/auth.json",),
    in_project=(
        *(".opencode", ".opencode/opencode.json*", ".opencode/plugin*", ".opencode/plugin*/*"),
        *(".opencode/tool*", ".opencode/tool*/*", "*/.opencode/plugin*/*"),
    ),
    in_home=(
        ".config/opencode",
        ".config/opencode/plugin*",
        ".config/opencode/plugin*/*",
        ".config/opencode/tool*/*",
        ".config/opencode/opencode.json*",
    ),
    gated=Gated(
        events=EVENTS,
        read_settings=read_settings,
        commands=frozenset({"bash"}),
        looks_after_itself=_LOOKS,
        loosens=("--pure",),
        unhooked_by=("OPENCODE_PURE",),
        blinded_by=("OPENCODE_DISABLE_PROJECT_CONFIG",),
        moved_by="OPENCODE_CONFIG_DIR",
        moved=("plugin/", "plugins/", "opencode.json"),
    ),
)

# The end of a turn is held where the program goes on running; `opencode run` has ended by then.
CAPABILITIES = Capabilities(
    frozenset({*BEFORE_TOOL, EventKind.STOP}),
    shows_content=True,
)
