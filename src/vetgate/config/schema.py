"""The configuration as the rest of vetgate sees it: complete, resolved and frozen."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from vetgate.config.models import Budget
from vetgate.failure import FALLBACKS
from vetgate.judgement import Consensus
from vetgate.model import EventKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from vetgate.config.glob import PathFilter
    from vetgate.config.node import Position
    from vetgate.config.pages import Page
    from vetgate.judgement import Model
    from vetgate.model import Gate
    from vetgate.severity import Severity


# What the one loop is called that `on.review` lists.
SHORT_FORM = "review"


@dataclass(frozen=True, slots=True)
class Output:
    format: str
    snippets: bool
    max_suggestions: int


@dataclass(frozen=True, slots=True)
class LineRule:
    """A rule of the user's own: lines that match the pattern. Without `languages` it speaks of all."""

    id: str
    pattern: str
    message: str
    severity: Severity
    fix: str = ""
    cwe: tuple[int, ...] = ()
    languages: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Security:
    """What a project adds to the security check: lines, calls that count as a rule's own, and whole pages.

    Hashable, so that it is compiled once.
    """

    custom: tuple[LineRule, ...] = ()
    sinks: tuple[tuple[str, tuple[str, ...]], ...] = ()
    pages: tuple[Page, ...] = ()
    places: tuple[tuple[str, Position], ...] = field(default=(), compare=False)  # of keys, for what is said of them

    def __bool__(self) -> bool:
        return bool(self.custom or self.sinks or self.pages)

    @property
    def names(self) -> set[str]:
        """What its rules are called."""
        return {rule.id for rule in self.custom} | {page.rule for page in self.pages}


@dataclass(frozen=True, slots=True)
class Retries:
    """`delay` in seconds, `forget` in minutes."""

    max: int
    then: str
    delay: int
    forget: int


@dataclass(frozen=True, slots=True)
class GateSequence:
    """The gates of an event: each step is one gate, or several that run at once.

    Without `tools` and `agents` it listens to all of them; both are names or globs.
    """

    steps: tuple[tuple[str, ...], ...] = ()
    tools: tuple[str, ...] = ()
    agents: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(name for step in self.steps for name in step)


@dataclass(frozen=True, slots=True)
class Loop:
    """One loop of a review: its gates in order, each step one gate or several that run at once.

    `timeout` is for the whole loop, in seconds, 0 for none. One that does not block is told and stops nothing.
    What it came to holds for as long as no file changes that `inputs` match: globs, or all files where there are none.
    """

    name: str
    steps: tuple[tuple[str, ...], ...]
    timeout: int = 0
    blocks: bool = True
    inputs: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(name for step in self.steps for name in step)


@dataclass(frozen=True, slots=True)
class Ship:
    """Commits to `branches` count as code that leaves, too; `people` says whether a person is held back or warned."""

    branches: tuple[str, ...] = ()
    people: str = "block"


@dataclass(frozen=True, slots=True)
class Config:
    """`on` are the gates of each event as a flat list, `sequences` the same with their steps and filters.

    `options` of the checks by their key, `complexity.nesting`: a check asks its own `Option`.
    `rules` maps a check or one rule to its severity, None for off; `digest` names the content, not the file.
    """

    enabled: bool
    log_level: str
    daemon: str
    paths: PathFilter
    gates: Mapping[str, Gate]
    on: Mapping[EventKind, tuple[str, ...]]
    sequences: Mapping[EventKind, GateSequence]
    options: Mapping[str, Any]
    security: Security
    retries: Retries
    rules: Mapping[str, Severity | None]
    output: Output
    on_failure: Mapping[str, str] = field(default_factory=lambda: dict(FALLBACKS))
    models: Mapping[str, Model] = field(default_factory=dict)
    consensus: Consensus = field(default_factory=Consensus)
    budget: Budget = field(default_factory=Budget)
    review: tuple[Loop, ...] = ()
    ship: Ship = field(default_factory=Ship)
    digest: str = ""
    path: Path | None = None

    @property
    def asks_judges(self) -> bool:
        return self.enabled and any(gate.judge for gate in self.gates.values())

    @property
    def loops(self) -> tuple[Loop, ...]:
        """Of a review; `on.review` is the short form of a single one."""
        short = self.sequences.get(EventKind.REVIEW, GateSequence())
        return self.review or ((Loop(SHORT_FORM, short.steps),) if short.steps else ())

    def judge_seconds(self, gate: Gate) -> float:
        """How long the models of a judge are waited for."""
        return gate.timeout or (gate.consensus or self.consensus).timeout

    def reached(self, names: Iterable[str]) -> tuple[str, ...]:
        """These gates and all that they call, each once."""
        found: dict[str, None] = {}
        pending = list(names)
        while pending:
            name = pending.pop(0)
            if name in self.gates and name not in found:
                found[name] = None
                pending += (self.gates[name].on_pass, self.gates[name].on_fail)
        return tuple(found)
