"""What an agent is told when it starts: which gates stand here, in a few lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vetgate.model import EventKind
from vetgate.redact import redacted

if TYPE_CHECKING:
    from collections.abc import Iterable

    from vetgate.config.schema import Config


_WHEN = {
    EventKind.PROMPT: "with every prompt",
    EventKind.AFTER_EDIT: "after an edit",
    EventKind.AFTER_COMMAND: "after a command",
    EventKind.SUBAGENT_STOP: "at the end of a subagent",
    EventKind.STOP: "at the end of your turn",
    EventKind.COMMIT: "before a commit",
}


def welcome(config: Config, notes: Iterable[str]) -> str:
    lines = []
    gates = config.on.get(EventKind.BEFORE_EDIT, ())
    if not config.enabled:
        lines.append("vetgate is switched off in this project (enabled: false).")
    elif gates:
        checks = ", ".join(dict.fromkeys(name for gate in gates for name in config.gates[gate].checks))
        limits = config.complexity
        lines.append(f"vetgate checks every edit here before it is written ({checks}); only what an edit adds counts.")
        lines.append(
            f"Limits per function: cyclomatic complexity {limits.cyclomatic}, cognitive complexity "
            f"{limits.cognitive}, nesting {limits.nesting}, {limits.length} lines, {limits.parameters} parameters."
        )
        lines.append(
            "A refused edit names the lines and the fix: correct the code and write it again with the same tool."
        )
    if config.enabled:
        lines += _commands(config)
    lines += [f"vetgate: {note}" for note in notes]
    return "\n".join(lines)


def _commands(config: Config) -> Iterable[str]:
    """The project's own commands, by when they run."""
    told = []
    for event, when in _WHEN.items():
        sequence = config.sequences.get(event)
        names = [name for name in sequence.names if config.gates[name].command] if sequence else []
        if sequence and names:
            only = f" of {', '.join(sequence.agents)}" if sequence.agents else ""
            gates = ", ".join(f"{name} (`{redacted(config.gates[name].command)}`)" for name in names)
            told.append(f"- {when}{only}: {gates}")
    if told:
        yield "Gates of this project that run by themselves; what fails comes back with its output and is to be mended:"
        yield from told
