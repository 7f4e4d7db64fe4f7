"""A command line that a shell reads, as a program and its arguments instead."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vetgate.checks.security.mend.quoting import quoted
from vetgate.checks.security.mend.spot import Code
from vetgate.expression import expression

if TYPE_CHECKING:
    from vetgate.checks.security.mend.spot import Parts, Spot

    Word = list[str | Code]

_PYTHON = frozenset({"run", "call", "check_call", "check_output", "Popen"})
_ECMASCRIPT = {"exec": "execFile", "execSync": "execFileSync"}
# Only a shell knows what these mean.
_MEANT_FOR_A_SHELL = expression(r"[|&;<>$`*?~#(){}\[\]!\\\n]")
_QUOTES = "\"'"


def without_shell(spot: Spot) -> str:
    if not spot.arguments or spot.arguments[0][0] not in {"", "args"}:
        return ""
    words = _words(spot.parts(spot.arguments[0][1]))
    if len(words) < 2 or not all(isinstance(part, str) for part in words[0]):
        return ""
    shown = [_shown(word, spot) for word in words]
    if not all(shown):
        return ""
    return _in_python(spot, shown) if spot.is_python else _in_ecmascript(spot, shown)


def _in_python(spot: Spot, words: list[str]) -> str:
    listed = f"[{', '.join(words)}]"
    if spot.path == "os.system":
        return f"subprocess.run({listed}, check=False)"
    if not spot.path.startswith("subprocess.") or spot.path.rpartition(".")[2] not in _PYTHON:
        return ""
    rest = [f"{name}={_value(spot.written(item), name)}" for name, item in spot.arguments[1:] if name != "shell"]
    if any(not name for name, _ in spot.arguments[1:]):
        return ""
    return f"{spot.callee}({', '.join([listed, *rest])})"


def _value(written: str, name: str) -> str:
    """What follows a name; some hand the whole of it over."""
    return written.removeprefix(f"{name}=").removeprefix(f"{name} =").strip()


def _in_ecmascript(spot: Spot, words: list[str]) -> str:
    holder, dot, method = spot.callee.rpartition(".")
    if spot.family != "ecmascript" or method not in _ECMASCRIPT:
        return ""
    given = [words[0], f"[{', '.join(words[1:])}]", *(spot.written(item) for _, item in spot.arguments[1:])]
    return f"{holder}{dot}{_ECMASCRIPT[method]}({', '.join(given)})"


def _words(parts: Parts) -> list[Word]:
    """As a shell would split it; none where it would do more than that."""
    if any(isinstance(part, str) and _MEANT_FOR_A_SHELL.search(part) for part in parts):
        return []
    words: list[Word] = [[]]
    quote = ""
    for sign in (sign for part in parts for sign in ([part] if isinstance(part, Code) else part)):
        if isinstance(sign, str) and sign in (quote or _QUOTES):
            quote = "" if quote else sign
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
    if len(word) == 1:
        part = word[0]
        return part.text if isinstance(part, Code) else quoted(part, spot.code, is_python=spot.is_python)
    codes = [part.text for part in word if isinstance(part, Code)]
    if spot.is_python:
        mark = next((sign for sign in _QUOTES if not any(sign in each for each in codes)), "")
        inside = "".join(f"{{{part.text}}}" if isinstance(part, Code) else part for part in word)
        return f"f{mark}{inside}{mark}" if mark else ""
    inside = "".join(f"${{{part.text}}}" if isinstance(part, Code) else part for part in word)
    return f"`{inside}`" if not any("`" in each for each in codes) else ""
