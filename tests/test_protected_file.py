"""Files that decide whether a gate stands: who may change them, and by which name."""

from __future__ import annotations

import json
import os
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from vetgate.checks.protected_file import CHECK
from vetgate.config.load import defaults
from vetgate.model import Change, File
from vetgate.source.protected import Protected, ProtectedKind

OURS = {"type": "command", "command": "/state/bin/vetgate-hook"}
HOOKED = json.dumps({"hooks": {"PreToolUse": [{"matcher": "*", "hooks": [OURS]}]}, "model": "opus"})
UNHOOKED = json.dumps({"hooks": {}, "model": "opus"})
GIT = "[core]\n\tbare = false\n"


@pytest.fixture
def ground(tmp_path):
    root, home, state = tmp_path / "project", tmp_path / "home", tmp_path / "state"
    for folder in (root, home, state / "bin"):
        folder.mkdir(parents=True)
    subprocess.run(["git", "init", "-q"], cwd=root, check=True)
    return Protected(root, home, (state,))


def found(ground, path, before, after):
    name = os.path.relpath(path, ground.root) if Path(path).is_relative_to(ground.root) else str(path)
    change = Change(ground.root, (File(name, before, after),))
    return [(each.rule, each.asks) for each in CHECK.on_touched_files(change, defaults(), ground)]


@pytest.mark.parametrize(
    ("name", "before", "after", "expected"),
    [
        (".claude/settings.json", HOOKED, UNHOOKED, [("hooks-off", False)]),
        (".claude/settings.json", HOOKED, "{not json", [("hooks-off", False)]),
        (".claude/settings.json", HOOKED, HOOKED.replace("/state", "true /state"), [("hooks-off", False)]),
        (".claude/settings.json", HOOKED, HOOKED.replace('"*"', '"Nothing"'), [("hooks-off", False)]),
        (".claude/settings.json", HOOKED, None, [("hooks-off", False)]),
        (".claude/settings.json", HOOKED, HOOKED.replace('"opus"', '"haiku"'), [("agent-settings", True)]),
        (".claude/settings.local.json", None, '{"disableAllHooks": true}', [("hooks-off", False)]),
        (
            ".claude/settings.json",
            None,
            '{"permissions": {"defaultMode": "bypassPermissions"}}',
            [("hooks-off", False)],
        ),
        (".CLAUDE/Settings.json", HOOKED, UNHOOKED, [("hooks-off", False)]),
        (".claude/hooks/mine.sh", "exit 0", "exit 1", [("agent-hook", True)]),
        (".claude/agents/helper.md", None, "name: x", []),
        ("CLAUDE.md", "a", "b", []),
        (".git/hooks/pre-commit", None, "#!/bin/sh", [("git-hook", True)]),
        (".git/hooks/pre-commit", "exec vetgate hook", "exit 0", [("git-hook", False)]),
        (".git/config", GIT, GIT + "[core]\n\thooksPath = /dev/null\n", [("git-config", False)]),
        (".git/config", GIT, GIT + '[alias]\n\tci = "!git commit -n"\n', [("git-config", False)]),
        (".git/config", GIT, GIT + "[user]\n\tname = x\n", []),
        (".husky/pre-commit", "npm test\nnpm run lint\n", "npm run lint\n", [("hook-manager", True)]),
        (".husky/pre-commit", "npm test\n", "npm test\nnpm run lint\n", []),
        (".pre-commit-config.yaml", "repos:\n- repo: a\n- repo: b\n", "repos:\n- repo: a\n", [("hook-manager", True)]),
        ("src/settings.json", "{}", '{"disableAllHooks": true}', []),
        ("docs/.claude/settings.json", "{}", "{}\n", []),
    ],
)
def test_what_makes_a_project_s_files_weaker(ground, name, before, after, expected):
    assert found(ground, ground.root / name, before, after) == expected


def test_the_same_in_the_home_folder(ground):
    assert found(ground, ground.home / ".claude/settings.json", HOOKED, UNHOOKED) == [("hooks-off", False)]
    assert found(ground, ground.home / ".gitconfig", "", "[core]\nsshCommand = x\n") == [("git-config", False)]


def test_what_lies_outside_of_every_project(ground, tmp_path, monkeypatch):
    monkeypatch.setattr("vetgate.checks.protected_file.gettempdir", lambda: "/nowhere")
    assert found(ground, ground.home / ".bashrc", "a", "b") == [("start-up", True)]
    assert found(ground, ground.home / ".ssh" / "authorized_keys", None, "b") == [("start-up", True)]
    assert found(ground, Path("/opt/notes.txt"), None, "x") == [("outside-project", True)]
    assert found(ground, ground.home / ".claude" / "plans" / "a.md", None, "x") == []
    assert found(ground, Path("/tmp/scratch.py"), None, "x") == []
    other = Path("/srv/other")
    assert found(ground, other / "a.py", None, "x") == [("outside-project", True)]


def test_the_gate_s_own_files_are_not_to_be_touched(ground):
    assert found(ground, ground.own[0] / "store.db", None, "x") == [("gate", False)]


def test_another_name_is_no_way_around(ground):
    settings = ground.root / ".claude" / "settings.json"
    settings.parent.mkdir()
    settings.write_text(HOOKED)
    (ground.root / "linked").symlink_to(ground.root / ".claude")
    os.link(settings, ground.root / "same.json")
    assert found(ground, ground.root / "linked" / "settings.json", HOOKED, UNHOOKED) == [("hooks-off", False)]
    assert found(ground, ground.root / "same.json", HOOKED, UNHOOKED) == [("hooks-off", False)]
    assert found(ground, ground.root / "src" / ".." / ".claude" / "settings.json", HOOKED, UNHOOKED)


KEPT_ELSEWHERE = {
    "a file of the home": ("home", ".claude/settings.json", "claude.json", "agent-settings"),
    "a folder of the home": ("home", ".claude", "claude", "agent-settings"),
    "a file of the project": ("root", ".claude/settings.json", "claude.json", "agent-settings"),
    "a folder of scripts": ("root", ".claude/hooks", "scripts", "agent-hook"),
    "the hooks of git": ("git", "hooks", "scripts", "git-hook"),
    "what runs at the start": ("home", ".zshrc", "zshrc", "start-up"),
}


@pytest.mark.parametrize("case", KEPT_ELSEWHERE.values(), ids=KEPT_ELSEWHERE)
def test_what_is_kept_elsewhere_with_a_link_in_its_place_is_protected_there(ground, tmp_path, case):
    base, name, kept, kind = case
    target, link = tmp_path / "dotfiles" / kept, getattr(ground, base) / name
    target.parent.mkdir()
    if link.is_dir():
        link.rename(tmp_path / "away")
    link.parent.mkdir(exist_ok=True)
    link.symlink_to(target)
    inside = {"claude": "settings.local.json", "scripts": "pre-commit"}.get(kept, "")
    assert ground.kind_of(target / inside) == kind
    assert ground.kind_of(link / inside) == kind
    assert ground.kind_of(target.parent / "README.md") is None


def test_hooks_of_a_work_tree_are_those_of_the_clone(ground, tmp_path):
    git = ["git", "-c", "user.name=t", "-c", "user.email=t@example.org"]
    subprocess.run([*git, "commit", "-q", "--allow-empty", "-m", "x"], cwd=ground.root, check=True)
    subprocess.run([*git, "worktree", "add", "-q", str(tmp_path / "tree")], cwd=ground.root, check=True)
    beside = Protected(tmp_path / "tree", ground.home)
    assert beside.kind_of(ground.root / ".git" / "hooks" / "pre-push") is ProtectedKind.GIT_HOOK


def test_settings_that_a_variable_moved_are_guarded_where_they_are(ground, tmp_path):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "settings.json").write_text(HOOKED)
    moved = replace(ground, moved=elsewhere)
    assert found(moved, elsewhere / "settings.json", HOOKED, UNHOOKED) == [("hooks-off", False)]
    assert found(ground, elsewhere / "settings.json", HOOKED, UNHOOKED) == []
    assert elsewhere / "settings.json" in dict(moved.files())


def test_every_launcher_is_watched(ground):
    places = [ground.own[0] / "bin" / "vetgate-hook", ground.own[0] / "bin" / "another-agent" / "vetgate-hook"]
    for place in places:
        place.parent.mkdir(parents=True, exist_ok=True)
        place.touch()
    assert [path for path, kind in ground.files() if kind is ProtectedKind.GATE] == places
    assert {ground.kind_of(place) for place in places} == {ProtectedKind.GATE}
