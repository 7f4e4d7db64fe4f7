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
from vetgate.source.syntax import parse
from vetgate.source.walk import cut

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
JAVA_DEEP = """    K{n}("k{n}") {
        int process(int a) {
            while (a > 0) { if (a > 1) { while (a > 2) { if (a > 3) { while (a > 4) { if (a > 5) { a--; } } } } } }
            return a;
        }
    },
"""
JAVA_FLAT = """    F{n} {
        int process(int a) {
            return a + {n};
        }
    },
"""
JAVA_SINK = """    S{n} {
        int process(int a) {
            run(request.getParameter("x"));
            return new java.util.Random().nextInt();
        }
    },
"""
RUN, QUIET_RUN = (
    f"    void run(String cmd) {{ {does} }}\n" for does in ("Runtime.getRuntime().exec(cmd);", "say(cmd);")
)
JAVA = (JAVA_DEEP, JAVA_FLAT, JAVA_FLAT, JAVA_SINK)
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


@pytest.mark.parametrize("seed", range(4))
def test_the_constants_of_an_enum_are_looked_at_one_by_one_and_nothing_is_missed(seed):
    chance = random.Random(seed)
    warm = Analyzer(all_checks())
    constants = [chance.choice(JAVA).replace("{n}", str(n)) for n in range(12)]
    for step in range(15):
        at = chance.randrange(len(constants))
        constants[at : at + chance.randrange(2)] = [chance.choice(JAVA).replace("{n}", f"{step}n")]
        head = chance.choice(("enum State {\n", "enum State implements Handler {\n"))
        tail = chance.choice((RUN, QUIET_RUN))
        code = f"import javax.servlet.http.HttpServletRequest;\n{head}{''.join(constants)}    ;\n{tail}}}\n"
        found, cold = (
            analyzer.analyze(defaults().gates["code"], defaults(), source_of("State.java", code), Deadline.never())
            for analyzer in (warm, Analyzer(all_checks()))
        )
        assert (found.findings, found.safeguards) == (cold.findings, cold.safeguards)


def test_one_constant_of_an_enum_is_a_piece_of_its_own():
    code = f"enum State {{\n{''.join(JAVA_FLAT.replace('{n}', str(n)) for n in range(20))}    ;\n{RUN}}}\n"
    one, other = (
        {piece.key for piece in cut(parse(source_of("State.java", text))) if piece.whole}
        for text in (code, code.replace("a + 7;", "a - 7;"))
    )
    assert (len(one - other), len(one & other) > 20) == (1, True)


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
