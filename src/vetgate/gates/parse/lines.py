"""Compilers and linters that name a place on each line."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from vetgate.gates.parse.results import Complaint, Parsed, number

if TYPE_CHECKING:
    from collections.abc import Iterator

_AT = r"(?P<line>\d+):(?P<column>\d+)"
_TS = r"(?P<kind>error|warning) (?P<rule>TS\d+): (?P<message>.+)$"
_TSC = (
    rf"^(?P<path>[^\s(][^(\n]*)\((?P<line>\d+),(?P<column>\d+)\): {_TS}",
    rf"^(?P<path>\S[^\n:]*):{_AT} - {_TS}",
)
_MYPY_RULE = r"(?:  \[(?P<rule>[\w-]+)\])?$"
_MYPY = (
    rf"^(?P<path>[^\n:]+):(?P<line>\d+):(?:(?P<column>\d+):)?(?:\d+:\d+:)? "
    rf"(?P<kind>error|warning): (?P<message>.+?){_MYPY_RULE}"
)
_RUFF_RULE = r"(?P<rule>[A-Z]+\d+|SyntaxError|invalid-syntax):? (?:\[\*\] )?(?P<message>.+)"
_RUFF = (
    rf"^(?P<path>[^\s:][^\n:]*):{_AT}: {_RUFF_RULE}$",
    rf"^{_RUFF_RULE}\n +--> (?P<path>[^\n]+?):{_AT}$",
)
_ESLINT = re.compile(
    r"^\s+(?P<line>\d+):(?P<column>\d+)\s+(?P<kind>error|warning)\s+(?P<message>.+?)(?:\s\s+(?P<rule>\S+))?$"
)
_ESLINT_FILE = re.compile(r"^(?:/|[A-Za-z]:\\|\.{0,2}\w)\S*\.\w+$")


def tsc(text: str) -> Parsed:
    return Parsed(tuple(complaints_in(_TSC, text)))


def mypy(text: str) -> Parsed:
    return Parsed(tuple(complaints_in((_MYPY,), text)))


def ruff(text: str) -> Parsed:
    return Parsed(tuple(complaints_in(_RUFF, text)))


def eslint(text: str) -> Parsed:
    """A file's name on a line of its own, then what is wrong in it."""
    complaints, path = [], ""
    for line in text.split("\n"):
        match = _ESLINT.match(line)
        if match is None:
            path = line.strip() if _ESLINT_FILE.match(line) else path
        elif path:
            complaints.append(_complaint({**match.groupdict(), "path": path}))
    return Parsed(tuple(complaints))


def complaints_in(patterns: tuple[str, ...], text: str) -> Iterator[Complaint]:
    for pattern in patterns:
        for match in re.finditer(pattern, text, re.MULTILINE):
            yield _complaint(match.groupdict())


def _complaint(groups: dict[str, str | None]) -> Complaint:
    return Complaint(
        path=(groups.get("path") or "").strip(),
        line=number(groups.get("line")),
        column=number(groups.get("column")),
        message=groups.get("message") or "",
        rule=(groups.get("rule") or "").rstrip(":"),
        is_warning=groups.get("kind") == "warning",
    )
