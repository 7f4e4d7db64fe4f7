"""Edits that silence a tool in code, and edits that look like that and do not."""

from __future__ import annotations

import pytest

from changes import judged
from vetgate.checks.silenced_tool import CHECK
from vetgate.model import File

ADDED = {
    "noqa": ("src/a.py", "x = eval(s)\n", "x = eval(s)  # noqa\n"),
    "noqa with a code": ("src/a.py", "x = eval(s)\n", "x = eval(s)  # noqa: S307\n"),
    "noqa for the file": ("src/a.py", "x = 1\n", "# ruff: noqa\nx = 1\n"),
    "type: ignore": ("src/a.py", "y = f(1)\n", "y = f(1)  # type: ignore\n"),
    "type: ignore with a code": ("src/a.py", "y = f(1)\n", "y = f(1)  # type: ignore[arg-type]\n"),
    "mypy off": ("src/a.py", "y = f(1)\n", "# mypy: ignore-errors\ny = f(1)\n"),
    "pyright": ("src/a.py", "y = f(1)\n", "y = f(1)  # pyright: ignore\n"),
    "nosec": ("src/a.py", "run(c, shell=True)\n", "run(c, shell=True)  # nosec\n"),
    "nosec with a code": ("src/a.py", "run(c, shell=True)\n", "run(c, shell=True)  # nosec B602\n"),
    "nosemgrep": ("src/a.py", "run(c)\n", "run(c)  # nosemgrep\n"),
    "pylint": ("src/a.py", "import x\n", "# pylint: disable=all\nimport x\n"),
    "no cover": ("src/a.py", "def f():\n    return 1\n", "def f():  # pragma: no cover\n    return 1\n"),
    "gitleaks": ("src/a.py", "K = 1\n", 'K = "x"  # gitleaks:allow\n'),
    "gitleaks with a reason": ("src/a.py", "K = 1\n", 'K = "x"  # gitleaks:allow this is a value of a test\n'),
    "detect-secrets": ("src/a.py", "K = 1\n", 'K = "x"  # pragma: allowlist secret\n'),
    "eslint": ("src/a.js", "f()\n", "/* eslint-disable */\nf()\n"),
    "eslint for a line": ("src/a.ts", "f()\n", "// eslint-disable-next-line no-eval\nf()\n"),
    "eslint in JSX": ("src/a.jsx", "x = <a/>\n", "x = <a>{/* eslint-disable-line */}</a>\n"),
    "a rule in a comment": ("src/a.js", "f()\n", '/* eslint no-eval: "off" */\nf()\n'),
    "ts-ignore": ("src/a.ts", "f()\n", "// @ts-ignore\nf()\n"),
    "ts-nocheck": ("src/a.tsx", "f()\n", "// @ts-nocheck because the types are wrong\nf()\n"),
    "istanbul": ("src/a.js", "f()\n", "/* istanbul ignore next */\nf()\n"),
    "c8": ("src/a.js", "f()\n", "/* c8 ignore start */\nf()\n"),
    "biome": ("src/a.ts", "f()\n", "// biome-ignore lint/security/noEval:\nf()\n"),
    "in a component": (
        "src/A.vue",
        "<script>\nf()\n</script>\n",
        "<script>\n// eslint-disable-next-line\nf()\n</script>\n",
    ),
    "nolint": ("a.go", "package a\n", "package a\n\nvar X = 1 //nolint\n"),
    "nolint with names": ("a.go", "package a\n", "package a\n\nvar X = 1 //nolint:gosec,errcheck\n"),
    "gosec": ("a.go", "package a\n", "package a\n\nvar X = 1 // #nosec G101\n"),
    "allow warnings": ("src/a.rs", "fn f() {}\n", "#![allow(warnings)]\nfn f() {}\n"),
    "allow": ("src/a.rs", "fn f() {}\n", "#[allow(dead_code)]\nfn f() {}\n"),
    "allow in cfg_attr": ("src/a.rs", "fn f() {}\n", "#[cfg_attr(test, allow(clippy::all))]\nfn f() {}\n"),
    "SuppressWarnings": ("A.java", "class A {}\n", '@SuppressWarnings("unchecked")\nclass A {}\n'),
    "NOSONAR": ("A.java", "class A {}\n", "class A {} // NOSONAR\n"),
    "Suppress": ("A.kt", "class A {}\n", '@Suppress("UNCHECKED_CAST")\nclass A {}\n'),
    "pragma warning": ("A.cs", "class A {}\n", "#pragma warning disable CS0168\nclass A {}\n"),
    "SuppressMessage": ("A.cs", "class A {}\n", '[SuppressMessage("Design", "CA1031")]\nclass A {}\n'),
    "phpcs": ("a.php", "<?php f();\n", "<?php f(); // phpcs:ignore\n"),
    "phpstan": ("a.php", "<?php f();\n", "<?php\n/** @phpstan-ignore-next-line */\nf();\n"),
    "rubocop": ("a.rb", "f\n", "f # rubocop:disable all\n"),
    "rubocop with a name": ("a.rb", "f\n", "f # rubocop:disable Security/Eval\n"),
    "NOLINT": ("a.cpp", "int x;\n", "int x; // NOLINT\n"),
    "GCC": ("a.c", "int x;\n", '#pragma GCC diagnostic ignored "-Wall"\nint x;\n'),
    "shellcheck": ("a.sh", "x=1\n", "# shellcheck disable=SC2086\nx=1\n"),
    "hadolint": ("Dockerfile", "FROM a\n", "# hadolint ignore=DL3006\nFROM a\n"),
    "tfsec": ("a.tf", "x = 1\n", "x = 1 #tfsec:ignore:AWS001\n"),
    "in a file that is new": ("src/new.py", None, "import os  # noqa\n"),
    "one more of the same": ("src/a.py", "a = b()  # noqa\n", "a = b()  # noqa\nc = d()  # noqa\n"),
    "a wider one": ("src/a.py", "import os  # noqa: F401\n", "import os  # noqa\n"),
    "one more code": ("src/a.py", "import os  # noqa: F401\n", "import os  # noqa: F401, S404\n"),
}


@pytest.mark.parametrize(("path", "before", "after"), ADDED.values(), ids=ADDED)
def test_a_new_suppression_blocks(path, before, after):
    assert judged(CHECK, File(path, before, after)) == ("block", ["suppression"])


STAYS = {
    "removed": ("src/a.py", "import os  # noqa\n", "import os\n"),
    "moved within the file": ("src/a.py", "import os  # noqa: F401\nx = 1\n", "x = 1\n\n\nimport os  # noqa: F401\n"),
    "moved with other code": ("src/a.py", "import os  # noqa: F401\nx = 1\n", "x = 1\nimport os, sys  # noqa: F401\n"),
    "narrowed": ("src/a.py", "import os  # noqa\n", "import os  # noqa: F401\n"),
    "one code less": ("src/a.py", "import os  # noqa: F401, S404\n", "import os  # noqa: F401\n"),
    "a reason added": (
        "src/a.py",
        "import os  # noqa: F401\n",
        "import os  # noqa: F401 - others import it from here\n",
    ),
    "from the file to its lines": (
        "src/a.js",
        "/* eslint-disable */\na()\nb()\n",
        "// eslint-disable-next-line no-alert\na()\n// eslint-disable-next-line no-eval\nb()\n",
    ),
    "from ignore to expect": ("src/a.ts", "// @ts-ignore\na()\n", "// @ts-expect-error\na()\n"),
    "reformatted": ("src/a.py", "f(a,b)  # type: ignore\n", "f(a, b)  # type: ignore\n"),
    "in a string": ("src/a.py", "x = 1\n", 'x = "# noqa"\n'),
    "in a docstring": ("src/a.py", "x = 1\n", 'def f():\n    """Use # type: ignore here."""\n'),
    "in documentation": ("docs/a.md", "x\n", "Write `# noqa` behind the line.\n"),
    "a comment about it": ("src/a.py", "x = 1\n", "x = 1  # we never write noqa here\n"),
    "a name that has it": ("src/a.py", "x = 1\n", "nosec = 1\nnoqa = 2\n"),
    "formatting": ("src/a.py", "x = 1\n", "x = 1  # fmt: skip\n"),
    "formatting in JavaScript": ("src/a.js", "f()\n", "// prettier-ignore\nf()\n"),
    "an expected error with a reason": ("src/a.ts", "f()\n", "// @ts-expect-error the types of lib are wrong\nf()\n"),
    "a call of that name": ("src/a.js", "f()\n", "expect(1); allow(2)\n"),
}


@pytest.mark.parametrize(("path", "before", "after"), STAYS.values(), ids=STAYS)
def test_what_silences_no_more_than_before_is_left_alone(path, before, after):
    assert judged(CHECK, File(path, before, after)) == ("silent", [])


def test_a_suppression_moves_along_with_its_code():
    line = "import os  # noqa: F401\n"
    assert judged(CHECK, File("a.py", line, ""), File("b.py", "x = 1\n", "x = 1\n" + line)) == ("silent", [])


def test_one_elsewhere_is_no_leave_for_another():
    before, after = "x = 1\n", "x = 1  # type: ignore\n"
    assert (
        judged(CHECK, File("a.py", "y = 2  # type: ignore\n", "y = 3  # type: ignore\n"), File("b.py", before, after))[
            0
        ]
        == "block"
    )


@pytest.mark.parametrize(
    ("rule", "expected"),
    [("no-unsafe-function-type", "told"), ("no-unsafe-innerhtml", "block")],
    ids=["types", "security"],
)
def test_a_comment_for_another_linter_takes_the_place_of_one(rule, expected):
    """A rule that is called unsafe for a type is no matter of security."""
    before = f"// eslint-disable-next-line @typescript-eslint/{rule}\ntype F = Function;\n"
    after = f"// oxlint-disable-next-line typescript/{rule}\ntype F = Function;\n"
    assert judged(CHECK, File("src/a.ts", before, after)) == (expected, ["suppression"])


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("src/a.py", "x = eval(s)  # noqa: S307 - the input is a constant of ours\n"),
        ("src/a.ts", "// eslint-disable-next-line no-eval -- the input is a constant of ours\nf()\n"),
        ("src/a.rs", "// The layout is given by the C library.\n#[allow(dead_code)]\nstruct A;\n"),
        ("tests/test_a.py", "x = f(None)  # type: ignore\n"),
    ],
    ids=["a code and a reason", "a rule and a reason", "a reason above", "in a test"],
)
def test_a_suppression_with_a_reason_or_in_a_test_is_told(path, text):
    assert judged(CHECK, File(path, "", text)) == ("told", ["suppression"])


STOOD = "import os\n\n\ndef f(a):\n    return g(a)\n"
IGNORED = STOOD.replace("g(a)", "g(a)  # type: ignore[arg-type]")


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        (STOOD, STOOD.replace("g(a)", "g(a)  # type: ignore[arg-type]"), "block"),
        (STOOD, STOOD.replace("g(a)", "g(a)  # pragma: no cover"), "block"),
        (STOOD, f"{STOOD}\n\nx = h(1)  # type: ignore[arg-type]\n", "told"),
        (STOOD, f"{STOOD}\n\nx = h(1)  # pragma: no cover\n", "told"),
        (STOOD, f"{STOOD}\n\nx = h(1)  # type: ignore\n", "block"),
        (STOOD, f"{STOOD}\n\nx = eval(y)  # noqa: S307\n", "block"),
        (STOOD, f"{STOOD}\n\nx = eval(y)  # nosec B307\n", "block"),
        (IGNORED, IGNORED.replace("[arg-type]", "[arg-type]  # ty: ignore[invalid-argument-type]"), "told"),
        (IGNORED, IGNORED.replace("# type: ignore[arg-type]", "# pyright: ignore[reportArgumentType]"), "told"),
        (IGNORED, IGNORED.replace("# type: ignore[arg-type]", "# noqa"), "block"),
        (None, IGNORED, "told"),
    ],
    ids=[
        "at code that stood there",
        "not to be covered, though it was",
        "with new code",
        "new code that nothing covers",
        "new code, no rule named",
        "new code, a rule of security",
        "new code, a tool of security",
        "for one more tool",
        "for another tool",
        "for another tool, no rule named",
        "in a new file",
    ],
)
def test_what_comes_with_new_code_is_told_and_what_hushes_old_code_blocks(before, after, expected):
    assert judged(CHECK, File("src/a.py", before, after)) == (expected, ["suppression"])


BRANCHES = """import sys

try:
    import fast
except ImportError:
    fast = None
if sys.version_info >= (3, 13):
    from warnings import deprecated
else:
    from other import deprecated
if fast:
    go()
else:
    stay()
for each in fast:
    go(each)
"""
ABOVE = "def f(a):\n    # {comment}\n    return g(a)\n"
EVIDENT = {
    "a library that may be missing": (BRANCHES, "except ImportError:", "  # pragma: no cover", "told"),
    "a version": (BRANCHES, "(3, 13):", "  # pragma: no cover", "told"),
    "another version": (BRANCHES, "deprecated\nelse:", "  # pragma: no cover", "told"),
    "a branch like any other": (BRANCHES, "if fast:", "  # pragma: no cover", "block"),
    "the other side of one": (BRANCHES, "go()\nelse:", "  # pragma: no cover", "block"),
    "a way not taken": (BRANCHES, "in fast:", "  # pragma: no branch", "told"),
    "an import without types": (BRANCHES, "import fast", "  # type: ignore[import-untyped]", "told"),
    "an import that fails otherwise": (BRANCHES, "import fast", "  # type: ignore[attr-defined]", "block"),
    "a library that may be missing, and why": (
        BRANCHES.replace("ImportError:", "ImportError as error:"),
        "ImportError as error:",
        "  # pragma: no cover",
        "told",
    ),
    "any failure": (
        BRANCHES.replace("ImportError:", "(ImportError, Exception):"),
        "(ImportError, Exception):",
        "  # pragma: no cover",
        "block",
    ),
    "a platform of our own": ("if self.platform.send(m):\n    go()\n", "(m):", "  # pragma: no cover", "block"),
    "a system by a part of its name": (
        "if 'win' not in sys.platform:\n    go()\n",
        "sys.platform:",
        "  # pragma: no cover",
        "told",
    ),
    "a version or something else": (
        "if user.admin or sys.platform == 'x':\n    go()\n",
        "'x':",
        "  # pragma: no cover",
        "block",
    ),
    "the end of a loop": (
        "if sys.platform == 'x':\n    go()\nfor a in b:\n    go()\nelse:\n    stay()\n",
        "else:",
        "  # pragma: no cover",
        "block",
    ),
    "the way that is always taken": (
        "if TYPE_CHECKING:\n    import a\nelse:\n    import b\n",
        "else:",
        "  # pragma: no cover",
        "block",
    ),
    "a name that begins like an import": ("import_user = g()\n", "g()", "  # type: ignore[no-redef]", "block"),
    "any system": ("if sys.platform:\n    go()\n", "platform:", "  # pragma: no cover", "block"),
    "a system, and words": (
        "if sys.platform == 'x':  # there and only there\n    go()\n",
        "only there",
        "  # pragma: no cover",
        "told",
    ),
    "a note above": (
        ABOVE.format(comment="NOTE: mypy cannot follow this"),
        "g(a)",
        "  # type: ignore[arg-type]",
        "told",
    ),
    "a reason above": (
        ABOVE.format(comment="it can be None, which mypy cannot know"),
        "g(a)",
        "  # type: ignore[arg-type]",
        "told",
    ),
    "what the code does above": (
        ABOVE.format(comment="since v2 a list is returned, but in order"),
        "g(a)",
        "  # type: ignore[arg-type]",
        "block",
    ),
    "a reason above, and a line between": (
        ABOVE.format(comment="mypy cannot know that it is there").replace("\n    return", "\n\n    return"),
        "g(a)",
        "  # type: ignore[arg-type]",
        "block",
    ),
    "a word above": (ABOVE.format(comment="because"), "g(a)", "  # type: ignore[arg-type]", "block"),
    "another directive above": (
        ABOVE.format(comment="mypy: strict on purpose"),
        "g(a)",
        "  # noqa: E501",
        "block",
    ),
    "a rule of security": (
        ABOVE.format(comment="run on purpose, it cannot hurt"),
        "g(a)",
        "  # noqa: S602",
        "block",
    ),
    "the whole file": ("# we cannot import these in order\nimport os\n", "order\n", "# ruff: noqa: F401\n", "block"),
}


@pytest.mark.parametrize(("before", "at", "comment", "expected"), EVIDENT.values(), ids=EVIDENT)
def test_a_reason_may_stand_above_or_in_the_code(before, at, comment, expected):
    after = before.replace(at, f"{at}{comment}")
    assert judged(CHECK, File("src/a.py", before, after)) == (expected, ["suppression"])


def test_what_is_told_of_changes_silences_nothing():
    assert judged(CHECK, File("PKG-INFO", "x\n", "x\n- two `# type: ignore` comments on one line\n")) == ("silent", [])
    assert judged(CHECK, File("ChangeLog", "x\n", "x\n* a.py: the bare # noqa is gone\n")) == ("silent", [])
    script = "#!/bin/sh\necho $1\n"
    said = judged(CHECK, File("bin/NEWS", script, script.replace("$1", "$1  # shellcheck disable=SC2086")))
    assert said == ("block", ["suppression"])
