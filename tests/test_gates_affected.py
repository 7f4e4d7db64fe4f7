"""A test command over what changed files affect."""

from __future__ import annotations

import pytest

from vetgate.gates.affected_tests import NONE_IS_FINE, dependent_tests, select_tests
from vetgate.source.git_tree import TreeDifference

FILES = {
    "src/shop/__init__.py": "",
    "src/shop/cart.py": "from shop import money\n",
    "src/shop/money.py": "import decimal\n",
    "src/shop/other.py": "x = 1\n",
    "src/shop/clock.py": "",
    "tests/test_cart.py": "from shop.cart import (\n    Cart,\n)\n",
    "tests/test_money.py": "import shop.money as m\n",
    "tests/test_other.py": "from shop import other\n\npatch('shop.clock.now')\n",
    "tests/test_lost.py": "from shop.lost import x\n",
    "tests/unit/test_near.py": "from ..helper import x\n",
    "tests/helper.py": "from shop.other import x\n",
    "tests/__init__.py": "",
}


@pytest.fixture
def root(tmp_path):
    for name, text in FILES.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path


AFFECTED = {
    "a module that another imports": (["src/shop/money.py"], ["tests/test_cart.py", "tests/test_money.py"]),
    "one that only a test imports": (["src/shop/cart.py"], ["tests/test_cart.py"]),
    "by way of a helper, relatively": (["src/shop/other.py"], ["tests/test_other.py", "tests/unit/test_near.py"]),
    "a test itself": (["tests/test_cart.py"], ["tests/test_cart.py"]),
    "one that is only named in text": (["src/shop/clock.py"], ["tests/test_other.py"]),
    "what nobody imports": (["setup_things.py"], []),
    "a test that is gone": (["tests/test_gone.py"], []),
    "a module that is gone": (["src/shop/lost.py"], ["tests/test_lost.py"]),
}


@pytest.mark.parametrize(("files", "expected"), AFFECTED.values(), ids=AFFECTED)
def test_tests_that_import_what_changed(root, files, expected):
    assert list(dependent_tests(files, list(FILES), root)) == expected


IMPORTS = {
    "behind another on its line": "import os; import shop.clock\n",
    "behind a colon": "try: from shop import clock\nexcept ImportError: pass\n",
    "on a continued line": "from shop import money, \\\n    clock\n",
    "at run time": "import_module('clock')\n",
}


@pytest.mark.parametrize("text", IMPORTS.values(), ids=IMPORTS)
def test_an_import_is_seen_wherever_it_stands(root, text):
    (root / "tests/test_far.py").write_text(text)
    assert "tests/test_far.py" in dependent_tests(["src/shop/clock.py"], [*FILES, "tests/test_far.py"], root)


def test_fixtures_that_depend_on_it_may_affect_every_test(root):
    (root / "tests/conftest.py").write_text("from shop import money\n")
    names = [*FILES, "tests/conftest.py"]
    assert dependent_tests(["src/shop/money.py"], names, root) is None
    assert dependent_tests(["src/shop/cart.py"], names, root) == ("tests/test_cart.py",)


def test_where_tests_are_called_otherwise_nobody_can_say(root):
    names = [name for name in FILES if "test_" not in name]
    assert dependent_tests(["src/shop/money.py"], names, root) is None


SCRIPTS = (
    '{"scripts": {"test": "jest --ci", "unit": "vitest run", "all": "jest", "postall": "echo x", "two": "a && jest"}}'
)
CART = "tests/test_cart.py"
NARROWED = {
    "jest": ("npx jest --ci", ["a.ts"], "npx jest --ci --passWithNoTests --findRelatedTests {files}", ["a.ts"]),
    "vitest": ("vitest run", ["a.ts"], "vitest related --run --passWithNoTests {files}", ["a.ts"]),
    "vitest with options": (
        "pnpm exec vitest run --silent",
        ["a.ts"],
        "pnpm exec vitest related --run --passWithNoTests --silent {files}",
        ["a.ts"],
    ),
    "a script of npm": (
        "npm test",
        ["a.ts"],
        "npx --no-install jest --ci --passWithNoTests --findRelatedTests {files}",
        ["a.ts"],
    ),
    "a script of pnpm": (
        "pnpm run unit",
        ["a.ts"],
        "pnpm exec vitest related --run --passWithNoTests {files}",
        ["a.ts"],
    ),
    "pytest": ("uv run pytest -q", ["src/shop/cart.py"], "uv run pytest -q {files}", [CART]),
    "pytest of an environment": (".venv/bin/pytest", ["src/shop/cart.py"], ".venv/bin/pytest {files}", [CART]),
    "pytest as a module": ("python -m pytest", ["src/shop/cart.py"], "python -m pytest {files}", [CART]),
    "pytest in a folder": ("pytest -x tests", ["src/shop/cart.py"], "pytest -x {files}", [CART]),
    "pytest in another folder": ("pytest ./tests/unit/", ["src/shop/cart.py"], "pytest {files}", []),
    "pytest with a value that is a folder as well": (
        "pytest -k tests tests",
        ["src/shop/cart.py"],
        "pytest -k tests {files}",
        [CART],
    ),
    "pytest with a value": ("pytest -k cart", ["src/shop/cart.py"], "pytest -k cart {files}", [CART]),
}


@pytest.mark.parametrize(("command", "files", "expected", "over"), NARROWED.values(), ids=NARROWED)
def test_the_command_that_is_run_instead(root, command, files, expected, over):
    (root / "package.json").write_text(SCRIPTS)
    behind = NONE_IS_FINE if "pytest" in command else ""
    assert select_tests(command, TreeDifference(tuple(files)), list(FILES), root) == (expected + behind, tuple(over))


WHOLE = {
    "a file that is no source": ("npx jest", ["README.md"]),
    "settings of all tests": ("pytest", ["tests/conftest.py"]),
    "a lock file": ("npx jest", ["package-lock.json"]),
    "a snapshot": ("npx jest", ["src/__snapshots__/a.ts"]),
    "data for Python": ("pytest", ["data.json"]),
    "a script nobody knows": ("make test", ["a.ts"]),
    "not one command": ("npx jest | tail", ["a.ts"]),
    "in another folder": ("cd web && npx jest", ["a.ts"]),
    "jest kept to some tests": ("npx jest unit", ["a.ts"]),
    "tests inside of modules": ("pytest --doctest-modules", ["src/shop/cart.py"]),
    "an option with who knows what": ("pytest --cov src", ["src/shop/cart.py"]),
    "one test by its name": ("pytest tests/test_cart.py::test_x", ["src/shop/cart.py"]),
    "a script with another after it": ("npm run all", ["a.ts"]),
    "a script of two commands": ("npm run two", ["a.ts"]),
    "a script that is not there": ("npm run nothing", ["a.ts"]),
}


@pytest.mark.parametrize(("command", "files"), WHOLE.values(), ids=WHOLE)
def test_all_tests_run_where_nobody_can_say_which_are_affected(root, command, files):
    (root / "package.json").write_text(SCRIPTS)
    assert select_tests(command, TreeDifference(tuple(files)), list(FILES), root) is None


def test_files_that_are_gone(root):
    gone = TreeDifference((), ("src/shop/lost.py",))
    assert select_tests("pytest", gone, list(FILES), root) == (
        f"pytest {{files}}{NONE_IS_FINE}",
        ("tests/test_lost.py",),
    )
    assert select_tests("npx jest", TreeDifference(("a.ts",), ("b.ts",)), ["a.ts"], root) is None
