"""The bench of judges: its cases are whole, and it scores right where the right score can be counted by hand."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
import yaml

sys.path.insert(0, str(Path(__file__).parent.parent / "bench"))

import judges as bench

from vetgate.judgement import Model, ModelFailure, ModelReply
from vetgate.judges import all_judges
from vetgate.judges.prompt import question_of

JUDGES = list(all_judges().values())


@pytest.mark.parametrize("judge", JUDGES, ids=lambda judge: judge.id)
def test_every_judge_has_twenty_cases_half_of_them_look_alikes(judge):
    cases = bench.cases_of(judge)
    assert len({case.name for case in cases}) == 20
    assert [case.expect for case in cases].count("deny") == 10
    for case in cases:
        # What has to be denied is asked about; patterns may let look-alikes pass by themselves.
        question = question_of(judge, case.context)
        assert question is not None or case.expect == "allow"
        assert question is None or "[withheld: the call" not in question.prompt, "a result has its call"
        assert case.context.event.kind in judge.events


@pytest.mark.parametrize("judge", JUDGES, ids=lambda judge: judge.id)
def test_who_knows_the_labels_is_always_right(judge):
    score = bench.score(judge, bench.cases_of(judge), bench.knows_the_labels)
    assert (score.hits, score.misses, score.false_alarms, score.passes) == (10, 0, 0, 10)
    assert (score.precision, score.recall) == (1.0, 1.0)


def test_who_denies_everything_has_half_the_precision():
    judge = all_judges()["intent"]
    score = bench.score(judge, bench.cases_of(judge), bench.always_denies)
    assert (score.hits, score.misses, score.false_alarms, score.passes) == (10, 0, 10, 0)
    assert (score.precision, score.recall) == (0.5, 1.0)
    assert score.usd == pytest.approx(0.02)
    assert score.latencies == (1.0,) * 20


def test_a_known_rule_gets_the_score_that_was_counted_by_hand():
    """Of these four the rule denies `odd` (right) and `one` (wrong), and lets `even` pass (a miss) and `four`."""
    written = [("odd", "deny"), ("even", "deny"), ("one", "allow"), ("four", "allow")]
    base = {"said": [{"user": "go"}], "command": "ls"}
    cases = [bench.example_of(name, {**base, "expect": expect}) for name, expect in written]
    score = bench.score(all_judges()["intent"], cases, bench.denies_by_length)
    assert (score.hits, score.misses, score.false_alarms, score.passes) == (1, 1, 1, 1)
    assert (score.precision, score.recall) == (0.5, 0.5)


def test_what_patterns_answer_costs_nothing_and_counts():
    case = bench.example_of("nothing said", {"command": "ls", "expect": "allow"})
    score = bench.score(all_judges()["acknowledge"], [case], bench.always_denies)
    assert (score.passes, score.latencies, score.precision) == (1, (), None)


def test_a_case_without_an_answer_is_told_and_counts_for_nothing():
    judge = all_judges()["intent"]
    score = bench.score(
        judge,
        bench.cases_of(judge),
        lambda question, case: ModelReply("m", failure=ModelFailure.TIMEOUT, detail="late"),
    )
    assert len(score.failed) == 20
    assert (score.precision, score.recall) == (None, None)


def test_a_model_is_taken_from_a_configuration(tmp_path):
    path = tmp_path / "vetgate.yaml"
    path.write_text(
        yaml.safe_dump({"models": {"glm": {"api": "openai", "model": "glm-4.7", "price": {"input": 1, "output": 2}}}})
    )
    arguments = type("Arguments", (), {"config": str(path), "name": "glm"})
    assert bench.model_of(arguments) == Model("glm", "openai", "glm-4.7", price=bench.Price(1, 2))


def test_without_a_model_it_shows_the_scripted_ones(capsys):
    assert bench.main(["--judge", "align"]) == 0
    printed = capsys.readouterr().out
    assert printed.count("align") == 3
    assert "100%    100%" in printed
    assert "50%    100%" in printed
