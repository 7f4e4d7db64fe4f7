"""A second `vetgate check` over files that stayed as they were takes what it said the first time."""

from __future__ import annotations

import json
import sqlite3
from typing import TYPE_CHECKING

import pytest

from vetgate.checks import all_checks
from vetgate.config.load import defaults
from vetgate.engine.analysis import Analyzer, source_of
from vetgate.engine.check import Check, Report
from vetgate.engine.kept_reports import KeptReports
from vetgate.model import Finding, Gate, Span
from vetgate.severity import Severity
from vetgate.source.clock import Deadline
from vetgate.store import ContentStore

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from fixtures import Said, WorkTree

    Call = Callable[..., Said]

QUERY = (
    "import flask\n\n\ndef find(cursor):\n    cursor.execute('SELECT * FROM t WHERE n = ' + flask.request.args['n'])\n"
)
MANIFEST = '[project]\nname = "shop"\nversion = "1"\ndependencies = ["flask"]\n'


def counting(asked: list[str], *, looks_around: bool = False) -> Check:
    def report(check_input, config, deadline):
        source = check_input.source
        asked.append(source.path)
        span = Span(source.path, 1, 1, 1, 2)
        return Report((Finding("naming", "case", span, f"seen as {source.text!r}", Severity.WARNING, cwe=(7,)),))

    return Check("naming", "Counts.", (), report=report, plain=True, looks_around=looks_around)


@pytest.fixture
def contents(tmp_path: Path):
    store = ContentStore(tmp_path)
    yield store
    store.close()


def analyzed(check: Check, contents: ContentStore, text: str = "x = 1\n"):
    gate = Gate("code", checks=("naming",))
    analyzer = Analyzer({**all_checks(), "naming": check}, kept=KeptReports(contents))
    return analyzer.analyze(gate, defaults(), source_of("a.py", text), Deadline.never()).findings


def test_a_check_is_asked_once_about_a_text(contents):
    asked: list[str] = []
    first = analyzed(counting(asked), contents)
    assert (analyzed(counting(asked), contents), asked) == (first, ["a.py"])
    analyzed(counting(asked), contents, "x = 2\n")
    assert asked == ["a.py", "a.py"]


def test_a_check_that_looks_around_is_asked_each_time(contents):
    asked: list[str] = []
    for _ in range(2):
        assert analyzed(counting(asked, looks_around=True), contents)
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
