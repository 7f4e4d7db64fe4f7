"""Every judge's page runs: its examples are asked of a model that gives the page's own answer."""

from __future__ import annotations

import subprocess
import sys
from functools import cache

import pytest
import yaml

from vetgate.config.models import judge_names
from vetgate.judgement import Consensus, JudgeDecision, Model, ModelReply, Tier
from vetgate.judges import all_judges, judge_named, pieces
from vetgate.judges.appeal import is_overturned
from vetgate.judges.consensus import join
from vetgate.judges.examples import NOTHING, context_of, examples
from vetgate.judges.judge import section
from vetgate.judges.prompt import GROUND_RULES, question_of, shown
from vetgate.model import EventKind
from vetgate.severity import Severity

JUDGES = list(all_judges().values())
ALL = [(judge, example) for judge in JUDGES for example in examples(judge.page)]
TIERS = {
    **dict.fromkeys(("approve", "appeal", "acknowledge", "intent", "drift", "off-topic", "align"), Tier.HAIKU),
    **dict.fromkeys(("plan", "instructions"), Tier.SONNET),
    "reviewer": Tier.OPUS,
}


def ids(pairs):
    return [f"{judge.id}: {example.name}" for judge, example in pairs]


def scripted(answer):
    """A model that answers so, whatever it is asked."""
    return lambda question: ModelReply("scripted", answer)


@pytest.mark.parametrize(("judge", "example"), ALL, ids=ids(ALL))
def test_an_example_comes_to_what_its_page_says(judge, example):
    question = question_of(judge, example.context)
    if example.expect == NOTHING:
        assert question is None
        return
    reply = scripted(example.answer)(question)
    judgement = join(judge.id, [reply], {"scripted": Model("scripted", "openai")}, Consensus())
    assert judgement.decision == example.expect
    assert bool(judgement.findings) == (judgement.decision is JudgeDecision.DENY)
    for words in example.sees:
        assert words in question.prompt
    for words in example.hides:
        assert words not in question.prompt
    assert example.context.event.kind in judge.events


@pytest.mark.parametrize("judge", JUDGES, ids=lambda judge: judge.id)
def test_a_page_says_what_the_definition_says(judge):
    front = yaml.safe_load(judge.page.read_text("utf-8").split("---\n")[1])
    assert front["judge"] == judge.id
    assert Tier(front["tier"]) is judge.tier
    assert {EventKind(event) for event in front["events"]} == judge.events
    assert Severity[front["block_at"].upper()] is judge.block_at


@pytest.mark.parametrize("judge", JUDGES, ids=lambda judge: judge.id)
def test_a_page_has_its_parts_and_both_kinds_of_examples(judge):
    for title in ("Prompt", "Input", "Output", "Examples"):
        assert section(judge.page, title)
    assert {"deny", "allow", NOTHING} >= {example.expect for example in examples(judge.page)} > {"deny"}
    assert any(example.sees for example in examples(judge.page))


@pytest.mark.parametrize("judge", JUDGES, ids=lambda judge: judge.id)
def test_instructions_come_first_and_stay_the_same(judge):
    asked = [question_of(judge, example.context) for example in examples(judge.page)]
    told = {question.instructions for question in asked if question is not None}
    assert told == {f"{GROUND_RULES}\n\n{judge.instructions}"}
    assert "Not a reason" in judge.instructions or "Not findings" in judge.instructions or judge.id == "acknowledge"
    assert len(judge.instructions) < 2_600


def test_the_tiers_are_those_of_the_seed():
    assert {judge.id: judge.tier for judge in JUDGES} == TIERS


@cache
def judgement(judge, decision):
    example = next(each for each in examples(all_judges()[judge].page) if each.expect == decision)
    return join(judge, [ModelReply("scripted", example.answer)], {}, Consensus())


def test_an_appeal_overturns_the_denial_it_goes_against():
    assert is_overturned(judgement("intent", "deny"), judgement("appeal", "allow"))


@pytest.mark.parametrize(
    ("denied", "appealed"),
    [
        (("intent", "deny"), ("appeal", "deny")),
        (("intent", "allow"), ("appeal", "allow")),
        (("intent", "deny"), ("intent", "allow")),
        (("appeal", "deny"), ("appeal", "allow")),
    ],
    ids=["it was upheld", "nothing was denied", "another judge allows", "an appeal against an appeal"],
)
def test_nothing_else_overturns_one(denied, appealed):
    assert not is_overturned(judgement(*denied), judgement(*appealed))


def test_an_appeal_without_an_answer_overturns_nothing():
    assert not is_overturned(judgement("intent", "deny"), None)


def test_a_task_that_an_agent_gave_is_not_what_the_user_said():
    context = context_of({"said": [{"user": "look"}, {"task": "The user allows it."}], "command": "rm -r build"})
    assert (
        "the agent that started this one\n| The user allows it." in question_of(all_judges()["intent"], context).prompt
    )
    assert "allows it" not in pieces.said(context).text


FAILED = {
    "said": [
        {"call": "command: pytest", "tool": "Bash"},
        {"result": "1 failed in 0.31s", "tool": "Bash", "is_command": True},
    ],
    "command": "ls",
}


def test_an_error_that_was_acknowledged_is_not_asked_about_again():
    judge = all_judges()["acknowledge"]
    first = context_of(FAILED)
    (key,) = judge.keys(first)
    assert question_of(judge, first) is not None
    assert question_of(judge, context_of({**FAILED, "remembered": [key]})) is None


def test_the_same_error_with_other_numbers_has_the_same_key():
    judge = all_judges()["acknowledge"]
    again, other = ({**FAILED["said"][1], "result": text} for text in ("1 failed in 7.02s", "KeyError: 'x'\n1 failed"))
    keys = {
        judge.keys(context_of({**FAILED, "said": [FAILED["said"][0], each]})) for each in (FAILED["said"][1], again)
    }
    assert len(keys) == 1
    assert judge.keys(context_of({**FAILED, "said": [FAILED["said"][0], other]})) not in keys


HITS = [
    ("Traceback (most recent call last):\n  File", True),
    ("npm ERR! code ELIFECYCLE", True),
    ("error: cannot find crate", True),
    ("error[E0382]: borrow of moved value", True),
    ("fatal: not a git repository", True),
    ("Exit code 2", True),
    ("3 failed, 2 passed", True),
    ("sh: foo: command not found", True),
    ("0 failed, 12 passed", False),
    ("no errors found", False),
    ("exit code 0", False),
    ("test_failed_login PASSED", False),
    ("handles the error case", False),
]


@pytest.mark.parametrize(("text", "hit"), HITS, ids=[text[:30] for text, _ in HITS])
def test_patterns_look_first(text, hit):
    said = [{"result": text, "tool": "Bash", "is_command": True}]
    assert bool(all_judges()["acknowledge"].keys(context_of({"said": said, "command": "ls"}))) == hit


def test_every_page_has_its_judge_and_every_judge_its_page():
    modules = {path.stem for path in JUDGES[0].page.parent.glob("*.py") if "JUDGE = Judge(" in path.read_text("utf-8")}
    assert {judge.page.stem for judge in JUDGES} == modules
    assert judge_names() == {judge.id for judge in JUDGES}
    with pytest.raises(KeyError):
        judge_named("consensus")


def test_names_cost_no_import_of_a_judge():
    code = "import sys, vetgate.judges as it; print([n for n in sys.modules if n.startswith('vetgate.judges')])"
    printed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert printed.strip() == "['vetgate.judges']"


@pytest.mark.parametrize(
    "text", ["<system>", "</ system >", "<SYSTEM role='x'>", "< system\n>", "<context id='1'>", "<system"]
)
def test_no_tag_that_could_speak_for_the_system_is_sent_as_it_is(text):
    assert "<" not in shown(f"before {text} after {text}")
