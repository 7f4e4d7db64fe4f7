"""Slash commands, agents and the skill that `vetgate init` writes: what it writes, leaves alone and takes away."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from vetgate.agents.claude_code.plugin import command_files
from vetgate.agents.command_files import COMMAND_NAMES
from vetgate.agents.installation import Scope
from vetgate.cli.main import COMMANDS
from warm_program import RUN

# The program as if its texts had been others, so that its receipt speaks of those.
OLDER = """
import vetgate.agents.claude_code.plugin as files
now = files.template
files.template = lambda name: now(name) + "older\\n"
"""
NAMES = {f"commands/{name}.md" for name in COMMAND_NAMES} | {"agents/quality-checker.md", "agents/git-agent.md"}


def written(folder):
    return {
        str(path.relative_to(folder)): path.read_text()
        for kind in ("commands", "agents", "skills")
        for path in (folder / kind).rglob("*.md")
    }


@pytest.mark.parametrize("place", list(Scope))
def test_they_stand_beside_the_settings_and_go_without_a_trace(clone, place):
    folder = clone.home / ".claude" if place is Scope.USER else clone.root / ".claude"
    done = clone.init("--yes", "--settings", place)
    assert done.returncode == 0, done.stderr
    skill = "vetgate-code-review" if place is Scope.USER else "code-review"
    assert written(folder).keys() == NAMES | {f"skills/{skill}/SKILL.md"}
    assert f"name: {skill}\n" in written(folder)[f"skills/{skill}/SKILL.md"]
    assert clone.init("--remove", "--yes").returncode == 0
    assert not folder.exists()


def test_a_second_time_changes_nothing_and_a_dry_run_shows_each(clone):
    shown = clone.init("--dry-run")
    for path in command_files(Scope.PROJECT, clone.home):
        if "skills" not in path.parts:  # under another name there
            assert f"+++ {path}" in shown.stdout
    assert not (clone.home / ".claude").exists()
    clone.init("--yes")
    before = written(clone.home / ".claude")
    again = clone.init("--yes")
    assert "nothing was changed" in again.stdout
    assert written(clone.home / ".claude") == before


def test_a_file_of_your_own_is_named_kept_and_not_taken_away(clone):
    own = clone.home / ".claude/commands/review.md"
    own.parent.mkdir(parents=True)
    own.write_text("My own review.\n")
    done = clone.init("--yes")
    assert f"{own} was left alone: init did not write this file" in done.stderr
    assert (clone.home / ".claude/commands/ship.md").exists()
    assert clone.init("--remove", "--yes").returncode == 0
    assert own.read_text() == "My own review.\n"
    assert not (clone.home / ".claude/commands/ship.md").exists()


def test_one_that_you_changed_stays_as_you_left_it(clone):
    clone.init("--yes")
    changed = clone.home / ".claude/agents/git-agent.md"
    changed.write_text("Mine now.\n")
    assert "you changed it since init wrote it" in clone.init("--yes").stderr
    assert changed.read_text() == "Mine now.\n"
    removed = clone.init("--remove", "--yes")
    assert f"left {changed}" in removed.stdout
    assert changed.read_text() == "Mine now.\n"


def test_one_of_an_earlier_version_is_brought_up_to_date(clone):
    clone.init("--yes")
    path = clone.home / ".claude/commands/ship.md"
    new = path.read_text()
    older = subprocess.run(
        [sys.executable, "-c", OLDER + RUN, "init", "--yes"],
        cwd=clone.root,
        env=clone.env,
        capture_output=True,
        text=True,
        check=False,
    )
    assert older.returncode == 0, older.stderr
    assert path.read_text() == new + "older\n"
    clone.init("--yes")
    assert path.read_text() == new
    clone.init("--remove", "--yes")
    assert not path.exists()


def test_declined_they_are_not_written(clone):
    assert clone.init("--yes", "--no-commands").returncode == 0
    assert written(clone.home / ".claude") == {}
    assert clone.user.exists()


def test_another_project_keeps_those_of_your_own_settings(clone):
    other = clone.root.parent / "other"
    other.mkdir()
    clone.run("init", "--quiet", cwd=other)
    clone.init("--yes")
    clone.init("--yes", cwd=other)
    left = clone.init("--remove", "--yes")
    assert f"left the commands in {clone.home / '.claude'}" in left.stdout
    assert (clone.home / ".claude/commands/review.md").exists()
    clone.init("--remove", "--yes", cwd=other)
    assert written(clone.home / ".claude") == {}


def test_every_command_that_a_text_names_is_one(clone):
    for content in command_files(Scope.USER, clone.root).values():
        text = content.decode()
        named = set(re.findall(r"`vetgate ([a-z]+)", text)) | set(re.findall(r"Bash\(vetgate ([a-z]+)", text))
        assert named <= {*COMMANDS, "ship", "reconcile"}
        assert text.startswith("---\n")
        assert "@NAME@" not in text
