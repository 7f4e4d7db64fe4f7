"""Expressions that are compiled when they are first used."""

from __future__ import annotations

import pickle
import re

from vetgate import expression
from vetgate.app import App  # noqa: F401 - with it comes everything that has an expression
from vetgate.checks import all_checks
from vetgate.expression import compile_all


def test_it_is_what_the_compiled_one_is():
    made = expression.expression(r"(?P<word>\w+)=(\d+)", re.IGNORECASE)
    assert made.pattern == r"(?P<word>\w+)=(\d+)"
    assert made.groupindex == {"word": 1}
    assert [found["word"] for found in made.finditer("a=1 b=2")] == ["a", "b"]
    assert made.sub("x", "a=1") == "x"
    assert made.fullmatch("a=") is None


def test_it_travels_to_another_process():
    assert pickle.loads(pickle.dumps(expression.expression(rb"a+"))).search(b"baa")


def test_all_of_ours_can_be_compiled():
    assert all_checks()
    compile_all()
