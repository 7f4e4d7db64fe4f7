"""Words without secrets, by their shape alone: for whatever is logged, kept or said anywhere, at the source.

Cheap, and below everything else. What quotes code goes through the veil of the secrets check, which knows more.
"""

from __future__ import annotations

import re
from functools import lru_cache
from hashlib import blake2b

from vetgate.expression import expression
from vetgate.secret_shapes import SHAPES

_SHORTEST = 12
_TOKENS = expression("|".join(f"(?:{shape})" for _, shape in SHAPES))
_KEY = expression(
    r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY[A-Z ]{0,10}-----.*?(?:-----END [A-Z0-9 -]{0,60}-----|\Z)", re.DOTALL
)
_IN_ADDRESS = expression(r"(?<=://)([^\s/:@]{0,100}):([^\s/@]{3,300})@")
_NAMED = expression(
    r"(?i)((?:(?:passw(?:or)?d|passphrase|secret|token|api[_-]?key|authorization)[\w-]{0,20}"
    r"[\"']?\s{0,3}[=:]\s{0,3}[\"']?(?:bearer |basic )?)|bearer )([^\s\"'&,;]{8,})"
)
_JWT = expression(r"\beyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]{5,}")


@lru_cache(maxsize=2048)
def redacted(text: str) -> str:
    """The same words give the same answer, and different secrets different ones."""
    if len(text) < _SHORTEST:
        return text
    text = _KEY.sub(_hidden, text) if "PRIVATE KEY" in text else text
    text = _IN_ADDRESS.sub(lambda found: f"{found[1]}:{_name(found[2])}@", text) if "://" in text else text
    text = _JWT.sub(_hidden, _TOKENS.sub(_hidden, text))
    return _NAMED.sub(lambda found: found[1] + _of_value(found[2]), text)


def _of_value(value: str) -> str:
    """Words of prose stand behind such names, too; a value that is a secret holds more than letters."""
    return value if value.isalpha() or value.startswith(("[hidden", "$", "<", "{")) else _name(value)


def _hidden(found: re.Match[str]) -> str:
    return _name(found[0])


def _name(secret: str) -> str:
    return f"[hidden {blake2b(secret.encode('utf-8', 'replace'), digest_size=3).hexdigest()}]"
