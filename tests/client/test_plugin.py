"""The plugin as a person installs it, in the real client: two commands, then every session is gated, once."""

from __future__ import annotations

import json
import shutil
import subprocess
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from vetgate.agents.claude_code.settings import LISTENING
from vetgate.agents.command_files import COMMAND_NAMES
from vetgate.source.root import store_key
from vetgate.store import open_project_store

from .gate import PERSON, VETGATE, Daemon
from .model_server import Model, Say, Use
from .samples import PLAIN, TANGLED, TELLS
from .session import REPOSITORY, Machine, Options, client_binary, only_loopback, run

if TYPE_CHECKING:
    from .conftest import GateMaker
    from .gate import Gate
    from .session import ClientSession

PROMPT = "Please write the routing."
CHECK = "mcp__plugin_vetgate_vetgate__check"
WITH_VETGATE = f"{VETGATE.parent}:/usr/bin:/bin"


def claude(home: Machine, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*only_loopback(), str(client_binary()), *arguments],
        cwd=home.project,
        env={**home.environment, "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1"},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def install(home: Machine) -> None:
    for words in (("marketplace", "add", str(REPOSITORY)), ("install", "vetgate@vetgate")):
        done = claude(home, "plugin", *words)
        assert done.returncode == 0, done.stdout + done.stderr


def set_up(gate: Gate) -> str:
    """What init says where the plugin is there."""
    done = subprocess.run(
        [*PERSON, "init", "--yes"],
        cwd=gate.project,
        env={**gate.environment, "PATH": WITH_VETGATE},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout + done.stderr


@pytest.fixture
def plugged(gate_in: GateMaker) -> Gate:
    """A machine with the plugin; init found it there."""
    gate = gate_in(Daemon.NONE)
    removed = gate.vetgate("init", "--remove", "--yes", program=PERSON)
    assert removed.returncode == 0, removed.stderr
    install(gate.home)
    assert "the plugin vetgate@vetgate brings hooks" in set_up(gate)
    assert "hooks" not in json.loads(gate.home.user_settings.read_text())
    return gate


def write_tangled(gate: Gate, path: str = WITH_VETGATE, folder: str = ".") -> ClientSession:
    (gate.project / folder).mkdir(exist_ok=True)
    write = Use("Write", {"file_path": str(gate.project / "routing.py"), "content": TANGLED})
    options = Options(folder=folder, environment={**gate.environment, "PATH": path})
    return gate.session(Model({PROMPT: [write, Say("Done.")]}), options)


def decisions(gate: Gate) -> list[str]:
    with closing(open_project_store(gate.home.path / "state", store_key(gate.project))) as store:
        return [row.event for row in store.decisions(100) if row.body.decision == "block"]


def begun(session: ClientSession) -> dict[str, list[str]]:
    return next(event for event in session.events if event.get("subtype") == "init")


def test_the_client_validates_marketplace_and_plugin(home: Machine) -> None:
    for place in (REPOSITORY, REPOSITORY / "plugin"):
        done = claude(home, "plugin", "validate", "--strict", str(place))
        assert done.returncode == 0, done.stdout


def test_a_session_in_a_subfolder_has_all_of_it(plugged: Gate) -> None:
    session = write_tangled(plugged, folder="sub")
    denied = session.model.result(0)
    assert denied.is_error
    for detail in TELLS:
        assert detail in denied.text
    assert not (plugged.project / "routing.py").exists()
    listed = begun(session)
    names = {"status" if name == "vetgate" else name for name in COMMAND_NAMES}
    assert {f"vetgate:{name}" for name in (*names, "code-review")} <= set(listed["slash_commands"])
    assert {"vetgate:quality-checker", "vetgate:git-agent"} <= set(listed["agents"])
    servers = {each["name"]: each["status"] for each in listed["mcp_servers"]}
    assert servers.keys() == {"plugin:vetgate:vetgate"}
    assert servers["plugin:vetgate:vetgate"] != "failed"


def test_the_model_asks_the_server_of_the_plugin(plugged: Gate) -> None:
    ask = Use(CHECK, {"paths": ["routing.py"], "content": TANGLED})
    options = Options(
        folder="sub", arguments=("--allowedTools", CHECK), environment={**plugged.environment, "PATH": WITH_VETGATE}
    )
    (plugged.project / "sub").mkdir()
    session = plugged.session(Model({PROMPT: [ask, Say("Done.")]}), options)
    assert json.loads(session.model.result(0).text)["verdict"] == "block"


def test_a_typed_command_names_what_the_plugin_has(plugged: Gate) -> None:
    options = Options(environment={**plugged.environment, "PATH": WITH_VETGATE})
    session = plugged.session(Model({"/vetgate:push": [Say("Pushed.")]}), options, prompt="/vetgate:push origin")
    read = json.dumps([request.body for request in session.model.requests])
    assert "Call the tool `mcp__plugin_vetgate_vetgate__push`" in read
    assert "`/vetgate:review`" in read


def test_with_hooks_in_settings_too_each_call_is_judged_once(gate_in: GateMaker) -> None:
    gate = gate_in(Daemon.NONE)
    install(gate.home)
    session = write_tangled(gate)
    assert session.model.result(0).is_error
    assert session.model.result(0).text.count("vetgate explain") == 1
    assert len(decisions(gate)) == 1
    for row in LISTENING:
        ran = session.hooks(row.event)
        assert len([each for each in ran if each["stdout"] or each["stderr"] or each["exit_code"]]) <= 1, row.event
    assert [each["exit_code"] for each in session.hooks("PreToolUse")].count(2) == 1


def test_settings_that_the_session_does_not_load_do_not_silence_it(plugged: Gate) -> None:
    """Those of the repository, for a session in a subfolder; and any that only look like ours."""
    settings = plugged.project / ".claude/settings.json"
    settings.parent.mkdir()
    false = {"matcher": "*", "hooks": [{"type": "command", "command": "true # vetgate-hook"}]}
    settings.write_text(json.dumps({"hooks": {"PreToolUse": [false]}}))
    assert write_tangled(plugged).model.result(0).is_error
    settings.unlink()
    done = plugged.vetgate("init", "--yes", "--settings", "project", program=PERSON)
    assert done.returncode == 0, done.stderr
    assert write_tangled(plugged, folder="sub").model.result(0).is_error


def test_who_has_no_vetgate_is_told_and_left_alone(plugged: Gate) -> None:
    session = write_tangled(plugged, "/usr/bin:/bin")
    assert "vetgate is not installed here" in session.hooks("SessionStart")[0]["stdout"]
    assert not session.model.result(0).is_error
    assert (plugged.project / "routing.py").read_text() == TANGLED


def test_a_project_that_nobody_set_up_is_left_alone(home: Machine) -> None:
    install(home)
    target = home.project / "routing.py"
    write = Use("Write", {"file_path": str(target), "content": TANGLED})
    session = run(home, Model({PROMPT: [write, Say("Done.")]}), Options(environment={"PATH": WITH_VETGATE}))
    assert not session.model.result(0).is_error
    assert target.read_text() == TANGLED


def test_nothing_of_it_acts_on_who_works_on_this_repository(home: Machine) -> None:
    for name in (".claude-plugin", "plugin"):
        shutil.copytree(REPOSITORY / name, home.project / name)
    write = Use("Write", {"file_path": str(home.project / "a.py"), "content": PLAIN})
    session = run(home, Model({PROMPT: [write, Say("Done.")]}), Options(environment={"PATH": WITH_VETGATE}))
    listed = begun(session)
    assert not [each for each in session.events if each.get("subtype") == "hook_response"]
    assert not [each for each in (*listed["slash_commands"], *listed["agents"]) if "vetgate" in each]
    assert listed["mcp_servers"] == []
    assert not {*COMMAND_NAMES} & {*listed["slash_commands"]}, "a command of the client's own has one of our names"


def test_doctor_knows_it(plugged: Gate) -> None:
    def examined(path: str = WITH_VETGATE) -> dict[str, tuple[str, str]]:
        done = subprocess.run(
            [str(VETGATE), "doctor", "--format", "json"],
            cwd=plugged.project,
            env={**plugged.environment, "PATH": path},
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        return {each["id"]: (each["status"], each["what"]) for each in json.loads(done.stdout)["findings"]}

    well = examined()
    assert well["plugin"] == ("good", "the plugin vetgate@vetgate 0.1.0 has vetgate's hooks")
    assert well["canary"][0] == "good"
    assert well["mcp"][0] == "good"
    assert "registration" not in well
    assert examined("/usr/bin:/bin")["plugin"] == ("bad", "`vetgate-hook` is not on the PATH")
    claude(plugged.home, "plugin", "disable", "vetgate@vetgate")
    off = examined()
    assert off["plugin"][0] == "bad"
    assert "switched off" in off["plugin"][1]
