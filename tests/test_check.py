from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
from hashlib import sha256
from typing import TYPE_CHECKING

import pytest

from fixtures import Said, WorkTree
from vetgate import runtime
from vetgate.cli.progress import Bar
from vetgate.model import Decision, Outcome, Status, Unchecked, UncheckedKind, Verdict
from vetgate.service import spread
from vetgate.service.check import joined
from vetgate.source.root import store_key
from vetgate.store import open_project_store

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Call = Callable[..., Said]


def branches(number: int, name: str = "tangled") -> str:
    """A Python function with a cyclomatic complexity of `number` + 1."""
    return (
        f"def {name}(a):\n" + "".join(f"    if a == {n}:\n        a += 1\n" for n in range(number)) + "    return a\n"
    )


GOOD = "def fine(a):\n    return a\n"
BAD = branches(12)


def found(said: Said) -> list[tuple[str, str, bool]]:
    findings = json.loads(said.out)["findings"]
    return [(each["path"], each["rule"], each["new"]) for each in findings if each["check"] == "complexity"]


class TestManyFindings:
    @pytest.fixture
    def project(self, tree: WorkTree) -> WorkTree:
        for number in range(24):
            tree.put(f"src/a{number:02}.py", branches(12, f"tangled_{number}"))
        tree.put("src/z.py", "import subprocess\n\n\ndef run(name):\n    subprocess.run(f'ls {name}', shell=True)\n")
        return tree

    def test_a_summary_first_then_some_of_each_rule(self, project: WorkTree, call: Call) -> None:
        said = call("check")
        lines = said.out.splitlines()
        assert lines[0].split() == ["error", "warning"]
        assert ["complexity", "24"] in [line.split() for line in lines[:4]]
        assert any(line.startswith("most findings: ") for line in lines)
        assert said.out.count("error  complexity/cyclomatic") == 3
        assert "21 more of complexity/cyclomatic: --all-findings --select complexity/cyclomatic" in lines
        assert lines[-1].startswith("24 errors")
        assert said.status == 1

    def test_all_of_them_when_asked_for(self, project: WorkTree, call: Call) -> None:
        said = call("check", "--all-findings")
        assert said.out.count("error  complexity/cyclomatic") == 24
        assert "more of" not in said.out

    def test_few_are_shown_whole_in_reading_order_with_their_fingerprints(self, tree: WorkTree, call: Call) -> None:
        tree.put("b.py", BAD)
        tree.put("a.py", BAD)
        out = call("check").out
        assert out.startswith("a.py:1:1  error  complexity/cyclomatic  ")
        [first, second] = json.loads(call("check", "--format", "json").out)["findings"]
        assert first["fingerprint"] in out
        assert second["fingerprint"] in out

    def test_what_is_the_same_in_several_files_is_shown_once(self, tree: WorkTree, call: Call) -> None:
        for name in ("a.py", "b.py", "c.py"):
            tree.put(name, "import os\n\nos.chmod('a', 0o777)\n")
        out = call("check").out
        assert out.count("security/world-writable-file") == 1
        assert "  the same at b.py:3, c.py:3" in out.splitlines()
        assert call("check", "--all-findings").out.count("security/world-writable-file") == 3

    def test_rules_are_selected_by_what_people_call_them(self, tree: WorkTree, call: Call) -> None:
        tree.put("a.py", "import os\n\nos.chmod('a', 0o777)\n")
        assert call("check", "--select", "CWE-732").status == 1
        assert call("check", "--select", "world-writable-file").status == 1
        assert call("check", "--select", "xss,CWE-89").status == 0

    def test_figures_alone(self, project: WorkTree, call: Call) -> None:
        said = call("check", "--statistics")
        assert said.out.startswith("24  complexity/cyclomatic  error\n")
        assert said.status == 1
        assert call("check", "--statistics", "--format", "json").status == 2

    def test_some_checks_or_rules_alone(self, project: WorkTree, call: Call) -> None:
        assert "complexity" not in call("check", "--select", "security").out
        said = call("check", "--ignore", "complexity/cyclomatic,complexity/cognitive")
        assert (said.status, "cyclomatic" in said.out) == (0, False)
        assert json.loads(call("check", "--select", "complexity", "--format", "json").out)["verdict"] == "block"

    def test_a_name_that_nobody_knows(self, project: WorkTree, call: Call) -> None:
        said = call("check", "--select", "securty")
        assert said.status == 3
        assert 'did you mean "security"?' in said.err


class TestPaths:
    def test_a_clean_file_passes(self, tree: WorkTree, call: Call) -> None:
        tree.put("a.py", GOOD)
        said = call("check", "a.py")
        assert said.status == 0
        assert said.out.startswith("no findings in 1 file (")

    def test_a_tangled_file_blocks_and_is_shown(self, tree: WorkTree, call: Call) -> None:
        tree.put("src/a.py", BAD)
        said = call("check", "src/a.py")
        assert said.status == 1
        assert "src/a.py:1:1  error  complexity/cyclomatic" in said.out
        assert "> 1 | def tangled(a):" in said.out
        assert said.out.splitlines()[-1].endswith(": blocked")

    def test_what_vetgate_keeps_is_nobody_s_code(
        self, tree: WorkTree, call: Call, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("VETGATE_STATE_DIR", str(tree.root / "kept"))
        tree.put("kept/secret.py", BAD)
        tree.put("a.py", GOOD)
        assert call("check").out.startswith("no findings in 1 file (")

    def test_warnings_pass(self, tree: WorkTree, call: Call) -> None:
        tree.put("a.py", "def wide(a, b, c, d, e, f):\n    return a\n")
        said = call("check", "--format", "json", "a.py")
        assert (said.status, json.loads(said.out)["verdict"], found(said)) == (
            0,
            "warn",
            [("a.py", "parameters", True)],
        )

    def test_what_is_committed_counts_as_well(self, tree: WorkTree, call: Call) -> None:
        tree.put("a.py", BAD)
        tree.commit()
        assert found(call("check", "--format", "json")) == [("a.py", "cyclomatic", True)]

    def test_without_paths_the_whole_project_from_anywhere_in_it(self, tree: WorkTree, call: Call) -> None:
        tree.put("a.py", BAD)
        tree.put("deep/b.py", BAD)
        tree.put("notes.txt", "nothing to check\n")
        said = call("check", "--format", "json", cwd="project/deep")
        assert [path for path, *_ in found(said)] == ["../a.py", "b.py"]
        assert json.loads(said.out)["unchecked"] == []

    def test_ignored_and_excluded_files_are_left_out(self, tree: WorkTree, call: Call) -> None:
        tree.put(".gitignore", "generated/\n")
        tree.put("generated/a.py", BAD)
        tree.put("node_modules/b.js", "function f() {}")
        tree.put("old/c.py", BAD)
        tree.put("vetgate.yaml", "version: 1\npaths:\n  exclude: ['old/**']\n")
        said = call("check", "--format", "json")
        assert (said.status, found(said)) == (0, [])

    def test_an_excluded_file_that_was_named_is_not_passed_over_in_silence(self, tree: WorkTree, call: Call) -> None:
        tree.put("old/c.py", BAD)
        tree.put("vetgate.yaml", "version: 1\npaths:\n  exclude: ['old/**']\n")
        report = json.loads(call("check", "--format", "json", "old/c.py").out)
        assert report["unchecked"] == [{"path": "old/c.py", "reason": "left out by `paths` in the configuration"}]
        assert report["verdict"] == "warn"

    def test_any_text_is_looked_at_and_a_picture_only_when_it_is_named(self, tree: WorkTree, call: Call) -> None:
        tree.put("notes.txt", "words\n")
        (tree.root / "logo.png").write_bytes(b"\x89PNG\0\0")
        assert json.loads(call("check", "--format", "json", "notes.txt", ".").out)["unchecked"] == []
        report = json.loads(call("check", "--format", "json", "logo.png").out)
        assert [each["path"] for each in report["unchecked"]] == ["logo.png"]

    def test_a_binary_file_with_a_familiar_name(self, tree: WorkTree, call: Call) -> None:
        tree.put("a.py", b"\0\0\0")
        report = json.loads(call("check", "--format", "json").out)
        assert report["unchecked"] == [{"path": "a.py", "reason": "binary"}]

    def test_a_folder_that_git_ignores_is_checked_when_asked_for(self, tree: WorkTree, call: Call) -> None:
        tree.put(".gitignore", "generated/\n")
        tree.put("generated/a.py", BAD)
        assert [path for path, *_ in found(call("check", "--format", "json", "generated"))] == ["generated/a.py"]

    def test_without_git(self, tmp_path: Path, call: Call) -> None:
        (tmp_path / "plain/sub").mkdir(parents=True)
        (tmp_path / "plain/sub/a.py").write_text(BAD)
        (tmp_path / "plain/link.py").symlink_to("sub/a.py")
        said = call("check", "--format", "json", cwd="plain")
        assert found(said) == [("sub/a.py", "cyclomatic", True)]

    def test_paths_are_called_as_the_user_calls_them(self, tree: WorkTree, call: Call) -> None:
        file = tree.put("src/a.py", BAD)
        for given, shown in (
            ("src", "src/a.py"),
            ("./src/a.py", "src/a.py"),
            (str(file), str(file)),
            (str(file.parent), str(file)),
            ("../project/src", "../project/src/a.py"),
        ):
            assert [path for path, *_ in found(call("check", "--format", "json", given))] == [shown]

    def test_files_of_two_projects_in_one_run(self, tree: WorkTree, tmp_path: Path, call: Call) -> None:
        tree.put("a.py", BAD)
        other = WorkTree(tmp_path / "other")
        other.put("a.py", BAD)
        other.put("vetgate.yaml", "version: 1\ncomplexity: {cyclomatic: 50}\n")
        other.put("b.py", "def wide(a, b, c, d, e, f):\n    return a\n")
        said = call("check", "--format", "json", "a.py", "../other")
        assert [path for path, *_ in found(said)] == ["../other/b.py", "a.py"]
        assert "a.py:1:1" in call("check", "a.py", "../other").out

    def test_a_file_named_twice_is_checked_once(self, tree: WorkTree, call: Call) -> None:
        tree.put("a.py", BAD)
        assert len(found(call("check", "--format", "json", "a.py", ".", "./a.py"))) == 1

    def test_switched_off(self, tree: WorkTree, call: Call) -> None:
        tree.put("a.py", BAD)
        tree.put("vetgate.yaml", "version: 1\nenabled: false\n")
        said = call("check")
        assert said.status == 0
        assert "enabled: false" in said.out


class TestNotChecked:
    def test_a_link_that_leads_nowhere(self, tree: WorkTree, call: Call) -> None:
        tree.put("a.py", GOOD)
        (tree.root / "gone.py").symlink_to("nowhere.py")
        (tree.root / "live.py").symlink_to("a.py")
        (tree.root / "gone.txt").symlink_to("nowhere.txt")
        for words in ((), ("gone.py", "a.py"), (".",)):
            said = call("check", *words)
            assert said.status == 0
            assert "not checked  gone.py: a symbolic link that leads nowhere\n" in said.out
            assert "1 file checked, 1 not checked" in said.out

    def test_the_same_without_git(self, tmp_path: Path, call: Call) -> None:
        (tmp_path / "plain").mkdir()
        (tmp_path / "plain/gone.py").symlink_to("nowhere.py")
        said = call("check", "plain", cwd=".")
        assert "not checked  plain/gone.py" in said.out
        assert "nothing was checked: 1 file not checked" in said.out
        assert "passed" not in said.out

    @pytest.mark.parametrize("content", [b"\0\0", b"x = 1\n" * 21_000], ids=["binary", "huge"])
    def test_a_file_that_was_named(self, tree: WorkTree, call: Call, content: bytes) -> None:
        tree.put("a.py", content)
        said = call("check", "a.py")
        assert said.out.count("not checked  a.py: ") == 1
        assert "not checked: not checked" not in said.out
        assert "nothing was checked: 1 file not checked" in said.out

    def test_nothing_to_check_is_not_passed(self, tree: WorkTree, call: Call) -> None:
        assert call("check").out.startswith("nothing was checked: no files to check (")

    def test_closed_folders_and_files(self, unprivileged: Path, call: Call) -> None:
        for name in ("open/a.py", "open/closed/b.py", "shut.py"):
            (unprivileged / name).parent.mkdir(exist_ok=True)
            (unprivileged / name).write_text(GOOD)
        (unprivileged / "open/closed").chmod(0)
        (unprivileged / "shut.py").chmod(0)
        said = call("check", "open", cwd=str(unprivileged))
        assert "not checked  open/closed: cannot be read: Permission denied\n" in said.out
        assert "1 file checked, 1 not checked" in said.out
        for named in ("shut.py", "open/closed/b.py"):
            said = call("check", named, cwd=str(unprivileged))
            assert (said.status, said.out) == (3, "")
            assert f"{named} cannot be read: Permission denied" in said.err

    def test_closed_folders_of_a_repository(self, unprivileged: Path, call: Call) -> None:
        tree = WorkTree(unprivileged)
        tree.put("closed/tracked.py", GOOD)
        tree.commit()
        tree.put("shut/b.py", GOOD)
        for name in ("closed", "shut"):
            (tree.root / name).chmod(0)
        said = call("check", cwd=str(unprivileged))
        assert "not checked  closed/tracked.py: cannot be read: Permission denied\n" in said.out
        assert "not checked  shut: cannot be read: Permission denied\n" in said.out

    def test_what_does_not_parse_is_said_and_blocks_nobody(self, tree: WorkTree, call: Call) -> None:
        tree.put("src/a.py", f"{GOOD}\n\ndef broken(:\n    pass\n")
        (tree.root / "other").mkdir()
        assert call("check").status == 0
        assert "does not parse  src/a.py:5: what parses was checked\n" in call("check").out
        tree.git("add", "-A")
        assert "does not parse  ../src/a.py:5:" in call("check", "--staged", cwd="project/other").out
        assert "does not parse" not in call("check", "--format", "json").out


class TestAcceptance:
    LOOSE = "version: 1\ncomplexity: {cyclomatic: 50}\n"

    def test_a_looser_file_that_nobody_accepted_is_said_once(self, tree: WorkTree, call: Call, home: Path) -> None:
        tree.put("vetgate.yaml", self.LOOSE)
        tree.put("a.py", GOOD)
        said = call("check")
        assert (said.status, said.err.count("\n")) == (0, 1)
        assert "agents are held to the stricter settings" in said.err
        assert "`vetgate trust`" in said.err
        assert "complexity.cyclomatic" in said.err
        assert not (home / "state" / "projects").exists()

    def test_nothing_is_said_of_one_that_is_accepted_or_stricter(self, tree: WorkTree, call: Call) -> None:
        tree.put("a.py", GOOD)
        file = tree.put("vetgate.yaml", "version: 1\ncomplexity: {cyclomatic: 5}\n")
        assert call("check").err == ""
        file.write_text(self.LOOSE)
        with contextlib.closing(open_project_store(runtime.state_dir(), store_key(tree.root))) as store:
            store.set_trusted(sha256(self.LOOSE.encode()).hexdigest(), self.LOOSE)
        assert call("check").err == ""


class TestWrongUsage:
    def test_a_configuration_that_is_not_there(self, tree: WorkTree, call: Call) -> None:
        said = call("check", "--config", "nosuch.yaml")
        assert said.status == 3
        assert said.err.startswith("vetgate: there is no file nosuch.yaml\n")

    def test_a_path_that_does_not_exist(self, tree: WorkTree, call: Call) -> None:
        said = call("check", "nowhere.py")
        assert (said.status, said.out) == (3, "")
        assert "nowhere.py does not exist" in said.err

    def test_a_broken_configuration_names_file_line_and_key(self, tree: WorkTree, call: Call) -> None:
        tree.put("a.py", GOOD)
        tree.put("vetgate.yaml", "version: 1\ncomplexity:\n  cyclomatic: many\n")
        said = call("check")
        assert said.status == 3
        assert all(word in said.err for word in ("vetgate.yaml", "3", "cyclomatic"))

    def test_another_configuration(self, tree: WorkTree, call: Call) -> None:
        tree.put("a.py", BAD)
        tree.put("loose.yaml", "version: 1\ncomplexity: {cyclomatic: 50}\n")
        assert call("check", "a.py", "--config", "loose.yaml").status == 0
        assert call("check", "a.py", "--config", "missing.yaml").status == 3

    def test_index_and_diff_at_once(self, tree: WorkTree, call: Call) -> None:
        assert call("check", "--staged", "--diff", "HEAD").status == 2

    def test_the_index_of_no_repository(self, tmp_path: Path, call: Call) -> None:
        said = call("check", "--staged", cwd=".")
        assert said.status == 3
        assert "not in a git repository" in said.err


class TestChanges:
    def test_only_what_the_index_introduces_blocks(self, tree: WorkTree, call: Call) -> None:
        tree.put("old.py", BAD)
        tree.commit()
        tree.put("old.py", BAD + "\n\nX = 1\n")
        tree.git("add", "-A")
        tree.put("old.py", BAD + branches(20, "unstaged"))
        said = call("check", "--staged", "--format", "json")
        assert (said.status, found(said)) == (0, [])
        assert found(call("check", "--staged", "--all", "--format", "json")) == [("old.py", "cyclomatic", False)]
        tree.put("new.py", branches(12, "fresh"))
        tree.git("add", "new.py")
        said = call("check", "--staged", "--format", "json")
        assert (said.status, found(said)) == (1, [("new.py", "cyclomatic", True)])

    def test_a_renamed_file_brings_nothing_new(self, tree: WorkTree, call: Call) -> None:
        tree.put("old.py", BAD)
        tree.commit()
        tree.git("mv", "old.py", "new.py")
        assert call("check", "--staged").status == 0

    @pytest.mark.parametrize("change", [("--staged",), ("--diff", "main")])
    def test_a_file_that_moved_and_grew_is_held_to_what_it_promised(self, tree: WorkTree, call: Call, change) -> None:
        send, app = "def send(to):\n    return to\n", 'from {} import send\n\nsend("ann")\n'
        tree.put("mail.py", send)
        tree.put("app.py", app.format("mail"))
        tree.commit()
        tree.git("mv", "mail.py", "post.py")
        more = "".join(f"\n\ndef more_{number}(a, b):\n    return a * {number} + b\n" for number in range(20))
        tree.put("post.py", send.replace("(to)", "(to, text)") + more)
        tree.put("app.py", app.format("post"))
        tree.git("add", "-A")
        said = call("check", *change, "--format", "json")
        assert said.status == 1
        assert "`send` now needs `text`; it is used in 1 place: app.py:3." in said.out

    def test_the_code_shown_is_the_index_not_the_disk(self, tree: WorkTree, call: Call) -> None:
        tree.put("a.py", BAD)
        tree.git("add", "-A")
        tree.put("a.py", "# something else entirely\n")
        assert "> 1 | def tangled(a):" in call("check", "--staged").out

    def test_a_diff_counts_what_the_branch_added_even_if_committed(self, tree: WorkTree, call: Call) -> None:
        tree.put("base.py", BAD)
        tree.commit()
        tree.git("checkout", "-qb", "topic")
        tree.put("committed.py", BAD)
        tree.commit()
        tree.put("untracked.py", BAD)
        said = call("check", "--diff", "main", "--format", "json")
        assert said.status == 1
        assert [path for path, *_ in found(said)] == ["committed.py", "untracked.py"]

    def test_paths_narrow_a_change_down(self, tree: WorkTree, call: Call) -> None:
        tree.commit()
        tree.put("one/a.py", BAD)
        tree.put("two/b.py", BAD)
        said = call("check", "--diff", "HEAD", "--format", "json", "two")
        assert [path for path, *_ in found(said)] == ["two/b.py"]

    def test_from_a_subfolder_paths_lead_from_there(self, tree: WorkTree, call: Call) -> None:
        tree.commit()
        tree.put("one/a.py", BAD)
        (tree.root / "two").mkdir()
        said = call("check", "--diff", "HEAD", "--format", "json", cwd="project/two")
        assert [path for path, *_ in found(said)] == ["../one/a.py"]
        annotated = call("check", "--diff", "HEAD", "--format", "github", cwd="project/two")
        assert "file=one/a.py" in annotated.out


class TestManyFiles:
    def test_several_processes_say_what_one_says(
        self, tree: WorkTree, call: Call, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        for number in range(40):
            tree.put(f"m{number:02}.py", branches(12, f"f{number}") if number % 7 == 0 else GOOD)
        tree.put("binary.py", b"\0")
        alone = json.loads(call("check", "--format", "json").out)
        monkeypatch.setattr(spread, "MANY", 10)
        monkeypatch.setattr(spread, "_cores", lambda: 2)
        together = json.loads(call("check", "--format", "json").out)
        assert len(alone["findings"]) == 6
        for report in (alone, together):
            del report["elapsed_ms"], report["metrics"]["performance"]
        assert together == alone

    def test_the_installed_command_can_spread(self, tree: WorkTree) -> None:
        """Worker processes import the main module again: it must not run the command a second time."""
        for number in range(spread.MANY + 1):
            tree.put(f"m{number:03}.py", GOOD)
        tree.put("bad.py", BAD)
        done = subprocess.run(
            [sys.executable, "-m", "vetgate", "check"], cwd=tree.root, capture_output=True, check=False, env=os.environ
        )
        assert done.returncode == 1, done.stderr
        assert done.stdout.decode().splitlines()[-1].startswith(f"1 error in {spread.MANY + 2} files (")
        assert done.stderr == b""


class TestJoined:
    def test_the_strongest_decision_and_all_that_was_found(self) -> None:
        one = Verdict(
            Decision.WARN,
            (Outcome("code", Status.PASSED, unchecked=(Unchecked("a", UncheckedKind.OTHER, "x"),), error="p"),),
            ("n",),
        )
        two = Verdict(
            Decision.BLOCK, (Outcome("code", Status.ERRORED, error="q"), Outcome("more", Status.PASSED)), ("n",)
        )
        both = joined((one, two))
        assert both.decision is Decision.BLOCK
        assert [(each.gate, each.status, each.error) for each in both.outcomes] == [
            ("code", Status.ERRORED, "p; q"),
            ("more", Status.PASSED, ""),
        ]
        assert (both.unchecked, both.notes) == ((Unchecked("a", UncheckedKind.OTHER, "x"),), ("n",))


class TestProgress:
    def test_nothing_where_there_is_no_terminal(self, tmp_path: Path) -> None:
        file = tmp_path / "log"
        with file.open("w") as stream, Bar(stream, patience=0) as bar:
            bar("checking", 0, 10)
            bar("checking", 5, 10)
        assert file.read_text() == ""

    def test_a_bar_on_a_terminal_that_cleans_up_after_itself(self) -> None:
        assert drawn(patience=0) == b"\r\x1b[Kchecking [############------------] 5/10\r\x1b[K"

    def test_quick_work_shows_no_bar(self) -> None:
        assert drawn(patience=3600) == b""


def drawn(patience: float) -> bytes:
    """What a terminal saw."""
    reading, writing = os.openpty()
    seen = b""
    with os.fdopen(writing, "w") as stream, Bar(stream, patience) as bar:
        bar("checking", 0, 10)
        bar("checking", 5, 10)
    with contextlib.suppress(OSError):  # how Linux says that the other side was closed
        while chunk := os.read(reading, 1000):
            seen += chunk
    os.close(reading)
    return seen
