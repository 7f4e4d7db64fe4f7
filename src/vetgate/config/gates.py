"""Gates as a file describes them: what each runs, what follows, and that a chain of them comes to an end."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from vetgate.config.keys import COMMANDS_ONLY, EVENTS, JUDGES_ONLY, PLAIN_EVENTS
from vetgate.config.models import judge_events, plain_consensus
from vetgate.config.node import PRESET, Problem, did_you_mean, shown
from vetgate.config.schema import GateSequence, Loop
from vetgate.config.value_shapes import listed
from vetgate.judgement import Consensus
from vetgate.model import ACTIONS, REVIEWING, EventKind, Gate, GateKind
from vetgate.severity import Severity

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

    from vetgate.config.node import ConfigNode
    from vetgate.config.schema import Config

_OF_COMMANDS = ("parse", "pattern", "rounds", "env", "path", "sandbox", "user", "memory", "quota")
_OF_CHECKS = ("approve",)
_OF_JUDGES = ("models", "mode", "investigate", "consensus")
_REVIEWER = "reviewer"
_OF_REVIEWERS = ("include_specs", "include_commits", "refute", "block_on_new_issues")
_RUNS = {
    "checks": "checks",
    "command": "a command",
    "judge": "a judge",
    "ship": "the record of reviews",
    "prove": "a proof of tests",
}
# Where not every finding of a judge is worth a stop.
_BLOCKS_AT = {"reviewer": "critical", REVIEWING: "critical"}
_USUAL = Gate("", ())
# Quoted text, outermost first, as a shell takes it in.
_QUOTED = re.compile(r"\\.|'[^']*'|\"(?:[^\"\\]|\\.)*\"", re.DOTALL)
_FILES = "{files}"
_FILES_IN_TEXT = f"has {_FILES} within quoted text, where a file's name would become part of a script; put it outside"
_NO_COMMAND = "runs a command, and commands cannot run here; list it under after_edit, stop or commit"
_NO_CHANGE = "runs {}, and no file has changed here; list it under before_edit"
_NOT_SHIPPING = "does not ask whether something was reviewed; only gates with `ship: true` belong here"
_ONLY_SHIPPING = "asks whether something was reviewed; list it under ship"
_ONLY_PROVING = "runs tests on older code; list it under stop or review"
_BOTH_FORMS = "is set together with on.review, its short form; keep one of them"
_PROVING_EVENTS = frozenset({EventKind.STOP, EventKind.REVIEW})
_NO_JUDGE = "runs no judge, and here only judges are asked; list it under before_edit or before_command"
_NOTHING = "has nothing to run; add `checks: [complexity]`, `command: make test` or `judge: intent`"


def gate_problems(gates: Mapping[str, ConfigNode]) -> Iterator[Problem]:
    for name, gate in gates.items():
        if isinstance(gate.value, dict):
            yield from _content_problems(gate, f"gates.{name}")
            yield from _script_problems(gate.at("command"), f"gates.{name}.command")
            for action in ("on_pass", "on_fail"):
                yield from _action_problems(gate, action, f"gates.{name}.{action}", gates)
    yield from _cycles(gates)


def _content_problems(gate: ConfigNode, key: str) -> Iterator[Problem]:
    checks = gate.at("checks")
    runs = [name for name in _RUNS if name in gate.entries and (name != "checks" or checks.items)]
    if not runs:
        yield Problem(checks.place if "checks" in gate.entries else gate.key or gate.place, key, _NOTHING)
        return
    if len(runs) > 1:
        said = f"is set together with {runs[0]}; a gate runs one or the other"
        yield Problem(gate.at(runs[1]).place, f"{key}.{runs[1]}", said)
        return
    if runs == ["ship"] and gate.at("ship").value is False:
        yield Problem(gate.at("ship").place, f"{key}.ship", "must be true, or left out together with the gate")
    yield from _foreign_problems(gate, key, runs[0])
    scope = gate.at("scope")
    if scope.value == "changed" and runs[0] != "command":
        yield Problem(scope.place, f"{key}.scope", "changed belongs to a gate with a command")


def _foreign_problems(gate: ConfigNode, key: str, runs: str) -> Iterator[Problem]:
    """Keys that belong to gates of another kind."""
    owners = {"checks": _OF_CHECKS, "command": _OF_COMMANDS, "judge": (*_OF_JUDGES, *_OF_REVIEWERS)}
    foreign = {name: _RUNS[owner] for owner, names in owners.items() if owner != runs for name in names}
    if runs == "command" and gate.at("parse").value != REVIEWING:
        foreign["block_at"] = _RUNS["checks"]
    if runs == "judge" and gate.at("judge").value != _REVIEWER:
        foreign |= dict.fromkeys(_OF_REVIEWERS, f"`judge: {_REVIEWER}`")
    for name, owner in foreign.items():
        if name in gate.entries:
            place = gate.entries[name].key or gate.entries[name].place
            yield Problem(place, f"{key}.{name}", f"belongs to a gate with {owner}")


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
    elif action == "on_fail" and "judge" not in gate.entries and _asks_a_judge(name, gates):
        yield Problem(node.place, key, "leads to a judge; no model may let through what a check or a command refuses")


def _asks_a_judge(name: str, gates: Mapping[str, ConfigNode]) -> bool:
    return any("judge" in gates[called].entries for called in _reached(name, gates) if called in gates)


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
        yield from _listed_problems(event, listed(sequence, f"on.{event}"), gates)


def _listed_problems(
    event: str, nodes: Iterable[tuple[ConfigNode, str]], gates: Mapping[str, ConfigNode]
) -> Iterator[Problem]:
    seen: set[str] = set()
    for node, key in nodes:
        if not isinstance(node.value, str):
            continue
        if node.value not in gates:
            meant = did_you_mean(node.value, list(gates)) or "; define it under `gates`"
            yield Problem(node.place, key, f"there is no gate {shown(node.value)}{meant}")
        elif node.value in seen:
            yield Problem(node.place, key, f"the gate {shown(node.value)} is listed twice")
        elif wrong := _misplaced(event, node.value, gates):
            yield Problem(node.place, key, f"the gate {shown(node.value)} {wrong}")
        seen.add(node.value)


def loop_problems(tree: ConfigNode, gates: Mapping[str, ConfigNode]) -> Iterator[Problem]:
    """A gate runs in one loop, a loop has a name of its own."""
    loops = tree.at("review")
    short = tree.at("on", str(EventKind.REVIEW))
    if loops.items and not short.place.file.startswith(PRESET):
        yield Problem(loops.key or loops.place, "review", _BOTH_FORMS)
    names: set[object] = set()
    nodes: list[tuple[ConfigNode, str]] = []
    for number, loop in enumerate(loops.items):
        name = loop.at("name")
        if name.value in names:
            yield Problem(name.place, f"review[{number}].name", f"another loop is already called {shown(name.value)}")
        names.add(name.value)
        nodes += listed(loop, f"review[{number}]")
    yield from _listed_problems(EventKind.REVIEW, nodes, gates)


def _misplaced(event: str, name: str, gates: Mapping[str, ConfigNode]) -> str:
    """What of it, or of the gates that it calls, cannot run at this event."""
    for called in _reached(name, gates):
        by_whom = "" if called == name else f"calls {shown(called)}, which "
        if wrong := _wrong_place(event, gates[called]):
            return f"{by_whom}{wrong}"
        if event in PLAIN_EVENTS and "command" in gates[called].entries:
            return f"{by_whom}{_NO_COMMAND}"
        if event in COMMANDS_ONLY and "command" not in gates[called].entries:
            runs = "a judge" if "judge" in gates[called].entries else "checks"
            return f"{by_whom}{_NO_CHANGE.format(runs)}"
    return ""


def _wrong_place(event: str, gate: ConfigNode) -> str:
    """Of gates that ask the record of reviews or prove tests, and of all others where code leaves."""
    if event in JUDGES_ONLY and "judge" not in gate.entries:
        return _NO_JUDGE
    if ("ship" in gate.entries) != (event == EventKind.SHIP):
        return _NOT_SHIPPING if event == EventKind.SHIP else _ONLY_SHIPPING
    if "prove" in gate.entries and event not in _PROVING_EVENTS:
        return _ONLY_PROVING
    answered = judge_events(str(gate.at("judge").value)) if "judge" in gate.entries else ()
    if answered and event not in answered:
        return f"asks a judge that is not asked here; list it under {' or '.join(answered)}"
    return ""


def _reached(name: str, gates: Mapping[str, ConfigNode]) -> Iterator[str]:
    seen, pending = {name}, [name]
    while pending:
        yield (name := pending.pop())
        called = {str(node.value) for _, node in _calls(gates[name])} & gates.keys() - seen
        seen |= called
        pending += sorted(called)


def built_gate(name: str, keys: dict[str, Any]) -> Gate:
    """From keys without problems; what they leave out is as the gate has it."""
    values: dict[str, Any] = {key: tuple(value) if isinstance(value, list) else value for key, value in keys.items()}
    usual = _BLOCKS_AT.get(values.get("judge") or values.get("parse") or "", "error")
    severity = Severity[values.pop("block_at", usual).upper()]
    if "prove" in values:  # it informs, unless somebody says otherwise
        values.setdefault("on_fail", "CONTINUE")
    if "quota" in values:
        values["quota"] = int(values["quota"].partition("/")[0])
    if "consensus" in values:
        values["consensus"] = Consensus(**values["consensus"])
    return Gate(name, values.pop("checks", ()), severity, **values)


def calling_only(gates: Mapping[str, Gate], known: Collection[str]) -> dict[str, Gate]:
    """Where one calls a gate that is not known here, its failure holds and its pass goes on."""

    def action(name: str, otherwise: str) -> str:
        return name if name in ACTIONS or name in known else otherwise

    return {
        name: replace(gate, on_pass=action(gate.on_pass, "CONTINUE"), on_fail=action(gate.on_fail, "BLOCK"))
        for name, gate in gates.items()
    }


def running_only(config: Config, *kinds: GateKind) -> Config:
    """Where no other gates run than those of these kinds."""
    known = [name for name, gate in config.gates.items() if gate.kind in kinds]
    if all(name in ACTIONS or name in known for gate in config.gates.values() for name in (gate.on_pass, gate.on_fail)):
        return config
    return replace(config, gates=calling_only(config.gates, known))


def built_sequences(on: dict[str, Any]) -> dict[EventKind, GateSequence]:
    return {event: _sequence(on.get(event, ())) for event in EVENTS}


def _sequence(value: Any) -> GateSequence:
    filters = value if isinstance(value, dict) else {"gates": value}
    steps = tuple(tuple(step) if isinstance(step, list) else (step,) for step in filters["gates"])
    return GateSequence(steps, tuple(filters.get("tools", ())), tuple(filters.get("agents", ())))


def built_loops(review: list[dict[str, Any]]) -> tuple[Loop, ...]:
    return tuple(
        Loop(
            loop["name"],
            _sequence(loop["gates"]).steps,
            loop.get("timeout", 0),
            loop.get("blocks", True),
            tuple(loop.get("inputs", ())),
        )
        for loop in review
    )


def plain_loops(loops: Iterable[Loop]) -> list[dict[str, Any]]:
    plain = []
    for loop in loops:
        keys: dict[str, Any] = {"name": loop.name, "gates": plain_sequence(GateSequence(loop.steps))}
        keys |= {"timeout": loop.timeout} if loop.timeout else {}
        keys |= {} if loop.blocks else {"blocks": False}
        plain.append(keys | ({"inputs": list(loop.inputs)} if loop.inputs else {}))
    return plain


def plain_gate(gate: Gate) -> dict[str, Any]:
    """The keys that would make it again."""
    keys: dict[str, Any]
    if gate.kind in {GateKind.SHIP, GateKind.PROOF}:
        keys = {"on_fail": gate.on_fail}
        return keys | _said(gate, "ship", "prove", "timeout", "on_pass", "on_error", "description")
    if gate.judge:
        keys = {"judge": gate.judge, "block_at": str(gate.block_at), "mode": gate.mode}
        keys |= {"consensus": plain_consensus(gate.consensus)} if gate.consensus else {}
        said = _said(gate, "models", "investigate", "timeout", "on_pass", "on_fail", "on_error", "description")
        return keys | said | _said(gate, *_OF_REVIEWERS)
    if not gate.command:
        keys = {"checks": list(gate.checks), "block_at": str(gate.block_at), "scope": gate.scope}
        said = _said(gate, "on_error", "timeout", "on_pass", "on_fail", "description")
        return keys | said | {"approve": gate.approve}
    keys = {"command": gate.command, "timeout": gate.timeout, "on_pass": gate.on_pass, "on_fail": gate.on_fail}
    keys |= _said(gate, "scope", "description", "on_error", *_OF_COMMANDS)
    keys |= {"block_at": str(gate.block_at)} if gate.reviews else {}
    return keys | ({"quota": f"{gate.quota}/hour"} if gate.quota else {})


def _said(gate: Gate, *names: str) -> dict[str, Any]:
    """Of these what is not as usual."""
    values = {name: getattr(gate, name) for name in names if getattr(gate, name) != getattr(_USUAL, name)}
    return {name: list(value) if isinstance(value, tuple) else value for name, value in values.items()}


def plain_sequence(sequence: GateSequence) -> Any:
    steps = [list(step) if len(step) > 1 else step[0] for step in sequence.steps]
    filters = {name: list(globs) for name in ("tools", "agents") if (globs := getattr(sequence, name))}
    return {**filters, "gates": steps} if filters else steps
