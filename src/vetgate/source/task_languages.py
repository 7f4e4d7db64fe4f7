"""For which languages a task of mise, just or make works: those whose tools its commands name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vetgate.expression import expression
from vetgate.source.recipes import JUSTFILES, MAKEFILES, recipe_text, small_text
from vetgate.source.task_files import task_text

if TYPE_CHECKING:
    import re
    from collections.abc import Mapping
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
    text = _PREPARES.sub("", _text(root, runner, name, _DEEPEST))
    if kind != _BUILD:
        text = _BUILDS.sub("", text)
    return frozenset(language for language, sign in _SIGNS.items() if sign.search(text))


def _text(root: Path, runner: str, name: str, deepest: int) -> str:
    """With what it runs of other tasks and of scripts that lie in the project."""
    own = _own_text(root, runner, name)
    if deepest == 0:
        return own
    parts = [own]
    for found in _RUNS_TASK.finditer(own):
        other = "make" if found["make"] else found[0].split()[0]
        parts.append(_text(root / (found["folder"] or ""), other, found["name"], deepest - 1))
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
