"""A copy of the package with an App of the test's own, its own folders, and real processes all the way."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from fixtures import wait_for
from vetgate import client, launcher

if TYPE_CHECKING:
    from collections.abc import Iterator

PACKAGE = Path(client.PACKAGE)
SECONDS = 20

# Answers in the shape of the real App; `{body}` says how.
APP = """
import json, os, sys, time
from types import SimpleNamespace
from vetgate.model import Reply

DENY = {{"hookSpecificOutput": {{"hookEventName": "PreToolUse", "permissionDecision": "deny",
        "permissionDecisionReason": "too complex"}}}}

class App:
    def __init__(self, state_dir):
        self.state_dir = state_dir
    def project(self, root):
        off = (root / "vetgate.yaml").exists() and "daemon: off" in (root / "vetgate.yaml").read_text()
        config = SimpleNamespace(daemon="off" if off else "auto")
        return SimpleNamespace(effective=lambda: SimpleNamespace(config=config))
    def flush(self):
        pass
    def answer(self, agent, payload, cwd, *, seconds=3.0, environment=None, long_wait=None, **more):
        event = json.loads(payload)
        text = event.get("tool_input", {{}}).get("content", "")
{body}
        if "bad" in text:
            return Reply(2, json.dumps(DENY).encode(), b"too complex\\n")
        return Reply()
"""


def write_event(content: str = "bad", tool: str = "Write", event: str = "PreToolUse", session: str = "s1") -> bytes:
    return json.dumps(
        {
            "session_id": session,
            "cwd": "/",
            "hook_event_name": event,
            "tool_name": tool,
            "tool_input": {"file_path": "/repo/src/a.ts", "content": content},
        },
        separators=(",", ":"),
    ).encode()


@dataclass
class Hook:
    """One machine: a package, a project, a home."""

    home: Path
    package: Path
    daemon: str = "auto"
    extra: dict[str, str] = field(default_factory=dict)
    is_quick: bool = True  # through client.pl, as a launcher does

    @property
    def runtime(self) -> Path:
        return self.home / "run"

    @property
    def state(self) -> Path:
        return self.home / "state"

    @property
    def project(self) -> Path:
        return self.home / "project"

    @property
    def environment(self) -> dict[str, str]:
        return {"HOME": str(self.home), "PATH": os.environ["PATH"], "VETGATE_DAEMON": self.daemon, **self.extra}

    def command(self, *more: str) -> list[str]:
        folders = ["--state", str(self.state), "--runtime", str(self.runtime)]
        words = [sys.executable, "-I", "-S", "-c", launcher.START, str(self.package / "client.py"), *folders, *more]
        return [*launcher.quick_words(self.package), *words] if self.is_quick else words

    def start(self, *more: str, cwd: Path | None = None) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            self.command(*more),
            cwd=cwd or self.project,
            env=self.environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )

    def ask(self, payload: bytes, *more: str, cwd: Path | None = None) -> tuple[int, bytes, bytes]:
        process = self.start(*more, cwd=cwd)
        stdout, stderr = process.communicate(payload, timeout=SECONDS)
        return process.returncode, stdout, stderr

    def python(self, code: str, cwd: Path | None = None) -> str:
        """Run code against the copy of the package, as the hook would."""
        boot = f"import sys; sys.path.append({str(self.package.parent)!r}); import site; site.main()\n{code}"
        done = subprocess.run(
            [sys.executable, "-I", "-S", "-c", boot],
            cwd=cwd or self.project,
            env=self.environment,
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    def address(self, cwd: Path | None = None) -> str:
        folders = {"state": str(self.state), "runtime": str(self.runtime)}
        return self.python(f"from vetgate import client; print(client.ClientCall({folders}, 0).address())", cwd)

    def status(self, cwd: Path | None = None) -> dict[str, str] | None:
        told = client.ask_daemon(self.address(cwd), client.pack(client.STATUS, {}), 2.0)
        return told[1] if told else None

    def warm(self) -> int:
        """A running daemon's pid."""
        self.ask(write_event("fine"))
        return int(wait_for(self.status)["pid"])

    def daemons(self) -> list[int]:
        return daemons_of(self.runtime)

    def end(self) -> None:
        end_daemons_of(self.runtime)


def daemons_of(runtime: Path) -> list[int]:
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            try:
                words = (entry / "cmdline").read_bytes().split(b"\0")
            except OSError:
                continue
            if os.fsencode(f"{runtime}/") in b" ".join(words) and b"--lock" in words:
                found.append(int(entry.name))
    return found


@contextlib.contextmanager
def own_daemon() -> Iterator[dict[str, str]]:
    """The variables by which hooks that are set up under them share a daemon, which ends with this."""
    with tempfile.TemporaryDirectory(prefix="vg-", dir="/tmp") as runtime:  # the name of a socket has to be short
        try:
            yield {"VETGATE_DAEMON": "auto", "VETGATE_RUNTIME_DIR": runtime}
        finally:
            end_daemons_of(Path(runtime))


def end_daemons_of(runtime: Path) -> None:
    for pid in daemons_of(runtime):
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def copy_package(where: Path, body: str = "", app: str | None = None) -> Path:
    """The hook path's modules with an App whose answer runs `body` first."""
    package = where / "vetgate"
    shutil.copytree(PACKAGE, package, ignore=shutil.ignore_patterns("__pycache__"))
    lines = "\n".join(f"        {line}" for line in body.splitlines())
    (package / "app.py").write_text(app if app is not None else APP.format(body=lines))
    return package
