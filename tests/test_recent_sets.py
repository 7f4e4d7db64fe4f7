"""Sets with a bound that forget what nobody asks for."""

from __future__ import annotations

from vetgate.source.recent_sets import RecentSets, RecentValues


def test_what_was_added_is_known_under_its_key_only():
    sets = RecentSets[str, int](10)
    sets.add("a", {1, 2})
    assert sets.unknown("a", {1, 2, 3}) == {3}
    assert sets.unknown("b", {1}) == {1}


def test_the_bound_holds_over_all_keys_and_the_newest_are_kept():
    sets = RecentSets[int, int](10)
    for number in range(1_000):
        sets.add(number % 7, {number})
    known = [number for number in range(1_000) if not sets.unknown(number % 7, {number})]
    assert len(known) <= 22
    assert 999 in known


def test_what_is_asked_for_again_and_again_is_never_forgotten():
    sets = RecentSets[str, int](10)
    sets.add("a", {-1, -2})
    for number in range(1_000):
        sets.add("a", {number})
        assert not sets.unknown("a", {-1, -2})


def test_values_are_forgotten_one_by_one_and_what_is_asked_for_is_kept():
    values = RecentValues[int, str](10)
    values.put(-1, "kept")
    for number in range(1_000):
        values.put(number, str(number))
        assert values.get(-1) == "kept"
    assert [number for number in range(1_000) if values.get(number)] == [*range(991, 1_000)]
