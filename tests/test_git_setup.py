"""Git's hooks set up by `init`: in the folder git really uses, beside those of others, and out without a trace."""

from __future__ import annotations

import json
import subprocess
import sys
import venv
from hashlib import sha256
from pathlib import Path

import pytest
import yaml

from fixtures import BAD, GOOD, Clone, picture
from warm_program import RUN

HOOKS = ("pre-commit", "commit-msg", "pre-push")
TELLS = '#!/bin/sh\necho "$(basename "$0") $#" >> told\n'
TELLS_WITHOUT_ITS_NAME = '#!/bin/sh\necho "ran $#" >> told\n'


def stage(clone: Clone, text: str = BAD) -> None:
    clone.put("a.py", text)
    clone.git("add", "a.py")


def notes_of(clone: Clone) -> list[str]:
    file = clone.root / "told"
    return file.read_text().splitlines() if file.exists() else []


def remove(clone: Clone, *words: str) -> str:
    said = clone.init("--yes", "--remove", *words)
    assert said.returncode == 0, said.stderr
    return said.stdout


class TestParts:
    def test_init_alone_sets_up_the_agent_and_git(self, clone):
        assert clone.init("--yes").returncode == 0
        assert clone.user.exists()
        assert all((clone.hooks / name).exists() for name in HOOKS)

    def test_no_git_leaves_git_alone(self, clone):
        before = picture(clone.hooks)
        assert clone.init("--yes", "--no-git").returncode == 0
        assert clone.user.exists()
        assert picture(clone.hooks) == before

    def test_git_is_that_part_alone(self, clone):
        clone.gated()
        assert not clone.user.exists()
        assert not clone.launcher.exists()
        assert (clone.root / "vetgate.yaml").exists()

    def test_a_dry_run_shows_and_writes_nothing(self, clone):
        clone.hook(clone.hooks / "pre-commit", TELLS)
        before = picture(clone.root)
        said = clone.init("--dry-run", "--git")
        assert "pre-commit.vetgate-before" in said.stdout
        assert picture(clone.root) == before

    def test_a_second_run_changes_nothing(self, clone):
        clone.hook(clone.hooks / "pre-commit", TELLS)
        clone.gated()
        before = picture(clone.root)
        assert "nothing was changed" in clone.init("--yes", "--git").stdout
        assert picture(clone.root) == before

    def test_outside_of_a_repository_it_says_so(self, clone, tmp_path):
        (tmp_path / "plain").mkdir()
        said = clone.init("--yes", "--git", cwd=tmp_path / "plain")
        assert said.returncode == 3
        assert "not a git repository" in said.stderr
        assert clone.init("--yes", cwd=tmp_path / "plain").returncode == 0


class TestStrangers:
    def test_their_hook_runs_first_under_its_own_name_with_the_same_words(self, clone):
        for name in HOOKS[:2]:
            clone.hook(clone.hooks / name, TELLS)
        clone.gated()
        stage(clone, GOOD)
        clone.git("commit", "-q", "-m", "good")
        assert notes_of(clone) == ["pre-commit 0", "commit-msg 1"]
        stage(clone)
        clone.stopped("commit", "-m", "bad")
        assert notes_of(clone)[2:] == ["pre-commit 0"]

    def test_their_no_is_a_no(self, clone):
        clone.hook(clone.hooks / "pre-commit", "#!/bin/sh\necho no >&2\nexit 7\n")
        clone.gated()
        stage(clone, GOOD)
        assert clone.stopped("commit", "-m", "good") == "no\n"

    @pytest.mark.parametrize(
        "text",
        [
            "#!/usr/bin/env python3\nopen('told', 'a').write('ran\\n')\n",
            '#!/bin/bash\nmain() { echo ran >> told; }\nif [ "${BASH_SOURCE[0]}" = "$0" ]; then main; fi\n',
            "#!/bin/sh -e\necho ran >> told\nfalse || :\nexec true\n",
            '#!/bin/sh\n. "$(dirname "$0")/shared.sh"\n',
            "echo ran >> told\n",
        ],
        ids=["in Python", "that asks whether it is read in", "with a flag", "that reads in another", "without a shell"],
    )
    def test_any_kind_of_hook_keeps_running(self, clone, text):
        clone.hook(clone.hooks / "shared.sh", "echo ran >> told\n", mode=0o644)
        clone.hook(clone.hooks / "pre-commit", text)
        clone.gated()
        stage(clone)
        clone.stopped("commit", "-m", "bad")
        assert notes_of(clone) == ["ran"]

    def test_a_hook_that_is_a_link_stays_one_and_what_it_names_is_not_written(self, clone):
        script = clone.hook(clone.root / "scripts" / "check.sh", TELLS)
        (clone.hooks / "pre-commit").symlink_to("../../scripts/check.sh")
        clone.gated()
        stage(clone, GOOD)
        clone.git("commit", "-q", "-m", "good")
        assert notes_of(clone) == ["pre-commit 0"]
        assert script.read_text() == TELLS

    def test_one_that_git_would_not_run_is_not_run_by_us(self, clone):
        clone.hook(clone.hooks / "pre-commit", TELLS, mode=0o644)
        clone.gated()
        stage(clone)
        clone.stopped("commit", "-m", "bad")
        assert notes_of(clone) == []

    def test_a_hook_of_another_language_that_asks_for_its_name_is_left_alone(self, clone):
        text = "#!/usr/bin/env ruby\nhook = File.basename($0)\n"
        clone.hook(clone.hooks / "pre-commit", text)
        said = clone.init("--yes", "--git")
        assert "asks for its own name" in said.stderr
        assert (clone.hooks / "pre-commit").read_text() == text

    def test_a_pre_push_hook_is_told_what_git_tells(self, clone, tmp_path):
        clone.hook(clone.hooks / "pre-push", "#!/bin/sh\ncat > told\n")
        clone.gated()
        stage(clone, GOOD)
        clone.git("commit", "-q", "--no-verify", "-m", "good")
        clone.git("init", "-q", "--bare", str(tmp_path / "remote.git"))
        clone.git("remote", "add", "origin", str(tmp_path / "remote.git"))
        clone.git("push", "-q", "origin", "main")
        head = clone.git("rev-parse", "HEAD")
        assert notes_of(clone) == [f"refs/heads/main {head} refs/heads/main {'0' * 40}"]
        clone.git("push", "-q", "origin", "main")
        assert notes_of(clone) == []


class TestRemoval:
    def test_every_byte_mode_and_link_comes_back(self, clone):
        clone.hook(clone.hooks / "pre-commit", TELLS, mode=0o750)
        clone.hook(clone.root / "scripts" / "push.sh", TELLS)
        (clone.hooks / "pre-push").symlink_to("../../scripts/push.sh")
        before = picture(clone.root)
        clone.gated()
        assert picture(clone.root) != before
        remove(clone)
        assert picture(clone.root) == before

    def test_only_git_s_part(self, clone):
        before = picture(clone.hooks)
        assert clone.init("--yes").returncode == 0
        remove(clone, "--git")
        assert picture(clone.hooks) == before
        assert clone.user.exists()
        assert (clone.root / "vetgate.yaml").exists()

    def test_all_but_git_s_part(self, clone):
        assert clone.init("--yes").returncode == 0
        remove(clone, "--no-git")
        assert (clone.hooks / "pre-commit").exists()
        assert not clone.user.exists()

    def test_a_hook_that_somebody_changed_since_is_left(self, clone):
        clone.gated()
        with (clone.hooks / "pre-commit").open("a") as file:
            file.write("echo mine\n")
        assert f"left {clone.hooks / 'pre-commit'}: it was changed" in remove(clone)
        assert "echo mine" in (clone.hooks / "pre-commit").read_text()

    def test_without_our_record_of_it_too(self, clone):
        clone.hook(clone.hooks / "pre-commit", TELLS)
        before = picture(clone.hooks)
        clone.gated()
        subprocess.run(["rm", "-r", str(clone.state / "init")], check=True)
        remove(clone, "--git")
        assert picture(clone.hooks) == before

    def test_what_another_work_tree_relies_on_stays(self, clone, tmp_path):
        clone.git("commit", "-q", "--allow-empty", "-m", "begin")
        clone.gated()
        clone.git("worktree", "add", "-q", str(tmp_path / "second"))
        assert clone.init("--yes", "--git", cwd=tmp_path / "second").returncode == 0
        said = clone.init("--yes", "--remove", "--git", cwd=tmp_path / "second")
        assert f"still needed in {clone.root}" in said.stdout
        assert (clone.hooks / "pre-commit").exists()


class TestHooksPath:
    def test_a_folder_outside_is_where_git_looks(self, clone, tmp_path):
        folder = tmp_path / "hooks"
        clone.hook(folder / "pre-commit", TELLS_WITHOUT_ITS_NAME)
        before = picture(folder)
        clone.git("config", "core.hooksPath", str(folder))
        clone.gated()
        stage(clone)
        clone.stopped("commit", "-m", "bad")
        assert notes_of(clone) == ["ran 0"]
        remove(clone)
        assert picture(folder) == before

    def test_in_other_repositories_of_that_folder_nothing_happens(self, clone, tmp_path):
        clone.git("config", "--global", "core.hooksPath", str(tmp_path / "hooks"))
        clone.gated()
        clone.git("init", "-q", str(tmp_path / "other"))
        clone.put("a.py", BAD, cwd=tmp_path / "other")
        clone.git("add", "a.py", cwd=tmp_path / "other")
        done = clone.run("commit", "-q", "-m", "not ours", cwd=tmp_path / "other")
        assert (done.returncode, done.stderr) == (0, "")

    def test_a_folder_that_is_committed_gets_lines_and_no_path_of_this_machine(self, clone):
        clone.hook(clone.root / ".githooks" / "pre-commit", TELLS)
        clone.git("config", "core.hooksPath", ".githooks")
        before = picture(clone.root)
        clone.gated()
        for name in HOOKS:
            assert str(clone.home.parent) not in (clone.root / ".githooks" / name).read_text()
        stage(clone)
        clone.stopped("commit", "-m", "bad")
        assert notes_of(clone) == ["pre-commit 0"]
        clone.git("rm", "-q", "-f", "--cached", "a.py")
        for name in ("a.py", "told"):
            (clone.root / name).unlink()
        remove(clone)
        after = picture(clone.root)
        assert {
            path: facts for path, facts in after.items() if not path.startswith((".git/objects", ".git/index"))
        } == before

    def test_a_hook_that_ends_early_is_gated_before_it_does(self, clone):
        clone.hook(clone.root / ".githooks" / "pre-commit", "#!/bin/sh\necho ran >> told\nexit 0\n")
        clone.git("config", "core.hooksPath", ".githooks")
        clone.gated()
        stage(clone)
        clone.stopped("commit", "-m", "bad")

    def test_lines_of_others_added_since_survive_the_removal(self, clone):
        path = clone.hook(clone.root / ".githooks" / "pre-commit", TELLS)
        clone.git("config", "core.hooksPath", ".githooks")
        clone.gated()
        path.write_text(path.read_text() + "echo more\n")
        remove(clone)
        assert path.read_text() == TELLS + "echo more\n"

    def test_a_committed_hook_of_another_language_is_left_to_a_person(self, clone):
        clone.hook(clone.root / ".githooks" / "pre-commit", "#!/usr/bin/env python3\n")
        clone.git("config", "core.hooksPath", ".githooks")
        assert "is not a shell script" in clone.init("--yes", "--git").stderr

    def test_hooks_that_are_switched_off_are_told(self, clone):
        clone.git("config", "core.hooksPath", "/dev/null")
        said = clone.init("--yes", "--git")
        assert said.returncode == 0
        assert "git runs no hooks here" in said.stderr

    def test_who_has_a_clone_without_vetgate_is_told_and_can_work(self, clone, tmp_path):
        clone.git("config", "core.hooksPath", ".githooks")
        clone.gated()
        clone.git("add", "-A")
        clone.git("commit", "-q", "--no-verify", "-m", "begin")
        clone.git("clone", "-q", str(clone.root), str(tmp_path / "teammate"))
        clone.git("config", "core.hooksPath", ".githooks", cwd=tmp_path / "teammate")
        clone.put("a.py", BAD, cwd=tmp_path / "teammate")
        clone.git("add", "a.py", cwd=tmp_path / "teammate")
        done = clone.run("commit", "-m", "unchecked", cwd=tmp_path / "teammate")
        assert done.returncode == 0
        assert "not set up in this clone" in done.stderr


class TestHusky:
    """As husky 9 lays it out: git runs `.husky/_/NAME`, which runs `.husky/NAME` with `sh -e`."""

    @pytest.fixture
    def husky(self, clone) -> Clone:
        clone.put(".husky/_/.gitignore", "*")
        clone.put(
            ".husky/_/h",
            '#!/usr/bin/env sh\nn=$(basename "$0")\ns=$(dirname "$(dirname "$0")")/$n\n[ ! -f "$s" ] && exit 0\n'
            'sh -e "$s" "$@"\nexit $?\n',
        )
        for name in HOOKS:
            clone.hook(clone.root / ".husky" / "_" / name, '#!/usr/bin/env sh\n. "$(dirname "$0")/h"')
        clone.put(".husky/pre-commit", "echo lint >> told\n")
        clone.git("config", "core.hooksPath", ".husky/_")
        return clone

    def test_people_s_own_file_gets_the_lines_and_husky_s_are_left_alone(self, husky):
        before = picture(husky.root / ".husky" / "_")
        husky.gated()
        assert picture(husky.root / ".husky" / "_") == before
        stage(husky)
        husky.stopped("commit", "-m", "bad")
        assert notes_of(husky) == ["lint"]
        stage(husky, GOOD)
        husky.git("commit", "-q", "-m", "good")

    def test_a_file_that_is_in_git_waits_for_a_person_and_the_line_to_add_is_named(self, husky):
        husky.git("add", ".husky")
        husky.git("commit", "-q", "-m", "husky")
        file = husky.root / ".husky" / "pre-commit"
        before = file.read_text()
        said = husky.init("--yes", "--git")
        assert file.read_text() == before
        line = said.stderr.partition("add this line: ")[2].splitlines()[0]
        assert "pre-commit" in line
        file.write_text(before + line + "\n")
        assert "add this line" not in husky.init("--yes", "--git").stderr
        assert file.read_text() == before + line + "\n"
        stage(husky)
        husky.stopped("commit", "-m", "bad")

    def test_a_file_that_is_in_git_is_changed_when_asked_for(self, husky):
        husky.git("add", ".husky")
        husky.git("commit", "-q", "-m", "husky")
        before = picture(husky.root / ".husky")
        husky.gated("--tracked-hooks")
        stage(husky)
        husky.stopped("commit", "-m", "bad")
        remove(husky)
        assert picture(husky.root / ".husky") == before

    def test_it_comes_out_again(self, husky):
        before = picture(husky.root)
        husky.gated()
        remove(husky)
        assert picture(husky.root) == before

    def test_before_husky_is_installed_and_after_it_the_gate_stands(self, husky):
        husky.git("config", "--unset", "core.hooksPath")
        husky.gated()
        stage(husky)
        husky.stopped("commit", "-m", "bad")
        husky.git("config", "core.hooksPath", ".husky/_")
        husky.stopped("commit", "-m", "bad")


class TestLefthook:
    SCRIPT = '#!/bin/sh\ncall_lefthook()\n{\n  echo lefthook >> told\n}\ncall_lefthook run "pre-commit" "$@"\n'

    def test_its_own_hook_stays_and_its_local_file_names_our_commands(self, clone):
        clone.put("lefthook.yml", "pre-commit:\n  commands:\n    lint:\n      run: true\n")
        clone.hook(clone.hooks / "pre-commit", self.SCRIPT)
        before = picture(clone.root)
        clone.gated()
        assert (clone.hooks / "pre-commit").read_text() == self.SCRIPT
        local = (clone.root / "lefthook-local.yml").read_text()
        assert all(f"{clone.hooks / 'vetgate'} {name}" in local for name in HOOKS)
        remove(clone)
        assert picture(clone.root) == before

    def test_a_local_file_keeps_what_it_says(self, clone):
        clone.put("lefthook.yml", "{}\n")
        clone.put("lefthook-local.yml", "# mine\npost-merge:\n  commands: {a: {run: echo}}")
        clone.gated()
        local = (clone.root / "lefthook-local.yml").read_text()
        assert local.startswith("# mine\npost-merge:")
        remove(clone)
        assert (clone.root / "lefthook-local.yml").read_text() == "# mine\npost-merge:\n  commands: {a: {run: echo}}"

    def test_one_that_has_a_say_already_is_left_to_a_person(self, clone):
        clone.put("lefthook.yml", "{}\n")
        text = "pre-commit:\n  commands: {a: {run: echo}}\n"
        clone.put("lefthook-local.yml", text)
        assert "add to it by hand" in clone.init("--yes", "--git").stderr
        assert (clone.root / "lefthook-local.yml").read_text() == text

    def test_where_it_is_not_installed_our_own_hooks_stand(self, clone):
        clone.put("lefthook.yml", "{}\n")
        clone.gated()
        stage(clone)
        clone.stopped("commit", "-m", "bad")


class TestGone:
    def test_a_vetgate_that_is_gone_says_so_and_lets_people_work(self, clone):
        clone.gated()
        runner = clone.hooks / "vetgate"
        runner.write_text(runner.read_text().replace("/bin/python", "/bin/no-such-python"))
        stage(clone)
        done = clone.run("commit", "-m", "unchecked")
        assert done.returncode == 0
        assert "vetgate is no longer at" in done.stderr

    def test_an_interpreter_that_may_not_be_run_stops_git(self, clone, tmp_path):
        clone.gated()
        python = tmp_path / "python3"
        python.write_bytes(b"")
        runner = clone.hooks / "vetgate"
        runner.write_text(runner.read_text().replace(sys.executable, str(python)))
        stage(clone)
        done = clone.run("commit", "-m", "unchecked")
        assert done.returncode != 0
        assert f"{python} exists and cannot be run" in done.stderr

    def test_half_an_installation_too(self, clone):
        clone.gated()
        runner = clone.hooks / "vetgate"
        runner.write_text(runner.read_text().replace("import vetgate.cli.git_hook", "import vetgate.no_such_part"))
        stage(clone)
        done = clone.run("commit", "-m", "unchecked")
        assert done.returncode == 0
        assert "vetgate cannot start" in done.stderr


class TestDoctor:
    def diagnoses(self, clone: Clone) -> dict[str, str]:
        said = json.loads(clone.vetgate("doctor", "--format", "json").stdout)
        return {each["what"]: each["status"] for each in said["findings"] if each["id"] == "git"}

    def test_hooks_that_stop_what_they_should_are_good(self, clone):
        clone.gated()
        assert list(self.diagnoses(clone).values()) == ["good"]

    def test_without_them_it_is_worth_a_note(self, clone):
        assert clone.init("--yes", "--no-git").returncode == 0
        assert self.diagnoses(clone) == {"git's own hooks do not run vetgate here": "note"}

    def test_a_hook_that_others_replaced_is_bad(self, clone):
        clone.gated()
        clone.hook(clone.hooks / "pre-commit", TELLS)
        assert self.diagnoses(clone) == {f"{clone.hooks / 'pre-commit'} does not run vetgate": "bad"}

    def test_a_hook_that_may_not_run_is_bad(self, clone):
        clone.gated()
        (clone.hooks / "pre-commit").chmod(0o644)
        assert self.diagnoses(clone) == {f"{clone.hooks / 'pre-commit'} does not run vetgate": "bad"}

    def test_one_that_lets_everything_pass_is_bad(self, clone):
        clone.gated()
        runner = clone.hooks / "vetgate"
        runner.write_text(runner.read_text().replace("/bin/python", "/bin/no-such-python"))
        assert "bad" in self.diagnoses(clone).values()


def test_the_manifest_for_pre_commit_names_a_command_that_stops_what_is_new(clone):
    manifest = yaml.safe_load((Path(__file__).parents[1] / ".pre-commit-hooks.yaml").read_text())
    stage(clone)
    for entry in {each["entry"] for each in manifest}:
        program, *words = entry.split()
        assert program == "vetgate"
        assert clone.vetgate(*words).returncode == 1


class TestLauncher:
    """The last session saw it; git's hooks ask what became of it since."""

    def begin(self, clone: Clone) -> None:
        assert clone.init("--yes").returncode == 0
        begins = {"hook_event_name": "SessionStart", "session_id": "s", "cwd": str(clone.root), "source": "startup"}
        began = subprocess.run(
            [clone.launcher], input=json.dumps(begins), text=True, capture_output=True, check=True, env=clone.env
        )
        assert "vetgate" in began.stdout
        stage(clone, GOOD)

    def test_a_person_took_it_back(self, clone):
        self.begin(clone)
        remove(clone, "--agent", "claude-code")
        assert not clone.launcher.exists()
        assert clone.run("commit", "-q", "-m", "mine").returncode == 0

    def test_somebody_deleted_it(self, clone):
        self.begin(clone)
        clone.launcher.unlink()
        assert "vetgate-hook" in clone.stopped("commit", "-q", "-m", "mine")

    def test_a_person_set_up_another_project_from_another_environment(self, clone, tmp_path):
        self.begin(clone)
        before = clone.launcher.read_bytes()
        self.set_up_elsewhere(clone, tmp_path)
        assert clone.launcher.read_bytes() != before
        assert clone.run("commit", "-q", "-m", "mine").returncode == 0

    def test_somebody_overwrote_what_another_environment_wrote(self, clone, tmp_path):
        self.begin(clone)
        self.set_up_elsewhere(clone, tmp_path)
        clone.hook(clone.launcher, "#!/bin/sh\nexit 0\n")
        (place,) = (
            each for each in (clone.state / "init").glob("*/receipt.json") if "vetgate-hook" in each.read_text()
        )
        receipt = json.loads(place.read_text())
        place.write_text(json.dumps({**receipt, "after": sha256(clone.launcher.read_bytes()).hexdigest()}))
        assert "vetgate-hook" in clone.stopped("commit", "-q", "-m", "mine")

    def set_up_elsewhere(self, clone: Clone, tmp_path: Path) -> None:
        """As somebody would who has vetgate in two environments."""
        venv.create(tmp_path / "other", symlinks=True)
        (packages,) = (tmp_path / "other" / "lib").glob("python*/site-packages")
        (packages / "as_here.pth").write_text("".join(f"{place}\n" for place in sys.path if place))
        subprocess.run(["git", "init", "-q", tmp_path / "second"], check=True, env=clone.env)
        said = subprocess.run(
            [tmp_path / "other" / "bin" / "python", "-c", RUN, "init", "--yes"],
            cwd=tmp_path / "second",
            env=clone.env,
            capture_output=True,
            text=True,
            check=False,
            stdin=subprocess.DEVNULL,
        )
        assert said.returncode == 0, said.stderr
