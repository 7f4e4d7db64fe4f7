"""A `gates.json` of the older design -> the text of a vetgate.yaml that means the same."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from vetgate.config.load import defaults
from vetgate.config.migrated_values import Migration, comments, flow, printable, word
from vetgate.expression import expression
from vetgate.known_agents import known_agents
from vetgate.model import ACTIONS, EventKind, UserError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_NAME = expression(r"[A-Za-z][A-Za-z0-9_-]{0,63}")
_KEYS = ("description", "command", "on_pass", "on_fail", "timeout")
_HOOK_KEYS = frozenset({"gates", "enabled_tools", "enabled_agents"})
_GATED = tuple(agent.gated for agent in known_agents() if agent.gated)
_OF_TOOLS = frozenset({EventKind.AFTER_EDIT, EventKind.AFTER_COMMAND})
_TAKEN_OVER = _OF_TOOLS | {EventKind.SUBAGENT_STOP, EventKind.STOP, EventKind.PROMPT, EventKind.SESSION_START}
_EVENTS = {
    name: [kind for kind in kinds if kind in _TAKEN_OVER] for gated in _GATED for name, kinds in gated.events.items()
}
_COMMANDS = frozenset(name for gated in _GATED for name in gated.commands)
_HEAD = (
    "# Made by `vetgate migrate` from gates.json. Read it, then run `vetgate trust`: until then its commands wait.\n"
    "# What each of its keys became:\n"
)


def is_gates_file(data: object) -> bool:
    return isinstance(data, dict) and bool({"gates", "hooks"} & set(data)) and "version" not in data


def migrated_gates(data: Mapping[str, Any]) -> Migration:
    """Raises UserError for what is not such a file."""
    gates, hooks = _table(data, "gates"), _table(data, "hooks")
    names = {name: _free(name) for name in gates}
    keys = Migration("", tuple(_became(names, hooks)))
    lines = [_HEAD, comments(keys), "version: 1\n", "\n", "gates:\n" if gates else ""]
    for name, gate in gates.items():
        lines += _gate(names, name, gate)
    events = [line for name, hook in hooks.items() for line in _event(names, name, hook)]
    return keys._replace(text="".join([*lines, *(["\n", "on:\n"] if events else []), *events]))


def _became(names: Mapping[str, str], hooks: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Keys below these keep their names; what has no counterpart is named where it would stand."""
    for old, new in names.items():
        yield f"gates.{old}", f"`gates.{new}`"
    for name, hook in hooks.items():
        lines = list(_event(names, name, hook))
        if events := [line.split(":")[0].strip() for line in lines if not line.lstrip().startswith("#")]:
            yield f"hooks.{name}", ", ".join(f"`on.{event}`" for event in events)
            for key, filters in (("enabled_tools", "tools"), ("enabled_agents", "agents")):
                if any(f"{{{filters}: " in line or f", {filters}: " in line for line in lines):
                    yield f"hooks.{name}.{key}", f"`{filters}` of it"


def _gate(names: Mapping[str, str], name: str, gate: Any) -> Iterator[str]:
    if not isinstance(gate, dict) or not isinstance(gate.get("command"), str) or not gate["command"].strip():
        raise UserError(f"the gate {name!r} has no command", hint="give it one in gates.json, or take it out")
    yield f"  {names[name]}:\n"
    for key in _KEYS:
        if key in gate:
            value = gate[key]
            if key.startswith("on_") and isinstance(value, str):
                value = names.get(value, value)
            yield f"    {key}: {word(_one_line(value) if key == 'description' else value)}\n"
    if left := sorted(set(gate) - set(_KEYS)):
        yield f"    # not taken over: {', '.join(map(printable, left))}\n"


def _event(names: Mapping[str, str], name: str, hook: Any) -> Iterator[str]:
    if not isinstance(hook, dict):
        raise UserError(f"the hook {name!r} is not a mapping")
    gates = [names.get(gate, gate) for gate in _names(hook, "gates")]
    tools, agents = _names(hook, "enabled_tools"), _names(hook, "enabled_agents")
    kinds = _EVENTS.get(name, ())
    for kind in kinds:
        meant = [tool for tool in tools if (tool in _COMMANDS) == (kind is EventKind.AFTER_COMMAND)]
        if kind not in _OF_TOOLS:
            yield _sequence(kind, gates, [], agents)
        elif meant or not tools:
            yield _sequence(kind, gates, meant, agents)
    if not kinds:
        yield f"  # not taken over: {printable(name)} runs {printable(', '.join(gates))}\n"
    if left := sorted(set(hook) - _HOOK_KEYS):
        yield f"  # not taken over of {printable(name)}: {', '.join(map(printable, left))}\n"


def _sequence(event: EventKind, gates: list[str], tools: list[str], agents: list[str]) -> str:
    """What stands there by default goes on standing there: a list replaces the one below it."""
    listed = flow([*defaults().on.get(event, ()), *gates])
    filters = [f"{key}: {flow(globs)}" for key, globs in (("tools", tools), ("agents", agents)) if globs]
    return f"  {event}: {{{', '.join([*filters, f'gates: {listed}'])}}}\n" if filters else f"  {event}: {listed}\n"


def _free(name: str) -> str:
    """A name that is none of vetgate's own."""
    if not _NAME.fullmatch(name) or name.upper() in ACTIONS:
        raise UserError(
            f"a gate cannot be called {name!r}", hint="letters, digits, - and _; not CONTINUE, BLOCK or STOP"
        )
    return f"{name}-command" if name in defaults().gates else name


def _table(data: Mapping[str, Any], key: str) -> dict[str, Any]:
    found = data.get(key, {})
    if not isinstance(found, dict):
        raise UserError(f"`{key}` of gates.json is not a mapping")
    return found


def _names(hook: Mapping[str, Any], key: str) -> list[str]:
    found = hook.get(key, [])
    if not isinstance(found, list) or not all(isinstance(each, str) for each in found):
        raise UserError(f"`{key}` of gates.json is not a list of names")
    return found


def _one_line(text: Any) -> Any:
    return " ".join(text.split()) if isinstance(text, str) else text
