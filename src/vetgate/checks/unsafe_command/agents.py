"""Another coding agent, started from this one: its work passes no gate, unless it is gated here too."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from vetgate.checks.unsafe_command.effect import TAMPERS, MatchedEffect
from vetgate.checks.unsafe_command.words import Words
from vetgate.source.root import project_root, real, store_key
from vetgate.source.shell.marks import UNKNOWN
from vetgate.source.shell.options import value_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from vetgate.checks.unsafe_command.look import Look
    from vetgate.source.shell.runs import ProgramRun

_SAFE = "do the work in this session, where the gate sees it, or ask the person to start the other agent"


class AgentProgram(NamedTuple):
    """What starts it, as options or words: with nothing listed, everything but `looks` and asking for help.

    `loosens` are options with which it asks nobody, or leaves its hooks out.
    """

    starts: frozenset[str] = frozenset()
    looks: frozenset[str] = frozenset()
    loosens: frozenset[str] = frozenset()


def _agent(starts: str = "", looks: str = "", loosens: str = "") -> AgentProgram:
    return AgentProgram(frozenset(starts.split()), frozenset(looks.split()), frozenset(loosens.split()))


_LOOKS = "login logout auth mcp config doctor update upgrade completion completions models list help version install"
_CLAUDE = _agent(
    loosens="--dangerously-skip-permissions --allow-dangerously-skip-permissions --bare --safe-mode --restricted"
)
_CODEX = _agent(looks=f"{_LOOKS} debug sandbox features")
_GEMINI = _agent(looks=f"{_LOOKS} extensions hooks skills")
_OPENCODE = _agent(looks=f"{_LOOKS} agent stats export import session db uninstall")
_CURSOR = _agent(looks=f"{_LOOKS} status ls about create-chat")
# Names that other programs have as well are known by what starts the agent alone.
_AGENTS: Mapping[str, AgentProgram] = {
    "claude": _CLAUDE,
    "claude-code": _CLAUDE,
    "codex": _CODEX,
    "codex-cli": _CODEX,
    "gemini": _GEMINI,
    "gemini-cli": _GEMINI,
    "qwen": _GEMINI,
    "qwen-code": _GEMINI,
    "opencode": _OPENCODE,
    "opencode-ai": _OPENCODE,
    "cursor-agent": _CURSOR,
    "aider": _agent(looks="--list-models --models --show-prompts --show-repo-map --just-check-update --check-update"),
    "aider-chat": _agent(),
    "cursor": _agent("agent"),
    "copilot": _agent(
        "-p --prompt -i --interactive --allow-all-tools --allow-all --allow-all-paths --allow-tool --yolo"
    ),
    "goose": _agent("run session web recipe"),
    "amp": _agent("-x --execute --dangerously-allow-all --stream-json threads"),
    "crush": _agent("run -y --yolo"),
    "kimi": _agent("--print -p --prompt -c --command --yolo -y --auto-approve"),
    "droid": _agent("exec"),
    "auggie": _agent(looks=_LOOKS),
    "q": _agent("chat"),
    "kiro-cli": _agent("chat"),
    "cline": _agent("-y --yolo task -o --oneshot"),
    "plandex": _agent("tell build continue"),
    "openhands": _agent("-t --task -f --file --headless"),
    "openhands-cli": _agent("-t --task -f --file --headless"),
    "trae-cli": _agent("run"),
    "forge": _agent("-p --prompt"),
    "continue": _agent("-p --print --auto"),
    "cn": _agent("-p --print --auto"),
    "mini-swe-agent": _agent(),
    "swe-agent": _agent(),
    "sweagent": _agent(),
}
_READS_STDIN = frozenset({"amp", "copilot", "crush", "kimi", "cn", "forge"})
_WORDS_FIRST = frozenset({"goose", "crush", "droid", "q", "kiro-cli", "plandex", "trae-cli", "cline", "amp"})
_GATED = frozenset({"claude", "claude-code"})
_LOOKS_AFTER_ITSELF = frozenset({"mcp", "config", "doctor", "update", "plugin", "install", "auth", "setup-token"})
_BYPASS = "bypasspermissions"
_OUR_HOOK = "vetgate"


def effects(run: ProgramRun, look: Look) -> Iterator[MatchedEffect]:
    name, arguments = _called(run)
    agent = _AGENTS.get(name)
    if agent is None:
        return
    words = Words(arguments)
    if words.has("--help", "-h", "--version", "-V", "-v") and not agent.starts:
        return
    if name in _GATED:
        yield from _claude(run, words, look)
    elif _is_started(name, agent, words) or (not arguments and name in _READS_STDIN and (run.stdin or run.reads)):
        yield MatchedEffect(TAMPERS, f"it starts another agent ({name}), whose work passes no gate", _SAFE)


def _called(run: ProgramRun) -> tuple[str, tuple[str, ...]]:
    """The agent's program, also as a package (`@openai/codex@latest`) and as `gh copilot`."""
    name = run.name.partition("@")[0]
    if run.name == "gh" and run.arguments[:1] == ("copilot",):
        return "copilot", run.arguments[1:]
    return name, run.arguments


def _is_started(name: str, agent: AgentProgram, words: Words) -> bool:
    if agent.starts:
        first = words.plain[:1] if name in _WORDS_FIRST else words.plain
        return words.has(*agent.starts) or not agent.starts.isdisjoint(first)
    if words.has(*agent.looks):
        return False
    return not words.plain or words.plain[0] not in agent.looks


def _claude(run: ProgramRun, words: Words, look: Look) -> Iterator[MatchedEffect]:
    """Its hooks stand in settings that it reads by itself, as long as nothing points it elsewhere."""
    if words.has(*_CLAUDE.loosens) or _BYPASS in (each.lower().rpartition("=")[2] for each in words.all):
        yield MatchedEffect(TAMPERS, "it starts an agent that asks nobody, or without its hooks", _SAFE)
    sources = value_of(words.all, "--setting-sources")
    if sources is not None and "user" not in sources:
        yield MatchedEffect(TAMPERS, "it starts an agent without the settings that hold its hooks", _SAFE)
    settings = value_of(words.all, "--settings")
    if settings is not None and not _is_harmless(settings):
        yield MatchedEffect(TAMPERS, "it starts an agent with settings that may switch hooks off", _SAFE)
    if "CLAUDE_CODE_SAFE_MODE" in run.env or "HOME" in run.env:
        yield MatchedEffect(TAMPERS, "it starts an agent that does not find the settings with its hooks", _SAFE)
    elif _is_a_session(words) and _leaves_the_gate(run, look):
        yield MatchedEffect(TAMPERS, "it starts an agent in a folder where no gate is registered", _SAFE)


def _is_harmless(settings: str) -> bool:
    """Settings that are written out, and say nothing of hooks and permissions."""
    if UNKNOWN in settings or not settings.lstrip().startswith("{"):
        return False
    try:
        found = json.loads(settings)
    except ValueError:
        return False
    return isinstance(found, dict) and not {"hooks", "disableAllHooks", "allowManagedHooksOnly", "permissions"} & set(
        found
    )


def _is_a_session(words: Words) -> bool:
    if words.has("--help", "-h", "--version", "-v"):
        return False
    return not words.plain or words.plain[0] not in _LOOKS_AFTER_ITSELF


def _leaves_the_gate(run: ProgramRun, look: Look) -> bool:
    """An agent that starts outside of the project is left alone there, as any session that begins elsewhere."""
    place = look.ground.place
    if _names_us(place.home / ".claude" / "settings.json"):
        root = project_root(real(Path(run.cwd or place.cwd)))
        return root is None or store_key(root) != store_key(place.configured)
    here = look.ground.resolve(run, ".")
    if here is not None and look.ground.in_project(here):
        return False
    names = ("settings.json", "settings.local.json")
    return any(_names_us(root / ".claude" / name) for root in place.projects for name in names)


def _names_us(file: Path) -> bool:
    try:
        return _OUR_HOOK in file.read_text("utf-8", "replace")
    except OSError:
        return False
