"""Words that may quote anything, without the secrets in them: whatever is said or kept goes through here."""

from __future__ import annotations

import json
import re
from typing import Any

from vetgate.checks.secrets.match import SHOWN
from vetgate.checks.secrets.redaction import Redaction, redaction_over
from vetgate.checks.secrets.scan import scan_text
from vetgate.redact import redacted

_LITERAL = re.compile(r'"(?:[^"\\]|\\.)*+"')
_IS_KEY = re.compile(r"\s*+:")
_STARS = "*" * SHOWN


def without_secrets(text: str) -> str:
    """By what the secrets check finds in it, fixed shapes and values under telling names alike."""
    if not text:
        return text
    return redacted(_over(text).over_text(text))


def json_without_secrets(text: str) -> str:
    """A document, or a line each: every text in it is looked at on its own, so that what is hidden breaks nothing."""
    if without_secrets(text) == text:
        return text
    pieces, last, key = [], 0, ""
    for found in _LITERAL.finditer(text):
        is_key = _IS_KEY.match(text, found.end()) is not None
        pieces += [text[last : found.start()], _literal(found[0], "" if is_key else key)]
        key = found[0][1:-1] if is_key else ""
        last = found.end()
    return "".join((*pieces, text[last:]))


def _literal(written: str, key: str) -> str:
    try:
        value = json.loads(written, strict=False)
    except ValueError:
        return written
    shown = without_secrets(value)
    if key and shown == value and without_secrets(f'{key} = "{value}"') != f'{key} = "{value}"':
        shown = _STARS
    return written if shown == value else json.dumps(shown)


def all_without_secrets(value: Any) -> Any:
    """Plain data of any depth, each text of it looked at once, all of them together."""
    over = _over("\n".join(_texts(value)))
    return _replaced(value, lambda text: redacted(over.over_words(text)))


def _over(text: str) -> Redaction:
    return redaction_over(scan_text("", text), ())


def _texts(value: Any) -> Any:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for each in value.values():
            yield from _texts(each)
    elif isinstance(value, list | tuple):
        for each in value:
            yield from _texts(each)


def _replaced(value: Any, hide: Any) -> Any:
    if isinstance(value, str):
        return hide(value)
    if isinstance(value, dict):
        return {key: _replaced(each, hide) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_replaced(each, hide) for each in value]
    return value
