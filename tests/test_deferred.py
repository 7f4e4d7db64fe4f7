"""When an edit is refused for its measures, and when it is told and answers for them as the turn ends."""

from __future__ import annotations

import pytest

from changes import judged
from fixtures import Session
from vetgate.checks.complexity import CHECK
from vetgate.checks.silenced_tool import CHECK as SILENCED_TOOL
from vetgate.cli.decision import render_decision
from vetgate.config.load import defaults
from vetgate.model import File
from vetgate.service.replay.judge import judged_again
from vetgate.service.statistics import learned
from vetgate.source.text_diff import written_lines
from vetgate.store import SessionMark


def tangled(name, branches=11):
    return f"def {name}(a):\n" + "".join(f"    if a == {n}:\n        return {n}\n" for n in range(branches))


def plain(many, start=0):
    return "".join(f"\n\ndef plain_{n}(a):\n    b = a + {n}\n    return b * {n}\n" for n in range(start, start + many))


# At fault in seven lines: the rest of twenty is something else.
PAIRS = "def f(a):\n" + "".join(f"    x = a if a == {n} else a or {n} if a else {n}\n" for n in range(6))

WHOLE = tangled("tangled") + plain(20)
GROWN = WHOLE.replace("    if a == 0:", "    if a == 90:\n        return 90\n" * 3 + "    if a == 0:")

REFUSED = [
    ("one function and nothing else", "", tangled("f")),
    ("one large function and nothing else", "", tangled("f", 60)),
    ("a small file with a function beside it", "", plain(1) + tangled("f", 10)),
    ("a large function with a little beside it", "", tangled("f", 30) + plain(3)),
    ("a function that crosses its limit in a large file", plain(40) + tangled("f", 9), plain(40) + tangled("f", 12)),
    ("an old function that a long edit lets grow", tangled("f"), tangled("f", 30)),
    ("a function that crosses its limit by one", tangled("f", 9), tangled("f", 10)),
    ("a new function beside an old one that grows", tangled("f"), tangled("f", 14) + tangled("g")),
    ("a new function beside a long one that grows", tangled("f", 20), tangled("f", 60) + tangled("g")),
    ("two functions at fault are counted together", "", tangled("f", 15) + tangled("g", 15)),
]

DEFERRED = [
    ("one function of many in a new file", "", WHOLE),
    ("one function of many that an edit adds", "x = 1\n", "x = 1\n" + plain(9) + tangled("f") + plain(9, 9)),
    ("one rise among much else", WHOLE, GROWN + plain(20, 30)),
    ("an old function that grows by three", WHOLE, GROWN),
    ("an old function that grows, alone in its file", tangled("f"), tangled("f", 15)),
]


CALLS = "".join(f"call_{n}({n})\n" for n in range(40))
SILENCED = CALLS.replace("call_7(7)", "call_7(7)  # type: ignore[arg-type]")
SUPPRESSIONS = {
    "little else is written": (SILENCED + plain(2), "block", "block"),
    "one of much else": (SILENCED + plain(20), "told", "block"),
    "with a reason": (SILENCED.replace("type]", "type]  # the stub of call_7 is wrong") + plain(20), "told", "told"),
    "without its rule": (SILENCED.replace("[arg-type]", "") + plain(20), "block", "block"),
    "a rule of security": (SILENCED.replace("type: ignore[arg-type]", "noqa: S602") + plain(20), "block", "block"),
    "on every other line": (CALLS.replace(")\n", ")  # noqa: E501\n"), "block", "block"),
}


@pytest.mark.parametrize(("after", "at_once", "at_last"), SUPPRESSIONS.values(), ids=SUPPRESSIONS)
def test_a_suppression_that_only_lacks_its_reason_is_put_off_in_a_long_edit(after, at_once, at_last):
    file = File("a.py", CALLS, after)
    assert judged(SILENCED_TOOL, file)[0] == at_once
    assert judged(SILENCED_TOOL, file, final=True)[0] == at_last


@pytest.mark.parametrize(("before", "after"), [case[1:] for case in REFUSED], ids=[case[0] for case in REFUSED])
def test_what_is_mostly_at_fault_or_little_is_refused(before, after):
    assert judged(CHECK, File("a.py", before or None, after))[0] == "block"


@pytest.mark.parametrize(("before", "after"), [case[1:] for case in DEFERRED], ids=[case[0] for case in DEFERRED])
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


def test_the_agent_is_told_at_once_and_held_until_it_is_fixed(session):
    _, decision, said = session.write("src/new.py", WHOLE)
    assert decision is None
    assert "to fix before your turn ends: complexity/cyclomatic at src/new.py:1" in said["additionalContext"]
    session.put("src/new.py", WHOLE)
    assert "complexity/cyclomatic" in session.stop_reason()
    session.put("src/new.py", WHOLE.replace(tangled("tangled"), tangled("tangled", 5)))
    assert session.stop_reason() == ""


def test_work_elsewhere_in_the_file_goes_on_and_does_not_make_up_for_it(session):
    session.write("src/new.py", WHOLE)
    session.put("src/new.py", WHOLE)
    more = WHOLE + "\n\ndef more(a):\n    return a\n"
    assert session.write("src/new.py", more)[1] is None
    session.put("src/new.py", more)
    assert "complexity/cyclomatic" in session.stop_reason()


def test_the_function_itself_is_not_made_worse_in_between(session):
    session.write("src/new.py", WHOLE)
    session.put("src/new.py", WHOLE)
    assert session.write("src/new.py", GROWN)[1] == "deny"


def test_an_old_function_may_grow_until_the_turn_ends_and_once_only(session):
    session.put("src/old.py", WHOLE)
    session.commit()
    assert put(session, "src/old.py", GROWN) is None
    assert "complexity/cyclomatic" in session.stop_reason()
    worse = GROWN.replace("    if a == 90:", "    if a == 95:\n        return 95\n" * 3 + "    if a == 90:", 1)
    assert put(session, "src/old.py", worse) == "deny"
    assert put(session, "src/old.py", WHOLE) is None
    assert session.stop_reason() == ""


def test_of_two_of_one_name_it_is_the_one_that_grew(session):
    session.put("src/old.py", tangled("f", 16) + tangled("f", 24))
    session.commit()
    assert put(session, "src/old.py", tangled("f", 16) + tangled("f", 28)) is None
    assert session.write("src/old.py", tangled("f", 16) + tangled("f", 32))[1] == "deny"
    assert session.write("src/old.py", tangled("f", 20) + tangled("f", 28))[1] is None


OLD, ONCE, TWICE = (tangled("tangled", branches) + plain(20) for branches in (20, 24, 28))


def test_an_old_function_that_was_deleted_does_not_grow_by_coming_back(session):
    session.put("src/old.py", OLD)
    session.commit()
    assert put(session, "src/old.py", plain(20)) is None
    assert session.write("src/old.py", ONCE)[1] == "deny"
    assert session.write("src/old.py", OLD)[1] is None


def test_nor_does_it_grow_again_when_the_end_of_a_turn_gave_up_on_it(session):
    session.put("src/old.py", OLD)
    session.commit()
    assert put(session, "src/old.py", ONCE) is None
    while session.stop_reason():
        pass
    assert session.write("src/old.py", TWICE)[1] == "deny"


def put(session, name, text):
    """As the client does it: asked first, then written, then told."""
    decision = session.write(name, text)[1]
    session.put(name, text)
    session.landed(name)
    return decision


def words_of(branches, share):
    """A file with one function at fault, which makes up that much of what is written."""
    function = tangled("f", branches)
    many = round((2 * branches + 1) * (1 - share) / share)
    return function + "".join(f"x{number} = {number}\n" for number in range(many))


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("".join(f"x{n} = {n}\n" for n in range(13)) + PAIRS, "block"),
        ("".join(f"x{n} = {n}\n" for n in range(14)) + PAIRS, "told"),
        (words_of(40, 0.76), "block"),
        (words_of(40, 0.74), "told"),
    ],
    ids=["20 lines", "21 lines", "more than three quarters", "less than three quarters"],
)
def test_where_the_bars_are(text, word):
    assert judged(CHECK, File("a.py", "", text))[0] == word


def test_only_what_the_end_of_the_turn_holds_is_put_off(session):
    session.trust("version: 1\non: {stop: []}\n")
    assert session.write("src/new.py", WHOLE)[1] == "deny"


@pytest.mark.parametrize(("on_fail", "decision"), [("STOP", "deny"), ("CONTINUE", None)])
def test_nor_where_a_gate_ends_the_session_or_lets_everything_pass(session, on_fail, decision):
    session.trust(f"version: 1\ngates:\n  code: {{on_fail: {on_fail}}}\n")
    _, said, output = session.write("src/new.py", WHOLE)
    assert said == decision or output.get("permissionDecision") == decision
    assert "before your turn ends" not in str(output)


def test_nor_what_nobody_would_remember(session):
    session.app.project(session.root).store.failure = "the store failed"
    assert session.write("src/new.py", WHOLE)[1] == "deny"


def test_what_was_fixed_is_settled(session):
    put(session, "src/new.py", WHOLE)
    put(session, "src/new.py", plain(20))
    assert session.stop_reason() == ""
    assert session.app.project(session.root).store.marked(session.id, SessionMark.OWED) == ()


def test_lines_that_are_written_elsewhere_and_stand_in_the_function_too(session):
    text = plain(3) + "\n\n" + tangled("tangled").replace("return 4", "return None") + plain(20, 3)
    put(session, "src/new.py", text)
    more = "def early(a):\n    return None\n" + text + "\n\ndef late(a):\n    return a\n"
    assert session.write("src/new.py", more)[1] is None


def test_a_refusal_for_another_function_does_not_name_it(session):
    put(session, "src/new.py", WHOLE)
    _, decision, said = session.edit("src/new.py", "    return b * 19\n", "    return b * 19\n\n\n" + tangled("g"))
    assert decision == "deny"
    assert "1 finding (complexity 1)" in said["permissionDecisionReason"]
    assert "`g` has" in said["permissionDecisionReason"].partition("Told")[0]


def test_an_edit_of_the_function_is_told_what_it_has_to_come_below(session):
    put(session, "src/new.py", WHOLE)
    _, decision, said = session.edit("src/new.py", "return 3\n", "return 33\n")
    assert decision == "deny"
    assert "It is 12 in the file, and must be fixed" in said["permissionDecisionReason"]
    better = WHOLE.replace(tangled("tangled"), tangled("tangled", 10))
    assert session.write("src/new.py", better)[1] is None


def test_an_agent_of_the_session_answers_for_its_own(session):
    put(session, "src/new.py", WHOLE)
    for _ in range(4):
        assert session.send("SubagentStop", agent_id="b", stop_hook_active=False)[1] is None
    for _ in range(3):
        assert "complexity/cyclomatic" in session.stop_reason()
    assert session.stop_reason() == ""
    session.send("UserPromptSubmit", prompt="and now the rest")
    assert "complexity/cyclomatic" in session.stop_reason(), "held back anew with a new task"


def test_and_is_held_for_it(session):
    place = str(session.root / "src/new.py")
    session.send("PreToolUse", tool_name="Write", tool_input={"file_path": place, "content": WHOLE}, agent_id="b")
    session.put("src/new.py", WHOLE)
    held = session.send("SubagentStop", agent_id="b", stop_hook_active=False)[1]
    assert "complexity/cyclomatic" in held["reason"]
    assert session.send("SubagentStop", agent_id="c", stop_hook_active=False)[1] is None
    assert "complexity/cyclomatic" in session.stop_reason()


def test_a_person_s_yes_to_something_else_does_not_settle_it(session):
    put(session, "src/new.py", WHOLE)
    bad = WHOLE + "\n\ndef find(cursor, name):\n    cursor.execute(f\"SELECT * FROM t WHERE n = '{name}'\")\n"
    replies = [session.write("src/new.py", bad) for _ in range(4)]
    assert [decision for _, decision, _ in replies] == ["deny"] * 4
    session.allow(replies[-1][0])
    assert session.write("src/new.py", bad)[1] is None
    session.calls -= 1  # the call that was asked about goes on
    session.put("src/new.py", bad)
    session.tool("Write", event="PostToolUse", file_path=str(session.root / "src/new.py"), content=bad)
    held = session.stop_reason()
    assert "complexity/cyclomatic" in held
    assert "security" not in held


@pytest.mark.parametrize(
    ("tasks", "holds"),
    [
        ([{"id": "s", "type": "bash", "description": "npm run dev"}], True),
        ([{"id": "a", "type": "subagent"}], False),
        ([{"id": "x"}], False),
    ],
    ids=["a server", "an agent", "nobody knows what"],
)
def test_what_runs_in_the_background(session, tasks, holds):
    put(session, "src/new.py", WHOLE)
    assert bool(session.send("Stop", background_tasks=tasks)[1]) is holds


def test_an_agent_in_the_background_is_told_of_itself(session):
    place = str(session.root / "src/new.py")
    session.send("PreToolUse", tool_name="Write", tool_input={"file_path": place, "content": WHOLE}, agent_id="b")
    session.put("src/new.py", WHOLE)
    assert session.send("SubagentStop", agent_id="b", background_tasks=[{"id": "b", "type": "subagent"}])[1]


def test_another_session_is_not_held_for_it(session):
    other = Session.__new__(Session)
    other.__dict__.update(session.__dict__, id="another", calls=0)
    other.send("SessionStart", source="startup")
    put(session, "src/new.py", WHOLE)
    assert other.stop_reason() == ""
    assert "complexity/cyclomatic" in session.stop_reason()


def test_the_folder_of_the_session_may_change(session, tmp_path, monkeypatch):
    session.trust("version: 1\n")
    put(session, "src/new.py", WHOLE)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.setenv("CLAUDE_PROJECT_DIR", str(session.root))
    assert "complexity/cyclomatic" in session.send("Stop", cwd=str(elsewhere))[1]["reason"]


def test_what_was_legitimately_put_off_is_not_called_smuggled(session):
    assert session.write("src/new.py", tangled("tangled"))[1] == "deny"
    put(session, "src/new.py", WHOLE)
    assert "by another route" not in session.stop_reason()


def test_the_record_knows_of_it(session):
    session.write("src/new.py", tangled("tangled"))
    put(session, "src/new.py", WHOLE)
    put(session, "src/new.py", WHOLE + plain(1, 50))
    rows = session.app.project(session.root).store.decisions()
    found = learned(rows[::-1]).rules[0]
    assert (found.rule, found.blocked, found.fixed) == ("complexity/cyclomatic", 1, 0)
    assert found.told > 0
    assert any("the end of the turn is held" in line for row in rows for line in render_decision(row))
    assert sum(bool(each.held) for each in judged_again(rows, defaults())) > 0


def test_a_small_step_does_not_settle_it(session):
    text = tangled("f", 40) + plain(60)
    put(session, "src/new.py", text)
    better = text.replace("    if a == 39:\n        return 39\n", "")
    _, decision, said = session.write("src/new.py", better)
    assert decision is None
    assert "to fix before your turn ends" in said["additionalContext"]
    session.put("src/new.py", better)
    assert "complexity/cyclomatic" in session.stop_reason()


def test_nor_does_fixing_one_of_two(session):
    text = tangled("f", 12) + tangled("g", 13) + plain(40)
    put(session, "src/new.py", text)
    put(session, "src/new.py", text.replace(tangled("g", 13), tangled("g", 3)))
    assert "`f` has" in session.stop_reason()


def test_nor_an_edit_that_is_never_written(session):
    put(session, "src/new.py", WHOLE)
    assert session.write("src/new.py", plain(20))[1] is None
    assert session.edit("src/new.py", "    return b * 19\n", "    return b + 19\n")[1] is None
    assert "complexity/cyclomatic" in session.stop_reason()


def test_what_is_split_and_paid_for_passes_beside_it(session):
    session.put("src/old.py", tangled("old", 60))
    session.commit()
    put(session, "src/old.py", tangled("old", 60) + tangled("f", 12) + plain(40))
    assert "complexity/cyclomatic" in session.stop_reason()
    split = tangled("old", 14) + "\n\n" + tangled("older", 14).replace("a == ", "len(a) + 2 * a[0] > ")
    put(session, "src/old.py", split + plain(40))
    assert session.stop_reason() == ""


def test_a_yes_to_a_new_file_does_not_settle_what_was_told_beside_the_question(session):
    bad = WHOLE + "\n\ndef find(cursor, name):\n    cursor.execute(f\"SELECT * FROM t WHERE n = '{name}'\")\n"
    replies = [session.write("src/new.py", bad) for _ in range(4)]
    assert [decision for _, decision, _ in replies] == ["deny"] * 4
    session.allow(replies[-1][0])
    assert session.write("src/new.py", bad)[1] is None
    session.calls -= 1
    session.put("src/new.py", bad)
    session.tool("Write", event="PostToolUse", file_path=str(session.root / "src/new.py"), content=bad)
    held = session.stop_reason()
    assert "complexity/cyclomatic" in held
    assert "security" not in held


def test_each_agent_has_its_own_rounds(session):
    place = str(session.root / "src/new.py")
    session.send("PreToolUse", tool_name="Write", tool_input={"file_path": place, "content": WHOLE}, agent_id="b")
    session.put("src/new.py", WHOLE)
    held = [bool(session.send("SubagentStop", agent_id="b")[1].get("reason")) for _ in range(4)]
    assert held == [True, True, True, False]
    assert [bool(session.stop_reason()) for _ in range(4)] == [True, True, True, False]


def test_an_agent_that_edits_beside_it_does_not_owe_it(session):
    place = str(session.root / "src/new.py")
    session.send("PreToolUse", tool_name="Write", tool_input={"file_path": place, "content": WHOLE}, agent_id="a")
    session.put("src/new.py", WHOLE)
    beside = {"file_path": place, "old_string": "    return b * 19\n", "new_string": "    return b + 19\n"}
    session.send("PreToolUse", tool_name="Edit", tool_input=beside, agent_id="b")
    session.put("src/new.py", WHOLE.replace("return b * 19", "return b + 19"))
    assert session.send("SubagentStop", agent_id="b")[1] is None
    assert session.send("SubagentStop", agent_id="a")[1]["reason"]


def test_another_session_frees_nobody(session):
    bad = "def find(cursor, name):\n    cursor.execute(f\"SELECT * FROM t WHERE n = '{name}'\")\n"
    session.tool("Bash", command="cp /tmp/x src/b.py")
    session.put("src/b.py", bad)
    session.tool("Bash", event="PostToolUse", command="cp /tmp/x src/b.py")
    assert "security" in session.stop_reason()
    session.send("SessionStart", session_id="another", source="startup")
    assert "security" in session.stop_reason()


def test_a_server_frees_nobody(session):
    bad = "def find(cursor, name):\n    cursor.execute(f\"SELECT * FROM t WHERE n = '{name}'\")\n"
    session.tool("Bash", command="cp /tmp/x src/b.py")
    session.put("src/b.py", bad)
    session.tool("Bash", event="PostToolUse", command="cp /tmp/x src/b.py")
    assert session.send("Stop", background_tasks=[{"id": "s", "type": "bash"}])[1]["reason"]


def test_a_link_to_the_project_is_the_project(session, tmp_path, monkeypatch):
    session.trust("version: 1\n")
    put(session, "src/new.py", WHOLE)
    (tmp_path / "link").symlink_to(session.root)
    monkeypatch.setenv("CLAUDE_PROJECT_DIR", str(tmp_path / "link"))
    assert [bool(session.stop_reason()) for _ in range(2)] == [True, True]


def test_a_folder_above_that_was_set_up_midway(session, tmp_path, monkeypatch):
    session.trust("version: 1\n")
    put(session, "src/new.py", WHOLE)
    (tmp_path / "vetgate.yaml").write_text("version: 1\n")
    monkeypatch.setenv("CLAUDE_PROJECT_DIR", str(tmp_path))
    assert "complexity/cyclomatic" in session.stop_reason()
