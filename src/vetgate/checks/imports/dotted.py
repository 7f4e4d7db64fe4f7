"""Java and C#: packages and namespaces are not called as the artifacts that bring them, so only a slip is told.

A name that goes the way of a declared one but for one mistyped part of it is hardly anything else.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from vetgate.checks.imports.misspellings import is_slip_on_the_way
from vetgate.checks.imports.unknown_imports import MISTYPED, UnknownImport, folders, index_of, statement_at
from vetgate.source.disk_cache import listed, read

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from vetgate.source.syntax import Source, Syntax

_GROUP = re.compile(r"<groupId>\s*([A-Za-z][\w.-]+)\s*</groupId>")
_COORDINATE = re.compile(r"""["']([A-Za-z][\w-]*(?:\.[\w-]+)+):[\w.-]+""")
_PACKAGE = re.compile(r"""<(?:PackageReference|PackageVersion)\b[^>]*?\b(?:Include|Update)="([A-Za-z][\w.-]+)\"""")


@dataclass(frozen=True, slots=True)
class Dotted:
    """How a language imports, what it brings itself, and how many parts of a declared name say whose it is."""

    written: re.Pattern[bytes]
    statement: str
    own: frozenset[str]
    least: int
    declares: tuple[tuple[re.Pattern[str], re.Pattern[str]], ...]  # which files do so, and how they say it


_JAVA = Dotted(
    re.compile(rb"^import[ \t]+(?:static[ \t]+)?([a-z][\w]*(?:\.\w+)+)", re.MULTILINE),
    "import_declaration",
    frozenset("java javax jakarta jdk sun kotlin scala groovy android androidx".split()),
    2,
    (
        (re.compile(r"pom\.xml"), _GROUP),
        (re.compile(r"build\.gradle(?:\.kts)?|libs\.versions\.toml"), _COORDINATE),
    ),
)
_CSHARP = Dotted(
    re.compile(rb"^[ \t]*(?:global[ \t]+)?using[ \t]+(?:static[ \t]+)?([A-Z]\w*(?:\.\w+)*)[ \t]*;", re.MULTILINE),
    "using_directive",
    frozenset({"System", "Microsoft", "Windows", "Mono", "UnityEngine", "UnityEditor"}),
    1,
    ((re.compile(r".+\.(?:csproj|props|targets)"), _PACKAGE),),
)


def unknown_in_java(source: Source, syntax: Syntax, *, is_test: bool) -> Iterator[UnknownImport]:  # noqa: ARG001 - only slips
    yield from _unknown(_JAVA, source, syntax)


def unknown_in_csharp(source: Source, syntax: Syntax, *, is_test: bool) -> Iterator[UnknownImport]:  # noqa: ARG001 - only slips
    yield from _unknown(_CSHARP, source, syntax)


def _unknown(language: Dotted, source: Source, syntax: Syntax) -> Iterator[UnknownImport]:
    if source.root is None:
        return
    above = folders(str(source.root), source.path)
    declared = frozenset(name for folder in above for name in _declared(language, folder))
    prefixes = {tuple(parts[:count]) for parts in _parts(declared) for count in range(language.least, len(parts) + 1)}
    for match in language.written.finditer(syntax.data) if prefixes else ():
        parts = tuple(match[1].decode().split("."))
        meant = None if parts[0] in language.own else _meant(parts, prefixes)
        node = statement_at(syntax, match.start(1), language.statement) if meant else None
        if meant and node is not None and not _is_own(str(source.root), parts, meant):
            name = ".".join(parts[: len(meant)])
            message = f"Nothing here is declared for `{name}`; there is `{'.'.join(meant)}`."
            yield UnknownImport(
                MISTYPED, match[1].decode(), node, message, f"Import `{'.'.join(meant)}`, or below it.", 0.9
            )


def _parts(names: Iterable[str]) -> Iterator[list[str]]:
    return (name.split(".") for name in names)


def _declared(language: Dotted, folder: str) -> Iterator[str]:
    for name in listed(folder):
        for called, says in language.declares:
            if called.fullmatch(name):
                yield from read(f"{folder}/{name}", says.findall) or ()


def _meant(parts: tuple[str, ...], prefixes: set[tuple[str, ...]]) -> tuple[str, ...] | None:
    if any(parts[: len(each)] == each for each in prefixes):
        return None
    return next((each for each in sorted(prefixes) if is_slip_on_the_way(parts, each)), None)


def _is_own(root: str, parts: tuple[str, ...], meant: tuple[str, ...]) -> bool:
    """Whether a folder of the project is called by the part that differs."""
    index = index_of(root)
    odd = next(here for here, there in zip(parts, meant, strict=False) if here != there)
    return not index.whole or odd in index.modules
