"""More shapes of edits that weaken a test or silence a tool, and of those that look like that and do not."""

from __future__ import annotations

import pytest

from changes import judged
from vetgate.checks.silenced_tool import CHECK as SILENCED
from vetgate.checks.weakened_test import CHECK as WEAKENED
from vetgate.config.load import defaults
from vetgate.engine.analysis import run_check
from vetgate.model import File
from vetgate.source.clock import Deadline
from vetgate.source.language import language_of
from vetgate.source.syntax import Source

PY = "tests/test_app.py"
TWO = "import app\n\n\ndef test_add():\n    assert app.add(1, 2) == 3\n    assert app.add(-1, 1) == 0\n"
HEAD, BODY = "import app\n\n\n", "def test_add():\n    assert app.add(1, 2) == 3\n    assert app.add(-1, 1) == 0\n"
TS = "src/a.test.ts"
ONE = 'it("a", () => {\n  const r = f();\n  expect(r.x).toBe(1);\n});\n'
STRICT = '{"compilerOptions": {"strict": true}, "exclude": [%s]}\n'
TOX = "[testenv]\ncommands =\n    pytest\n    mypy src\n"

BLOCKED = {
    "the module under test is optional": (
        WEAKENED,
        (PY, TWO, f'import pytest\n\napp = pytest.importorskip("app")\n\n\n{BODY}'),
    ),
    "all assertions behind an if": (
        WEAKENED,
        (
            PY,
            TWO,
            HEAD + "def test_add():\n    if app.READY:\n" + BODY.partition("\n")[2].replace("    a", "        a"),
        ),
    ),
    "an assertion behind an if in TypeScript": (
        WEAKENED,
        (TS, ONE, ONE.replace("  expect(r.x).toBe(1);\n", "  if (r) {\n    expect(r.x).toBe(1);\n  }\n")),
    ),
    "tox does not mind": (SILENCED, ("tox.ini", TOX, TOX.replace("    pytest", "    - pytest"))),
    "tox does not mind, without a space": (SILENCED, ("tox.ini", TOX, TOX.replace("    mypy", "    -mypy"))),
    "tox does not mind, on one line": (
        SILENCED,
        ("tox.ini", "[testenv]\ncommands = pytest\n", "[testenv]\ncommands = - pytest\n"),
    ),
    "sources are not compiled": (
        SILENCED,
        ("tsconfig.json", STRICT % '"node_modules"', STRICT % '"node_modules", "src/legacy"'),
    ),
    "scripts on one line": (
        SILENCED,
        (
            "package.json",
            '{"scripts":{"test":"jest","lint":"eslint ."}}',
            '{"scripts":{"test":"jest","lint":"eslint . || true"}}',
        ),
    ),
    "an attribute on the line of a method": (
        SILENCED,
        (
            "A.java",
            "class A {\n  int f() { return g(); }\n}\n",
            'class A {\n  @SuppressWarnings("unchecked") int f() { return g(); }\n}\n',
        ),
    ),
    "an attribute of Rust on the line": (
        SILENCED,
        ("src/a.rs", "fn f() { g(); }\n", "#[allow(unused_must_use)] fn f() { g(); }\n"),
    ),
}
TOLD = {
    "some assertions behind an if": (
        WEAKENED,
        (PY, TWO, TWO.replace("    assert app.add(1", "    if app.READY:\n        assert app.add(1")),
    ),
    "another module is optional": (
        WEAKENED,
        (PY, TWO, TWO.replace("_add():\n", '_add():\n    pytest.importorskip("numpy")\n')),
    ),
    "as any": (SILENCED, ("src/a.ts", "const x = f(y);\n", "const x = f(y as any);\n")),
    "as any right behind a parenthesis": (SILENCED, ("src/a.ts", "const x = f(y);\n", "const x = f(y)as any;\n")),
    "as any in parentheses": (SILENCED, ("src/a.ts", "  return y.z;\n", "  return (y as any).z;\n")),
    "as unknown as": (SILENCED, ("src/a.ts", "const x: T = f(y);\n", "const x: T = f(y) as unknown as T;\n")),
    "a cast made double": (
        SILENCED,
        ("src/a.ts", "const x = f(y) as Foo<A>;\n", "const x = f(y) as unknown as Foo<A>;\n"),
    ),
    "said not to be null": (SILENCED, ("src/a.tsx", "const x = m.get(k).v;\n", "const x = m.get(k)!.v;\n")),
    "an attribute along with its method": (
        SILENCED,
        ("A.java", "class A {\n}\n", 'class A {\n  @SuppressWarnings("unchecked") int f() { return g(); }\n}\n'),
    ),
}
SILENT = {
    "how many there are, said by unpacking": (
        WEAKENED,
        (
            PY,
            "def test_a():\n    x = f()\n    assert len(x) == 1\n    assert x[0].name == 'a'\n",
            "def test_a():\n    (y,) = f()\n    assert y.name == 'a'\n",
        ),
    ),
    "unpacking gives way to a call": (
        WEAKENED,
        (
            PY,
            "def test_a():\n    (y,) = q.all()\n    assert y.name == 'a'\n",
            "def test_a():\n    y = q.one()\n    assert y.name == 'a'\n",
        ),
    ),
    "both branches assert": (
        WEAKENED,
        (
            PY,
            TWO,
            TWO.replace(
                "    assert app.add(1, 2) == 3\n",
                "    if app.NEW:\n        assert app.add(1, 2) == 3\n    else:\n        assert app.add(1, 2) == 4\n",
            ),
        ),
    ),
    "an if for a platform": (
        WEAKENED,
        (PY, TWO, TWO.replace("    assert app.add(1", "    if sys.platform != 'win32':\n        assert app.add(1")),
    ),
    "an if that fails": (
        WEAKENED,
        (
            TS,
            ONE,
            ONE.replace("  expect(r.x)", "  if (!r) {\n    throw new Error('none');\n  }\n  expect(r.x)"),
        ),
    ),
    "Go asserts by if": (
        WEAKENED,
        (
            "a_test.go",
            'package a\n\nfunc TestA(t *testing.T) {\n\tif f() != 1 {\n\t\tt.Fatal("x")\n\t}\n}\n',
            'package a\n\nfunc TestA(t *testing.T) {\n\tif got := f(); got != 1 {\n\t\tt.Fatalf("%d", got)\n\t}\n}\n',
        ),
    ),
    "what is built is not compiled": (
        SILENCED,
        ("tsconfig.json", STRICT % '"node_modules"', STRICT % '"node_modules", "dist", "coverage", "build/**"'),
    ),
    "another script on the same line": (
        SILENCED,
        (
            "package.json",
            '{"scripts":{"test":"jest","clean":"rm -rf dist"}}',
            '{"scripts":{"test":"jest","clean":"rm -rf dist || true"}}',
        ),
    ),
    "a cast along with its code": (
        SILENCED,
        ("src/a.ts", "const x = 1;\n", "const x = 1;\nconst z = q as any;\n"),
    ),
    "a cast that moves": (
        SILENCED,
        ("src/a.ts", "const x = f(y as any);\nconst z = 2;\n", "const z = 2;\nconst x = f(y as any);\n"),
    ),
    "a cast in a string": (SILENCED, ("src/a.ts", "f('x');\n", "f('x as any');\n")),
    "a negation": (SILENCED, ("src/a.ts", "if (a == b) {}\n", "if (!a || a != b) {}\n")),
    "as const": (SILENCED, ("src/a.ts", "const x = ['a'];\n", "const x = ['a'] as const;\n")),
    "a formatter": (SILENCED, ("src/a.py", "x = [1,\n 2]\n", "# fmt: off\nx = [1,\n 2]\n")),
}


@pytest.mark.parametrize(("check", "edit"), BLOCKED.values(), ids=BLOCKED)
def test_what_makes_it_worse_blocks(check, edit):
    assert judged(check, File(*edit))[0] == "block"


@pytest.mark.parametrize(("check", "edit"), TOLD.values(), ids=TOLD)
def test_what_may_make_it_worse_is_told(check, edit):
    assert judged(check, File(*edit))[0] == "told"


@pytest.mark.parametrize(("check", "edit"), SILENT.values(), ids=SILENT)
def test_what_does_not_passes(check, edit):
    assert judged(check, File(*edit)) == ("silent", [])


@pytest.mark.parametrize(
    ("check", "path", "line"),
    [
        pytest.param(SILENCED, "src/a.yml", "a: b  # noqa\n", id="suppressions"),
        pytest.param(WEAKENED, PY, "@pytest.mark.skip\n", id="skips"),
    ],
)
def test_more_than_anybody_would_write_is_told_to_have_been_left(check, path, line):
    report = run_check(check, Source(path, line * 1_500, language_of(path)), defaults(), Deadline.never())
    assert len(report.findings) == 1_000
    assert ["could not be looked at" in item.reason for item in report.unchecked] == [True]


def test_recorded_results_that_do_not_end_are_told_apart():
    text = "exports[`a`] = `\n" * 500 + "exports[`b`] = `\n1\n`;\n"
    report = run_check(WEAKENED, Source("a.snap", text, None), defaults(), Deadline.never())
    assert [(finding.symbol, finding.span.line) for finding in report.findings][-2:] == [("a", 500), ("b", 501)]
