"""The configuration as the rest of vetgate sees it: complete, resolved and frozen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from vetgate.config.paths import Paths
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
    snippets: bool
    max_suggestions: int


@dataclass(frozen=True, slots=True)
class Config:
    """`rules` maps a check or one rule to its severity, None for off; `digest` names the content, not the file."""

    enabled: bool
    log_level: str
    daemon: str
    paths: Paths
    gates: Mapping[str, Gate]
    on: Mapping[EventKind, tuple[str, ...]]
    complexity: Limits
    rules: Mapping[str, Severity | None]
    output: Output
    digest: str = ""
    path: Path | None = None
