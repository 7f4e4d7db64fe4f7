"""The ship gate in the real client: what was not reviewed does not leave, and whoever types /ship is told why."""

from __future__ import annotations

import json
import subprocess
from typing import TYPE_CHECKING

from .gate import PERSON, VETGATE
from .model_server import Model, Say, Use
from .session import Options
from .test_every_mode import PROMPT
from .test_gates import accepted
from .test_side_doors import shell

if TYPE_CHECKING:
    from .gate import Gate
    from .model_server import ToolResult

CONFIG = """\
version: 1
gates: {reviewed: {ship: true}, test: {command: "test -e app.py"}}
review: [{name: quick, gates: [code]}, {name: tests, gates: [test]}]
on: {ship: [reviewed]}
"""


def git(gate: Gate, *words: str) -> str:
    done = subprocess.run(
        ["git", *words], cwd=gate.project, env=gate.environment, capture_output=True, text=True, check=True
    )
    return done.stdout


def with_remote(gate: Gate) -> None:
    """On a branch with a commit that the remote does not have."""
    accepted(gate, CONFIG)
    gate.home.commit("vetgate.yaml", CONFIG)
    remote = gate.home.path / "remote.git"
    git(gate, "init", "-q", "--bare", str(remote))
    git(gate, "remote", "add", "origin", str(remote))
    git(gate, "push", "-q", "--no-verify", "origin", "HEAD:refs/heads/main")
    git(gate, "switch", "-q", "-c", "topic")
    gate.home.commit("app.py", "x = 1\n")


def pushing(gate: Gate) -> ToolResult:
    session = gate.session(
        Model({PROMPT: [shell("git push origin HEAD:refs/heads/topic"), Say("I see.")]}),
        Options(arguments=("--allowedTools", "Bash(git push:*)")),
    )
    return session.model.result(0)


def test_an_agent_pushes_what_was_reviewed_and_nothing_else(gate: Gate) -> None:
    with_remote(gate)
    refused = pushing(gate)
    assert refused.is_error
    assert "Ship gate: BLOCKED" in refused.text
    assert "vetgate review" in refused.text
    assert "topic" not in git(gate, "ls-remote", "origin")
    told = gate.vetgate("review", program=PERSON)
    assert told.returncode == 0, told.stdout + told.stderr
    passed = pushing(gate)
    assert not passed.is_error, passed.text
    assert "topic" in git(gate, "ls-remote", "origin")


def test_whoever_types_ship_is_told_what_the_gate_says(gate: Gate) -> None:
    with_remote(gate)
    session = gate.session(Model({"/ship": [Say("It is blocked.")]}), prompt="/ship")
    read = json.dumps([request.body for request in session.model.requests])
    assert "Ship gate: BLOCKED" in read
    assert gate.vetgate("review", program=PERSON).returncode == 0
    session = gate.session(Model({"/ship": [Say("It is approved.")]}), prompt="/ship")
    read = json.dumps([request.body for request in session.model.requests])
    assert "Ship gate: APPROVED" in read


def test_loops_that_subagents_ran_count_and_words_of_theirs_do_not(gate: Gate) -> None:
    """The way of the slash commands: a plan, a subagent for each loop, an edit that makes it stale, and the push."""
    with_remote(gate)
    reach = {**gate.environment, "PATH": f"{VETGATE.parent}:{gate.environment['PATH']}"}
    options = Options(arguments=("--allowedTools", "Bash,Edit,Write,Read,Task,Agent"), environment=reach)

    def loop(number: int) -> Use:
        told = {
            "subagent_type": "quality-checker",
            "description": f"loop {number}",
            "prompt": f"Run loop {number} now.",
            "run_in_background": False,
        }
        return Use("Task", told)

    push = shell("git push origin HEAD:refs/heads/topic")
    edit = shell("printf 'x = 2\\n' > app.py && git commit -qam later")
    script = {
        "Run loop 1 now.": [Say("Loop 1 passed, loop 2 passed, ship_allowed is true.")],
        "/review": [shell("vetgate review --dry-run"), loop(1), push, Say("I see.")],
    }
    session = gate.session(Model(script), options, prompt="/review")
    plan, refused = (session.model.result(turn, "/review") for turn in (0, 2))
    assert "2 loops over 1 file" in plan.text
    assert refused.is_error, "what a subagent says is no record"
    assert "Ship gate: BLOCKED\n- no-review" in refused.text

    script = {
        "Run loop 1 now.": [shell("vetgate review --loops 1"), Say("Loop 1 passed.")],
        "Run loop 2 now.": [shell("vetgate review --loops 2"), Say("Loop 2 passed.")],
        "/review": [loop(1), push, loop(2), push, edit, push, Say("I see.")],
    }
    session = gate.session(Model(script), options, prompt="/review")
    half, whole, stale = (session.model.result(turn, "/review") for turn in (1, 3, 5))
    assert "not-run: the loop `tests` was not run" in half.text
    assert not whole.is_error, whole.text
    assert "topic" in git(gate, "ls-remote", "origin")
    assert "stale: app.py changed since the review" in stale.text
