"""Several models, one decision: the strategies, how sure the result is, and whose findings stand. Values only.

docs/judges/consensus.md says the same for people; the tables of tests/test_consensus.py hold both to it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from rapidfuzz import fuzz

from vetgate.judgement import Agreement, Answer, JudgeDecision, JudgeFinding, Judgement, Model, ModelFailure, Part
from vetgate.severity import Severity

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from vetgate.judgement import Consensus, ModelReply

# From here on a model counts as sure of what it says.
SURE = 0.7
SECURITY = "security"
# As `consensus.adjudicator`: no model is asked, the better supported side wins.
HEURISTIC = "heuristic"
_OF_A_SPECIALIST = 2.0
_NEARBY = 3
_ALIKE, _MUCH_ALIKE = 55, 80
_BY_DENIAL = {True: JudgeDecision.DENY, False: JudgeDecision.ALLOW}
_ONE_DENIES = frozenset({"unanimous", "security-override"})
_LATE = frozenset({ModelFailure.TIMEOUT, ModelFailure.CANCELLED})


class _Vote(NamedTuple):
    """An answer with who gave it, and what their word counts."""

    model: str
    answer: Answer
    voice: float

    @property
    def denies(self) -> bool:
        return self.answer.decision is JudgeDecision.DENY

    @property
    def is_sure(self) -> bool:
        return self.answer.confidence >= SURE


def _unanimous(votes: Sequence[_Vote]) -> JudgeDecision:
    return _BY_DENIAL[any(vote.denies for vote in votes)]


def _majority(votes: Sequence[_Vote]) -> JudgeDecision:
    """A tie denies."""
    allowing = sum(vote.voice for vote in votes if not vote.denies)
    return _BY_DENIAL[allowing <= sum(vote.voice for vote in votes) / 2]


def _primary_weighted(votes: Sequence[_Vote]) -> JudgeDecision:
    primary, *others = votes
    if primary.denies and any(each.severity is Severity.CRITICAL for each in primary.answer.findings):
        return JudgeDecision.DENY
    if not primary.is_sure and others:
        return max(others, key=lambda vote: vote.voice).answer.decision
    return primary.answer.decision


def _security_override(votes: Sequence[_Vote]) -> JudgeDecision:
    return _BY_DENIAL[any(map(_denies_for_security, votes))]


def _best_of_n(votes: Sequence[_Vote]) -> JudgeDecision:
    """Of those that are as sure as each other the greater voice wins, and of those the first."""
    return max(votes, key=lambda vote: (vote.answer.confidence, vote.voice)).answer.decision


STRATEGIES: Mapping[str, Callable[[Sequence[_Vote]], JudgeDecision]] = {
    "unanimous": _unanimous,
    "majority": _majority,
    "primary-weighted": _primary_weighted,
    "security-override": _security_override,
    "best-of-n": _best_of_n,
}


def join(
    judge: str,
    replies: Sequence[ModelReply],
    models: Mapping[str, Model],
    consensus: Consensus,
    adjudication: ModelReply | None = None,
) -> Judgement | None:
    """What all of them came to; None where nobody answered: what a failure means is not for us to say.

    But where that is because time ran out, `on_timeout: deny` denies.

    The first of `replies` is the primary's. `adjudication` is what `consensus.adjudicator` answered, see
    `is_disputed`. One model that was asked alone is not joined with anything: its answer stands.
    """
    votes = _votes(replies, models)
    if not votes:
        return _nobody_in_time(judge, replies, consensus)
    agreement = _agreement(votes)
    decision, why = _decided(replies, votes, consensus)
    if agreement is not Agreement.AGREE and not (decision is JudgeDecision.DENY and _is_overridden(votes, consensus)):
        decision, why = _adjudicated(votes, consensus, adjudication) or (decision, why)
    standing, overruled = _findings(votes, decision, judge)
    if decision is JudgeDecision.DENY and not standing:  # decided by a late or another one
        standing = (JudgeFinding(why or f"{judge} denied it.", judge, Severity.ERROR),)
    return Judgement(
        judge,
        decision,
        _confidence(votes, decision),
        agreement,
        tuple(replies) if adjudication is None else (*replies, adjudication),
        overruled,
        why or next((vote.answer.reason for vote in votes if vote.answer.decision is decision), ""),
        standing,
        _disagreements(votes),
    )


def _nobody_in_time(judge: str, replies: Sequence[ModelReply], consensus: Consensus) -> Judgement | None:
    late = [reply.model for reply in replies if reply.failure is ModelFailure.TIMEOUT]
    if not late or consensus.on_timeout != JudgeDecision.DENY:
        return None
    why = f"{', '.join(late)} did not answer in time."
    finding = JudgeFinding(why, judge, Severity.ERROR)
    return Judgement(
        judge, JudgeDecision.DENY, 0.0, Agreement.UNCERTAIN, tuple(replies), reason=why, findings=(finding,)
    )


def is_disputed(replies: Sequence[ModelReply], models: Mapping[str, Model]) -> bool:
    """Whether an adjudicator is worth asking: they disagree, or none of them is sure."""
    votes = _votes(replies, models)
    return bool(votes) and _agreement(votes) is not Agreement.AGREE


def is_settled(replies: Sequence[ModelReply], models: Mapping[str, Model], consensus: Consensus) -> bool:
    """Whether those who answered have denied it, and no late answer could lift that."""
    return _is_settled(_votes(replies, models), consensus)


def opinions_of(replies: Sequence[ModelReply]) -> tuple[Part, ...]:
    """What each of them answered, as data for who decides between them; without names, which carry weight."""
    answered = [reply.answer for reply in replies if reply.answer is not None]
    texts = []
    for number, answer in enumerate(answered, 1):
        texts.append(f"{number}. {answer.decision} ({answer.confidence:.2f}): {answer.reason}")
        texts += (f"   {it.path}:{it.line} {it.severity} {it.category}: {it.message}" for it in answer.findings)
    label = "What other models answered to the same question; they disagree or are unsure, and you decide"
    return (Part(label, "\n".join(texts)),)


def _votes(replies: Sequence[ModelReply], models: Mapping[str, Model]) -> list[_Vote]:
    answered = [(reply.model, reply.answer) for reply in replies if reply.answer is not None]
    disputed = {each.category for _, answer in answered for each in answer.findings}
    return [_Vote(name, answer, _voice(models.get(name), disputed)) for name, answer in answered]


def _voice(model: Model | None, disputed: set[str]) -> float:
    """A specialist of what is being spoken of counts twice."""
    if model is None:
        return 1.0
    return model.weight * (_OF_A_SPECIALIST if disputed.intersection(model.specialties) else 1.0)


def _agreement(votes: Sequence[_Vote]) -> Agreement:
    if not any(vote.is_sure for vote in votes):
        return Agreement.UNCERTAIN
    return Agreement.AGREE if len({vote.denies for vote in votes}) == 1 else Agreement.DISAGREE


def _decided(replies: Sequence[ModelReply], votes: Sequence[_Vote], consensus: Consensus) -> tuple[JudgeDecision, str]:
    if len(replies) == 1:
        return votes[0].answer.decision, ""
    late = [reply.model for reply in replies if reply.answer is None and reply.failure in _LATE]
    if not late or _is_settled(votes, consensus):
        return STRATEGIES[consensus.strategy](votes), ""
    if consensus.on_timeout in set(JudgeDecision):
        return JudgeDecision(consensus.on_timeout), f"{', '.join(late)} did not answer in time."
    if votes[0].model == replies[0].model:
        return votes[0].answer.decision, ""
    return STRATEGIES[consensus.strategy](votes), ""


def _is_settled(votes: Sequence[_Vote], consensus: Consensus) -> bool:
    """Where one denial is enough, no late answer could lift one for security, so no model may be made late to do it."""
    return consensus.strategy in _ONE_DENIES and any(map(_denies_for_security, votes))


def _is_overridden(votes: Sequence[_Vote], consensus: Consensus) -> bool:
    """A denial for security, where security overrides everything else, is no matter for an adjudicator."""
    return consensus.strategy == "security-override" and _is_settled(votes, consensus)


def _adjudicated(
    votes: Sequence[_Vote], consensus: Consensus, adjudication: ModelReply | None
) -> tuple[JudgeDecision, str] | None:
    if adjudication is not None and adjudication.answer is not None:
        return adjudication.answer.decision, adjudication.answer.reason
    if consensus.adjudicator != HEURISTIC:
        return None
    sides = {side: sum(_support(vote, side) for vote in votes) for side in JudgeDecision}
    return _BY_DENIAL[sides[JudgeDecision.DENY] >= sides[JudgeDecision.ALLOW]], ""


def _support(vote: _Vote, side: JudgeDecision) -> float:
    """Who names a place speaks with more behind it than who does not."""
    if vote.answer.decision is not side:
        return 0.0
    shows = any(each.path and each.line for each in vote.answer.findings)
    return vote.voice * vote.answer.confidence * (1.5 if shows else 1.0)


def _confidence(votes: Sequence[_Vote], decision: JudgeDecision) -> float:
    """The mean, by voice, of how likely each holds the decision; who decided otherwise counts with what is left."""
    total = sum(vote.voice for vote in votes)
    if total <= 0:
        return 0.0
    held = (
        vote.voice * (vote.answer.confidence if vote.answer.decision is decision else 1 - vote.answer.confidence)
        for vote in votes
    )
    return round(sum(held) / total, 4)


def _disagreements(votes: Sequence[_Vote]) -> tuple[str, ...]:
    if len({vote.denies for vote in votes}) == 1:
        return ()
    return tuple(
        f"{vote.model} would {vote.answer.decision} ({vote.answer.confidence:.2f}): {vote.answer.reason}"
        for vote in votes
    )


def _findings(
    votes: Sequence[_Vote], decision: JudgeDecision, judge: str
) -> tuple[tuple[JudgeFinding, ...], tuple[JudgeFinding, ...]]:
    """Those that stand and those that were overruled; a denial always has one that says why."""
    sides: dict[bool, list[JudgeFinding]] = {True: [], False: []}
    for vote in votes:
        stands = vote.answer.decision is decision
        found = vote.answer.findings
        if vote.denies and not found:
            reason = vote.answer.reason or f"{judge} denied it without a reason."
            found = (JudgeFinding(reason, judge, Severity.ERROR),)
        sides[stands] += [replace(each, model=vote.model) for each in found]
    standing = merged(sides[True])
    apart = [each for each in merged(sides[False]) if not any(is_same_problem(each, other) for other in standing)]
    return standing, tuple(apart)


def merged(findings: Iterable[JudgeFinding]) -> tuple[JudgeFinding, ...]:
    """Each problem once, with everybody who named it: the gravest severity, and the first words and fix."""
    kept: list[JudgeFinding] = []
    for finding in findings:
        at = next((number for number, each in enumerate(kept) if is_same_problem(each, finding)), None)
        if at is None:
            kept.append(finding)
        else:
            kept[at] = _both(kept[at], finding)
    return tuple(kept)


def _both(first: JudgeFinding, second: JudgeFinding) -> JudgeFinding:
    names = dict.fromkeys(name for each in (first, second) for name in each.model.split(", ") if name)
    return replace(
        first,
        severity=max(first.severity, second.severity),
        path=first.path or second.path,
        line=first.line or second.line,
        rule=first.rule or second.rule,
        fix=first.fix or second.fix,
        model=", ".join(names),
    )


def is_same_problem(one: JudgeFinding, other: JudgeFinding) -> bool:
    """By place and meaning: the same file, nearby lines, and words of one matter."""
    if one.path and other.path and one.path.removeprefix("./") != other.path.removeprefix("./"):
        return False
    if one.line and other.line and abs(one.line - other.line) > _NEARBY:
        return False
    words, others = one.message.casefold(), other.message.casefold()
    if one.model and one.model == other.model:  # who lists two of a kind means two
        return one.line == other.line and words == others
    is_one_rule = bool(one.rule) and one.rule == other.rule
    if is_one_rule and one.path and one.line and other.line:
        return True
    return fuzz.token_set_ratio(words, others) >= (
        _ALIKE if one.category == other.category or is_one_rule else _MUCH_ALIKE
    )


def _denies_for_security(vote: _Vote) -> bool:
    return vote.denies and any(each.category == SECURITY for each in vote.answer.findings)
