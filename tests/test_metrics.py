from __future__ import annotations

import json
import os
import sys
from typing import TYPE_CHECKING

import pytest

from vetgate.service import metrics, spread

if TYPE_CHECKING:
    from collections.abc import Callable

    from fixtures import Said, WorkTree

    Call = Callable[..., Said]

CODE = """\
class Service:
    def choose(self, a, b):
        if a:
            for each in b:
                if each:
                    return each
        return None


def plain():
    return 1
"""
CHOOSE = {
    "path": "src/service.py",
    "function": "Service.choose",
    "line": 2,
    "end_line": 7,
    "cyclomatic": 4,
    "cognitive": 6,
    "nesting": 3,
    "length": 6,
    "parameters": 2,
}


def lines_of(said: Said) -> list[dict[str, object]]:
    assert said.status == 0
    return [json.loads(line) for line in said.out.splitlines()]


def test_one_line_a_function_with_the_promised_names_in_their_order(tree: WorkTree, call: Call) -> None:
    tree.put("src/service.py", CODE)
    first, second = lines_of(call("metrics", "--format", "jsonl", "src"))
    assert first == CHOOSE
    assert list(first) == list(CHOOSE)
    assert second["function"] == "plain"


def test_one_list(tree: WorkTree, call: Call) -> None:
    tree.put("src/service.py", CODE)
    listed = json.loads(call("metrics", "--format", "json", "src").out)
    assert [each["function"] for each in listed] == ["Service.choose", "plain"]


def test_a_table_by_default(tree: WorkTree, call: Call) -> None:
    tree.put("src/service.py", CODE)
    head, first, second = call("metrics").out.splitlines()
    assert head.split() == ["cyclomatic", "cognitive", "nesting", "length", "parameters", "function"]
    assert first.split()[:4] == ["4", "6", "3", "6"]
    assert first.endswith("src/service.py:2 Service.choose")
    assert second.endswith("src/service.py:10 plain")


def test_sorted_and_cut(tree: WorkTree, call: Call) -> None:
    tree.put("a.py", "def low():\n    return 1\n\n\n" + CODE)
    tree.put("b.py", "def long():\n" + "    x = 1\n" * 30)
    names = [row["function"] for row in lines_of(call("metrics", "--format", "jsonl", "--sort", "length"))]
    assert names[:2] == ["long", "Service.choose"]
    assert [row["function"] for row in lines_of(call("metrics", "--format", "jsonl", "--top", "1"))] == [
        "Service.choose"
    ]


def test_what_the_project_excludes_is_measured_only_when_named(tree: WorkTree, call: Call) -> None:
    tree.put("vendor/a.py", CODE)
    tree.put("vetgate.yaml", "version: 1\npaths: {exclude: ['vendor/**']}\n")
    assert lines_of(call("metrics", "--format", "jsonl")) == []
    assert len(lines_of(call("metrics", "--format", "jsonl", "vendor"))) == 2


def test_paths_stay_as_they_were_given(tree: WorkTree, call: Call) -> None:
    file = tree.put("src/service.py", CODE)
    for given, shown in (("src", "src/service.py"), ("./src/service.py", "src/service.py"), (str(file), str(file))):
        assert {row["path"] for row in lines_of(call("metrics", "--format", "jsonl", given))} == {shown}
    said = call("metrics", "--format", "jsonl", cwd="project/src")
    assert {row["path"] for row in lines_of(said)} == {"service.py"}


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("a.py", b"\0", "NUL"),
        ("notes.txt", b"words\n", "language"),
        ("huge.py", b"x = 1\n" * 300_000, "bytes"),
    ],
    ids=["binary", "no language", "too large"],
)
def test_what_cannot_be_measured_is_said_beside_the_numbers(
    tree: WorkTree, call: Call, name: str, content: bytes, reason: str
) -> None:
    tree.put(name, content)
    tree.put("fine.py", CODE)
    said = call("metrics", "--format", "jsonl", name, "fine.py")
    assert len(lines_of(said)) == 2
    assert said.err.startswith(f"not measured: {name}: ")
    assert reason in said.err


def test_a_path_that_does_not_exist(tree: WorkTree, call: Call) -> None:
    said = call("metrics", "nowhere")
    assert (said.status, said.out) == (3, "")


def test_a_broken_configuration_is_said_before_anything_is_printed(tree: WorkTree, call: Call) -> None:
    tree.put("vetgate.yaml", "version: none\n")
    said = call("metrics")
    assert (said.status, said.out) == (3, "")


def test_a_notebook_is_measured_by_its_code(tree: WorkTree, call: Call) -> None:
    cell = {"cell_type": "code", "source": CODE.splitlines(keepends=True), "metadata": {}, "outputs": []}
    tree.put("a.ipynb", json.dumps({"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}))
    assert [row["function"] for row in lines_of(call("metrics", "--format", "jsonl"))] == ["Service.choose", "plain"]


@pytest.mark.skipif(sys.platform == "darwin", reason="the file system refuses such names")
def test_a_name_that_is_not_utf8(tree: WorkTree, call: Call) -> None:
    tree.put(os.fsdecode(b"caf\xe9.py"), CODE)
    assert {row["path"] for row in lines_of(call("metrics", "--format", "jsonl"))} == {"caf\\xe9.py"}


def test_several_processes_print_what_one_prints(tree: WorkTree, call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(40):
        tree.put(f"m{number:02}.py", CODE)
    alone = call("metrics", "--format", "jsonl")
    monkeypatch.setattr(spread, "MANY", 10)
    monkeypatch.setattr(spread, "_cores", lambda: 2)
    assert call("metrics", "--format", "jsonl") == alone
    assert alone.out.count("\n") == 80


def test_a_bug_in_one_file_does_not_cost_the_others(
    tree: WorkTree, call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    measure = metrics.measure

    def broken(source, deadline):
        if source.path == "b.py":
            raise IndexError("oops")
        return measure(source, deadline)

    monkeypatch.setattr(metrics, "measure", broken)
    for name in ("a.py", "b.py", "c.py"):
        tree.put(name, CODE)
    said = call("metrics", "--format", "jsonl")
    assert {row["path"] for row in lines_of(said)} == {"a.py", "c.py"}
    assert "not measured: b.py" in said.err


def test_files_that_are_no_code_are_passed_over_in_silence(tree: WorkTree, call: Call) -> None:
    tree.put("a.py", "def f(a):\n    return a\n")
    tree.put("Makefile", "test:\n\tpytest\n")
    tree.put("logo.png", "\x89PNG\0\0")
    assert call("metrics").err == ""
    assert call("metrics", "Makefile").err.startswith("not measured: Makefile: ")
