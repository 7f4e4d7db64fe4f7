"""An agent's payload in, its reply out: the whole gate in one process, on real files and a real store."""

from __future__ import annotations

import json

import pytest

from fixtures import BAD, GOOD, branches
from secret_samples import chance
from vetgate import fallback


def test_a_clean_write_gets_no_decision(session):
    reply, decision, _ = session.write("a.py", GOOD)
    assert (reply.status, reply.stdout, reply.stderr, decision) == (0, b"", b"", None)


def test_a_deny_is_json_and_status_2_and_the_reason_on_stderr(session):
    reply, decision, output = session.write("a.py", BAD)
    assert (reply.status, decision) == (2, "deny")
    reason = output["permissionDecisionReason"]
    assert reply.stderr.decode() == reason + "\n"
    for told in ("complexity/cyclomatic", "a.py:1", "busy", "13", "10", "line 2: +1 if"):
        assert told in reason


def test_old_debt_does_not_block_a_small_fix(session):
    session.put("a.py", BAD + "x = 1\n")
    assert session.edit("a.py", "x = 1", "x = 2")[1] is None


def test_an_edit_that_completes_a_problem_is_judged_by_the_whole_file(session):
    session.put("a.py", branches("f", 9))
    reply, decision, _ = session.edit(
        "a.py", "    return a\n", "    if a:\n        a = 1\n    if a > 2:\n        a = 2\n    return a\n"
    )
    assert (reply.status, decision) == (2, "deny")


def test_replace_all_counts_every_place(session):
    session.put("a.py", "def f(a):\n" + "    a = X\n" * 11 + "    return a\n")
    assert session.edit("a.py", "a = X", "a = 1 if a else 2", replace_all=True)[1] is None
    assert session.edit("a.py", "    a = X\n", "    if a:\n        a = 1\n", replace_all=True)[1] == "deny"


def test_a_rise_by_two_is_told_and_creep_adds_up(session):
    session.put("a.py", branches("f", 12))
    more = "    if a:\n        a = 1\n"
    _, decision, output = session.edit("a.py", "    return a\n", more + "    return a\n")
    assert decision is None
    assert "complexity/cyclomatic" in output["additionalContext"]
    session.put("a.py", branches("f", 12).replace("    return a\n", more + "    return a\n"))
    session.landed("a.py")
    _, decision, output = session.edit("a.py", "    return a\n", more * 2 + "    return a\n")
    assert decision is None
    assert "to fix before your turn ends: complexity/cyclomatic" in output["additionalContext"]


def test_a_risen_function_is_told_what_it_was(session):
    session.put("a.py", branches("f", 12))
    more = "    if a:\n        a = 1\n"
    _, decision, output = session.edit("a.py", "    return a\n", more * 4 + "    return a\n")
    assert decision == "deny"
    assert "It was 13 before" in output["permissionDecisionReason"]


def test_measures_of_one_function_are_one_thing_to_fix(session):
    nested = "def f(a):\n" + "".join(f"{'    ' * n}if a:\n" for n in range(1, 9)) + "    " * 9 + "return a\n"
    rest = branches("f", 9)[len("def f(a):\n") :]
    _, _, output = session.write("a.py", nested + rest)
    reason = output["permissionDecisionReason"]
    assert "1. error complexity/cognitive, complexity/cyclomatic at a.py:1" in reason
    assert reason.count("Fix:") == 1


def test_a_warning_is_told_once(session):
    long = "def f():\n" + "    print()\n" * 60
    assert "complexity/length" in session.write("a.py", long)[2]["additionalContext"]
    assert session.write("a.py", long)[2] == {}


def test_a_function_moved_from_a_file_seen_in_the_session_is_not_new(session):
    session.put("a.py", BAD + "x = 1\n")
    assert session.edit("a.py", BAD, "")[1] is None
    assert session.write("b.py", BAD)[1] is None


def test_a_function_written_to_its_new_place_before_the_old_one_is_deleted_is_not_new(session):
    session.put("old/a.py", "import os\n\n" + BAD)
    session.put("old/c.py", "busy = 3\n")
    session.commit()
    assert session.write("b.py", BAD)[1] is None
    assert session.write("b.py", BAD.replace("busy", "other"))[1] == "deny"


@pytest.mark.parametrize("place", ["scratch.py", "tests/test_e.py"])
def test_a_copy_that_was_only_put_on_disk_launders_nothing(session, place):
    session.put("x.py", GOOD)
    session.commit()
    session.put(place, BAD)
    assert session.write("real.py", BAD)[1] == "deny"


@pytest.mark.parametrize("setting", ["output: {max_suggestions: 4}", "log_level: info", "complexity: {nesting: 3}"])
def test_a_changed_configuration_forgets_nothing_that_the_session_left_behind(session, setting):
    session.put("a.py", GOOD)
    assert session.edit("a.py", "return a", "return a + 1")[1] is None
    session.put("a.py", GOOD + BAD)
    assert session.edit("a.py", "def fine", "def fine2")[1] == "deny"
    session.put("vetgate.yaml", f"version: 1\n{setting}\n")
    assert session.edit("a.py", "def fine", "def fine2")[1] == "deny"
    assert session.send("Stop")[1]["decision"] == "block"


def test_a_stricter_configuration_in_mid_session_holds_no_committed_debt_against_an_edit(session):
    session.put("a.py", branches("f", 7) + "x = 1\n")
    session.commit()
    assert session.edit("a.py", "x = 1", "x = 2")[1] is None
    session.put("vetgate.yaml", "version: 1\ncomplexity: {cyclomatic: 5}\n")
    assert session.edit("a.py", "x = 1", "x = 2")[1] is None


def test_a_file_that_was_deleted_is_measured_by_the_last_commit(session):
    session.put("a.py", BAD)
    session.commit()
    (session.root / "a.py").unlink()
    assert session.write("a.py", BAD)[1] is None


@pytest.mark.parametrize(
    ("tool", "tool_input"),
    [
        ("MultiEdit", {"file_path": "{}/a.py", "edits": [{"old_string": "x = 1\n", "new_string": BAD}]}),
        ("mcp__fs__write_file", {"path": "{}/a.py", "content": BAD}),
        ("mcp__fs__write_file", {"path": "a.py", "content": BAD}),
        ("mcp__fs__edit_file", {"path": "{}/a.py", "edits": [{"oldText": "x = 1\n", "newText": BAD}]}),
    ],
    ids=["MultiEdit of older clients", "an MCP write", "an MCP write with a relative path", "an MCP edit"],
)
def test_every_tool_that_writes_is_an_edit(session, tool, tool_input):
    session.put("a.py", "x = 1\n")
    text = json.loads(json.dumps(tool_input).replace("{}", str(session.root)))
    assert session.tool(tool, **text)[1] == "deny"


def test_a_notebook_cell_is_judged(session):
    session.put("n.ipynb", json.dumps({"cells": [{"cell_type": "code", "id": "c", "source": "x = 1"}]}))
    _, decision, output = session.tool(
        "NotebookEdit", notebook_path=str(session.root / "n.ipynb"), cell_id="c", new_source=BAD
    )
    assert decision == "deny"
    assert "n.ipynb" in output["permissionDecisionReason"]


NOTEBOOK = {"cells": [{"cell_type": "code", "source": "x = 1"}]}
LEAK = {"cells": [{"cell_type": "code", "source": f'k = "ghp_{chance(36, seed=3)}"'}]}


@pytest.mark.parametrize("before", ["", "{"], ids=["empty", "broken"])
@pytest.mark.parametrize(("after", "expected"), [(NOTEBOOK, None), (LEAK, "deny")], ids=["fixed", "with a secret"])
def test_a_notebook_that_nobody_could_read_can_be_fixed_but_takes_no_secret(session, before, after, expected):
    session.put("n.ipynb", before)
    _, decision, output = session.tool(
        "Write", file_path=str(session.root / "n.ipynb"), content=json.dumps(after, indent=1)
    )
    assert decision == expected
    assert not expected or output["permissionDecisionReason"].startswith("vetgate stopped this")


@pytest.mark.parametrize(
    ("tool", "tool_input"),
    [
        ("Read", {"file_path": "a.py"}),
        ("Bash", {"command": "ls"}),
        ("mcp__db__query", {"sql": "select 1"}),
        ("Unheard", {"anything": [1]}),
    ],
)
def test_what_is_no_edit_gets_no_answer(session, tool, tool_input):
    assert session.tool(tool, **tool_input)[0].stdout == b""


@pytest.mark.parametrize("event", ["Notification", "PreCompact", "SessionEnd", "BrandNewEvent"])
def test_events_nobody_listens_to_get_no_answer(session, event):
    assert session.send(event)[0].stdout == b""


@pytest.mark.parametrize("payload", [b"", b"{", b"[]", b"null", b"\xff\xfe", b'{"hook_event_name": 3}', b"[" * 100_000])
def test_what_is_no_payload_is_a_value_error(session, payload):
    with pytest.raises((ValueError, RecursionError)):
        session.app.answer("claude-code", payload, "/")


@pytest.mark.parametrize("tool_input", [None, [], "x", {"file_path": 3}, {"file_path": "/a"}, {"content": "x"}])
def test_an_edit_that_nobody_can_read_does_not_happen(session, tool_input):
    reply, said = session.send("PreToolUse", tool_name="Write", tool_input=tool_input)
    assert reply.status == 2
    assert "this call of Write cannot be read" in said["hookSpecificOutput"]["permissionDecisionReason"]


@pytest.mark.parametrize(
    ("name", "content"),
    [("a.py", "x" * (21 * 1024 * 1024)), ("a.py", "a\0b")],
    ids=["beyond the largest file", "binary"],
)
def test_what_nobody_can_look_at_for_secrets_is_refused(session, name, content):
    reply, decision, output = session.write(name, content)
    assert (reply.status, decision) == (2, "deny")
    assert "Not checked by vetgate: a.py" in output["permissionDecisionReason"]


@pytest.mark.parametrize(("name", "content"), [("a.py", "x = 1\n" * 400_000)], ids=["beyond what is parsed"])
def test_beyond_the_limits_the_verdict_says_not_checked(session, name, content):
    reply, decision, output = session.write(name, content)
    assert (reply.status, decision) == (0, None)
    assert "Not checked by vetgate: a.py" in output["additionalContext"]


def test_a_binary_file_of_no_language_is_nobody_s_business(session):
    assert session.write("a.png", "\0\1")[0].stdout == b""


def test_empty_content_and_empty_files_pass(session):
    assert session.write("a.py", "")[0].stdout == b""
    session.put("a.py", "")
    assert session.edit("a.py", "", GOOD)[0].stdout == b""


@pytest.mark.parametrize("name", ["node_modules/x/a.py", "dist/a.py", "build/a.py"])
def test_excluded_paths_are_left_alone(session, name):
    assert session.write(name, BAD)[0].stdout == b""


@pytest.mark.parametrize("name", ["tests/test_a.py", "src/a.test.ts"])
def test_measures_of_a_test_file_are_told_to_nobody(session, name):
    content = BAD if name.endswith("py") else "function f(a) {" + "if (a) { a++; }\n" * 12 + "}"
    assert session.write(name.replace("test", "other"), content)[1] == "deny"
    assert session.write(name, content)[0].stdout == b""


def test_a_file_in_another_repository_is_judged_by_that_one_s_configuration(session, tmp_path):
    other = tmp_path / "other"
    (other / ".git").mkdir(parents=True)
    (other / "vetgate.yaml").write_text("version: 1\ncomplexity: {cyclomatic: 2}\n")
    _, decision, _ = session.tool("Write", file_path=str(other / "a.py"), content=branches("f", 3))
    assert decision == "deny"
    assert session.write("a.py", branches("f", 3))[1] is None


@pytest.mark.parametrize("text", ["enabled: false", "complexity: {cyclomatic: 30}", "paths: {exclude: ['src/**']}"])
def test_a_looser_configuration_is_said_to_be_one_when_it_is_written(session, text):
    _, decision, output = session.write("vetgate.yaml", f"version: 1\n{text}\n")
    assert decision is None
    assert "is looser" in output["additionalContext"]
    assert session.write("vetgate.yaml", "version: 1\ncomplexity: {cyclomatic: 5}\n")[2] == {}


def test_a_write_in_a_shape_nobody_knows_is_said(session):
    given = {"path": str(session.root / "a.py"), "whatever": "x = 1\n" * 40}
    assert "vetgate: this mcp__odd__thing" in session.tool("mcp__odd__thing", **given)[2]["additionalContext"]


@pytest.mark.parametrize("odd", ["a\0.py", "a\ud800.py"])
def test_odd_names_pass_and_are_said_or_judged(session, odd):
    reply, _, _ = session.tool("Write", file_path=f"{session.root}/{odd}", content=BAD)
    assert reply.status in {0, 2}
    assert reply.stdout


def test_a_stricter_configuration_needs_no_trust(session):
    session.put("vetgate.yaml", "version: 1\ncomplexity: {cyclomatic: 3}\n")
    assert session.write("a.py", branches("f", 4))[1] == "deny"


def test_a_looser_configuration_waits_for_a_person(session):
    session.put("vetgate.yaml", "version: 1\ncomplexity: {cyclomatic: 30}\n")
    assert session.write("a.py", BAD)[1] == "deny"
    session.trust("version: 1\ncomplexity: {cyclomatic: 30}\n")
    assert session.write("a.py", BAD)[1] is None


def test_a_broken_configuration_leaves_the_last_good_one_in_force(session):
    session.trust("version: 1\ncomplexity: {cyclomatic: 3}\n")
    assert session.write("a.py", branches("f", 4))[1] == "deny"
    session.put("vetgate.yaml", "version: 1\ncomplexity: {cyclomatic: three}\n")
    assert session.write("b.py", branches("f", 4))[1] == "deny"
    _, said = session.send("SessionStart", source="startup")
    assert "vetgate.yaml:2" in said["hookSpecificOutput"]["additionalContext"]
    assert "vetgate.yaml:2" in said["systemMessage"]


def test_a_configuration_that_was_never_good_makes_a_person_decide(session):
    session.put("vetgate.yaml", "version: 1\nnonsense: true\n")
    reply, decision, output = session.write("a.py", GOOD)
    assert (reply.status, decision) == (2, "deny")
    assert "vetgate.yaml:2" in output["permissionDecisionReason"]
    session.allow(reply)
    assert session.write("a.py", GOOD)[1] is None


def test_switched_off_by_a_person_it_says_nothing(session):
    session.trust("version: 1\nenabled: false\n")
    assert session.write("a.py", BAD)[0].stdout == b""


def test_a_rule_that_is_off_finds_nothing_and_a_raised_one_blocks(session):
    session.trust("version: 1\nrules: {complexity/cyclomatic: off, complexity/parameters: error}\n")
    assert session.write("a.py", BAD)[1] is None
    assert session.write("b.py", "def f(a, b, c, d, e, g):\n    return a\n")[1] == "deny"


def test_the_scope_of_a_whole_file_holds_old_debt_too(session):
    session.trust("version: 1\ngates: {code: {checks: [complexity], scope: file}}\n")
    session.put("a.py", BAD + "x = 1\n")
    assert session.edit("a.py", "x = 1", "x = 2")[1] == "deny"


def test_a_clean_change_is_approved_only_where_the_user_says_so(session):
    session.trust("version: 1\ngates: {code: {approve: true}}\n")
    assert session.write("a.py", GOOD)[1] == "allow"
    assert session.write("a.py", BAD)[1] == "deny"


def test_a_gate_that_listens_after_an_edit_runs_then(session):
    text = "version: 1\ngates: {later: {checks: [complexity/parameters]}}\n"
    session.trust(text + "on: {after_edit: [later], before_edit: []}\n")
    content = "def f(a, b, c, d, e, g):\n    return a\n"
    assert session.write("a.py", content)[0].stdout == b""
    session.put("a.py", content)
    assert "complexity/parameters" in session.landed("a.py")["additionalContext"]


@pytest.mark.parametrize("event", ["SessionStart", "SubagentStart"])
def test_an_agent_is_told_which_gates_stand_here(session, event):
    _, said = session.send(event)
    assert said["hookSpecificOutput"]["hookEventName"] == event
    assert "cyclomatic complexity 10" in said["hookSpecificOutput"]["additionalContext"]


def test_what_landed_as_judged_needs_no_word(session):
    session.write("a.py", GOOD)
    session.put("a.py", GOOD)
    assert session.landed("a.py") == {}


def test_what_landed_otherwise_is_judged_then(session):
    session.write("a.py", GOOD)
    session.put("a.py", BAD)
    assert "complexity/cyclomatic" in session.landed("a.py")["additionalContext"]


def test_stop_holds_until_what_the_session_left_behind_is_fixed(session):
    session.write("a.py", GOOD)
    session.put("a.py", BAD)
    _, said = session.send("Stop", stop_hook_active=False)
    assert said["decision"] == "block"
    assert "busy" in said["reason"]
    session.put("a.py", GOOD)
    assert session.send("Stop", stop_hook_active=True)[1] is None


def test_stop_gives_way_after_three_rounds(session):
    session.write("a.py", GOOD)
    session.put("a.py", BAD)
    decisions = [(session.send("Stop")[1] or {}).get("decision") for _ in range(4)]
    assert decisions == ["block", "block", "block", None]


def test_stop_is_silent_while_something_runs_in_the_background(session):
    session.write("a.py", GOOD)
    session.put("a.py", BAD)
    assert session.send("Stop", background_tasks=[{"id": "x"}])[1] is None


def test_stop_counts_its_rounds_for_each_problem_apart(session):
    session.write("a.py", GOOD)
    session.put("a.py", BAD)
    for _ in range(4):
        session.send("Stop")
    session.write("b.py", GOOD)
    session.put("b.py", BAD.replace("busy", "busier"))
    assert session.send("Stop")[1]["decision"] == "block"


def test_stop_looks_into_other_projects_that_the_session_edited(session, tmp_path):
    other = tmp_path / "other"
    (other / ".git").mkdir(parents=True)
    session.tool("Write", file_path=str(other / "a.py"), content=GOOD)
    (other / "a.py").write_text(BAD)
    assert "busy" in session.send("Stop")[1]["reason"]


def test_stop_holds_source_beyond_a_limit_as_often_as_anything_else(session):
    session.write("a.py", "x = 1\n" * 400_000)
    session.put("a.py", "x = 1\n" * 400_000)
    for _ in range(3):
        assert "Not checked" in session.send("Stop")[1]["reason"]
    assert "decision" not in session.send("Stop")[1]


def left_by_the_last_tier(session, **fields):
    call = {"session_id": session.id, "cwd": str(session.root), "hook_event_name": "PreToolUse", **fields}
    fallback.last_answer(json.dumps(call).encode(), "no time", str(session.state))


def test_a_file_the_last_tier_let_pass_is_checked_before_the_session_ends(session):
    session.put("a.py", BAD)
    left_by_the_last_tier(
        session, tool_name="Write", tool_input={"file_path": str(session.root / "a.py"), "content": BAD}
    )
    assert session.send("Stop")[1]["decision"] == "block"
    assert not list((session.state / "unverified").iterdir())


def test_what_the_last_tier_decided_goes_on_record(session):
    left_by_the_last_tier(session, tool_name="Bash", tool_input={"command": "make deploy"})
    left_by_the_last_tier(
        session, tool_name="Write", tool_input={"file_path": str(session.root / "a.py"), "content": GOOD}
    )
    session.send("UserPromptSubmit", prompt="go on")
    rows = session.app.project(session.root).store.decisions()
    told = {(row.event, row.stored["decision"], tuple(row.stored["files"])) for row in rows}
    assert {("before_command", "block", ()), ("before_edit", "allow", ("a.py",))} <= told
    assert all("no time" in row.stored["notes"][0] for row in rows if row.event.startswith("before"))
    assert not session.app.project(session.root).store.broken()


def test_what_the_last_tier_decided_in_a_session_that_ended_goes_on_record_under_its_name(session):
    left_by_the_last_tier(session, session_id="another", tool_name="Bash", tool_input={"command": "make"})
    left_by_the_last_tier(session, session_id="another", tool_name="mcp__a__b", tool_input={})
    left_by_the_last_tier(session, session_id="another", hook_event_name="Stop")
    left_by_the_last_tier(session, session_id="another", hook_event_name="Stop")
    session.send("UserPromptSubmit", prompt="go on")
    rows = session.app.project(session.root).store.decisions()
    told = [row.event for row in rows if row.session == "another"]
    assert sorted(told) == ["before_command", "before_tool", "stop", "stop"]
    assert not list((session.state / "unverified").iterdir())


def test_notes_about_other_projects_are_left_to_them(session, tmp_path):
    other = tmp_path / "other"
    (other / ".git").mkdir(parents=True)
    left_by_the_last_tier(session, tool_name="Write", tool_input={"file_path": str(other / "a.py"), "content": "x"})
    session.send("UserPromptSubmit", prompt="go on")
    assert len(list((session.state / "unverified").iterdir())) == 1


@pytest.mark.parametrize("way", ["relative", "linked", "long"])
def test_a_file_the_last_tier_let_pass_is_found_however_it_was_called(session, tmp_path, way):
    session.put("a.py", BAD)
    (tmp_path / "link").symlink_to(session.root)
    called = {
        "relative": "a.py",
        "linked": str(tmp_path / "link" / "a.py"),
        "long": f"{session.root}{'/.' * 300}/a.py",
    }
    left_by_the_last_tier(session, tool_name="Write", tool_input={"file_path": called[way], "content": BAD})
    assert session.send("Stop")[1]["decision"] == "block"


def test_a_file_that_an_earlier_version_let_pass_is_checked_too(session):
    session.put("a.py", BAD)
    notes = session.state / "unverified"
    notes.mkdir(parents=True)
    note = {"session": session.id, "path": str(session.root / "a.py"), "cause": "no time"}
    (notes / "n.json").write_text(json.dumps(note))
    assert session.send("Stop")[1]["decision"] == "block"


def test_what_is_only_to_be_recorded_does_not_crowd_out_what_is_to_be_looked_at(session):
    session.put("a.py", BAD)
    for number in range(250):
        left_by_the_last_tier(session, tool_name="Bash", tool_input={"command": f"make {number}"})
    left_by_the_last_tier(
        session, tool_name="Write", tool_input={"file_path": str(session.root / "a.py"), "content": BAD}
    )
    assert session.send("Stop")[1]["decision"] == "block"


def test_a_decision_is_recorded_with_its_evidence_and_without_the_code(session):
    _, _, output = session.write("a.py", BAD)
    decision_id = output["permissionDecisionReason"].rpartition("vetgate explain ")[2].strip()
    row = session.app.project(session.root).store.decision(decision_id)[0]
    assert row.stored["decision"] == "block"
    assert row.stored["findings"][0]["symbol"] == "busy"
    assert "a += " not in json.dumps(row.stored)


def test_a_block_is_remembered_before_the_answer_and_a_pass_after_it(session):
    def call(content):
        call = {
            "session_id": "s",
            "cwd": str(session.root),
            "hook_event_name": "PreToolUse",
            "tool_name": "Write",
            "tool_input": {"file_path": str(session.root / "a.py"), "content": content},
        }
        session.app.answer("claude-code", json.dumps(call).encode(), "/")
        return len(session.app.project(session.root).store.decisions())

    assert [call(BAD), call(GOOD)] == [1, 1]
    session.app.flush()
    assert len(session.app.project(session.root).store.decisions()) == 2


def test_what_security_finds_in_a_test_file_is_told_to_nobody(session):
    bad = "import os\nfrom flask import request\n\ndef f():\n    os.system('ping ' + request.args['h'])\n"
    assert session.write("app.py", bad)[1] == "deny"
    assert session.write("tests/test_app.py", bad)[0].stdout == b""


def test_in_a_test_file_measures_advise_even_where_warnings_block(session):
    session.put("vetgate.yaml", "version: 1\nextends: [strict]\n")
    assert session.write("tests/test_a.py", BAD)[1] is None
    assert session.write("a.py", BAD)[1] == "deny"


@pytest.mark.parametrize(
    ("configured", "asked", "events"),
    [("info", "", ["before_edit"]), ("error", "info", ["before_edit"]), ("error", "", [])],
)
def test_what_is_logged_is_what_was_asked_for_and_never_the_code(session, configured, asked, events):
    session.trust(f"version: 1\nlog_level: {configured}\n")
    call = {
        "session_id": "s",
        "cwd": str(session.root),
        "hook_event_name": "PreToolUse",
        "tool_name": "Write",
        "tool_input": {"file_path": str(session.root / "a.py"), "content": BAD},
    }
    session.app.answer("claude-code", json.dumps(call).encode(), "/", log=asked)
    session.app.flush()
    log = session.state / "vetgate.log"
    text = log.read_text() if log.exists() else ""
    assert [json.loads(line)["event"] for line in text.splitlines()] == events
    assert "busy" not in text


def test_another_session_starts_from_what_is_there(session):
    session.put("a.py", BAD + "x = 1\n")
    session.id = "session-2"
    assert session.edit("a.py", "x = 1", "x = 2")[1] is None


def test_the_canary_is_judged_by_the_defaults_and_not_remembered(session):
    session.trust("version: 1\nenabled: false\n")
    session.id = "vetgate-canary"
    assert session.write("a.py", BAD)[1] == "deny"
    assert session.app.project(session.root).store.decisions() == []


def test_hooks_of_a_user_leave_projects_alone_that_nobody_set_up(session):
    payload = {
        "session_id": "s",
        "cwd": str(session.root),
        "hook_event_name": "PreToolUse",
        "tool_name": "Write",
        "tool_input": {"file_path": str(session.root / "a.py"), "content": BAD},
    }
    data = json.dumps(payload).encode()
    assert session.app.answer("claude-code", data, "/", only_set_up=True).stdout == b""
    session.app.flush()
    assert not (session.state / "projects").exists()
    session.put("vetgate.yaml", "version: 1\n")
    assert session.app.answer("claude-code", data, "/", only_set_up=True).status == 2


def test_work_trees_of_one_repository_share_a_store(session, tmp_path):
    session.put("a.py", GOOD)
    session.commit()
    session.git("worktree", "add", "-q", str(tmp_path / "tree"))
    assert session.app.project(tmp_path / "tree").store.file == session.app.project(session.root).store.file


def test_a_file_that_was_read_is_looked_at_ahead_and_nothing_is_remembered_of_it(session):
    session.put("a.py", GOOD)
    session.app.stays = True
    _, decision, _ = session.tool("Read", event="PostToolUse", file_path=str(session.root / "a.py"))
    assert decision is None
    config = session.app.project(session.root).effective().config
    analyses = session.app._analyzer._analyses
    assert [key[3] for key in analyses if key[:2] == ("code", config.digest)] == ["a.py"]
    assert session.app.project(session.root).store.seen_in(session.id) == {}


def test_a_process_that_ends_does_not_look_ahead(session):
    session.put("a.py", GOOD)
    session.tool("Read", event="PostToolUse", file_path=str(session.root / "a.py"))
    assert not session.app._analyzer._analyses
