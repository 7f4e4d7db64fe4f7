"""Real coding agents from npm against a model on loopback that says what a test wrote down for it.

The model speaks the three protocols that these agents know: Responses, Chat Completions and Gemini's. Each agent runs
with an empty environment, a home of its own, and a project that `vetgate init` has set up.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import threading
import uuid
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Self

from fixtures import GITCONFIG
from warm_program import run_vetgate

CACHE = Path(__file__).parent.parent / ".cache" / "agents"
# Driven on 2026-11-18; postinstall scripts are not needed.
PACKAGES = {
    "codex": ("@openai/codex@0.166.0", "@openai/codex-linux-*/vendor/*/bin/codex"),
    "gemini": ("@google/gemini-cli@0.61.0", "@google/gemini-cli/bundle/gemini.js"),
    "qwen": ("@qwen-code/qwen-code@0.24.4", "@qwen-code/qwen-code/cli.js"),
    "copilot": ("@github/copilot@1.0.102", "@github/copilot-linux-x64/copilot"),
    "opencode": ("opencode-ai@1.18.33", "opencode-linux-x64/bin/opencode"),
}
SECONDS = 90


def program(agent: str) -> list[str]:
    """How it is started; installed into a cache where it is not there yet."""
    package, pattern = PACKAGES[agent]
    folder = CACHE / agent
    found = sorted((folder / "node_modules").glob(pattern))
    if not found:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "package.json").write_text("{}")
        words = ["npm", "install", "--ignore-scripts", "--no-audit", "--no-fund", package]
        subprocess.run(words, cwd=folder, check=True, capture_output=True, timeout=600)
        found = sorted((folder / "node_modules").glob(pattern))
    node = [shutil.which("node") or "node"] if found[0].suffix == ".js" else []
    return [*node, str(found[0])]


@dataclass(frozen=True)
class Call:
    """A tool that the model calls; `text` is the input of one that takes no object."""

    tool: str
    given: dict[str, Any] = field(default_factory=dict)
    text: str = ""


class Model:
    """Says its turns one after the other, and `done` from then on; keeps what it was sent."""

    def __init__(self, turns: list[Call | str]) -> None:
        self.turns = list(turns)
        self.sent: list[dict[str, Any]] = []
        self._lock = threading.Lock()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (_Handler,), {"model": self}))
        self._server.daemon_threads = True

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    def next(self, body: dict[str, Any]) -> Call | str:
        """A request without tools is the agent's own business, such as a title."""
        listed = body.get("input") if isinstance(body.get("input"), list) else []
        has_tools = bool(body.get("tools")) or any(each.get("type") == "additional_tools" for each in listed)
        with self._lock:
            self.sent.append(body)
            return "ok" if not has_tools else self.turns.pop(0) if self.turns else "done"

    def heard(self, text: str) -> bool:
        return any(text in json.dumps(each, ensure_ascii=False) for each in self.sent)

    @property
    def rounds(self) -> int:
        return len(self.sent)

    @property
    def tools(self) -> set[str]:
        """By name, whatever they are wrapped in."""
        listed = [each for body in self.sent for each in body.get("tools") or ()]
        declared = [each for tool in listed for each in tool.get("functionDeclarations", [tool])]
        return {(each.get("function") or each.get("custom") or each)["name"] for each in declared}


class _Handler(BaseHTTPRequestHandler):
    model: Model
    protocol_version = "HTTP/1.1"

    def log_message(self, *_: object) -> None:
        pass

    def do_GET(self) -> None:
        self._whole({"object": "list", "data": [], "models": []})

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers.get("content-length") or 0)) or b"{}")
        path = self.path.partition("?")[0]
        if path.endswith(":countTokens"):
            return self._whole({"totalTokens": 1})
        turn = self.model.next(body)
        number = uuid.uuid4().hex[:12]
        if path.endswith("/responses"):
            return self._responses(turn, number, body)
        if path.endswith("/chat/completions"):
            return self._completions(turn, number, body)
        parts = (
            [{"functionCall": {"id": number, "name": turn.tool, "args": turn.given}}]
            if isinstance(turn, Call)
            else [{"text": turn}]
        )
        wanted = (body.get("generationConfig") or {}).get("responseMimeType")
        parts = [{"text": "{}"}] if wanted == "application/json" else parts
        candidate = {"index": 0, "finishReason": "STOP", "content": {"role": "model", "parts": parts}}
        answer = {"candidates": [candidate], "usageMetadata": {"totalTokenCount": 1}, "responseId": number}
        return self._stream([answer]) if "stream" in path else self._whole(answer)

    def _responses(self, turn: Call | str, number: str, body: dict[str, Any]) -> None:
        item: dict[str, Any] = {"id": f"i{number}", "status": "completed"}
        if isinstance(turn, str):
            content = [{"type": "output_text", "text": turn, "annotations": []}]
            item |= {"type": "message", "role": "assistant", "content": content}
        elif turn.text:
            item |= {"type": "custom_tool_call", "call_id": f"call_{number}", "name": turn.tool, "input": turn.text}
        else:
            given = json.dumps(turn.given)
            item |= {"type": "function_call", "call_id": f"call_{number}", "name": turn.tool, "arguments": given}
        base = {"id": f"r{number}", "object": "response", "model": body.get("model"), "created_at": 1}
        usage = {"input_tokens": 1, "output_tokens": 1, "total_tokens": 2}
        usage |= {"input_tokens_details": {"cached_tokens": 0}, "output_tokens_details": {"reasoning_tokens": 0}}
        events = [
            {"type": "response.created", "response": {**base, "status": "in_progress", "output": []}},
            {"type": "response.output_item.added", "output_index": 0, "item": item},
            {"type": "response.output_item.done", "output_index": 0, "item": item},
            {
                "type": "response.completed",
                "response": {**base, "status": "completed", "output": [item], "usage": usage},
            },
        ]
        self._stream(events, named=True)

    def _completions(self, turn: Call | str, number: str, body: dict[str, Any]) -> None:
        message: dict[str, Any] = {"role": "assistant", "content": turn if isinstance(turn, str) else None}
        if isinstance(turn, Call):
            function = {"name": turn.tool, "arguments": json.dumps(turn.given)}
            message["tool_calls"] = [{"index": 0, "id": f"call_{number}", "type": "function", "function": function}]
        base = {"id": number, "created": 1, "model": body.get("model")}
        reason = "tool_calls" if isinstance(turn, Call) else "stop"
        usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
        if not body.get("stream"):
            choice = {"index": 0, "message": message, "finish_reason": reason}
            return self._whole({**base, "object": "chat.completion", "choices": [choice], "usage": usage})
        kind = {**base, "object": "chat.completion.chunk"}
        chunks = [
            {**kind, "choices": [{"index": 0, "delta": message, "finish_reason": None}]},
            {**kind, "choices": [{"index": 0, "delta": {}, "finish_reason": reason}]},
            {**kind, "choices": [], "usage": usage},
        ]
        return self._stream(chunks, ends=True)

    def _whole(self, value: object) -> None:
        self._send(json.dumps(value).encode(), "application/json")

    def _stream(self, events: list[dict[str, Any]], *, named: bool = False, ends: bool = False) -> None:
        lines = [(f"event: {event['type']}\n" if named else "") + f"data: {json.dumps(event)}\n\n" for event in events]
        self._send("".join((*lines, "data: [DONE]\n\n" if ends else "")).encode(), "text/event-stream")

    def _send(self, data: bytes, kind: str) -> None:
        self.send_response(200)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


_CODEX = """model = "{model}"
model_provider = "loop"
approval_policy = "never"
sandbox_mode = "danger-full-access"
check_for_update_on_startup = false
[model_providers.loop]
name = "loop"
base_url = "{url}/v1"
wire_api = "responses"
env_key = "LOOP_KEY"
request_max_retries = 0
stream_max_retries = 0
[analytics]
enabled = false
"""


def _settings(kind: str) -> dict[str, Any]:
    quiet = {"general": {"disableAutoUpdate": True, "enableAutoUpdate": False}, "telemetry": {"enabled": False}}
    return {"security": {"auth": {"selectedType": kind}}, "privacy": {"usageStatisticsEnabled": False}, **quiet}


def _opencode(url: str) -> dict[str, Any]:
    models = {name: {"name": name, "tool_call": True} for name in ("scripted", "gpt-5.5")}
    options = {"baseURL": f"{url}/v1", "apiKey": "dummy"}
    provider = {"npm": "@ai-sdk/openai-compatible", "name": "loop", "options": options, "models": models}
    return {"autoupdate": False, "share": "disabled", "small_model": "loop/scripted", "provider": {"loop": provider}}


class Machine:
    """A home and a project with a gate; `session` runs the agent there once."""

    def __init__(self, folder: Path, agent: str) -> None:
        self.agent = agent
        self.home, self.root = folder / "home", folder / "project"
        for each in (self.home, self.root, folder / "tmp"):
            each.mkdir(parents=True, exist_ok=True)
        (self.home / ".gitconfig").write_text(f"{GITCONFIG}[init]\ndefaultBranch = main\n")
        node = Path(shutil.which("node") or "/usr/bin/node").parent
        self.env = {
            "HOME": str(self.home),
            "PATH": f"{node}:/usr/local/bin:/usr/bin:/bin",
            "TMPDIR": str(folder / "tmp"),
            "LANG": "C.UTF-8",
            "TERM": "dumb",
            "NO_COLOR": "1",
            "XDG_CONFIG_HOME": str(self.home / ".config"),
            "XDG_RUNTIME_DIR": str(folder / "tmp"),
        }
        self.git("init", "-q")
        (self.root / "README.md").write_text("scratch\n")
        self.git("add", "-A")
        self.git("commit", "-qm", "start")

    def git(self, *words: str) -> None:
        subprocess.run(["git", *words], cwd=self.root, env=self.env, check=True, capture_output=True, timeout=60)

    def vetgate(self, *words: str) -> subprocess.CompletedProcess[str]:
        return run_vetgate(*words, cwd=self.root, env=self.env, seconds=SECONDS)

    def set_up(self, *words: str) -> None:
        done = self.vetgate("init", "--yes", "--no-git", "--agent", self.agent, *words)
        assert done.returncode == 0, done.stderr

    def place_settings(self, url: str, model: str, prompt: str) -> tuple[list[str], dict[str, str]]:
        """What points the agent at the model: its words and its variables; settings are only added to."""
        if self.agent == "codex":
            self._first(".codex/config.toml", _CODEX.format(model=model or "gpt-5.5", url=url))
            return ["exec", "--json", prompt], {"LOOP_KEY": "dummy"}
        if self.agent == "gemini":
            self._merge(".gemini/settings.json", _settings("gemini-api-key"))
            more = {"GEMINI_API_KEY": "dummy", "GOOGLE_GEMINI_BASE_URL": url, "GEMINI_CLI_TRUST_WORKSPACE": "true"}
            return ["-m", "gemini-2.5-pro", "--yolo", "-p", prompt], more
        if self.agent == "qwen":
            self._merge(".qwen/settings.json", _settings("openai"))
            more = {"OPENAI_API_KEY": "dummy", "OPENAI_BASE_URL": f"{url}/v1", "OPENAI_MODEL": "scripted"}
            return ["-m", "scripted", "--yolo", "-p", prompt], more
        if self.agent == "copilot":
            more = {"COPILOT_PROVIDER_BASE_URL": f"{url}/v1", "COPILOT_PROVIDER_API_KEY": "dummy"}
            more |= {"COPILOT_MODEL": model or "scripted", "COPILOT_OFFLINE": "true", "COPILOT_AUTO_UPDATE": "false"}
            return ["-p", prompt, "--allow-all-tools", "--trust-folder", "--output-format", "json"], more
        self._merge(".config/opencode/opencode.json", _opencode(url))
        more = {"OPENCODE_DISABLE_AUTOUPDATE": "1", "OPENCODE_DISABLE_MODELS_FETCH": "1"}
        more |= {"OPENCODE_DISABLE_LSP_DOWNLOAD": "1", "npm_config_fetch_retries": "0"}
        typed = ["--command", *prompt.removeprefix("/").split()] if prompt.startswith("/") else [prompt]
        return ["run", "--format", "json", "--model", f"loop/{model or 'scripted'}", *typed], more

    def _first(self, name: str, text: str) -> None:
        path = self.home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        there = path.read_text() if path.exists() else ""
        path.write_text(f"{text}\n{there[there.find('[hooks.state') :] if '[hooks.state' in there else ''}")

    def _merge(self, name: str, value: dict[str, Any]) -> None:
        path = self.home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        there = json.loads(path.read_text()) if path.exists() else {}
        path.write_text(json.dumps({**there, **value}, indent=2))

    def session(
        self, *turns: Call | str, model: str = "", prompt: str = "do it", **env: str
    ) -> tuple[Model, subprocess.CompletedProcess[str]]:
        """Its settings name the server on loopback and no other; nothing else keeps it from the network."""
        with Model(list(turns)) as said:
            words, more = self.place_settings(said.url, model, prompt)
            done = subprocess.run(
                [*program(self.agent), *words],
                cwd=self.root,
                env=self.env | more | env,
                capture_output=True,
                text=True,
                stdin=subprocess.DEVNULL,
                timeout=SECONDS,
                check=False,
                start_new_session=True,
            )
        return said, done

    def end_daemon(self) -> None:
        self.vetgate("daemon", "stop")
