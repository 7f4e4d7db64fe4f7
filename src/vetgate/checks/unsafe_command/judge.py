"""A command and a place in; what it would do that somebody has to decide out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vetgate.checks.unsafe_command import (
    agents,
    cloud,
    credentials,
    databases,
    fetched,
    files,
    gate,
    git,
    packages,
    persistence,
    publishing,
    system,
)
from vetgate.checks.unsafe_command.command_context import CommandPaths
from vetgate.checks.unsafe_command.effect import KINDS, UNREADABLE, Effect, EffectContext, MatchedEffect, Policy
from vetgate.checks.unsafe_command.secrets import CredentialFiles
from vetgate.model import Decision
from vetgate.source.shell.follow import follow
from vetgate.source.shell.marks import shown
from vetgate.source.shell.model import Unreadable
from vetgate.source.shell.runs import ProgramRun

if TYPE_CHECKING:
    from vetgate.checks.unsafe_command.command_context import CommandContext
    from vetgate.checks.unsafe_command.effect import Area

_AREAS: tuple[Area, ...] = (
    gate.effects,
    agents.effects,
    files.effects,
    git.effects,
    system.effects,
    fetched.effects,
    packages.effects,
    credentials.effects,
    persistence.effects,
    cloud.effects,
    databases.effects,
    publishing.effects,
)
_USUAL = Policy()
_MOST_PART = 200
_MOST_SOURCE = 2_000


def judge(command: str, place: CommandContext, policy: Policy = _USUAL) -> tuple[Effect, ...]:
    """Every effect that is not simply allowed, in the order of the command, each kind and part once."""
    paths = CommandPaths(place, policy.trusted)
    secrets = CredentialFiles(paths, policy.sensitive)
    try:
        runs = follow(command, secrets, home=str(place.home), cwd=str(place.cwd))
    except Unreadable as error:
        return _decided(
            [(ProgramRun((), part=(0, len(command)), source=command), MatchedEffect(UNREADABLE, str(error)))], policy
        )
    context = EffectContext(paths, policy, secrets, command, frozenset(run.name for run in runs))
    found = [(run, each) for run in runs for area in _AREAS for each in area(run, context)]
    return _decided(found, policy)


def _decided(found: list[tuple[ProgramRun, MatchedEffect]], policy: Policy) -> tuple[Effect, ...]:
    effects: dict[tuple[str, tuple[int, int]], Effect] = {}
    for run, each in found:
        decision = policy.decision(each.kind)
        decision = min(decision, Decision.ASK) if each.asks else decision
        if decision > Decision.ALLOW and (each.kind, run.part) not in effects:
            part = shown(" ".join(run.source[:_MOST_SOURCE].split()))[:_MOST_PART]
            safe = each.safe or KINDS[each.kind].safe
            effects[each.kind, run.part] = Effect(each.kind, decision, each.what, part, *run.part, safe)
    return tuple(sorted(effects.values(), key=lambda effect: effect.start))
