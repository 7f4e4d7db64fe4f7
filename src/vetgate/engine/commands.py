"""Gates over a command: what an agent would have a shell do, before it does."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from vetgate.engine.settle import numbered, weighed
from vetgate.model import Outcome

if TYPE_CHECKING:
    from collections.abc import Mapping

    from vetgate.config.schema import Config
    from vetgate.engine.check import Check
    from vetgate.model import Command, Finding, Gate


@dataclass(frozen=True, slots=True)
class ShellCheckRunner:
    """Runs gates of checks over a command instead of a change. A crash of a check is data here too."""

    command: Command
    checks: Mapping[str, Check]
    config: Config
    is_cheap: ClassVar[bool] = True

    def run(self, gate: Gate) -> Outcome:
        started = time.perf_counter()
        findings: list[Finding] = []
        failed, errors = [], []
        for name in gate.families:
            look = self.checks[name].on_command
            if look is None:
                continue
            try:
                findings += look(self.command, self.config)
            except (Exception, RecursionError, MemoryError) as error:  # noqa: BLE001
                failed.append(name)
                errors.append(f"{name}: {error.__class__.__name__}")  # its words may hold the command's
        asked = (each for each in findings if each.check in gate.checks or each.id in gate.checks)
        kept = numbered(weighed(asked, self.config, "", {}))
        elapsed = (time.perf_counter() - started) * 1000
        return Outcome.of_findings(gate.id, kept, failed=tuple(failed), error="; ".join(errors), elapsed_ms=elapsed)
