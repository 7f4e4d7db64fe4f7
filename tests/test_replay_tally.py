from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from vetgate.model import Decision, Finding, Span, UserError
from vetgate.service.replay.judge import EditJudgement, settled
from vetgate.service.replay.tally import UNFINISHED, Rating, difference, precision, read_ratings, tally
from vetgate.severity import Severity

if TYPE_CHECKING:
    from pathlib import Path


def finding(rule: str, line: int = 1, *, asks: bool = False) -> Finding:
    check, _, name = rule.partition("/")
    return Finding(check, name, Span("a.py", line), f"{rule} here", Severity.ERROR, evidence=str(line), asks=asks)


def stopped(edit: str, *rules: str, ms: float = 1.0) -> EditJudgement:
    found = tuple(finding(rule, number) for number, rule in enumerate(rules, start=1))
    return EditJudgement(edit, "a commit", "a.py", Decision.BLOCK, found, elapsed_ms=ms)


def passed(edit: str, ms: float = 1.0) -> EditJudgement:
    return EditJudgement(edit, "a commit", "a.py", elapsed_ms=ms)


class TestTally:
    def test_edits_are_counted_once_and_rules_each(self) -> None:
        found = tally([stopped("1", "complexity/cognitive", "security/x"), stopped("2", "security/x"), passed("3")], {})
        assert (found.edits, found.blocked, found.without_complexity) == (3, 2, 2)
        assert [(each.rule, len(each.blocks)) for each in found.by_rule] == [
            ("security/x", 2),
            ("complexity/cognitive", 1),
        ]

    def test_several_findings_of_a_rule_in_an_edit_are_one_block_at_the_first(self) -> None:
        (block,) = tally([stopped("1", "security/x", "security/x")], {}).blocks
        assert (block.line, block.findings) == (1, 2)

    def test_complexity_alone_is_not_counted_without_it(self) -> None:
        assert tally([stopped("1", "complexity/cognitive")], {}).without_complexity == 0

    def test_what_asks_is_put_to_a_person(self) -> None:
        one = EditJudgement("1", "", "a.py", Decision.ASK, (finding("unsafe-command/unreadable", asks=True),))
        found = tally([one], {})
        assert (found.blocked, found.asked) == (0, 1)

    def test_a_check_that_could_not_finish_is_told_as_that(self) -> None:
        one = EditJudgement("1", "", "a.py", Decision.BLOCK, trouble="secrets: it broke")
        (block,) = tally([one], {}).blocks
        assert (block.rule, block.message) == (UNFINISHED, "secrets: it broke")

    def test_what_nobody_judged_is_counted_by_its_reason_and_nowhere_else(self) -> None:
        found = tally([EditJudgement("1", "", "a.png", unjudged="binary"), passed("2")], {})
        assert (found.edits, found.unjudged) == (1, Counter({"binary": 1}))

    def test_times_are_those_of_the_edits(self) -> None:
        times = tally([passed(str(number), ms=float(number)) for number in range(1, 101)], {}).times
        assert (times.half, times.most, times.longest, times.total) == (50.0, 95.0, 100.0, 5050.0)

    def test_of_nothing_there_is_nothing_to_tell(self) -> None:
        found = tally([], {})
        assert (found.edits, found.share(0), found.times.most) == (0, 0.0, 0.0)


class TestMarks:
    def test_the_precision_of_what_was_marked(self) -> None:
        marks = {
            ("1", "security/x"): Rating.RIGHT,
            ("2", "security/x"): Rating.WRONG,
            ("9", "security/x"): Rating.RIGHT,
        }
        found = tally([stopped("1", "security/x"), stopped("2", "security/x"), stopped("3", "security/x")], marks)
        assert found.ratings == {Rating.RIGHT: 1, Rating.WRONG: 1}
        assert precision(found.ratings) == (0.5, 0.5)

    def test_what_is_arguable_counts_apart(self) -> None:
        assert precision({Rating.RIGHT: 1, Rating.ARGUABLE: 2, Rating.WRONG: 1}) == (0.25, 0.75)

    def test_where_nothing_was_marked_there_is_none(self) -> None:
        assert precision({}) is None

    def test_lines_are_read_and_those_without_a_verdict_left(self, tmp_path: Path) -> None:
        file = tmp_path / "marks.jsonl"
        file.write_text(
            '{"edit": "1", "rule": "a/b", "verdict": "wrong"}\n\n{"edit": "2", "rule": "a/b", "verdict": ""}\n'
        )
        assert read_ratings(file) == {("1", "a/b"): Rating.WRONG}

    @pytest.mark.parametrize(
        ("line", "message"),
        [
            pytest.param("{", "marks.jsonl:1: not a mark", id="no JSON"),
            pytest.param('{"edit": "1"}', "not a mark", id="no rule"),
            pytest.param(
                '{"edit": "1", "rule": "a/b", "verdict": "so so"}', "'so so' is not a verdict", id="an unknown verdict"
            ),
        ],
    )
    def test_a_line_that_is_none_is_named(self, line: str, message: str, tmp_path: Path) -> None:
        file = tmp_path / "marks.jsonl"
        file.write_text(line)
        with pytest.raises(UserError, match=message):
            read_ratings(file)


class TestDifference:
    def test_what_only_one_of_two_stops(self) -> None:
        one = [stopped("1", "a/b"), stopped("2", "a/b"), passed("3")]
        other = [stopped("1", "c/d"), passed("2"), stopped("3", "c/d")]
        found = difference(one, other)
        assert found.both == 1
        assert [block.key for block in found.only_current] == [("2", "a/b")]
        assert [block.key for block in found.only_other] == [("3", "c/d")]


class TestHeld:
    def test_edits_that_pass_and_hold_the_end_of_the_turn_are_counted_apart(self) -> None:
        deferred = replace(passed("2"), held=(finding("complexity/cyclomatic", 1),))
        both = replace(stopped("3", "security/x"), held=deferred.held)
        found = tally([passed("1"), deferred, both], {})
        assert (found.edits, found.blocked, found.held) == (3, 1, 1)

    def test_of_two_policies_each(self) -> None:
        deferred = replace(passed("1"), held=(finding("complexity/cyclomatic", 1),))
        assert difference([deferred, passed("2")], [passed("1"), passed("2")]).held == (1, 0)

    def test_what_only_looked_new_is_not_held_either(self) -> None:
        one = replace(passed("1"), held=(finding("complexity/cyclomatic", 1),))
        assert settled(one, frozenset()).held == ()
        assert settled(one, frozenset({("a.py", one.held[0].fingerprint)})).held == one.held


class TestSettled:
    def test_what_stands_in_company_too_stays(self) -> None:
        one = stopped("1", "security/x")
        assert settled(one, frozenset({("a.py", one.stopping[0].fingerprint)})) == one

    def test_what_only_looked_new_is_let_pass(self) -> None:
        found = settled(stopped("1", "security/x"), frozenset())
        assert (found.stopping, found.is_stopped) == ((), False)
