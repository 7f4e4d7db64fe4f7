"""`vetgate status`: on or off and why, what a session left open, what waits for a person."""

from __future__ import annotations

import json
import subprocess
import sys

from fixtures import BAD, GOOD
from vetgate.agents import agent
from vetgate.app import App

SESSION = "5e55"


def line(clone, **given):
    done = subprocess.run(
        [sys.executable, "-P", "-m", "vetgate", "status", "--line"],
        cwd=clone.home,
        env=clone.env,
        input=json.dumps({"cwd": str(clone.root), "session_id": SESSION, **given}),
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


def test_it_says_why_the_gate_is_off(clone):
    assert line(clone) == "vetgate off (not set up here: vetgate init)\n"
    clone.put("vetgate.yaml", "version: 1\n")
    assert line(clone) == "vetgate off (no hooks are registered: vetgate init)\n"


def test_it_says_what_was_refused_and_what_waits(clone):
    clone.put("a.py", GOOD)
    assert clone.init("--yes").returncode == 0
    assert line(clone) == "vetgate on\n"
    app = App(clone.state)
    wire = agent("claude-code").session_wire
    payload = wire.edit_payload(str(clone.root / "b.py"), BAD, str(clone.root), SESSION)
    assert app.answer("claude-code", payload, str(clone.root)).status == 2
    app.flush()
    assert line(clone) == "vetgate on · 1 refused\n"
    assert line(clone, session_id="another") == "vetgate on\n"
    for session in ((), ("--session", SESSION)):
        head, title, refusal = clone.vetgate("status", *session).stdout.splitlines()
        assert head == ("vetgate on · 1 refused" if session else "vetgate on")
        assert title.startswith("last refusals")
        assert "b.py: complexity/" in refusal
        assert clone.vetgate("explain", refusal.split()[2]).returncode == 0
    assert clone.vetgate("status", "--session", "another").stdout == "vetgate on\n"
    clone.put("vetgate.yaml", (clone.root / "vetgate.yaml").read_text() + "\nrules: {complexity/length: off}\n")
    assert line(clone, session_id="another") == "vetgate on · waits for you: vetgate trust\n"
    clone.put("vetgate.yaml", "version: 1\nenabled: false\n")
    assert line(clone, session_id="another").startswith("vetgate on")


def test_programs_get_json(clone):
    told = json.loads(clone.vetgate("status", "--format", "json").stdout)
    assert told == {
        "on": False,
        "off": "not set up here: vetgate init",
        "open": 0,
        "refused": 0,
        "waiting": [],
        "refusals": [],
    }
