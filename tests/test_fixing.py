"""`vetgate check --fix`: what is certain is written, and nothing else."""

from __future__ import annotations

import json

import pytest

SQL = "import sqlite3\nfrom flask import request\n\n\ndef f(db: sqlite3.Connection):\n    return db.execute({})\n"
BAD_SQL = SQL.format('"SELECT * FROM t WHERE n=\'" + request.args["n"] + "\'"')
GOOD_SQL = SQL.format('"SELECT * FROM t WHERE n=?", (request.args["n"],)')
CERTAIN = {
    "a query": (BAD_SQL, GOOD_SQL),
    "a loader": ("import yaml\n\nyaml.load(text)\n", "import yaml\n\nyaml.safe_load(text)\n"),
    "two in one file": (
        "import os\n\nos.chmod('a', 0o777)\nos.chmod('b', 0o777)\n",
        "import os\n\nos.chmod('a', 0o755)\nos.chmod('b', 0o755)\n",
    ),
    "behind letters that take several bytes": (
        "import os\n\nnamé = 'é'; os.chmod('é', 0o777)\n",
        "import os\n\nnamé = 'é'; os.chmod('é', 0o755)\n",
    ),
    "with the line ends of another system": (
        "import os\r\n\r\nos.chmod('a', 0o777)\r\n",
        "import os\r\n\r\nos.chmod('a', 0o755)\r\n",
    ),
}
LEFT = {
    "another digest would be another program": "import hashlib\n\nx = hashlib.md5(data).hexdigest()\n",
    "a name that is not imported": "import os\nfrom flask import request\n\nos.system('ls ' + request.args['n'])\n",
}


@pytest.mark.parametrize(("before", "after"), CERTAIN.values(), ids=CERTAIN.keys())
def test_what_is_certain_is_written_and_shown(tree, call, before, after):
    tree.put("src/a.py", before.encode())
    said = call("check", "--fix", "src/a.py")
    assert (tree.root / "src/a.py").read_bytes().decode() == after
    assert "--- a/src/a.py" in said.err
    assert "security/" not in said.out


@pytest.mark.parametrize("before", LEFT.values(), ids=LEFT.keys())
def test_the_rest_is_left_to_somebody_who_knows_what_is_meant(tree, call, before):
    tree.put("a.py", before)
    said = call("check", "--fix", "a.py")
    assert (tree.root / "a.py").read_text() == before
    assert "nothing could be fixed" in said.err


def test_tests_are_never_touched(tree, call):
    tree.put("tests/test_a.py", BAD_SQL)
    call("check", "--fix", "tests")
    assert (tree.root / "tests/test_a.py").read_text() == BAD_SQL


def test_only_what_is_selected(tree, call):
    tree.put("a.py", BAD_SQL)
    call("check", "--fix", "--ignore", "security", "a.py")
    assert (tree.root / "a.py").read_text() == BAD_SQL


def test_a_file_in_another_encoding_is_left_alone(tree, call):
    data = ("# coding: latin-1\n# \xe9\n" + "import os\nos.chmod('a', 0o777)\n").encode("latin-1")
    tree.put("a.py", data)
    call("check", "--fix", "a.py")
    assert (tree.root / "a.py").read_bytes() == data


def test_the_report_is_of_what_is_left(tree, call):
    tree.put("a.py", BAD_SQL + "\n\nimport hashlib\n\ntoken = hashlib.md5(password).hexdigest()\n")
    found = json.loads(call("check", "--fix", "--format", "json", "a.py").out)["findings"]
    assert "sql-concatenation" not in {each["rule"] for each in found}


def test_the_index_is_not_a_place_to_write(tree, call):
    assert call("check", "--fix", "--staged").status == 2
