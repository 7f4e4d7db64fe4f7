"""The same thing again: counted, recognised by whatever route, and at last left to a person."""

from __future__ import annotations

import json
import re
import time

import pytest

from fixtures import BAD, GOOD, Session, branches, wait_for_tick
from vetgate.store import Attempt

HASH = "\n\ndef keep(password):\n    import hashlib\n\n    return hashlib.md5(password.encode())\n"


@pytest.fixture
def session(tmp_path):
    session = Session(tmp_path)
    session.put("a.py", GOOD)
    session.commit()
    return session


def reason(answer):
    return answer[2].get("permissionDecisionReason", "")


def run(session, command):
    return session.tool("Bash", command=command)


def test_attempts_are_counted_for_a_file_and_a_kind_of_finding(session):
    assert "Attempt" not in reason(session.write("a.py", BAD))
    again = reason(session.write("a.py", branches("other", 13)))
    assert "Attempt 2 of 3." in again
    assert "Attempt" not in reason(session.write("b.py", branches("another", 14)))


def test_a_clean_edit_of_one_file_does_not_forgive_another(session):
    session.write("a.py", BAD)
    session.write("b.py", GOOD)
    assert "Attempt 2 of 3." in reason(session.write("a.py", BAD))


def test_the_same_content_is_said_to_be_the_same(session):
    session.write("a.py", BAD)
    assert "Nothing has changed" in reason(session.write("a.py", BAD))


def has_code(reply):
    return bool(re.search("vetgate allow [a-z2-7]{8}", json.loads(reply.stdout)["systemMessage"]))


def test_after_the_last_attempt_a_person_decides_by_a_code(session):
    """The client's dialog for an edit shows nothing of ours, so it stays denied."""
    answers = [session.write("a.py", BAD) for _ in range(5)]
    assert [decision for _, decision, _ in answers] == ["deny"] * 5
    assert [has_code(reply) for reply, _, _ in answers] == [False, False, False, True, True]
    session.allow(answers[-1][0])
    assert session.write("a.py", BAD + "x = 1\n")[1] == "deny"
    assert session.write("a.py", BAD)[1] is None
    assert session.write("a.py", BAD)[1] == "deny"


@pytest.mark.parametrize(
    ("then", "last", "code"), [("block", "deny", False), ("ask", "deny", True), ("allow", None, False)]
)
def test_what_follows_is_configured(session, then, last, code):
    session.trust(f"version: 1\nretries: {{max: 1, then: {then}}}\n")
    replies = [session.write("a.py", BAD) for _ in range(2)]
    assert [decision for _, decision, _ in replies] == ["deny", last]
    assert "systemMessage" not in json.loads(replies[1][0].stdout) or has_code(replies[1][0]) is code


def test_a_command_is_never_allowed_for_being_tried_often(session):
    session.trust("version: 1\nretries: {max: 1, then: allow}\n")
    assert [run(session, "rm -rf ~")[1] for _ in range(2)] == ["deny", "ask"]


def test_another_command_of_the_same_kind_does_not_inherit_the_question(session):
    session.trust("version: 1\nretries: {max: 1}\n")
    assert [run(session, "rm -rf ~/work")[1] for _ in range(2)] == ["deny", "ask"]
    assert run(session, "rm -rf ~")[1] == "deny"
    assert run(session, "rm -rf ~/work ~")[1] == "deny"
    assert [run(session, "rm -rf ~/work ; cat ~/.ssh/id_rsa")[1] for _ in range(3)] == ["deny"] * 3


def test_what_tampers_is_never_asked_about(session):
    session.trust("version: 1\nretries: {max: 1}\n")
    assert [run(session, "git commit --no-verify -m x")[1] for _ in range(4)] == ["deny"] * 4


def test_the_same_finding_elsewhere_is_answered_with_the_first_refusal(session):
    session.write("a.py", BAD)
    first = session.app.project(session.root).store.decisions(1)[0].id
    assert f"Tried before and refused: {first}" in reason(session.write("b.py", BAD))


def test_the_same_deed_in_other_words_is_recognised(session):
    run(session, "rm -rf ~")
    first = session.app.project(session.root).store.decisions(1)[0].id
    assert f"Tried before and refused: {first}" in reason(run(session, "sudo rm -r -f $HOME"))


def test_attempts_are_forgotten_with_their_session(session):
    session.write("a.py", BAD)
    session.id = "another"
    assert "Attempt" not in reason(session.write("a.py", BAD))


def test_a_command_that_is_refused_tells_a_person_how_to_let_it_run_once(session):
    reply, said = session.send("PreToolUse", tool_name="Bash", tool_input={"command": "rm -rf ~"})
    code = session.code("rm -rf ~")
    assert f"vetgate allow {code}" in said["systemMessage"]
    assert code not in said["hookSpecificOutput"]["permissionDecisionReason"]
    assert reply.status == 2


def test_what_a_person_allowed_runs_once(session):
    store = session.app.project(session.root).store
    run(session, "rm -rf ~")
    store.grant(session.code("rm -rf ~"), 1e12)
    assert run(session, "rm -rf ~/")[1] == "deny"
    assert run(session, "rm -rf ~")[1] is None
    assert run(session, "rm -rf ~")[1] == "deny"


def test_a_grant_ends(session):
    run(session, "rm -rf ~")
    session.app.project(session.root).store.grant(session.code("rm -rf ~"), 1.0)
    assert run(session, "rm -rf ~")[1] == "deny"


@pytest.mark.parametrize("command", ["ls", "git push", "pytest -q", "grep -rn 'rm -rf /' .", "rm -rf build"])
def test_everyday_commands_pass_without_a_word(session, command):
    assert run(session, command)[0].stdout == b""


def test_the_same_thing_again_at_once_is_answered_without_another_look(session):
    session.trust("version: 1\nretries: {delay: 600}\n")
    session.write("a.py", BAD)
    _, said = session.send("PreToolUse", tool_name="Write", tool_input={"file_path": "a.py", "content": BAD})
    assert "seconds ago, as d" in said["hookSpecificOutput"]["permissionDecisionReason"]
    assert said["systemMessage"].startswith("vetgate: exactly this was refused")
    assert session.app.project(session.root).store.decisions(1)[0].stored["attempt"] == 2
    assert "complexity/cyclomatic at a.py" in reason(session.write("a.py", BAD + "# more\n"))


def test_the_same_thing_at_once_is_an_attempt_as_well(session):
    session.trust("version: 1\nretries: {delay: 600}\n")
    assert [has_code(session.write("a.py", BAD)[0]) for _ in range(5)] == [False, False, False, True, True]


def test_what_was_never_refused_is_not_allowed_together_with_what_was(session):
    session.trust("version: 1\nretries: {max: 1, then: allow}\n")
    decisions = [session.write("a.py", content)[1] for content in (BAD, BAD + HASH, BAD + HASH)]
    assert decisions == ["deny", "deny", None]


def test_attempts_are_forgotten_in_time_though_nobody_says_that_their_session_is_over(session):
    store = session.app.project(session.root).store
    session.write("a.py", BAD)
    store.attempt("long ago", [Attempt("a.py", "c/x", "f", "c", "d1", time.time() - 3601)])
    session.id = "another"
    session.write("b.py", GOOD)
    assert len(store.attempts("s", 0)) == 1
    assert store.attempts("long ago", 0) == []


def test_attempts_end_with_their_session_in_every_project(session, tmp_path):
    (tmp_path / "other").mkdir()
    other = Session(tmp_path / "other")
    other.put("a.py", GOOD)
    session.write("a.py", BAD)
    session.tool("Write", file_path=str(other.root / "a.py"), content=BAD)
    stores = [session.app.project(root).store for root in (session.root, other.root)]
    assert all(store.attempts(session.id, 0) for store in stores)
    session.send("SessionEnd", reason="exit")
    assert not any(store.attempts(session.id, 0) for store in stores)


def test_a_smaller_budget_that_nobody_accepted_does_not_open_the_gate_sooner(session):
    session.trust("version: 1\nretries: {max: 2}\n")
    session.put("vetgate.yaml", "version: 1\nretries: {max: 1}\n")
    assert [has_code(session.write("a.py", BAD)[0]) for _ in range(3)] == [False, False, True]


def left_to_a_person(session, content):
    """A person may allow a.py with this content; what they are told."""
    session.trust("version: 1\nretries: {max: 1}\n")
    session.send("SessionStart", source="startup")
    session.write("a.py", content)
    reply, decision, _ = session.write("a.py", content)
    assert decision == "deny"
    return reply


def allowed_by_a_person(session, content):
    """The name of the call that they let through."""
    session.allow(left_to_a_person(session, content))
    assert session.write("a.py", content)[1] is None
    return f"t{session.calls}"


def after(session, call, content):
    session.put("a.py", content)
    fields = {"tool_name": "Write", "tool_input": {"file_path": str(session.root / "a.py"), "content": content}}
    return session.send("PostToolUse", tool_use_id=call, **fields)[1]


def test_what_a_person_wanted_is_not_held_against_anybody_again(session):
    call = allowed_by_a_person(session, BAD)
    assert after(session, call, BAD) is None
    assert session.send("Stop")[1] is None
    assert session.write("a.py", BAD + "x = 1\n")[1] is None
    assert session.write("a.py", BAD + HASH)[1] == "deny"


def test_what_is_let_through_at_last_is_not_held_back_at_the_end(session):
    session.trust("version: 1\nretries: {max: 1, then: allow}\n")
    session.send("SessionStart", source="startup")
    assert [session.write("a.py", BAD)[1] for _ in range(2)] == ["deny", None]
    assert after(session, "t9", BAD) is None
    assert session.send("Stop")[1] is None


def test_a_person_wanted_what_they_saw_and_nothing_else(session):
    call = allowed_by_a_person(session, BAD)
    said = after(session, call, BAD + HASH)
    assert "security/fast-password-hash" in said["hookSpecificOutput"]["additionalContext"]
    assert session.send("Stop")[1]["decision"] == "block"


def test_what_a_person_did_not_want_does_not_pass_by_a_shell(session):
    left_to_a_person(session, BAD)
    wait_for_tick()
    session.put("a.py", BAD)
    session.send("PostToolUse", tool_name="Bash", tool_input={"command": "cat > a.py"})
    assert session.send("Stop")[1]["decision"] == "block"


def test_every_command_is_on_record(session):
    run(session, "ls")
    (row,) = session.app.project(session.root).store.decisions()
    assert (row.event, row.stored["decision"], row.stored["tool"]) == ("before_command", "allow", "Bash")


def test_what_was_refused_and_written_by_a_shell_is_answered_with_the_refusal(session):
    session.send("SessionStart", source="startup")
    wait_for_tick()
    session.write("a.py", BAD)
    first = session.app.project(session.root).store.decisions(1)[0].id
    session.put("a.py", BAD)
    _, said = session.send("PostToolUse", tool_name="Bash", tool_input={"command": "cat > a.py"})
    assert f"The same was refused before (as {first})" in said["hookSpecificOutput"]["additionalContext"]


def test_a_start_up_file_is_left_to_a_person_and_then_as_they_wanted(session, home):
    (home / ".bashrc").write_text("alias ll='ls -l'\n")
    session.send("SessionStart", source="startup")
    wanted = {"file_path": str(home / ".bashrc"), "content": "alias ll='ls -l'\nexport EDITOR=vim\n"}
    reply, decision, _ = session.tool("Write", **wanted)
    assert decision == "deny"
    assert has_code(reply)
    session.allow(reply)
    assert session.tool("Write", **wanted)[1] is None
    (home / ".bashrc").write_text(wanted["content"])
    session.send("PostToolUse", tool_use_id=f"t{session.calls}", tool_name="Write", tool_input=wanted)
    assert session.send("Stop")[1] is None
    (home / ".bashrc").write_text(f"{wanted['content']}rm() {{ :; }}\n")
    assert session.send("Stop")[1]["decision"] == "block"


def test_a_command_for_a_start_up_file_as_well(session, home):
    (home / ".bashrc").write_text("alias ll='ls -l'\n")
    command = "echo 'export EDITOR=vim' >> ~/.bashrc"
    session.send("SessionStart", source="startup")
    session.allow(run(session, command)[0])
    assert run(session, command)[1] is None
    (home / ".bashrc").write_text("alias ll='ls -l'\nexport EDITOR=vim\n")
    (home / ".profile").write_text("evil\n")
    session.send("PostToolUse", tool_name="Bash", tool_input={"command": command})
    assert ".profile" in session.send("Stop")[1]["reason"]
    (home / ".profile").unlink()
    assert session.send("Stop")[1] is None
