"""The real client as a model (`api: claude-cli`): what it is sent, what it leaves behind, how it fails."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from .session import client_binary, only_loopback


def test_the_real_client_answers_as_a_judge(tmp_path: Path) -> None:
    script = Path(__file__).with_name("hermetic_judge.py")
    command = [*only_loopback(), sys.executable, str(script), str(client_binary()), str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stderr
    said = json.loads(done.stdout)
    told = {name: each["reply"] for name, each in said["told"].items()}
    sent = {name: each["sent"] for name, each in said["told"].items()}

    answer = told["answers"]["answer"]
    assert (answer["decision"], answer["confidence"], answer["reason"]) == ("deny", 0.75, "Not asked for.")
    assert [finding["message"] for finding in answer["findings"]] == ["Unrelated."]
    assert told["answers"]["usage"]["input"] >= 100
    # One request, with nothing in it but what we ask.
    [request] = sent["answers"]
    assert "You are a judge." in request["body"]
    assert "<x>one and one</x>" in request["body"]
    assert len(request["body"]) < 12_000
    assert request["headers"]["x-api-key"] == "not-a-key"

    failures = {name: reply["failure"] for name, reply in told.items()}
    assert failures["refused"] == "no-key"
    assert failures["hangs"] == "timeout"
    assert said["told"]["hangs"]["dropped"]
    assert failures["broken"] in {"overloaded", "timeout"}
    assert failures["garbled"] in {"other", "unreachable", "overloaded", "malformed", "timeout"}
    assert failures["words"] in {"malformed", "other"}
    assert all("not-a-key" not in json.dumps(reply) for reply in told.values())
    assert said["transcripts"] == []
