"""A second `vetgate check` over files that stayed as they were takes what it said the first time."""

from __future__ import annotations

import json
import os
import sqlite3
import time
from typing import TYPE_CHECKING

import pytest

from vetgate.checks import all_checks
from vetgate.checks.imports.unknown_imports import index_of
from vetgate.checks.secrets import redaction
from vetgate.config.load import defaults
from vetgate.engine import analysis
from vetgate.engine.analysis import Analyzer, digest_of, source_of
from vetgate.engine.check import Check, Report
from vetgate.engine.kept_reports import KeptReports
from vetgate.model import SILENT, Finding, Gate, Span
from vetgate.service.check import Judged
from vetgate.service.earlier_reports import EarlierReports
from vetgate.severity import Severity
from vetgate.source.clock import Deadline
from vetgate.source.disk_cache import listed, read
from vetgate.store import ContentStore

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from fixtures import Said, WorkTree
    from vetgate.source.syntax import Source

    Call = Callable[..., Said]

QUERY = (
    "import flask\n\n\ndef find(cursor):\n    cursor.execute('SELECT * FROM t WHERE n = ' + flask.request.args['n'])\n"
)
MANIFEST = '[project]\nname = "shop"\nversion = "1"\ndependencies = ["flask"]\n'


def counting(asked: list[str], look: Callable[[Source], object] = id) -> Check:
    def report(check_input, config, deadline):
        source = check_input.source
        asked.append(source.path)
        look(source)
        span = Span(source.path, 1, 1, 1, 2)
        return Report((Finding("naming", "case", span, f"seen as {source.text!r}", Severity.WARNING, cwe=(7,)),))

    return Check("naming", "Counts.", (), report=report, plain=True)


@pytest.fixture
def contents(tmp_path: Path):
    store = ContentStore(tmp_path)
    yield store
    store.close()


def analyzed(check: Check, contents: ContentStore, text: str = "x = 1\n", root: Path | None = None):
    gate = Gate("code", checks=("naming",))
    analyzer = Analyzer({**all_checks(), "naming": check}, kept=KeptReports(contents, root))
    return analyzer.analyze(gate, defaults(), source_of("a.py", text, root=root), Deadline.never()).findings


def test_a_check_is_asked_once_about_a_text(contents):
    asked: list[str] = []
    first = analyzed(counting(asked), contents)
    assert (analyzed(counting(asked), contents), asked) == (first, ["a.py"])
    analyzed(counting(asked), contents, "x = 2\n")
    assert asked == ["a.py", "a.py"]


def test_what_hides_nothing_is_looked_at_once_and_what_hides_something_each_time(contents, tmp_path):
    asked: list[str] = []

    def look(source: Source) -> bool:
        asked.append(source.text)
        return source.text == "x = 1\n"

    earlier = EarlierReports(contents, tmp_path)
    texts = ["x = 1\n", "x = 1\n", "y = 2\n", "y = 2\n"]
    assert [earlier.hides_nothing(source_of("a.py", text), look) for text in texts] == [True, True, False, False]
    assert asked == ["x = 1\n", "y = 2\n", "y = 2\n"]


def test_a_text_that_time_did_not_suffice_for_is_looked_at_again(contents, tmp_path, monkeypatch):
    earlier = EarlierReports(contents, tmp_path)
    text = "def name():\n    return 'read to its end'\n"
    with monkeypatch.context() as hurried:
        hurried.setattr(redaction, "_SECONDS", -1.0)
        assert not earlier.hides_nothing(source_of("a.py", text), redaction.hides_nothing)
    redaction._redaction.cache_clear()
    assert earlier.hides_nothing(source_of("a.py", text), redaction.hides_nothing)


def test_only_the_text_that_hid_nothing_is_shown_as_it_is(tmp_path):
    token = f"AKIA{digest_of('any')[:16].upper().translate(str.maketrans('0189', 'WXYZ'))}"
    text = f'aws_key = "{token}"\n'
    (tmp_path / "a.py").write_text(text)
    plain = {"a.py": digest_of("x = 1\n"), "b.py": digest_of(text)}
    judged = Judged(tmp_path, defaults(), SILENT, 1, plain=plain)
    assert token not in (judged.text("a.py") or "")


def put(path: Path, text: str) -> None:
    """As it was saved some time ago: a file of this very moment may change again without showing it."""
    path.parent.mkdir(exist_ok=True, parents=True)
    path.write_text(text)
    before = path.stat().st_mtime_ns - 10**9
    os.utime(path, ns=(before, before))


def names_and_manifest(source: Source) -> object:
    return listed(f"{source.root}/."), read(f"{source.root}/manifest", str)


@pytest.mark.parametrize(
    ("change", "times"),
    [
        pytest.param(lambda _: None, 1, id="nothing changed"),
        pytest.param(lambda root: put(root / "manifest", "two, longer"), 2, id="a file that it read"),
        pytest.param(lambda root: (root / "manifest").unlink(), 2, id="a file that is gone"),
        pytest.param(lambda root: put(root / "new", ""), 2, id="a name in a folder that it listed"),
        pytest.param(lambda root: put(root / "below" / "other", "changed"), 1, id="what it did not look at"),
    ],
)
def test_a_check_is_asked_again_when_what_it_looked_at_changed(contents, tmp_path, change, times):
    asked: list[str] = []
    root = tmp_path / "project"
    put(root / "manifest", "one")
    put(root / "below" / "other", "as it was")
    check = counting(asked, names_and_manifest)
    analyzed(check, contents, root=root)
    change(root)
    assert analyzed(check, contents, root=root)
    assert len(asked) == times


def test_another_work_tree_is_looked_at_for_itself(contents, tmp_path):
    asked: list[str] = []
    for name, manifest in (("one", "1"), ("other", "other")):
        put(tmp_path / name / "manifest", manifest)
        analyzed(counting(asked, names_and_manifest), contents, root=tmp_path / name)
    assert asked == ["a.py", "a.py"]


def test_a_manifest_saved_this_moment_is_read_again(contents, tmp_path):
    asked: list[str] = []
    ahead = time.time_ns() + 10**10
    put(tmp_path / "project" / "manifest", "one")
    os.utime(tmp_path / "project" / "manifest", ns=(ahead, ahead))
    for _ in range(2):
        analyzed(counting(asked, names_and_manifest), contents, root=tmp_path / "project")
    assert asked == ["a.py", "a.py"]


def test_a_check_that_looks_at_the_whole_project_is_asked_each_time(contents, tmp_path):
    asked: list[str] = []
    for _ in range(2):
        analyzed(counting(asked, lambda source: index_of(str(source.root))), contents, root=tmp_path)
    assert asked == ["a.py", "a.py"]


class TestProject:
    @pytest.fixture
    def project(self, tree: WorkTree, call: Call) -> WorkTree:
        tree.put("app.py", QUERY)
        tree.put("pyproject.toml", MANIFEST)
        tree.put("broken.py", "def f(:\n    pass\n")
        tree.commit("first")
        assert call("init", "--yes", "--no-git", "--no-mcp").status == 0
        return tree

    @staticmethod
    def said(call: Call) -> list[object]:
        said = json.loads(call("check", "--format", "json").out)
        return [said["verdict"], said["findings"], said["unchecked"]]

    def test_the_same_is_said_again(self, project, call):
        assert self.said(call) == self.said(call)

    def test_a_file_that_changed_is_looked_at(self, project, call):
        before = self.said(call)
        project.put("app.py", "X = 1\n")
        assert [each["path"] for each in before[1]] != [each["path"] for each in self.said(call)[1]]

    def test_a_manifest_that_changed_counts(self, project, call):
        assert "imports" not in {each["check"] for each in self.said(call)[1]}
        project.put("pyproject.toml", MANIFEST.replace('"flask"', ""))
        assert "imports" in {each["check"] for each in self.said(call)[1]}

    def test_the_second_time_no_file_is_parsed(self, project, call, monkeypatch):
        before = self.said(call)
        for each in project.root.glob("*.*"):
            past = each.stat().st_mtime_ns - 10**9
            os.utime(each, ns=(past, past))
        self.said(call)
        parsed = []
        parse = analysis.parse
        monkeypatch.setattr(analysis, "parse", lambda source: parsed.append(source.path) or parse(source))
        assert (self.said(call), parsed) == (before, [])

    def test_a_name_beside_a_file_counts(self, project, call):
        project.put("pyproject.toml", MANIFEST.replace('"flask"', ""))
        assert "imports" in {each["check"] for each in self.said(call)[1]}
        project.put("flask.py", "X = 1\n")
        assert "imports" not in {each["check"] for each in self.said(call)[1]}

    def test_a_damaged_file_is_filled_anew(self, project, call, home):
        before = self.said(call)
        (database,) = (home / "state").glob("projects/*/contents.db")
        for name in ("contents.db-wal", "contents.db-shm"):
            database.with_name(name).unlink(missing_ok=True)
        database.write_bytes(b"no database at all" * 500)
        assert self.said(call) == before
        with sqlite3.connect(database) as connection:
            assert connection.execute("SELECT count(*) FROM content").fetchone()[0] > 0
        connection.close()

    def test_what_is_not_set_up_keeps_nothing(self, tree, call, home):
        tree.put("app.py", QUERY)
        tree.commit("first")
        call("check")
        assert not list(home.rglob("contents.db"))
