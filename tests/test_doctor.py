"""`vetgate doctor` against every way the gate can silently be off, on real files, real shells and real hooks."""

from __future__ import annotations

import json
import os
import pty
import re
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

from fixtures import Clone, lay
from hook_path import own_daemon
from vetgate.agents.claude_code.examination import Settings, look_at_settings
from vetgate.agents.claude_code.settings import LISTENING
from vetgate.agents.installation import Installation, Scope
from warm_program import RUN


@pytest.fixture
def clone(tmp_path):
    """With a daemon, as everybody has it: an examination asks every hook more than once."""
    made = Clone(tmp_path)
    made.install_client("echo '2.1.325 (Claude Code)'")
    lay(made.home / ".claude.json", {"projects": {str(made.root): {"hasTrustDialogAccepted": True}}})
    with own_daemon() as variables:
        made.env |= variables
        assert made.init("--yes").returncode == 0
        yield made


def examine(clone, **env):
    done = clone.vetgate("doctor", "--format", "json", **env)
    report = json.loads(done.stdout)
    assert done.returncode == (0 if report["healthy"] else 3), done.stderr
    return report["findings"]


def found(findings, status):
    return {(each["id"], each["what"]) for each in findings if each["status"] == status}


def change_settings(clone, change):
    settings = json.loads(clone.user.read_text())
    change(settings)
    lay(clone.user, settings)


def test_a_gate_that_is_on(clone):
    findings = examine(clone)
    assert not found(findings, "bad")
    assert not found(findings, "note")
    assert "is not built yet" in dict(found(findings, "good"))["index"]
    told = {each["id"]: each["what"] for each in findings}
    assert f"{len(LISTENING)} hooks answered; a bad edit is stopped" in told["canary"]
    assert "accepted" in told["configuration"]


def test_whether_the_index_is_ready_is_told(clone):
    assert clone.vetgate("index", "--build").returncode == 0
    assert "is ready, " in dict(found(examine(clone), "good"))["index"]


def test_text_says_what_why_and_how_to_repair(clone):
    clone.launcher.unlink()
    done = clone.vetgate("doctor")
    assert done.returncode == 3
    assert f"BAD   {clone.launcher} is missing" in done.stdout
    assert "why:" in done.stdout
    assert "repair: vetgate doctor --repair" in done.stdout
    assert "to fix" in done.stdout


def only_project(clone):
    clone.init("--remove", "--yes", "--settings", "user")
    (clone.bin / "vetgate-hook").symlink_to(Path(sys.executable).with_name("vetgate-hook"))
    clone.init("--yes", "--settings", "project")


def first(settings, event="PreToolUse"):
    return settings["hooks"][event][0]["hooks"][0]


BROKEN = {
    "nothing registered": (
        lambda clone: clone.user.unlink(),
        "registration",
        "not registered in any settings file",
    ),
    "an event is missing": (
        lambda clone: change_settings(clone, lambda s: s["hooks"].pop("Stop")),
        "registration",
        "lacks vetgate's hook for Stop",
    ),
    "a timeout was changed": (
        lambda clone: change_settings(clone, lambda s: first(s).update(timeout=600)),
        "drift",
        "PreToolUse: timeout is 600, not 10",
    ),
    "a failure would pass": (
        lambda clone: change_settings(clone, lambda s: first(s).pop("onFailure")),
        "drift",
        "onFailure is None, not 'block'",
    ),
    "a matcher was narrowed": (
        lambda clone: change_settings(clone, lambda s: s["hooks"]["PreToolUse"][0].update(matcher="Write")),
        "drift",
        "its matcher is 'Write'",
    ),
    "another launcher is registered": (
        lambda clone: lay(clone.user, clone.user.read_text().replace(str(clone.launcher), "/nowhere/vetgate-hook")),
        "canary",
        "PreToolUse, PostToolUse, PostToolUseFailure, ConfigChange, Stop, SubagentStop, SessionEnd: exit status 127",
    ),
    "a hook that lets everything through": (
        lambda clone: lay(clone.launcher, "#!/bin/sh\nexit 0\n"),
        "canary",
        "PreToolUse: it let a function pass",
    ),
    "a launcher that was changed": (
        lambda clone: lay(clone.launcher, "#!/bin/sh\nexit 0\n"),
        "launcher",
        "is not what this version writes",
    ),
    "a launcher of a Python that is gone": (
        lambda clone: lay(clone.launcher, clone.launcher.read_text().replace(sys.executable, "/gone/bin/python3")),
        "launcher",
        "runs /gone/bin/python3, which no longer exists",
    ),
    "a hook that cannot judge": (
        lambda clone: lay(clone.launcher, clone.launcher.read_text().replace(sys.executable, "/gone/bin/python3")),
        "canary",
        "PreToolUse: it stops every edit, because it cannot judge",
    ),
    "a launcher that may not run": (
        lambda clone: clone.launcher.chmod(0o600),
        "launcher",
        "may not be executed",
    ),
    "a hook that prints more than its answer": (
        lambda clone: lay(clone.launcher, "#!/bin/sh\necho hello\n"),
        "canary",
        "SessionEnd: what it printed is not one JSON object: hello",
    ),
    "a settings file the client skips": (
        lambda clone: change_settings(clone, lambda s: s["hooks"]["PreToolUse"].append({"hooks": [{"type": "z"}]})),
        "settings",
        "hooks.PreToolUse[1].hooks[0].type must be one of",
    ),
    "a broken settings file": (
        lambda clone: lay(clone.user, "{\n// hm\n}"),
        "settings",
        "settings.json:2: a comment",
    ),
    "all hooks disabled by the repository": (
        lambda clone: lay(clone.root / ".claude/settings.json", {"disableAllHooks": True}),
        "disabled",
        "sets disableAllHooks",
    ),
    "hooks switched off by the user's own settings": (
        lambda clone: change_settings(clone, lambda s: s.update(env={"CLAUDE_CODE_SIMPLE": "1"})),
        "environment",
        "sets CLAUDE_CODE_SIMPLE",
    ),
    "a configuration that is broken": (
        lambda clone: lay(clone.root / "vetgate.yaml", "version: 1\ncomplexty: {}\n"),
        "configuration",
        "vetgate.yaml:2",
    ),
    "a configuration nobody accepted": (
        lambda clone: lay(clone.root / "vetgate.yaml", "version: 1\ncomplexity: {cyclomatic: 99}\n"),
        "trust",
        "nobody accepted it",
    ),
    "a client that is too old": (
        lambda clone: clone.install_client("echo 2.1.100"),
        "client",
        "Claude Code 2.1.100 is too old",
    ),
    "a state folder open to others": (
        lambda clone: clone.state.chmod(0o777),
        "state",
        "is not yours alone",
    ),
}


@pytest.mark.parametrize(("breaks", "name", "said"), BROKEN.values(), ids=BROKEN.keys())
def test_what_switches_the_gate_off_is_found(clone, breaks, name, said):
    breaks(clone)
    bad = found(examine(clone), "bad")
    assert any(each == name and said in what for each, what in bad), bad


def test_a_project_that_was_never_set_up(tmp_path):
    bad = found(examine(Clone(tmp_path)), "bad")
    assert {name for name, _ in bad} == {"configuration", "registration"}


def test_looking_at_a_folder_that_nobody_set_up_leaves_nothing_behind(clone, tmp_path):
    other = tmp_path / "other"
    other.mkdir()
    before = clone.files()
    done = clone.vetgate("doctor", "--format", "json", cwd=other, VETGATE_DAEMON="auto")
    assert done.returncode == 3
    told = json.loads(done.stdout)["findings"]
    assert [each["id"] for each in told if each["status"] == "bad"] == ["configuration"]
    assert not [each for each in told if each["id"] == "canary"]
    assert clone.files() == before


def test_a_configuration_of_another_name_is_named(tmp_path):
    clone = Clone(tmp_path)
    lay(clone.root / "vetgate.yml", "version: 1\n")
    assert ("configuration", "vetgate.yml is not read; the file is called vetgate.yaml") in found(examine(clone), "bad")


def test_a_runtime_folder_that_is_not_ours_is_a_line_of_the_report(clone):
    (clone.home / "file").touch()
    what = f"{clone.home}/file/run cannot be used: Not a directory"
    assert ("runtime", what) in found(examine(clone, VETGATE_RUNTIME_DIR=f"{clone.home}/file/run"), "bad")


@pytest.mark.parametrize("variable", ["VETGATE_STATE_DIR", "VETGATE_RUNTIME_DIR"])
def test_a_folder_that_is_closed_to_us_is_a_line_of_the_report(unprivileged, call, monkeypatch, variable):
    (unprivileged / "closed").mkdir(mode=0)
    monkeypatch.setenv(variable, str(unprivileged / "closed" / "inner"))
    said = call("doctor", cwd=str(unprivileged))
    assert said.status == 3
    assert f"BAD   {unprivileged}/closed/inner cannot be used: Permission denied" in said.out


def test_a_broken_settings_file_is_said_once(clone):
    lay(clone.user, "{\n// hm\n}")
    assert {name for name, _ in found(examine(clone), "bad")} == {"settings"}


def test_a_rule_of_the_project_that_is_left_out_is_named(clone):
    page = clone.root / ".vetgate" / "checks" / "mine.md"
    page.parent.mkdir(parents=True)
    page.write_text("# mine: no rule at all\n\n```rule\nfind: [\n```\n")
    assert [what for name, what in found(examine(clone), "bad") if name == "rules" and "checks/mine.md" in what]


def test_init_says_that_hooks_are_switched_off(clone):
    change_settings(clone, lambda settings: settings.update(disableAllHooks=True))
    assert "sets disableAllHooks" in clone.init("--yes").stderr


def test_each_repair_names_its_place(clone):
    clone.init("--yes", "--settings", "project")
    (twice,) = (each for each in examine(clone) if each["id"] == "twice")
    assert twice["repair"] == "vetgate init --remove --settings project"
    lay(clone.root / "vetgate.yaml", "version: 1\ncomplexty: {}\n")
    (broken,) = (each for each in examine(clone) if each["id"] == "configuration")
    assert broken["repair"] == f"correct it in {clone.root}/vetgate.yaml"


def test_an_untrusted_folder_is_part_of_the_verdict(clone):
    assert clone.vetgate("doctor").stdout.endswith("\nthe gate is on\n")
    (clone.home / ".claude.json").unlink()
    assert clone.vetgate("doctor").stdout.endswith("\nthe gate is on, once Claude Code trusts this folder\n")


def test_an_administrator_s_settings_that_shut_us_out(tmp_path):
    installation = Installation(tmp_path, tmp_path / "state", None)
    managed = Settings(None, tmp_path / "managed-settings.json", {"allowManagedHooksOnly": True}, ())
    said = [each.what for each in look_at_settings(installation, [managed]) if each.id == "disabled"]
    assert said == [f"{managed.path} sets allowManagedHooksOnly"]


def test_the_same_switch_in_a_repository_means_nothing(tmp_path):
    installation = Installation(tmp_path, tmp_path / "state", None)
    shared = Settings(Scope.PROJECT, tmp_path / "settings.json", {"allowManagedHooksOnly": True}, ())
    assert not [each for each in look_at_settings(installation, [shared]) if each.id == "disabled"]


def test_in_the_home_folder_no_file_is_told_twice(clone):
    change_settings(clone, lambda s: s["hooks"].pop("Stop"))
    done = clone.vetgate("doctor", cwd=clone.home)
    assert done.stdout.count("lacks vetgate's hook for Stop") == 1


def test_a_variable_that_switches_hooks_off_is_found(clone):
    assert ("environment", "CLAUDE_CODE_SAFE_MODE is set in this terminal") in found(
        examine(clone, CLAUDE_CODE_SAFE_MODE="1"), "bad"
    )
    assert not found(examine(clone, CLAUDE_CODE_SAFE_MODE="0"), "bad")


def test_different_hooks_in_two_places_run_twice(clone):
    clone.init("--yes", "--settings", "project")
    assert any(name == "twice" for name, _ in found(examine(clone), "bad"))


def test_hooks_of_the_repository_alone_miss_subfolders(clone):
    only_project(clone)
    findings = examine(clone)
    assert not found(findings, "bad")
    assert any(name == "subfolder" for name, _ in found(findings, "note"))


def test_the_shared_form_without_vetgate_on_the_path_passes_and_is_found(clone):
    clone.init("--remove", "--yes", "--settings", "user")
    clone.init("--yes", "--settings", "project")
    assert any("it let a function pass" in what for _, what in found(examine(clone), "bad"))


def test_a_client_that_lets_failures_pass_is_noted(clone):
    clone.install_client("echo 2.1.294")
    assert any("does not know `onFailure`" in what for _, what in found(examine(clone), "note"))


def test_a_folder_the_client_was_not_told_to_trust_is_noted(clone):
    (clone.home / ".claude.json").unlink()
    assert any(name == "folder" for name, _ in found(examine(clone), "note"))


def transcript(clone, at):
    line = {
        "type": "attachment",
        "attachment": {
            "type": "hook_cancelled",
            "hookEvent": "PreToolUse",
            "toolUseID": "toolu_1",
            "command": str(clone.launcher),
            "timedOut": True,
            "timeoutMs": 10000,
        },
        "timestamp": at,
        "cwd": str(clone.root),
    }
    name = "".join(letter if letter.isalnum() else "-" for letter in str(clone.root))
    lay(clone.home / ".claude" / "projects" / name / "s.jsonl", json.dumps(line) + "\n")


def test_failures_in_the_client_s_sessions_are_counted_until_a_repair(clone):
    transcript(clone, datetime.now(UTC).isoformat())
    (what,) = (what for name, what in found(examine(clone), "bad") if name == "sessions")
    assert "failed once" in what
    assert "timed out after 10000 ms" in what
    transcript(clone, "2026-01-01T00:00:00.000Z")
    assert not found(examine(clone), "bad")


def test_an_older_client_s_settings_elsewhere_are_found_where_the_client_looks(clone):
    moved = clone.home / "elsewhere"
    bad = found(examine(clone, CLAUDE_CONFIG_DIR=str(moved)), "bad")
    assert any("not registered in any settings file" in what for _, what in bad)


def test_repairing_wants_a_terminal(clone):
    done = clone.vetgate("doctor", "--repair")
    assert done.returncode == 3
    assert "only a person may repair" in done.stderr


def test_a_repair_shows_what_it_writes_and_puts_the_gate_on_again(clone):
    good = clone.user.read_text()
    change_settings(clone, lambda s: (s["hooks"].pop("Stop"), first(s).update(timeout=600)))
    clone.launcher.unlink()
    status, text = repaired(clone)
    assert status == 0, text
    assert '"timeout": 600' in text
    assert "the gate is on" in text
    assert json.loads(clone.user.read_text()) == json.loads(good)


def test_an_entry_of_ours_for_which_the_client_skips_the_file_is_fixed(clone):
    good = clone.user.read_text()
    change_settings(clone, lambda s: first(s).update(onFailure="nonsense"))
    (skipped,) = (each for each in examine(clone) if each["status"] == "bad")
    assert skipped["what"].startswith(f"{clone.user}:")
    assert skipped["repair"] == "vetgate doctor --repair"
    status, text = repaired(clone)
    assert status == 0, text
    assert json.loads(clone.user.read_text()) == json.loads(good)


def test_an_entry_of_somebody_else_is_not_fixed(clone):
    change_settings(clone, lambda s: s["hooks"]["PreToolUse"].append({"hooks": [{"type": "z"}]}))
    before = clone.user.read_text()
    (skipped,) = (each for each in examine(clone) if each["status"] == "bad")
    assert re.fullmatch(rf"correct line \d+ of {re.escape(str(clone.user))}", skipped["repair"])
    assert clone.init("--yes").returncode == 3
    assert clone.user.read_text() == before


def repaired(clone):
    """Exit status and output of a repair that a person agreed to."""
    child, terminal = pty.fork()
    if child == 0:
        os.chdir(clone.root)
        os.execve(sys.executable, [sys.executable, "-c", RUN, "doctor", "--repair"], clone.env)
    said = b""
    while b"Write this?" not in said:
        said += os.read(terminal, 4096)
    os.write(terminal, b"y\n")
    try:
        while chunk := os.read(terminal, 4096):
            said += chunk
    except OSError:  # the other end is gone
        pass
    _, status = os.waitpid(child, 0)
    os.close(terminal)
    return os.waitstatus_to_exitcode(status), said.decode()
