"""From a file with a flow in it to what each report says of the flow."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from vetgate.checks import all_checks
from vetgate.service.pages import about

if TYPE_CHECKING:
    from collections.abc import Callable

    from fixtures import Said, WorkTree

    Call = Callable[..., Said]

CODE = """\
import sqlite3
from flask import request


def quoted(text):
    return "'" + text + "'"


def users(conn):
    clause = quoted(request.args["name"])
    query = "SELECT * FROM users WHERE name = " + clause
    return list(conn.execute(query)), 2
"""
WAY = [
    (10, '`request.args["name"]` comes from outside'),
    (11, "through `query`"),
    (12, "reaches `conn.execute(query)`"),
]
RULES = [f"{check.id}/{rule.id}" for check in all_checks().values() for rule in check.rules]


@pytest.fixture
def checked(tree: WorkTree, call: Call) -> Callable[[str], str]:
    tree.put("a.py", CODE)
    return lambda form: call("check", "a.py", "--format", form).out


def test_text_marks_the_sink_and_numbers_the_way_to_it(checked: Callable[[str], str]) -> None:
    lines = checked("text").splitlines()
    mark = next(at for at, line in enumerate(lines) if line.startswith("  > 12 |"))
    begin = lines[mark].index("conn.execute(query)")
    assert lines[mark + 1] == "       |".ljust(begin) + "^" * len("conn.execute(query)")
    numbered = [line for line in lines if line.startswith(tuple(f"    {number}. line" for number in (1, 2, 3)))]
    assert [tuple(line.split(maxsplit=3)[2:]) for line in numbered] == [
        ("10", '`request.args["name"]` comes from outside  clause = quoted(request.args["name"])'),
        ("11", 'through `query`                            query = "SELECT * FROM users WHERE name = " + clause'),
        ("12", "reaches `conn.execute(query)`"),
    ]


def test_sarif_has_the_same_way_as_a_code_flow(checked: Callable[[str], str]) -> None:
    (run,) = json.loads(checked("sarif"))["runs"]
    (result,) = run["results"]
    (thread,) = result["codeFlows"][0]["threadFlows"]
    places = [each["location"] for each in thread["locations"]]
    assert [(each["physicalLocation"]["region"]["startLine"], each["message"]["text"]) for each in places] == WAY
    column = CODE.splitlines()[11].index("conn") + 1
    region = {"startLine": 12, "startColumn": column, "endLine": 12, "endColumn": column + len("conn.execute(query)")}
    assert places[-1]["physicalLocation"]["region"] == region
    assert result["locations"][0]["physicalLocation"]["region"] == region
    (rule,) = run["tool"]["driver"]["rules"]
    assert rule["help"]["markdown"].startswith("# security/sql-concatenation\n\nSQL that is put together from values.")
    assert "```rule" not in rule["help"]["markdown"]


def test_html_numbers_it_too(checked: Callable[[str], str]) -> None:
    assert "<tr><td>2.</td><td>line 11</td>" in checked("html")


@pytest.mark.parametrize("identity", RULES)
def test_what_is_written_of_a_rule_is_for_people(identity: str) -> None:
    text = about(identity)
    assert text is not None
    assert text.startswith(f"# {identity}\n\n")
    assert "```rule" not in text
    assert len(text) > 120


@pytest.mark.parametrize("identity", ["security", "security/nothing-like-it", "nobody/knows"])
def test_of_what_is_no_rule_nothing_is_written(identity: str) -> None:
    assert about(identity) is None
