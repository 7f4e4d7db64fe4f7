"""The configuration for a folder that a session has gone to from the project it began in.

What guards the person and the machine is the home project's everywhere: commands, protected files, secrets, sensitive
paths. How code is to look is up to the nearest configuration that a person accepted, the home project's without one.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from vetgate.config.gates import calling_only, running_only
from vetgate.config.options import SECTIONS
from vetgate.config.plain import digest
from vetgate.failure import fails_closed
from vetgate.model import EventKind, GateKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from vetgate.config.schema import Config
    from vetgate.model import Gate
    from vetgate.severity import Severity

_PREFIX = "home-"
_EVERYWHERE = "protected"


def outside_config(home: Config) -> Config:
    """Where nobody accepted anything: as at home, but no program runs in a folder that nobody has looked at."""
    on = {kind: tuple(name for name in names if not home.gates[name].command) for kind, names in home.on.items()}
    return replace(running_only(home, GateKind.CHECKS), on=on, sequences={})


def outside_config_in(near: Config, home: Config) -> Config:
    """In another project that a person accepted."""
    if near.digest == home.digest:
        return near
    if not near.enabled:
        near = replace(near, on={}, sequences={}, paths=home.paths)
    gates = {name: _reduced(gate, at_home=False) for name, gate in near.gates.items()}
    for name, gate in home.gates.items():
        on_pass, on_fail = (_called(each) if each in home.gates else each for each in (gate.on_pass, gate.on_fail))
        moved = replace(_reduced(gate, at_home=True), id=_called(name), on_pass=on_pass, on_fail=on_fail)
        gates[moved.id] = moved
    gates = {name: gate for name, gate in gates.items() if gate.checks or gate.command}
    gates = calling_only(gates, gates)
    merged = replace(
        near,
        enabled=near.enabled or home.enabled,
        gates=gates,
        on={kind: _joined(kind, near, home, gates) for kind in dict.fromkeys((*near.on, *home.on))},
        options={**near.options, **_guarding(home.options)},
        rules={**_severities(near.rules, at_home=False), **_severities(home.rules, at_home=True)},
    )
    return replace(merged, digest=digest(merged))


def guards_only(home: Config) -> Config:
    """For files that belong to no project: what guards the person, and nothing about how code is to look."""
    gates = {name: _reduced(gate, at_home=True) for name, gate in home.gates.items()}
    gates = {name: gate for name, gate in gates.items() if gate.checks}
    gates = calling_only(gates, gates)
    on = {kind: tuple(name for name in names if name in gates) for kind, names in home.on.items()}
    # That they lie outside is no news there.
    return replace(home, gates=gates, on=on, sequences={}, rules={**home.rules, "protected-file/outside-project": None})


def _called(name: str) -> str:
    """What a gate of the home project is called elsewhere; the one that stands everywhere keeps its name."""
    return name if name == _EVERYWHERE else f"{_PREFIX}{name}"


def _joined(kind: EventKind, near: Config, home: Config, gates: Mapping[str, Gate]) -> tuple[str, ...]:
    own = () if kind is EventKind.BEFORE_COMMAND else near.on.get(kind, ())
    names = dict.fromkeys((*own, *map(_called, home.on.get(kind, ()))))
    return tuple(name for name in names if name in gates)


def _reduced(gate: Gate, *, at_home: bool) -> Gate:
    """A gate without what the other side decides on; one that runs a command belongs to its own project."""
    if gate.command:
        return replace(gate, command="", checks=()) if at_home else gate
    return replace(gate, checks=_of(gate.checks, at_home=at_home))


def _of(names: Iterable[str], *, at_home: bool) -> tuple[str, ...]:
    """The home project decides, wherever the session is, on the checks that rather stop somebody than fail."""
    return tuple(name for name in names if fails_closed(name.partition("/")[0]) is at_home)


def _guarding(options: Mapping[str, Any]) -> dict[str, Any]:
    guards = {section.key for section in SECTIONS if fails_closed(section.check)}
    return {key: value for key, value in options.items() if key.partition(".")[0] in guards}


def _severities(rules: Mapping[str, Severity | None], *, at_home: bool) -> dict[str, Severity | None]:
    return {name: rules[name] for name in _of(rules, at_home=at_home)}
