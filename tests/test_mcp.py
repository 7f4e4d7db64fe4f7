"""The MCP server over standard input and output, with the SDK's own client: tools, resources, prompts, errors."""

from __future__ import annotations

import json
import os
import sys
from contextlib import closing
from functools import partial
from hashlib import sha256
from pathlib import Path

import anyio
import pytest

from fixtures import BAD, GOOD, wait_for, wait_for_tick
from mcp_calls import calls, content_of, talk
from model_server import Judges, ModelServer
from vetgate.agents import agent
from vetgate.app import App
from vetgate.source.root import store_key
from vetgate.store import open_project_store

KEY = "not-a-real-key-of-anybody"
PYTEST = f"{sys.executable} -m pytest -q -p no:cacheprovider -p no:xdist -p no:cov"
TESTS = """\
import pytest


def test_good():
    assert True


def test_bad():
    assert 1 == 2, "one is not two"


@pytest.mark.skip
def test_left_out():
    assert False
"""


@pytest.fixture
def project(clone):
    """A clone on its own branch with one commit; `accept` takes its configuration as a person would."""
    clone.put("a.py", GOOD)
    return clone


def accept(clone, **content):
    text = json.dumps({"version": 1, **content})
    clone.put("vetgate.yaml", text)
    with closing(open_project_store(clone.state, store_key(clone.root))) as store:
        store.set_trusted(sha256(text.encode()).hexdigest(), text)
    clone.git("add", "-A")
    clone.git("commit", "-q", "--no-verify", "-m", "begin")


def ask(clone, *wanted, **env):
    return calls(clone.root, clone.env | env, *wanted)


def tool(name, **arguments):
    return name, arguments


def test_tools_have_schemas_and_say_whether_they_only_read(project):
    async def look(client):
        return (await client.list_tools()).tools

    tools = {each.name: each for each in talk(project.root, project.env, look)}
    assert {"check", "run_tests", "confirm", "commit", "validate_intent", "explain", "metrics"} <= tools.keys()
    for each in tools.values():
        assert each.description
        assert each.input_schema["type"] == "object"
        assert each.output_schema["type"] == "object", each.name
        assert each.output_schema["properties"], each.name
    assert {name for name, each in tools.items() if each.annotations.read_only_hint} >= {"explain", "metrics"}
    assert not tools["commit"].annotations.read_only_hint


def test_no_tool_does_what_only_a_person_may(project):
    async def look(client):
        return [each.name for each in (await client.list_tools()).tools]

    names = talk(project.root, project.env, look)
    assert not [name for name in names for word in ("trust", "waive", "allow", "baseline", "init") if word in name]


def test_a_file_is_judged_as_it_would_be(project):
    accept(project)
    bad, good, unchanged = ask(
        project,
        tool("check", paths=["new.py"], content=BAD),
        tool("check", paths=["new.py"], content=GOOD),
        tool("check"),
    )
    assert bad["verdict"] == "block"
    assert {each["check"] for each in bad["findings"]} == {"complexity"}
    assert all(each["path"] == "new.py" and each["new"] for each in bad["findings"])
    assert good["verdict"] == "allow"
    assert good["findings"] == []
    assert unchanged["findings"] == []
    assert not (project.root / "new.py").exists()


def test_what_was_wrong_before_does_not_stop_a_small_change(project):
    project.put("old.py", BAD)
    accept(project)
    (found,) = ask(project, tool("check", paths=["old.py"], content=f"{BAD}\n\ndef other(a):\n    return a\n"))
    assert found["verdict"] == "allow"


def test_the_answer_is_that_of_the_gate_of_the_session(project):
    """What was put there behind the gate's back since the session began is not from before; asking changes nothing."""
    accept(project)
    name, env = "5e55", {"CLAUDE_CODE_SESSION_ID": "5e55"}
    app = App(project.state)
    start = {"session_id": name, "cwd": str(project.root), "hook_event_name": "SessionStart", "source": "startup"}
    app.answer("claude-code", json.dumps(start).encode(), str(project.root))
    app.flush()
    wait_for_tick()
    project.put("laid.py", BAD)
    content = f"{BAD}\n\ndef more(a):\n    return a\n"
    (asked,) = ask(project, tool("check", paths=["laid.py"], content=content), **env)
    (by_nobody,) = ask(project, tool("check", paths=["laid.py"], content=content))
    with closing(open_project_store(project.state, store_key(project.root))) as store:
        assert store.seen(name, str(project.root / "laid.py")) is None
    payload = agent("claude-code").session_wire.edit_payload(
        str(project.root / "laid.py"), content, str(project.root), name
    )
    assert app.answer("claude-code", payload, str(project.root)).status == 2
    assert asked["verdict"] == "block"
    assert by_nobody["verdict"] == "allow"


def test_a_diff_is_judged_before_it_is_applied(project):
    accept(project)
    project.put("a.py", GOOD + BAD)
    diff = project.git("diff") + "\n"
    project.put("a.py", GOOD)
    fits, outside, unfit, no_diff = ask(
        project,
        tool("check", diff=diff),
        tool("check", diff=diff.replace("a/a.py", "a/../../x.py").replace("b/a.py", "b/../../x.py")),
        tool("check", diff=diff.replace(" def fine(a):", " def other(a):")),
        tool("check", diff="hello"),
    )
    assert fits["verdict"] == "block"
    assert fits["findings"][0]["path"] == "a.py"
    assert "outside of this project" in outside
    assert "does not fit" in unfit
    assert "not a unified diff" in no_diff
    assert (project.root / "a.py").read_text() == GOOD


def test_accepted_lint_commands_run_and_others_do_not(project):
    accept(project, gates={"lint": {"command": "echo told; exit 3"}, "other": {"command": "touch ran"}})
    project.put("a.py", GOOD + "\n")
    (found,) = ask(project, tool("check"))
    (command,) = found["commands"]
    assert (command["gate"], command["status"], command["exit_status"]) == ("lint", "failed", 3)
    assert found["verdict"] == "block"
    assert "told" in command["output"]
    assert not (project.root / "ran").exists()


def test_a_command_that_nobody_accepted_is_not_run(project):
    accept(project)
    project.put("vetgate.yaml", "version: 1\ngates: {lint: {command: touch ran}, test: {command: touch ran}}\n")
    found, tests = ask(project, tool("check", paths=["a.py"]), tool("run_tests"))
    assert found["commands"] == []
    assert "none of the known frameworks" in tests
    assert not (project.root / "ran").exists()


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ({"paths": ["../x.py"]}, "outside of this project"),
        ({"paths": ["/etc/passwd"]}, "outside of this project"),
        ({"paths": ["link/hosts"]}, "outside of this project"),
        ({"paths": ["missing.py"]}, "does not exist"),
        ({"paths": "a.py"}, "paths: Input should be a valid list"),
        ({"path": ["a.py"]}, "takes no argument 'path'"),
        ({"content": "x"}, "exactly one path"),
        ({"paths": ["a.py"], "content": "x", "diff": "y"}, "exclude each other"),
        ({"paths": ["a\0b"]}, "is not a path"),
        ({"diff": ""}, "not a unified diff"),
    ],
)
def test_bad_input_is_a_clear_error(project, arguments, told):
    (project.root / "link").symlink_to("/etc")
    (found,) = ask(project, tool("check", **arguments))
    assert told in found
    assert "Traceback" not in found


def test_tests_are_run_and_read(project):
    project.put("tests/test_a.py", TESTS)
    accept(project, gates={"test": {"command": PYTEST}})
    whole, part, by_name, wrong = ask(
        project,
        tool("run_tests"),
        tool("run_tests", pattern="tests/test_*.py", framework="pytest"),
        tool("run_tests", pattern="good"),
        tool("run_tests", pattern="-p evil"),
    )
    assert (whole["framework"], whole["passed"], whole["failed"], whole["skipped"]) == ("pytest", 1, 1, 1)
    assert whole["ok"] is False
    assert whole["duration"] >= 0
    (failure,) = whole["failures"]
    assert failure["testFile"] == "tests/test_a.py"
    assert failure["testName"] == "test_bad"
    assert failure["line"] == 9
    assert "one is not two" in failure["error"]
    assert "assert 1 == 2" in failure["stack"]
    assert (part["passed"], part["failed"]) == (1, 1)
    assert (by_name["passed"], by_name["failed"], by_name["ok"]) == (1, 0, True)
    assert "cannot be used" in wrong


JEST = """\
FAIL src/a.test.js
  ● adds

    expect(received).toBe(expected)

      at Object.<anonymous> (src/a.test.js:3:17)

Tests:       1 failed, 1 skipped, 2 passed, 4 total
Time:        0.5 s
"""
VITEST = """\
 FAIL  src/a.test.ts > adds
AssertionError: expected 1 to be 2
 \u276f src/a.test.ts:4:13

 Test Files  1 failed (1)
      Tests  1 failed | 2 passed (3)
   Duration  250ms
"""
MOCHA = """\
  2 passing (12ms)
  1 failing

  1) sums
       adds:
     AssertionError: 1 == 2
      at Context.<anonymous> (test/a.js:5:12)
"""


@pytest.mark.parametrize(
    ("framework", "printed", "passed", "line"), [("jest", JEST, 2, 3), ("vitest", VITEST, 2, 4), ("mocha", MOCHA, 2, 5)]
)
def test_each_framework_is_read(project, framework, printed, passed, line):
    project.put("said.txt", printed)
    project.put(f"node_modules/.bin/{framework}", "#!/bin/sh\ncat said.txt\nexit 1\n").chmod(0o755)
    accept(project, gates={"test": {"command": f"node_modules/.bin/{framework}"}})
    (found,) = ask(project, tool("run_tests", framework=framework))
    assert (found["framework"], found["passed"], found["failed"]) == (framework, passed, 1)
    assert found["failures"][0]["line"] == line
    assert found["exit_status"] == 1


def test_a_run_that_takes_too_long_is_ended(project):
    accept(project, gates={"test": {"command": "sleep 100"}})
    (found,) = ask(project, tool("run_tests", timeout=1))
    assert found["ok"] is False
    assert "did not end within 1 seconds" in found["error"]


def test_tests_of_a_project_that_nobody_accepted_are_not_run(project):
    project.put("conftest.py", "open('ran', 'w')\n")
    (found,) = ask(project, tool("run_tests", framework="pytest"))
    assert "nobody accepted" in found
    assert not (project.root / "ran").exists()


def test_a_call_that_is_cancelled_ends_its_command(project, tmp_path):
    started = tmp_path / "started"
    accept(project, gates={"test": {"command": f"echo $$ > {started}.new; mv {started}.new {started}; sleep 600"}})

    async def act(client):
        async with anyio.create_task_group() as group:
            group.start_soon(client.call_tool, "run_tests", {})
            await anyio.to_thread.run_sync(wait_for, started.exists)
            group.cancel_scope.cancel()
        pid = int(started.read_text())
        await anyio.to_thread.run_sync(wait_for, partial(_is_gone, pid))
        return content_of(await client.call_tool("explain", {"id": "secrets"}))

    assert talk(project.root, project.env, act)["kind"] == "page"


def _is_gone(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"


def test_a_change_is_confirmed_and_declined_on_record(project):
    accept(project)
    project.put("a.py", GOOD + "\n\ndef two(a):\n    return a + 2\n")
    (good,) = ask(project, tool("confirm"))
    project.put("b.py", BAD)
    bad, log = ask(project, tool("confirm"), tool("explain", id=good["id"]))
    assert good["decision"] == "CONFIRMED"
    assert "no model is configured" in " ".join(good["notes"])
    assert bad["decision"] == "DECLINED"
    assert bad["findings"][0]["path"] == "b.py"
    assert log["decisions"][0]["decision"] == "allow"


def test_a_commit_holds_exactly_what_was_confirmed(project):
    accept(project)
    project.put("b.py", BAD)
    (declined,) = ask(project, tool("commit", message="no"))
    before = project.git("rev-parse", "HEAD")
    assert declined["committed"] is False
    assert declined["confirm"]["decision"] == "DECLINED"
    project.put("b.py", GOOD)
    project.put("c/d.py", "def other(b):\n    return b\n")
    secret, done, nothing = ask(
        project,
        tool("commit", message=f"use ghp_{'a1B2' * 9}"),
        tool("commit"),
        tool("commit"),
    )
    assert "holds a secret" in secret
    assert done["committed"] is True
    assert done["commit"] == project.git("rev-parse", "HEAD") != before
    assert project.git("log", "-1", "--format=%s") == "Add 2 files"
    assert project.git("status", "--porcelain") == ""
    assert "nothing uncommitted" in nothing


def test_judges_are_asked_where_a_model_is_configured(project):
    wrong = {"message": "off by one", "category": "logic", "severity": "critical", "path": "a.py", "line": 2}
    with ModelServer([Judges("deny", 0.95, "It is wrong.", (wrong,))]) as server:
        model = {"api": "anthropic", "model": "scripted", "url": server.url, "key": "$SCRIPTED_KEY"}
        accept(project, models={name: {**model, "price": {"input": 1, "output": 5}} for name in ("haiku", "opus")})
        project.put("a.py", GOOD.replace("return a", "return a + 1"))
        declined, intent = ask(project, tool("confirm"), tool("validate_intent"), SCRIPTED_KEY=KEY)
    assert declined["decision"] == "DECLINED"
    assert [(each["gate"], each["status"]) for each in declined["commands"]] == [("reviewer", "failed")]
    assert "It is wrong." in json.dumps(declined)
    assert "has nothing to ask" in intent or "conversation" in intent


def test_resources_and_prompts(project):
    accept(project)
    ask(project, tool("confirm"))

    async def look(client):
        read = {}
        for uri in ("vetgate://checks", "vetgate://checks/secrets", "vetgate://checks/security/sql-concatenation"):
            read[uri] = (await client.read_resource(uri)).contents[0].text
        read["decisions"] = (await client.read_resource("vetgate://decisions")).contents[0].text
        read["review"] = (await client.read_resource("vetgate://review")).contents[0].text
        try:
            await client.read_resource("vetgate://checks/nothing-like-it")
        except Exception as error:  # noqa: BLE001 - its words count
            read["missing"] = str(error)
        prompts = {each.name for each in (await client.list_prompts()).prompts}
        fix = (await client.get_prompt("fix", {"id": "secrets"})).messages[0].content.text
        return read, prompts, fix

    read, prompts, fix = talk(project.root, project.env, look)
    assert "`security/sql-concatenation`" in read["vetgate://checks"]
    assert read["vetgate://checks/secrets"].startswith("# ")
    assert "parameter" in read["vetgate://checks/security/sql-concatenation"]
    assert isinstance(json.loads(read["decisions"]), list)
    assert "no review" in read["review"]
    assert "no check, rule, weakness, judge or decision" in read["missing"]
    assert prompts == {"review", "fix"}
    assert "`secrets`" in fix


def test_metrics_and_pages(project):
    project.put("busy.py", BAD)
    measured, page, unknown = ask(
        project, tool("metrics", most=1), tool("explain", id="complexity/cyclomatic"), tool("explain", id="complexitty")
    )
    assert measured["functions"] == 2
    assert [each["function"] for each in measured["rows"]] == ["busy"]
    assert page["kind"] == "page"
    assert "cyclomatic" in page["page"]
    assert "did you mean complexity" in unknown


def test_a_server_started_in_a_subfolder_serves_the_project(project):
    project.put("sub/b.py", GOOD)
    accept(project)
    (found,) = calls(project.root / "sub", project.env, tool("check", paths=["a.py"]))
    assert found["verdict"] == "allow"


def test_the_command_becomes_the_server(project):
    async def act():
        process = await anyio.open_process(
            [sys.executable, "-P", "-m", "vetgate", "mcp"], cwd=project.root, env=project.env
        )
        async with process:
            request = {"jsonrpc": "2.0", "id": 1, "method": "initialize"}
            request["params"] = {
                "protocolVersion": "2025-11-25",
                "capabilities": {},
                "clientInfo": {"name": "test", "version": "1"},
            }
            await process.stdin.send(json.dumps(request).encode() + b"\n")
            answer = json.loads(await process.stdout.receive())
            await process.stdin.aclose()
            return answer, await process.wait()

    answer, status = anyio.run(act)
    assert answer["result"]["serverInfo"]["name"] == "vetgate"
    assert "Ask before you write" in answer["result"]["instructions"]
    assert status == 0
