"""Why a tool is silenced, where nobody wrote it behind the directive: in the comment above, or by the code itself."""

from __future__ import annotations

import re

from vetgate.expression import expression

_LONGEST = 2000
_COMMENT = expression(r"#(?=[\s#])|//")
# A comment that only says what the code does gives no reason to look away.
_WHY = expression(
    r"\b(?:because|work(?:s|ing)?[ -]?around|cannot|can't|false positive|deliberate\w*|on purpose|intention\w*|"
    r"mypy|pyright|ruff|eslint|tsc|tsgo|type checkers?)\b",
    re.IGNORECASE,
)
# Files may begin with these, and they are no reasons either.
_DIRECTIVE = expression(
    r"^(?:#|//)\s*(?:(?:type|mypy|pyright|pyre|ty|ruff|flake8|pylint|isort|fmt|yapf|pragma|vetgate|biome|c8|istanbul)\b\s*[:-]"
    r"|@ts-|eslint-|oxlint-|noqa\b|nosec\b)",
    re.IGNORECASE,
)
_LEAST_WORDS = 4
# What no run of the tests on one machine reaches: another system, another version, a library that is not there.
_WHERE = r"(?<![\w.])(?:sys\.(?:platform|version_info|implementation)|os\.name|platform\.system\(\))(?:\[\d+\]|\.\w+)*"
_SYSTEM = (
    rf"(?:not\s+)?(?:[\"'][^\"']*[\"']\s+(?:not\s+)?in\s+{_WHERE}"
    rf"|{_WHERE}(?:\s*(?:==|!=|<=?|>=?|(?:not\s+)?in\b)|\())(?!.*\bif\b)[^&|]*"
)
_PART = expression(rf"^(?:el)?if\s+(?!.*\b(?:and|or)\b){_SYSTEM}:")
_NOT_RUN = expression(
    r"^except\s+\(?\s*(?:ImportError|ModuleNotFoundError)(?:\s*,\s*(?:ImportError|ModuleNotFoundError))*\s*\)?"
    r"(?:\s+as\s+\w+)?\s*:"
    r"|^if\s+(?:typing\.)?TYPE_CHECKING\s*:|^if\s+__name__\s*==|^raise\s+NotImplementedError\b"
    r"|^@(?:typing\.)?overload\b|^@(?:abc\.)?abstractmethod\b|^\.\.\.\s*(?:#|$)"
)
_ELSE = expression(r"^else\s*:")
_BLOCK = expression(r"^(?:if|elif|else|for|while|with|try|except|finally|def|class|async)\b")
_IMPORT = expression(r"^(?:import|from)\s")
_OF_IMPORTS = expression(
    r"^(?:import(?:-not-found|-untyped|-error)?|no-redef|TC00\d|reportMissing(?:Imports|ModuleSource|TypeStubs))$"
)


def reason_above(text: str, begin: int) -> str:
    """What the comment right above the line that begins there gives as a reason for it."""
    lines = text[max(0, begin - _LONGEST) : begin].split("\n")[:-1]
    told: list[str] = []
    while lines and _COMMENT.match(lines[-1].strip()):
        line = lines.pop().strip()
        if not _DIRECTIVE.match(line):
            told.insert(0, line.lstrip("#/ "))
    said = " ".join(told)
    return said if len(said.split()) >= _LEAST_WORDS and _WHY.search(said) else ""


def is_unreachable(text: str, begin: int) -> str:
    """The line that begins there, where it shows why no test covers it; that of its `if`, for an `else`."""
    line = text[begin : begin + _LONGEST].partition("\n")[0]
    said = line.partition("#")[0].strip()
    if _PART.match(said) or _NOT_RUN.match(said):
        return said
    opening = _opening(text, begin, line[: len(line) - len(line.lstrip())]) if _ELSE.match(said) else ""
    return opening if _PART.match(opening) else ""


def of_an_import(codes: tuple[str, ...], line: str) -> str:
    """The line, where it imports and all that is silenced is what the import does not bring along."""
    said = line.strip()
    return said if codes and _IMPORT.match(said) and all(map(_OF_IMPORTS.match, codes)) else ""


def _opening(text: str, begin: int, indent: str) -> str:
    """What an `else` belongs to: the line above it that stands as far in and opens a block."""
    for above in reversed(text[max(0, begin - _LONGEST) : begin].split("\n")):
        if above.startswith(indent) and _BLOCK.match(above[len(indent) :]):
            return above.partition("#")[0].strip()
    return ""
