"""How Claude Code is recognised, and what of it decides whether a gate stands."""

from __future__ import annotations

from vetgate.agents import Capabilities
from vetgate.known_agents import Gated, KnownAgent, Launch
from vetgate.model import EventKind

_LAUNCH = Launch()

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
    machine=("/etc/claude-code", "/library/application support/claudecode"),
    credentials=(".claude/.credentials.json",),
    instructions=("CLAUDE",),
    tampers="""
        claude config set|add|remove
        claude plugin uninstall|disable|remove
        claude mcp remove
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
        switches=("disableAllHooks", "allowManagedHooksOnly"),
        unhooked_by=("CLAUDE_CODE_SIMPLE",),
        blinded_by=("CLAUDE_CODE_SAFE_MODE",),
        moved_by="CLAUDE_CONFIG_DIR",
        moved=("settings.json", "settings.local.json", "hooks/"),
        started_in="CLAUDE_PROJECT_DIR",
    ),
)

CAPABILITIES = Capabilities(
    frozenset(
        {
            *(EventKind.BEFORE_EDIT, EventKind.BEFORE_COMMAND, EventKind.BEFORE_TOOL, EventKind.PROMPT),
            *(EventKind.STOP, EventKind.SUBAGENT_STOP, EventKind.CONFIG_CHANGE),
        }
    ),
    asks=True,
    shows_content=True,
    keeps_transcripts=True,
)
