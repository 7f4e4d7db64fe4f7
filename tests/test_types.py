"""Values beside the types that deny them; the page shows the rest."""

from __future__ import annotations

import pytest

from changes import judged
from vetgate.checks.types import CHECK, TypeCounts, measured
from vetgate.checks.types.readers import BOOL, FLOAT, INT, LIST, NONE, TEXT, accepts
from vetgate.config.load import defaults
from vetgate.engine.analysis import Analyzer, source_of
from vetgate.model import File, Gate
from vetgate.source.clock import Deadline


@pytest.mark.parametrize(
    ("declared", "language", "expected"),
    [
        ("int", "python", {INT, BOOL}),
        ("Optional[str]", "python", {TEXT, NONE}),
        ("typing.Union[int, None]", "python", {INT, BOOL, NONE}),
        ("'str | None'", "python", {TEXT, NONE}),
        ("list[dict[str, int] | None]", "python", {LIST}),
        ("str | Path", "python", None),
        ("Final", "python", None),
        ("number | undefined", "typescript", {INT, FLOAT, NONE}),
        ("Array<(a: Box<void>) => void> | undefined", "typescript", {LIST, NONE}),
        ("Record<string, number>", "typescript", None),
        ("(a: string) => number", "typescript", None),
        ('"a" | "b"', "typescript", None),
        ("'number' | 'string'", "typescript", None),
        ("readonly string[] | null", "typescript", {LIST, NONE}),
        ("A extends B ? C : D[]", "typescript", None),
        ("MyInt", "go", None),
        ("bool?", "csharp", {BOOL, NONE}),
        ("var", "csharp", None),
    ],
)
def test_what_a_declared_type_takes(declared, language, expected):
    assert accepts(declared, language) == expected


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("", 'x: int = "a"\n', ("block", ["assignment"])),
        ('x: int = "a"\n', 'x: int = "a"\ny = 1\n', ("silent", [])),
        ("", "def f(a: int = None): ...\n", ("told", ["default"])),
        ("", "def f() -> int:\n    return None\n", ("block", ["return"])),
        ("", 'x: int = "a"  # type: ignore[assignment]\n', ("silent", [])),
        ("", "x: complex = 1j\n", ("silent", [])),
        ("", 'x: bytes = b"a"\ny: str = rb"a"\n', ("block", ["assignment"])),
        ("", "x: int = -1\ny: bool = -1\n", ("block", ["assignment"])),
    ],
    ids=["new", "from before", "an old habit", "nothing returned", "silenced", "complex", "bytes", "a sign"],
)
def test_what_an_edit_writes_beside_a_type(before, after, expected):
    assert judged(CHECK, File("a.py", before, after)) == expected


@pytest.mark.parametrize(
    ("made", "plain"),
    [
        ("from graph import (\n    Edge,\n    List,\n)\n", "from typing import List\n"),
        ("class List: ...\n", "class Lists: ...\n"),
        ("import graph as List\n", "import graph\n"),
        ("List = graph.List\n", "Lists = graph.List\n"),
    ],
    ids=["imported", "a class", "renamed", "given"],
)
def test_a_name_that_a_file_makes_is_not_the_one_everybody_knows(made, plain):
    slip = "x: List = 1\n"
    assert judged(CHECK, File("a.py", "", made + slip)) == ("silent", [])
    assert judged(CHECK, File("a.py", "", plain + slip)) == ("block", ["assignment"])


def test_a_suppression_that_goes_is_noticed_though_the_statement_stays():
    analyzer, gate, config = Analyzer({CHECK.id: CHECK}), Gate("code", (CHECK.id,)), defaults()
    more = "".join(f"y{number} = {number}\n" for number in range(20))
    texts = [f"{first}\nx: List = 1\n{more}" for first in ("from graph import List", "from typing import List")]
    analyses = [analyzer.analyze(gate, config, source_of("a.py", text), Deadline.never()) for text in texts]
    assert [len(analysis.findings) for analysis in analyses] == [0, 1]


def test_how_many_values_were_judged():
    text = "def f(a: int = 1, b: str = 2, c: Box = 3) -> bool:\n    return True\n"
    assert measured(source_of("a.py", text)) == TypeCounts(judged=3, slips=1)
    assert measured(source_of("a.txt", text)) == TypeCounts()
