"""Words that may quote anything, without the secrets in them."""

from __future__ import annotations

from typing import Any

from vetgate.checks.secrets.look import veil_of
from vetgate.redact import redacted
from vetgate.source.syntax import Source


def without_secrets(text: str) -> str:
    if not text:
        return text
    return redacted(veil_of(Source("", text, None)).over_text(text))


def all_without_secrets(value: Any) -> Any:
    """Plain data of any depth, each text of it looked at once, all of them together."""
    texts = list(_texts(value))
    veil = veil_of(Source("", "\n".join(texts), None))
    return _replaced(value, lambda text: redacted(veil.over_words(text)))


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
