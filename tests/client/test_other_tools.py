"""Every way a model can write a file passes the same gate."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from .model_server import Model, Say, Use
from .samples import PLAIN, TANGLED, TELLS, notebook
from .session import Options

if TYPE_CHECKING:
    from .gate import Gate
    from .model_server import ToolResult

PROMPT = "Please write the routing."
ERRAND = "Write the routing for me, colleague."
FILE_SERVER = Path(__file__).with_name("mcp_files.py")


def assert_denied(result: ToolResult) -> None:
    assert result.is_error
    for detail in TELLS:
        assert detail in result.text


def test_a_notebook_cell_is_denied_and_its_plain_form_lands(gate: Gate) -> None:
    path = gate.home.commit("routing.ipynb", notebook("pass\n"))
    before = path.read_text()

    def cell(source: str, first: object = None) -> Use:
        arguments = {"notebook_path": str(path), "cell_id": "c1", "new_source": source}
        return Use("NotebookEdit", arguments, first)

    untouched = []
    replies = [
        Use("Read", {"file_path": str(path)}),
        cell(TANGLED),
        cell(PLAIN, first=lambda: untouched.append(path.read_text() == before)),
        Say("Done."),
    ]
    session = gate.session(Model({PROMPT: replies}))
    assert_denied(session.model.result(1))
    assert untouched == [True]
    assert not session.model.result(2).is_error, session.model.result(2).text
    assert "code * 3" in path.read_text()


def test_a_file_tool_of_an_mcp_server_is_denied_and_its_plain_form_lands(gate: Gate) -> None:
    servers = {"mcpServers": {"files": {"command": sys.executable, "args": ["-I", str(FILE_SERVER)]}}}
    tool = "mcp__files__write_file"

    def write(name: str, content: str) -> Use:
        return Use(tool, {"path": str(gate.project / name), "content": content})

    session = gate.session(
        Model({PROMPT: [write("tangled.py", TANGLED), write("plain.py", PLAIN), Say("Done.")]}),
        Options(arguments=("--mcp-config", json.dumps(servers), "--allowedTools", tool)),
    )
    assert_denied(session.model.result(0))
    assert not (gate.project / "tangled.py").exists()
    assert not session.model.result(1).is_error, session.model.result(1).text
    assert (gate.project / "plain.py").read_text() == PLAIN


def test_a_subagent_is_denied_and_its_plain_form_lands(gate: Gate) -> None:
    def write(name: str, content: str) -> Use:
        return Use("Write", {"file_path": str(gate.project / name), "content": content})

    errand = {"description": "Write the routing", "prompt": ERRAND, "subagent_type": "general-purpose"}
    session = gate.session(
        Model(
            {
                PROMPT: [Use("Agent", {**errand, "run_in_background": False}), Say("Done.")],
                ERRAND: [write("tangled.py", TANGLED), write("plain.py", PLAIN), Say("Reported.")],
            }
        )
    )
    assert_denied(session.model.result(0, ERRAND))
    assert not (gate.project / "tangled.py").exists()
    assert not session.model.result(1, ERRAND).is_error
    assert (gate.project / "plain.py").read_text() == PLAIN
