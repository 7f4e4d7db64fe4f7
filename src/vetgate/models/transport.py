"""The way of a request to an endpoint: where the key is put on, what is sent again, how much is read, what it used up.

Below the client library on purpose: that one holds no key which it could log, quote or send elsewhere.
"""

from __future__ import annotations

import asyncio
import functools
import ssl
import time
from typing import TYPE_CHECKING, Any

import httpx2

from vetgate import __version__
from vetgate.models.body import MalformedBodyError, checked
from vetgate.models.retry import MOST_MALFORMED, MOST_RETRIES, is_passing, wait_before

if TYPE_CHECKING:
    from vetgate.models.keys import Endpoint
    from vetgate.models.retry import CallTally

_MOST_BYTES = 4_000_000
_CONNECT_SECONDS = 5.0
_VERSION = "anthropic-version"  # a header of one of the two protocols only
# Whatever else the library adds, about this machine or from its environment, stays here.
_HEADERS = frozenset({"accept", "content-length", "content-type", "host", _VERSION, "anthropic-beta"})


# Among them a body that was cut off. A timeout of the answer is none: nothing is left to wait for.
_BROKEN_OFF = (
    httpx2.ConnectError,
    httpx2.ConnectTimeout,
    httpx2.ProxyError,
    httpx2.ReadError,
    httpx2.RemoteProtocolError,
    httpx2.WriteError,
)


class WrongFormError(httpx2.TransportError):
    """What came back was in the wrong form once too often."""


class ModelTransport(httpx2.AsyncBaseTransport):
    """`each_is_a_retry`: every request after the first is one because the model answered in the wrong form."""

    def __init__(self, endpoint: Endpoint, tally: CallTally, deadline: float, *, each_is_a_retry: bool) -> None:
        self._endpoint = endpoint
        self._tally = tally
        self._deadline = deadline
        self._each_is_a_retry = each_is_a_retry
        trusted = _trusted(*endpoint.certificates)
        self._wire = httpx2.AsyncHTTPTransport(verify=trusted, trust_env=False, proxy=endpoint.proxy or None)

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        self._tally.requests += 1
        if self._each_is_a_retry and self._tally.requests > 1:
            self._note_malformed()
        self._dress(request)
        content = await request.aread()
        retries = 0
        while True:
            wait, headers = 0.0, httpx2.Headers()
            try:
                response = await self._once(request, content)
            except MalformedBodyError:
                self._note_malformed()
            except _BROKEN_OFF:
                retries += 1
                if not self._may_wait(wait := wait_before(retries, headers), retries):
                    raise
            else:
                retries += 1
                wait = wait_before(retries, response.headers)
                if not is_passing(response.status_code) or not self._may_wait(wait, retries):
                    return response
            await asyncio.sleep(wait)

    async def aclose(self) -> None:
        await self._wire.aclose()

    def _may_wait(self, seconds: float, retries: int) -> bool:
        return retries <= MOST_RETRIES and time.monotonic() + seconds < self._deadline

    def _note_malformed(self) -> None:
        self._tally.malformed += 1
        if self._tally.malformed > MOST_MALFORMED:
            raise WrongFormError("the model repeatedly answered in the wrong form")

    def _dress(self, request: httpx2.Request) -> None:
        for name in [name for name in request.headers if name not in _HEADERS]:
            del request.headers[name]
        request.headers["user-agent"] = f"vetgate/{__version__}"
        key = self._endpoint.key
        if key is None:
            return
        if key.is_bearer or _VERSION not in request.headers:
            request.headers["authorization"] = f"Bearer {key.reveal()}"
        else:
            request.headers["x-api-key"] = key.reveal()

    async def _note_sent(self, step: str, _about: dict[str, Any]) -> None:
        if step.endswith("send_request_body.complete"):
            self._tally.unanswered += 1

    async def _once(self, request: httpx2.Request, content: bytes) -> httpx2.Response:
        left = max(0.001, self._deadline - time.monotonic())
        timeout = {"connect": min(left, _CONNECT_SECONDS), "read": left, "write": left, "pool": left}
        extensions = {"timeout": timeout, "trace": self._note_sent}
        sent = httpx2.Request(
            request.method, request.url, headers=request.headers, content=content, extensions=extensions
        )
        self._tally.tries += 1
        self._tally.status = 0
        response = await self._wire.handle_async_request(sent)
        self._tally.status = response.status_code
        try:
            body = await _read(response)
        finally:
            await response.aclose()
        self._tally.unanswered -= 1
        self._tally.body = body
        if response.status_code == httpx2.codes.OK:
            body, usage = checked(body, is_anthropic=_VERSION in request.headers)
            self._tally.usage += usage
        headers = {"content-type": "application/json"}
        headers |= {
            name: response.headers[name] for name in ("retry-after", "retry-after-ms") if name in response.headers
        }
        return httpx2.Response(response.status_code, headers=headers, content=body, request=request)


@functools.lru_cache(maxsize=4)
def _trusted(file: str, folder: str) -> ssl.SSLContext:
    """Whose certificates are believed: remembered, for reading all of them takes as long as a short answer."""
    if file or folder:
        return ssl.create_default_context(cafile=file or None, capath=folder or None)
    usual: ssl.SSLContext = httpx2.create_ssl_context(trust_env=False)
    return usual


async def _read(response: httpx2.Response) -> bytes:
    pieces, size = [], 0
    async for piece in response.aiter_bytes():
        size += len(piece)
        if size > _MOST_BYTES:
            raise MalformedBodyError("the endpoint's answer is too large")
        pieces.append(piece)
    return b"".join(pieces)
