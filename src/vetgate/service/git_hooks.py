"""Git's hooks judged: what a commit makes of the project, its message, and what a push would send."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from vetgate.agents.git.wire import COMMIT_MSG, PRE_PUSH, landings
from vetgate.checks import all_checks
from vetgate.checks.secrets.redaction import word_redactor
from vetgate.config.load import defaults
from vetgate.engine.analysis import Analyzer
from vetgate.engine.decide import stops
from vetgate.model import Change, Decision, Event, EventKind, File, UserError, Verdict
from vetgate.project import Project
from vetgate.record import decision_id, elapsed_ms, record
from vetgate.respond.call import checking
from vetgate.respond.landing import landed
from vetgate.respond.loosened_config import by_change, committed, with_loosened
from vetgate.service.git_push import Push
from vetgate.service.index import ready_index
from vetgate.source import git
from vetgate.source.git_landing import Landing
from vetgate.source.git_process import ask, index_of_commit

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from vetgate.agents.git.wire import HookEvent
    from vetgate.config.schema import Config
    from vetgate.config.trust import Effective
    from vetgate.model import Progress
    from vetgate.service.commands import Said
    from vetgate.source.git import Repository

_BAD = "def canary(a, b, c, d, e, f, g, h, i):\n" + "".join(
    f"{'    ' * depth}if a > {depth}:\n" for depth in range(1, 14)
)
_CANARY = Change(Path("/"), (File("canary.py", None, f"{_BAD}{'    ' * 14}return b\n"),))


@dataclass(frozen=True, slots=True)
class Landed:
    """What is said of all that would land by a commit or a push."""

    verdict: Verdict
    change: Change
    config: Config


@dataclass(frozen=True, slots=True)
class HookCall:
    """A hook of git in a project that somebody set up, as git called it."""

    event: HookEvent
    repository: Repository
    project: Project
    in_force: Effective

    @property
    def notes(self) -> tuple[str, ...]:
        """None for a message: the commit's other hook has just said it."""
        return (
            ()
            if self.event.tool == COMMIT_MSG
            else tuple(filter(None, (*self.in_force.notes, self.project.store.problem)))
        )

    def judge(self, progress: Progress, searched: Callable[[int], None]) -> Landed:
        """On record. `searched` hears now and then how many objects of a push were searched for secrets."""
        started = time.perf_counter()
        config = self.in_force.config
        analyzer = Analyzer(all_checks(), word_redactor)
        event = self.event
        push = Push.of(self.project, self.repository, event.refs, event.words) if event.tool == PRE_PUSH else None
        whole = push.landings() if push else landings(event, self.repository)
        verdict = self._judge_landings(whole, analyzer, progress)
        files = [file for each in whole for file in each.change.files]
        if push:
            hidden = push.secrets(config, checking(config, event.kind), analyzer, verdict, searched)
            if hidden:
                verdict = _joined([verdict, *(each for each, _ in hidden)])
            files += (file for _, file in hidden)
        change = Change(self.project.root, tuple(files))
        verdict = self._recorded(verdict, change, started)
        if push and not stops(verdict.decision):
            push.passed()
        return Landed(verdict, change, config)

    def run_commands(self, change: Change) -> Said:
        """The project's own, once the checks have nothing against a commit."""
        from vetgate.service.commands import run_commands  # noqa: PLC0415 - not before the checks are done

        return run_commands(self.project, self.in_force.config, self._about(change))

    def holds_more(self) -> bool:
        """Whether the work tree, over which commands run, is not what is committed."""
        asked = ("diff", "--quiet", "--no-ext-diff", "--no-textconv", "--ignore-submodules=all")
        try:
            return ask(asked, self.project.root, index=index_of_commit()).status != 0
        except UserError:
            return False

    def _judge_landings(self, whole: Sequence[Landing], analyzer: Analyzer, progress: Progress) -> Verdict:
        project, config = self.project, self.in_force.config
        wants_index = self.event.tool != COMMIT_MSG and whole
        index = ready_index(project.root, config, project.state_dir, progress) if wants_index else None
        checks, allowed = checking(config, self.event.kind), project.suppressions()
        verdict = _joined([landed(each, checks, config, analyzer, allowed, index=index) for each in whole])
        # What it does to the project's own settings, beside what it starts from.
        for each in whole:
            below = committed(project.root, each.change.base or "HEAD")
            verdict = with_loosened(verdict, by_change(project.accepted(), each.change, below), config)
        return verdict

    def _recorded(self, verdict: Verdict, change: Change, started: float) -> Verdict:
        """A message that nobody objects to is part of a commit that is on record already."""
        if self.event.tool == COMMIT_MSG and verdict.decision is Decision.ALLOW:
            return verdict
        named = replace(verdict, id=decision_id(_content(self.event.tool, change.files)))
        record(self.project.decisions, self._about(change), named, self.in_force.config, elapsed_ms(started))
        return named

    def _about(self, change: Change) -> Event:
        return replace(self.event, cwd=self.project.root, change=change)


def called(event: HookEvent, state: Path) -> HookCall | None:
    """None where there is nothing to judge; a project that nobody set up is left alone."""
    if event.tool == PRE_PUSH and all(ref.is_deleted for ref in event.refs):
        return None
    repository = git.of_hook(Path.cwd())
    if repository is None or not Project.is_set_up(repository.top, state):
        return None
    project = Project(repository.top, state)
    in_force = project.effective()
    if not in_force.config.enabled or not in_force.config.on.get(event.kind, ()):
        return None
    return HookCall(event, repository, project, in_force)


def judge_canary() -> Landed:
    """A change that has to be stopped, whatever the project says; never remembered."""
    config = defaults()
    checks = config.on[EventKind.COMMIT]
    return Landed(landed(Landing(_CANARY), checks, config, Analyzer(all_checks(), word_redactor)), _CANARY, config)


def _joined(verdicts: list[Verdict]) -> Verdict:
    if len(verdicts) == 1:
        return verdicts[0]
    from vetgate.service.check import joined  # noqa: PLC0415 - it costs more than most commits take to judge

    return joined(verdicts)


def _content(hook: str, files: Iterable[File]) -> bytes:
    """Names what was judged: the same content of the same files is the same decision."""
    parts = (part for file in files for part in (file.path, file.before, file.after))
    digest = sha256(hook.encode())
    for part in parts:
        data = b"-" if part is None else b"+" + part.encode("utf-8", "surrogateescape")
        digest.update(len(data).to_bytes(8, "big") + data)
    return digest.digest()
