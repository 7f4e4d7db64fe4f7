"""Why a tool is silenced, where nobody wrote it behind the directive: in the comment above, or by the code itself."""

from __future__ import annotations

import re

from vetgate.expression import expression

_LONGEST = 2000
_COMMENT = ("#", "//", "/*", "*")
# A comment that only says what the code does gives no reason to look away.
_WHY = expression(
    r"\b(?:because|since|so that|so we|but|work(?:ing|s)?[ -]?around|hack|cannot|can't|false positive|upstream|bug|"
    r"issue|deliberate\w*|on purpose|intention\w*|mypy|pyright|ruff|eslint|tsc|tsgo|type checkers?|typescript|"
    r"coverage)\b|https?://",
    re.IGNORECASE,
)
# What no run of the tests on one machine reaches: another system, another version, a library that is not there.
_ELSEWHERE = expression(
    r"^except\(?(?:\w+,)*(?:ImportError|ModuleNotFoundError)\b"
    r"|^(?:el)?if.*(?:sys\.(?:platform|version_info|implementation)|os\.name|platform\.\w+\(|TYPE_CHECKING|__name__==)"
    r"|^raiseNotImplementedError|^@(?:typing\.)?overload\b|^@(?:abc\.)?abstractmethod\b|^\.\.\.$"
)
_ELSE = "else:"
_OPENS_IT = expression(r"(?:if|try|except)\b")
_IMPORTS = expression(r"^(?:import|from|constrequire|usingnamespace)")
_OF_IMPORTS = expression(
    r"^(?:import(?:-not-found|-untyped|-error)?|no-redef|TC00\d|reportMissing(?:Imports|ModuleSource|TypeStubs))$"
)


def reason_above(text: str, begin: int) -> str:
    """What the comment right above a line gives as a reason for it."""
    lines = text[max(0, begin - _LONGEST) : begin].rstrip("\n").split("\n")
    told: list[str] = []
    while lines and lines[-1].strip().startswith(_COMMENT) and not lines[-1].strip().startswith("#["):
        told.insert(0, lines.pop().strip())
    said = " ".join(told)
    return said if _WHY.search(said) else ""


def evident(tool: str, codes: tuple[str, ...], code: str, text: str, begin: int) -> str:
    """The code that a directive stands at, without spaces, where it shows why; `begin` is where its line begins."""
    if tool == "coverage":
        opening = _opening(text, begin) if code.startswith(_ELSE) else code
        return opening if _ELSEWHERE.search(opening) else ""
    return code if codes and _IMPORTS.match(code) and all(map(_OF_IMPORTS.match, codes)) else ""


def _opening(text: str, begin: int) -> str:
    """What an `else` belongs to: the line above it that stands as far in and opens a block."""
    line = text[begin : begin + _LONGEST].partition("\n")[0]
    indent = line[: len(line) - len(line.lstrip())]
    for above in reversed(text[max(0, begin - _LONGEST) : begin].split("\n")):
        if above.startswith(indent) and _OPENS_IT.match(above[len(indent) :]):
            return "".join(above.split())
    return ""
