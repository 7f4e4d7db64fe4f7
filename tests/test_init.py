"""`vetgate init` on real folders: what it writes, what it leaves alone, and that it can be taken back."""

from __future__ import annotations

import json
import os
import pty
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from fixtures import lay
from vetgate.agents.claude_code.settings import LISTENING
from vetgate.agents.hook_entries import our_entries, settings_text
from vetgate.project import Project
from warm_program import RUN

EVENTS = {row.event for row in LISTENING}
STRANGER = {"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": "guard.sh"}]}]}}


def test_sets_up_configuration_launcher_and_hooks_and_says_so(clone):
    (clone.root / "app.py").write_text("def f(): pass\n")
    lay(clone.root / "package.json", {"scripts": {"test": "vitest"}})
    done = clone.init("--yes")
    assert done.returncode == 0, done.stderr
    assert "python (1)" in done.stdout
    assert "test: npm run test" in done.stdout
    assert {entry.event for entry in our_entries(clone.user.read_text())} == EVENTS
    assert stat.S_IMODE(clone.launcher.stat().st_mode) == 0o755
    assert "npm run test" in (clone.root / "vetgate.yaml").read_text()
    assert "accepted vetgate.yaml" in done.stdout
    assert "vetgate doctor" in done.stdout


def test_a_second_time_changes_nothing(clone):
    clone.init("--yes")
    before = clone.files()
    again = clone.init("--yes")
    assert again.returncode == 0
    assert "nothing was changed" in again.stdout
    stable = {name: data for name, data in clone.files().items() if "/projects/" not in name}
    assert stable == {name: data for name, data in before.items() if "/projects/" not in name}


def test_a_dry_run_shows_every_file_and_writes_none(clone):
    lay(clone.user, STRANGER)
    before = clone.files()
    shown = clone.init("--dry-run")
    assert shown.returncode == 0, shown.stderr
    for path in (clone.user, clone.launcher, clone.root / "vetgate.yaml"):
        assert f"+++ {path}" in shown.stdout
    assert clone.files() == before


@pytest.mark.parametrize("place", ["user", "project", "local"])
def test_removing_gives_back_every_byte(clone, place):
    odd = '{ "model" : "opus" ,\n\n   "hooks":{ "Stop":[] } }'
    for path in (clone.user, clone.root / ".claude/settings.json", clone.root / ".claude/settings.local.json"):
        lay(path, odd)
    before = clone.files()
    assert clone.init("--yes", "--settings", place).returncode == 0
    assert clone.files() != before
    removed = clone.init("--remove", "--yes")
    assert removed.returncode == 0, removed.stderr
    # What was decided stays, with its anchor and its key.
    kept = ("/vetgate/projects/", "/vetgate/anchors/", "/vetgate/key")
    assert {name: data for name, data in clone.files().items() if not any(part in name for part in kept)} == before


def test_removing_deletes_the_files_and_folders_it_created(clone):
    clone.init("--yes", "--settings", "local")
    clone.init("--remove", "--yes")
    assert not (clone.root / ".claude").exists()
    assert not (clone.root / "vetgate.yaml").exists()
    assert not clone.launcher.exists()


def test_removing_keeps_what_others_added_since(clone):
    clone.init("--yes")
    settings = json.loads(clone.user.read_text())
    settings["model"] = "opus"
    settings["hooks"]["PreToolUse"].insert(0, STRANGER["hooks"]["PreToolUse"][0])
    lay(clone.user, settings)
    lay(clone.root / "vetgate.yaml", "version: 1\n")
    removed = clone.init("--remove", "--yes")
    assert json.loads(clone.user.read_text()) == {**STRANGER, "model": "opus"}
    assert (clone.root / "vetgate.yaml").exists()
    assert "left" in removed.stdout
    assert "changed since" in removed.stdout


def test_hooks_other_projects_rely_on_stay_until_asked_for_by_name(clone, tmp_path):
    other = tmp_path / "other"
    other.mkdir()
    clone.init("--yes")
    clone.init("--yes", cwd=other)
    removed = clone.init("--remove", "--yes")
    assert f"still needed in {other}" in removed.stdout
    assert our_entries(clone.user.read_text())
    assert not Project.is_set_up(clone.root, clone.state)
    assert Project.is_set_up(other, clone.state)
    assert clone.launcher.exists()
    clone.init("--remove", "--yes", cwd=other)
    assert not clone.user.exists()
    assert not clone.launcher.exists()


def test_removing_one_place_by_name_leaves_the_configuration(clone):
    clone.init("--yes")
    clone.init("--remove", "--yes", "--settings", "user")
    assert not clone.user.exists()
    assert (clone.root / "vetgate.yaml").exists()


def test_removing_without_anything_says_so(clone):
    assert "nothing here" in clone.init("--remove", "--yes").stdout


def test_an_upgrade_replaces_our_old_entries_and_still_gives_back_the_original(clone):
    original = '{\n    "model": "opus"\n}'
    lay(clone.user, original)
    clone.init("--yes")
    lay(clone.user, clone.user.read_text().replace(str(clone.launcher), "/opt/old/vetgate-hook"))
    clone.init("--yes")
    assert {entry.command for entry in our_entries(clone.user.read_text())} == {str(clone.launcher)}
    clone.init("--remove", "--yes")
    assert clone.user.read_text() == original


def test_an_existing_configuration_is_neither_overwritten_nor_trusted(clone):
    lay(clone.root / "vetgate.yaml", "version: 1\ncomplexity: {cyclomatic: 99}\n")
    done = clone.init("--yes")
    assert (clone.root / "vetgate.yaml").read_text() == "version: 1\ncomplexity: {cyclomatic: 99}\n"
    assert "until `vetgate trust` accepts it" in done.stdout


def test_a_launcher_that_lost_its_permission_gets_it_back(clone):
    clone.init("--yes")
    clone.launcher.chmod(0o600)
    clone.init("--yes")
    assert os.access(clone.launcher, os.X_OK)


def test_a_path_with_spaces_and_quotes_is_quoted_for_the_shell(clone):
    state = clone.home / "it's a state"
    clone.init("--yes", VETGATE_STATE_DIR=str(state))
    (command,) = {entry.command for entry in our_entries(clone.user.read_text())}
    ran = subprocess.run(["/bin/sh", "-c", f"printf %s {command}"], capture_output=True, text=True, check=True)
    assert ran.stdout == str(state / "bin" / "vetgate-hook")


def test_committed_settings_do_not_lock_out_who_has_no_vetgate(clone):
    clone.init("--yes", "--settings", "project")
    settings = (clone.root / ".claude/settings.json").read_text()
    assert str(clone.home) not in settings
    (command,) = {entry.command for entry in our_entries(settings)}
    ran = subprocess.run(["/bin/sh", "-c", command], input=b"{}", env={"PATH": "/usr/bin:/bin"}, check=False)
    assert ran.returncode == 0


def test_a_linked_settings_file_is_written_where_it_really_is(clone):
    real = clone.home / "dotfiles" / "claude.json"
    lay(real, STRANGER)
    real.chmod(0o640)
    clone.user.parent.mkdir()
    clone.user.symlink_to(real)
    clone.init("--yes")
    assert clone.user.is_symlink()
    assert our_entries(real.read_text())
    assert stat.S_IMODE(real.stat().st_mode) == 0o640
    assert [path.name for path in real.parent.iterdir()] == ["claude.json"]


def test_a_byte_order_mark_and_stray_bytes_stay(clone):
    clone.user.parent.mkdir()
    before = b'\xef\xbb\xbf{\n  "note": "caf\xe9"\n}\n'
    clone.user.write_bytes(before)
    assert clone.init("--yes").returncode == 0
    assert clone.user.read_bytes().startswith(before[:21])
    clone.init("--remove", "--yes")
    assert clone.user.read_bytes() == before


REFUSED = {
    "a comment": ('{\n  // mine\n  "model": "x"\n}', ":2: a comment"),
    "broken JSON": ('{"model": ', ":1: the file ends"),
    "a key twice": ('{"hooks": {},\n"hooks": {}}', ':2: the key "hooks" appears twice'),
    "hooks that are a list": ('{"hooks": []}', ":1: hooks must be an object"),
    "an event that is no list": ('{"hooks": {\n"Stop": {}}}', ":2: hooks.Stop must be a list"),
    "an entry that drops the file": (
        '{"hooks": {"PreToolUse": [\n{"hooks": [{"type": "zzz"}]}]}}',
        ":2: hooks.PreToolUse[0].hooks[0].type must be one of",
    ),
    "permissions that drop the file": ('{"permissions": {"allow": "x"}}', ":1: permissions.allow must be a list"),
    "a list": ("[]", ":1: the file is not a JSON object"),
}


@pytest.mark.parametrize(("text", "said"), REFUSED.values(), ids=REFUSED.keys())
def test_a_file_the_client_skips_is_refused_with_its_line_and_nothing_is_written(clone, text, said):
    lay(clone.user, text)
    before = clone.files()
    done = clone.init("--yes")
    assert done.returncode == 3
    assert f"{clone.user}{said}" in done.stderr
    assert "skips a settings file like this" in done.stderr
    assert clone.files() == before


def test_a_stranger_s_bad_entry_that_is_only_ignored_is_warned_about(clone):
    lay(clone.user, {"hooks": {"Notification": [{"hooks": [{"type": "zzz"}]}]}})
    done = clone.init("--yes")
    assert done.returncode == 0
    assert "hooks.Notification[0].hooks[0].type must be one of" in done.stderr


def test_a_place_that_cannot_be_written_is_a_clear_error(clone):
    clone.user.parent.write_text("a file where a folder should be")
    done = clone.init("--yes")
    assert done.returncode == 3
    assert "cannot" in done.stderr
    assert "hint:" in done.stderr


@pytest.mark.parametrize("blank", [b"", b" \n\t", b"\xef\xbb\xbf\n"], ids=["empty", "blank", "a mark alone"])
def test_an_empty_settings_file_is_no_settings(clone, blank):
    clone.user.parent.mkdir()
    clone.user.write_bytes(blank)
    done = clone.init("--yes")
    assert done.returncode == 0, done.stderr
    assert {entry.event for entry in our_entries(settings_text(clone.user.read_bytes()))} == EVENTS
    assert clone.init("--remove", "--yes").returncode == 0
    assert clone.user.read_bytes() == blank


def test_when_a_later_file_cannot_be_written_the_earlier_ones_are_taken_back(clone):
    clone.user.parent.mkdir()
    clone.user.symlink_to("/proc/vetgate/settings.json")
    done = clone.init("--yes")
    assert done.returncode == 3
    assert "cannot write /proc/vetgate/settings.json" in done.stderr
    assert "nothing was changed" in done.stderr
    assert not (clone.root / "vetgate.yaml").exists()
    assert not clone.launcher.exists()
    assert not Project.is_set_up(clone.root, clone.state)


def test_the_project_s_own_file_comes_before_the_settings(clone):
    (clone.root / "vetgate.yaml").symlink_to("/proc/vetgate/vetgate.yaml")
    done = clone.init("--yes")
    assert done.returncode == 3
    assert "vetgate.yaml" in done.stderr
    assert not clone.user.exists()


def test_a_configuration_that_cannot_be_read_stops_it_before_anything_is_written(clone):
    lay(clone.root / "vetgate.yaml", "version: 1\nno_such_key: 1\n")
    before = clone.files()
    done = clone.init("--yes")
    assert done.returncode == 3
    assert "vetgate.yaml:2" in done.stderr
    assert clone.files() == before


@pytest.mark.parametrize(("folder", "warned"), [("cache/archive-v0/x", True), ("tools/vetgate", False)])
def test_a_vetgate_in_uv_s_cache_is_warned_about(clone, tmp_path, folder, warned):
    place = tmp_path / folder
    (place / "bin").mkdir(parents=True)
    (place / "bin/python").symlink_to(Path(sys.executable).resolve())
    (place / "pyvenv.cfg").write_text((Path(sys.prefix) / "pyvenv.cfg").read_text())
    (place / "lib").symlink_to(Path(sys.prefix) / "lib")
    words = [str(place / "bin/python"), "-c", RUN, "init", "--dry-run"]
    done = subprocess.run(words, cwd=clone.root, env=clone.env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert ("uv tool install ." in done.stderr) is warned


def test_without_git_the_current_folder_is_the_project(clone, tmp_path):
    plain = tmp_path / "plain"
    plain.mkdir()
    done = clone.init("--yes", cwd=plain)
    assert done.returncode == 0
    assert "not a git repository" in done.stdout
    assert (plain / "vetgate.yaml").exists()


def test_from_a_subfolder_the_top_of_the_repository_is_set_up(clone):
    (clone.root / "sub").mkdir()
    clone.init("--yes", cwd=clone.root / "sub")
    assert (clone.root / "vetgate.yaml").exists()


@pytest.mark.parametrize("words", [("--yes",), ("--remove", "--yes")], ids=["setting up", "removing"])
def test_an_agent_may_not(clone, words):
    before = clone.files()
    done = clone.init(*words, CLAUDECODE="1")
    assert done.returncode == 3
    assert "only a person may" in done.stderr
    assert clone.files() == before


def test_without_a_terminal_it_does_not_guess(clone):
    done = clone.init()
    assert done.returncode == 3
    assert "--yes" in done.stderr


CLIENTS = {
    "a supported one": ("echo '2.1.325 (Claude Code)'", 0, ""),
    "the oldest supported one": ("echo '2.1.240 (Claude Code)'", 0, ""),
    "one too old": ("echo '2.1.239 (Claude Code)'", 3, "Claude Code 2.1.239 is too old"),
    "one that does not say": ("exit 1", 0, "did not say its version"),
    "one that sees our environment": ('test -z "$SECRET" && echo 2.1.325', 0, ""),
}


@pytest.mark.parametrize(("script", "status", "said"), CLIENTS.values(), ids=CLIENTS.keys())
def test_the_client_on_the_path(clone, script, status, said):
    clone.install_client(script)
    done = clone.init("--yes", SECRET="token")
    assert done.returncode == status
    assert said in done.stderr
    if not said:
        assert "version" not in done.stderr


def test_no_client_is_fine_and_said(clone):
    assert "no `claude` on the PATH" in clone.init("--yes").stderr


def test_different_hooks_in_two_places_are_warned_about(clone):
    clone.init("--yes")
    assert "run twice" in clone.init("--yes", "--settings", "project").stderr


def test_local_settings_that_git_would_commit_are_warned_about(clone):
    warning = "settings.local.json; add it to .gitignore"
    assert warning in clone.init("--yes", "--settings", "local").stderr
    lay(clone.root / ".gitignore", "settings.local.json\n")
    assert warning not in clone.init("--yes", "--settings", "local").stderr


def test_in_a_terminal_it_asks_where_and_whether(clone):
    child, terminal = pty.fork()
    if child == 0:
        os.chdir(clone.root)
        os.execve(sys.executable, [sys.executable, "-c", RUN, "init"], clone.env)
    said = b""
    for asked, answer in ((b"Review", b"\n"), (b"Settings", b"local\n"), (b"Go ahead?", b"\n")):
        while asked not in said:
            said += os.read(terminal, 4096)
        os.write(terminal, answer)
    try:
        while chunk := os.read(terminal, 4096):
            said += chunk
    except OSError:  # the other end is gone
        pass
    _, status = os.waitpid(child, 0)
    os.close(terminal)
    assert os.waitstatus_to_exitcode(status) == 0, said.decode()
    assert our_entries((clone.root / ".claude/settings.local.json").read_text())
    assert not clone.user.exists()
    assert "{name: model, gates: [reviewer], timeout: 300}" in (clone.root / "vetgate.yaml").read_text(), "proposed"


@pytest.mark.parametrize("remove", [False, True], ids=["setting up", "removing"])
def test_the_home_folder_is_no_project(clone, remove):
    done = clone.init(*(["--remove"] if remove else []), "--yes", cwd=clone.home)
    assert done.returncode == (0 if remove else 3)
    assert remove or "is not a project" in done.stderr


def test_the_state_folder_is_closed_to_others(clone):
    clone.state.mkdir(parents=True, mode=0o755)
    clone.init("--yes")
    assert stat.S_IMODE(clone.state.stat().st_mode) == 0o700


def test_a_state_folder_that_cannot_be_used_is_a_clear_error(clone):
    done = clone.init("--yes", VETGATE_STATE_DIR="/proc/vetgate")
    assert done.returncode == 3
    assert "/proc/vetgate cannot be used" in done.stderr
    assert not clone.user.exists()
