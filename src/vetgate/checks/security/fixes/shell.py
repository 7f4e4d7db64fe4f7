"""A command line that a shell reads, as a program and its arguments instead."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from vetgate.checks.security.fixes.exact import Interpolation
from vetgate.checks.security.fixes.spot import quoted
from vetgate.expression import expression

if TYPE_CHECKING:
    from vetgate.checks.security.fixes.exact import Parts
    from vetgate.checks.security.fixes.spot import Spot

    Word = list[str | Interpolation]

_PYTHON = frozenset({"run", "call", "check_call", "check_output", "Popen"})
_ECMASCRIPT = {"exec": "execFile", "execSync": "execFileSync"}
# Only a shell knows what these mean.
_MEANT_FOR_A_SHELL = expression(r"[|&;<>$`*?~#(){}\[\]!\\\n]|%\w+%")
_QUOTES = "\"'"
# These are no programs but words of a shell, or start a shell again.
_SHELLS = frozenset(
    "sh bash zsh dash ksh fish cmd cmd.exe powershell pwsh su ssh eval exec source . time alias".split()
)
_BUILT_IN = frozenset("cd export set unset ulimit umask read type wait start dir del copy move rd md ren cls".split())
_TAKES_CODE = frozenset({"-c", "-e", "/c", "/C", "-Command", "--eval", "--command"})
# Several words in one value, or quotes that a shell would have taken away.
_SEVERAL = expression(
    r"(?i)\bjoin\(|quote|escape|\.replace|\b(?:\w+_)?(?:args?|argv|opts?|options|flags|cmd|command)\b\W*$"
)


def without_shell(spot: Spot) -> str:
    if not spot.arguments or spot.arguments[0][0] not in {"", "args"}:
        return ""
    words = _words(spot.parts(spot.arguments[0][1]))
    if len(words) < 2 or not _is_program(words):
        return ""
    shown = [_shown(word, spot) for word in words]
    if not all(shown):
        return ""
    return _in_python(spot, shown) if spot.is_python else _in_ecmascript(spot, shown)


def _in_python(spot: Spot, words: list[str]) -> str:
    listed = f"[{', '.join(words)}]"
    if spot.path == "os.system":
        return _instead_of_system(spot, listed)
    if not spot.path.startswith("subprocess.") or spot.path.rpartition(".")[2] not in _PYTHON:
        return ""
    rest = [f"{name}={_value(spot.written(item), name)}" for name, item in spot.arguments[1:] if name != "shell"]
    if any(name in {"", "*", "executable"} for name, _ in spot.arguments[1:]) or any(
        each.endswith("=") for each in rest
    ):
        return ""
    return f"{spot.callee}({', '.join([listed, *rest])})"


def _instead_of_system(spot: Spot, listed: str) -> str:
    """What it gives back says more than how the program ended, and those who keep it may ask for that."""
    if spot.is_statement:
        return f"subprocess.run({listed}, check=False)"
    return f"subprocess.run({listed}, check=False).returncode" if spot.is_condition else ""


def _value(written: str, name: str) -> str:
    """What follows a name; some pass the whole of it."""
    return written.removeprefix(f"{name}=").removeprefix(f"{name} =").strip()


def _in_ecmascript(spot: Spot, words: list[str]) -> str:
    holder, dot, method = spot.callee.rpartition(".")
    if spot.family != "ecmascript" or method not in _ECMASCRIPT:
        return ""
    rest = [spot.written(item) for _, item in spot.arguments[1:]]
    if not all(rest) or any("shell" in each for each in rest):
        return ""
    given = [words[0], f"[{', '.join(words[1:])}]", *rest]
    return f"{holder}{dot}{_ECMASCRIPT[method]}({', '.join(given)})"


def _is_program(words: list[Word]) -> bool:
    """Whether the first word is a program that takes the others as they are."""
    plain = ["".join(part if isinstance(part, str) else "\0" for part in word) for word in words]
    if "\0" in plain[0] or "=" in plain[0] or plain[0] in _BUILT_IN:
        return False
    if any(word.rpartition("/")[2] in _SHELLS for word in plain):
        return False
    if any(word in _TAKES_CODE and "\0" in after for word, after in pairwise(plain)):
        return False
    return not any(isinstance(part, Interpolation) and _SEVERAL.search(part.text) for word in words for part in word)


def _words(parts: Parts) -> list[Word]:
    """As a shell would split it; none where it would do more than that."""
    if any(isinstance(part, str) and _MEANT_FOR_A_SHELL.search(part) for part in parts):
        return []
    words: list[Word] = [[]]
    quote = ""
    for sign in (sign for part in parts for sign in ([part] if isinstance(part, Interpolation) else part)):
        if isinstance(sign, str) and sign in (quote or _QUOTES):
            quote = "" if quote else sign
            words[-1].append("")  # also a word of nothing is one
        elif isinstance(sign, str) and sign.isspace() and not quote:
            words.append([])
        else:
            words[-1].append(sign)
    return [_joined(word) for word in words if word] if not quote else []


def _joined(word: Word) -> Word:
    """Signs next to each other as one text."""
    found: Word = []
    for part in word:
        if found and isinstance(part, str) and isinstance(found[-1], str):
            found[-1] += part
        else:
            found.append(part)
    return found


def _shown(word: Word, spot: Spot) -> str:
    word = [part for part in word if part] or [""]
    if len(word) == 1:
        part = word[0]
        return part.text if isinstance(part, Interpolation) else quoted(part, spot.code, is_python=spot.is_python)
    sign = "" if spot.is_python else "$"
    inside = "".join(f"{sign}{{{part.text}}}" if isinstance(part, Interpolation) else part for part in word)
    marks = _QUOTES if spot.is_python else "`"
    mark = next((each for each in marks if each not in inside), "")
    return f"{'f' * spot.is_python}{mark}{inside}{mark}" if mark else ""
