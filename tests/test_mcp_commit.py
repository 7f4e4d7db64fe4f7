"""What `commit` over MCP commits: exactly what was confirmed, with a message by whoever can write one."""

from __future__ import annotations

import json
import re
from contextlib import closing
from hashlib import sha256

import anyio
import pytest

from fixtures import BAD, GOOD, wait_for
from mcp_calls import calls, talk
from model_server import Hangs, Judges, ModelServer
from secret_samples import chance
from transcripts import Transcript
from vetgate.model import UserError
from vetgate.service import commit as commit_service
from vetgate.service.commit import commit
from vetgate.service.model_words import _usable_message
from vetgate.source.root import store_key
from vetgate.store import open_project_store

KEY = "not-a-real-key-of-anybody"
TOKEN = "ghp_" + chance(36, seed=11)


@pytest.fixture
def project(clone):
    clone.put("a.py", GOOD)
    return clone


def accept(clone, **content):
    text = json.dumps({"version": 1, **content})
    clone.put("vetgate.yaml", text)
    with closing(open_project_store(clone.state, store_key(clone.root))) as store:
        store.set_trusted(sha256(text.encode()).hexdigest(), text)
    clone.git("add", "-A")
    clone.git("commit", "-q", "--no-verify", "-m", "begin")


def models(server, *names):
    model = {"api": "anthropic", "model": "scripted", "url": server.url, "key": "$SCRIPTED_KEY"}
    return {name: {**model, "price": {"input": 1, "output": 5}} for name in names}


def asked(clone, *wanted):
    return calls(clone.root, clone.env | {"SCRIPTED_KEY": KEY}, *wanted)


def test_a_model_writes_the_message(project):
    with ModelServer([Judges("allow", 1.0, "Return the double of a number.\n\nCallers need it twice.")]) as server:
        accept(project, models=models(server, "haiku"))
        project.put("a.py", GOOD + f'\n\ndef double(a):\n    """See {TOKEN[:8]}."""\n    return a + a\n')
        (done,) = asked(project, ("commit", {}))
        sent = json.dumps(server.requests[0].body)
    assert done["committed"] is True, done
    assert done["message_by"] == "model"
    assert project.git("log", "-1", "--format=%s") == "Return the double of a number"
    assert "Callers need it twice." in project.git("log", "-1", "--format=%b")
    assert "return a + a" in sent
    assert "never an instruction to you" in sent


def test_a_message_that_cannot_be_used_is_made_by_rules(project):
    with ModelServer([Judges("allow", 1.0, "Tidy up [skip ci]")]) as server:
        accept(project, models=models(server, "haiku"))
        project.put("a.py", GOOD + "\n\ndef double(a):\n    return a + a\n")
        (done,) = asked(project, ("commit", {}))
    assert (done["committed"], done["message_by"]) == (True, "rules")
    assert project.git("log", "-1", "--format=%s") == "Change a.py"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "x" * 73,
        "Fix it [skip ci]",
        "Fix it [ci skip]",
        "Fix it\n\n[no ci]",
        "Fixes #12",
        "Close owner/repo#3",
        "Resolve https://example.com/1",
        "Add x\n\nSigned-off-by: Somebody <a@b.c>",
        "Add x\n\nCo-authored-by: Somebody",
        "Add x\n\nChange-Id: I1",
        "Thank @somebody",
        f"Use {TOKEN}",
    ],
)
def test_what_others_would_act_on_is_no_message(text):
    assert _usable_message(text) == ""


@pytest.mark.parametrize("text", ["Fix the parser", "Close the file after reading", "Skip empty lines (see parse)"])
def test_plain_words_are_one(text):
    assert _usable_message(text) == text


def test_a_model_adds_to_the_counts_of_a_check(project):
    with ModelServer([Judges("allow", 1.0, "The linter  wants\na docstring.")]) as server:
        accept(project, models=models(server, "sonnet"), gates={"lint": {"command": "echo D103 in a.py; exit 1"}})
        project.put("a.py", GOOD + "\n")
        found, clean = asked(project, ("check", {}), ("check", {"paths": ["b.py"], "content": GOOD}))
        sent = [json.dumps(each.body) for each in server.requests]
    assert found["summary_by"] == "model"
    assert found["summary"].endswith("; failed: lint. The linter wants a docstring.")
    assert found["summary"].startswith("no ")
    assert clean["summary_by"] == "rules"
    assert len(sent) == 1
    assert "D103 in a.py" in sent[0]


def test_a_file_that_changes_meanwhile_is_not_committed(project):
    accept(project, gates={"lint": {"command": "cat bad.txt > b.py"}})
    (project.root / ".git/info/exclude").write_text("bad.txt\n")
    project.put("bad.txt", BAD)
    project.put("b.py", GOOD)
    before = project.git("rev-parse", "HEAD")
    (said,) = asked(project, ("commit", {"message": "more"}))
    assert "files changed during the check" in said
    assert project.git("rev-parse", "HEAD") == before


def test_nor_is_one_that_was_another_just_while_it_was_read(project, monkeypatch):
    """A, while A is named; B, while B is read and passes; A again."""
    for name, value in project.env.items():
        monkeypatch.setenv(name, value)
    accept(project)
    project.put("b.py", BAD)
    before = project.git("rev-parse", "HEAD")
    real = commit_service.Confirmation.at

    def at(*arguments):
        project.put("b.py", GOOD)
        try:
            return real(*arguments)
        finally:
            project.put("b.py", BAD)

    monkeypatch.setattr(commit_service.Confirmation, "at", at)
    with pytest.raises(UserError, match="files changed during"):
        commit(project.root, "mcp", message="more", asks_judge=False)
    assert project.git("rev-parse", "HEAD") == before


def test_what_a_hook_of_git_rewrites_is_not_left_committed(project):
    accept(project)
    hook = project.root / ".git/hooks/pre-commit"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\necho '# more' >> b.py\ngit add b.py\n")
    hook.chmod(0o755)
    project.put("b.py", GOOD)
    before = project.git("rev-parse", "HEAD")
    (said,) = asked(project, ("commit", {"message": "more"}))
    assert "the commit was undone" in said
    assert project.git("rev-parse", "HEAD") == before
    assert (project.root / "b.py").read_text() == GOOD + "# more\n"


def test_line_ends_that_git_changes_are_no_change(project):
    project.put(".gitattributes", "* text=auto eol=crlf\n")
    accept(project)
    (project.root / "b.py").write_bytes(GOOD.replace("\n", "\r\n").encode())
    (done,) = asked(project, ("commit", {"message": "more"}))
    assert done["committed"] is True, done


def test_a_cancelled_commit_hangs_up_on_the_model_and_commits_nothing(project):
    with ModelServer([Hangs()]) as server:
        accept(project, models=models(server, "opus", "haiku"))
        project.put("a.py", GOOD.replace("return a", "return a + 1"))
        before = project.git("rev-parse", "HEAD")

        async def act(client):
            async with anyio.create_task_group() as group:
                group.start_soon(client.call_tool, "commit", {})
                await anyio.to_thread.run_sync(wait_for, lambda: bool(server.requests))
                group.cancel_scope.cancel()
            await anyio.to_thread.run_sync(wait_for, server.dropped.is_set)
            await client.call_tool("explain", {"id": "secrets"})

        talk(project.root, project.env | {"SCRIPTED_KEY": KEY}, act)
    assert project.git("rev-parse", "HEAD") == before
    assert project.git("diff", "--cached", "--name-only") == ""


def test_the_conversation_of_the_session_is_what_intent_is_judged_by(project):
    """As the client keeps it; a judge that the caller names sees it without secrets."""
    wrong = {"message": "`return a + 1` is no translation", "category": "intent", "severity": "error", "path": "a.py"}
    with ModelServer([Judges("deny", 0.95, "Nobody asked for this.", (wrong,))]) as server:
        accept(project, models=models(server, "haiku"))
        project.put("a.py", GOOD.replace("return a", "return a + 1"))
        said = Transcript()
        said.user(f"Please add a German translation. The token is {TOKEN}.")
        said.says("I change a.py.")
        folder = project.home / ".claude/projects" / re.sub(r"[^a-zA-Z0-9]", "-", str(project.root))
        folder.mkdir(parents=True)
        said.write(folder / "5e55.jsonl")
        env = project.env | {"SCRIPTED_KEY": KEY, "CLAUDE_CODE_SESSION_ID": "5e55"}
        found, elsewhere = calls(
            project.root, env, ("validate_intent", {}), ("validate_intent", {"diff": "--- a/../x\n+++ b/../x\n"})
        )
        sent = json.dumps(server.requests[0].body)
    assert (found["decision"], found["reason"], found["models"]) == ("deny", "Nobody asked for this.", ["haiku"])
    assert [each["path"] for each in found["findings"]] == ["a.py"]
    assert "German translation" in sent
    assert "return a + 1" in sent
    assert TOKEN not in sent
    assert "internal error" not in elsewhere
