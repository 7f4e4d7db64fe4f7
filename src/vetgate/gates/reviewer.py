"""A review by models: in as many questions as it takes, never paid for twice, and held against the code."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Self

import msgspec

from vetgate.engine.analysis import digest_of
from vetgate.gates.judge import Asking
from vetgate.judgement import Answer, JudgeDecision, ModelFailure, ModelReply, Part, Usage
from vetgate.judges.consensus import SURE
from vetgate.judges.gather import text_in
from vetgate.judges.prompt import fenced_question, instructions_of, question_of
from vetgate.judges.review_check import checked, decision_of, refutation, refutation_of, was_let_through, with_findings
from vetgate.judges.review_check import fingerprint as fingerprint_of
from vetgate.judges.review_context import review_context
from vetgate.judges.review_plan import ReviewPlan
from vetgate.judges.reviewer import REFUTATION_TOKENS, refutation_instructions
from vetgate.judges.surroundings import RelatedCode, surroundings, symbol_at, text_of_symbol
from vetgate.model import EventKind, Finding, Outcome, Status
from vetgate.severity import Severity
from vetgate.source.git_refs import branch
from vetgate.store import KeptAnswer, RaisedFinding

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from vetgate.gates.judge import JudgeRunner
    from vetgate.judgement import JudgeFinding, Judgement, Model, Question
    from vetgate.judges.judge import Context, Judge
    from vetgate.model import Gate
    from vetgate.store import RefutedFinding

_HOUR = 3600.0
_AT_ONCE = 4
_AROUND = 20  # lines of a finding that a second question shows


@dataclass
class _ReviewTally:
    """Thread-safe. What became of each model's questions and findings, to be told with the outcome."""

    lock: threading.Lock = field(default_factory=threading.Lock)
    unseen: dict[str, set[str]] = field(default_factory=dict)  # by model: files that it gave no answer about
    failures: dict[str, str] = field(default_factory=dict)
    reused: dict[str, float] = field(default_factory=dict)  # by file: how old the answer is
    asked: set[str] = field(default_factory=set)
    dropped: int = 0
    known: int = 0
    refuted: int = 0


@dataclass(frozen=True)
class Reviewing(Asking):
    plan: ReviewPlan | None = None
    tally: _ReviewTally = field(default_factory=_ReviewTally, repr=False)

    @classmethod
    def of(cls, runner: JudgeRunner, gate: Gate, judge: Judge, context: Context, models: Sequence[Model]) -> Self:
        change = context.event.change or context.change
        if change is None or not change.files:
            return cls(runner, gate, judge, context, (), models)
        index = runner.project.index(runner.config)
        beside = review_context(
            runner.project.root,
            change,
            specs=gate.include_specs,
            commits=gate.include_commits,
            sensitive=context.sensitive,
        )
        context = replace(context, review=beside)
        plan = ReviewPlan(context, surroundings(change, index, context.sensitive), judge.most_lines)
        asked = cls(runner, gate, judge, context, (), models, plan=plan)
        return replace(asked, questions=tuple(asked._question(paths) for paths in plan.split(plan.files).questions))

    @property
    def _plan(self) -> ReviewPlan:
        return self.plan or ReviewPlan(self.context, RelatedCode(), self.judge.most_lines)

    def _question(self, paths: Iterable[str]) -> Question:
        context = self._plan.context_of(paths)
        question = question_of(self.judge, context, self.runner.investigation(self.gate), self.opinions)
        assert question is not None  # noqa: S101 - there are files in it
        return question

    def _ask(self, model: Model, seconds: float) -> ModelReply:
        """One reply for all questions; files that it answered about within the hour are not asked about again."""
        deadline = time.monotonic() + seconds
        kept = self._kept(model)
        left = self._plan.split(path for path in self._plan.files if path not in kept)
        with ThreadPoolExecutor(_AT_ONCE, thread_name_prefix="review") as pool:
            replies = list(pool.map(lambda paths: self._reply(paths, model, deadline), left.questions))
        answers = [*kept.values(), *(reply.answer for reply in replies if reply.answer is not None)]
        failed = [reply for reply in replies if reply.answer is None]
        unanswered = {
            path for paths, reply in zip(left.questions, replies, strict=True) if reply.answer is None for path in paths
        }
        with self.tally.lock:
            self.tally.unseen[model.name] = {*left.left_out, *unanswered}
            self.tally.asked.update(path for paths in left.questions for path in paths)
            if failed:
                self.tally.failures[model.name] = f"{model.name}: {failed[0].detail or failed[0].failure}"
        if not answers:
            return failed[0] if failed else ModelReply(model.name, None, ModelFailure.OTHER, "there is nothing to ask")
        return ModelReply(
            model.name,
            self._checked(_combined(answers)),
            usage=sum((reply.usage for reply in replies), Usage()),
            usd=sum(reply.usd for reply in replies),
            latency_ms=max((reply.latency_ms for reply in replies), default=0.0),
            tries=sum(reply.tries for reply in replies),
        )

    def _asks(self) -> bool:
        return any(self._plan.files.keys() - self._kept(model).keys() for model in self.models)

    def _reply(self, paths: tuple[str, ...], model: Model, deadline: float) -> ModelReply:
        reply = self._put(self._question(paths), model, max(0.0, deadline - time.monotonic()))
        if reply.answer is not None:
            self._keep(paths, model, reply.answer)
        return reply

    # Answers that were paid for.

    def _key(self, path: str, model: Model) -> str:
        identity = (model.name, model.api, model.model, model.url)
        return self._plan.key(path, instructions_of(self.judge), *identity)

    def _kept(self, model: Model) -> dict[str, Answer]:
        """Not of one that looks around: what else it read may have changed."""
        if self.gate.investigate or self.runner.asks_anew or self.opinions:
            return {}
        found, now = {}, time.time()
        for path in self._plan.files:
            kept = self.runner.project.store.kept_answer(self._key(path, model), now - _HOUR)
            answer = _read(kept.text) if kept is not None else None
            if kept is not None and answer is not None:
                found[path] = answer
                with self.tally.lock:
                    self.tally.reused[path] = max(now - kept.time, self.tally.reused.get(path, 0.0))
        return found

    def _keep(self, paths: Sequence[str], model: Model, answer: Answer) -> None:
        if self.gate.investigate or self.opinions:
            return
        owners = {each: self._owner(each, paths) for each in answer.findings}
        for path in paths:
            findings = tuple(each for each in answer.findings if owners[each] == path)
            is_bare = not answer.findings and path == paths[0]  # a denial without findings is told once
            own = answer if is_bare else with_findings(answer, findings)
            text = msgspec.json.encode(own).decode()
            self.runner.project.store.keep_answer(KeptAnswer(self._key(path, model), time.time(), text))

    def _owner(self, finding: JudgeFinding, paths: Sequence[str]) -> str:
        """The file of the question that a finding is about: its own, or one that its place is related to."""
        said = finding.path.removeprefix("./")
        if said in paths:
            return said
        near = (path for path in paths if any(each.path == said for each in self._plan.surroundings.of(path)))
        return next(near, paths[0])

    # Findings, held against the code.

    def _checked(self, answer: Answer) -> Answer:
        found = checked(answer, self._plan.shown)
        known = self._refuted_before
        left = [
            each
            for each in found.answer.findings
            if refutation_of(self._matter(each), known, self._content(each)) is None
        ]
        with self.tally.lock:
            self.tally.dropped += found.dropped
            self.tally.known += len(found.answer.findings) - len(left)
        return with_findings(found.answer, left)

    @cached_property
    def _refuted_before(self) -> tuple[RefutedFinding, ...]:
        return self.runner.project.store.refuted()

    def _text(self, path: str) -> str:
        file = self._plan.files.get(path)
        if file is not None:
            return (file.before if file.after is None else file.after) or ""
        return text_in(self.runner.project.root, path)

    def _symbol(self, finding: JudgeFinding) -> str:
        return symbol_at(finding.path, self._text(finding.path), finding.line) if finding.path else ""

    def _matter(self, finding: JudgeFinding) -> tuple[str, str, str]:
        return finding.path, self._symbol(finding), finding.message

    def _content(self, finding: JudgeFinding) -> str:
        return digest_of(text_of_symbol(finding.path, self._text(finding.path), self._symbol(finding)))

    # What it comes to.

    def _settled(self, judgement: Judgement, seconds: float) -> Outcome:
        if self.gate.refute:
            judgement = self._with_refuted(judgement, seconds)
        told, standing = self._findings(judgement), len(judgement.findings)
        findings = (*self._with_news(told[:standing]), *told[standing:])
        error = self._missed()
        blocks = judgement.decision is JudgeDecision.DENY or any(each.first_raised for each in findings)
        status = Status.FAILED if blocks else Status.ERRORED if error else Status.PASSED
        return Outcome(self.gate.id, status, findings, error=error, evidence=self._notes_of(), judgement=judgement)

    def _finding(self, said: JudgeFinding, judgement: Judgement, *, informs: bool) -> Finding:
        return replace(super()._finding(said, judgement, informs=informs), symbol=self._symbol(said))

    def _with_refuted(self, judgement: Judgement, seconds: float) -> Judgement:
        """Those that a second question refuted are advice, and on record."""
        deadline = time.monotonic() + seconds
        critical = [each for each in judgement.findings if each.severity is Severity.CRITICAL and each.path]
        if not critical:
            return judgement
        with ThreadPoolExecutor(_AT_ONCE, thread_name_prefix="refute") as pool:
            replies = list(pool.map(lambda each: self._second_look(each, deadline), critical))
        reasons = {
            finding: reply.answer.reason
            for finding, reply in zip(critical, replies, strict=True)
            if reply.answer is not None and _refutes(reply.answer)
        }
        store, by = self.runner.project.store, f"model {self.models[0].name}"
        for finding, reason in reasons.items():
            row = refutation(self._matter(finding), reason, by, category=finding.category, now=time.time())
            store.refute(msgspec.structs.replace(row, content=self._content(finding)))
        self.tally.refuted += len(reasons)
        rest = tuple(each for each in judgement.findings if each not in reasons)
        advice = (replace(each, message=f"{each.message} (refuted: {reason})") for each, reason in reasons.items())
        return replace(
            judgement,
            decision=decision_of(rest),
            findings=rest,
            overruled=(*judgement.overruled, *advice),
            replies=(*judgement.replies, *replies),
        )

    def _second_look(self, finding: JudgeFinding, deadline: float) -> ModelReply:
        model = self.models[0]
        text = self._text(finding.path).split("\n")
        first, last = max(1, finding.line - _AROUND), min(len(text), finding.line + _AROUND)
        numbered = "\n".join(f"{number:>7}| {text[number - 1]}" for number in range(first, last + 1))
        related = self._plan.surroundings.of(self._owner(finding, tuple(self._plan.files)))
        parts = (
            Part("The finding", f"{finding.path}:{finding.line} {finding.category}\n{finding.message}\n{finding.fix}"),
            Part("The code around it, with line numbers", numbered),
            *(
                (Part("Code around the change and code that calls it", "\n\n".join(map(str, related))),)
                if related
                else ()
            ),
        )
        question = fenced_question(self.judge.id, refutation_instructions(), parts, REFUTATION_TOKENS)
        return self._put(question, model, max(0.0, deadline - time.monotonic()))

    def _with_news(self, findings: Sequence[Finding]) -> list[Finding]:
        """With what no earlier review of the branch let through; what this one raises is remembered."""
        store, here = self.runner.project.store, branch(self.runner.project.root)
        earlier = store.raised(here)
        found = []
        for each in findings:
            matter = (each.span.path, each.symbol, each.message)
            is_new = self.gate.block_on_new_issues and not was_let_through(matter, earlier)
            found.append(replace(each, first_raised=True, advisory=False) if is_new else each)
            if self.runner.event.kind is EventKind.REVIEW:
                store.note_raised(
                    RaisedFinding(
                        here, fingerprint_of(*matter), *matter[:2], each.rule, each.message, is_new, time.time()
                    )
                )
        return found

    def _missed(self) -> str:
        """Why there are files that no model has answered about, where one could not be asked."""
        unseen = self._unseen()
        if not unseen or not self.tally.failures:
            return ""
        why = "; ".join(self.tally.failures.values())
        return f"{len(unseen)} of {len(self._plan.files)} files were not reviewed ({why})"

    def _unseen(self) -> set[str]:
        return set.intersection(*self.tally.unseen.values()) if self.tally.unseen else set()

    def _notes_of(self) -> str:
        tally, total = self.tally, len(self._plan.files)
        said = []
        reused = {path: age for path, age in tally.reused.items() if path not in tally.asked}
        if reused:
            oldest = round(max(reused.values()) / 60)
            within = f"{oldest} minutes" if oldest > 1 else "minute"
            said.append(f"answers of the last {within} reused for {len(reused)} of {total} files")
        if tally.dropped:
            said.append(f"findings dropped, which name no line of the change or of its callers: {tally.dropped}")
        if tally.known:
            said.append(f"findings not raised again, which were refuted before: {tally.known}")
        if tally.refuted:
            said.append(f"critical findings refuted by a second look: {tally.refuted}")
        files, lines = self._plan.hidden(self._unseen())
        if files or lines:
            said.append(f"{files} files, {lines} lines not shown")
        return "; ".join(said)


def _combined(answers: Sequence[Answer]) -> Answer:
    """Of one model about several parts of a change: a denial of one is a denial."""
    denying = [each for each in answers if each.decision is JudgeDecision.DENY]
    decisive = denying or answers
    pick = max if denying else min
    reasons = list(dict.fromkeys(each.reason for each in decisive if each.reason))[:3]
    findings = tuple(dict.fromkeys(each for answer in answers for each in answer.findings))
    return Answer(
        JudgeDecision.DENY if denying else JudgeDecision.ALLOW,
        pick(each.confidence for each in decisive),
        " ".join(reasons),
        findings,
    )


def _refutes(answer: Answer) -> bool:
    return answer.decision is JudgeDecision.ALLOW and answer.confidence >= SURE and bool(answer.reason.strip())


def _read(text: str) -> Answer | None:
    """None for one of another version."""
    try:
        return msgspec.json.decode(text, type=Answer)
    except (msgspec.DecodeError, ValueError):
        return None
