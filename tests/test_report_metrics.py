"""The figures under `metrics`: as docs/metrics.md defines them, and as a person can take them from the rest."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from vetgate.checks import all_checks
from vetgate.model import Decision, Finding, Outcome, Span, Status, Verdict
from vetgate.service.figures import Semantic, Totals, added
from vetgate.service.report.as_json import DATA_EXPOSURE, EXPOSING, metrics
from vetgate.service.report.run import Run
from vetgate.severity import Severity

if TYPE_CHECKING:
    from collections.abc import Callable

    from fixtures import Said, WorkTree

    Call = Callable[..., Said]

DOCS = Path(__file__).parent.parent / "docs"
INJECTED = Finding("security", "sql-concatenation", Span("a.py", 1), "m", Severity.CRITICAL, cwe=(89,))
HASHED = replace(INJECTED, rule="weak-hash", severity=Severity.ERROR, cwe=(327, 328))
SENT = replace(INJECTED, rule="cleartext-transport", severity=Severity.WARNING, cwe=(319,))

TANGLED = "def tangled(a):\n" + "".join(f"    if a == {n}:\n        a += 1\n" for n in range(12)) + "    return a\n"
INJECTION = (
    "import sqlite3\nfrom flask import request\n\n\ndef view():\n"
    '    sqlite3.connect("x").execute("SELECT * FROM t WHERE id = " + request.args["id"])\n'
)


def figures(*findings: Finding, slowest: tuple[str, float] = ("", 0.0), **more: Any) -> dict[str, Any]:
    outcomes = (Outcome("code", Status.FAILED, findings, slowest=slowest), Outcome("more", Status.PASSED))
    return metrics(Run(Verdict(Decision.BLOCK, outcomes), checks=all_checks(), **more))


class TestSecurity:
    def test_by_severity_and_by_the_category_of_the_rule(self) -> None:
        security = figures(INJECTED, replace(INJECTED, symbol="b"), HASHED, SENT)["security"]
        assert {key: value for key, value in security.items() if key != "categories"} == {
            "criticalIssues": 2,
            "errorIssues": 1,
            "warningIssues": 1,
        }
        assert {key: value for key, value in security["categories"].items() if value} == {
            "injection": 2,
            "crypto": 1,
            "dataExposure": 1,
        }

    @pytest.mark.parametrize(
        ("finding", "category"),
        [
            pytest.param(replace(INJECTED, rule="nobody-knows", cwe=()), "other", id="a rule nobody knows"),
            pytest.param(replace(INJECTED, check="team", rule="logs", cwe=(532,)), "dataExposure", id="another check"),
            pytest.param(
                replace(INJECTED, check="complexity", rule="length", cwe=()), None, id="no matter of security"
            ),
        ],
    )
    def test_each_finding_once_and_only_of_security(self, finding: Finding, category: str | None) -> None:
        counted = {key: value for key, value in figures(finding)["security"]["categories"].items() if value}
        assert counted == ({category: 1} if category else {})

    def test_every_category_of_a_rule_is_always_there(self) -> None:
        categories = {rule.category for rule in all_checks()["security"].rules} | {DATA_EXPOSURE}
        assert set(figures()["security"]["categories"]) == categories

    def test_old_findings_count_only_when_they_are_shown(self) -> None:
        old = replace(INJECTED, new=False)
        assert figures(old)["security"]["criticalIssues"] == 0
        assert figures(old, everything=True)["security"]["criticalIssues"] == 1


class TestPerformance:
    def test_the_slowest_file_of_all_gates_as_the_user_calls_it(self) -> None:
        performance = figures(slowest=("a.py", 12.34), files=2, elapsed_ms=20.04, shown=lambda path: f"../{path}")
        assert performance["performance"] == {
            "files": 2,
            "elapsed_ms": 20.0,
            "slowest": {"path": "../a.py", "elapsed_ms": 12.3},
        }

    def test_without_files_none_was_slowest(self) -> None:
        assert figures()["performance"]["slowest"] is None


class TestSemantic:
    def test_scores_are_rounded_down_so_that_a_hundred_means_all(self) -> None:
        semantic = figures(totals=Totals(semantic=Semantic(1000, 1, 3, 2, 4, 1)))["semantic"]
        scores = ("typeConsistencyScore", "namingConsistencyScore", "duplicateCodeScore")
        assert [semantic[score] for score in scores] == [99, 33, 75]

    def test_contracts_that_are_broken_count_and_mere_advice_does_not(self) -> None:
        broken = Finding("contracts", "removed", Span("a.py", 1), "m", Severity.ERROR)
        semantic = figures(broken, replace(broken, symbol="b", advisory=True), INJECTED)["semantic"]
        assert semantic["apiContractViolations"] == 1


class TestTotals:
    def test_measures_are_maxima_and_functions_are_counted(self) -> None:
        assert added([Totals(3, 9, 1, 10, 2, 1), Totals(5, 2, 4, 7, 1, 0)]) == Totals(5, 9, 4, 10, 3, 1)

    def test_nothing_is_nothing(self) -> None:
        assert added([]) == Totals()


class TestOfARun:
    def test_the_same_as_vetgate_metrics_says(self, tree: WorkTree, call: Call) -> None:
        tree.put("a.py", TANGLED + INJECTION)
        tree.put("deep/b.ts", "export const f = (a) => { if (a) { for (;;) { a(); } } };\nfunction g() {}\n")
        tree.put("broken.py", b"\0\0")
        report = json.loads(call("check", "--format", "json").out)
        rows = [json.loads(line) for line in call("metrics", "--format", "jsonl").out.splitlines()]
        assert report["metrics"]["complexity"] == {
            "cyclomaticComplexity": max(row["cyclomatic"] for row in rows),
            "cognitiveComplexity": max(row["cognitive"] for row in rows),
            "nestingDepth": max(row["nesting"] for row in rows),
            "functionLength": max(row["length"] for row in rows),
            "totalFunctions": len(rows),
            "highComplexityFunctions": sum(row["cyclomatic"] > 10 or row["cognitive"] > 15 for row in rows),
        }
        assert report["metrics"]["complexity"]["highComplexityFunctions"] == 1
        assert report["metrics"]["security"]["categories"]["injection"] == 1
        assert report["metrics"]["performance"]["files"] == 2
        assert report["metrics"]["performance"]["elapsed_ms"] == report["elapsed_ms"]
        assert report["metrics"]["performance"]["slowest"]["path"] in {"a.py", "deep/b.ts"}

    def test_what_does_not_fit_in_any_file(self, tree: WorkTree, call: Call) -> None:
        copied = TANGLED.replace("tangled", "again").replace("a", "b")
        tree.put("a.py", TANGLED + "def load_user(b: int = '1', c: str = ''): ...\ndef saveUser(): ...\n")
        tree.put("deep/b.py", copied + "def drop_user() -> bool:\n    return True\n")
        report = json.loads(call("check", "--format", "json").out)
        assert report["metrics"]["semantic"] == {
            "typeConsistencyScore": 66,
            "typedValues": 3,
            "mistypedValues": 1,
            "namingConsistencyScore": 66,
            "names": 3,
            "oddNames": 1,
            "duplicateCodeScore": 0,
            "comparedFunctions": 2,
            "copiedFunctions": 2,
            "apiContractViolations": 0,
        }
        assert sum(finding["check"] == "types" for finding in report["findings"]) == 1
        assert sum(finding["check"] == "naming" for finding in report["findings"]) == 1

    def test_contracts_that_a_change_breaks(self, tree: WorkTree, call: Call) -> None:
        tree.put("a.py", "def load(a):\n    return a\n")
        tree.put("b.py", "from a import load\n\nload(1)\n")
        tree.commit()
        tree.put("a.py", "def load(a, b):\n    return a\n")
        report = json.loads(call("check", "--diff", "HEAD", "--format", "json").out)
        assert report["metrics"]["semantic"]["apiContractViolations"] == 1

    def test_of_a_change_as_it_is_afterwards(self, tree: WorkTree, call: Call) -> None:
        tree.put("sub/a.py", TANGLED)
        tree.put("other.py", TANGLED)
        tree.commit()
        tree.put("sub/a.py", TANGLED + "\n\ndef fine():\n    return 1\n")
        report = json.loads(call("check", "--diff", "HEAD", "--format", "json", cwd="project/sub").out)
        assert report["findings"] == []
        assert report["metrics"]["complexity"]["totalFunctions"] == 2
        assert report["metrics"]["complexity"]["highComplexityFunctions"] == 1
        assert report["metrics"]["performance"]["slowest"]["path"] == "a.py"

    def test_of_two_projects(self, tree: WorkTree, tmp_path: Path, call: Call) -> None:
        tree.put("a.py", TANGLED)
        (tmp_path / "other").mkdir()
        (tmp_path / "other/vetgate.yaml").write_text("version: 1\n")
        (tmp_path / "other/b.py").write_text("def b():\n    return 1\n")
        report = json.loads(call("check", "--format", "json", "a.py", "../other").out)
        assert report["metrics"]["complexity"]["totalFunctions"] == 2
        assert report["metrics"]["performance"]["slowest"]["path"] in {"a.py", "../other/b.py"}


def test_the_page_names_every_key_and_every_weakness() -> None:
    page = (DOCS / "metrics.md").read_text("utf-8")
    for block in figures().values():
        assert [key for key in block if f"`{key}`" not in page] == []
    listed = re.search(r"its `cwe` is ([\d, or]+), else", page)
    assert listed
    assert {int(number) for number in re.findall(r"\d+", listed[1])} == EXPOSING
