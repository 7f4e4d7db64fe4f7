"""A type checker that stays and is spoken to: the language server protocol over its standard input and output."""

from __future__ import annotations

import contextlib
import json
import os
import queue
import subprocess
import threading
from typing import IO, TYPE_CHECKING, Any, NamedTuple

from vetgate import fallback

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from vetgate.source.clock import Deadline

_LARGEST = 20_000_000
_LENGTH = b"content-length:"
_CREATED_OR_CHANGED = 2
_PATIENCE = 2.0


class Diagnostic(NamedTuple):
    """What a checker says of one place; lines and columns count from 1."""

    code: str
    message: str
    line: int
    column: int
    end_line: int


class LanguageServer:
    """For one thread alone. Raises OSError where it cannot be started; once it fails it gives None for good."""

    def __init__(self, command: Sequence[str], root: Path) -> None:
        self._root = root
        self._said: queue.Queue[dict[str, Any] | None] = queue.Queue()
        self._number = 0
        self._greeted = False
        self._process = subprocess.Popen(  # noqa: S603 - the project's own checker, in a project that a person accepted
            list(command),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=root,
            env=fallback.environment(),
            start_new_session=True,
        )
        assert self._process.stdout is not None  # noqa: S101 - it was asked for
        self._listener = threading.Thread(
            target=self._listen, args=(self._process.stdout,), name="checker", daemon=True
        )
        self._listener.start()

    def diagnostics(self, path: str, text: str, language: str, deadline: Deadline) -> tuple[Diagnostic, ...] | None:
        """What it says of a file with this text; None when it does not say in time."""
        uri = (self._root / path).as_uri()
        try:
            if not self._greet(deadline):
                return None
            document = {"uri": uri, "languageId": language, "version": self._number, "text": text}
            self._tell("textDocument/didOpen", {"textDocument": document})
            answer = self._ask("textDocument/diagnostic", {"textDocument": {"uri": uri}}, deadline)
            self._tell("textDocument/didClose", {"textDocument": {"uri": uri}})
        except OSError:
            return None
        items = answer.get("items") if isinstance(answer, dict) else None
        return tuple(_read(item) for item in items) if isinstance(items, list) else None

    def landed(self, path: str) -> None:
        """A file is on disk in another form than it was."""
        changed = {"uri": (self._root / path).as_uri(), "type": _CREATED_OR_CHANGED}
        with contextlib.suppress(OSError):
            self._tell("workspace/didChangeWatchedFiles", {"changes": [changed]})

    def close(self) -> None:
        """It is asked to go, and made to when it does not."""
        stdin = self._process.stdin
        with contextlib.suppress(OSError):
            self._tell("exit", None)
        with contextlib.suppress(OSError):
            if stdin is not None:
                stdin.close()
        try:
            self._process.wait(_PATIENCE)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._listener.join(_PATIENCE)

    def _greet(self, deadline: Deadline) -> bool:
        if self._greeted:
            return True
        uri = self._root.as_uri()
        hello = {
            "processId": os.getpid(),
            "rootUri": uri,
            "workspaceFolders": [{"uri": uri, "name": self._root.name}],
            "capabilities": {
                "textDocument": {"diagnostic": {}},
                "workspace": {"didChangeWatchedFiles": {}},
                "general": {"positionEncodings": ["utf-32", "utf-16"]},
            },
        }
        if self._ask("initialize", hello, deadline) is None:
            return False
        self._tell("initialized", {})
        self._greeted = True
        return True

    def _ask(self, method: str, parameters: object, deadline: Deadline) -> object:
        """The result; None for an error, and when there is none in time."""
        self._number += 1
        self._send({"id": self._number, "method": method, "params": parameters})
        while not deadline.passed():
            try:
                said = self._said.get(timeout=deadline.left())
            except queue.Empty:
                return None
            if said is None:
                return None
            if "method" in said:
                self._answer(said)
            elif said.get("id") == self._number:
                return said.get("result")
        return None

    def _answer(self, said: dict[str, Any]) -> None:
        """It may ask for settings, of which there are none, or for leave to be told things, which it gets."""
        if "id" not in said:
            return
        items = said.get("params", {}).get("items", []) if said["method"] == "workspace/configuration" else None
        self._send({"id": said["id"], "result": None if items is None else [None for _ in items]})

    def _tell(self, method: str, parameters: object) -> None:
        self._send({"method": method, **({} if parameters is None else {"params": parameters})})

    def _send(self, message: dict[str, object]) -> None:
        assert self._process.stdin is not None  # noqa: S101 - it was asked for
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self._process.stdin.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
        self._process.stdin.flush()

    def _listen(self, stdout: IO[bytes]) -> None:
        with contextlib.suppress(OSError, ValueError), stdout:
            while (length := _length(stdout)) is not None:
                said = json.loads(stdout.read(length))
                if isinstance(said, dict):
                    self._said.put(said)
        self._said.put(None)


def _length(stdout: IO[bytes]) -> int | None:
    """How long the next message is; None at the end, and for what is none of ours."""
    length = None
    while line := stdout.readline(1_000).strip():
        if line.lower().startswith(_LENGTH):
            length = int(line[len(_LENGTH) :])
    return length if length is not None and length <= _LARGEST else None


def _read(item: dict[str, Any]) -> Diagnostic:
    start, end = item["range"]["start"], item["range"]["end"]
    message = str(item.get("message", "")).partition("\n")[0]
    return Diagnostic(
        str(item.get("code", "")), message, int(start["line"]) + 1, int(start["character"]) + 1, int(end["line"]) + 1
    )
