"""The commands a project already has for testing, linting, type checking, format checking and building itself.

What the project's people wrote down (a task runner, a script) comes before what its tools would usually be called with.
"""

from __future__ import annotations

import json
import re
import shlex
import tomllib
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from vetgate.expression import expression
from vetgate.source.recipes import JUSTFILES, MAKEFILES, recipe_text, small_text
from vetgate.source.task_files import table_in, task_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path


_INSTALLED = r"(?:\S*(?:node_modules/\.bin|venv/bin|vendor/bin)/)?"
_SIGNS: Mapping[str, re.Pattern[str]] = {
    language: expression(rf"(?<![\w./-]){_INSTALLED}(?:{words})(?![\w/-])")
    for language, words in (
        (
            "node",
            "node|npm|npx|pnpm|yarn|bun|bunx|deno|tsc|eslint|biome|prettier|vitest|jest|mocha|playwright|turbo|nx|vite",
        ),
        ("php", "composer|phpunit|pest|phpstan|php"),
        ("python", r"python3?|pytest|ruff|mypy|pyright|flake8|black|tox|nox|uv|uvx|poetry|hatch|pdm|poe"),
        ("java", r"mvn|gradle|\./mvnw|\./gradlew"),
        ("ruby", "bundle|rake|rspec|rubocop"),
        ("rust", "cargo"),
        ("go", "go|golangci-lint|gotestsum|staticcheck"),
        ("dotnet", "dotnet"),
    )
}
# What only prepares: whoever installs packages tests nothing with them.
_PREPARES = expression(
    r"(?:npm|pnpm|yarn|bun|composer|bundle)\s+(?:ci|install|i)\b[^\n;&|]*|(?:uv|poetry|pdm)\s+(?:sync|install)\b[^\n;&|]*"
    r"|(?:python3?\s+-m\s+|uv\s+)?pip3?\s+install\b[^\n;&|]*|go\s+mod\s+\w+|cargo\s+fetch"
)
_BUILDS = expression(r"(?:npm|pnpm|yarn|bun)\s+(?:run\s+)?build\b|(?:go|cargo|dotnet)\s+build\b")
_BUILD = "build"
# Another task, and a script of the project.
_RUNS_TASK = expression(
    r"(?<![\w./-])(?:(?P<make>make|\$[({]MAKE[)}])(?:\s+-C\s*(?P<folder>[\w./-]+))?|just|mise\s+(?:run|r))"
    r"\s+(?P<name>[A-Za-z][\w:-]*)"
)
_RUNS_SCRIPT = expression(r"(?<![\w./-])(?:\./)?(?P<file>[\w-][\w.-]*(?:/[\w.-]+)*)(?![\w/-])")
_SCRIPTS = (".sh", ".bash", ".py", ".js", ".mjs", ".cjs", ".ts", ".rb", ".php", ".pl")
_DEEPEST = 3


def languages_of(root: Path, runner: str, name: str, kind: str) -> frozenset[str]:
    """Nothing where its commands name no tool that is known."""
    text = _PREPARES.sub("", _existing_text(root, runner, name, _DEEPEST))
    if kind != _BUILD:
        text = _BUILDS.sub("", text)
    return frozenset(language for language, sign in _SIGNS.items() if sign.search(text))


def _existing_text(root: Path, runner: str, name: str, deepest: int) -> str:
    """With what it runs of other tasks and of scripts that lie in the project."""
    own = _own_text(root, runner, name)
    if deepest == 0:
        return own
    parts = [own]
    for found in _RUNS_TASK.finditer(own):
        other = "make" if found["make"] else found[0].split()[0]
        parts.append(_existing_text(root / (found["folder"] or ""), other, found["name"], deepest - 1))
    names = {found["file"] for found in _RUNS_SCRIPT.finditer(own)}
    parts += (small_text(root / each) for each in sorted(names) if _may_be_script(each))
    return "\n".join(parts)


def _may_be_script(name: str) -> bool:
    folder, _, base = name.rpartition("/")
    return base.endswith(_SCRIPTS) or (folder != "" and "." not in base)


def _own_text(root: Path, runner: str, name: str) -> str:
    if runner == "mise":
        found = task_text(runner, root, ("run", name))
        return found[1] if found else ""
    return recipe_text(root, JUSTFILES if runner == "just" else MAKEFILES, [name])


_LARGEST = 1 << 20

# What people call the task of each kind, the likeliest name first.
KINDS: Mapping[str, tuple[str, ...]] = {
    "lint": ("lint", "lint:check", "lint-check", "eslint", "ruff", "clippy"),
    "types": ("typecheck", "type-check", "types", "check-types", "check:types", "tsc", "mypy"),
    "format": (
        *("format:check", "format-check", "fmt:check", "fmt-check"),
        *("check:format", "check-format", "prettier:check"),
    ),
    "test": ("test", "tests", "test:unit", "unit", "pytest"),
    "build": ("build", "compile"),
    "check": ("check", "checks", "verify"),
    "bench": ("bench", "benchmark", "perf", "performance", "test:perf"),
    "e2e": ("e2e", "test:e2e", "test-e2e", "integration", "test:integration", "test-integration", "playwright"),
}
_NOT_OF_A_NAME = expression(r"[^a-z0-9]+")
_NO_TEST = "no test specified"  # what a package manager writes into a new package.json

_MAKE_TARGET = expression(r"^([A-Za-z0-9][\w.:-]*)\s*:(?![=:])", re.MULTILINE)
_NOX_SESSION = expression(r"^@(?:nox\.)?session\b(\([^)]*\))?[ \t]*\n(?:@.*\n)*def (\w+)", re.MULTILINE)
_NOX_NAME = expression(r"\bname\s*=\s*[\"']([\w.-]+)")
_TOX_ENVIRONMENT = expression(r"^\[testenv:([\w.-]+)\]", re.MULTILINE)
_DECLARES_PYTEST = expression(r"(?m)^[^#\n]*(?<![\w-])pytest(?![\w-])")
_JUST_RECIPE = expression(r"^@?([A-Za-z_][\w-]*)(?:[ \t]+[^:=\n]*)?:(?!=)", re.MULTILINE)

_RUNNERS: Mapping[str, tuple[str, ...]] = {
    "mise": ("mise.toml", ".mise.toml"),
    "just": JUSTFILES,
    "make": MAKEFILES,
}

_USUAL: Mapping[str, Mapping[str, str]] = {
    "cargo": {
        "lint": "cargo clippy",
        "format": "cargo fmt --check",
        "test": "cargo test",
        "build": "cargo build",
    },
    "go": {"lint": "go vet ./...", "test": "go test ./...", "build": "go build ./..."},
    "dotnet": {"test": "dotnet test", "build": "dotnet build"},
}
_LANGUAGES = {"cargo": "rust", "go": "go", "dotnet": "dotnet"}


@dataclass(frozen=True, slots=True)
class Task:
    """`name` is its kind, or its kind and whose it is where another language or task runner has one of that kind, too.

    `languages` are those that it works for, as far as its commands tell.
    """

    kind: str
    command: str
    source: str
    name: str = ""
    owner: str = field(default="", compare=False)
    languages: frozenset[str] = field(default=frozenset(), compare=False)


def tasks(root: Path, managers: Iterable[str]) -> tuple[Task, ...]:
    """In the order of `KINDS`: those of task runners, and of each language what these do not run."""
    candidates = [*_runners(root), *_of_languages(root, tuple(managers))]
    return tuple(task for kind in KINDS for task in _of_kind(kind, candidates))


def tasks_below(root: Path, folder: str, managers: Iterable[str]) -> Iterator[Task]:
    """Those of a part that has a folder of its own, but what a task runner of the whole does for its language, too."""
    whole = {(task.kind, language) for task in _runners(root) for language in task.languages}
    short = _NOT_OF_A_NAME.sub("-", folder.lower()).strip("-")
    place = root / folder
    found: dict[str, Task] = {}
    for task in (*_runners(place), *_of_languages(place, tuple(managers))):
        if not task.languages or not all((task.kind, each) in whole for each in task.languages):
            found.setdefault(task.kind, task)
    for kind in (kind for kind in KINDS if kind in found):
        command = f"cd {shlex.quote(folder)} && {found[kind].command}"
        yield Task(kind, command, f"{folder}/{found[kind].source}", f"{kind}-{short}")


def _of_kind(kind: str, candidates: Iterable[Task]) -> Iterator[Task]:
    """The first, and each other one that works for a language for which none before it does."""
    covered: frozenset[str] = frozenset()
    name = kind
    for task in candidates:
        if task.kind == kind and (not task.languages <= covered or name == kind):
            yield replace(task, name=name if name == kind else f"{kind}-{task.owner}")
            covered |= task.languages
            name = ""


def _of_languages(root: Path, managers: tuple[str, ...]) -> Iterator[Task]:
    """One of each kind and language, the first that is there."""
    for language, found in _by_language(root, managers):
        first: dict[str, Task] = {}
        for task in found:
            first.setdefault(task.kind, task)
        for task in first.values():
            yield replace(task, owner=language, languages=frozenset({language}))


def _by_language(root: Path, managers: tuple[str, ...]) -> Iterator[tuple[str, Iterator[Task]]]:
    yield "node", _package_scripts(root, managers)
    if "composer" in managers:
        scripts = table_in(_json(root / "composer.json").get("scripts"))
        yield "php", _named(scripts, "composer {}", "composer.json")
    yield "python", _python(root, managers)
    yield "java", _jvm(root, managers)
    yield "ruby", _ruby(root, managers)
    for manager, language in _LANGUAGES.items():
        if manager in managers:
            yield language, (Task(kind, command, manager) for kind, command in _USUAL[manager].items())


def _runners(root: Path) -> Iterator[Task]:
    """What people wrote down for all of the project, whatever its languages."""
    for runner, files in _RUNNERS.items():
        file = next((each for each in files if (root / each).exists()), "")
        text = _text(root / file) if file else ""
        if runner == "mise":
            found = _named(table_in(_toml(root / file).get("tasks") if file else None), "mise run {}", file)
        elif runner == "just":
            found = _named(_JUST_RECIPE.findall(text), "just {}", file)
        else:
            found = _named(_MAKE_TARGET.findall(text), "make {}", file)
        for task in found:
            languages = languages_of(root, runner, task.command.split()[-1], task.kind)
            yield replace(task, owner=runner, languages=languages)


def package_programs(root: Path) -> frozenset[str]:
    """The packages that a package.json depends on, whatever for; their programs can be run."""
    content = _json(root / "package.json")
    return frozenset(name for key in ("dependencies", "devDependencies") for name in table_in(content.get(key)))


def _named(names: Iterable[str], template: str, source: str) -> Iterator[Task]:
    there = set(names)
    for kind, candidates in KINDS.items():
        name = next((name for name in candidates if name in there), None)
        if name:
            yield Task(kind, template.format(name), source)


def _package_scripts(root: Path, managers: tuple[str, ...]) -> Iterator[Task]:
    scripts = table_in(_json(root / "package.json").get("scripts"))
    real = [name for name, script in scripts.items() if _NO_TEST not in str(script)]
    manager = next((name for name in ("pnpm", "bun", "yarn") if name in managers), "npm")
    yield from _named(real, f"{manager} run {{}}", "package.json")


def _python_runners(root: Path, tools: Mapping[str, Any]) -> Iterator[Task]:
    """What runs named tasks of a Python project."""
    project = "pyproject.toml"
    yield from _named(table_in(table_in(tools.get("poe")).get("tasks")), "poe {}", project)
    yield from _named(table_in(table_in(tools.get("pdm")).get("scripts")), "pdm run {}", project)
    environments = table_in(table_in(tools.get("hatch")).get("envs"))
    yield from _named(table_in(table_in(environments.get("default")).get("scripts")), "hatch run {}", project)
    yield from _named(_nox_sessions(_text(root / "noxfile.py")), "nox -s {}", "noxfile.py")
    tox = table_in(tools.get("tox"))
    declared = (*_TOX_ENVIRONMENT.findall(_text(root / "tox.ini")), *table_in(tox.get("env")))
    yield from _named(declared, "tox -e {}", "tox.ini" if (root / "tox.ini").exists() else project)


def _nox_sessions(text: str) -> Iterator[str]:
    for arguments, function in _NOX_SESSION.findall(text):
        named = _NOX_NAME.search(arguments)
        yield named[1] if named else function


def _python(root: Path, managers: tuple[str, ...]) -> Iterator[Task]:
    project = _toml(root / "pyproject.toml")
    tools = table_in(project.get("tool"))
    yield from _python_runners(root, tools)
    prefix = next((f"{name} run " for name in ("uv", "poetry") if name in managers), "")
    settings = {
        ("lint", "ruff check ."): "ruff" in tools or _any(root, "ruff.toml", ".ruff.toml"),
        ("lint", "flake8"): _any(root, ".flake8"),
        ("types", "mypy ."): "mypy" in tools or _any(root, "mypy.ini", ".mypy.ini"),
        ("types", "pyright"): "pyright" in tools or _any(root, "pyrightconfig.json"),
        ("format", "ruff format --check ."): "format" in table_in(tools.get("ruff")),
        ("format", "black --check ."): "black" in tools,
        ("test", "pytest"): _has_pytest(root, tools),
        ("test", "tox"): "tox" in tools or _any(root, "tox.ini"),
    }
    for (kind, command), present in settings.items():
        if present:
            yield Task(kind, prefix + command, "Python tools")


def _has_pytest(root: Path, tools: Mapping[str, Any]) -> bool:
    if "pytest" in tools or _any(root, "pytest.ini", "conftest.py", "tests/conftest.py"):
        return True
    declared = ("pyproject.toml", "requirements.txt", "requirements-dev.txt", "dev-requirements.txt", "setup.cfg")
    return any(_DECLARES_PYTEST.search(_text(root / file)) for file in declared)


def _jvm(root: Path, managers: tuple[str, ...]) -> Iterator[Task]:
    if "maven" in managers:
        maven = "./mvnw" if _any(root, "mvnw") else "mvn"
        yield Task("test", f"{maven} test", "pom.xml")
        yield Task("build", f"{maven} package", "pom.xml")
    if "gradle" in managers:
        gradle = "./gradlew" if _any(root, "gradlew") else "gradle"
        yield Task("test", f"{gradle} test", "build.gradle")
        yield Task("build", f"{gradle} build", "build.gradle")


def _ruby(root: Path, managers: tuple[str, ...]) -> Iterator[Task]:
    if "bundler" not in managers:
        return
    if _any(root, ".rubocop.yml"):
        yield Task("lint", "bundle exec rubocop", ".rubocop.yml")
    if _any(root, ".rspec", "spec"):
        yield Task("test", "bundle exec rspec", "spec")
    elif _any(root, "Rakefile"):
        yield Task("test", "bundle exec rake test", "Rakefile")


def _any(root: Path, *names: str) -> bool:
    return any((root / name).exists() for name in names)


def _text(path: Path) -> str:
    try:
        with path.open(encoding="utf-8", errors="replace") as file:
            return file.read(_LARGEST)
    except OSError:
        return ""


def _toml(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(_text(path))
    except (tomllib.TOMLDecodeError, RecursionError):
        return {}


def _json(path: Path) -> dict[str, Any]:
    try:
        return table_in(json.loads(_text(path) or "{}"))
    except (ValueError, RecursionError):
        return {}
