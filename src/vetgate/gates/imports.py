"""Which Python tests depend on changed files, by what imports what."""

from __future__ import annotations

import contextlib
import re
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from vetgate.source import disk
from vetgate.source.text import NotText

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

_TEST = re.compile(r"(?:^|/)(?:test_[^/]*|[^/]*_test)\.py$")
_FIXTURES = re.compile(r"(?:^|/)conftest\.py$")
_IMPORT = re.compile(r"(?:^|[;:])[ \t]*import[ \t]+([\w., \t]+)", re.MULTILINE)
_FROM = re.compile(r"(?:^|[;:])[ \t]*from[ \t]+(\.*)([\w.]*)[ \t]+import[ \t]+(\([^)]*\)|[^\n#;]+)", re.MULTILINE)
# A module may be named by text: for a plugin, a patch, or an import at run time.
_QUOTED = re.compile(r"[\"']([A-Za-z_]\w*(?:\.\w+)+)[\"']|import(?:_module|__)\([\"'](\w+)[\"']")
_WORD = re.compile(r"\w+")


def affected_tests(files: Sequence[str], names: Sequence[str], root: Path) -> tuple[str, ...] | None:
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
