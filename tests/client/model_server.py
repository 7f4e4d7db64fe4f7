"""A scripted model on loopback: the Messages streaming protocol, with replies known beforehand."""

from __future__ import annotations

import json
import threading
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    import socket
    from collections.abc import Callable, Iterator, Mapping, Sequence


@dataclass(frozen=True)
class Say:
    """The model answers in words, which ends the turn."""

    text: str


@dataclass(frozen=True)
class Use:
    """The model calls one tool. `first` runs before the reply leaves: between two tool calls of a session."""

    tool: str
    arguments: Mapping[str, Any]
    first: Callable[[], object] | None = None


@dataclass(frozen=True)
class ToolResult:
    text: str
    is_error: bool


@dataclass(frozen=True)
class Request:
    """One request as the model got it; `turn` counts the replies that it had already given."""

    path: str
    body: Mapping[str, Any]
    conversation: str | None
    turn: int

    @property
    def text(self) -> str:
        """Everything the model can read, without the tool definitions."""
        return json.dumps([self.body.get("system"), self.body.get("messages")], ensure_ascii=False)

    def tool_results(self) -> dict[str, ToolResult]:
        blocks = (block for message in self.body.get("messages", ()) for block in _blocks(message))
        return {
            block["tool_use_id"]: ToolResult(_text_of(block.get("content")), bool(block.get("is_error")))
            for block in blocks
            if block["type"] == "tool_result"
        }


@dataclass
class Model:
    """Replies by conversation. A conversation is known by words of its first prompt, so that a subagent has its own.

    The reply is chosen by how many the request already holds, hence a request that the client repeats gets the
    same one. Anything that belongs to no conversation, and whatever comes after the last reply, is told "Done.".
    """

    script: Mapping[str, Sequence[Say | Use]]
    requests: list[Request] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _ran: set[tuple[str, int]] = field(default_factory=set)

    def receive(self, path: str, body: Mapping[str, Any]) -> Request:
        messages = body.get("messages", ())
        opening = _opening(messages)
        conversation = next((name for name in self.script if name in opening), None)
        turn = sum(message["role"] == "assistant" for message in messages)
        request = Request(path, body, conversation, turn)
        with self._lock:
            self.requests.append(request)
        return request

    def reply(self, request: Request) -> Say | Use:
        replies = self.script[request.conversation] if request.conversation else ()
        if request.turn >= len(replies):
            return Say("Done.")
        reply = replies[request.turn]
        if isinstance(reply, Use) and reply.first and self._is_first(request):
            reply.first()
        return reply

    def result(self, turn: int, conversation: str | None = None) -> ToolResult:
        """What the model was told about the tool that it called in its reply number `turn`."""
        wanted = tool_use_id(conversation or next(iter(self.script)), turn)
        for request in reversed(self.requests):
            found = request.tool_results().get(wanted)
            if found is not None:
                return found
        raise AssertionError(f"the model never heard of the tool call {wanted}; requests: {len(self.requests)}")

    def _is_first(self, request: Request) -> bool:
        key = (str(request.conversation), request.turn)
        with self._lock:
            if key in self._ran:
                return False
            self._ran.add(key)
            return True


class Server:
    """Serves a `Model` on a listening socket that somebody else made, until closed."""

    def __init__(self, model: Model, listener: socket.socket) -> None:
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), _handler(model), bind_and_activate=False)
        self._http.socket.close()
        self._http.socket = listener
        self._http.daemon_threads = True
        self._thread = threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._http.shutdown()
        self._thread.join()
        self._http.server_close()


def tool_use_id(conversation: str, turn: int) -> str:
    slug = "".join(letter if letter.isalnum() else "_" for letter in conversation)
    return f"toolu_{slug}_{turn}"


def _handler(model: Model) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers.get("content-length", 0))) or b"{}")
            request = model.receive(self.path.partition("?")[0], body)
            if request.path != "/v1/messages":
                self._send(404, "application/json", b'{"type":"error","error":{"type":"not_found_error","message":""}}')
                return
            reply = model.reply(request)
            events = "".join(
                f"event: {event['type']}\ndata: {json.dumps(event)}\n\n" for event in _stream(reply, request)
            )
            self._send(200, "text/event-stream", events.encode())

        def do_GET(self) -> None:
            model.receive(self.path, {})
            self._send(404, "application/json", b"{}")

        def _send(self, status: int, kind: str, body: bytes) -> None:
            self.send_response(status)
            self.send_header("content-type", kind)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    return Handler


def _stream(reply: Say | Use, request: Request) -> Iterator[dict[str, Any]]:
    conversation = request.conversation or "stray"
    usage = {"input_tokens": 10, "output_tokens": 1}
    message = {
        "id": f"msg_{tool_use_id(conversation, request.turn)}",
        "type": "message",
        "role": "assistant",
        "model": request.body.get("model", "scripted"),
        "content": [],
        "stop_reason": None,
        "stop_sequence": None,
        "usage": usage,
    }
    yield {"type": "message_start", "message": message}
    if isinstance(reply, Use):
        block = {"type": "tool_use", "id": tool_use_id(conversation, request.turn), "name": reply.tool, "input": {}}
        delta = {"type": "input_json_delta", "partial_json": json.dumps(reply.arguments)}
    else:
        block = {"type": "text", "text": ""}
        delta = {"type": "text_delta", "text": reply.text}
    yield {"type": "content_block_start", "index": 0, "content_block": block}
    yield {"type": "content_block_delta", "index": 0, "delta": delta}
    yield {"type": "content_block_stop", "index": 0}
    stop = "tool_use" if isinstance(reply, Use) else "end_turn"
    yield {"type": "message_delta", "delta": {"stop_reason": stop, "stop_sequence": None}, "usage": usage}
    yield {"type": "message_stop"}


def _opening(messages: Sequence[Mapping[str, Any]]) -> str:
    texts = []
    for message in messages:
        if message["role"] == "assistant":
            break
        if message["role"] == "user":
            texts.append(_text_of(message["content"]))
    return "\n".join(texts)


def _blocks(message: Mapping[str, Any]) -> list[dict[str, Any]]:
    content = message.get("content", [])
    return [{"type": "text", "text": content}] if isinstance(content, str) else content


def _text_of(content: Any) -> str:
    if isinstance(content, str):
        return content
    return "\n".join(block.get("text", "") for block in content or ())
