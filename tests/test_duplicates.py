"""Functions that the project has already: in one edit, across files, and when a turn ends."""

from __future__ import annotations

import re
from pathlib import Path
from textwrap import indent

import pytest

from changes import judged
from fixtures import Session
from vetgate.checks.duplicates import CHECK
from vetgate.config.load import defaults
from vetgate.engine.check import WholeChange
from vetgate.index.build import build
from vetgate.index.read import read
from vetgate.index.similarity import FunctionShape, copies
from vetgate.index.view import View
from vetgate.model import Change, File
from vetgate.respond import project_index
from vetgate.source.clock import Deadline
from vetgate.source.syntax import Source

LONG = """def {name}(orders, currency):
    total = 0
    lines = []
    for order in orders:
        if order.status != "paid" or order.deleted:
            log.debug("left out", order.id)
            continue
        amount = order.amount * order.quantity
        if order.currency != currency:
            amount = convert(amount, order.currency, currency)
        if amount > LIMIT:
            notify(order.owner, amount)
        total += amount
        lines.append(format_line(order.name, amount, currency))
    return "\\n".join(lines), total
"""
ONE, TWO = LONG.format(name="one"), LONG.format(name="two")
SHORT = "def {name}(a):\n    return a.first + a.second\n"
OTHER = "def other(a, b):\n" + "".join(f"    a.{letter}(b[{letter!r}], {letter})\n" for letter in "abcdefghij")
LOCALS = re.sub(r"(?<![.\w])(orders|order|total|lines|amount|currency)\b", r"my_\1", TWO)


def changed(before: str | None, after: str, path: str = "a.py") -> File:
    return File(path, before, after)


CALLBACK = """each({things}, (order) => {{
  const amount = order.amount * order.quantity;
  if (order.status !== "paid" || order.deleted) {{ log.debug("left out", order.id); return; }}
  if (order.currency !== currency) {{ convert(amount, order.currency, currency); }}
  if (amount > LIMIT) {{ notify(order.owner, amount); }}
  lines.push(formatLine(order.name, amount, currency, order.owner, order.region));
  total.add(amount, order.region, order.currency, order.owner);
}});
"""
CALLBACKS = CALLBACK.format(things="orders") + CALLBACK.format(things="returns")


VARIANT = TWO.replace("LIMIT", "other.LIMIT.of(order)").replace("order.name, amount", "order.title, amount, order.tax")
METHOD = "class A:\n" + indent(LONG.format(name="{name}"), "    ")

TABLE = {
    "a variant beside it": ([changed(None, ONE + VARIANT)], "told"),
    "a variant in another file": ([changed(None, ONE), changed(None, VARIANT, "b.py")], "block"),
    "what makes objects": (
        [changed(None, METHOD.format(name="__init__") + METHOD.replace("A:", "B:").format(name="__init__"))],
        "told",
    ),
    "functions without a name": ([changed(None, CALLBACKS, "a.ts")], "told"),
    "twice in one edit": ([changed(None, ONE + TWO)], "block"),
    "beside one that was there": ([changed(ONE, ONE + TWO)], "block"),
    "in two files of a change": ([changed(None, ONE), changed(None, TWO, "b.py")], "block"),
    "with other local names": ([changed(None, ONE + LOCALS)], "told"),
    "in a test": ([changed(None, ONE + TWO, "test_a.py")], "told"),
    "the very same twice, though one may move": ([changed(None, ONE), changed(None, ONE, "b.py")], "block"),
    "the very same in a new file": ([changed(ONE, ONE + "x = 1\n"), changed(None, ONE, "b.py")], "block"),
    "short ones": ([changed(None, SHORT.format(name="one") + SHORT.format(name="two"))], "silent"),
    "a pair that was there": ([changed(ONE + TWO, ONE + TWO + "x = 1\n")], "silent"),
    "one of an old pair edited": ([changed(ONE + TWO, ONE + TWO.replace("> LIMIT", ">= LIMIT"))], "silent"),
    "a new name": ([changed(ONE, TWO)], "silent"),
    "moved in one change": ([changed(ONE, "x = 1\n"), changed(None, ONE, "b.py")], "silent"),
    "generated": ([changed(None, "# @generated\n" + ONE + TWO)], "silent"),
}


@pytest.mark.parametrize(("files", "expected"), TABLE.values(), ids=TABLE)
def test_what_a_change_writes_twice(files, expected):
    assert judged(CHECK, *files, final=True) == (expected, ["function"] if expected != "silent" else [])


def test_one_that_may_be_moving_is_only_told_while_it_can_still_arrive():
    assert judged(CHECK, changed(None, ONE), changed(None, ONE, "b.py")) == ("told", ["function"])


def test_the_finding_names_the_twin_and_what_to_do():
    texts = {"a.py": ONE, "b.py": "x = 1\n\n" + TWO}
    files = tuple(File(path, None, text) for path, text in texts.items())
    (finding,) = CHECK.on_whole_change(
        WholeChange(Change(Path(), files), View(None, texts), defaults(), Deadline.never())
    ).findings
    assert finding.message == "`two` is 100% the same as `one` (a.py:1)."
    assert finding.fix.startswith("Call `one`")
    assert (finding.span.path, finding.span.line, finding.span.end_line) == ("b.py", 3, 17)


def test_every_twin_is_named_up_to_five_then_counted():
    text = "\n\n".join(LONG.format(name=f"copy{number}") for number in range(8))
    texts = {"b.py": text, "a.py": LONG.format(name="copied")}
    files = (File("b.py", text, text), File("a.py", None, texts["a.py"]))
    whole = WholeChange(Change(Path(), files), View(None, texts), defaults(), Deadline.never())
    (found,) = CHECK.on_whole_change(whole).findings
    assert found.message.count("(b.py:") == 5
    assert found.message.endswith("and 3 more.")


def test_every_file_that_time_did_not_suffice_for_is_unchecked():
    files = (changed(None, ONE), changed(None, "x = 1\n", "empty.py"), changed(None, TWO, "b.py"))
    view = View(None, {file.path: file.after for file in files})
    report = CHECK.on_whole_change(WholeChange(Change(Path(), files), view, defaults(), Deadline.after(-1)))
    assert [item.path for item in report.unchecked] == ["a.py", "b.py"]


@pytest.fixture
def session(tmp_path):
    session = Session(tmp_path)
    session.put("src/reports.py", LONG.format(name="monthly"))
    session.put("src/other.py", "def fine(a):\n    return a\n")
    session.commit()
    session.send("SessionStart", source="startup")
    return session


def indexed(session):
    project = session.app.project(session.root)
    index = project.index(project.effective().config)
    build(index, lambda work, paths: [work(tuple(paths))])
    return session


def test_an_edit_that_writes_what_another_file_has_is_stopped(session):
    _, decision, said = indexed(session).write("src/new.py", LONG.format(name="yearly"))
    assert decision == "deny"
    assert "`monthly` (src/reports.py:1)" in said["permissionDecisionReason"]


def test_without_an_index_nobody_waits_and_only_the_edit_is_looked_through(tmp_path, monkeypatch):
    monkeypatch.setattr(project_index, "_build", lambda *_: None)
    session = Session(tmp_path)
    session.put("src/reports.py", LONG.format(name="monthly"))
    session.commit()
    session.send("SessionStart", source="startup")
    assert session.write("src/new.py", LONG.format(name="yearly"))[1] is None
    assert session.write("src/new.py", LONG.format(name="one") + LONG.format(name="two"))[1] == "deny"


def test_a_twin_that_is_gone_from_disk_is_none(session):
    indexed(session)
    (session.root / "src/reports.py").unlink()
    assert session.write("src/new.py", LONG.format(name="yearly"))[1] is None


def test_a_function_on_its_way_to_another_file_passes_and_holds_the_end_if_it_is_left_behind(session):
    indexed(session)
    _, decision, said = session.write("src/new.py", LONG.format(name="monthly"))
    assert decision is None
    assert "duplicates/function" in said["additionalContext"]
    session.put("src/new.py", LONG.format(name="monthly"))
    assert "duplicates/function" in session.stop_reason()
    session.put("src/reports.py", "from new import monthly\n")
    assert session.stop_reason() == ""


def test_what_a_person_wrote_twice_is_not_the_session_s(tmp_path):
    session = Session(tmp_path)
    session.put("src/a.py", LONG.format(name="one"))
    session.commit()
    session.put("src/b.py", LONG.format(name="two"))
    session.send("SessionStart", source="startup")
    indexed(session)
    session.put("src/b.py", LONG.format(name="two") + "x = 1\n")
    assert session.stop_reason() == ""


def test_limits_come_from_the_configuration(session):
    session.trust("version: 1\nduplicates: {similarity: 1, block: 5000}\n")
    indexed(session)
    assert session.write("src/new.py", LONG.format(name="yearly"))[1] is None


def forms(*texts: str) -> list[FunctionShape]:
    sources = [Source(f"{number}.py", text, "python") for number, text in enumerate(texts)]
    found = [(source.path, each) for source in sources for each in read(source).functions]
    return [FunctionShape.of(path, each.line, each.end_line, each.blind) for path, each in found]


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        ((), 0),
        ((ONE,), 0),
        ((ONE, TWO), 2),
        ((ONE, LOCALS), 2),
        ((ONE, TWO.replace("> LIMIT", ">= LIMIT + 1")), 2),
        ((ONE, OTHER), 0),
        ((ONE, OTHER, TWO), 2),
        ((ONE + TWO,), 2),
        ((f"def around():\n{indent(ONE, '    ')}    return one\n",), 0),
    ],
    ids=["none", "one", "two", "other names", "nearly", "another one", "among others", "in one file", "inside of one"],
)
def test_how_many_functions_of_some_files_are_copies(texts, expected):
    assert copies(forms(*texts), 0.85) == expected
