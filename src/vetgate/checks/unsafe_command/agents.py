"""Another coding agent, started from this one: its work passes no gate, unless it is gated here too."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from vetgate.checks.unsafe_command.effect import TAMPERS, MatchedEffect
from vetgate.checks.unsafe_command.words import Words
from vetgate.known_agents import known_agents
from vetgate.source.root import project_root, real, store_key
from vetgate.source.shell.options import value_of
from vetgate.source.shell.placeholders import UNKNOWN

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vetgate.checks.unsafe_command.effect import EffectContext
    from vetgate.known_agents import Gated, KnownAgent, Launch
    from vetgate.source.shell.runs import ProgramRun

_SAFE = "do the work in this session, where the gate sees it, or ask the person to start the other agent"


_LAUNCHES = {name: (agent, launch) for agent in known_agents() for name, launch in agent.launches.items()}
_EXTENSIONS = frozenset((agent.extends, agent.program) for agent in known_agents() if agent.extends)
_OUR_HOOK = "vetgate"
# Whoever has a gate has this one registered, as a rule; of any other that has to be seen.
_FIRST = next(agent for agent in known_agents() if agent.gated)


def effects(run: ProgramRun, context: EffectContext) -> Iterator[MatchedEffect]:
    name, arguments = _called(run)
    if name not in _LAUNCHES:
        return
    agent, launch = _LAUNCHES[name]
    words = Words(arguments)
    if words.has("--help", "-h", "--version", "-V", "-v") and not launch.starts:
        return
    if agent.gated is not None and (agent is _FIRST or _is_registered(agent, context)):
        yield from _gated(agent, agent.gated, run, words, context)
    elif _is_started(launch, words) or (not arguments and launch.reads_stdin and (run.stdin or run.reads)):
        yield MatchedEffect(TAMPERS, f"it starts another agent ({name}), whose work passes no gate", _SAFE)


def _is_registered(agent: KnownAgent, context: EffectContext) -> bool:
    place = context.paths.place
    return any(_names_us(base / name) for base in (place.home, *place.projects) for name in agent.settings)


def _called(run: ProgramRun) -> tuple[str, tuple[str, ...]]:
    """The agent's program, also as a package with a version, and as an extension of another program."""
    name = run.name.partition("@")[0]
    if (run.name, *run.arguments[:1]) in _EXTENSIONS:
        return run.arguments[0], run.arguments[1:]
    return name, run.arguments


def _is_started(launch: Launch, words: Words) -> bool:
    if launch.starts:
        first = words.plain[:1] if launch.first_word else words.plain
        return words.has(*launch.starts) or not launch.starts.isdisjoint(first)
    if words.has(*launch.looks):
        return False
    return not words.plain or words.plain[0] not in launch.looks


def _gated(
    agent: KnownAgent, gated: Gated, run: ProgramRun, words: Words, context: EffectContext
) -> Iterator[MatchedEffect]:
    """Its hooks stand in settings that it reads by itself, as long as nothing points it elsewhere."""
    modes = (each.lower().rpartition("=")[2] for each in words.all)
    if words.has(*gated.loosens) or (gated.bypasses and gated.bypasses.lower() in modes):
        yield MatchedEffect(TAMPERS, "it starts an agent that asks nobody, or without its hooks", _SAFE)
    option, needed = gated.sources
    sources = value_of(words.all, option) if option else None
    if sources is not None and needed not in sources:
        yield MatchedEffect(TAMPERS, "it starts an agent without the settings that hold its hooks", _SAFE)
    settings = value_of(words.all, gated.settings) if gated.settings else None
    if settings is not None and not _is_harmless(settings, gated):
        yield MatchedEffect(TAMPERS, "it starts an agent with settings that may switch hooks off", _SAFE)
    if "HOME" in run.env or any(name in run.env for name in gated.blinded_by):
        yield MatchedEffect(TAMPERS, "it starts an agent that does not find the settings with its hooks", _SAFE)
    elif _is_a_session(words, gated) and _leaves_the_gate(agent, run, context):
        yield MatchedEffect(TAMPERS, "it starts an agent in a folder where no gate is registered", _SAFE)


def _is_harmless(settings: str, gated: Gated) -> bool:
    """Settings that are written out, and say nothing of hooks and permissions."""
    if UNKNOWN in settings or not settings.lstrip().startswith("{"):
        return False
    try:
        found = json.loads(settings)
    except ValueError:
        return False
    return isinstance(found, dict) and not {*gated.about_hooks, *gated.switches} & set(found)


def _is_a_session(words: Words, gated: Gated) -> bool:
    if words.has("--help", "-h", "--version", "-v"):
        return False
    return not words.plain or words.plain[0] not in gated.looks_after_itself


def _leaves_the_gate(agent: KnownAgent, run: ProgramRun, context: EffectContext) -> bool:
    """An agent that starts outside of the project is left alone there, as any session that begins elsewhere."""
    place = context.paths.place
    if _names_us(place.home / agent.settings[0]):
        root = project_root(real(Path(run.cwd or place.cwd)))
        return root is None or store_key(root) != store_key(place.configured)
    here = context.paths.resolve(run, ".")
    if here is not None and context.paths.in_project(here):
        return False
    return any(_names_us(root / name) for root in place.projects for name in agent.settings)


def _names_us(file: Path) -> bool:
    try:
        return _OUR_HOOK in file.read_text("utf-8", "replace")
    except OSError:
        return False
