"""The same server over streamable HTTP: on loopback alone, for whoever has the token."""

from __future__ import annotations

import hmac
import os
import secrets
import signal
import socket
import sys
from typing import TYPE_CHECKING, Any

from vetgate import runtime
from vetgate.model import UserError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, MutableMapping
    from pathlib import Path
    from types import FrameType
    from typing import NoReturn

    from vetgate.mcp.server import GateServer

    AsgiScope = MutableMapping[str, Any]
    Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
    Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
    Asgi = Callable[[AsgiScope, Receive, Send], Awaitable[None]]

_HOST = "127.0.0.1"
_PATH = "/mcp"


class WithToken:
    """Nobody is heard who does not say the token."""

    def __init__(self, app: Asgi, token: str) -> None:
        self._app = app
        self._wanted = f"Bearer {token}".encode()

    async def __call__(self, scope: AsgiScope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":
            await send({"type": "websocket.close"})  # nothing of ours speaks it
            return
        if not self._has_token(scope):
            head = [(b"content-type", b"text/plain"), (b"www-authenticate", b"Bearer")]
            await send({"type": "http.response.start", "status": 401, "headers": head})
            await send({"type": "http.response.body", "body": b"the token is missing or wrong\n"})
            return
        await self._app(scope, receive, send)

    def _has_token(self, scope: AsgiScope) -> bool:
        given = [value for name, value in scope["headers"] if name == b"authorization"]
        return len(given) == 1 and hmac.compare_digest(given[0], self._wanted)


def serve(server: GateServer, port: int) -> None:
    import uvicorn
    from mcp.server.transport_security import TransportSecuritySettings

    listener = _listener(port)
    port = listener.getsockname()[1]
    names = (_HOST, "localhost")
    checked = TransportSecuritySettings(
        allowed_hosts=[f"{name}:{port}" for name in names], allowed_origins=[f"http://{name}:{port}" for name in names]
    )
    app = server.streamable_http_app(streamable_http_path=_PATH, transport_security=checked)
    token = secrets.token_urlsafe(32)
    place = _keep(token, port)
    sys.stderr.write(f"vetgate mcp: http://{_HOST}:{port}{_PATH}\nvetgate mcp: the token is in {place}\n")
    sys.stderr.flush()
    config = uvicorn.Config(WithToken(app, token), log_level="critical", access_log=False, lifespan="on")
    signal.signal(signal.SIGTERM, _leave)  # which comes to us once the server has ended
    try:
        uvicorn.Server(config).run(sockets=[listener])
    finally:
        place.unlink(missing_ok=True)
        listener.close()


def _leave(number: int, frame: FrameType | None) -> NoReturn:  # noqa: ARG001 - as signals call it
    sys.exit(0)


def _listener(port: int) -> socket.socket:
    listener = socket.socket()
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((_HOST, port))
        listener.listen()  # whoever reads the address may connect at once
    except OSError as error:
        listener.close()
        hint = "another port, or 0 for any that is free"
        raise UserError(f"port {port} cannot be listened on: {error.strerror}", hint=hint) from error
    return listener


def _keep(token: str, port: int) -> Path:
    """In a file of the user's own: what is printed ends up in logs."""
    folder = runtime.state_dir()
    if not runtime.make_private(os.fspath(folder)):
        raise UserError(f"{folder} is not yours alone, so no token is kept there", hint=f"chmod 700 {folder}")
    place = folder / f"mcp-{port}.token"
    place.unlink(missing_ok=True)
    descriptor = os.open(place, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
    with os.fdopen(descriptor, "w") as file:
        file.write(token)
    return place
