"""Lines that were searched in vain: what is new is found wherever an edit puts it."""

from __future__ import annotations

import random

import pytest

from vetgate.source.text_diff import LineCache, lines_between

WORDS = ["alpha", "beta", "gamma delta", "", "epsilon " * 12, "zeta", "  eta", "a HIT here"]


def edited(text: str, chance: random.Random) -> str:
    lines = text.split("\n")
    at = chance.randrange(len(lines))
    lines[at : at + chance.randrange(3)] = [chance.choice(WORDS) for _ in range(chance.randrange(3))]
    return "\n".join(lines)


@pytest.mark.parametrize("seed", range(20))
def test_a_text_that_holds_something_is_never_passed_over(seed):
    chance = random.Random(seed)
    quiet = LineCache(lambda text: "HIT" in text, "\n")
    texts = ["\n".join(chance.choice(WORDS[:-1]) for _ in range(60)) for _ in range(3)]
    for _ in range(150):
        which = chance.randrange(3)
        after = edited(texts[which], chance)
        assert quiet.may_hold(after) or "HIT" not in after
        texts[which] = after.replace("HIT", "hit") if chance.random() < 0.7 else after


def test_what_stayed_is_not_read_again():
    read: list[bytes] = []

    def holds(text: bytes) -> bool:
        read.append(text)
        return b"HIT" in text

    quiet = LineCache(holds, b"\n")
    text = b"".join(b"line %d\n" % number for number in range(500))
    assert not quiet.may_hold(text)
    assert not quiet.may_hold(text.replace(b"line 250\n", b"line x\nline y\n"))
    assert read[1:] == [b"line x\nline y"]
    assert quiet.may_hold(text.replace(b"line 7\n", b"HIT\n"))


@pytest.mark.parametrize(
    ("old", "new", "between"),
    [
        ("a\nb\nc", "a\nx\nc", "x"),
        ("a\nb\nc", "a\nc", "c"),
        ("a\nb", "a\nb\nc", "b\nc"),
        ("ab\ncd", "ab\ncxd", "cxd"),
        ("", "a\nb", "a\nb"),
        ("a\nb", "", ""),
    ],
    ids=["a line", "one less", "one more", "within a line", "all of it", "nothing left"],
)
def test_the_lines_that_an_edit_has_a_part_in(old, new, between):
    assert lines_between(old, new, "\n") == between


@pytest.mark.parametrize("seed", range(20))
def test_the_lines_that_hold_something_are_found_in_every_text(seed):
    chance = random.Random(seed)
    cache = LineCache(lambda text: "HIT" in text, "\n")
    text = "\n".join(chance.choice(WORDS) for _ in range(60))
    for _ in range(100):
        text = edited(text, chance)
        lines = text.split("\n")
        starts = [sum(len(each) + 1 for each in lines[:at]) for at in range(len(lines))]
        assert list(cache.holding(text)) == [
            (start, line) for start, line in zip(starts, lines, strict=True) if "HIT" in line
        ]


def test_of_lines_that_held_something_none_is_read_again():
    read: list[str] = []
    cache = LineCache(lambda text: read.append(text) or "HIT" in text, "\n")
    text = "\n".join(("a HIT here", *(f"line {number}" for number in range(50))))
    assert [line for _, line in cache.holding(text)] == ["a HIT here"]
    read.clear()
    assert [line for _, line in cache.holding(f"{text}\nnew")] == ["a HIT here"]
    assert read == ["new"]
