"""How Codex is recognised, and what of it decides whether a gate stands."""

from __future__ import annotations

import json
import tomllib
from typing import TYPE_CHECKING, Any

from vetgate.agents import Capabilities
from vetgate.agents.hook_settings import HELD, HOOK_EVENTS, LOOKS, read_json_hooks
from vetgate.known_agents import Gated, HookSettings, KnownAgent, Launch
from vetgate.model import EventKind

if TYPE_CHECKING:
    from collections.abc import Iterator

NAME = "codex"
OFF = "features.hooks=false"
_LOOKS = LOOKS | {"debug", "sandbox", "features"}
_LAUNCH = Launch(looks=_LOOKS)

EVENTS = {name: kinds for name, kinds in HOOK_EVENTS.items() if name != "ConfigChange"}


def read_settings(text: str | None) -> HookSettings | None:
    """Of hooks.json or of config.toml, whichever it is."""
    found = read_json_hooks(text)
    if found is not None or text is None:
        return found
    try:
        config = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError):
        return None
    features = config.get("features")
    off = isinstance(features, dict) and any(features.get(name) is False for name in ("hooks", "codex_hooks"))
    mode = config.get("sandbox_mode")
    return HookSettings(
        dict(_trusted(config)),
        frozenset({OFF}) if off else frozenset(),
        mode=mode if isinstance(mode, str) and mode == "danger-full-access" else "",
    )


def _trusted(config: dict[str, Any]) -> Iterator[tuple[str, object]]:
    """Hooks that it runs: without its hash there one is left out, and nobody is told."""
    hooks = config.get("hooks")
    state = hooks.get("state") if isinstance(hooks, dict) else None
    for key, value in sorted(state.items()) if isinstance(state, dict) else ():
        if isinstance(value, dict) and isinstance(value.get("trusted_hash"), str):
            yield f"trust in {key}", json.dumps(value["trusted_hash"])


KNOWN = KnownAgent(
    title="Codex",
    program="codex",
    processes=("codex",),
    # Not CODEX_HOME, which also stands in a person's own terminal.
    markers=("CODEX_SANDBOX", "CODEX_SANDBOX_NETWORK_DISABLED", "CODEX_THREAD_ID", "CODEX_CI"),
    launches={"codex": _LAUNCH, "codex-cli": _LAUNCH},
    folder=".codex",
    settings=(".codex/hooks.json", ".codex/config.toml"),
    hooks=(".codex/hooks/",),
    plugins=(".codex/rules/",),
    prompts=(".codex/prompts/", ".codex/skills/", ".agents/skills/"),
    conversations=(".codex/sessions/*/*/*/*.jsonl", ".codex/archived_sessions/*.jsonl"),
    machine=("/etc/codex",),
    credentials=(".codex/auth.json",),
    tampers="""
        codex features disable
        codex|codex-cli mcp add|remove
    """,
    in_project=(
        ".codex",
        ".codex/config.toml",
        ".codex/hooks*",
        ".codex/rules*",
        "*/.codex/config.toml",
        "*/.codex/hooks*",
    ),
    in_home=(".codex", ".codex/config.toml", ".codex/hooks*", ".codex/rules*"),
    gated=Gated(
        events=EVENTS,
        read_settings=read_settings,
        commands=frozenset({"Bash"}),
        looks_after_itself=_LOOKS,
        loosens=("--dangerously-bypass-approvals-and-sandbox", "--dangerously-bypass-hook-trust", "--yolo"),
        about_hooks=frozenset({"hooks", "features"}),
        switches=(OFF,),
        moved_by="CODEX_HOME",
        moved=("hooks.json", "config.toml", "hooks/"),
        session_in="CODEX_THREAD_ID",
    ),
)

CAPABILITIES = Capabilities(
    HELD | {EventKind.SUBAGENT_STOP},
    shows_content=True,
    keeps_transcripts=True,
)
