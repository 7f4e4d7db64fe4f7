"""What may be taken from a file that nobody accepted: only what tightens. The result is never looser than the base."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from vetgate.config.gates import calling_only
from vetgate.config.glob import PathFilter
from vetgate.config.keys import THENS
from vetgate.config.models import waiting_models
from vetgate.config.options import OPTIONS
from vetgate.config.plain import digest
from vetgate.config.schema import Config, GateSequence, Ship
from vetgate.failure import ANSWERS, OPEN, stricter
from vetgate.model import ACTIONS, Gate, GateKind
from vetgate.severity import Severity

if TYPE_CHECKING:
    from vetgate.model import EventKind

    Gates = Mapping[str, Gate]
    Sequences = Mapping[EventKind, GateSequence]
    from collections.abc import Collection

    from vetgate.config.schema import Loop, Retries, Security

    Severities = Mapping[str, Severity | None]


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
            if gate.kind not in _RUNS_NOTHING:
                self.waiting.append(f"gates.{name}{_RUNS.get(gate.kind, '')} is new")
                continue
            self._approves(gate, known=False)
            calls = [key for key in ("on_pass", "on_fail") if getattr(gate, key) not in ACTIONS]
            self.waiting += (f"gates.{name}.{key} calls {getattr(gate, key)}" for key in calls)
            merged |= calling_only({name: replace(gate, approve=False)}, ())
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
        elsewhere = [name for (name,) in more if gates[name].kind not in _RUNS_NOTHING]
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
        if base.kind is GateKind.CHECKS is file.kind:
            return self._checks(base, file)
        return self._as_accepted(base, file)

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
        on_pass, on_fail = (self._action(name, base, file) for name in ("on_pass", "on_fail"))
        self._approves(file, known=base.approve)
        return replace(
            base,
            checks=base.checks + tuple(check for check in file.checks if check not in base.checks),
            block_at=min(base.block_at, file.block_at),
            scope="file" if "file" in {base.scope, file.scope} else base.scope,
            on_error="" if not base.on_error and not file.on_error else on_error,
            timeout=self._timeout(base, file),
            on_pass=on_pass,
            on_fail=on_fail,
            approve=base.approve and file.approve,
        )

    def _timeout(self, base: Gate, file: Gate) -> int:
        """With less time less is looked at."""
        longer = 0 if 0 in {base.timeout, file.timeout} else max(base.timeout, file.timeout)
        if longer != file.timeout:
            self.ignored.append(f"gates.{base.id}.timeout {file.timeout} is looser than {longer or 'none'}")
        return longer

    def _action(self, key: str, base: Gate, file: Gate) -> str:
        """Of a gate that is called nobody can say whether it is stricter."""
        was, now = getattr(base, key), getattr(file, key)
        strict = max(was, now, key=ACTIONS.index) if {was, now} <= set(ACTIONS) else was
        if strict != now:
            self.ignored.append(f"gates.{base.id}.{key} {now} is looser than {strict}")
        return str(strict)

    def _as_accepted(self, base: Gate, file: Gate) -> Gate:
        """Nothing of a command, or of whom a judge asks, is surely stricter than another."""
        changed = [each.name for each in fields(Gate) if getattr(base, each.name) != getattr(file, each.name)]
        if changed:
            self.ignored.append(f"gates.{base.id} has another {', '.join(changed)}")
        return base

    def _approves(self, gate: Gate, *, known: bool) -> None:
        if gate.approve and not known:
            self.ignored.append(f"gates.{gate.id}.approve true skips your permission prompt")


# They only look, so they count before a person has seen them: also where all that was accepted is lost.
_RUNS_NOTHING = frozenset({GateKind.CHECKS, GateKind.SHIP})
_RUNS = {GateKind.COMMAND: ".command", GateKind.JUDGE: ".judge"}
_OFF = 0
_UNKNOWN = -1


class Tightened(NamedTuple):
    """`ignored` would loosen something; `waiting` only adds, but is run only once a person has seen it."""

    config: Config
    ignored: tuple[str, ...]
    waiting: tuple[str, ...] = ()


def tighten(base: Config, file: Config, known_checks: Collection[str] | None = None) -> Tightened:
    """`file` where it is stricter than `base`, `base` elsewhere.

    With a mapping of rule ids to their own severities, severities are compared exactly; without one, a severity
    that may be lower than the rule's own counts as looser.
    """
    own: Severities = known_checks if isinstance(known_checks, Mapping) else {}
    merger = _Merger()
    gates = merger.gates(base.gates, file.gates)
    sequences = merger.sequences(base.sequences, file.sequences, gates)
    merger.models(base, file)
    config = replace(
        file,
        enabled=merger.enabled(base, file),
        paths=merger.paths(base.paths, file.paths),
        gates=gates,
        on={event: sequence.names for event, sequence in sequences.items()},
        sequences=sequences,
        options=merger.options(base.options, file.options),
        security=merger.security(base.security, file.security),
        retries=merger.retries(base.retries, file.retries),
        on_failure=merger.on_failure(base.on_failure, file.on_failure),
        models=base.models,
        consensus=base.consensus,
        budget=base.budget,
        review=merger.loops(base, file),
        ship=merger.ship(base.ship, file.ship),
        rules=merger.rules(base.rules, _without(file.rules, base.security, file.security), own),
    )
    return Tightened(replace(config, digest=digest(config)), tuple(merger.ignored), tuple(merger.waiting))


class _Merger(GateMerger):
    """Merges field by field and notes what it leaves out."""

    def enabled(self, base: Config, file: Config) -> bool:
        if base.enabled and not file.enabled:
            self.ignored.append("enabled false turns the gates off")
        return base.enabled or file.enabled

    def options(self, base: Mapping[str, Any], file: Mapping[str, Any]) -> dict[str, Any]:
        return {each.key: each.tightened(base[each.key], file[each.key], self.ignored) for each in OPTIONS}

    def paths(self, base: PathFilter, file: PathFilter) -> PathFilter:
        include, exclude, tests = file.include, file.exclude, file.tests
        if not narrower(base.include, file.include):
            self.ignored.append(f"paths.include leaves files out{_globs(base.include, file.include)}")
            include = base.include
        if not narrower(file.exclude, base.exclude):
            self.ignored.append(f"paths.exclude leaves more files out{_globs(file.exclude, base.exclude)}")
            exclude = base.exclude
        if not narrower(file.tests, base.tests):
            self.ignored.append(f"paths.tests makes more files tests{_globs(file.tests, base.tests)}")
            tests = base.tests
        return PathFilter(include, exclude, tests)

    def security(self, base: Security, file: Security) -> Security:
        """Rules of the project's own stay as they were accepted: what they look for is up to whoever wrote them."""
        was, wanted = _own(base), _own(file)
        self.waiting += [f"{name} is new" for name in wanted if name not in was]
        for name, content in was.items():
            if wanted.get(name) != content:
                self.ignored.append(f"{name} {'has changed' if name in wanted else 'is gone'}")
        return base

    def models(self, base: Config, file: Config) -> None:
        """Nothing of a file that nobody accepted decides where a key goes, or what may be spent."""
        looser, new = waiting_models(base, file)
        self.ignored += looser
        self.waiting += new

    def loops(self, base: Config, file: Config) -> tuple[Loop, ...]:
        """Loops that a person accepted stay as they are: they run commands, and their order decides what runs."""
        if base.review and base.review != file.review:
            self.ignored.append("review has other loops" if file.review else "review has no loops")
        return base.review

    def ship(self, base: Ship, file: Ship) -> Ship:
        gone = [name for name in base.branches if name not in file.branches]
        if gone:
            self.ignored.append(f"ship.branches leaves out {', '.join(gone)}")
        if base.people == "block" != file.people:
            self.ignored.append(f"ship.people {file.people} is looser than block")
        people = "block" if "block" in {base.people, file.people} else file.people
        return Ship(tuple(dict.fromkeys((*base.branches, *file.branches))), people)

    def retries(self, base: Retries, file: Retries) -> Retries:
        then = min(base.then, file.then, key=THENS.index)
        if then != file.then:
            self.ignored.append(f"retries.then {file.then} is looser than {base.then}")
        most = file.max if then == "block" else max(base.max, file.max)
        if most != file.max:  # what is asked or allowed sooner is refused less often
            self.ignored.append(f"retries.max {file.max} is looser than {base.max}")
        return replace(file, then=then, max=most)

    def on_failure(self, base: Mapping[str, str], file: Mapping[str, str]) -> dict[str, str]:
        merged = {}
        for category, was in base.items():
            wanted = file.get(category, was)
            if ANSWERS.index(wanted) < ANSWERS.index(was):
                self.ignored.append(f"on_failure.{category} {wanted} is looser than {was}")
            merged[category] = max(was, wanted, key=ANSWERS.index)
        return merged

    def rules(self, base: Severities, file: Severities, own: Severities) -> dict[str, Severity | None]:
        merged: dict[str, Severity | None] = {}
        for name in sorted(_named_rules((*base, *file), own)):
            was, wanted = _severity(base, name, own), _severity(file, name, own)
            if was == _UNKNOWN and wanted != Severity.CRITICAL:
                # The rule's own severity holds, whatever it is: only the highest is surely no step down.
                self._looser(name, file, "its own severity")
                continue
            if wanted < was:
                self._looser(name, file, _word(was))
            merged[name] = Severity(max(was, wanted)) if max(was, wanted) else None
        return merged

    def _looser(self, name: str, file: Severities, was: str) -> None:
        key = name if name in file else name.partition("/")[0]
        note = f"rules.{key} {_word(file[key])} is looser than {was}" if key in file else f"rules.{name} was {was}"
        if note not in self.ignored:
            self.ignored.append(note)


def _without(rules: Severities, base: Security, file: Security) -> Severities:
    """What a file says about rules of its own that wait says nothing about those in force."""
    waiting = {f"security/{name}" for name in file.names - base.names}
    return {name: severity for name, severity in rules.items() if name not in waiting}


def _own(security: Security) -> dict[str, object]:
    """The rules of a project, by what a person calls them."""
    return {
        **{f"security.custom.{rule.id}": rule for rule in security.custom},
        **{f"security.sinks.{rule}": globs for rule, globs in security.sinks},
        **{page.name: page for page in security.pages},
    }


def narrower(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """Whether `one` surely matches no file that `other` does not: it is `other` with fewer globs, or more !globs.

    The last glob that matches decides, so what both have must stand in the same order.
    """
    left = list(other)
    for glob in one:
        skipped = next((index for index, each in enumerate(left) if each == glob), None)
        passed = left[:skipped] if skipped is not None else []
        if skipped is None or any(each.startswith("!") for each in passed):
            if not glob.startswith("!"):
                return False
            continue
        left = left[skipped + 1 :]
    return not any(glob.startswith("!") for glob in left)


def _globs(more: tuple[str, ...], fewer: tuple[str, ...]) -> str:
    named = [glob for glob in more if glob not in fewer]
    return f" ({', '.join(named[:5])}{', ...' if len(named) > 5 else ''})" if named else ""


def _named_rules(names: tuple[str, ...], own: Severities) -> set[str]:
    """The names, with a check that is named as a whole taken as the rules it is known to have."""
    meant = set()
    for name in names:
        rules = {rule for rule in own if rule.startswith(f"{name}/")}
        meant |= rules or {name}
    return meant


def _severity(rules: Severities, name: str, own: Severities) -> int:
    """As a number: off is 0, and what only the rule itself knows is below that."""
    family = name.partition("/")[0]
    if name in rules or family in rules:
        return rules.get(name, rules.get(family)) or _OFF
    return own.get(name) or _UNKNOWN


def _word(severity: int | None) -> str:
    return str(Severity(severity)) if severity else "off"
