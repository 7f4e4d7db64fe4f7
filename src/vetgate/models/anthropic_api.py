"""`api: anthropic`: the Messages protocol, with the instructions and tools in the prompt cache."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from anthropic import AsyncAnthropic
from pydantic_ai.models.anthropic import AnthropicModel, AnthropicModelSettings
from pydantic_ai.providers.anthropic import AnthropicProvider

from vetgate.models.price import TO_THINK

if TYPE_CHECKING:
    import httpx2

_NOT_THE_KEY = "set-by-the-transport"
# Else the library tells the model that <system> in a message of the user speaks with authority, and rewrites the data.
# We send nothing of that kind.
_PROFILE = {"supports_inline_system_prompts": True}


def reach(model: str, url: str, http: httpx2.AsyncClient, most_tokens: int, *, thinks: bool) -> tuple[Any, Any]:
    """The model, and how it is asked. A direct question is answered without thinking, where the model lets us."""
    # An explicit key keeps the library from looking for one in this process's environment and files.
    client = AsyncAnthropic(api_key=_NOT_THE_KEY, base_url=url, http_client=http, max_retries=0)
    reached = AnthropicModel(model, provider=AnthropicProvider(anthropic_client=client), profile=_PROFILE)
    will_think = thinks or reached.profile.get("thinking_always_enabled", False)
    settings = AnthropicModelSettings(
        max_tokens=most_tokens + (TO_THINK if will_think else 0),
        anthropic_cache_instructions=True,
        anthropic_cache_tool_definitions=True,
        anthropic_cache_messages=thinks,  # of several turns, each repeats those before it
    )
    if not thinks:
        settings["thinking"] = False
    return reached, settings
