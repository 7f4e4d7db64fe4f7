"""What a loop of a review depends on, by name: while both names are the same, so is what it came to."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

from vetgate import __version__
from vetgate.config.gates import plain_gate
from vetgate.config.glob import PathFilter
from vetgate.config.models import plain_consensus
from vetgate.gates.command_kinds import digest
from vetgate.judges import judge_named

if TYPE_CHECKING:
    from collections.abc import Mapping

    from vetgate.config.schema import Config, Loop
    from vetgate.model import Gate

_SHORT = 16
_KINDS = frozenset({"blob", "commit", "tree"})


def files_of(listed: bytes) -> dict[str, str]:
    """Each file with mode and content, from what `git ls-files --stage -z` or `git ls-tree -r -z` printed."""
    found = {}
    for line in listed.split(b"\0"):
        head, _, name = line.partition(b"\t")
        if name:
            words = head.decode("ascii").split()
            content = words[2] if words[1] in _KINDS else words[1]
            found[os.fsdecode(name)] = f"{words[0]} {content}"
    return found


def loop_inputs(loop: Loop, tree: str, fork: str, files: Mapping[str, str]) -> str:
    """Names the content that the loop looks at, and what it is compared with."""
    if not loop.inputs:
        return digest((tree, fork))[:_SHORT]
    wanted = PathFilter(loop.inputs, (), ())
    names = sorted(name for name in files if wanted.checks(name))
    return digest((fork, *(part for name in names for part in (name, files[name]))))[:_SHORT]


def loop_rules(loop: Loop, config: Config) -> str:
    """Names its gates as they are configured, what else decides about their findings, and the program itself."""
    reached = [config.gates[name] for name in config.reached(loop.names)]
    gates = [plain_gate(gate) for gate in reached]
    rules = {name: str(severity) for name, severity in config.rules.items()}
    options = {name: repr(value) for name, value in sorted(config.options.items())}
    parts = [__version__, loop.steps, loop.timeout, loop.blocks, loop.inputs, gates, rules, options, repr(config.paths)]
    own = config.security
    parts += [repr((own.custom, own.sinks, own.pages))] if own and any(gate.checks for gate in reached) else []
    parts += [_asked(gate, config) for gate in reached if gate.judge]
    return digest((json.dumps(parts, sort_keys=True),))[:_SHORT]


def _asked(gate: Gate, config: Config) -> list[Any]:
    """Whom a judge asks, and how they are joined; not their keys and prices, which change no answer."""
    joined = gate.consensus or config.consensus
    names = (*(gate.models or (str(judge_named(gate.judge).tier),)), joined.adjudicator)
    models = (config.models[name] for name in names if name in config.models)
    asked = [[each.name, each.api, each.model, each.url, each.weight, each.specialties] for each in models]
    return [plain_consensus(joined), asked]
