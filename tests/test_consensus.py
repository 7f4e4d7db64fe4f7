"""Every strategy as a table of answers and what they come to; docs/judges/consensus.md says the same in words."""

from __future__ import annotations

import pytest

from vetgate.judgement import Agreement, Answer, Consensus, JudgeDecision, JudgeFinding, Model, ModelFailure, ModelReply
from vetgate.judges.consensus import STRATEGIES, is_disputed, join, merged
from vetgate.severity import Severity

NAMES = ("one", "two", "three", "four")


def finding(message="it is wrong", category="semantics", severity=Severity.ERROR, **more):
    return JudgeFinding(message, category, severity, **more)


def answer(word):
    """`deny 0.9 security` is a denial with such a finding; `!` makes it critical, `late` and `broken` are failures."""
    decision, sure, *kinds = word.split()
    found = tuple(
        finding(f"{kind} at fault", kind.strip("!"), Severity.CRITICAL if "!" in kind else Severity.ERROR)
        for kind in kinds
    )
    return Answer(JudgeDecision(decision), float(sure), f"because of {word}", found)


def replies(*words):
    failures = {"late": ModelFailure.TIMEOUT, "broken": ModelFailure.MALFORMED, "limited": ModelFailure.RATE_LIMITED}
    return [
        ModelReply(name, failure=failures[word]) if word in failures else ModelReply(name, answer(word))
        for name, word in zip(NAMES, words, strict=False)
    ]


def models(**more):
    return {name: more.get(name) or Model(name, "openai") for name in NAMES}


def joined(strategy, *words, known=None, adjudication=None, **more):
    return join("reviewer", replies(*words), known or models(), Consensus(strategy, **more), adjudication)


TABLE = [
    # unanimous: one denial is enough
    ("unanimous", ("allow .9", "allow .9"), "allow"),
    ("unanimous", ("allow .9", "deny .1"), "deny"),
    ("unanimous", ("deny .9", "deny .9", "deny .9"), "deny"),
    ("unanimous", ("allow .9", "broken", "allow .2"), "allow"),
    ("unanimous", ("allow .9",), "allow"),
    ("unanimous", ("deny .2",), "deny"),
    # majority: more than half have to allow; a tie denies
    ("majority", ("allow .9", "allow .1", "deny .9"), "allow"),
    ("majority", ("allow .9", "deny .1", "deny .1"), "deny"),
    ("majority", ("allow .9", "deny .1"), "deny"),
    ("majority", ("allow .9", "allow .9", "deny .9", "deny .9"), "deny"),
    ("majority", ("allow .9", "limited", "deny .9", "allow .9"), "allow"),
    ("majority", ("broken", "allow .9"), "allow"),
    ("majority", ("allow .3",), "allow"),
    # primary-weighted: the primary, unless it is unsure; critical denials of it always
    ("primary-weighted", ("allow .7", "deny .9"), "allow"),
    ("primary-weighted", ("allow .69", "deny .1"), "deny"),
    ("primary-weighted", ("deny .8", "allow .9"), "deny"),
    ("primary-weighted", ("deny .5", "allow .6"), "allow"),
    ("primary-weighted", ("deny .5 complexity!", "allow .9"), "deny"),
    ("primary-weighted", ("deny .5 complexity", "allow .9"), "allow"),
    ("primary-weighted", ("allow .5", "allow .9", "deny .99"), "allow"),
    ("primary-weighted", ("broken", "deny .5", "allow .9"), "allow"),  # who answers first of the list is the primary
    ("primary-weighted", ("broken", "deny .9", "allow .9"), "deny"),
    ("primary-weighted", ("deny .1",), "deny"),
    # security-override: only a denial for security denies
    ("security-override", ("allow .9", "deny .1 security"), "deny"),
    ("security-override", ("deny .9 complexity!", "deny .9 style"), "allow"),
    ("security-override", ("allow .9 security", "allow .9"), "allow"),
    ("security-override", ("deny .9", "allow .9"), "allow"),
    ("security-override", ("broken", "deny .9 style security"), "deny"),
    ("security-override", ("deny .9 style",), "deny"),  # alone there is nothing to override
    # best-of-n: the surest; the first of those that are as sure
    ("best-of-n", ("allow .8", "deny .9", "allow .85"), "deny"),
    ("best-of-n", ("allow .9", "deny .9"), "allow"),
    ("best-of-n", ("deny .9", "allow .9"), "deny"),
    ("best-of-n", ("broken", "deny .2", "allow .1"), "deny"),
    ("best-of-n", ("allow .1",), "allow"),
]


@pytest.mark.parametrize(("strategy", "words", "decision"), TABLE, ids=[f"{s}: {', '.join(w)}" for s, w, _ in TABLE])
def test_a_strategy_decides(strategy, words, decision):
    assert joined(strategy, *words).decision == decision


def test_every_strategy_is_in_the_table():
    assert {strategy for strategy, _, _ in TABLE} == set(STRATEGIES)


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("words", [(), ("late",), ("broken", "late")], ids=["nobody asked", "late", "all failed"])
def test_no_answer_is_no_decision(strategy, words):
    for on_timeout in ("allow", "primary"):
        assert joined(strategy, *words, on_timeout=on_timeout) is None
    denied = joined(strategy, *words, on_timeout="deny")
    assert (denied is not None and denied.decision == "deny") == ("late" in words), "only time that runs out denies"
    assert not is_disputed(replies(*words), models())


LATE = [
    ("allow", ("deny .9", "late"), "allow"),
    ("deny", ("allow .9", "late"), "deny"),
    ("primary", ("allow .2", "late", "deny .9"), "allow"),  # the primary alone, however sure
    ("primary", ("deny .9", "late", "allow .9"), "deny"),
    ("primary", ("late", "allow .9", "allow .9"), "allow"),  # it is the primary that is late: whoever answered
    ("primary", ("late", "allow .9", "deny .9"), "deny"),
    ("deny", ("allow .9", "broken", "allow .9"), "allow"),  # not late, so only left out
]


@pytest.mark.parametrize(("on_timeout", "words", "decision"), LATE, ids=[f"{o}: {', '.join(w)}" for o, w, _ in LATE])
def test_who_is_late_is_made_up_for(on_timeout, words, decision):
    assert joined("unanimous", *words, on_timeout=on_timeout).decision == decision


LATE_FOR_SECURITY = [
    ("security-override", ("allow .9", "late", "deny .2 security"), "deny"),
    ("security-override", ("late", "allow .9", "deny .9 security"), "deny"),
    ("security-override", ("allow .9", "late", "deny .9 style"), "allow"),  # not for security: the primary's word
    ("unanimous", ("allow .9", "late", "deny .9 security"), "deny"),
    ("unanimous", ("allow .9", "late", "deny .9 style"), "allow"),
    ("majority", ("allow .9", "late", "deny .9 security"), "allow"),  # the late one's voice could outvote it
]


@pytest.mark.parametrize("on_timeout", ["primary", "allow"])
@pytest.mark.parametrize(
    ("strategy", "words", "decision"), LATE_FOR_SECURITY, ids=[f"{s}: {', '.join(w)}" for s, w, _ in LATE_FOR_SECURITY]
)
def test_no_late_model_lifts_a_denial_for_security(strategy, words, decision, on_timeout):
    assert joined(strategy, *words, on_timeout=on_timeout).decision == decision


def test_a_greater_weight_has_more_votes_in_a_majority():
    known = models(one=Model("one", "openai", weight=3.0))
    assert joined("majority", "allow .9", "deny .9", "deny .9", known=known).decision == "allow"


def test_the_secondary_with_the_greatest_weight_breaks_the_tie():
    known = models(three=Model("three", "openai", weight=2.0))
    assert joined("primary-weighted", "allow .2", "allow .9", "deny .9", known=known).decision == "deny"


def test_of_two_as_sure_the_greater_weight_is_best():
    known = models(two=Model("two", "openai", weight=2.0))
    assert joined("best-of-n", "allow .9", "deny .9", known=known).decision == "deny"
    assert joined("best-of-n", "allow .95", "deny .9", known=known).decision == "allow"


def test_a_specialist_of_what_is_spoken_of_counts_twice():
    known = models(one=Model("one", "openai", specialties=("security",)))
    words = ("deny .9 security", "allow .9", "allow .9")
    assert joined("majority", *words, known=known).decision == "deny"
    assert joined("majority", "deny .9 style", *words[1:], known=known).decision == "allow"


AGREEMENT = [
    (("allow .9", "allow .1"), Agreement.AGREE),
    (("deny .7", "deny .7"), Agreement.AGREE),
    (("allow .9", "deny .2"), Agreement.DISAGREE),
    (("allow .69", "allow .69"), Agreement.UNCERTAIN),
    (("allow .6", "deny .6"), Agreement.UNCERTAIN),
    (("allow .9", "broken"), Agreement.AGREE),
]


@pytest.mark.parametrize(("words", "agreement"), AGREEMENT, ids=[", ".join(words) for words, _ in AGREEMENT])
def test_how_far_they_agree(words, agreement):
    assert joined("majority", *words).agreement is agreement
    assert is_disputed(replies(*words), models()) == (agreement is not Agreement.AGREE)


CONFIDENCE = [
    (("allow .9", "allow .7"), 0.8),
    (("allow .9", "deny .5"), 0.3),  # denied: 0.5 of the one, 0.1 that the other left open
    (("deny 1", "deny 1"), 1.0),
    (("allow 7", "allow -3"), 0.5),  # held between 0 and 1
]


@pytest.mark.parametrize(("words", "confidence"), CONFIDENCE, ids=[", ".join(words) for words, _ in CONFIDENCE])
def test_confidence_is_how_likely_they_hold_the_decision(words, confidence):
    assert joined("majority", *words).confidence == pytest.approx(confidence)


def test_a_named_adjudicator_decides_what_is_disputed():
    word = ModelReply("opus", Answer(JudgeDecision.ALLOW, 0.9, "a false alarm"))
    judgement = joined("unanimous", "allow .9", "deny .9", adjudication=word, adjudicator="opus")
    assert (judgement.decision, judgement.reason) == ("allow", "a false alarm")
    assert judgement.replies[-1] is word


def test_an_adjudicator_has_no_say_where_all_agree_or_where_it_failed():
    allows = ModelReply("opus", Answer(JudgeDecision.ALLOW, 0.9))
    assert joined("unanimous", "deny .9", "deny .9", adjudication=allows).decision == "deny"
    failed = ModelReply("opus", failure=ModelFailure.OVERLOADED)
    assert joined("unanimous", "allow .9", "deny .9", adjudication=failed).decision == "deny"


@pytest.mark.parametrize("how", ["heuristic", "opus"])
def test_no_adjudicator_lifts_a_denial_for_security(how):
    allows = ModelReply("opus", Answer(JudgeDecision.ALLOW, 1.0))
    words = ("allow 1", "allow 1", "deny .1 security")
    assert joined("security-override", *words, adjudicator=how, adjudication=allows).decision == "deny"


def test_the_heuristic_goes_with_the_better_supported_side():
    assert joined("unanimous", "allow .95", "deny .2", adjudicator="heuristic").decision == "allow"
    assert joined("best-of-n", "allow .8", "deny .75", "deny .7", adjudicator="heuristic").decision == "deny"


def test_the_heuristic_believes_who_names_the_line():
    shown = Answer(JudgeDecision.DENY, 0.7, "", (finding(path="a.py", line=3),))
    both = [ModelReply("one", Answer(JudgeDecision.ALLOW, 0.8)), ModelReply("two", shown)]
    assert join("reviewer", both, models(), Consensus("best-of-n", adjudicator="heuristic")).decision == "deny"


def test_findings_of_the_overruled_are_kept_with_their_model():
    judgement = joined("majority", "allow .9", "allow .9", "deny .9 style")
    assert judgement.decision == "allow"
    assert judgement.findings == ()
    assert [(each.model, each.category) for each in judgement.overruled] == [("three", "style")]
    assert len(judgement.disagreements) == 3
    assert judgement.disagreements[2].startswith("three would deny (0.90): ")


def test_a_denial_without_a_finding_says_why():
    (only,) = joined("unanimous", "deny .9", "allow .9").findings
    assert (only.message, only.severity, only.category) == ("because of deny .9", Severity.ERROR, "reviewer")


SAME = [
    ("the same words", {}, {}, True),
    ("nearby lines", {"path": "a.py", "line": 10}, {"path": "./a.py", "line": 12}, True),
    ("far lines", {"path": "a.py", "line": 10}, {"path": "a.py", "line": 14}, False),
    ("other files", {"path": "a.py", "line": 10}, {"path": "b.py", "line": 10}, False),
    ("one without a place", {"path": "a.py", "line": 10}, {}, True),
    ("another category", {}, {"category": "style"}, True),  # the words are the same
    ("other words", {}, {"message": "the loop never ends for an empty list"}, False),
    (
        "words of one matter",
        {"message": "SQL injection: the name is part of the query text", "category": "security"},
        {"message": "user name is concatenated into the SQL query, an injection", "category": "security"},
        True,
    ),
    (
        "words of one matter in another category",
        {"message": "SQL injection: the name is part of the query text", "category": "security"},
        {"message": "user name is concatenated into the SQL query, an injection", "category": "style"},
        False,
    ),
    (
        "one rule at one place",
        {"message": "Unescaped input", "rule": "xss", "path": "a.py", "line": 3},
        {"message": "innerHTML is assigned", "rule": "xss", "path": "a.py", "line": 4},
        True,
    ),
]


@pytest.mark.parametrize(("one", "other", "same"), [each[1:] for each in SAME], ids=[each[0] for each in SAME])
def test_a_problem_is_listed_once(one, other, same):
    assert len(merged([finding(model="one", **one), finding(model="two", **other)])) == (1 if same else 2)


def test_merged_findings_have_all_names_the_gravest_severity_and_the_first_place():
    first = finding(severity=Severity.WARNING, model="one")
    (both,) = merged([first, finding(severity=Severity.CRITICAL, model="two", path="a.py", line=3, fix="do so")])
    assert both == finding(severity=Severity.CRITICAL, model="one, two", path="a.py", line=3, fix="do so")


def test_what_one_model_lists_twice_it_means_twice():
    first, second = (finding(f"the variable {name} is unused", path="a.py", line=3, model="one") for name in "xy")
    assert len(merged([first, second])) == 2
    assert len(merged([first, first])) == 1


def test_what_stands_is_not_told_again_as_overruled():
    words = finding("the loop never ends", path="a.py", line=3)
    both = [
        ModelReply("one", Answer(JudgeDecision.DENY, 0.9, "", (words,))),
        ModelReply("two", Answer(JudgeDecision.ALLOW, 0.9, "", (words,))),
    ]
    judgement = join("reviewer", both, models(), Consensus("unanimous"))
    assert len(judgement.findings) == 1
    assert judgement.overruled == ()
