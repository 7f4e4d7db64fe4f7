"""How GitHub and GitLab are asked: by their own program where it is installed, else over HTTPS with a token.

A token goes to the service that it is for. An address that anybody could have written into a repository, or that a
command names, gets one only when a person is at it.
"""

from __future__ import annotations

import json
import os
import shutil
import urllib.error
import urllib.request
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol
from urllib.parse import urlsplit

from vetgate import __version__
from vetgate.agents.quiet_process import run_quietly
from vetgate.config.person import require_person
from vetgate.model import UserError
from vetgate.redact import redacted

if TYPE_CHECKING:
    from collections.abc import Mapping
    from http.client import HTTPMessage
    from typing import IO

_SECONDS = 30.0
_MOST_BYTES = 20_000_000
_LONGEST = 300
_LOOPBACK = frozenset({"127.0.0.1", "::1", "localhost"})


class Transport(Protocol):
    """One question, one answer as plain data."""

    def get(self, path: str) -> Any: ...
    def graphql(self, query: str, variables: Mapping[str, Any]) -> Any: ...


@dataclass(frozen=True, slots=True)
class ProgramTransport:
    """`gh` or `glab`, with the account that it is signed in to; run outside of the repository."""

    program: str
    host: str

    def get(self, path: str) -> Any:
        return self._run((path,), b"")

    def graphql(self, query: str, variables: Mapping[str, Any]) -> Any:
        body = json.dumps({"query": query, "variables": dict(variables)}).encode()
        return self._run(("graphql", "--input", "-"), body)

    def _run(self, words: tuple[str, ...], stdin: bytes) -> Any:
        name = os.path.basename(self.program)  # noqa: PTH119 - a name, not a place
        command = (self.program, "api", "--hostname", self.host, *words)
        done = run_quietly(command, stdin, cwd=os.sep, env=os.environ, seconds=_SECONDS)
        if done.status != 0:
            said = done.stderr.decode("utf-8", "replace").strip() or "no answer in time"
            raise UserError(
                f"`{name} api` failed: {_short(said)}", hint=f"`{name} auth status` says whether it is signed in"
            )
        return _decoded(done.stdout, name)


@dataclass(frozen=True, slots=True)
class HttpTransport:
    """`headers` hold the token; redirects are not followed, for those could lead it elsewhere."""

    api: str
    graphql_url: str
    headers: Mapping[str, str]

    def get(self, path: str) -> Any:
        return self._ask(f"{self.api}/{path.lstrip('/')}", None)

    def graphql(self, query: str, variables: Mapping[str, Any]) -> Any:
        return self._ask(self.graphql_url, json.dumps({"query": query, "variables": dict(variables)}).encode())

    def _ask(self, url: str, body: bytes | None) -> Any:
        host = urlsplit(url).hostname or url
        own = {"User-Agent": f"vetgate/{__version__}", "Accept": "application/json", "Content-Type": "application/json"}
        request = urllib.request.Request(url, body, {**own, **self.headers})  # noqa: S310 - checked by `address`
        proxies = urllib.request.ProxyHandler({} if host in _LOOPBACK else None)
        try:
            with urllib.request.build_opener(proxies, _NoRedirect).open(request, timeout=_SECONDS) as answer:
                data = answer.read(_MOST_BYTES + 1)
        except urllib.error.HTTPError as error:
            with error:
                said = error.read(2_000).decode("utf-8", "replace")
            raise UserError(
                f"{host} answered with status {error.code}: {_short(said)}", hint=_HINTS.get(error.code, "")
            ) from error
        except (OSError, ValueError) as error:
            why = getattr(error, "reason", error)
            raise UserError(f"{host} cannot be reached: {_short(str(why))}", hint="look at the network") from error
        if len(data) > _MOST_BYTES:
            raise UserError(f"{host} answered with more than {_MOST_BYTES // 1_000_000} MB", hint="name another --pr")
        return _decoded(data, host)


_HINTS = {
    401: "the token is no longer valid",
    403: "the token may not read this, or its request limit is used up",
    404: "check --pr, and whether the token may read this repository",
}


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(  # noqa: PLR0917 - as the library calls it
        self, req: urllib.request.Request, fp: IO[bytes], code: int, msg: str, headers: HTTPMessage, newurl: str
    ) -> None:
        """None makes the opener raise the status as an error."""


def address(url: str) -> str:
    """An address that a token may be sent to: HTTPS, or this machine."""
    parts = urlsplit(url)
    is_local = parts.scheme == "http" and parts.hostname in _LOOPBACK
    if (parts.scheme != "https" and not is_local) or not parts.hostname or parts.username:
        raise UserError(f"{redacted(url)} is not a URL for --api", hint="https://HOST/..., or http on this machine")
    return url.rstrip("/")


def require_known(api: str, known: frozenset[str]) -> None:
    host = urlsplit(api).hostname or ""
    named = {urlsplit(os.environ.get(name, "")).hostname for name in ("GITHUB_API_URL", "CI_API_V4_URL")}
    named |= {os.environ.get("GH_HOST"), os.environ.get("GITLAB_HOST")}
    if host not in known | named | _LOOPBACK:
        require_person(f"send a token to {host}", terminal=False)


def program(name: str, host: str) -> ProgramTransport | None:
    found = shutil.which(name)
    return ProgramTransport(found, host) if found else None


def token(*names: str) -> str:
    return next((value for name in names if (value := os.environ.get(name, "").strip())), "")


def _decoded(data: bytes, who: str) -> Any:
    try:
        return json.loads(data)
    except (ValueError, RecursionError) as error:
        raise UserError(f"{who} answered with something that is not JSON", hint="try again later") from error


def _short(text: str) -> str:
    words = "".join(filter(str.isprintable, " ".join(redacted(text).split())))
    return words if len(words) <= _LONGEST else f"{words[:_LONGEST]}…"
