"""What is proposed does what the code did; where that cannot be read off the code, nothing is proposed."""

from __future__ import annotations

import pytest

from test_security_fixes import PG, PYTHON, findings, proposed


def proposals(text, language):
    return {code for finding in findings(text, language) if (code := proposed(finding))}


def in_python(line, head=PYTHON):
    return proposals(f"{head}    {line}\n", "python")


def in_typescript(line, head=PG):
    return proposals(f"{head}  {line}\n}});\n", "typescript")


@pytest.mark.parametrize(
    "line",
    [
        "db.execute(\"SELECT * FROM t WHERE a IN (%s)\" % ','.join(request.args.getlist('a')))",
        'db.execute(f"SELECT * FROM t WHERE a IN ({name})")',
        "db.execute(f\"SELECT * FROM t WHERE a IN ('{name}')\")",
        'db.execute(f"INSERT INTO t VALUES ({name})")',
        'db.execute(f"SELECT * FROM t WHERE a = 1 AND {name}")',
        'db.execute(f"SELECT * FROM t WHERE a = {name}_x")',
        'db.execute(f"SELECT * FROM t WHERE a = 1 LIMIT {name}")',
        'db.execute(f"SELECT * FROM t WHERE a + 1 > {name}")',
        "db.execute(f\"SELECT * FROM t WHERE a = {name or 'NULL'}\")",
        "db.execute(f\"SELECT * FROM t WHERE a->>'{name}' = 1\")",
        "db.execute(f\"SELECT * FROM t WHERE a = 'b = {name} c'\")",
        "db.execute(f\"SELECT * FROM t WHERE a = '{name=}'\")",
        "db.execute(f\"SELECT * FROM t WHERE a = '{name:{10}}'\")",
        "db.execute(f\"SELECT * FROM t WHERE a = ? AND b = '{name}'\")",
        "db.execute(f\"SELECT * FROM t -- all\\n WHERE a = '{name}'\")",
        "db.execute(f\"SELECT 'a  b' FROM t WHERE a = '{name}'\")",
        'db.execute("SELECT * FROM t WHERE a = \'" + name.replace("\'", "\'\'") + "\'")',
        "db.execute(' '.join(['SELECT * FROM t WHERE a =', name, 'AND b = 1']))",
        "db.execute(\"SELECT * FROM t WHERE a = '%(x)s'\" % {'x': name})",
        "db.execute(\"SELECT * FROM t WHERE a = '%r'\" % name)",
        "db.execute(\"SELECT * FROM t WHERE a = '%s' AND b = '%%s'\" % name)",
        "db.execute('SELECT * FROM t WHERE a = ' + repr(name))",
        "db.execute(f\"SELECT * FROM t WHERE a = '{name}'; DELETE FROM t WHERE a = '{name}'\")",
        "sql = f\"SELECT * FROM t WHERE a = '{name}'\"\n    if x:\n        sql += ' AND b = 1'\n    db.execute(sql)",
        'os.system(f"cd {name}")',
        'os.system(f"A=1 make {name}")',
        "os.system(f\"bash -c 'ls {name}'\")",
        'os.system(f"perl -e {name}")',
        "os.system(f\"ls {' '.join(request.args.getlist('a'))}\")",
        'code = os.system(f"ping {name}")',
        'subprocess.run(f"ls {name}", shell=True, executable="/bin/bash")',
        'x = eval(f"{name} + 1")',
        "x = eval(request.args['expr'])",
        'requests.get("http://a.example:8080/login", params={"password": name})',
        "ok = hmac.new(k, b, 'sha256').hexdigest() == request.headers.get('X-Signature')",
    ],
)
def test_nothing_is_proposed_for_python_where_it_would_not_be_the_same(line):
    text = PYTHON.replace("import os,", "import hmac, os,")
    assert findings(f"{text}    {line}\n", "python")
    assert not in_python(line, text)


@pytest.mark.parametrize(
    "line",
    [
        "await pool.query(`SELECT * FROM t WHERE a IN (${req.query.a.join(',')})`);",
        "await pool.query(`SELECT * FROM t WHERE a = $1 AND b = '${req.query.b}'`);",
        "let q = `SELECT * FROM t WHERE a = '${req.query.a}'`; if (req.query.b) q += ' AND b = 1'; pool.query(q);",
        "let q = 'SELECT 1'; if (req.query.b) { q = `SELECT 1 FROM t WHERE b = '${req.query.b}'`; } pool.query(q);",
        "exec(`ls ${req.query.a}`, { shell: '/bin/bash' });",
        'exec(`sh -c "ls ${req.query.a}"`);',
        "eval(req.query.a);",
        "eval('var x = ' + req.query.a);",
        "el.innerHTML = `<b>${location.hash}</b>`;",
        "el.outerHTML = location.hash;",
        "const html = location.hash; el.innerHTML = html;",
    ],
)
def test_nothing_is_proposed_for_typescript_where_it_would_not_be_the_same(line):
    assert findings(f"{PG}  {line}\n}});\n", "typescript")
    assert not in_typescript(line)


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (
            "db.execute(f\"SELECT * FROM t WHERE a = '{name.strip()}'\")",
            'db.execute("SELECT * FROM t WHERE a = ?", (name.strip(),))',
        ),
        (
            "db.execute(\"SELECT * FROM t WHERE a LIKE '%%%s%%'\" % name)",
            'db.execute("SELECT * FROM t WHERE a LIKE ?", (f"%{name}%",))',
        ),
        ("os.system(f\"grep '' {name}\")", 'subprocess.run(["grep", "", name], check=False)'),
        ('if os.system(f"ping {name}") == 0: pass', 'subprocess.run(["ping", name], check=False).returncode'),
        (
            'requests.get("https://a.example", params={"q": "verify=False"}, verify=False)',
            'requests.get("https://a.example", params={"q": "verify=False"})',
        ),
    ],
)
def test_what_is_proposed_for_python_does_the_same(line, code):
    assert in_python(line) == {code}


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (
            "pool.query(`SELECT * FROM t WHERE a = '${await get(req.query.a)}'`);",
            'pool.query("SELECT * FROM t WHERE a = $1", [await get(req.query.a)])',
        ),
        ("eval('(' + req.body.json + ')');", "JSON.parse(req.body.json)"),
        (
            "fetch('http://api.example.com/login', { body: JSON.stringify({ password, u: 'http://x' }) });",
            "fetch('https://api.example.com/login', { body: JSON.stringify({ password, u: 'http://x' }) })",
        ),
    ],
)
def test_what_is_proposed_for_typescript_does_the_same(line, code):
    assert in_typescript(line) == {code}


@pytest.mark.parametrize(
    ("imported", "mark"),
    [
        ("import psycopg2", "%s"),
        ("from django.db import connection", "%s"),
        ("import asyncpg", "$1"),
        ("import os, sqlite3", "?"),
        ("from app.db import get_db", ""),
        ("from app import mysql", ""),
        ("import sqlite3\nimport psycopg2", ""),
        ("import sqlite3\nfrom sqlalchemy import text", ""),
    ],
)
def test_the_mark_is_that_of_the_only_driver_of_the_file(imported, mark):
    head = f"{imported}\nfrom flask import request\n\ndef view(db):\n    name = request.args['name']\n"
    found = in_python("db.execute(f\"SELECT * FROM t WHERE a = '{name}'\")", head)
    assert [f"a = {mark}" in each for each in found] == [True] * bool(mark)


def test_a_client_that_is_only_named_is_no_driver():
    head = "import knex from 'knex';\nconst db = knex({ client: 'pg' });\napp.get('/', async (req, res) => {\n"
    found = in_typescript("await db.raw(`SELECT * FROM t WHERE a = '${req.query.a}'`);", head)
    assert found == {'db.raw("SELECT * FROM t WHERE a = ?", [req.query.a])'}
