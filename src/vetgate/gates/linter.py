"""Gates of checks over a change without a session: what `vetgate check` shows."""

from __future__ import annotations

from functools import cache, partial
from typing import TYPE_CHECKING

from vetgate.checks import all_checks
from vetgate.checks.secrets.redaction import word_redactor
from vetgate.config.gates import running_only
from vetgate.engine.analysis import Analyzer
from vetgate.engine.run import CheckRunner, Forgetful
from vetgate.engine.suppressions import Suppressions
from vetgate.gates.sequence import judged
from vetgate.model import EventKind, GateKind
from vetgate.project import around
from vetgate.source.clock import Deadline

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from vetgate.config.schema import Config
    from vetgate.engine.kept_reports import KeptReports
    from vetgate.engine.run import Memory
    from vetgate.index.project import ProjectIndex
    from vetgate.model import Change, Verdict

    Others = Callable[[str, str], Iterable[tuple[str, str]]]


@cache
def analyzer() -> Analyzer:
    """One for all that a command looks at."""
    return Analyzer(all_checks(), word_redactor)


def linter_verdict(
    change: Change,
    config: Config,
    *,
    compares: bool = True,
    others: Others | None = None,
    suppressions: Suppressions | None = None,
    index: ProjectIndex | None = None,
    gates: Iterable[str] | None = None,
    final: bool = True,
    memory: Memory | None = None,
    kept: KeptReports | None = None,
) -> Verdict:
    """What these gates say of a change, or else those of an edit.

    Unless it `compares`, the files are judged as they are, and nothing is said of what they were. `others` gives
    the files beside those of the change; without it they are as they are on disk. Unless it is `final`, what the
    next edit may put right is told only. `memory` is what a session knows, where one asks; `kept` what was said
    of the same texts in earlier runs.
    """
    runner = CheckRunner(
        change,
        analyzer() if kept is None else analyzer().keeping(kept),
        config,
        Deadline.never(),
        memory or Forgetful(),
        around=others or partial(around, change.root),
        compares=compares,
        suppressions=suppressions or Suppressions(),
        index=index,
        final=final,
        sees_all=(change.root / ".git").exists,
    )
    if gates is None:
        gates, config = config.on.get(EventKind.BEFORE_EDIT, ()), running_only(config, GateKind.CHECKS)
    return judged(gates, config, {GateKind.CHECKS: runner})
