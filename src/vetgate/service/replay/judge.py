"""Edits of the past under a configuration of today."""

from __future__ import annotations

import re
import time
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import TYPE_CHECKING

from vetgate import runtime
from vetgate.app import App
from vetgate.checks import all_checks
from vetgate.engine.commands import judge_command
from vetgate.engine.decide import decided, decided_for, stops
from vetgate.model import Change, Decision, EventKind, Progress, Verdict, unseen
from vetgate.service.spread import Spread

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from vetgate.config.schema import Config
    from vetgate.model import Command, Finding
    from vetgate.service.replay.recording import Company, RecordedEdit, Recording

    Places = frozenset[tuple[str, str]]  # path and fingerprint

# A company may be a large commit: few of them are worth a process.
_MANY_COMPANIES = 8
_LAST_NAME = re.compile(r"\w+$")
LEFT_OUT = "left out by `paths` in the configuration"


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a configuration says of one edit: what stops it, or why nobody could judge it.

    `held` is what it would have passed with, and answered for when the turn ends. `then` is what was decided at the
    time, where that is known; `trouble` a check that could not finish.
    """

    edit: str
    origin: str
    path: str
    decision: Decision = Decision.ALLOW
    stopping: tuple[Finding, ...] = ()
    held: tuple[Finding, ...] = ()
    elapsed_ms: float = 0.0
    unjudged: str = ""
    trouble: str = ""
    company: str = ""
    then: Decision | None = None

    @property
    def is_stopped(self) -> bool:
        return self.decision >= Decision.ASK

    @property
    def counting(self) -> tuple[Finding, ...]:
        return (*self.stopping, *self.held)


def judgements(
    recording: Recording, configs: Sequence[Config], progress: Progress = unseen
) -> list[tuple[Judgement, ...]]:
    """For each edit, in order, what each configuration says of it; what would be stopped is judged with its company."""
    work = partial(judge_batch, recording.edits, tuple(configs))
    alone = [each for batch in Spread("replaying", work, progress=progress).over(recording.items) for each in batch]
    stopped: dict[str, list[Judgement]] = {}
    for one in (one for each in alone for one in each if one.counting and one.company):
        stopped.setdefault(one.company, []).append(one)
    companies = [(name, concerned(recording.company(name), found)) for name, found in stopped.items()]
    again = partial(judge_together, tuple(configs))
    spread = Spread("comparing", again, many=_MANY_COMPANIES, batch=1, progress=progress)
    places = {name: found for batch in spread.over(companies) for name, found in batch}
    return [tuple(map(settled, each, places[each[0].company])) if each[0].company in places else each for each in alone]


def judge_batch(
    opened: Callable[[tuple[object, ...]], Iterable[RecordedEdit]], configs: Sequence[Config], items: tuple[object, ...]
) -> tuple[tuple[Judgement, ...], ...]:
    """For each edit what each configuration says of it; in whichever process."""
    return tuple(tuple(judge(edit, config) for config in configs) for edit in opened(items))


def judge(edit: RecordedEdit, config: Config) -> Judgement:
    judgement = Judgement(edit.id, edit.origin, edit.path, company=edit.company)
    if edit.missing:
        return replace(judgement, unjudged=edit.missing)
    if edit.file is not None and not config.paths.checks(edit.path):
        return replace(judgement, unjudged=LEFT_OUT)
    started = time.perf_counter()
    if edit.command is not None:
        verdict = _of_command(edit.command, config)
    else:
        files = () if edit.file is None else (edit.file,)
        verdict = _app().check(Change(edit.root, files), config, others=edit.around, final=False)
    elapsed = (time.perf_counter() - started) * 1000
    trouble = "; ".join(outcome.error for outcome in verdict.outcomes if outcome.error)
    reasons = "; ".join(item.reason for item in verdict.unchecked)
    return replace(
        judgement,
        decision=verdict.decision,
        stopping=stopping(verdict, config),
        held=_held(verdict, config),
        elapsed_ms=elapsed,
        trouble=trouble or reasons,
    )


def concerned(company: Company, stopped: Sequence[Judgement]) -> Company:
    """Of a company only those that are stopped, and files that spoke of what stops them: it may come from there.

    Those are left as they were: what has become of them is not asked here.
    """
    files = company.change.files
    texts = {file.path: (file.after or "").split("\n") for file in files}
    words = {_word(finding, texts.get(each.path, [])) for each in stopped for finding in each.counting}
    judged = {each.path for each in stopped}
    others = (file for file in files if file.path not in judged and file.before is not None)
    spoke = (replace(file, after=file.before) for file in others if any(word in (file.before or "") for word in words))
    kept = (*(file for file in files if file.path in judged), *spoke)
    return replace(company, change=replace(company.change, files=kept))


def _word(finding: Finding, lines: Sequence[str]) -> str:
    """What a file says in which the same thing stands: the name of the function, or the line itself outside of one."""
    name = _LAST_NAME.search(finding.symbol)
    if name:
        return name[0]
    return lines[finding.span.line - 1].strip() if finding.span.line <= len(lines) else ""


def judge_together(
    configs: Sequence[Config], companies: tuple[tuple[str, Company], ...]
) -> tuple[tuple[str, tuple[Places, ...]], ...]:
    """By company and configuration: all that stops these files when they change at once."""
    return tuple((name, tuple(_places(company, config) for config in configs)) for name, company in companies)


def settled(judgement: Judgement, places: Places) -> Judgement:
    """Without what only looked new because the file was judged alone: code that came from another one."""
    kept = tuple(each for each in judgement.stopping if (each.span.path, each.fingerprint) in places)
    held = tuple(each for each in judgement.held if (each.span.path, each.fingerprint) in places)
    if len(kept) == len(judgement.stopping):
        return replace(judgement, held=held)
    was = judgement.decision
    decision = max((min(was, Decision.ASK) if each.asks else was for each in kept), default=Decision.WARN)
    return replace(judgement, stopping=kept, held=held, decision=was if judgement.trouble else decision)


def stopping(verdict: Verdict, config: Config) -> tuple[Finding, ...]:
    return tuple(
        finding
        for outcome in verdict.outcomes
        for finding in outcome.findings
        if stops(decided_for(finding, config.gates[outcome.gate]))
    )


def _held(verdict: Verdict, config: Config) -> tuple[Finding, ...]:
    """What blocks later."""
    return tuple(
        finding
        for outcome in verdict.outcomes
        for finding in outcome.findings
        if finding.new and finding.later and finding.severity >= config.gates[outcome.gate].block_at
    )


def _places(company: Company, config: Config) -> Places:
    found = stopping(_app().check(company.change, config, others=company.around), config)
    return frozenset((each.span.path, each.fingerprint) for each in found)


def _of_command(command: Command, config: Config) -> Verdict:
    gates = config.on.get(EventKind.BEFORE_COMMAND, ())
    outcomes = tuple(judge_command(config.gates[name], command, all_checks(), config) for name in gates)
    return Verdict(decided(outcomes, config.gates), outcomes)


@cache
def _app() -> App:
    return App(runtime.state_dir())
