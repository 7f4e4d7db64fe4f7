"""What a command is for, by its words: tests, linting, types, formatting, building."""

from __future__ import annotations

import re
from hashlib import blake2b
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

TEST = "test"
# Programs that only start another one, with the words after which that one stands.
_STARTS = (
    *(("npx",), ("bunx",), ("pnpm", "exec"), ("pnpm", "dlx"), ("yarn", "exec"), ("npm", "exec", "--"), ("npm", "exec")),
    *(("uv", "run"), ("poetry", "run"), ("pdm", "run"), ("hatch", "run"), ("pipenv", "run"), ("rye", "run")),
    *(("bundle", "exec"), ("python", "-m"), ("python3", "-m"), ("mise", "exec", "--"), ("nice",)),
)
# Programs that run a task by its name.
_RUNNERS = re.compile(
    r"(?:npm|pnpm|yarn|bun)(?: run)?|mise(?: run| r)|just|make|task|rake|composer(?: run)?|gradle|gradlew|mvn|mvnw"
)
_OF_TASKS = {
    TEST: re.compile(r"t|tests?|check-tests?|test[:_-].*|.*[:_-]tests?|unit|spec|e2e"),
    "lint": re.compile(r"lint|lint[:_-].*|eslint|ruff|clippy"),
    "types": re.compile(r"types?|type-?check|check[:_-]types|tsc|mypy"),
    "format": re.compile(r"format|fmt|(?:format|fmt|prettier)[:_-].*"),
    "build": re.compile(r"build|compile|build[:_-].*|package|assemble"),
}
_OF_PROGRAMS = (
    (TEST, r"(?:pytest|py\.test|unittest|tox|nox|jest|vitest|mocha|ava|rspec|phpunit|pest|ctest|karma)\b"),
    (
        TEST,
        r"(?:go test|cargo test|cargo nextest|dotnet test|deno test|bun test|node --test|swift test|flutter test)\b",
    ),
    (TEST, r"(?:playwright|cypress) (?:test|run)\b"),
    ("lint", r"(?:eslint|flake8|pylint|golangci-lint|rubocop|biome (?:lint|check)|oxlint|shellcheck|stylelint)\b"),
    ("lint", r"(?:ruff check|cargo clippy|go vet)\b"),
    ("types", r"(?:tsc|mypy|pyright|basedpyright|vue-tsc|cargo check|ty check)\b"),
    ("format", r"(?:prettier|black|gofmt|rustfmt|ruff format|cargo fmt|isort)\b"),
    ("build", r"(?:go build|cargo build|dotnet build|vite build|webpack|next build)\b"),
)
# With these a program says something, and runs nothing of the project.
_RUNS_NOTHING = frozenset(
    {"--version", "--help", "-h", "--collect-only", "--collectonly", "--co", "--listTests", "--list", "-list"}
    | {"--dry-run", "--no-run", "--fixtures", "--markers"}
)


def kind_of(words: Sequence[str]) -> str:
    """Nothing for what is none of these."""
    if _RUNS_NOTHING & set(words):
        return ""
    rest = _started(list(words))
    text = " ".join(rest)
    for kind, pattern in _OF_PROGRAMS:
        if re.match(pattern, text):
            return kind
    runner = _RUNNERS.match(text)
    if runner is None:
        return ""
    named = [word for word in text[runner.end() :].split() if not word.startswith("-") and "=" not in word]
    return next((kind for kind, pattern in _OF_TASKS.items() if named and pattern.fullmatch(named[0])), "")


def _started(words: list[str]) -> list[str]:
    """Without what only starts it, and without the folder of the program."""
    while words:
        words[0] = words[0].rpartition("/")[2]
        start = next((each for each in _STARTS if tuple(words[: len(each)]) == each), None)
        if start is None:
            return words
        words = words[len(start) :]
        while words and words[0].startswith("-"):
            words = words[1:]
    return words


def digest(words: Sequence[str]) -> str:
    """By which a command is known again; it says nothing about what stands in it."""
    return blake2b("\0".join(words).encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()
