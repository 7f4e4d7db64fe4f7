"""A gate over a command: what an agent would have a shell do, before it does."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from vetgate.engine.settle import numbered, weighed
from vetgate.model import Outcome, Status

if TYPE_CHECKING:
    from collections.abc import Mapping

    from vetgate.config.schema import Config
    from vetgate.engine.check import Check
    from vetgate.model import Command, Finding, Gate


def judge_command(gate: Gate, command: Command, checks: Mapping[str, Check], config: Config) -> Outcome:
    """A crash of a check is data here too."""
    started = time.perf_counter()
    findings: list[Finding] = []
    failed, errors = [], []
    for name in gate.families:
        look = checks[name].on_command
        if look is None:
            continue
        try:
            findings += look(command, config)
        except (Exception, RecursionError, MemoryError) as error:  # noqa: BLE001
            failed.append(name)
            errors.append(f"{name}: {error.__class__.__name__}")  # its words may hold the command's
    asked = (each for each in findings if each.check in gate.checks or each.id in gate.checks)
    kept = numbered(weighed(asked, config, ""))
    status = Status.ERRORED if failed else Status.FAILED if kept else Status.PASSED
    elapsed = (time.perf_counter() - started) * 1000
    return Outcome(gate.id, status, kept, (), "; ".join(errors), tuple(failed), elapsed)
