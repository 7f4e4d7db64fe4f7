"""A test command over what changed files affect, where its framework can tell, or where imports do."""

from __future__ import annotations

import re
import shlex
from typing import TYPE_CHECKING

from vetgate.gates.imports import affected_tests
from vetgate.gates.scripts import started_by
from vetgate.source.shell.own_status import own_commands

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from vetgate.source.git_tree import TreeDifference

    Narrowed = tuple[str, tuple[str, ...]]

_SOURCES = (".js", ".jsx", ".ts", ".tsx", ".mjs", ".cjs", ".mts", ".cts", ".vue", ".svelte", ".json", ".css", ".scss")
# What every test may depend on, whoever imports it.
_OF_ALL = re.compile(
    r"(?:^|/)(?:conftest\.py|pyproject\.toml|setup\.(?:py|cfg)|tox\.ini|pytest\.ini|package(?:-lock)?\.json|[^/]*\.lock"
    r"|tsconfig[^/]*\.json|(?:jest|vitest|vite|babel)\.config\.\w+|requirements[^/]*\.txt|__mocks__/.*|__snapshots__/.*)$"
)
# Options of pytest after which a word is a value; of a long one without `=` nobody knows.
_WITH_VALUE = frozenset({"-c", "-p", "-k", "-m", "-n", "-o", "-W", "-r"})
_MOST_STARTERS = 4
# By 5 pytest says that it found no tests: of some files that is no failure.
NONE_IS_FINE = "; s=$?; [ $s -eq 5 ] || exit $s"


def narrowed(command: str, changes: TreeDifference, names: Sequence[str], root: Path) -> Narrowed | None:
    """The command with `{files}` for what it should look at, and those files; None where nobody can say.

    `names` are all files of the project. No files at all means that no test is affected.
    """
    own = own_commands(command, passed=False)
    if not own or own[0].cwd or any(_OF_ALL.search(name) for name in (*changes.files, *changes.gone)):
        return None
    words = started_by(own[0].words, root)
    for place, word in enumerate(words[:_MOST_STARTERS]):
        narrow = _NARROW.get(word.rpartition("/")[2])
        if narrow is not None:
            return narrow(words[: place + 1], words[place + 1 :], changes, names, root)
    return None


def _pytest(
    start: Sequence[str], rest: Sequence[str], changes: TreeDifference, names: Sequence[str], root: Path
) -> Narrowed | None:
    changed = (*changes.files, *changes.gone)
    within = _folders(rest, root)
    if within is None or "doctest" in " ".join(rest) or not all(name.endswith(".py") for name in changed):
        return None
    tests = affected_tests(changed, names, root)
    if tests is None:
        return None
    options = [
        word for before, word in zip(("", *rest), rest, strict=False) if word not in within or before in _WITH_VALUE
    ]
    return f"{shlex.join([*start, *options])} {{files}}{NONE_IS_FINE}", tuple(
        name for name in tests if _lies(name, within)
    )


def _folders(words: Sequence[str], root: Path) -> tuple[str, ...] | None:
    """The folders and files to which a command of pytest is kept; None where that cannot be told from its options."""
    found = []
    for before, word in zip(("", *words), words, strict=False):
        if word.startswith("-"):
            continue
        if before in _WITH_VALUE:
            continue
        if before.startswith("--") and "=" not in before:
            return None
        if not (root / word).exists():
            return None
        found.append(word)
    return tuple(found)


def _lies(name: str, within: Sequence[str]) -> bool:
    places = [place.removeprefix("./").rstrip("/") for place in within]
    return not places or any(place in {"", ".", name} or name.startswith(f"{place}/") for place in places)


def _jest(
    start: Sequence[str],
    rest: Sequence[str],
    changes: TreeDifference,
    names: Sequence[str],  # noqa: ARG001 - as all of its kind
    root: Path,  # noqa: ARG001
) -> Narrowed | None:
    if not _is_related(rest, changes):
        return None
    return f"{shlex.join([*start, *rest])} --passWithNoTests --findRelatedTests {{files}}", changes.files


def _vitest(
    start: Sequence[str],
    rest: Sequence[str],
    changes: TreeDifference,
    names: Sequence[str],  # noqa: ARG001 - as all of its kind
    root: Path,  # noqa: ARG001
) -> Narrowed | None:
    options = rest[1:] if rest[:1] == ("run",) else rest
    if not _is_related(options, changes):
        return None
    return f"{shlex.join([*start, 'related', '--run', '--passWithNoTests', *options])} {{files}}", changes.files


def _is_related(options: Sequence[str], changes: TreeDifference) -> bool:
    """These follow imports themselves, from files that are there; and a command may be kept to some tests already."""
    kept = any(
        not word.startswith("-") and not before.startswith("-")
        for before, word in zip(("", *options), options, strict=False)
    )
    return not kept and not changes.gone and all(name.endswith(_SOURCES) for name in changes.files)


_NARROW: dict[str, Callable[[Sequence[str], Sequence[str], TreeDifference, Sequence[str], Path], Narrowed | None]] = {
    "pytest": _pytest,
    "py.test": _pytest,
    "jest": _jest,
    "vitest": _vitest,
}
