"""An agent is a package: one that is put into a copy of this one is parsed, gated, set up, examined and taken back."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import vetgate
from fixtures import branches

OURS = ("home/.local/state/", "home/.cache/")
PACKAGE = {
    "__init__.py": '"""A third agent."""\n',
    "known.py": """
from vetgate.agents import Capabilities
from vetgate.known_agents import Gated, HookSettings, KnownAgent, Launch
from vetgate.model import EventKind

NAME = "third-agent"


def read_settings(text):
    return HookSettings({"write": text} if text and "vetgate-hook" in text else {})


KNOWN = KnownAgent(
    title="Third Agent",
    program="third",
    processes=("third",),
    markers=("THIRD_SESSION",),
    launches={"third": Launch()},
    folder=".third",
    settings=(".third/hooks.txt",),
    gated=Gated(events={"write": (EventKind.BEFORE_EDIT,)}, read_settings=read_settings),
)
CAPABILITIES = Capabilities(frozenset({EventKind.BEFORE_EDIT}), shows_content=True)
""",
    "wire.py": """
import json
from pathlib import Path

from vetgate.agents.third_agent.known import CAPABILITIES, NAME
from vetgate.model import Event, EventKind, EventSession, Reply
from vetgate.source.edit import Proposal, change_of


def edit_payload(path, content, cwd, session):
    return json.dumps({"id": session, "in": cwd, "writes": path, "text": content}).encode()


def session_of(payload, event=""):
    return EventSession(json.loads(payload)["id"])


def parse(payload, cwd, event=""):
    raw = json.loads(payload)
    folder = Path(raw.get("in", cwd))
    change = change_of([Proposal(Path(raw["writes"]), content=raw["text"])], folder)
    return Event(NAME, EventKind.BEFORE_EDIT, raw["id"], folder, "writes", change, name="write")


def render(event, verdict):
    held = CAPABILITIES.holds(event.kind, verdict.decision)
    told = "".join(f"third: {message.text}" for message in verdict.messages)
    return Reply(2 if held else 0, stderr=told.encode())
""",
    "registration.py": """
from pathlib import Path

from vetgate.agents.installation import SETTINGS, Plan, Removal, Scope, Writing
from vetgate.agents.third_agent.known import NAME
from vetgate.model import UserError
from vetgate.source.replace import read_bytes


def settings():
    return Path.home() / ".third" / "hooks.txt"


def install(installation):
    line = installation.command(NAME, installation.scope or Scope.USER)
    writing = Writing(settings(), SETTINGS, read_bytes(settings()), line.encode())
    return Plan([installation.launcher_writing(NAME), writing])


def remove(installation, receipts):
    there = read_bytes(settings())
    return Removal([Writing(settings(), SETTINGS, there, None)] if there else [])


def runs(path, command):
    return path == settings() and command.encode() in (read_bytes(path) or b"")


def hook_seconds(event, root, environment):
    return 10.0 if settings().exists() else 0.0


def managed(command):
    raise UserError("nobody lays down settings of this agent")
""",
    "examination.py": """
from vetgate.agents.diagnosis import Examination, good, look_at_launcher
from vetgate.agents.third_agent.known import NAME
from vetgate.agents.third_agent.registration import install, settings


def examine(installation, progress):
    if not settings().exists():
        return Examination()
    return Examination([good("third", f"{settings()} runs vetgate"), look_at_launcher(installation, NAME)])


def repairs(installation):
    return install(installation).writings


def require_supported():
    return "the third agent is always welcome"
""",
}


@pytest.fixture(scope="module")
def source(tmp_path_factory):
    """The program with one more package, and nothing else changed."""
    there = tmp_path_factory.mktemp("copy")
    shutil.copytree(
        Path(vetgate.__file__).parent, there / "vetgate", ignore=shutil.ignore_patterns("__pycache__"), symlinks=True
    )
    package = there / "vetgate" / "agents" / "third_agent"
    package.mkdir()
    for name, text in PACKAGE.items():
        (package / name).write_text(text)
    return there


@pytest.fixture
def third(clone, source):
    clone.env["PYTHONPATH"] = str(source)
    clone.settings = clone.home / ".third" / "hooks.txt"
    clone.launcher = clone.state / "bin" / "third-agent" / "vetgate-hook"
    return clone


def write(clone, name, text):
    """The agent calls what is registered with it, as it finds it there."""
    event = {"id": "s", "in": str(clone.root), "writes": str(clone.root / name), "text": text}
    return subprocess.run(
        ["/bin/sh", "-c", clone.settings.read_text()],
        cwd=clone.root,
        env={name: value for name, value in clone.env.items() if name != "PYTHONPATH"},
        input=json.dumps(event),
        capture_output=True,
        text=True,
        check=False,
    )


def test_it_is_set_up_judged_examined_and_taken_back(third):
    before = third.files()
    done = third.init("--yes", "--agent", "third-agent", "--agent", "claude-code")
    assert done.returncode == 0, done.stderr
    assert "note: the third agent is always welcome" in done.stderr
    assert third.settings.read_text() == str(third.launcher)
    assert third.user.exists(), "so is the one that was there"

    passed = write(third, "a.py", "def f(a):\n    return a\n")
    assert (passed.returncode, passed.stdout, passed.stderr) == (0, "", "")
    held = write(third, "a.py", branches("f", 30))
    assert held.returncode == 2
    assert held.stderr.startswith("third: ")
    assert "cyclomatic complexity" in held.stderr

    examined = third.vetgate("doctor")
    assert f"ok    {third.settings} runs vetgate" in examined.stdout
    assert f"ok    {third.launcher} runs this installation" in examined.stdout
    assert "third-agent" in third.vetgate("log", "--format", "json").stdout

    third.settings.write_text("nothing")
    assert f"+{third.launcher}" in third.init("--dry-run").stdout, "it is set up here, so it is found"

    removed = third.init("--yes", "--remove")
    assert removed.returncode == 0, removed.stderr
    assert not third.launcher.exists()
    assert not third.settings.exists()
    kept = {name: data for name, data in third.files().items() if not name.startswith(OURS)}
    assert kept == {name: data for name, data in before.items() if not name.startswith(OURS)}


def test_its_files_its_program_and_its_terminal_are_known(third):
    refused = third.init("--yes", THIRD_SESSION="1")
    assert refused.returncode != 0
    assert "Third Agent" in refused.stderr
    code = (
        "from pathlib import Path; from vetgate.source.protected import Protected; "
        "from vetgate.checks.unsafe_command.agents import _LAUNCHES; "
        "print(Protected(Path('/r'), Path('/h')).kind_of(Path('/h/.third/hooks.txt')), 'third' in _LAUNCHES)"
    )
    known = subprocess.run([sys.executable, "-c", code], env=third.env, capture_output=True, text=True, check=False)
    assert known.stdout == "agent-settings True\n", known.stderr
