"""What is left out because it stayed as it was is never missed: warm and cold looks agree, edit after edit."""

from __future__ import annotations

import random
from pathlib import Path
from textwrap import indent

import pytest

from vetgate.checks import all_checks
from vetgate.config.load import defaults
from vetgate.engine.analysis import Analyzer, source_of
from vetgate.engine.piece_cache import Cut
from vetgate.source.clock import Deadline
from vetgate.source.pieces import cut
from vetgate.source.syntax import parse

DEEP = """
def deep{n}(a):
    for b in a:
        if b:
            while b:
                if a:
                    try:
                        b = 1
                    finally:
                        a = 2
"""
FLAT = """
def flat{n}(a):
    return a + {n}
"""
SINK = """
import subprocess
def sink{n}():
    subprocess.run(request.args["x"], shell=True)
"""
SOURCE = "from flask import request\n"
HELPER = "def helper{n}(cmd):\n    import os\n    os.system(cmd)\n"
CLASS = "class K{n}:\n" + "".join(f"    def m{m}(self):\n        return {m}\n\n" for m in range(20))
WIDE = "    def wide(self, a, b, c, d, e, f):\n        return a\n\n"
JOINED = 'def path(a):\n    return "/".join([a, "part"])\n'
KINDS = (DEEP, FLAT, FLAT, SINK, SOURCE, HELPER, CLASS, CLASS + WIDE)


@pytest.mark.parametrize("seed", range(6))
def test_a_warm_look_finds_what_a_cold_one_does(seed):
    chance = random.Random(seed)
    config = defaults()
    gate = config.gates["code"]
    warm = Analyzer(all_checks())
    parts = [chance.choice(KINDS).replace("{n}", str(n)) for n in range(8)]
    for step in range(25):
        at = chance.randrange(len(parts) + 1)
        if chance.random() < 0.3 and len(parts) > 3:
            parts.pop(min(at, len(parts) - 1))
        else:
            parts.insert(at, chance.choice(KINDS).replace("{n}", str(step)))
        source = source_of("a.py", "".join(parts), root=Path("/project"))
        found = warm.analyze(gate, config, source, Deadline.never())
        cold = Analyzer(all_checks()).analyze(gate, config, source, Deadline.never())
        assert (found.findings, found.safeguards) == (cold.findings, cold.safeguards)


def test_what_is_carried_along_in_one_file_is_found_in_another():
    config = defaults()
    analyzer = Analyzer(all_checks())
    wide = "def wide{n}(a, b, c, d, e, f):\n    return a\n\n\n"
    first, second = wide.replace("{n}", "_one"), wide.replace("{n}", "_two")
    for path, text in (("a.py", first), ("a.py", second + first), ("b.py", second + first)):
        analysis = analyzer.analyze(config.gates["code"], config, source_of(path, text), Deadline.never())
        assert [(each.symbol, each.span.path) for each in analysis.findings] == [
            (f"wide{name}", path) for name in ("_two", "_one") if f"wide{name}" in text
        ]
    assert [each.span.line for each in analysis.findings] == [1, 5]


def test_most_of_a_file_is_not_walked_again():
    config = defaults()
    analyzer = Analyzer(all_checks())
    code = "".join(FLAT.replace("{n}", str(n)) for n in range(50))
    analyzer.analyze(config.gates["code"], config, source_of("a.py", code), Deadline.never())
    syntax = parse(source_of("a.py", code.replace("flat7(", "flat_seven(")))
    checks = [check for check in all_checks().values() if check.piecewise]
    planned, _ = analyzer._piece_cache.plan(checks, config, "python", Cut(cut(syntax)))
    assert sum(piece.whole and bool(who) for piece, who in planned) == 1


@pytest.mark.parametrize("code", [JOINED * 12, "import os\n" + JOINED * 12, "class K:\n" + indent(JOINED * 12, "    ")])
def test_a_check_that_has_to_see_nearly_all_of_a_file_sees_it_once(code):
    """Keys may be put together from pieces anywhere, so a second walk would follow for the whole file."""
    config = defaults()
    analyzer = Analyzer(all_checks())
    for text in ("import os\n", code):
        analyzer.analyze(config.gates["code"], config, source_of("a.py", text), Deadline.never())
    syntax = parse(source_of("a.py", code.replace("part", "other", 1)))
    _, partly = analyzer._piece_cache.plan([all_checks()["secrets"]], config, "python", Cut(cut(syntax)))
    assert not partly
