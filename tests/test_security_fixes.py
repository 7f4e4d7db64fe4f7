"""The code that a finding of the security check proposes: it parses, and the finding is gone with it."""

from __future__ import annotations

from pathlib import Path

import pytest

import vetgate.checks.security
from vetgate.checks import all_checks
from vetgate.config.load import defaults
from vetgate.engine.analysis import run_check
from vetgate.service.examples import FLAGS, examples
from vetgate.source.clock import Deadline
from vetgate.source.syntax import Source

CHECK = all_checks()["security"]
MARK = " Here: `"
PYTHON = """\
import os, sqlite3, subprocess, yaml, requests, hashlib
from flask import request

def view(db):
    name = request.args['name']
"""
PG = """\
import pg from 'pg';
import { exec } from 'child_process';
const pool = new pg.Pool();
app.get('/', async (req, res) => {
"""
GO = """\
package a
import ("net/http"; "os/exec")
func h(w http.ResponseWriter, r *http.Request) {
	exec.Command("sh", "-c", r.FormValue("c")).Run()
}
"""


def findings(text, language):
    source = Source("a", text, language)
    return run_check(CHECK, source, defaults(), Deadline.never()).findings


def proposed(finding):
    _, mark, code = finding.fix.partition(MARK)
    return code.removesuffix("`") if mark else ""


def fixed(text, finding):
    """The text with what is proposed in its place."""
    span, lines = finding.span, text.split("\n")
    before = "\n".join([*lines[: span.line - 1], lines[span.line - 1][: span.column - 1]])
    after = "\n".join([lines[span.end_line - 1][span.end_column - 1 :], *lines[span.end_line :]])
    return before + proposed(finding) + after


PAGES = sorted((Path(vetgate.checks.security.__file__).parent / "rules").rglob("*.md"))


@pytest.mark.parametrize("page", PAGES, ids=[page.stem for page in PAGES])
def test_what_is_proposed_is_no_finding_any_more(page):
    for example in examples(page.read_text()):
        if example.section != FLAGS or example.language not in {"python", "javascript", "typescript", "tsx"}:
            continue
        for finding in findings(example.code, example.language):
            if finding.rule == page.stem and proposed(finding):
                again = findings(fixed(example.code, finding), example.language)
                assert (page.stem, finding.span.line) not in {(each.rule, each.span.line) for each in again}


@pytest.mark.parametrize(
    ("language", "line", "code"),
    [
        (
            "python",
            "db.execute(f\"SELECT * FROM t WHERE a = '{name}'\")",
            'db.execute("SELECT * FROM t WHERE a = ?", (name,))',
        ),
        (
            "python",
            "db.execute('SELECT * FROM t WHERE a LIKE \\'%' + name + '%\\' AND b > ' + request.args['b'])",
            "db.execute('SELECT * FROM t WHERE a LIKE ? AND b > ?', (f\"%{name}%\", request.args['b']))",
        ),
        (
            "python",
            "db.execute(\"INSERT INTO t (a, b) VALUES ('\" + name + \"', '{}')\".format(request.args['b']))",
            "db.execute(\"INSERT INTO t (a, b) VALUES (?, ?)\", (name, request.args['b']))",
        ),
        ("python", 'db.execute(f"SELECT * FROM t ORDER BY {name}")', ""),
        ("python", 'db.execute(f"SELECT * FROM {name} WHERE a = 1")', ""),
        ("python", 'db.execute(f"SELECT * FROM t WHERE a = {name:>10}")', ""),
        ("python", 'db.execute(f"SELECT * FROM t WHERE a = {name}", (1,))', ""),
        ("python", 'os.system(f"ping -c 1 {name}")', 'subprocess.run(["ping", "-c", "1", name], check=False)'),
        ("python", 'os.system(f"ping {name} | tee log")', ""),
        (
            "python",
            'subprocess.run("convert \'" + name + "\' out.png", shell=True, timeout=5)',
            'subprocess.run(["convert", name, "out.png"], timeout=5)',
        ),
        ("python", "data = yaml.load(request.data, Loader=yaml.Loader)", "yaml.safe_load(request.data)"),
        (
            "python",
            'requests.get("https://a.example", verify=False, timeout=3)',
            'requests.get("https://a.example", timeout=3)',
        ),
        (
            "typescript",
            "await pool.query(`SELECT * FROM t WHERE a LIKE '%${req.query.a}%' AND b = ${req.query.b}`);",
            'pool.query("SELECT * FROM t WHERE a LIKE $1 AND b = $2", [`%${req.query.a}%`, req.query.b])',
        ),
        ("typescript", "await pool.query('DELETE FROM ' + req.query.t);", ""),
        (
            "typescript",
            "exec(`git clone ${req.query.url} --depth=${req.query.n}`, done);",
            'execFile("git", ["clone", req.query.url, `--depth=${req.query.n}`], done)',
        ),
    ],
)
def test_a_fix_is_written_in_the_names_of_the_file(language, line, code):
    text = f"{PYTHON}    {line}\n" if language == "python" else f"{PG}  {line}\n}});\n"
    (finding,) = [each for each in findings(text, language) if each.severity.name in {"ERROR", "CRITICAL"}]
    assert proposed(finding) == code


def test_languages_without_proposals_have_the_advice():
    (finding,) = findings(GO, "go")
    assert finding.fix
    assert MARK not in finding.fix
