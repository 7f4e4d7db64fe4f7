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
    sent_data,
    system,
)
from vetgate.checks.unsafe_command.command_context import CommandPaths
from vetgate.checks.unsafe_command.effect import KINDS, UNREADABLE, Effect, EffectContext, MatchedEffect, Policy
from vetgate.checks.unsafe_command.losses import Losses
from vetgate.checks.unsafe_command.secrets import CredentialFiles
from vetgate.checks.unsafe_command.words import Words
from vetgate.model import Decision
from vetgate.source.shell.follow import follow
from vetgate.source.shell.model import Unreadable
from vetgate.source.shell.options import copied
from vetgate.source.shell.placeholders import has_glob, shown
from vetgate.source.shell.runs import ProgramRun

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

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
    sent_data.effects,
)
_USUAL = Policy()
_MOST_PART = 200
_MOST_SOURCE = 2_000
_MOST_WHAT = 400


def judge(command: str, place: CommandContext, policy: Policy = _USUAL) -> tuple[Effect, ...]:
    """Every effect that is not simply allowed, in the order of the command, each kind and part once."""
    try:
        runs, context = followed(command, place, policy)
    except Unreadable as error:
        return _decided(
            [(ProgramRun((), part=(0, len(command)), source=command), MatchedEffect(UNREADABLE, str(error)))], policy
        )
    paths = context.paths
    paths.links.update(link for run in runs if run.name == "ln" for link in _links(run, paths))
    found = [(run, each) for run in runs for area in _AREAS for each in area(run, context)]
    # Of two things that one part does the worse one is told.
    return _decided(sorted(found, key=lambda each: -each[1].decision), policy)


def followed(command: str, place: CommandContext, policy: Policy) -> tuple[Sequence[ProgramRun], EffectContext]:
    """All that it runs, and what is to be known for judging that. Raises Unreadable."""
    paths = CommandPaths(place, policy.trusted)
    secrets = CredentialFiles(paths, policy.sensitive)
    runs = follow(command, secrets, home=str(place.home), cwd=str(place.cwd))
    names = frozenset(run.name for run in runs)
    return runs, EffectContext(paths, policy, secrets, command, names, Losses(paths, runs))


def _links(run: ProgramRun, paths: CommandPaths) -> Iterator[tuple[str, str]]:
    """Where symbolic links will be, and where they will lead."""
    if not Words(run.arguments).has("-s", "--symbolic"):
        return
    sources, target = copied(run.name, run.arguments)
    for source in sources:
        name = source.rstrip("/").rpartition("/")[2]
        place = f"{target}{name}" if target.endswith("/") else target
        full, leads = paths.resolve(run, place), paths.resolve(run, source)
        if full and leads and not has_glob(full + leads):
            yield full, leads


def _decided(found: list[tuple[ProgramRun, MatchedEffect]], policy: Policy) -> tuple[Effect, ...]:
    """Of several things of one kind that a part does the worst decides, and all are named."""
    groups: dict[tuple[str, tuple[int, int]], list[tuple[ProgramRun, MatchedEffect]]] = {}
    for run, each in found:
        if policy.decision(each) > Decision.ALLOW:
            groups.setdefault((each.kind, run.part), []).append((run, each))
    effects = []
    for (kind, part), group in groups.items():
        run, worst = group[0]
        what = "; ".join(dict.fromkeys(each.what for _, each in group))[:_MOST_WHAT]
        shown_part = shown(" ".join(run.source[:_MOST_SOURCE].split()))[:_MOST_PART]
        safe = worst.safe or KINDS[kind].safe
        effects.append(Effect(kind, policy.decision(worst), what, shown_part, *part, safe, worst.loss))
    return tuple(sorted(effects, key=lambda effect: effect.start))
