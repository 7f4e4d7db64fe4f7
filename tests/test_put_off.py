"""When an edit is refused for its measures, and when it is told and answers for them as the turn ends."""

from __future__ import annotations

import pytest

from changes import judged
from test_app import Session
from vetgate.checks.complexity import CHECK
from vetgate.model import File
from vetgate.source.written import written_lines


def tangled(name, branches=11):
    return f"def {name}(a):\n" + "".join(f"    if a == {n}:\n        return {n}\n" for n in range(branches))


def plain(many, start=0):
    return "".join(f"\n\ndef plain_{n}(a):\n    b = a + {n}\n    return b * {n}\n" for n in range(start, start + many))


WHOLE = tangled("tangled") + plain(20)
GROWN = WHOLE.replace("    if a == 0:", "    if a == 90:\n        return 90\n" * 3 + "    if a == 0:")

REFUSED = [
    ("one function and nothing else", "", tangled("f")),
    ("one large function and nothing else", "", tangled("f", 60)),
    ("a small file with a function beside it", "", plain(1) + tangled("f", 10)),
    ("a large function with a little beside it", "", tangled("f", 30) + plain(3)),
    ("a function that crosses its limit in a large file", plain(40) + tangled("f", 9), plain(40) + tangled("f", 12)),
    ("a rise by three in a large file", WHOLE, GROWN),
    ("two functions at fault are counted together", "", tangled("f", 15) + tangled("g", 15)),
]

PUT_OFF = [
    ("one function of many in a new file", "", WHOLE),
    ("one function of many that an edit adds", "x = 1\n", "x = 1\n" + plain(9) + tangled("f") + plain(9, 9)),
    ("one rise among much else", WHOLE, GROWN + plain(20, 30)),
]


@pytest.mark.parametrize(("before", "after"), [case[1:] for case in REFUSED], ids=[case[0] for case in REFUSED])
def test_what_is_mostly_at_fault_or_little_is_refused(before, after):
    assert judged(CHECK, File("a.py", before or None, after))[0] == "block"


@pytest.mark.parametrize(("before", "after"), [case[1:] for case in PUT_OFF], ids=[case[0] for case in PUT_OFF])
def test_what_is_a_small_part_is_told_and_blocks_at_last(before, after):
    file = File("a.py", before or None, after)
    assert judged(CHECK, file)[0] == "told"
    assert judged(CHECK, file, final=True)[0] == "block"


@pytest.mark.parametrize(
    ("before", "after", "lines"),
    [
        ("", "a\nb\n", {1, 2}),
        ("a\nb\n", "a\nb\n", set()),
        ("a\nb\n", "b\na\n", set()),
        ("a\nc\n", "a\nb\nc\n", {2}),
        ("f {\n}\n", "f {\n}\n\ng {\n}\n", {4}),
        ("  a\n", "    a\n", set()),
        ("a\na\n", "a\na\na\n", {3}),
        ("a\nb", "", set()),
    ],
    ids=["all", "none", "moved", "between", "brackets do not count", "indented", "once more", "removed"],
)
def test_written_lines(before, after, lines):
    assert written_lines(before, after) == lines


@pytest.fixture
def session(tmp_path):
    session = Session(tmp_path)
    session.put("src/a.py", "x = 1\n")
    session.commit()
    session.send("SessionStart", source="startup")
    return session


def stop(session):
    return (session.send("Stop", stop_hook_active=False)[1] or {}).get("reason", "")


def test_the_agent_is_told_at_once_and_held_until_it_is_mended(session):
    _, decision, said = session.write("src/new.py", WHOLE)
    assert decision is None
    assert "to mend before your turn ends: complexity/cyclomatic at src/new.py:1" in said["additionalContext"]
    session.put("src/new.py", WHOLE)
    assert "complexity/cyclomatic" in stop(session)
    session.put("src/new.py", WHOLE.replace(tangled("tangled"), tangled("tangled", 5)))
    assert stop(session) == ""


def test_work_elsewhere_in_the_file_goes_on_and_does_not_make_up_for_it(session):
    session.write("src/new.py", WHOLE)
    session.put("src/new.py", WHOLE)
    more = WHOLE + "\n\ndef more(a):\n    return a\n"
    assert session.write("src/new.py", more)[1] is None
    session.put("src/new.py", more)
    assert "complexity/cyclomatic" in stop(session)


def test_the_function_itself_is_not_made_worse_in_between(session):
    session.write("src/new.py", WHOLE)
    session.put("src/new.py", WHOLE)
    assert session.write("src/new.py", GROWN)[1] == "deny"
