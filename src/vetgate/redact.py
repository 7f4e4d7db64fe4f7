"""Words without secrets, by their shape alone: for whatever is logged, kept or said anywhere, at the source.

Cheap, and below everything else. What quotes code goes through checks/secrets/redaction.py, which knows more.
"""

from __future__ import annotations

from functools import lru_cache
from hashlib import blake2b
from typing import TYPE_CHECKING

from vetgate.expression import expression
from vetgate.secret_shapes import SHAPES

if TYPE_CHECKING:
    import re

_SHORTEST = 12
_REMEMBERED = 2_000
_TOKENS = expression("|".join(f"(?:{shape})" for _, shape in SHAPES))
_LONG = expression(r"[A-Za-z0-9_-]{16}")
_BEGINS = expression(r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY[A-Z ]{0,10}-----")
_ENDS = expression(r"-----END [A-Z0-9 ]{0,40}PRIVATE KEY")
# A line of a key, though it stands behind a line number, a quote or an arrow.
_RUN = expression(r"[A-Za-z0-9+/=]{16,}")
_BETWEEN = 3  # headers of a key, and the empty line behind them
_IN_ADDRESS = expression(r"(?<=://)([^\s/:@\"']{0,100}):([^\s/@\"']{3,300})@")
_NAMED = expression(
    r"(?i)((?:(?:passw(?:or)?d|passphrase|secret|token|api[_-]?key|authorization)[\w-]{0,20}"
    r"[\"']?\s{0,3}[=:]\s{0,3}[\"']?(?:bearer |basic )?)|bearer )([^\s\"'&,;]{8,})"
)
# Code that fetches a value, as far as the quote or space behind it: `os.environ.get(`, `req.body.password`.
_DOTS = r"(?:\.|::|->|\?\.)"
_PATH = r"[A-Za-z_$]{1,40}\d{0,3}"
_FETCHED = expression(rf"{_PATH}(?:{_DOTS}{_PATH}|[()\[\]{{}}?!]|(?<=[(\[])(?:{_PATH}|\d{{1,3}}))*")
_PARTED = expression(rf"{_DOTS}|[(\[]")
_HUMPS = expression(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
# What was hidden already, with its first characters left to know it by.
_STARRED = expression(r"[^*]{0,4}\*{4,}")
_JWT = expression(r"\beyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]{5,}")


def redacted(text: str) -> str:
    """The same words give the same answer, and different secrets different ones."""
    if len(text) < _SHORTEST:
        return text
    return _of_short(text) if len(text) <= _REMEMBERED else _of(text)


def holds_token(name: str) -> bool:
    """Whether a name is better kept nowhere; next to nothing to ask of most."""
    return _LONG.search(name) is not None and redacted(name) != name


def _of(text: str) -> str:
    text = _without_keys(text) if "PRIVATE KEY" in text else text
    text = _IN_ADDRESS.sub(lambda found: f"{found[1]}:{_name(found[2])}@", text) if "://" in text else text
    text = _JWT.sub(_hidden, _TOKENS.sub(_hidden, text))
    return _NAMED.sub(_of_named, text)


_of_short = lru_cache(maxsize=2048)(_of)


def _without_keys(text: str) -> str:
    """Line by line: of a key that was cut off at either end, every line that is left is hidden."""
    lines = text.split("\n")
    left = 0
    for number, line in enumerate(lines):
        begins, ends = _BEGINS.search(line), _ENDS.search(line)
        if begins is None and ends is not None and not left:
            _hide_before(lines, number)
        if begins is not None:
            lines[number] = line[: begins.end()] + _RUN.sub(_hidden, line[begins.end() :])
            left = _BETWEEN
        elif left:
            lines[number] = _RUN.sub(_hidden, line)
            left = _BETWEEN if lines[number] != line else left - 1
        if ends is not None and (begins is None or ends.start() > begins.start()):
            left = 0
    return "\n".join(lines)


def _hide_before(lines: list[str], end: int) -> None:
    head = _ENDS.search(lines[end])
    at = head.start() if head else 0
    lines[end] = _RUN.sub(_hidden, lines[end][:at]) + lines[end][at:]
    for number in range(end - 1, -1, -1):
        shown = _RUN.sub(_hidden, lines[number])
        if shown == lines[number]:
            return
        lines[number] = shown


def _of_named(found: re.Match[str]) -> str:
    is_text = found[1].endswith(('"', "'"))
    return found[0] if not is_text and _is_fetched(found[2]) else found[1] + _of_value(found[2])


def _is_fetched(value: str) -> bool:
    """Only names that somebody could have thought of: letters at random change their case too often."""
    if _PARTED.search(value) is None or _FETCHED.fullmatch(value) is None:
        return False
    letters = sum(map(str.isalpha, value))
    return letters >= 3 * len(_HUMPS.findall(value))


def _of_value(value: str) -> str:
    """Words of prose stand behind such names, too; a value that is a secret holds more than letters."""
    is_prose = value.rstrip("`}])>.…").isalpha() or value.startswith(("[hidden", "$", "<", "{"))
    return value if is_prose or _STARRED.match(value) else _name(value)


def _hidden(found: re.Match[str]) -> str:
    return _name(found[0])


def _name(secret: str) -> str:
    return f"[hidden {blake2b(secret.encode('utf-8', 'replace'), digest_size=3).hexdigest()}]"
