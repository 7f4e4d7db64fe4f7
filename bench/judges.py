"""How well a model judges: precision, recall, cost and latency of every judge over 20 labelled cases each.

    python bench/judges.py --api anthropic --model claude-haiku-5-5 --key '$ANTHROPIC_API_KEY' --price 1/5
    python bench/judges.py --config vetgate.yaml --name haiku [--judge intent]
    python bench/judges.py                              # no model: scripted ones on loopback show that scores are right

A case that is denied and should be is a hit. Half of the cases of bench/corpus/judges are look-alikes that have to be
allowed. A case that a judge's own patterns answer costs nothing and counts like any other; one without an answer counts
as neither, and is told.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import yaml

from vetgate.judgement import Answer, JudgeDecision, Model, ModelReply, Price, Question
from vetgate.judges import all_judges
from vetgate.judges.examples import JudgeExample, example_of
from vetgate.judges.prompt import question_of

if TYPE_CHECKING:
    from vetgate.judges.judge import Judge

CORPUS = Path(__file__).parent / "corpus" / "judges"
SECONDS = 60.0
Asking = Callable[[Question, JudgeExample], ModelReply]


@dataclass(frozen=True)
class Score:
    """`failed` are cases without an answer; they are in none of the other numbers."""

    judge: str
    hits: int = 0
    misses: int = 0
    false_alarms: int = 0
    passes: int = 0
    failed: tuple[str, ...] = ()
    usd: float = 0.0
    latencies: tuple[float, ...] = ()

    @property
    def precision(self) -> float | None:
        denied = self.hits + self.false_alarms
        return self.hits / denied if denied else None

    @property
    def recall(self) -> float | None:
        wrong = self.hits + self.misses
        return self.hits / wrong if wrong else None


def cases_of(judge: Judge) -> list[JudgeExample]:
    path = CORPUS / f"{judge.id.replace('-', '_')}.yaml"
    return [example_of(each["name"], each) for each in yaml.safe_load(path.read_text("utf-8"))]


def score(judge: Judge, cases: Iterable[JudgeExample], ask: Asking) -> Score:
    counts = dict.fromkeys(("hits", "misses", "false_alarms", "passes"), 0)
    failed, usd, latencies = [], 0.0, []
    for case in cases:
        question = question_of(judge, case.context)
        decision: JudgeDecision | None = JudgeDecision.ALLOW
        if question is not None:
            reply = ask(question, case)
            usd += reply.usd
            latencies.append(reply.latency_ms)
            decision = reply.answer.decision if reply.answer else None
            if decision is None:
                failed.append(f"{case.name}: {reply.failure} {reply.detail}")
                continue
        is_denied, is_wrong = decision is JudgeDecision.DENY, case.label is JudgeDecision.DENY
        kind = ("passes", "false_alarms") if not is_wrong else ("misses", "hits")
        counts[kind[is_denied]] += 1
    return Score(judge.id, **counts, failed=tuple(failed), usd=usd, latencies=tuple(latencies))


def saying(decision: JudgeDecision) -> ModelReply:
    return ModelReply("scripted", Answer(decision, 0.9, "as scripted"), latency_ms=1.0, usd=0.001)


def always_denies(_question: Question, _case: JudgeExample) -> ModelReply:
    return saying(JudgeDecision.DENY)


def knows_the_labels(_question: Question, case: JudgeExample) -> ModelReply:
    return saying(case.label)


def denies_by_length(_question: Question, case: JudgeExample) -> ModelReply:
    """A rule that has nothing to do with the matter, and can be counted by hand: the length of the case's name."""
    return saying(JudgeDecision.DENY if len(case.name) % 2 else JudgeDecision.ALLOW)


SCRIPTED: dict[str, Asking] = {
    "knows the labels": knows_the_labels,
    "denies everything": always_denies,
    "denies names of odd length": denies_by_length,
}


def by_model(model: Model) -> Asking:
    from vetgate.models.client import ask, warm_up  # noqa: PLC0415 - an extra, only needed with a real model

    warm_up({model.api})  # loading the library is no fault of the model
    return lambda question, _case: ask(question, model, dict(os.environ), SECONDS)


@contextmanager
def on_loopback(rule: Asking) -> Iterator[Asking]:
    """A scripted model that is asked as a real one is, over the wire; what it says follows a known rule."""
    sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
    from model_server import Judges, ModelServer  # noqa: PLC0415 - only without a real model
    from vetgate.models.client import ask, warm_up  # noqa: PLC0415 - as above

    warm_up({"anthropic"})
    asked: list[tuple[Question, JudgeExample]] = []

    def answer(_request: object) -> Judges:
        reply = rule(*asked[-1])
        assert reply.answer is not None
        return Judges(str(reply.answer.decision))

    with ModelServer(answer) as server:
        model = Model("scripted", "anthropic", "scripted", server.url, "$SCRIPTED_KEY", price=Price(1, 5))

        def asking(question: Question, case: JudgeExample) -> ModelReply:
            asked.append((question, case))
            return ask(question, model, {"SCRIPTED_KEY": "not-a-real-key"}, SECONDS)

        yield asking


def model_of(arguments: argparse.Namespace) -> Model | None:
    if arguments.config:
        given = yaml.safe_load(Path(arguments.config).read_text("utf-8"))["models"][arguments.name]
        price = Price(**given.pop("price")) if "price" in given else None
        return Model(arguments.name, **{**given, "specialties": tuple(given.get("specialties", ()))}, price=price)
    if not arguments.model:
        return None
    price = Price(*map(float, arguments.price.split("/"))) if arguments.price else None
    return Model("asked", arguments.api, arguments.model, arguments.url, arguments.key, price=price)


def shown(score: Score) -> str:
    def percent(value: float | None) -> str:
        return "-" if value is None else f"{value:.0%}"

    times = sorted(score.latencies)
    middle = f"{statistics.median(times):.0f}" if times else "-"
    slow = f"{times[int(len(times) * 0.95)]:.0f}" if times else "-"
    counts = f"{score.hits:4} {score.misses:6} {score.false_alarms:5} {score.passes:6} {len(score.failed):6}"
    rates = f"{percent(score.precision):>9} {percent(score.recall):>7}"
    return f"{score.judge:13} {counts} {rates} {score.usd:9.4f} {middle:>7} {slow:>7}"


HEAD = f"{'judge':13} hits misses false passes failed precision  recall       USD  p50 ms  p95 ms"


def report(ask: Asking, judges: Iterable[Judge], most: int | None = None) -> list[Score]:
    print(HEAD)
    scores = []
    for judge in judges:
        scores.append(score(judge, cases_of(judge)[:most], ask))
        print(shown(scores[-1]), flush=True)
    for each in scores:
        for failure in each.failed:
            print(f"no answer: {each.judge}: {failure}")
    return scores


def main(words: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("--config", "--name", "--model", "--url", "--key", "--price", "--judge"):
        parser.add_argument(name, default="")
    parser.add_argument("--api", default="anthropic", choices=("anthropic", "openai", "claude-cli"))
    parser.add_argument("--cases", type=int, help="only so many of each judge")
    arguments = parser.parse_args(words)
    judges = [judge for judge in all_judges().values() if arguments.judge in {"", judge.id}]
    model = model_of(arguments)
    if model is not None:
        return 1 if any(each.failed for each in report(by_model(model), judges, arguments.cases)) else 0
    print("No model was named: scripted ones show that the scores are right.")
    failed = False
    for name, rule in SCRIPTED.items():
        print(f"\na model that {name}")
        with on_loopback(rule) as asking:
            failed |= any(each.failed for each in report(asking, judges, arguments.cases))
    return int(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
