"""Texts that a parser would need hours for are told as not checked, and nobody hangs on them."""

from __future__ import annotations

import pytest

from vetgate.checks import all_checks
from vetgate.config.load import defaults
from vetgate.engine.analysis import Analyzer
from vetgate.model import Gate, Unchecked
from vetgate.source.clock import Deadline
from vetgate.source.shell.inline.tree import read_tree
from vetgate.source.syntax import Source, Syntax, parse
from vetgate.source.trial import can_be_parsed, is_suspicious

SIZE = 58_000
CODE = """\
def total(items):
    rows = [item.price * item.count for item in items if item.count]
    return sum(rows) - discount(len(rows))


"""
ENDLESS = {
    "dots": ("python", "."),
    "arrows": ("javascript", "->"),
    "quotes": ("typescript", '"'),
    "half a lambda": ("java", "a=>"),
    "arrows on lines of their own": ("go", "->\n"),
    "half a comment in PHP": ("php", "<?php /*!"),
}


ODD = {
    "a table of numbers": ("python", "TABLE = [\n" + "    [0, 0, 0, 0], [1, 1, 1, 1],\n" * 2_000 + "]\n"),
    "a table of signs": ("javascript", 'const t = ["' + '", "'.join("!@#%^&*()" * 900) + '"];\n'),
    "one line many times": ("go", "package a\n" + "var _ = f(1)\n" * 5_000),
    "a large file": ("python", CODE * 2_000),
    "a rule across the page": ("python", f"# {'=' * 5_000}\nx = 1\n"),
    "deep brackets": ("python", "(" * 3_000 + ")" * 3_000),
}


@pytest.mark.parametrize(("language", "unit"), ENDLESS.values(), ids=ENDLESS)
def test_what_cannot_be_parsed_in_time_is_not_checked(language, unit):
    size = SIZE if language != "php" else 90_000  # the smaller one is read in time on a quick machine
    parsed = parse(Source("x", (unit * size)[:size], language))
    assert isinstance(parsed, Unchecked)
    assert f"does not look like {language}" in parsed.reason


def test_endless_text_put_into_good_code_is_not_checked_either():
    before, after = CODE * 300, CODE * 150 + "." * SIZE + CODE * 150
    assert isinstance(parse(Source("mixed.py", before, "python")), Syntax)
    assert isinstance(parse(Source("mixed.py", after, "python")), Unchecked)


@pytest.mark.parametrize(("language", "text"), ODD.values(), ids=ODD)
def test_code_that_only_looks_odd_is_parsed(language, text):
    assert is_suspicious(text.encode())
    assert isinstance(parse(Source("x", text, language)), Syntax)


def test_ordinary_code_is_not_even_suspected():
    assert not is_suspicious((CODE * 1_000).encode()[:150_000])
    assert not is_suspicious(b"")


def test_checks_that_need_no_tree_still_look_at_it():
    text = "." * SIZE + '\npassword = "' + "xK9#" + 'mPq2vL"\n'
    gate = Gate("code", ("complexity", "secrets"))
    analysis = Analyzer(all_checks()).analyze(gate, defaults(), Source("a.py", text, "python"), Deadline.never())
    assert [finding.rule for finding in analysis.findings] == ["password"]
    assert [(item.check, "does not look like python" in item.reason) for item in analysis.unchecked] == [
        ("complexity", True)
    ]


def test_a_command_with_such_code_is_not_waited_for():
    assert not can_be_parsed("javascript", b"->" * 20_000)
    done = read_tree("javascript", "->" * 20_000, {})
    assert not done.inners
    assert not done.printed
