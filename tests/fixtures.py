"""What tests work in: a repository, an agent's session in one, a person's clone with a home around it."""

from __future__ import annotations

import json
import re
import stat
import subprocess
import time
from dataclasses import dataclass
from hashlib import sha256
from itertools import count
from typing import TYPE_CHECKING, Any, TypeVar

from vetgate.app import App
from vetgate.index.build import build
from vetgate.index.project import ProjectIndex
from vetgate.respond.grants import of_command
from vetgate.store import open_index_store
from warm_program import run_vetgate

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from vetgate.model import Reply

T = TypeVar("T")
SECONDS = 60
GITCONFIG = "[user]\nname = A\nemail = a@example.org\n"
GOOD = "def fine(a):\n    return a\n"


# By how much the gate takes the kernel's clock for files to be slow.
TICK = 50_000_000
_CLOCK_STEP = 20_000_000  # and what that clock itself is behind by
_FILE_CLOCK = getattr(time, "CLOCK_REALTIME_COARSE", time.CLOCK_REALTIME)


def wait_for(look: Callable[[], T], seconds: float = SECONDS, what: str = "it did not happen") -> T:
    """What is found, as soon as there is something."""
    until = time.monotonic() + seconds
    while not (found := look()):
        assert time.monotonic() < until, what
        time.sleep(0.005)
    return found


def wait_for_tick(times: int = 1) -> None:
    """Until the kernel's clock for files is so far that what changes now is younger, beyond doubt, than all before."""
    until = time.time_ns() + times * TICK + _CLOCK_STEP
    wait_for(lambda: time.clock_gettime_ns(_FILE_CLOCK) > until)


def branches(name: str, count: int, indent: str = "") -> str:
    """A function with so many ways through it that from eleven on it is one too many."""
    body = "".join(f"{indent}    if a == {n}:\n{indent}        a += {n}\n" for n in range(count))
    return f"{indent}def {name}(a):\n{body}{indent}    return a\n"


BAD = branches("busy", 12)
ALSO_BAD = branches("knotted", 12)


@dataclass(frozen=True)
class Said:
    """What a command line said."""

    status: int
    out: str
    err: str


class WorkTree:
    """A real repository in a folder of its own; its git sees the test's environment, or one of its own."""

    env: dict[str, str] | None = None

    def __init__(self, root: Path) -> None:
        self.root = root
        root.mkdir(parents=True, exist_ok=True)
        self.git("init", "-q")

    def run(self, *words: str, cwd: Path | None = None, **env: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["git", *words],
            cwd=cwd or self.root,
            env=self.env and self.env | env,
            capture_output=True,
            text=True,
            check=False,
            stdin=subprocess.DEVNULL,
            timeout=SECONDS,
        )

    def git(self, *words: str, cwd: Path | None = None, **env: str) -> str:
        done = self.run(*words, cwd=cwd, **env)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout.strip()

    def put(self, name: str, content: str | bytes, *, cwd: Path | None = None) -> Path:
        file = (cwd or self.root) / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content.encode() if isinstance(content, str) else content)
        return file

    def commit(self, message: str = "work") -> str:
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", message)
        return self.git("rev-parse", "HEAD")


class IndexedTree(WorkTree):
    """A repository with its index beside it."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder / "tree")
        self.state = folder / "state"
        self.state.mkdir(exist_ok=True)

    def lay(self, **files: str) -> None:
        self.write({name.replace("__", "/").replace("_dot_", "."): text for name, text in files.items()})

    def write(self, files: dict[str, str]) -> None:
        for name, text in files.items():
            self.put(name, text)

    def index(self) -> ProjectIndex:
        return ProjectIndex(self.root, open_index_store(self.state), lambda path: not path.startswith("vendor/"))

    def built(self) -> ProjectIndex:
        found = self.index()
        build(found, lambda work, paths: [work(tuple(paths))])
        return found


# No two sessions of a run use a call's number twice, as with a client: what is under way is known by it.
_CALLS = count(1000, 1000)


class Session(WorkTree):
    """An agent's session in a project, in the real wire format; the app answers in this process."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder / "project")
        self.state = folder / "state"
        self.runs = folder / "runs"
        self.app = App(self.state)
        self.id = "s"
        self.calls = next(_CALLS)

    def trust(self, text: str) -> None:
        """A configuration that a person accepted."""
        self.put("vetgate.yaml", text)
        self.app.project(self.root).store.set_trusted(sha256(text.encode()).hexdigest(), text)

    def configure(self, **content: object) -> None:
        """The same, and committed."""
        self.trust(json.dumps({"version": 1, **content}))
        self.commit()

    def answer(self, event: str, *, cwd: Path | None = None, **fields: object) -> Reply:
        self.calls += 1
        where = str(cwd or self.root)
        payload = {"session_id": self.id, "cwd": where, "hook_event_name": event, "tool_use_id": f"t{self.calls}"}
        reply = self.app.answer("claude-code", json.dumps(payload | fields).encode(), where, seconds=SECONDS)
        self.app.flush()
        return reply

    def send(self, event: str, **fields: object) -> tuple[Reply, dict[str, Any] | None]:
        reply = self.answer(event, **fields)
        return reply, json.loads(reply.stdout) if reply.stdout else None

    def tool(self, tool: str, event: str = "PreToolUse", **tool_input: object) -> tuple[Reply, Any, dict[str, Any]]:
        reply, said = self.send(event, tool_name=tool, tool_input=tool_input)
        output = (said or {}).get("hookSpecificOutput", {})
        return reply, output.get("permissionDecision"), output

    def write(self, name: str, content: str) -> tuple[Reply, Any, dict[str, Any]]:
        return self.tool("Write", file_path=str(self.root / name), content=content)

    def edit(self, name: str, old: str, new: str, **more: object) -> tuple[Reply, Any, dict[str, Any]]:
        return self.tool("Edit", file_path=str(self.root / name), old_string=old, new_string=new, **more)

    def code(self, command: str) -> str:
        """By which a person would let this command run, once it was refused."""
        wanted = of_command(command, self.root)
        found = self.app.project(self.root).store.pending_grants()
        return next(each.code for each in found if (each.kind, each.subject) == (wanted.kind, wanted.subject))

    def allow(self, reply: Reply) -> None:
        """The person lets through what they were just told of, by its code."""
        code = re.search(r"vetgate allow ([a-z2-7]{8})", json.loads(reply.stdout)["systemMessage"])
        assert code, reply
        self.app.project(self.root).store.grant(code[1], time.time() + 600)

    def landed(self, name: str) -> dict[str, Any]:
        return self.tool("Write", event="PostToolUse", file_path=str(self.root / name), content="")[2]

    def said(self, event: str, **fields: object) -> dict[str, Any]:
        """What is said to an event that no status of ours holds up."""
        reply, said = self.send(event, **fields)
        assert reply.status == 0
        return said or {}

    def start(self) -> dict[str, Any]:
        return self.said("SessionStart", source="startup")

    def stop(self, **fields: object) -> dict[str, Any]:
        return self.said("Stop", **{"stop_hook_active": False, **fields})

    def stop_reason(self) -> str:
        """Why the end of the turn is held up; "" when it is not."""
        return str(self.stop().get("reason", ""))

    def edited(self, name: str, text: str, tool: str = "Write") -> dict[str, Any]:
        self.put(name, text)
        given = {"file_path": str(self.root / name), "content": text}
        return self.said("PostToolUse", tool_name=tool, tool_input=given, tool_response={})

    def ran(self, command: str, status: int = 0, took: int = 1, **response: object) -> dict[str, Any]:
        event = "PostToolUse" if status == 0 else "PostToolUseFailure"
        fields = {"tool_response": {"stdout": "", **response}} if status == 0 else {"error": f"Exit code {status}\nno"}
        # Nobody saw it begin, so it has no name either.
        fields |= {"tool_use_id": "", "duration_ms": took}
        return self.said(event, tool_name="Bash", tool_input={"command": command}, **fields)

    @property
    def count(self) -> int:
        """How often the command of a gate left a line there."""
        return len(self.runs.read_text().split()) if self.runs.exists() else 0


class Clone(WorkTree):
    """A person's clone: a home of its own, real processes, and a PATH that holds only what the test puts there."""

    def __init__(self, folder: Path) -> None:
        self.home = folder / "home"
        self.bin = folder / "bin"
        for each in (self.home, self.bin):
            each.mkdir(parents=True)
        self.user = self.home / ".claude" / "settings.json"
        self.state = self.home / ".local" / "state" / "vetgate"
        self.launcher = self.state / "bin" / "vetgate-hook"
        self.env = {"HOME": str(self.home), "PATH": f"{self.bin}:/usr/bin:/bin", "VETGATE_DAEMON": "off"}
        (self.home / ".gitconfig").write_text(
            f'{GITCONFIG}[init]\ndefaultBranch = main\n[protocol "file"]\nallow = always\n'
        )
        super().__init__(folder / "repo")
        self.hooks = self.root / ".git" / "hooks"

    def vetgate(self, *words: str, cwd: Path | None = None, **env: str) -> subprocess.CompletedProcess[str]:
        return run_vetgate(*words, cwd=cwd or self.root, env=self.env | env, seconds=SECONDS)

    def init(self, *words: str, cwd: Path | None = None, **env: str) -> subprocess.CompletedProcess[str]:
        return self.vetgate("init", *words, cwd=cwd, **env)

    def gated(self, *words: str) -> Clone:
        said = self.init("--yes", "--git", *words)
        assert said.returncode == 0, said.stderr
        return self

    def install_client(self, script: str) -> None:
        self.hook(self.bin / "claude", f"#!/bin/sh\n{script}\n")

    def stopped(self, *words: str, cwd: Path | None = None, **env: str) -> str:
        """What is said by a git that was held back; HEAD has to stay where it was."""
        head = self.run("rev-parse", "HEAD", cwd=cwd).stdout
        done = self.run(*words, cwd=cwd, **env)
        assert done.returncode != 0, f"it passed: {done.stdout}{done.stderr}"
        assert self.run("rev-parse", "HEAD", cwd=cwd).stdout == head
        return done.stdout + done.stderr

    def hook(self, path: Path, text: str, mode: int = 0o755) -> Path:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        path.chmod(mode)
        return path

    def files(self) -> dict[str, bytes]:
        top = self.home.parent
        there = (path for path in top.rglob("*") if path.is_file() and ".git" not in path.relative_to(top).parts)
        return {str(path.relative_to(top)): path.read_bytes() for path in there}


def lay(path: Path, content: object) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content if isinstance(content, str) else json.dumps(content, indent=2))


def picture(folder: Path) -> dict[str, tuple[int, bytes | str]]:
    """Every file below, with its mode and its bytes, or where it leads."""
    found: dict[str, tuple[int, bytes | str]] = {}
    for path in sorted(folder.rglob("*")):
        mode = path.lstat().st_mode
        if stat.S_ISLNK(mode):
            found[str(path.relative_to(folder))] = (0, str(path.readlink()))
        elif stat.S_ISREG(mode):
            found[str(path.relative_to(folder))] = (stat.S_IMODE(mode), path.read_bytes())
    return found
