"""A change on its way, over MCP: reviewed with progress, asked about, reconciled and pushed, with real git."""

from __future__ import annotations

import json
import subprocess
from contextlib import closing
from hashlib import sha256

import pytest

from fixtures import BAD, GOOD
from mcp_calls import calls, content_of, talk
from secret_samples import chance
from vetgate.source.root import store_key
from vetgate.store import open_project_store

TOKEN = "ghp_" + chance(36, seed=7)


def tool(name, **arguments):
    return name, arguments


@pytest.fixture
def topic(clone, tmp_path):
    """A branch with one change beside a bare remote; `configure` accepts a configuration as a person would."""
    clone.put("a.py", GOOD)
    clone.commit("begin")
    clone.git("branch", "-M", "main")
    remote = tmp_path / "remote.git"
    subprocess.run(["git", "init", "-q", "--bare", str(remote)], check=True)
    clone.git("remote", "add", "origin", str(remote))
    clone.git("push", "-q", "origin", "main")
    clone.remote = remote
    return clone


def configure(clone, **content):
    text = json.dumps({"version": 1, **content})
    clone.put("vetgate.yaml", text)
    with closing(open_project_store(clone.state, store_key(clone.root))) as store:
        store.set_trusted(sha256(text.encode()).hexdigest(), text)
    clone.commit("configure")
    clone.git("push", "-q", "origin", "main")
    clone.git("switch", "-q", "-c", "topic")


def on_remote(clone, branch):
    done = subprocess.run(
        ["git", "rev-parse", "--verify", "-q", branch], cwd=clone.remote, capture_output=True, text=True, check=False
    )
    return done.stdout.strip()


SHIP = {
    "gates": {"reviewed": {"ship": True}},
    "on": {"review": ["code"], "ship": ["reviewed"]},
    "ship": {"branches": ["main"]},
}


def test_a_push_waits_for_the_ship_gate(topic):
    configure(topic, **SHIP)
    topic.put("b.py", GOOD)
    topic.commit("more")
    before, held = calls(topic.root, topic.env, tool("ship_status"), tool("push"))
    assert before["allowed"] is False
    assert before["reasons"]
    assert held["pushed"] is False
    assert "Ship gate: BLOCKED" in held["reason"]
    assert on_remote(topic, "topic") == ""
    review, after, pushed, page = calls(
        topic.root,
        topic.env,
        tool("review", base="main"),
        tool("ship_status"),
        tool("push"),
        tool("review", loops=["nothing"]),
    )
    assert review["passed"] is True
    assert review["ship_allowed"] is True
    assert [gate["gate"] for loop in review["loops"] for gate in loop["gates"]] == ["code"]
    assert "nothing" in page
    assert after["allowed"] is True, after
    assert pushed["pushed"] is True, pushed
    assert on_remote(topic, "topic") == topic.git("rev-parse", "HEAD") == pushed["commit"]


def test_a_push_of_what_the_checks_stop_does_not_leave(topic):
    configure(topic)
    topic.put("b.py", f'token = "{TOKEN}"\n')
    topic.commit("leak")
    held, elsewhere = calls(topic.root, topic.env, tool("push"), tool("push", remote=str(topic.remote)))
    assert held["pushed"] is False
    assert "secrets/" in held["reason"]
    assert TOKEN[4:] not in json.dumps(held)
    assert "knows no remote" in elsewhere
    assert on_remote(topic, "topic") == ""


def test_a_review_tells_its_progress(topic):
    configure(topic, on={"review": ["code"]})
    topic.put("b.py", BAD)
    topic.commit("more")
    told = []

    async def act(client):
        async def hear(progress, total, message):
            told.append((progress, total, message))

        confirmed = content_of(await client.call_tool("confirm", {}, progress_callback=hear))
        return confirmed, content_of(await client.call_tool("review", {"base": "main"}, progress_callback=hear))

    topic.put("c.py", GOOD)
    confirmed, reviewed = talk(topic.root, topic.env, act)
    assert confirmed["decision"] == "CONFIRMED"
    assert (3, 3, "done") in told
    assert any(message.endswith("code failed") and done == total for done, total, message in told), told
    assert reviewed["passed"] is False
    assert {each["path"] for each in reviewed["findings"]} == {"b.py"}


def test_on_a_branch_from_which_code_leaves_only_what_was_reviewed_is_committed(topic):
    configure(topic, **SHIP)
    topic.git("switch", "-q", "main")
    head = topic.git("rev-parse", "HEAD")
    topic.put("b.py", GOOD)
    (held,) = calls(topic.root, topic.env, tool("commit", message="more"))
    assert held["committed"] is False
    assert "Ship gate: BLOCKED" in held["reason"]
    assert topic.git("rev-parse", "HEAD") == head


def test_items_are_listed_and_settled_as_an_agent(topic):
    """Whoever started the server: what settles over it is an agent's word."""
    configure(topic, on={"review": ["code"]})
    topic.put("b.py", BAD)
    topic.commit("more")
    _, listed, wrong = calls(
        topic.root,
        topic.env,
        tool("review", base="main"),
        tool("reconcile", source="local"),
        tool("reconcile", fixed="HEAD"),
    )
    assert "exactly one" in wrong
    item = listed["items"][0]["id"]
    reason = "the function is generated and never read"
    (settled,) = calls(topic.root, topic.env, tool("reconcile", item=item, refuted=reason))
    assert [each["by"] for each in settled["items"] if each["id"] == item] == ["agent"]


def test_where_nothing_is_listed_for_shipping_that_is_said(topic):
    configure(topic)
    (said,) = calls(topic.root, topic.env, tool("ship_status"))
    assert "`on.ship` lists no gates" in said
