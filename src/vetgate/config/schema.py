"""The configuration as the rest of vetgate sees it: complete, resolved and frozen."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from vetgate.failure import FALLBACKS

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from vetgate.config.glob import PathFilter
    from vetgate.config.node import Position
    from vetgate.config.pages import Page
    from vetgate.model import EventKind, Gate, Severity


@dataclass(frozen=True, slots=True)
class Limits:
    """What is allowed: a value above its limit is a finding."""

    cyclomatic: int
    cognitive: int
    nesting: int
    length: int
    parameters: int


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
class Secrets:
    """`allow` names kinds of tokens that are no secret here; `entropy` how random a value has to look to count."""

    allow: tuple[str, ...] = ()
    entropy: str = "normal"


@dataclass(frozen=True, slots=True)
class Duplicates:
    """How similar two functions have to be, and how many tokens it takes to tell of it and to block."""

    similarity: float = 0.85
    tell: int = 60
    block: int = 100


@dataclass(frozen=True, slots=True)
class Commands:
    """What commands may do: a decision for each effect, and paths that are freer or closer guarded than usual."""

    effects: Mapping[str, str]
    trusted: tuple[str, ...] = ()
    sensitive: tuple[str, ...] = ()


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
class Config:
    """`on` are the gates of each event as a flat list, `sequences` the same with their steps and filters.

    `rules` maps a check or one rule to its severity, None for off; `digest` names the content, not the file.
    """

    enabled: bool
    log_level: str
    daemon: str
    paths: PathFilter
    gates: Mapping[str, Gate]
    on: Mapping[EventKind, tuple[str, ...]]
    sequences: Mapping[EventKind, GateSequence]
    complexity: Limits
    security: Security
    secrets: Secrets
    commands: Commands
    retries: Retries
    rules: Mapping[str, Severity | None]
    output: Output
    on_failure: Mapping[str, str] = field(default_factory=lambda: dict(FALLBACKS))
    duplicates: Duplicates = field(default_factory=Duplicates)
    digest: str = ""
    path: Path | None = None
