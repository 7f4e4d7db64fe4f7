"""Scripts that a package offers by name, and those that do nothing any more."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from vetgate.checks.silenced_tool.commands import does_nothing
from vetgate.checks.silenced_tool.setting import settings
from vetgate.expression import expression

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vetgate.source.syntax import Source

_PACKAGES = expression(r"(?:^|/)(?:package|composer)\.json$")
_MAKE = expression(r"(?:^|/)(?:(?:GNU)?[Mm]akefile|[Jj]ustfile)$|\.mk$")
_TARGET = expression(r"^(?P<name>[\w.-]+)\s*:(?!=)[^\n]*\n(?P<recipe>(?:[\t ]+[^\n]*(?:\n|$))*)", re.MULTILINE)
TESTS = expression(r"test|spec|e2e|coverage|unit|integration", re.IGNORECASE)
CHECKS = expression(r"lint|type|check|format|audit|verify|validate|^ci\b|analy[sz]e|stan|security", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class PackageScript:
    name: str
    line: int
    is_empty: bool


def scripts(source: Source) -> Iterator[PackageScript]:
    """The scripts that a name promises a check by; an empty one only says that it does."""
    if _PACKAGES.search(source.path):
        for setting in settings(source.path, source.text):
            if len(setting.keys) == 2 and setting.keys[0] == "scripts" and isinstance(setting.value, str):
                yield PackageScript(setting.keys[1], setting.line, does_nothing(setting.value))
    elif _MAKE.search(source.path):
        for match in _TARGET.finditer(source.text):
            recipe = match["recipe"].strip()
            if recipe:
                line = source.text.count("\n", 0, match.start()) + 1
                yield PackageScript(match["name"], line, does_nothing(re.sub(r"\n\s*", "\n", recipe)))
