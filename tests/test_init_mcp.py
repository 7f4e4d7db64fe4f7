"""The MCP server in .mcp.json: what `vetgate init` writes, leaves alone and takes away, and what doctor says of it."""

from __future__ import annotations

import json
import sys

import pytest

from vetgate.agents.installation import Scope

BY_NAME = {"command": "vetgate", "args": ["mcp"]}
HERE = {"command": sys.executable, "args": ["-P", "-m", "vetgate", "mcp"]}


@pytest.fixture
def by_name(clone):
    """A `vetgate` on the PATH."""
    script = clone.bin / "vetgate"
    script.write_text(f'#!/bin/sh\nexec {sys.executable} -P -m vetgate "$@"\n')
    script.chmod(0o755)
    return clone


def servers(clone):
    return json.loads((clone.root / ".mcp.json").read_text())["mcpServers"]


@pytest.mark.parametrize("place", list(Scope))
def test_it_is_registered_by_name_and_goes_without_a_trace(by_name, place):
    done = by_name.init("--yes", "--settings", place)
    assert done.returncode == 0, done.stderr
    assert servers(by_name) == {"vetgate": BY_NAME}
    again = by_name.init("--yes", "--settings", place)
    assert "nothing was changed" in again.stdout
    assert by_name.init("--remove", "--yes").returncode == 0
    assert not (by_name.root / ".mcp.json").exists()


def test_without_the_program_on_the_path_it_is_registered_by_its_place(clone):
    done = clone.init("--yes")
    assert servers(clone) == {"vetgate": HERE}
    assert "keep that file out of commits" in done.stderr


def test_it_can_be_declined(clone):
    assert clone.init("--yes", "--no-mcp").returncode == 0
    assert not (clone.root / ".mcp.json").exists()


def test_servers_of_others_stay_to_the_byte(by_name):
    before = '{\n    "mcpServers": {\n        "other": {"command": "x"}\n    }\n}\n'
    by_name.put(".mcp.json", before)
    by_name.init("--yes")
    assert servers(by_name) == {"other": {"command": "x"}, "vetgate": BY_NAME}
    by_name.init("--remove", "--yes")
    assert (by_name.root / ".mcp.json").read_text() == before


def test_of_a_file_that_changed_since_only_our_entry_goes(by_name):
    by_name.init("--yes")
    by_name.put(".mcp.json", json.dumps({"mcpServers": {**servers(by_name), "other": {"command": "x"}}}))
    by_name.init("--remove", "--yes")
    assert servers(by_name) == {"other": {"command": "x"}}


@pytest.mark.parametrize(
    "text", ["{", "[]", '{"mcpServers": []}', '{"mcpServers": {"vetgate": {"command": "mine", "args": []}}}']
)
def test_what_init_did_not_write_is_left_alone_and_named(by_name, text):
    by_name.put(".mcp.json", text)
    done = by_name.init("--yes")
    assert done.returncode == 0
    assert ".mcp.json was left alone" in done.stderr
    assert (by_name.root / ".mcp.json").read_text() == text
    by_name.init("--remove", "--yes")
    assert (by_name.root / ".mcp.json").read_text() == text


def diagnosis(clone):
    rows = json.loads(clone.vetgate("doctor", "--format", "json").stdout)["findings"]
    return [row for row in rows if row["id"] == "mcp"]


def test_doctor_asks_the_server(by_name):
    by_name.init("--yes")
    (found,) = diagnosis(by_name)
    assert found["status"] == "good"
    assert "answers" in found["what"]
    (by_name.bin / "vetgate").write_text("#!/bin/sh\necho broken >&2; exit 1\n")
    (found,) = diagnosis(by_name)
    assert found["status"] == "note"
    assert "does not answer: broken" in found["what"]


def test_doctor_runs_nothing_that_a_repository_says(by_name):
    by_name.init("--yes")
    evil = by_name.root / "evil"
    evil.write_text("#!/bin/sh\ntouch ran\n")
    evil.chmod(0o755)
    by_name.put(".mcp.json", json.dumps({"mcpServers": {"vetgate": {"command": str(evil), "args": HERE["args"]}}}))
    (found,) = diagnosis(by_name)
    assert "not this one" in found["what"]
    assert not (by_name.root / "ran").exists()
