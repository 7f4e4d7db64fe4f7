"""Fixed code for a finding, where a rule can be met without knowing what the program is for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tree_sitter import Parser

from vetgate.checks.security.fixes.replacing import replaced
from vetgate.checks.security.fixes.shell import without_shell
from vetgate.checks.security.fixes.spot import Spot
from vetgate.checks.security.fixes.sql import with_parameters
from vetgate.source.language import grammar

if TYPE_CHECKING:
    from collections.abc import Callable

    from tree_sitter import Node

    from vetgate.checks.security.scan import FileScan

_LONGEST = 240
_MAKERS: dict[str, Callable[[Spot], str]] = {"sql-concatenation": with_parameters, "shell-command": without_shell}


def fix_code(noted: FileScan, rule: str, node: Node) -> str:
    """In the names and quotes of the file; nothing where it takes somebody who knows what is meant."""
    spot = Spot(noted, node)
    if "\n" in spot.code and rule not in _MAKERS:
        return ""  # what was lined up with care would come out as one line
    make = _MAKERS.get(rule)
    code = make(spot) if make is not None else replaced(rule, noted.family, spot.code)
    if not code or code == spot.code or len(code) > _LONGEST:
        return ""
    return code if _parses(code, noted.syntax.language) else ""


def _parses(code: str, language: str) -> bool:
    return not Parser(grammar(language)).parse(code.encode()).root_node.has_error
