"""What the record says: how often each rule stopped somebody, what came of it, what that suggests; what judges cost."""

from __future__ import annotations

import os.path
import time
from collections import Counter
from dataclasses import asdict, dataclass, field
from datetime import datetime
from statistics import quantiles
from typing import TYPE_CHECKING, Any, NamedTuple

from vetgate.checks import all_checks
from vetgate.engine.suppressions import can_be_waived
from vetgate.model import FINGERPRINT, Status
from vetgate.service.configuration import recorded_store
from vetgate.service.decisions import moment
from vetgate.store import UNDER_WAY, AcceptanceAct

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from vetgate.store import DecisionBody, ModelCall, RecordedDecision, RecordedFinding, RecordedWaiver


STOPPED = frozenset({"block", "halt", "ask"})
_PASSED = frozenset({"allow", "warn"})

_LOOKED = frozenset({Status.PASSED, Status.FAILED})
# With fewer blocks than this nothing is said about a rule: it could be chance.
_FEWEST = 5
_MANY = 10
_REPEATED = 3


class Counted(NamedTuple):
    path: str
    rule: str
    gate: str


@dataclass(slots=True)
class RuleStatistics:
    """`fixed`: the same session wrote the same file again without it. `overridden`: it happened all the same.

    One that was left to a person counts among the `blocked` and the `asked`, and as overridden when they let it
    happen; `asks` are those that the rule itself leaves to one.
    """

    rule: str
    blocked: int = 0
    fixed: int = 0
    overridden: int = 0
    waived: int = 0
    told: int = 0
    asked: int = 0
    asks: int = 0
    waivers: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Statistics:
    decisions: Counter[str]
    sessions: int
    median_ms: float
    slowest_ms: float
    rules: tuple[RuleStatistics, ...]

    def plain(self) -> dict[str, Any]:
        return {
            "decisions": dict(self.decisions),
            "sessions": self.sessions,
            "median_ms": self.median_ms,
            "p95_ms": self.slowest_ms,
            "rules": [asdict(each) for each in self.rules],
        }


def statistics(root: Path, since: str = "") -> Statistics:
    """Of a project, from its decisions that are not older than `since`."""
    with recorded_store(root) as store:
        rows = store.decisions_after(0, moment(since) if since else 0.0)
    return learned([row for _, row in rows])


def learned(rows: Sequence[RecordedDecision]) -> Statistics:
    """From all decisions of a project, oldest first."""
    reading = _RowReader()
    for row in rows:
        reading.take(row)
    rows = [row for row in rows if not row.is_acceptance or row.body.waiver]
    times = sorted(row.body.elapsed_ms for row in rows if row.body.elapsed_ms is not None)
    parts = quantiles(times, n=20) if len(times) > 1 else times * 19 or [0.0] * 19
    rules = sorted(reading.rules.values(), key=lambda each: (-each.blocked, -each.told, each.rule))
    return Statistics(
        Counter(row.body.decision for row in rows),
        len({row.session for row in rows if row.session}),
        round(parts[9], 1),
        round(parts[18], 1),
        tuple(rules),
    )


class _RowReader:
    def __init__(self) -> None:
        self.rules: dict[str, RuleStatistics] = {}
        # By session and path: how often each rule stopped it there, with the gate that would have to pass.
        self._open: dict[tuple[str, str], Counter[tuple[str, str]]] = {}
        self._named: dict[str, str] = {}
        self._asked: dict[str, list[Counted]] = {}

    def rule(self, name: str) -> RuleStatistics:
        return self.rules.setdefault(name, RuleStatistics(name))

    def take(self, row: RecordedDecision) -> None:
        body = row.body
        if body.waiver:
            self._waiver(body.waiver, is_waived=body.decision == AcceptanceAct.WAIVED)
            return
        if row.is_acceptance:
            return
        self._named |= {each.fingerprint: each.id for each in body.findings}
        counting = list(_counting(body))
        deciding = list(_counting(body, lambda each: each.decides))
        decision = body.decision
        if body.answers:
            self._answered(row.session, body.answers)
        elif body.overridden:
            for name in _rules(deciding):
                self.rule(name).overridden += 1
        elif decision in STOPPED:
            self._stopped(row, deciding)
            self._count_reported(set(counting) - set(deciding))
        elif decision in _PASSED:
            self._passed(row, counting)

    def _stopped(self, row: RecordedDecision, counting: list[Counted]) -> None:
        is_asked = row.body.decision == "ask"
        if is_asked:
            self._asked[row.id] = counting
        for name in _rules(counting):
            self.rule(name).blocked += 1
            self.rule(name).asked += is_asked
        for name in _rules(_counting(row.body, lambda each: each.decides and each.asks)):
            self.rule(name).asks += 1
        for each in counting:
            self._open.setdefault((row.session, each.path), Counter())[each.gate, each.rule] += 1

    def _answered(self, session: str, asked: str) -> None:
        """A person let it happen: that one is not waited for to be fixed."""
        counting = self._asked.pop(asked, [])
        for name in _rules(counting):
            self.rule(name).overridden += 1
        for each in counting:
            self._open.get((session, each.path), Counter())[each.gate, each.rule] -= 1

    def _passed(self, row: RecordedDecision, counting: list[Counted]) -> None:
        """Fixed is what the same gate looked at again, and did not find; who did not look cannot tell."""
        self._count_reported(counting)
        # What is waived is there as well.
        still = {(each.path, each.rule) for each in counting}
        still |= {(each.path, each.rule) for each in _counting(row.body, lambda found: bool(found.suppression))}
        looked = {each.gate for each in row.body.gates if each.status in _LOOKED}
        unchecked = {each.path for each in row.body.unchecked}
        for path in row.body.files:
            if path in unchecked:
                continue
            waiting = self._open.get((row.session, path), Counter())
            for gate, name in [each for each in waiting if each[0] in looked]:
                times = waiting.pop((gate, name))
                if times > 0 and (path, name) not in still:
                    self.rule(name).fixed += times

    def _count_reported(self, counting: Iterable[Counted]) -> None:
        for name in _rules(counting):
            self.rule(name).told += 1

    def _waiver(self, waiver: RecordedWaiver, *, is_waived: bool) -> None:
        what = waiver.what
        name = self._named.get(what, what) if FINGERPRINT.fullmatch(what) else what
        of_rule = self.rule(name)
        if is_waived:
            of_rule.waived += 1
            of_rule.waivers.append(waiver.glob)


def _counts(finding: RecordedFinding) -> bool:
    return finding.new and (finding.later or not finding.advisory)


def _counting(body: DecisionBody, wanted: Callable[[RecordedFinding], bool] = _counts) -> Iterator[Counted]:
    """What counted in a decision."""
    for each in body.findings:
        if wanted(each):
            yield Counted(each.path, each.id, each.gate)


def _rules(counting: Iterable[Counted]) -> set[str]:
    return {each.rule for each in counting}


@dataclass(frozen=True, slots=True)
class TuningProposal:
    """`change` is what a person would write or run."""

    rule: str
    why: str
    change: str


def proposals(found: Statistics) -> Iterator[TuningProposal]:
    """What the record suggests to change in the configuration."""
    for each in found.rules:
        repeated = len(each.waivers) >= _REPEATED
        if repeated:
            yield TuningProposal(each.rule, f"waived {len(each.waivers)} times", _one_waiver(each))
        if why := _noisy(each):
            yield TuningProposal(each.rule, why, _demoted(each))


def _noisy(each: RuleStatistics) -> str:
    let = each.overridden + each.waived
    if each.blocked >= _FEWEST and 2 * let >= each.blocked:
        return f"of {each.blocked} blocks {let} were overridden or waived"
    if each.blocked >= _MANY and 10 * each.fixed <= each.blocked and can_be_waived(each.rule.partition("/")[0]):
        return f"of {each.blocked} blocks only {each.fixed} led to a fix"
    return ""


def _demoted(each: RuleStatistics) -> str:
    check, _, name = each.rule.partition("/")
    known = all_checks().get(check)
    if known and known.decisions:
        # Where a person is asked already, the next step is not to.
        section, _, option = known.decisions.key.partition(".")
        return f"{section}: {{{option}: {{{name}: {'allow' if 2 * each.asks > each.blocked else 'ask'}}}}}"
    if not can_be_waived(check):
        return f"see what it finds (`vetgate log --rule {each.rule}`): a rule that fails closed cannot be demoted"
    return f"rules: {{{each.rule}: warning}}"


def _one_waiver(each: RuleStatistics) -> str:
    folder = os.path.commonpath([glob.partition("*")[0].rpartition("/")[0] or "." for glob in each.waivers])
    if folder in {"", "."}:
        return f"they have no folder in common; if it is wrong everywhere: {_demoted(each)}"
    return f"vetgate waive {each.rule} --path '{folder}/**' --reason … --until …"


_WEEK = 7 * 86_400.0


@dataclass(frozen=True, slots=True)
class ModelCost:
    """`cached_share` of all tokens that were read came from the model's cache."""

    judge: str
    model: str
    calls: int
    failures: int
    input_tokens: int
    output_tokens: int
    cached_share: float
    usd: float
    median_ms: float
    p95_ms: float


Costs = dict[str, tuple[ModelCost, ...]]


def costs(root: Path, since: str = "") -> Costs:
    """By period; `since` gives one of its own instead of the usual ones."""
    midnight = datetime.now().astimezone().replace(hour=0, minute=0, second=0, microsecond=0).timestamp()
    periods = {"today": midnight, "7 days": time.time() - _WEEK, "all": 0.0}
    periods = {f"since {since}": moment(since)} if since else periods
    with recorded_store(root) as store:
        calls = store.model_calls(min(periods.values()))
    return {name: _summed([call for call in calls if call.time >= first]) for name, first in periods.items()}


def plain(found: Mapping[str, Sequence[ModelCost]]) -> dict[str, Any]:
    return {name: {"usd": total(each), "models": [asdict(one) for one in each]} for name, each in found.items()}


def total(found: Sequence[ModelCost]) -> float:
    """US dollars."""
    return round(sum(each.usd for each in found), 6)


def _summed(calls: Sequence[ModelCall]) -> tuple[ModelCost, ...]:
    grouped: dict[tuple[str, str], list[ModelCall]] = {}
    for call in calls:
        grouped.setdefault((call.judge, call.model), []).append(call)
    found = (_cost(judge, model, each) for (judge, model), each in grouped.items())
    return tuple(sorted(found, key=lambda each: (-each.usd, each.judge, each.model)))


def _cost(judge: str, model: str, calls: Sequence[ModelCall]) -> ModelCost:
    cached = sum(call.cached for call in calls)
    read = sum(call.input + call.written for call in calls) + cached
    times = sorted(call.latency_ms for call in calls if call.failure != UNDER_WAY) or [0.0]
    parts = quantiles(times, n=20, method="inclusive") if len(times) > 1 else times * 19
    return ModelCost(
        judge,
        model,
        len(calls),
        sum(bool(call.failure) for call in calls),
        read,
        sum(call.output for call in calls),
        round(cached / read, 3) if read else 0.0,
        round(sum(call.usd for call in calls), 6),
        round(parts[9], 1),
        round(parts[18], 1),
    )
