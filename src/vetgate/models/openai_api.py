"""`api: openai`: chat completions, as OpenAI and whoever is compatible with it speak them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from openai import AsyncOpenAI
from pydantic_ai.models.openai import OpenAIChatModel, OpenAIChatModelSettings
from pydantic_ai.providers.openai import OpenAIProvider

from vetgate.models.price import TO_THINK

if TYPE_CHECKING:
    import httpx2

_NOT_THE_KEY = "set-by-the-transport"
_OPENAI = "api.openai.com"


def reach(model: str, url: str, http: httpx2.AsyncClient, most_tokens: int, *, thinks: bool) -> tuple[Any, Any]:
    """The model, and how it is asked. Nobody knows whether it thinks unasked, so there is always room for it."""
    client = AsyncOpenAI(api_key=_NOT_THE_KEY, base_url=url, http_client=http, max_retries=0)
    # Compatible servers know the older name of the limit, OpenAI itself wants the newer one.
    profile = {"openai_chat_supports_max_completion_tokens": urlsplit(url).hostname == _OPENAI}
    reached = OpenAIChatModel(model, provider=OpenAIProvider(openai_client=client), profile=profile)
    return reached, OpenAIChatModelSettings(max_tokens=most_tokens + TO_THINK * (2 if thinks else 1))
