"""Gates as a file describes them: what each runs, what follows, and that a chain of them comes to an end."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from vetgate.config.keys import ACTIONS, COMMANDS_ONLY, EVENTS, PLAIN_EVENTS
from vetgate.config.node import Problem, did_you_mean, shown
from vetgate.config.schema import GateSequence
from vetgate.config.sequence import listed
from vetgate.model import EventKind, Gate, Severity

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from vetgate.config.node import ConfigNode

_OF_COMMANDS = ("timeout", "on_pass", "parse", "pattern", "rounds", "env", "path", "sandbox", "user", "memory")
_OF_CHECKS = ("block_at", "approve")
_USUAL = Gate("", ())
# Quoted text, outermost first, as a shell takes it in.
_QUOTED = re.compile(r"\\.|'[^']*'|\"(?:[^\"\\]|\\.)*\"", re.DOTALL)
_FILES = "{files}"
_FILES_IN_TEXT = f"has {_FILES} within quoted text, where a file's name would become part of a script; put it outside"
_NOTHING = "has nothing to run; add `checks: [complexity]` or `command: make test`"


def gate_problems(gates: Mapping[str, ConfigNode]) -> Iterator[Problem]:
    for name, gate in gates.items():
        if isinstance(gate.value, dict):
            yield from _content_problems(gate, f"gates.{name}")
            yield from _script_problems(gate.at("command"), f"gates.{name}.command")
            for action in ("on_pass", "on_fail"):
                yield from _action_problems(gate, action, f"gates.{name}.{action}", gates)
    yield from _cycles(gates)


def _content_problems(gate: ConfigNode, key: str) -> Iterator[Problem]:
    checks, command = gate.at("checks"), gate.at("command")
    if not checks.items and "command" not in gate.entries:
        yield Problem(checks.place if "checks" in gate.entries else gate.key or gate.place, key, _NOTHING)
        return
    if checks.items and "command" in gate.entries:
        yield Problem(command.place, f"{key}.command", "is given beside checks; a gate runs one or the other")
        return
    foreign, owner = (_OF_CHECKS, "checks") if "command" in gate.entries else (_OF_COMMANDS, "a command")
    for name in foreign:
        if name in gate.entries:
            place = gate.entries[name].key or gate.entries[name].place
            yield Problem(place, f"{key}.{name}", f"belongs to a gate with {owner}")
    scope = gate.at("scope")
    if scope.value == "changed" and checks.items:
        yield Problem(scope.place, f"{key}.scope", "changed belongs to a gate with a command")


def _script_problems(command: ConfigNode, key: str) -> Iterator[Problem]:
    """`{files}` may be all of what is quoted, and no part of it."""
    quoted = _QUOTED.findall(command.value) if isinstance(command.value, str) else ()
    if any(_FILES in text and text[1:-1] != _FILES for text in quoted):
        yield Problem(command.place, key, _FILES_IN_TEXT)


def _action_problems(gate: ConfigNode, action: str, key: str, gates: Mapping[str, ConfigNode]) -> Iterator[Problem]:
    node = gate.at(action)
    name = node.value
    if not isinstance(name, str) or name in ACTIONS:
        return
    if name not in gates:
        meant = did_you_mean(name, [*ACTIONS, *gates]) or "; define it under `gates`"
        yield Problem(node.place, key, f"there is no gate {shown(name)}{meant}")
    elif gate.at("checks").items:
        yield Problem(node.place, key, f"of a gate with checks is {', '.join(ACTIONS[:-1])} or {ACTIONS[-1]}")
    elif gates[name].at("checks").items:
        yield Problem(node.place, key, f"names {shown(name)}, which runs checks; only a gate with a command is called")


def _cycles(gates: Mapping[str, ConfigNode]) -> Iterator[Problem]:
    """Each chain that leads back to a gate it came from, once, at the action that closes it."""
    done: set[str] = set()
    for first in gates:
        way = {first: _calls(gates[first])}
        while way:
            name, calls = next(reversed(way.items()))
            action, node = next(calls, ("", None))
            called = str(node.value) if node else ""
            if node is None:
                done.add(name)
                way.popitem()
            elif called in way:
                circle = [*way, called][list(way).index(called) :]
                yield Problem(node.place, f"gates.{name}.{action}", f"calls itself: {' -> '.join(circle)}")
            elif called in gates and called not in done:
                way[called] = _calls(gates[called])


def _calls(gate: ConfigNode) -> Iterator[tuple[str, ConfigNode]]:
    return ((action, gate.entries[action]) for action in ("on_pass", "on_fail") if action in gate.entries)


def event_problems(on: ConfigNode, gates: Mapping[str, ConfigNode]) -> Iterator[Problem]:
    for event, sequence in on.entries.items():
        seen: set[str] = set()
        for node, key in listed(sequence, f"on.{event}"):
            if not isinstance(node.value, str):
                continue
            if node.value not in gates:
                meant = did_you_mean(node.value, list(gates)) or "; define it under `gates`"
                yield Problem(node.place, key, f"there is no gate {shown(node.value)}{meant}")
            elif node.value in seen:
                yield Problem(node.place, key, f"the gate {shown(node.value)} is listed twice")
            elif wrong := _misplaced(event, gates[node.value]):
                yield Problem(node.place, key, f"the gate {shown(node.value)} {wrong}")
            seen.add(node.value)


def _misplaced(event: str, gate: ConfigNode) -> str:
    if event in PLAIN_EVENTS and "command" in gate.entries:
        return "runs a command, which has nothing to run on here; list it under after_edit, stop or commit"
    if event in COMMANDS_ONLY and gate.at("checks").items:
        return "runs checks, and no file has changed here; list it under before_edit"
    return ""


def built_gate(name: str, keys: dict[str, Any]) -> Gate:
    """From keys without problems; what they leave out is as the gate has it."""
    values: dict[str, Any] = {key: tuple(value) if isinstance(value, list) else value for key, value in keys.items()}
    severity = Severity[values.pop("block_at", "error").upper()]
    return Gate(name, values.pop("checks", ()), severity, **values)


def built_sequences(on: dict[str, Any]) -> dict[EventKind, GateSequence]:
    return {event: _sequence(on.get(event, ())) for event in EVENTS}


def _sequence(value: Any) -> GateSequence:
    filters = value if isinstance(value, dict) else {"gates": value}
    steps = tuple(tuple(step) if isinstance(step, list) else (step,) for step in filters["gates"])
    return GateSequence(steps, tuple(filters.get("tools", ())), tuple(filters.get("agents", ())))


def plain_gate(gate: Gate) -> dict[str, Any]:
    """The keys that would make it again."""
    if not gate.command:
        keys: dict[str, Any] = {"checks": list(gate.checks), "block_at": str(gate.block_at), "scope": gate.scope}
        return keys | _said(gate, "on_error", "on_fail", "description") | {"approve": gate.approve}
    keys = {"command": gate.command, "timeout": gate.timeout, "on_pass": gate.on_pass, "on_fail": gate.on_fail}
    return keys | _said(gate, "scope", "description", "on_error", *_OF_COMMANDS)


def _said(gate: Gate, *names: str) -> dict[str, Any]:
    """Of these what is not as usual."""
    values = {name: getattr(gate, name) for name in names if getattr(gate, name) != getattr(_USUAL, name)}
    return {name: list(value) if isinstance(value, tuple) else value for name, value in values.items()}


def plain_sequence(sequence: GateSequence) -> Any:
    steps = [list(step) if len(step) > 1 else step[0] for step in sequence.steps]
    filters = {name: list(globs) for name in ("tools", "agents") if (globs := getattr(sequence, name))}
    return {**filters, "gates": steps} if filters else steps
