"""The body of an answer in either protocol: the part that everything behind it relies on, checked, and its tokens."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from vetgate.judgement import Usage

if TYPE_CHECKING:
    from collections.abc import Mapping

_COUNTED = ("input_tokens", "output_tokens", "cache_read_input_tokens", "cache_creation_input_tokens")
# What servers that are compatible leave out, and nobody needs.
_MESSAGE = {"id": "", "type": "message", "role": "assistant", "model": "", "stop_sequence": None}
_COMPLETION = {"id": "", "object": "chat.completion", "created": 0, "model": ""}
_BLOCKS = frozenset({"text", "tool_use", "thinking", "redacted_thinking"})


class MalformedBodyError(ValueError):
    """It is no answer in the endpoint's own protocol."""


def checked(body: bytes, *, is_anthropic: bool) -> tuple[bytes, Usage]:
    """The body with nothing in it that the library would stumble over, and what it used up."""
    try:
        told = json.loads(body)
    except (ValueError, RecursionError):
        raise MalformedBodyError("the endpoint's answer is not JSON") from None
    if not isinstance(told, dict):
        raise MalformedBodyError("the endpoint's answer is not an object")
    given = told.get("usage")
    used: dict[str, Any] = given if isinstance(given, dict) else {}
    if is_anthropic:
        content = told.get("content")
        if not isinstance(content, list):
            raise MalformedBodyError("the endpoint's answer has no content")
        told["content"] = [block for block in content if _is_known(block)]
        told["usage"] = {name: _count(used, name) for name in _COUNTED}
        return json.dumps({**_MESSAGE, **told}).encode(), usage_of_messages(used)
    choices = told.get("choices")
    first = choices[0] if isinstance(choices, list) and choices else None
    if not isinstance(first, dict) or not isinstance(first.get("message"), dict):
        raise MalformedBodyError("the endpoint's answer has no choices")
    told["usage"] = {name: _count(used, name) for name in ("prompt_tokens", "completion_tokens", "total_tokens")}
    return json.dumps({**_COMPLETION, **told}).encode(), _usage_of_chat(used)


def usage_of_messages(used: Mapping[str, Any]) -> Usage:
    """Anthropic counts what the cache gave apart."""
    return Usage(*(_count(used, name) for name in _COUNTED))


def _usage_of_chat(used: Mapping[str, Any]) -> Usage:
    """OpenAI counts it among the input."""
    details = used.get("prompt_tokens_details")
    cached = _count(details, "cached_tokens") if isinstance(details, dict) else 0
    return Usage(max(0, _count(used, "prompt_tokens") - cached), _count(used, "completion_tokens"), cached)


def _is_known(block: Any) -> bool:
    """Whatever else a model may learn to say is no part of an answer."""
    kind = block.get("type") if isinstance(block, dict) else None
    if not isinstance(kind, str) or kind not in _BLOCKS:
        return False
    return kind != "tool_use" or isinstance(block.get("input"), dict)


def _count(told: Mapping[str, Any], name: str) -> int:
    value = told.get(name)
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 10**9 else 0
