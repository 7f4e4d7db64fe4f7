"""A scripted model on loopback: Anthropic's Messages and OpenAI's chat completions, whole and streamed.

    with ModelServer([Judges("deny", reason="no")]) as server:
        Model("haiku", "anthropic", "claude-haiku-5-5", server.url) ...

It gives its replies in order, the last one again and again; a function of the request may stand for the list. It
misbehaves on request, too. What it was sent is in `requests`; `dropped` is set when a client hangs up while it waits.
"""

from __future__ import annotations

import json
import select
import socket
import threading
import time
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any, ClassVar, Self

if TYPE_CHECKING:
    import ssl
    from collections.abc import Callable, Iterator, Mapping, Sequence


@dataclass(frozen=True)
class Tokens:
    input: int = 100
    output: int = 20
    cached: int = 0
    written: int = 0


@dataclass(frozen=True)
class Judges:
    """The model gives its answer: by the tool that takes a decision, or as JSON where the request offers none."""

    decision: str = "allow"
    confidence: float = 0.9
    reason: str = "It is what was asked for."
    findings: tuple[Mapping[str, Any], ...] = ()
    tokens: Tokens = Tokens()

    @property
    def arguments(self) -> dict[str, Any]:
        whole = {"category": "semantics", "severity": "warning", "path": "", "line": 0, "rule": "", "fix": ""}
        findings = [{**whole, **each} for each in self.findings]
        return {
            "decision": self.decision,
            "confidence": self.confidence,
            "reason": self.reason,
            "findings": findings,
        }


@dataclass(frozen=True)
class Says:
    """The model answers in words."""

    text: str
    tokens: Tokens = Tokens()


@dataclass(frozen=True)
class Uses:
    """The model calls tools, all in one turn; or the tool for the answer, with arguments that may be wrong."""

    calls: tuple[tuple[str, Mapping[str, Any]], ...]
    tokens: Tokens = Tokens()


@dataclass(frozen=True)
class Fails:
    """An error of the endpoint: 429, 500, 529 and the like."""

    status: int
    headers: Mapping[str, str] = field(default_factory=dict)
    message: str = "as scripted"


@dataclass(frozen=True)
class Slow:
    """The reply comes after so many seconds."""

    seconds: float
    reply: Reply = Judges()


@dataclass(frozen=True)
class Hangs:
    """Nothing comes, until the client hangs up."""

    most_seconds: ClassVar[float] = 20


@dataclass(frozen=True)
class Drips:
    """The body comes byte by byte, so that something always arrives in time, and never all of it."""


@dataclass(frozen=True)
class CutsOff:
    """The connection ends in the middle of the body."""


@dataclass(frozen=True)
class Garbles:
    """A status of success, and a body that is none of the protocol."""

    body: bytes = b'{"id": "msg", "content": [{"type":'


@dataclass(frozen=True)
class Refuses:
    """The model declines, with or without a word."""

    text: str = ""


@dataclass(frozen=True)
class Empty:
    """The model ends its turn without saying anything."""


@dataclass(frozen=True)
class Redirects:
    to: str


Reply = Judges | Says | Uses | Fails | Slow | Hangs | Drips | CutsOff | Garbles | Refuses | Empty | Redirects


@dataclass(frozen=True)
class Request:
    path: str
    headers: Mapping[str, str]
    body: Mapping[str, Any]
    number: int

    @property
    def is_anthropic(self) -> bool:
        return self.path.endswith("/messages")

    @property
    def streams(self) -> bool:
        return bool(self.body.get("stream"))

    @property
    def text(self) -> str:
        """Everything that the model can read, the definitions of tools among it."""
        return json.dumps(self.body, ensure_ascii=False)

    @property
    def tools(self) -> list[str]:
        return [tool.get("name") or tool["function"]["name"] for tool in self.body.get("tools") or ()]

    @property
    def answer_tool(self) -> str | None:
        for tool in self.body.get("tools") or ():
            about = tool.get("function", tool)
            schema = about.get("input_schema") or about.get("parameters") or {}
            if "decision" in schema.get("properties", {}):
                return about["name"]
        return None


class ModelServer:
    def __init__(
        self, script: Sequence[Reply] | Callable[[Request], Reply], certificate: ssl.SSLContext | None = None
    ) -> None:
        self._script = script
        self._lock = threading.Lock()
        self.requests: list[Request] = []
        self.dropped = threading.Event()
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        if certificate is not None:
            self._http.socket = certificate.wrap_socket(self._http.socket, server_side=True)
        self._http.daemon_threads = True
        self._thread = threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)

    @property
    def port(self) -> int:
        return self._http.server_address[1]

    @property
    def url(self) -> str:
        """The base address of `api: anthropic`; that of `api: openai` goes on with /v1."""
        return f"http://127.0.0.1:{self.port}"

    def address_of(self, api: str) -> str:
        return self.url if api == "anthropic" else f"{self.url}/v1"

    def receive(self, path: str, headers: Mapping[str, str], body: Mapping[str, Any]) -> tuple[Request, Reply]:
        with self._lock:
            request = Request(path, headers, body, len(self.requests))
            self.requests.append(request)
        if callable(self._script):
            return request, self._script(request)
        return request, self._script[min(request.number, len(self._script) - 1)]

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._http.shutdown()
        self._thread.join()
        self._http.server_close()


def _handler(server: ModelServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers.get("content-length", 0))) or b"{}")
            headers = {name.lower(): value for name, value in self.headers.items()}
            path = self.path.partition("?")[0]
            if not path.endswith(("/v1/messages", "/v1/chat/completions")):
                self._whole(404, b'{"type":"error","error":{"type":"not_found_error","message":"no such path"}}')
                return
            self._give(*server.receive(path, headers, body))

        def do_GET(self) -> None:
            self._whole(404, b"{}")

        def _give(self, request: Request, reply: Reply) -> None:
            if isinstance(reply, Slow):
                if self._waits(reply.seconds):
                    self._give(request, reply.reply)
            elif isinstance(reply, Hangs):
                self._waits(reply.most_seconds)
            elif isinstance(reply, Drips):
                self._drips()
            elif isinstance(reply, Fails):
                kind = {429: "rate_limit_error", 529: "overloaded_error"}.get(reply.status, "api_error")
                error = {"type": "error", "error": {"type": kind, "message": reply.message}}
                self._whole(reply.status, json.dumps(error).encode(), reply.headers)
            elif isinstance(reply, Redirects):
                self._whole(307, b"", {"location": reply.to})
            elif isinstance(reply, Garbles):
                self._whole(200, reply.body)
            elif request.streams:
                events = "".join(_anthropic_events(reply, request) if request.is_anthropic else _chunks(reply, request))
                self._whole(200, events.encode(), {"content-type": "text/event-stream"}, cut=isinstance(reply, CutsOff))
            else:
                message = _anthropic(reply, request) if request.is_anthropic else _openai(reply, request)
                self._whole(200, json.dumps(message).encode(), cut=isinstance(reply, CutsOff))

        def _waits(self, seconds: float) -> bool:
            """Whether the client is still there afterwards."""
            until = time.monotonic() + seconds
            while time.monotonic() < until:
                readable, _, _ = select.select([self.connection], [], [], 0.01)
                if readable and not self.connection.recv(1, socket.MSG_PEEK):
                    server.dropped.set()
                    self.close_connection = True
                    return False
            return True

        def _drips(self) -> None:
            self.send_response(200)
            self.send_header("content-length", "1000")
            self.end_headers()
            while self._waits(0.05):
                self.wfile.write(b" ")

        def _whole(
            self, status: int, body: bytes, headers: Mapping[str, str] | None = None, *, cut: bool = False
        ) -> None:
            self.send_response(status)
            for name, value in {"content-type": "application/json", **(headers or {})}.items():
                self.send_header(name, value)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body[: len(body) // 2] if cut else body)
            if cut:
                self.close_connection = True

        def handle(self) -> None:
            try:
                super().handle()
            except (BrokenPipeError, ConnectionResetError):
                server.dropped.set()

        def log_message(self, *_: object) -> None:
            pass

    return Handler


def _content(reply: Reply, request: Request) -> tuple[str, list[tuple[str, str, Mapping[str, Any]]]]:
    """The words of a reply, and the tools that it calls, each with a name of its own."""
    if isinstance(reply, Judges):
        name = request.answer_tool
        if name is None:
            return json.dumps(reply.arguments), []
        return "", [(f"toolu_{request.number}_0", name, reply.arguments)]
    if isinstance(reply, Uses):
        calls = [
            (f"toolu_{request.number}_{at}", request.answer_tool if name == "answer" else name, arguments)
            for at, (name, arguments) in enumerate(reply.calls)
        ]
        return "", [call for call in calls if call[1]]
    if isinstance(reply, Says | Refuses):
        return reply.text, []
    return ("", []) if isinstance(reply, Empty) else ("cut off in the middle " * 20, [])


def _stop_reason(reply: Reply, calls: Sequence[object]) -> str:
    if isinstance(reply, Refuses):
        return "refusal"
    return "tool_use" if calls else "end_turn"


def _anthropic_usage(reply: Reply) -> dict[str, int]:
    tokens = getattr(reply, "tokens", Tokens())
    return {
        "input_tokens": tokens.input,
        "output_tokens": tokens.output,
        "cache_read_input_tokens": tokens.cached,
        "cache_creation_input_tokens": tokens.written,
    }


def _anthropic(reply: Reply, request: Request) -> dict[str, Any]:
    text, calls = _content(reply, request)
    content: list[dict[str, Any]] = [{"type": "text", "text": text}] if text else []
    content += [{"type": "tool_use", "id": at, "name": name, "input": given} for at, name, given in calls]
    return {
        "id": f"msg_{request.number}",
        "type": "message",
        "role": "assistant",
        "model": request.body.get("model", "scripted"),
        "content": content,
        "stop_reason": _stop_reason(reply, calls),
        "stop_sequence": None,
        "usage": _anthropic_usage(reply),
    }


def _anthropic_events(reply: Reply, request: Request) -> Iterator[str]:
    message = _anthropic(reply, request)
    opening = {**message, "content": [], "stop_reason": None}
    events: list[dict[str, Any]] = [{"type": "message_start", "message": opening}]
    for index, block in enumerate(message["content"]):
        if block["type"] == "text":
            start, delta = {"type": "text", "text": ""}, {"type": "text_delta", "text": block["text"]}
        else:
            start = {**block, "input": {}}
            delta = {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
        events += [
            {"type": "content_block_start", "index": index, "content_block": start},
            {"type": "content_block_delta", "index": index, "delta": delta},
            {"type": "content_block_stop", "index": index},
        ]
    ending = {"stop_reason": message["stop_reason"], "stop_sequence": None}
    events += [
        {"type": "message_delta", "delta": ending, "usage": {"output_tokens": message["usage"]["output_tokens"]}},
        {"type": "message_stop"},
    ]
    for event in events:
        yield f"event: {event['type']}\ndata: {json.dumps(event)}\n\n"


def _openai_usage(reply: Reply) -> dict[str, Any]:
    tokens = getattr(reply, "tokens", Tokens())
    prompt = tokens.input + tokens.cached
    return {
        "prompt_tokens": prompt,
        "completion_tokens": tokens.output,
        "total_tokens": prompt + tokens.output,
        "prompt_tokens_details": {"cached_tokens": tokens.cached},
    }


def _openai(reply: Reply, request: Request) -> dict[str, Any]:
    text, calls = _content(reply, request)
    message: dict[str, Any] = {"role": "assistant", "content": text or None, "refusal": None}
    if calls:
        message["tool_calls"] = [
            {"id": at, "type": "function", "function": {"name": name, "arguments": json.dumps(given)}}
            for at, name, given in calls
        ]
    if isinstance(reply, Refuses):
        message |= {"content": None, "refusal": reply.text or "I will not."}
    return {
        "id": f"chatcmpl-{request.number}",
        "object": "chat.completion",
        "created": 1_700_000_000,
        "model": request.body.get("model", "scripted"),
        "choices": [{"index": 0, "message": message, "finish_reason": "tool_calls" if calls else "stop"}],
        "usage": _openai_usage(reply),
    }


def _chunks(reply: Reply, request: Request) -> Iterator[str]:
    whole = _openai(reply, request)
    message, finish = whole["choices"][0]["message"], whole["choices"][0]["finish_reason"]
    calls = [{"index": at, **call} for at, call in enumerate(message.get("tool_calls", ()))]
    delta = {**message, "tool_calls": calls} if calls else message
    common = {**whole, "object": "chat.completion.chunk", "usage": None}
    for choices, usage in (
        ([{"index": 0, "delta": delta, "finish_reason": None}], None),
        ([{"index": 0, "delta": {}, "finish_reason": finish}], None),
        ([], whole["usage"]),
    ):
        yield f"data: {json.dumps({**common, 'choices': choices, 'usage': usage})}\n\n"
    yield "data: [DONE]\n\n"
