"""Gates of a file that nobody accepted: what tightens is taken; a command waits, wherever it stands, for a person."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import TYPE_CHECKING

from vetgate.config.schema import GateSequence
from vetgate.failure import OPEN, stricter
from vetgate.model import Gate

if TYPE_CHECKING:
    from collections.abc import Mapping

    from vetgate.model import EventKind

    Gates = Mapping[str, Gate]
    Sequences = Mapping[EventKind, GateSequence]

# From the loosest on; the name of a gate stands beside them.
_ACTIONS = ("CONTINUE", "BLOCK", "STOP")


class GateMerger:
    """`ignored` would loosen something; `waiting` are commands that nobody has seen."""

    def __init__(self) -> None:
        self.ignored: list[str] = []
        self.waiting: list[str] = []

    def gates(self, base: Gates, file: Gates) -> dict[str, Gate]:
        merged = {name: self._either(gate, file[name]) if name in file else gate for name, gate in base.items()}
        for name, gate in file.items():
            if name in base:
                continue
            if gate.command:
                self.waiting.append(f"gates.{name}.command is new")
                continue
            self._approves(gate, known=False)
            merged[name] = replace(gate, approve=False)
        return merged

    def sequences(self, base: Sequences, file: Sequences, gates: Gates) -> dict[EventKind, GateSequence]:
        """Of `file` only the gates that are in force."""
        nothing = GateSequence()
        return {
            event: self._sequence(event, base.get(event, nothing), file.get(event, nothing), gates)
            for event in {**base, **file}
        }

    def _sequence(self, event: EventKind, base: GateSequence, file: GateSequence, gates: Gates) -> GateSequence:
        missing = [name for name in base.names if name not in file.names]
        if missing:
            self.ignored.append(f"on.{event} leaves out {', '.join(missing)}")
        more = tuple((name,) for name in file.names if name in gates and name not in base.names)
        # A command that was accepted was accepted for the places it had.
        elsewhere = [name for (name,) in more if gates[name].command]
        if elsewhere:
            self.waiting.append(f"on.{event} runs {', '.join(elsewhere)}")
        more = tuple(step for step in more if step[0] not in elsewhere)
        if not base.steps:
            return replace(file, steps=more)
        filters = [name for name in ("tools", "agents") if getattr(base, name) != getattr(file, name)]
        if filters and not missing:
            self.ignored.append(f"on.{event} has other {' and '.join(filters)}")
        return replace(base, steps=base.steps + more)

    def _either(self, base: Gate, file: Gate) -> Gate:
        return self._command(base, file) if base.command or file.command else self._checks(base, file)

    def _checks(self, base: Gate, file: Gate) -> Gate:
        key = f"gates.{base.id}"
        missing = [check for check in base.checks if check not in file.checks]
        if missing:
            self.ignored.append(f"{key}.checks leaves out {', '.join(missing)}")
        if file.block_at > base.block_at:
            self.ignored.append(f"{key}.block_at {file.block_at} is looser than {base.block_at}")
        if base.scope == "file" and file.scope != "file":
            self.ignored.append(f"{key}.scope {file.scope} is looser than file")
        on_error = stricter(base.on_error or OPEN, file.on_error or OPEN)
        if on_error != (file.on_error or OPEN):
            self.ignored.append(f"{key}.on_error {file.on_error or OPEN} is looser than {on_error}")
        on_fail = max(base.on_fail, file.on_fail, key=_ACTIONS.index)
        if on_fail != file.on_fail:
            self.ignored.append(f"{key}.on_fail {file.on_fail} is looser than {on_fail}")
        self._approves(file, known=base.approve)
        return replace(
            base,
            checks=base.checks + tuple(check for check in file.checks if check not in base.checks),
            block_at=min(base.block_at, file.block_at),
            scope="file" if "file" in {base.scope, file.scope} else base.scope,
            on_error="" if not base.on_error and not file.on_error else on_error,
            on_fail=on_fail,
            approve=base.approve and file.approve,
        )

    def _command(self, base: Gate, file: Gate) -> Gate:
        """As a person accepted it; nothing of a command is surely stricter than another."""
        changed = [each.name for each in fields(Gate) if getattr(base, each.name) != getattr(file, each.name)]
        if changed:
            self.ignored.append(f"gates.{base.id} has another {', '.join(changed)}")
        return base

    def _approves(self, gate: Gate, *, known: bool) -> None:
        if gate.approve and not known:
            self.ignored.append(f"gates.{gate.id}.approve true skips your permission prompt")
