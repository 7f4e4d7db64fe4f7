"""The ship gate as a table of values: what is asked, what is on record, what follows."""

from __future__ import annotations

import pytest

from vetgate.engine.ship import (
    AskedContent,
    AskedLoop,
    PastLoop,
    PastReview,
    ShipReason,
    ShipRecord,
    ship_verdict,
)

FORK = "f" * 40
QUICK, TESTS = AskedLoop("quick", "r1", frozenset({"i1"})), AskedLoop("tests", "r2", frozenset({"i2"}))


def asked(*loops, changed=None, tree="t1", fork=FORK):
    return AskedContent("commit c1", tree, fork, loops or (QUICK, TESTS), changed or {}, version="2.0")


def past_review(quick="passed", tests="passed", **more):
    loops = [PastLoop("quick", quick, "i1", "r1")] if quick else []
    loops += [PastLoop("tests", tests, "i2", "r2")] if tests else []
    return PastReview("t1", "main", FORK, tuple(loops), version="2.0", **more)


def stale(inputs="i0", rules="r1", **more):
    fields = {"tree": "t0", "base": "main", "fork": FORK, "version": "2.0", **more}
    return PastReview(loops=(PastLoop("quick", "passed", inputs, rules),), **fields)


FILES = {"a.py": "100644 one", "gone.py": ""}
TABLE = {
    "all passed": (asked(), [past_review()], [], []),
    "nothing is on record": (asked(), [], ["no-review"], []),
    "no loops are configured": (AskedContent("x", "t", "f", ()), [past_review()], ["no-review"], []),
    "one failed": (asked(), [past_review(tests="failed")], ["failed"], []),
    "the newest result counts, a failure": (asked(), [past_review(tests="failed"), past_review()], ["failed"], []),
    "the newest result counts, a pass": (asked(), [past_review(), past_review(tests="failed")], [], []),
    "loops of two reviews make up one": (asked(), [past_review(quick=""), past_review(tests="")], [], []),
    "one was not run": (asked(), [past_review(tests="")], ["not-run"], []),
    "nothing of one ran": (asked(), [past_review(tests="skipped")], ["not-run"], []),
    "a status nobody knows is no pass": (asked(), [past_review(tests="dreaming")], ["not-run"], []),
    "another one's rules": (asked(QUICK), [stale("i1", "r0")], ["stale"], []),
    "another content": (asked(QUICK), [stale()], ["stale"], []),
    "an outside reviewer who was not there": (
        asked(QUICK, AskedLoop("tests", "r2", frozenset({"i2"}), must_run=False)),
        [past_review(tests="skipped")],
        [],
        ["the loop `tests` was skipped"],
    ),
    "one that does not block failed": (
        asked(QUICK, AskedLoop("tests", "r2", frozenset({"i2"}), blocks=False)),
        [past_review(tests="failed")],
        [],
        ["the loop `tests` failed (it does not block)"],
    ),
    "nothing of any of them ran": (
        asked(
            AskedLoop("quick", "r1", frozenset({"i1"}), must_run=False),
            AskedLoop("tests", "r2", frozenset({"i2"}), must_run=False),
        ),
        [past_review(quick="skipped", tests="skipped")],
        ["not-run"],
        ["the loop `quick` was skipped", "the loop `tests` was skipped"],
    ),
    "nothing ran of loops that do not block": (
        asked(AskedLoop("tests", "r2", frozenset({"i2"}), blocks=False)),
        [past_review(tests="skipped")],
        ["not-run"],
        ["no gate of the loop `tests` ran (it does not block)"],
    ),
    "one that does not block was not run": (
        asked(QUICK, AskedLoop("tests", "r2", frozenset({"i2"}), blocks=False)),
        [past_review(tests="")],
        [],
        ["the loop `tests` was not run (it does not block)"],
    ),
}


@pytest.mark.parametrize("case", TABLE.values(), ids=TABLE)
def test_what_follows(case):
    what, reviews, reasons, notes = case
    verdict = ship_verdict(what, ShipRecord(tuple(reviews)))
    assert verdict.allowed is not bool(reasons)
    assert [each.kind for each in verdict.reasons] == reasons
    assert list(verdict.notes) == notes


def test_a_damaged_record_says_nothing_whatever_it_holds():
    verdict = ship_verdict(asked(), ShipRecord((past_review(),), damage="row 3 is gone"))
    assert not verdict.allowed
    assert verdict.reasons[0].kind is ShipReason.CORRUPTED
    assert "row 3 is gone" in verdict.reasons[0].text


def test_an_override_is_told():
    verdict = ship_verdict(asked(), ShipRecord(override="production is down"))
    assert verdict.allowed
    assert verdict.notes == ("production is down",)


def test_blockers_are_reasons_of_their_own():
    failed = PastLoop("tests", "failed", "i2", "r2", blockers=("a.py:1: SQL injection",))
    verdict = ship_verdict(asked(TESTS), ShipRecord((PastReview("t1", "main", FORK, (failed,)),)))
    assert [(str(each.kind), each.text) for each in verdict.reasons] == [
        ("failed", "the loop `tests` failed"),
        ("blocker", "tests: a.py:1: SQL injection"),
    ]


def test_what_was_left_out_is_a_note():
    loop = PastLoop("tests", "passed", "i2", "r2", skipped=("coderabbit: not found",))
    verdict = ship_verdict(asked(TESTS), ShipRecord((PastReview("t1", "main", FORK, (loop,)),)))
    assert verdict.allowed
    assert verdict.notes == ("tests: coderabbit: not found",)


STALE = {
    "an edited file": ({"a.py": "100644 two", "gone.py": ""}, {}, "a.py changed since the review"),
    "a new file": ({**FILES, "b.py": "100644 x"}, {}, "b.py changed"),
    "a file that is as before again": ({"a.py": "100644 one"}, {}, "gone.py changed"),
    "many files": ({f"{n}.py": "1 x" for n in range(5)}, {}, "0.py, 1.py, 2.py and 4 more changed"),
    "a content without its mode": ({"a.py": "one", "b.py": "x", "gone.py": ""}, {}, "b.py changed"),
    "nothing but a mode": ({"a.py": "100755 one", "gone.py": ""}, {}, "(tree t1, reviewed t0)"),
    "another base": (FILES, {"fork": "e" * 40}, f"is based on commit {FORK[:10]}, the review on eeeeeeeeee (main)"),
    "the same content, another base": (
        FILES,
        {"fork": "e" * 40, "tree": "t1"},
        "the review compared with commit",
    ),
    "other rules": (FILES, {"inputs": "i1", "rules": "r0"}, "the configuration of the loop `quick` has changed"),
    "another version": (
        FILES,
        {"inputs": "i1", "rules": "r0", "version": "1.0"},
        "the review was made by vetgate 1.0, and this is 2.0",
    ),
}


@pytest.mark.parametrize("case", STALE.values(), ids=STALE)
def test_what_made_it_stale_is_named(case):
    changed, fields, said = case
    verdict = ship_verdict(asked(QUICK, changed=changed), ShipRecord((stale(files=FILES, **fields),)))
    assert [each.kind for each in verdict.reasons] == [ShipReason.STALE]
    assert said in verdict.reasons[0].text


def test_a_loop_that_looks_at_some_files_names_only_those():
    loop = AskedLoop("quick", "r1", frozenset({"i1"}), globs=("src/**",))
    changed = {"src/a.py": "100644 x", "docs/b.md": "100644 y"}
    verdict = ship_verdict(asked(loop, changed=changed), ShipRecord((stale(),)))
    assert "src/a.py changed" in verdict.reasons[0].text
    assert "docs" not in verdict.reasons[0].text


def test_one_edit_is_one_reason_for_all_loops():
    quick, tests = (PastLoop(name, "passed", "i0", rules) for name, rules in (("quick", "r1"), ("tests", "r2")))
    record = ShipRecord((PastReview("t0", "main", FORK, (quick, tests)),))
    assert len(ship_verdict(asked(changed={"a.py": "1 x"}), record).reasons) == 1
