"""What a judge is shown is read from where it lies, and from nowhere else."""

from __future__ import annotations

import json

import pytest

from transcripts import Transcript
from vetgate.agents import agent
from vetgate.agents.conversation import NO_CONVERSATION, Speaker
from vetgate.judges import all_judges
from vetgate.judges.gather import gather, rules_of
from vetgate.judges.prompt import question_of


def event_of(tmp_path, name="PreToolUse", **fields):
    made = Transcript()
    made.user("add a total")
    made.says("I add it.")
    made.calls("ExitPlanMode", "p1", plan="1. Add total()\n2. Test it")
    made.result("p1", "User has approved your plan.")
    path = made.write(tmp_path / "s.jsonl")
    payload = {
        "session_id": "s",
        "cwd": str(tmp_path),
        "transcript_path": str(path),
        "hook_event_name": name,
        "tool_name": "Write",
        "tool_input": {"file_path": str(tmp_path / "src" / "a.py"), "content": "x = 1\n"},
        **fields,
    }
    return agent("claude-code").wire.parse(json.dumps(payload).encode(), str(tmp_path))


def test_the_conversation_and_the_plan_are_those_of_the_session(tmp_path):
    context = gather(all_judges()["plan"], event_of(tmp_path), tmp_path)
    assert [each.text for each in context.conversation.of(Speaker.USER)] == ["add a total"]
    assert context.plan == "1. Add total()\n2. Test it"
    assert "2. Test it" in question_of(all_judges()["plan"], context).prompt


def test_a_plan_that_was_refused_is_none(tmp_path):
    made = Transcript()
    made.calls("ExitPlanMode", "p1", plan="1. Delete everything")
    made.result("p1", "The user does not want to go on.", error=True)
    recent = agent("claude-code").transcript.recent
    assert recent(made.write(tmp_path / "s.jsonl"), all_judges()["plan"].preset).plan == ""


def test_a_judge_that_wants_no_rules_gets_none(tmp_path):
    (tmp_path / "CLAUDE.md").write_text("Use pnpm.\n")
    assert gather(all_judges()["intent"], event_of(tmp_path), tmp_path).rules == ()
    assert gather(all_judges()["approve"], event_of(tmp_path), tmp_path).rules == (("CLAUDE.md", "Use pnpm.\n"),)


def test_an_event_without_a_transcript_has_no_conversation(tmp_path):
    event = event_of(tmp_path, transcript_path="")
    assert event.transcript is None
    assert gather(all_judges()["intent"], event, tmp_path).conversation == NO_CONVERSATION


@pytest.mark.parametrize(
    ("fields", "attribute", "value"),
    [
        ({"permission_mode": "plan"}, "plans", True),
        ({"permission_mode": "default"}, "plans", False),
        ({"tool_name": "Agent", "tool_input": {"prompt": "look"}}, "starts_agent", True),
        ({"tool_name": "Task", "tool_input": {"prompt": "look"}}, "starts_agent", True),
        ({}, "starts_agent", False),
        ({"tool_name": "Grep", "tool_input": {"pattern": "x"}}, "only_reads", True),
        ({}, "only_reads", False),
        ({"name": "PostToolUseFailure", "error": "Exit code 2"}, "failed", True),
        ({"name": "PostToolUse", "tool_response": {}}, "failed", False),
    ],
)
def test_an_event_says_what_triggers_ask_for(tmp_path, fields, attribute, value):
    assert getattr(event_of(tmp_path, **fields), attribute) is value


def test_rules_lie_at_the_root_and_above_the_files_in_question(tmp_path):
    for name in ("CLAUDE.md", "AGENTS.md", "src/AGENTS.md", "docs/AGENTS.md", ".claude/CLAUDE.md", ".cursorrules"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(f"{name}\n")
    names = [name for name, _ in rules_of(tmp_path, ["src/deep/a.py"])]
    assert names[:2] == ["AGENTS.md", "CLAUDE.md"]
    assert set(names) == {"CLAUDE.md", "AGENTS.md", "src/AGENTS.md", ".claude/CLAUDE.md", ".cursorrules"}


def test_no_rules_are_read_through_a_link_out_of_the_project(tmp_path):
    outside = tmp_path / "outside.md"
    outside.write_text("from elsewhere\n")
    root = tmp_path / "project"
    root.mkdir()
    (root / "CLAUDE.md").symlink_to(outside)
    (root / "AGENTS.md").mkdir()
    assert rules_of(root, ["../../a.py", "/etc/passwd"]) == ()


def test_no_rules_are_read_through_a_link_to_a_sensitive_file(tmp_path):
    (tmp_path / ".env").write_text("PIN=4711\n")
    (tmp_path / "CLAUDE.md").symlink_to(".env")
    assert rules_of(tmp_path, []) == ()


def test_rules_are_read_up_to_a_limit(tmp_path):
    (tmp_path / "CLAUDE.md").write_text("a" * 200_000)
    ((_, text),) = rules_of(tmp_path, [])
    assert len(text) == 65_536
