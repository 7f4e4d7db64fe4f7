"""What only a person may do: real processes, real terminals, and none of this test's own ancestors."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import textwrap
from hashlib import sha256
from typing import TYPE_CHECKING

import pytest

from fixtures import wait_for
from vetgate.config.person import MARKERS, PROGRAMS, agent_marker

if TYPE_CHECKING:
    from pathlib import Path

LOOSE = "version: 1\ncomplexity: {cyclomatic: 30, nesting: 2}\n"

# Leaves its parents behind, and opens the terminal itself, so that an agent which runs these tests is not seen by what
# is tested. What is left above it is a script, as it is above whatever an agent detaches: see SCRIPTED below.
ALONE = textwrap.dedent("""
    import os, pty, subprocess, sys, time
    folder, typed, command = sys.argv[1], sys.argv[2], sys.argv[3:]
    parent = os.getpid()
    os.setsid()
    if os.fork():
        os._exit(0)
    while os.getppid() == parent:
        time.sleep(0.001)
    if "LEADS" in os.environ:
        os.setsid()
    output = b""
    if typed == "-":
        done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        status, output = done.returncode, done.stdout
    else:
        child, outer = pty.fork()
        if not child:
            os.execvp(command[0], command)
        os.write(outer, typed[1:].encode())
        try:
            while chunk := os.read(outer, 65536):
                output += chunk
        except OSError:  # how Linux says that the other side is closed
            pass
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    with open(folder + "/output", "wb") as file:
        file.write(output)
    with open(folder + "/status.part", "w") as file:
        file.write(str(status))
    os.rename(folder + "/status.part", folder + "/status")
""")
A_PERSON = "import vetgate.config.person as person; person.SCRIPTED = frozenset({scripted})\n"
ASK = A_PERSON + "person.require_person('do this', terminal={terminal}); print('a person')"
VETGATE = A_PERSON.format(scripted="") + "from vetgate.cli.main import main; main()"


@pytest.fixture
def scratch(tmp_path):
    project = tmp_path / "project"
    project.mkdir()
    (project / "vetgate.yaml").write_text(LOOSE)
    return project


def run(project: Path, *arguments: str, typed: str | None = None, **environ: str) -> tuple[int, str]:
    """Exit status and output; with `typed`, in a terminal."""
    home = project.parent
    env = {"HOME": str(home), "PATH": os.environ["PATH"], "VETGATE_STATE_DIR": str(home / "state"), **environ}
    status = home / "status"
    status.unlink(missing_ok=True)
    words = "-" if typed is None else f"+{typed}"
    command = [sys.executable, "-c", ALONE, str(home), words, *arguments]
    subprocess.run(command, cwd=project, env=env, stdin=subprocess.DEVNULL, capture_output=True, check=True)
    wait_for(status.exists)
    said = (home / "output").read_text().replace("\r\n", "\n")
    # A terminal shows what is typed before anybody reads it.
    return int(status.read_text()), said.removeprefix((typed or "").replace("\r", "\n"))


def vetgate(project, *arguments, typed=None, **environ):
    return run(project, sys.executable, "-c", VETGATE, *arguments, typed=typed, **environ)


def shown_lines(project):
    status, output = vetgate(project, "config", "show")
    assert status == 0
    return [" ".join(line.split()) for line in output.splitlines()]


def ask(project, *before, terminal=True, typed=None, scripted="", **environ):
    code = ASK.format(terminal=terminal, scripted=scripted)
    return run(project, *before, sys.executable, "-c", code, typed=typed, **environ)


def program(folder: Path, name: str) -> str:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    path.write_text('#!/bin/sh\n"$@"\nexit $?\n')
    path.chmod(0o755)
    return str(path)


def test_a_person_in_a_terminal_may(scratch):
    assert ask(scratch, typed="") == (0, "a person\n")


def test_without_a_terminal_nobody_may(scratch):
    status, output = ask(scratch)
    assert status == 1
    assert "only a person may do this: there is no terminal" in output


def test_ci_may_where_no_terminal_is_needed(scratch):
    assert ask(scratch, terminal=False) == (0, "a person\n")


@pytest.mark.parametrize("name", MARKERS)
def test_an_agents_variable_is_recognised(name):
    assert agent_marker({name: "1", "HOME": "/root"}) == f"this runs under {MARKERS[name]} ({name} is set)"


@pytest.mark.parametrize(
    "name", ["CODEX_HOME", "CURSOR_TRACE_ID", "CLAUDE_CONFIG_DIR", "SSH_AGENT_PID", "TERM_PROGRAM"]
)
def test_a_variable_of_a_persons_own_terminal_is_none(name):
    assert agent_marker({name: "1"}) == ""
    assert agent_marker({"CLAUDECODE": ""}) == ""


@pytest.mark.parametrize("terminal", [True, False])
def test_an_agents_variable_refuses_also_in_a_terminal(scratch, terminal):
    status, output = ask(scratch, terminal=terminal, typed="", CLAUDECODE="1")
    assert status == 1
    assert "this runs under Claude Code (CLAUDECODE is set)" in output


@pytest.mark.parametrize("name", ["claude", "codex", "cursor-agent"])
def test_below_an_agents_process_nobody_may(scratch, tmp_path, name):
    agent = program(tmp_path / "bin", name)
    shell = program(tmp_path / "bin", "any shell (with) odd name")
    status, output = ask(scratch, agent, shell, terminal=False)
    assert status == 1
    assert f"this runs below {PROGRAMS[name]} (process " in output


def test_an_agent_run_by_an_interpreter_is_recognised_by_its_package(scratch, tmp_path):
    script = program(tmp_path / "node_modules" / "@anthropic-ai" / "claude-code", "cli.js")
    assert "this runs below Claude Code" in ask(scratch, "/bin/sh", script, terminal=False)[1]


def test_a_folder_called_like_an_agent_is_none(scratch, tmp_path):
    shell = program(tmp_path / "claude" / "codex", "shell")
    assert ask(scratch, shell, terminal=False) == (0, "a person\n")


# Opens a terminal of its own for a command; leaves its parents behind before it runs one.
IN_A_TERMINAL = "import pty, sys; sys.exit(pty.spawn(sys.argv[1:]))"
DETACHED = textwrap.dedent("""
    import os, sys, time
    reads, writes = os.pipe()
    parent = os.fork()
    if parent:
        os.close(writes)
        os.waitpid(parent, 0)
        os.read(reads, 1)  # until the one that was left behind has ended
        os._exit(0)
    if os.fork():
        os._exit(0)
    while os.getppid() == parent:
        time.sleep(0.001)
    {setsid}
    os.set_inheritable(writes, True)
    os.execvp(sys.argv[1], sys.argv[1:])
""")
PYTHON = (sys.executable, "-c")


def test_an_agents_variable_is_seen_in_whatever_started_this(scratch):
    status, output = ask(scratch, "env", "-u", "CLAUDECODE", terminal=False, CLAUDECODE="1")
    assert status == 1
    assert "this runs below Claude Code (CLAUDECODE is set in process " in output


def test_an_empty_variable_is_none(scratch):
    assert ask(scratch, "env", "-u", "CLAUDECODE", terminal=False, CLAUDECODE="") == (0, "a person\n")


def test_the_agent_that_leads_the_session_is_seen_by_what_was_left_behind(scratch, tmp_path):
    agent = program(tmp_path / "bin", "claude")
    _, output = ask(scratch, "setsid", "-w", agent, *PYTHON, DETACHED.format(setsid=""), terminal=False)
    assert "this session runs below Claude Code" in output


@pytest.mark.parametrize("setsid", ["", "os.setsid()"], ids=["in its session", "in a session of its own"])
def test_the_agent_above_whatever_opened_the_terminal_is_seen(scratch, tmp_path, setsid):
    agent = program(tmp_path / "bin", "claude")
    opened = (*PYTHON, IN_A_TERMINAL, *PYTHON, DETACHED.format(setsid=setsid))
    _, output = ask(scratch, agent, *opened)
    assert ("this terminal was opened below Claude Code" if setsid else "this session runs below Claude Code") in output
    assert "a person" not in output.splitlines()


def test_a_variable_above_whatever_opened_the_terminal_is_seen(scratch):
    opened = (*PYTHON, IN_A_TERMINAL, "env", "-u", "CODEX_CI", *PYTHON, DETACHED.format(setsid="os.setsid()"))
    _, output = ask(scratch, *opened, CODEX_CI="1")
    assert "this terminal was opened below Codex (CODEX_CI is set in process " in output


def test_a_terminal_with_nothing_above_it_but_scripts_is_nobodys(scratch):
    status, output = ask(scratch, typed="", scripted="{'python'}")
    assert status == 1
    assert "this terminal was opened by a script (python" in output


def test_a_script_above_which_something_else_stands_may_open_one(scratch):
    assert ask(scratch, typed="", scripted="{'bash'}") == (0, "a person\n")


@pytest.mark.parametrize("leads", [{}, {"LEADS": "1"}], ids=["in its session", "in a session of its own"])
def test_what_was_detached_may_not_either_without_a_terminal(scratch, leads):
    status, output = ask(scratch, terminal=False, scripted="{'python'}", **leads)
    assert status == 1
    assert "this was detached from what started it" in output


def test_an_agent_beside_a_person_in_the_same_terminal_is_not_above_them(scratch, tmp_path):
    """Suspended, say, while its person accepts something in the shell below which it runs."""
    agent = program(tmp_path / "bin", "claude")
    code = ASK.format(terminal=True, scripted="")
    line = f'CLAUDECODE=1 {agent} sleep 20 & {sys.executable} -c "{code}"; kill %1'
    status, output = run(scratch, "bash", "-m", "-c", line, typed="")
    assert "a person" in output.splitlines(), output
    assert status == 0


def test_trust_shows_the_file_and_asks(scratch):
    status, output = vetgate(scratch, "trust", typed="y\n")
    assert status == 0
    assert "complexity: {cyclomatic: 30, nesting: 2}" in output
    assert "complexity.cyclomatic: 10 -> 30" in output
    assert "complexity.nesting: 4 -> 2" in output
    looser = output.split("of these, looser than now:")[1]
    assert "complexity.cyclomatic 30 is looser than 10" in looser
    assert "nesting" not in looser
    assert "accepted: vetgate.yaml" in output
    assert vetgate(scratch, "trust", typed="")[1].startswith("vetgate.yaml is accepted already")
    assert "cyclomatic: 30 # vetgate.yaml:2" in shown_lines(scratch)


@pytest.mark.parametrize("typed", ["n\n", "\n"])
def test_trust_takes_anything_but_yes_as_no(scratch, typed):
    status, output = vetgate(scratch, "trust", typed=typed)
    assert status == 1
    assert "nothing was accepted" in output
    assert "cyclomatic: 10" in vetgate(scratch, "config", "show")[1]


def test_a_file_cannot_play_tricks_with_the_terminal(scratch):
    (scratch / "vetgate.yaml").write_text("version: 1\n# \u202e hidden \u2066\n")
    assert "\u202e" not in vetgate(scratch, "trust", typed="n\n")[1]


def test_trust_needs_a_terminal_or_a_digest(scratch):
    status, output = vetgate(scratch, "trust")
    assert status == 3
    assert "only a person may accept vetgate.yaml: there is no terminal" in output
    assert "--digest" in output


def test_trust_by_digest_takes_exactly_that_content(scratch):
    status, output = vetgate(scratch, "trust", "--digest", "0" * 64)
    digest = sha256(LOOSE.encode()).hexdigest()
    assert status == 3
    assert f"vetgate.yaml has the digest {digest}, not 0000" in output
    assert vetgate(scratch, "trust", "--digest", digest.upper())[0] == 0
    status, output = vetgate(scratch, "trust", "--digest", "0" * 64)
    assert status == 3, "also when the file is accepted already"
    assert f"vetgate.yaml has the digest {digest}, not 0000" in output
    assert "cyclomatic: 30" in vetgate(scratch, "config", "show")[1]


def test_an_agent_cannot_trust_by_digest(scratch):
    digest = sha256(LOOSE.encode()).hexdigest()
    status, output = vetgate(scratch, "trust", "--digest", digest, CLAUDE_CODE_SESSION_ID="x")
    assert status == 3
    assert "this runs under Claude Code" in output
    assert "--digest" not in vetgate(scratch, "trust", CLAUDECODE="1")[1], "an agent is not told of it"


def test_a_broken_file_cannot_be_accepted(scratch):
    (scratch / "vetgate.yaml").write_text("version: 1\ncomplexty: 1\n")
    status, output = vetgate(scratch, "trust", typed="y\n")
    assert status == 3
    assert "vetgate.yaml:2:1: complexty: unknown key" in output


def test_going_back_to_the_defaults_takes_a_person(scratch):
    vetgate(scratch, "trust", typed="y\n")
    (scratch / "vetgate.yaml").unlink()
    shown = shown_lines(scratch)
    assert shown[0].startswith("# vetgate.yaml is gone")
    assert any(re.search(r"nesting: 2 # accepted by \S+ on \d{4}-\d\d-\d\d", line) for line in shown)
    status, output = vetgate(scratch, "trust", typed="y\n")
    assert (status, "the defaults would be in force again" in output) == (0, True)
    assert "nesting: 4 # default" in shown_lines(scratch)


def test_there_is_nothing_to_accept_where_there_is_no_file(scratch):
    (scratch / "vetgate.yaml").unlink()
    status, output = vetgate(scratch, "trust", typed="y\n")
    assert (status, "there is no vetgate.yaml to accept" in output) == (3, True)


def test_show_says_where_each_value_comes_from(scratch):
    (scratch / "vetgate.yaml").write_text(
        "version: 1\nextends: [strict]\npaths:\n  exclude:\n    - gen/**\ncomplexity: {nesting: 1, length: 90}\n"
    )
    lines = shown_lines(scratch)
    assert lines[0].startswith("# vetgate.yaml is not accepted yet; not in force:")
    assert "cyclomatic: 8 # preset strict" in lines
    assert "nesting: 1 # vetgate.yaml:6" in lines
    assert "length: 50 # default (vetgate.yaml:6 is not accepted)" in lines
    assert "before_edit: [code] # default" in lines


def test_what_show_prints_can_be_used_as_a_file(scratch):
    shown = vetgate(scratch, "config", "show")[1]
    (scratch / "vetgate.yaml").write_text(shown)
    status, again = vetgate(scratch, "config", "show")
    assert status == 0
    assert "cyclomatic: 10" in again
    assert "nesting: 2" in again


def test_show_of_a_broken_file_prints_what_is_in_force_and_fails(scratch):
    (scratch / "vetgate.yaml").write_text("version: 1\ncomplexty: 1\n")
    status, output = vetgate(scratch, "config", "show")
    assert status == 3
    assert "cyclomatic: 10" in output
    assert "vetgate: vetgate.yaml:2:1: complexty: unknown key" in output


def test_the_path_and_the_schema_can_be_asked_for(scratch):
    inside = scratch / "deep" / "down"
    inside.mkdir(parents=True)
    command = ["/bin/sh", "-c", f"cd deep/down && exec {sys.executable} -m vetgate config path"]
    assert run(scratch, *command) == (0, f"{scratch}/vetgate.yaml\n")
    assert '"cyclomatic"' in vetgate(scratch, "config", "schema")[1]
    (scratch / "vetgate.yaml").unlink()
    assert vetgate(scratch, "config", "path")[0] == 3
