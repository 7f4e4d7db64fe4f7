"""A file that is edited again and again is judged piece by piece: the same is found as by whoever sees it first."""

from __future__ import annotations

import gc
import random
from importlib import import_module
from pathlib import Path

import pytest

from vetgate.checks.security import by_piece
from vetgate.checks.security.scope import Module
from vetgate.source.clock import Deadline
from vetgate.source.language import language_of
from vetgate.source.syntax import Source, Syntax, parse

literal_pairs = import_module("vetgate.checks.secrets.literal_pairs")  # its function goes by the same name
CORPUS = Path(__file__).parent.parent / "bench" / "corpus" / "security"
FILES = sorted(path for path in CORPUS.glob("*.*") if language_of(path.name) is not None)
STEPS = 10
SEEN_BY = ("sql-injection", "path-traversal", "ssrf", "prototype-pollution", "xss-dom", "archive-traversal")


def edited(lines: list[str], chance: random.Random) -> list[str]:
    """A line gone, a run of lines copied or moved, a word changed in one place or everywhere."""
    at, to = chance.randrange(len(lines)), chance.randrange(len(lines))
    kind = chance.random()
    if kind < 0.25:
        return lines[:at] + lines[at + 1 :]
    if kind < 0.4:
        return lines[:to] + lines[at : at + 6] + lines[to:]
    if kind < 0.5:
        moved = lines[at : at + 8]
        rest = lines[:at] + lines[at + 8 :]
        return rest[: to % (len(rest) + 1)] + moved + rest[to % (len(rest) + 1) :]
    words = [word for word in lines[at].replace("(", " ").replace(".", " ").split() if word.isidentifier()]
    if not words:
        indent = lines[at][: len(lines[at]) - len(lines[at].lstrip())]
        return [*lines[:at], f"{indent}seen = 1", *lines[at:]]
    word = chance.choice(words)
    other = chance.choice((f"{word}_other", "request", "seen"))
    if kind < 0.75:
        return [*lines[:at], lines[at].replace(word, other), *lines[at + 1 :]]
    return [line.replace(word, other) for line in lines]


def seen(path: str, text: str) -> tuple[object, ...]:
    syntax = parse(Source(path, text, language_of(path)))
    assert isinstance(syntax, Syntax)
    found = by_piece.findings_of(syntax, path, Deadline.never())
    return found.findings, found.unfinished, literal_pairs.literal_pairs(syntax, Deadline.never())


def afresh(path: str, text: str) -> tuple[object, ...]:
    """As one sees it who has seen nothing before."""
    kept = (by_piece._KEPT, literal_pairs._CACHE, literal_pairs._READ)
    by_piece._KEPT, literal_pairs._CACHE, literal_pairs._READ = (type(each)(1_000) for each in kept)
    try:
        return seen(path, text)
    finally:
        by_piece._KEPT, literal_pairs._CACHE, literal_pairs._READ = kept


@pytest.mark.parametrize("file", [each for each in FILES if each.stem in SEEN_BY], ids=lambda each: each.name)
def test_what_is_found_after_many_edits_is_what_is_found_afresh(file):
    chance = random.Random(file.name)
    lines = file.read_text("utf-8").split("\n")
    path = f"project/{file.name}"
    seen(path, "\n".join(lines))
    for step in range(STEPS):
        lines = edited(lines, chance)
        text = "\n".join(lines)
        assert seen(path, text) == afresh(path, text), f"after edit {step + 1}"


def test_only_what_changed_is_judged_again(monkeypatch):
    judged = []
    judge = by_piece._PieceJudge._judged
    monkeypatch.setattr(
        by_piece._PieceJudge, "_judged", lambda self, *asked: judged.append(asked[0]) or judge(self, *asked)
    )
    function = "def run_{n}(name):\n    import subprocess\n    subprocess.run('ls ' + name, shell=True)\n\n\n"
    text = "from flask import request\n\n\n" + "".join(function.replace("{n}", str(n)) for n in range(20))
    first = seen("a.py", text)
    assert len(judged) >= 20
    judged.clear()
    second = seen("a.py", text.replace("'ls ' + name", "'dir ' + name", 1))
    assert len(judged) == 1
    assert len(second[0]) == len(first[0]) > 0


def test_of_the_rest_of_a_file_only_what_is_asked_for_is_read(monkeypatch):
    unread = []
    walk_all = by_piece._PieceReader._walk_all
    monkeypatch.setattr(
        by_piece._PieceReader, "_walk_all", lambda self, pieces: unread.append(self._unread) or walk_all(self, pieces)
    )
    function = "def run_{n}(name):\n    subprocess.run(known_{n}(name), shell=True)\n\n\n"
    known = "def known_{n}(name):\n    return 'ls ' + name\n\n\n"
    text = "import subprocess\n\n\n" + "".join((function + known).replace("{n}", str(n)) for n in range(20))
    path = "asks.py"
    seen(path, text)
    unread.clear()
    edited = text.replace("known_3(name)", "known_3(name + name)", 1)
    again = seen(path, edited)
    assert 30 < len(unread[-1]) < 40, "those beside the function, what it calls and what calls it"
    assert again == afresh(path, edited)


def test_what_was_worked_out_of_a_file_goes_without_a_collection():
    """Tens of thousands of objects after each edit of a long file, in a daemon that collects between calls only."""
    text = "import subprocess\n\n\n" + "".join(
        f"def run_{n}(name):\n    subprocess.run(name, shell=True)\n\n\n" for n in range(9)
    )
    gc.collect()
    gc.disable()
    try:
        before = [each for each in gc.get_objects() if isinstance(each, Module)]
        for step in range(4):
            seen("collected.py", text.replace("run(name", f"run({step} + name", 1))
        after = [each for each in gc.get_objects() if isinstance(each, Module)]
    finally:
        gc.enable()
    assert len(after) == len(before)


GUARDED = {
    "javascript": (
        "a.js",
        'const cp = require("child_process");\n' + "".join(f"const c{n} = {n};\n" for n in range(12)),
        "const cmd = process.argv[2];\n",
        "if (!/^[a-z]+$/.test(cmd)) {\n  process.exit(1);\n}\n",
        'cp.exec("ls " + cmd);\n',
    ),
    "python": (
        "a.py",
        "import re, subprocess, sys\n" + "".join(f"c{n} = {n}\n" for n in range(12)),
        "cmd = sys.argv[1]\n",
        'if not re.fullmatch("[a-z]+", cmd):\n    sys.exit(1)\n',
        'subprocess.run("ls " + cmd, shell=True)\n',
    ),
}


@pytest.mark.parametrize("parts", GUARDED.values(), ids=GUARDED.keys())
def test_a_guard_at_the_top_of_a_file_that_goes_or_comes(parts):
    path, head, made, guard, used = parts
    with_guard, without = head + made + guard + used, head + made + used
    for before, after in ((with_guard, without), (without, with_guard)):
        seen(path, before)
        assert seen(path, after) == afresh(path, after)


def test_what_callers_send_is_followed_in_the_last_of_many_functions_as_in_the_first():
    """Found only by whoever edits it, it would come and go."""
    path = "many.py"
    runs = (
        "def run_{n}(cmd):\n    subprocess.run(cmd, shell=True)\n\n\n"
        "def at_{n}():\n    run_{n}(request.args['x'])\n\n\n"
    )
    head = "import subprocess\nfrom flask import request\n\n\n"
    text = head + "".join(runs.replace("{n}", str(number)) for number in range(42))
    found = seen(path, text)
    assert {finding.confidence for finding in found[0]} == {0.9}
    edited = text.replace("def run_41(cmd):\n", "def run_41(cmd):\n    seen = 1\n")
    assert seen(path, edited) == afresh(path, edited)


def test_what_is_told_of_one_piece_may_go_from_a_line_and_that_of_another_stays():
    path = "one_line.js"
    functions = (f"function {name}(req) {{ cp.exec('ls ' + req.body.{name}); }}" for name in "fg")
    text = 'const cp = require("child_process");\n' + "const c = 1;\n" * 12 + " ".join(functions) + "\n"
    edited = text.replace("req.body.f", "'constant'", 1)  # as long
    assert len(seen(path, text)[0]) == 1
    found = seen(path, edited)
    assert len(found[0]) == 1
    assert found == afresh(path, edited)


def test_what_a_class_holds_stands_where_it_stands_once_the_class_has_grown():
    """A short class is one piece, the members of a long one are one each, and read alike they begin elsewhere."""
    text = "class Store:\n    def __init__(self):\n        self.path = 'scratch' + '/tmp/of/ours'\n"
    grown = text + "\n    more = 1\n" * 20
    seen("grows.py", text)
    found = seen("grows.py", grown)
    assert found[2][0]
    assert found == afresh("grows.py", grown)


def test_a_new_variable_is_no_reason_to_judge_all_of_a_java_file_again(monkeypatch):
    judged = []
    judge = by_piece._PieceJudge._judged
    monkeypatch.setattr(
        by_piece._PieceJudge, "_judged", lambda self, *asked: judged.append(asked) or judge(self, *asked)
    )
    method = (
        "  @GetMapping\n  String find{n}(@RequestBody Wish wish) {\n"
        '    return db.queryForList("SELECT a FROM t WHERE b = \'" + wish.name + "\'").toString();\n  }\n\n'
    )
    methods = "".join(method.replace("{n}", str(number)) for number in range(20))
    text = f"import org.springframework.jdbc.core.JdbcTemplate;\n\nclass Finder {{\n  JdbcTemplate db;\n\n{methods}}}\n"
    path = "Finder.java"
    first = seen(path, text)
    assert len(judged) >= 20
    judged.clear()
    edited = text.replace("find7(@RequestBody Wish wish) {\n", "find7(@RequestBody Wish wish) {\n    int seen = 1;\n")
    second = seen(path, edited)
    assert len(judged) <= 2
    assert len(second[0]) == len(first[0]) > 0
    assert second == afresh(path, edited)
