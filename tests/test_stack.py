"""What is found out about a project before anything is asked."""

from __future__ import annotations

import json
import subprocess

import pytest

from vetgate.source.stack import detect
from vetgate.source.tasks import Task


def lay_out(root, files):
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text if isinstance(text, str) else json.dumps(text))


MANAGERS = {
    "pnpm by its lock file": ({"package.json": {}, "pnpm-lock.yaml": ""}, ("pnpm",)),
    "yarn by its lock file": ({"package.json": {}, "yarn.lock": ""}, ("yarn",)),
    "bun by its lock file": ({"package.json": {}, "bun.lock": ""}, ("bun",)),
    "npm without any lock file": ({"package.json": {}}, ("npm",)),
    "uv": ({"pyproject.toml": "", "uv.lock": ""}, ("uv",)),
    "poetry": ({"pyproject.toml": "", "poetry.lock": ""}, ("poetry",)),
    "pip": ({"requirements.txt": ""}, ("pip",)),
    "cargo and go together": ({"Cargo.toml": "", "go.mod": ""}, ("cargo", "go")),
    "maven": ({"pom.xml": ""}, ("maven",)),
    "gradle in Kotlin": ({"build.gradle.kts": ""}, ("gradle",)),
    "composer": ({"composer.json": {}}, ("composer",)),
    "bundler": ({"Gemfile": ""}, ("bundler",)),
    "dotnet": ({"app.csproj": ""}, ("dotnet",)),
    "none": ({"a.py": ""}, ()),
}


@pytest.mark.parametrize(("files", "expected"), MANAGERS.values(), ids=MANAGERS.keys())
def test_the_package_manager(tmp_path, files, expected):
    lay_out(tmp_path, files)
    assert detect(tmp_path).managers == expected


TASKS = {
    "scripts of a package": (
        {"package.json": {"scripts": {"test": "vitest", "lint": "eslint .", "x": "y"}}, "pnpm-lock.yaml": ""},
        [("lint", "pnpm run lint"), ("test", "pnpm run test")],
    ),
    "a placeholder test is none": (
        {"package.json": {"scripts": {"test": 'echo "Error: no test specified" && exit 1'}}},
        [],
    ),
    "targets of a Makefile before scripts": (
        {"Makefile": "A := b\nlint: x\n\ttrue\ntest:\n\tnpm t\n", "package.json": {"scripts": {"test": "a"}}},
        [("lint", "make lint"), ("test", "make test")],
    ),
    "recipes of a justfile": (
        {"justfile": "set x := 'y'\ntest *args:\n  true\n@lint: test\n  true\n"},
        [("lint", "just lint"), ("test", "just test")],
    ),
    "tasks of mise before all others": (
        {"mise.toml": '[tasks.test]\nrun = "x"\n', "Makefile": "test:\n\ttrue\n"},
        [("test", "mise run test")],
    ),
    "tools in pyproject, through uv": (
        {"pyproject.toml": "[tool.ruff]\n[tool.mypy]\n[tool.pytest.ini_options]\n", "uv.lock": ""},
        [("lint", "uv run ruff check ."), ("types", "uv run mypy ."), ("test", "uv run pytest")],
    ),
    "cargo": (
        {"Cargo.toml": ""},
        [
            ("lint", "cargo clippy"),
            ("format", "cargo fmt --check"),
            ("test", "cargo test"),
            ("build", "cargo build"),
        ],
    ),
    "sessions of nox, by their names": (
        {
            "noxfile.py": "import nox\n\n@nox.session\ndef lint(session): ...\n\n"
            '@nox.session(python=["3.11"], name="tests")\ndef other(session): ...\n'
        },
        [("lint", "nox -s lint"), ("test", "nox -s tests")],
    ),
    "environments of tox": (
        {"tox.ini": "[tox]\nenvlist = py311,lint\n[testenv]\n[testenv:lint]\n[testenv:mypy]\n"},
        [("lint", "tox -e lint"), ("types", "tox -e mypy"), ("test", "tox")],
    ),
    "tasks of poe and scripts of pdm": (
        {"pyproject.toml": '[tool.poe.tasks]\nlint = "x"\n[tool.pdm.scripts]\ntest = "y"\n'},
        [("lint", "poe lint"), ("test", "pdm run test")],
    ),
    "the canonical names, through mise": (
        {"mise.toml": '[tasks.check]\nrun="a"\n[tasks.test]\nrun="b"\n[tasks.build]\nrun="c"\n'},
        [("test", "mise run test"), ("build", "mise run build"), ("check", "mise run check")],
    ),
    "what is slow has a name of its own": (
        {"package.json": {"scripts": {"bench": "x", "test:e2e": "y"}}},
        [("bench", "npm run bench"), ("e2e", "npm run test:e2e")],
    ),
    "a wrapper of maven": ({"pom.xml": "", "mvnw": ""}, [("test", "./mvnw test"), ("build", "./mvnw package")]),
    "ruby": (
        {"Gemfile": "", ".rspec": "", ".rubocop.yml": ""},
        [("lint", "bundle exec rubocop"), ("test", "bundle exec rspec")],
    ),
    "broken manifests are passed over": (
        {"package.json": "{", "pyproject.toml": "[[", "composer.json": "[1]", "mise.toml": "tasks = 3"},
        [],
    ),
}


@pytest.mark.parametrize(("files", "expected"), TASKS.values(), ids=TASKS.keys())
def test_the_commands_a_project_already_has(tmp_path, files, expected):
    lay_out(tmp_path, files)
    assert [(task.kind, task.command) for task in detect(tmp_path).tasks] == expected


def test_a_command_says_where_it_was_found(tmp_path):
    lay_out(tmp_path, {"Makefile": "test:\n\ttrue\n"})
    assert detect(tmp_path).tasks == (Task("test", "make test", "Makefile", "test"),)


def test_every_language_of_a_mixed_project_has_its_own(tmp_path):
    scripts = {"scripts": {"test": "vitest run", "lint": "eslint ."}}
    lay_out(tmp_path, {"package.json": scripts, "pyproject.toml": "[tool.ruff]\n[tool.pytest]\n", "go.mod": ""})
    assert [(task.name, task.command) for task in detect(tmp_path).tasks if task.kind in {"lint", "test"}] == [
        ("lint", "npm run lint"),
        ("lint-python", "ruff check ."),
        ("lint-go", "go vet ./..."),
        ("test", "npm run test"),
        ("test-python", "pytest"),
        ("test-go", "go test ./..."),
    ]


def test_a_part_in_a_folder_of_its_own_has_its_commands(tmp_path):
    lay_out(
        tmp_path,
        {
            "pyproject.toml": "[tool.ruff]\n[tool.pytest.ini_options]\n",
            "web app/package.json": '{"scripts": {"test": "vitest run", "lint": "eslint ."}}',
            "web app/widgets/package.json": '{"scripts": {"test": "vitest run"}}',
            "tests/fixtures/package.json": '{"scripts": {"test": "jest"}}',
            "a/b/c/package.json": '{"scripts": {"test": "jest"}}',
            "tools/pyproject.toml": "[tool.mypy]\n",
        },
    )
    found = detect(tmp_path)
    assert found.managers == ("pip", "npm")
    assert [(task.name, task.command) for task in found.tasks] == [
        ("lint", "ruff check ."),
        ("test", "pytest"),
        ("lint-web-app", "cd 'web app' && npm run lint"),
        ("test-web-app", "cd 'web app' && npm run test"),
    ]


def test_a_part_has_no_command_that_the_whole_has_for_it(tmp_path):
    lay_out(
        tmp_path,
        {
            "Makefile": "test:\n\tcd web && npm test\n",
            "web/package.json": '{"scripts": {"test": "vitest run", "lint": "eslint ."}}',
        },
    )
    assert [(task.name, task.command) for task in detect(tmp_path).tasks] == [
        ("test", "make test"),
        ("lint-web", "cd web && npm run lint"),
    ]


SOURCES = {"a.ts": "", "src/b.ts": "", "c.py": "", "node_modules/x/d.js": "", "README.md": ""}


@pytest.mark.parametrize(
    ("recipe", "commands"),
    [
        ("pytest", ["make test", "npm run test"]),
        ("npm run test && pytest", ["make test"]),
        ("./scripts/test.sh", ["make test", "npm run test", "pytest"]),
        ("npm ci && pytest", ["make test", "npm run test"]),
        ("$(MAKE) -C sub all", ["make test", "npm run test"]),
        ("./tools/all", ["make test"]),
        ("bash all.sh", ["make test", "npm run test"]),
        ("cat package.json; pytest", ["make test", "npm run test"]),
        ("node_modules/.bin/vitest; .venv/bin/pytest", ["make test"]),
    ],
)
def test_a_task_runner_serves_the_languages_whose_tools_it_names(tmp_path, recipe, commands):
    files = {"Makefile": f"test:\n\t{recipe}\n", "package.json": {"scripts": {"test": "vitest run"}}}
    files["all.sh"] = "pytest\n"
    files |= {"sub/Makefile": "all: more\n\techo\nmore:\n\tpytest\n", "tools/all": "npm test\npython -m pytest\n"}
    lay_out(tmp_path, files | {"pyproject.toml": '[project]\noptional-dependencies = {dev = ["pytest>=8"]}\n'})
    assert [task.command for task in detect(tmp_path).tasks] == commands


NODE = {"package.json": {"scripts": {"lint": "eslint .", "test": "vitest run"}}}
PYTHON = {"pyproject.toml": "[tool.ruff]\n[tool.pytest.ini_options]\n"}
OWN = {"lint-node": "npm run lint", "lint-python": "ruff check .", "test-node": "npm run test", "test-python": "pytest"}
MIXED = {
    "nobody knows what the runners run": (
        NODE | PYTHON | {"Makefile": "test:\n\t./all\nlint:\n\t./lint\n", "justfile": "test:\n  ./all\n"},
        OWN | {"lint": "make lint", "test": "just test"},
    ),
    "each runner works for another language": (
        NODE | PYTHON | {"Makefile": "test:\n\tnpm test\n", "justfile": "test:\n  pytest\n"},
        {"lint": "npm run lint", "lint-python": "ruff check .", "test": "just test", "test-make": "make test"},
    ),
    "one runner works for both": (
        NODE
        | PYTHON
        | {"Makefile": "test: js py\njs:\n\tnpm test\npy:\n\tpytest\n", "justfile": "test:\n  make test\n"},
        {"lint": "npm run lint", "lint-python": "ruff check .", "test": "just test"},
    ),
    "one of three languages": (
        NODE | PYTHON | {"go.mod": "", "Makefile": "test:\n\tgo test ./...\nlint:\n\tgolangci-lint run\n"},
        OWN | {"lint": "make lint", "test": "make test", "build": "go build ./..."},
    ),
    "mise beside cargo": (
        NODE
        | {"Cargo.toml": "", "mise.toml": '[tasks]\ntest = ["cargo test", "npm test"]\nlint.run = "cargo clippy"\n'},
        {"lint": "mise run lint", "lint-node": "npm run lint", "test": "mise run test"}
        | {"format": "cargo fmt --check", "build": "cargo build"},
    ),
    "one kind only": (
        NODE | PYTHON | {"justfile": "lint:\n  ruff check\n  npx eslint .\n"},
        {"lint": "just lint", "test": "npm run test", "test-python": "pytest"},
    ),
    "a part in a folder of its own": (
        PYTHON | {f"web/{name}": text for name, text in NODE.items()} | {"Makefile": "test:\n\tcd web && npm test\n"},
        {"lint": "ruff check .", "test": "make test", "test-python": "pytest", "lint-web": "cd web && npm run lint"},
    ),
    "no runner": (
        NODE | PYTHON | {"Gemfile": "", ".rspec": ""},
        {"lint": "npm run lint", "lint-python": "ruff check .", "test": "npm run test", "test-python": "pytest"}
        | {"test-ruby": "bundle exec rspec"},
    ),
}


@pytest.mark.parametrize(("files", "expected"), MIXED.values(), ids=MIXED.keys())
def test_every_stack_of_a_mixed_project_has_its_gates(tmp_path, files, expected):
    lay_out(tmp_path, files)
    assert {task.name: task.command for task in detect(tmp_path).tasks} == expected


def test_tasks_that_run_each_other_have_an_end(tmp_path):
    lay_out(tmp_path, {"Makefile": "test:\n\tjust test\n", "justfile": "test:\n  make test\n", **NODE})
    assert [task.command for task in detect(tmp_path).tasks if task.kind == "test"] == ["just test", "npm run test"]


def test_a_declared_pytest_is_a_test_command(tmp_path):
    lay_out(tmp_path, {"requirements-dev.txt": "# none\npytest==8.3\n"})
    assert [task.command for task in detect(tmp_path).tasks] == ["pytest"]


def test_languages_without_git_leave_out_what_was_installed(tmp_path):
    lay_out(tmp_path, SOURCES)
    assert detect(tmp_path).languages == (("typescript", 2), ("python", 1))


def test_languages_with_git_leave_out_what_git_ignores(tmp_path):
    lay_out(tmp_path, {**SOURCES, ".gitignore": "node_modules\nsrc\n"})
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    assert detect(tmp_path).languages == (("typescript", 1), ("python", 1))


def test_an_empty_folder_is_no_mistake(tmp_path):
    assert detect(tmp_path).languages == ()
