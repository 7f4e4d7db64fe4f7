"""The tests that changed files affect: a command kept to them, where its framework can tell, or where imports do."""

from __future__ import annotations

import contextlib
import json
import re
import shlex
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, NamedTuple

from vetgate.source import disk
from vetgate.source.shell.own_status import own_commands
from vetgate.source.text import NotText

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    from vetgate.source.git_tree import TreeDifference

    Selection = tuple[str, tuple[str, ...]]

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


def select_tests(command: str, changes: TreeDifference, names: Sequence[str], root: Path) -> Selection | None:
    """The command with `{files}` for what it should look at, and those files; None where nobody can say.

    `names` are all files of the project. No files at all means that no test is affected.
    """
    own = own_commands(command, passed=False)
    if not own or own[0].cwd or any(_OF_ALL.search(name) for name in (*changes.files, *changes.gone)):
        return None
    words = expand_script(own[0].words, root)
    for place, word in enumerate(words[:_MOST_STARTERS]):
        select = _SELECT.get(word.rpartition("/")[2])
        if select is not None:
            return select(_RunnerCall(words[: place + 1], words[place + 1 :], changes, names, root))
    return None


class _RunnerCall(NamedTuple):
    """What starts a runner of tests, and its own words; what changed, and all files of the project."""

    start: Sequence[str]
    rest: Sequence[str]
    changes: TreeDifference
    names: Sequence[str]
    root: Path


def _pytest(call: _RunnerCall) -> Selection | None:
    changed, rest = (*call.changes.files, *call.changes.gone), call.rest
    within = _folders(rest, call.root)
    if within is None or "doctest" in " ".join(rest) or not all(name.endswith(".py") for name in changed):
        return None
    tests = dependent_tests(changed, call.names, call.root)
    if tests is None:
        return None
    options = [
        word for before, word in zip(("", *rest), rest, strict=False) if word not in within or before in _WITH_VALUE
    ]
    return f"{shlex.join([*call.start, *options])} {{files}}{NONE_IS_FINE}", tuple(
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


def _jest(call: _RunnerCall) -> Selection | None:
    if not _is_related(call.rest, call.changes):
        return None
    return f"{shlex.join([*call.start, *call.rest])} --passWithNoTests --findRelatedTests {{files}}", call.changes.files


def _vitest(call: _RunnerCall) -> Selection | None:
    options = call.rest[1:] if call.rest[:1] == ("run",) else call.rest
    if not _is_related(options, call.changes):
        return None
    start = shlex.join([*call.start, "related", "--run", "--passWithNoTests", *options])
    return f"{start} {{files}}", call.changes.files


def _is_related(options: Sequence[str], changes: TreeDifference) -> bool:
    """These follow imports themselves, from files that are there; and a command may be kept to some tests already."""
    kept = any(
        not word.startswith("-") and not before.startswith("-")
        for before, word in zip(("", *options), options, strict=False)
    )
    return not kept and not changes.gone and all(name.endswith(_SOURCES) for name in changes.files)


_SELECT: Mapping[str, Callable[[_RunnerCall], Selection | None]] = {
    "pytest": _pytest,
    "py.test": _pytest,
    "jest": _jest,
    "vitest": _vitest,
}


_TEST = re.compile(r"(?:^|/)(?:test_[^/]*|[^/]*_test)\.py$")
_FIXTURES = re.compile(r"(?:^|/)conftest\.py$")
_IMPORT = re.compile(r"(?:^|[;:])[ \t]*import[ \t]+([\w., \t]+)", re.MULTILINE)
_FROM = re.compile(r"(?:^|[;:])[ \t]*from[ \t]+(\.*)([\w.]*)[ \t]+import[ \t]+(\([^)]*\)|[^\n#;]+)", re.MULTILINE)
# A module may be named by text: for a plugin, a patch, or an import at run time.
_QUOTED = re.compile(r"[\"']([A-Za-z_]\w*(?:\.\w+)+)[\"']|import(?:_module|__)\([\"'](\w+)[\"']")
_WORD = re.compile(r"\w+")


def dependent_tests(files: Sequence[str], names: Sequence[str], root: Path) -> tuple[str, ...] | None:
    """Tests that changed, and those that import what changed, at whatever distance; `files` may be gone by now.

    None where this cannot be told: fixtures depend on what changed, or tests are called otherwise here.
    """
    sources = sorted({name for name in (*names, *files) if name.endswith(".py")})
    importers = _importers(sources, root)
    affected, pending = set(files), list(files)
    while pending:
        for name in importers.get(pending.pop(), ()):
            if name not in affected:
                affected.add(name)
                pending.append(name)
    if any(_FIXTURES.search(name) for name in affected) or not any(map(_TEST.search, names)):
        return None
    return tuple(sorted(name for name in affected if _TEST.search(name) and (root / name).exists()))


def _importers(sources: Sequence[str], root: Path) -> dict[str, set[str]]:
    modules = _modules(sources)
    found: dict[str, set[str]] = {}
    for name in sources:
        with contextlib.suppress(NotText, OSError):
            for module in _imported(name, disk.read(root / name).replace("\\\n", " ")):
                for place in modules.get(module, ()):
                    found.setdefault(place, set()).add(name)
    return found


def _modules(sources: Sequence[str]) -> dict[str, set[str]]:
    """Every file by all names it may be imported by: nobody knows from which folder."""
    found: dict[str, set[str]] = {}
    for name in sources:
        parts = PurePosixPath(name).with_suffix("").parts
        parts = parts[:-1] if parts[-1] == "__init__" else parts
        for start in range(len(parts)):
            found.setdefault(".".join(parts[start:]), set()).add(name)
    return found


def _imported(name: str, text: str) -> Iterator[str]:
    """The modules a file may import, with those that a name may stand for, and their packages."""
    for match in _IMPORT.finditer(text):
        for part in match[1].split(","):
            yield from _with_packages(part.strip().partition(" ")[0])
    folder = PurePosixPath(name).parent.parts
    for match in _FROM.finditer(text):
        dots, module, imported = match.groups()
        start = ".".join(folder[: len(folder) - len(dots) + 1]) if dots else ""
        base = ".".join(part for part in (start, module) if part)
        yield from _with_packages(base)
        yield from (f"{base}.{word}" if base else word for word in _WORD.findall(imported))
    for match in _QUOTED.finditer(text):
        yield from _with_packages(match[1] or match[2])


def _with_packages(module: str) -> Iterator[str]:
    parts = module.split(".")
    for end in range(1, len(parts) + 1):
        yield ".".join(parts[:end])


# By which words each runs a program of the project.
_STARTERS: Mapping[str, tuple[str, ...]] = {
    "npm": ("npx", "--no-install"),
    "pnpm": ("pnpm", "exec"),
    "yarn": ("yarn", "exec", "--"),
    "bun": ("bunx",),
}
_SHORT = frozenset({"test", "t"})


def expand_script(words: Sequence[str], root: Path) -> tuple[str, ...]:
    """The words as they are, unless they run a script that is one command with nothing before and after it."""
    runner, name = _script(words)
    scripts = scripts_of(root) if name else {}
    own = own_commands(scripts.get(name, ""), passed=False)
    if not own or own[0].cwd or f"pre{name}" in scripts or f"post{name}" in scripts:
        return tuple(words)
    return (*_STARTERS[runner], *own[0].words)


def _script(words: Sequence[str]) -> tuple[str, str]:
    """The package manager and the script's name; with options of its own it is left as it is."""
    match tuple(words):
        case (runner, "run" | "run-script", name) if runner in _STARTERS:
            return runner, name
        case ("npm" | "pnpm" as runner, name) if name in _SHORT:
            return runner, "test"
        case ("pnpm" | "yarn" as runner, name):
            return runner, name
        case _:
            return "", ""


def scripts_of(root: Path) -> dict[str, str]:
    try:
        content = json.loads(disk.read(root / "package.json"))
    except (OSError, NotText, ValueError, RecursionError):
        return {}
    scripts = content.get("scripts") if isinstance(content, dict) else None
    return {name: text for name, text in scripts.items() if isinstance(text, str)} if isinstance(scripts, dict) else {}
