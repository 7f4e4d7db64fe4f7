"""What may be taken from a file that nobody accepted: only what tightens. The result is never looser than the base."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import TYPE_CHECKING, NamedTuple

from vetgate.config.keys import DECISIONS, ENTROPIES, THENS
from vetgate.config.paths import Paths
from vetgate.config.plain import digest
from vetgate.config.schema import Commands, Config, Limits, Secrets
from vetgate.failure import OPEN, stricter
from vetgate.model import Severity

if TYPE_CHECKING:
    from collections.abc import Collection

    from vetgate.config.schema import Retries, Security
    from vetgate.model import EventKind, Gate

    Severities = Mapping[str, Severity | None]

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
    config = replace(
        file,
        enabled=merger.enabled(base, file),
        paths=merger.paths(base.paths, file.paths),
        gates=merger.gates(base.gates, file.gates),
        on=merger.on(base.on, file.on),
        complexity=merger.limits(base.complexity, file.complexity),
        security=merger.security(base.security, file.security),
        secrets=merger.secrets(base.secrets, file.secrets),
        commands=merger.commands(base.commands, file.commands),
        retries=merger.retries(base.retries, file.retries),
        rules=merger.rules(base.rules, _without(file.rules, base.security, file.security), own),
    )
    return Tightened(replace(config, digest=digest(config)), tuple(merger.ignored), tuple(merger.waiting))


class _Merger:
    """Merges field by field and notes what it leaves out."""

    def __init__(self) -> None:
        self.ignored: list[str] = []
        self.waiting: list[str] = []

    def enabled(self, base: Config, file: Config) -> bool:
        if base.enabled and not file.enabled:
            self.ignored.append("enabled false turns the gates off")
        return base.enabled or file.enabled

    def limits(self, base: Limits, file: Limits) -> Limits:
        values = {}
        for each in fields(Limits):
            allowed, wanted = getattr(base, each.name), getattr(file, each.name)
            if wanted > allowed:
                self.ignored.append(f"complexity.{each.name} {wanted} is looser than {allowed}")
            values[each.name] = min(allowed, wanted)
        return Limits(**values)

    def paths(self, base: Paths, file: Paths) -> Paths:
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
        return Paths(include, exclude, tests)

    def gates(self, base: Mapping[str, Gate], file: Mapping[str, Gate]) -> dict[str, Gate]:
        merged = {name: self._gate(gate, file[name]) if name in file else gate for name, gate in base.items()}
        for name, gate in file.items():
            if name not in base:
                self._approves(gate, known=False)
                merged[name] = replace(gate, approve=False)
        return merged

    def _gate(self, base: Gate, file: Gate) -> Gate:
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
        self._approves(file, known=base.approve)
        return replace(
            base,
            checks=base.checks + tuple(check for check in file.checks if check not in base.checks),
            block_at=min(base.block_at, file.block_at),
            scope="file" if "file" in {base.scope, file.scope} else base.scope,
            on_error="" if not base.on_error and not file.on_error else on_error,
            approve=base.approve and file.approve,
        )

    def _approves(self, gate: Gate, *, known: bool) -> None:
        if gate.approve and not known:
            self.ignored.append(f"gates.{gate.id}.approve true skips your permission prompt")

    def security(self, base: Security, file: Security) -> Security:
        """Rules of the project's own stay as they were accepted: what they look for is up to whoever wrote them."""
        was, wanted = _own(base), _own(file)
        self.waiting += [f"{name} is new" for name in wanted if name not in was]
        for name, content in was.items():
            if wanted.get(name) != content:
                self.ignored.append(f"{name} {'has changed' if name in wanted else 'is gone'}")
        return base

    def retries(self, base: Retries, file: Retries) -> Retries:
        then = min(base.then, file.then, key=THENS.index)
        if then != file.then:
            self.ignored.append(f"retries.then {file.then} is looser than {base.then}")
        return replace(file, then=then)

    def secrets(self, base: Secrets, file: Secrets) -> Secrets:
        more = [kind for kind in file.allow if kind not in base.allow]
        if more:
            self.ignored.append(f"secrets.allow lets {', '.join(more)} pass")
        entropy = min(base.entropy, file.entropy, key=ENTROPIES.index)
        if entropy != file.entropy:
            self.ignored.append(f"secrets.entropy {file.entropy} is looser than {entropy}")
        return Secrets(tuple(kind for kind in base.allow if kind in file.allow), entropy)

    def commands(self, base: Commands, file: Commands) -> Commands:
        effects = {}
        for effect, was in base.effects.items():
            wanted = file.effects.get(effect, was)
            if DECISIONS.index(wanted) < DECISIONS.index(was):
                self.ignored.append(f"commands.effects.{effect} {wanted} is looser than {was}")
            effects[effect] = max(was, wanted, key=DECISIONS.index)
        trusted = [path for path in file.trusted if path not in base.trusted]
        if trusted:
            self.ignored.append(f"commands.trusted adds {', '.join(trusted)}")
        missing = [path for path in base.sensitive if path not in file.sensitive]
        if missing:
            self.ignored.append(f"commands.sensitive leaves out {', '.join(missing)}")
        return Commands(
            effects,
            tuple(path for path in base.trusted if path in file.trusted),
            file.sensitive + tuple(missing),
        )

    def on(
        self, base: Mapping[EventKind, tuple[str, ...]], file: Mapping[EventKind, tuple[str, ...]]
    ) -> dict[EventKind, tuple[str, ...]]:
        merged = {}
        for event in {**base, **file}:
            kept, wanted = base.get(event, ()), file.get(event, ())
            missing = [name for name in kept if name not in wanted]
            if missing:
                self.ignored.append(f"on.{event} leaves out {', '.join(missing)}")
            merged[event] = kept + tuple(name for name in wanted if name not in kept)
        return merged

    def rules(self, base: Severities, file: Severities, own: Severities) -> dict[str, Severity | None]:
        merged: dict[str, Severity | None] = {}
        for name in sorted(_rules_meant((*base, *file), own)):
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


def _rules_meant(names: tuple[str, ...], own: Severities) -> set[str]:
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
