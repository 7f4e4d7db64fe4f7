"""Edits of the past under a configuration of today, and the decisions of our own record, as far as they tell.

The store keeps findings, never the code: what was switched off then was not found and cannot be found now; everything
else can be weighed again.
"""

from __future__ import annotations

import re
import time
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from vetgate.checks import all_checks
from vetgate.engine.commands import ShellCheckRunner
from vetgate.engine.decide import decided_for, stops
from vetgate.engine.settle import weighed
from vetgate.gates.linter import linter_verdict
from vetgate.gates.sequence import judged
from vetgate.model import Change, Decision, EventKind, Finding, GateKind, Span, Verdict
from vetgate.progress import Progress, unseen
from vetgate.service.check import LEFT_OUT
from vetgate.service.spread import Spread
from vetgate.severity import Severity

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from vetgate.config.schema import Config
    from vetgate.model import Command
    from vetgate.service.replay.recording import Company, RecordedEdit, Recording

    Places = frozenset[tuple[str, str]]  # path and fingerprint
    from collections.abc import Iterator

    from vetgate.model import Gate
    from vetgate.store import RecordedDecision, RecordedFinding

# A company may be a large commit: few of them are worth a process.
_MANY_COMPANIES = 8
_LAST_NAME = re.compile(r"\w+$")
_BEFORE = (EventKind.BEFORE_EDIT, EventKind.BEFORE_COMMAND)


@dataclass(frozen=True, slots=True)
class EditJudgement:
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
) -> list[tuple[EditJudgement, ...]]:
    """For each edit, in order, what each configuration says of it; what would be stopped is judged with its company."""
    work = partial(judge_batch, recording.edits, tuple(configs))
    alone = [each for batch in Spread("replaying", work, progress=progress).over(recording.items) for each in batch]
    stopped: dict[str, list[EditJudgement]] = {}
    for one in (one for each in alone for one in each if one.counting and one.company):
        stopped.setdefault(one.company, []).append(one)
    companies = [(name, concerned(recording.company(name), found)) for name, found in stopped.items()]
    again = partial(judge_together, tuple(configs))
    spread = Spread("comparing", again, many=_MANY_COMPANIES, batch=1, progress=progress)
    places = {name: found for batch in spread.over(companies) for name, found in batch}
    return [tuple(map(settled, each, places[each[0].company])) if each[0].company in places else each for each in alone]


def judge_batch(
    opened: Callable[[tuple[object, ...]], Iterable[RecordedEdit]], configs: Sequence[Config], items: tuple[object, ...]
) -> tuple[tuple[EditJudgement, ...], ...]:
    """For each edit what each configuration says of it; in whichever process."""
    return tuple(tuple(judge(edit, config) for config in configs) for edit in opened(items))


def judge(edit: RecordedEdit, config: Config) -> EditJudgement:
    judgement = EditJudgement(edit.id, edit.origin, edit.path, company=edit.company)
    if edit.missing:
        return replace(judgement, unjudged=edit.missing)
    if edit.file is not None and not config.paths.checks(edit.path):
        return replace(judgement, unjudged=LEFT_OUT)
    started = time.perf_counter()
    if edit.command is not None:
        verdict = _of_command(edit.command, config)
    else:
        files = () if edit.file is None else (edit.file,)
        verdict = linter_verdict(Change(edit.root, files), config, others=edit.around, final=False)
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


def concerned(company: Company, stopped: Sequence[EditJudgement]) -> Company:
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


def settled(judgement: EditJudgement, places: Places) -> EditJudgement:
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
    found = stopping(linter_verdict(company.change, config, others=company.around), config)
    return frozenset((each.span.path, each.fingerprint) for each in found)


def _of_command(command: Command, config: Config) -> Verdict:
    gates = config.on.get(EventKind.BEFORE_COMMAND, ())
    return judged(gates, config, {GateKind.CHECKS: ShellCheckRunner(command, all_checks(), config)})


def judged_again(rows: Iterable[RecordedDecision], config: Config) -> Iterator[EditJudgement]:
    for row in rows:
        if row.event in _BEFORE:
            yield _judgement(row, config)


def _judgement(row: RecordedDecision, config: Config) -> EditJudgement:
    then = _decision(row.body.decision)
    gates = [config.gates[name] for name in config.on.get(EventKind(row.event), ())]
    found = [_finding(each, then) for each in row.body.findings]
    weighed_again = list(_weighed(found, config))
    stopping = tuple(each for each in weighed_again if any(_stops(each, gate) for gate in gates))
    waiting = ((each, replace(each, advisory=False)) for each in weighed_again if each.later)
    held = tuple(each for each, due in waiting if any(_stops(due, gate) for gate in gates))
    decision = max((decided_for(each, gate) for each in stopping for gate in gates), default=Decision.ALLOW)
    trouble = "; ".join(gate.error for gate in row.body.gates if gate.error)
    return EditJudgement(
        edit=row.id,
        origin=f"session {row.session[:8]}",
        path=", ".join(row.body.files) or "command",
        decision=max(decision, then) if trouble else decision,
        stopping=stopping,
        held=held,
        elapsed_ms=row.body.elapsed_ms or 0.0,
        trouble=trouble,
        then=then,
    )


def _finding(recorded: RecordedFinding, then: Decision) -> Finding:
    check, _, rule = recorded.id.partition("/")
    return Finding(
        check=check,
        rule=rule,
        span=Span(recorded.path, recorded.line or 1),
        message=recorded.message,
        severity=_severity(check, rule, recorded.severity),
        symbol=recorded.symbol,
        value=recorded.value,
        limit=recorded.limit,
        new=recorded.new,
        # Rows of before this was recorded: what was severe and new and stopped nobody only advised.
        advisory=then < Decision.ASK if recorded.advisory is None else recorded.advisory,
        asks=recorded.asks,
        later=recorded.later,
    )


def _severity(check: str, rule: str, recorded: str) -> Severity:
    """The rule's own: the one recorded is what the configuration of then made of it."""
    rules = all_checks()[check].rules if check in all_checks() else ()
    otherwise = Severity[recorded.upper()] if recorded.upper() in Severity.__members__ else Severity.ERROR
    return next((each.severity for each in rules if each.id == rule), otherwise)


def _weighed(findings: Iterable[Finding], config: Config) -> Iterator[Finding]:
    in_tests = {name: check.in_tests for name, check in all_checks().items()}
    for finding in findings:
        path = finding.span.path
        if path and not config.paths.checks(path):
            continue
        if finding.value is None or finding.value > _limit(finding, config):
            yield from weighed((replace(finding, limit=_limit(finding, config)),), config, path, in_tests)


def _limit(finding: Finding, config: Config) -> int:
    limit = config.options.get(f"{finding.check}.{finding.rule}")
    return limit if isinstance(limit, int) else finding.limit or 0


def _stops(finding: Finding, gate: Gate) -> bool:
    return (finding.check in gate.checks or finding.id in gate.checks) and stops(decided_for(finding, gate))


def _decision(name: str) -> Decision:
    return Decision[name.upper()] if name.upper() in Decision.__members__ else Decision.ALLOW
