"""How Claude Code is recognised, and what of it decides whether a gate stands."""

from __future__ import annotations

import re

from vetgate.agents import Capabilities
from vetgate.agents.hook_settings import HELD, HOOK_EVENTS, object_in, read_json_hooks
from vetgate.known_agents import Gated, HookSettings, KnownAgent, Launch
from vetgate.model import EventKind
from vetgate.tool_input import COMMANDS

NAME = "claude-code"
_LAUNCH = Launch()
_PLUGINS, _PLUGIN = "enabledPlugins", re.compile(r"vetgate(@|$)")


def read_settings(text: str | None) -> HookSettings | None:
    found, settings = read_json_hooks(text), object_in(text)
    plugins = settings.get(_PLUGINS) if settings else None
    if found is None or not isinstance(plugins, dict):
        return found
    ours = {name: value for name, value in plugins.items() if _PLUGIN.match(name)}
    off = {_PLUGINS} if any(value is False for value in ours.values()) else set()
    on = sorted(name for name, value in ours.items() if value is True)
    return found._replace(ours={**found.ours, **({_PLUGINS: on} if on else {})}, switched_on=found.switched_on | off)


def _version_in(transcript: str) -> str:
    from vetgate.agents.claude_code.client_record import client_of  # noqa: PLC0415 - what is known loads no other part

    return client_of(transcript)


KNOWN = KnownAgent(
    title="Claude Code",
    program="claude",
    processes=("claude", "claude-code"),
    # Not CLAUDE_CONFIG_DIR, which also stands in a person's own terminal.
    markers=("CLAUDECODE", "CLAUDE_CODE_CHILD_SESSION", "CLAUDE_CODE_SESSION_ID", "CLAUDE_CODE_ENTRYPOINT"),
    launches={"claude": _LAUNCH, "claude-code": _LAUNCH},
    folder=".claude",
    notes=("plans", "projects", "todos", "memory"),
    settings=(".claude/settings.json", ".claude/settings.local.json"),
    hooks=(".claude/hooks/",),
    plugins=(".claude/plugins/",),
    prompts=tuple(f".claude/{name}/" for name in ("commands", "agents", "skills", "output-styles", "rules")),
    runs_by_prompt=(
        (r"(?m)^hooks:", "it brings hooks of its own"),
        (r"(?m)^permissionMode:\s*[\"']?bypass", "it skips every permission prompt"),
        (r"!`[^`\n]+`", "it has the client run a command that no hook sees"),
    ),
    mcp=(".mcp.json",),
    conversations=(".claude/projects/*/*.jsonl", ".claude/projects/*/*-*-*-*-*/subagents/*.jsonl"),
    machine=("/etc/claude-code", "/library/application support/claudecode"),
    credentials=(".claude/.credentials.json",),
    sourced=(".claude/shell-snapshots/", ".claude/session-env/"),
    sourced_by="CLAUDE_ENV_FILE",
    instructions=("CLAUDE",),
    tampers="""
        claude|claude-code config set|add|remove
        claude|claude-code plugin|plugins uninstall|disable|remove|install|enable|update
        claude|claude-code plugin|plugins marketplace add|remove|rm|update
        claude|claude-code mcp remove|add|add-json|add-from-claude-desktop
    """,
    in_project=(
        *(".claude", ".claude/settings*.json", ".claude/hooks", ".claude/hooks/*"),
        *("*/.claude/settings*.json", "*/.claude/hooks/*"),
    ),
    in_home=(
        *(".claude", ".claude/settings*.json", ".claude/hooks", ".claude/hooks/*"),
        *(".claude.json", ".claude/plugins/*"),
    ),
    anywhere=("*/managed-settings.json", "/etc/claude-code/*"),
    gated=Gated(
        events=HOOK_EVENTS,
        read_settings=read_settings,
        commands=COMMANDS,
        looks_after_itself=frozenset(
            {"mcp", "config", "doctor", "update", "plugin", "install", "auth", "setup-token"},
        ),
        loosens=(
            *("--dangerously-skip-permissions", "--allow-dangerously-skip-permissions"),
            *("--bare", "--safe-mode", "--restricted"),
        ),
        bypasses="bypassPermissions",
        sources=("--setting-sources", "user"),
        settings="--settings",
        about_hooks=frozenset({"hooks", "permissions", _PLUGINS}),
        switches=("disableAllHooks", "allowManagedHooksOnly", _PLUGINS),
        unhooked_by=("CLAUDE_CODE_SIMPLE",),
        blinded_by=("CLAUDE_CODE_SAFE_MODE",),
        moved_by="CLAUDE_CONFIG_DIR",
        moved=("settings.json", "settings.local.json", "hooks/"),
        started_in="CLAUDE_PROJECT_DIR",
        session_in="CLAUDE_CODE_SESSION_ID",
        attended_by="CLAUDE_CODE_SESSION_ATTENDED",
        unattended=(("CLAUDE_CODE_ENTRYPOINT", "sdk-*"),),
        nested_by=("CLAUDECODE", "CLAUDE_CODE_CHILD_SESSION"),
        version_in=_version_in,
    ),
)

CAPABILITIES = Capabilities(
    HELD | {EventKind.SUBAGENT_STOP, EventKind.CONFIG_CHANGE},
    asks=True,
    asks_on=frozenset({EventKind.BEFORE_COMMAND}),
    shows_content=True,
    keeps_transcripts=True,
)
