"""Routes around the gate, run as an agent would take them: the same steps in process and through the real hook."""

from __future__ import annotations

import base64
import codecs
import contextlib
import json
import os
import re
import shlex
import shutil
import site
import sqlite3
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

import vetgate
from fixtures import Clone, wait_for
from secret_samples import chance
from vetgate.app import App
from vetgate.checks import known_names
from vetgate.config.plain import text as plain_text
from vetgate.config.trust import project_file
from vetgate.engine.suppressions import today
from vetgate.model import Waiver
from vetgate.respond.grants import of_command
from vetgate.source.root import store_key
from vetgate.store import Hand, open_project_store

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

FOLDER = Path(__file__).with_name("routes")
# The one in C, where there is one: every process that collects the tests reads all rows.
LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
SESSION = "5e551011-0000-4000-8000-000000000000"
SECONDS = 60
FORGED = "forged"
PERSON = Hand("ann", "pts/7")
STANDARD = {
    "app.py": "def load(path):\n    return open(path).read()\n",
    "README.md": "# A project\n",
    ".gitignore": "build/\nnode_modules/\n.env\n",
}
_UPPER = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"

_RULE_PAGE = """# no-print: output by print

```rule
severity: error
message: "`{sink}` prints."
find:
  - languages: [python]
    call: ["print"]
```
"""

Answer = tuple[int, bytes, bytes]
Ask = Callable[[dict[str, Any], Path, dict[str, str]], Answer]
_PLACEHOLDER = re.compile(r"\{\{([A-Z_]+)(?:\|([a-z0-9-]+)|:(\d*):?(\d*))?\}\}")
# How a word can be written so that it does not look like itself.
FORMS: dict[str, Callable[[str], str]] = {
    "spread": "\0".join,
    "back": lambda word: word[::-1],
    "hex": lambda word: word.encode().hex(),
    "spaced-hex": lambda word: word.encode().hex(" "),
    "base64": lambda word: base64.b64encode(word.encode()).decode(),
    "base64-twice": lambda word: base64.b64encode(base64.b64encode(word.encode())).decode(),
    "back-base64": lambda word: base64.b64encode(word[::-1].encode()).decode(),
    "even": lambda word: word[::2],
    "odd": lambda word: word[1::2],
    "base32": lambda word: base64.b32encode(word.encode()).decode(),
    "base85": lambda word: base64.b85encode(word.encode()).decode(),
    "printable": lambda word: "".join(f"={ord(letter):02X}" for letter in word),
    "rot13": lambda word: codecs.encode(word, "rot13"),
    "utf-7": lambda word: f"+{base64.b64encode(word.encode('utf-16-be')).decode().rstrip('=')}-",
    "u": lambda word: "".join(f"\\u{ord(letter):04x}" for letter in word),
    "x": lambda word: "".join(f"\\x{ord(letter):02x}" for letter in word),
    "octal": lambda word: "".join(f"\\{ord(letter):03o}" for letter in word),
    "codes": lambda word: ", ".join(str(ord(letter)) for letter in word),
    "dashes": "-".join,
    "swapped": str.swapcase,
    "commented": lambda word: "".join(f"# {line}\n" for line in word.splitlines()),
    "percent": lambda word: "".join(f"%{ord(letter):02X}" for letter in word),
}


def rows() -> Iterator[tuple[str, dict[str, Any]]]:
    for file in sorted(FOLDER.glob("*.yaml")):
        for row in yaml.load(file.read_text(encoding="utf-8"), LOADER) or ():
            yield f"{file.stem}:{row['id']}", row


@dataclass
class Answered:
    """What one step was answered."""

    refused: bool = False
    told: bool = False
    text: str = ""


class Machine(Clone):
    """A gated project on a machine of its own; `reset` brings back the moment after `vetgate init`."""

    def __init__(self, folder: Path, files: Mapping[str, str] = STANDARD) -> None:
        super().__init__(folder)
        self.folder = folder
        for name, text in files.items():
            self.put(name, text)
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "start")
        self.install_client("echo 2.1.325")
        said = self.init("--yes", "--settings", "user")
        assert said.returncode == 0, said.stderr
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "vetgate", "--allow-empty")
        self._kept = folder.parent / f"{folder.name}-kept"
        shutil.copytree(folder, self._kept, symlinks=True)

    def reset(self) -> None:
        wait_for(self._is_as_kept)

    def _is_as_kept(self) -> bool:
        """Whether the folder could be replaced; a process of the test before may still write while it is removed."""
        subprocess.run(["chmod", "-R", "u+rwX", str(self.folder)], check=False, capture_output=True)
        try:
            shutil.rmtree(self.folder)
            shutil.copytree(self._kept, self.folder, symlinks=True)
        except (OSError, shutil.Error):
            self.folder.mkdir(exist_ok=True)
            return False
        return True

    @property
    def words(self) -> dict[str, str]:
        body = "\n".join(chance(64, seed=line) for line in range(6))
        kind = "RSA PRIVATE KEY"
        return {
            "AWS_KEY": "AKIA" + chance(16, _UPPER),
            "GITHUB": "ghp_" + chance(36),
            "STRIPE": "sk_live_" + chance(24),
            "PEM_LINE": chance(64, seed=2)[:12],
            "PASSWORD": chance(14, seed=6),
            "PEM": f"-----BEGIN {kind}-----\n{body}\n-----END {kind}-----",
            "RULE_PAGE": _RULE_PAGE,
            "HOME": str(self.home),
            "PROJECT": str(self.root),
            "STATE": str(self.state),
            "TMP": str(self.folder / "tmp"),
            "HOOK": str(self.launcher),
            "REMOTE": str(self.folder / "remote.git"),
            "PADDING": "# nothing to see in this line\n" * 400,
            "PACKAGE": str(Path(vetgate.__file__).parent),
            "PACKAGES": site.getsitepackages()[0],
        }

    def code(self, command: str) -> str:
        """By which a person would let this command run, once it was refused."""
        with contextlib.closing(open_project_store(self.state, store_key(self.root))) as store:
            wanted = of_command(command, self.root)
            store.await_grant(SESSION, str(self.root), wanted.kind, wanted.subject, "a command")
            return next(each.code for each in store.pending_grants() if each.subject == wanted.subject)


@dataclass
class Route:
    machine: Machine
    row: dict[str, Any]
    ask: Ask
    after_answer: Callable[[], None] = lambda: None
    said: list[Answered] = field(default_factory=list)
    _calls: int = 0
    _begun: bool = False

    def run(self) -> None:
        self._lay_ground()
        if self.row.get("start", True):
            self._event("SessionStart", {"source": "startup"}, self.machine.root)
        for step in self.row["steps"]:
            self.said.append(self._step(step))
        last = self.said[-1]
        expect = self.row["expect"]
        told = json.dumps([each.__dict__ for each in self.said], indent=1)
        if expect == "stopped":
            assert last.refused, told
        elif expect == "told":
            assert last.told or last.refused, told
        elif expect == "held":
            stop = Answered() if any(each.refused for each in self.said) else self._stop(None, self._ends_in)
            self.said.append(stop)
            assert any(each.refused for each in self.said), f"{told}\nStop: {stop}"
        else:
            assert expect == "passes", expect
            assert not any(each.refused for each in self.said), told
            stop = self._stop(None, self._ends_in)
            assert not stop.refused, f"{told}\nStop: {stop.text}"
        everything = "\n".join(each.text for each in self.said)
        for words in _listed(self.row.get("says")):
            assert self._filled(words) in everything, everything
        for words in _listed(self.row.get("never")):
            assert self._filled(words) not in everything, everything

    @property
    def _ends_in(self) -> Path:
        return self.machine.root / self._filled(self.row.get("stop_in", ""))

    def _lay_ground(self) -> None:
        machine = self.machine
        (machine.folder / "tmp").mkdir(exist_ok=True)
        for path, text in self.row.get("files", {}).items():
            machine.put(path, self._filled(text))
        if config := self.row.get("config"):
            file = machine.root / "vetgate.yaml"
            file.write_text(file.read_text() + config)
        if self.row.get("config") or self.row.get("accept"):
            found = project_file(machine.root, known_names())
            assert found is not None
            done = machine.vetgate("trust", "--digest", found.sha256)
            assert done.returncode == 0, done.stderr
        if self.row.get("files") or self.row.get("config"):
            machine.git("add", "-A")
            machine.git("commit", "-q", "--no-verify", "-m", "ground")
        if self.row.get("remote"):
            machine.git("init", "-q", "--bare", str(machine.folder / "remote.git"))
            machine.git("remote", "add", "origin", str(machine.folder / "remote.git"))
            machine.git("push", "-q", "--no-verify", "-u", "origin", "main")
        if before := self.row.get("before"):
            self._process(self._filled(before), machine.root)

    def _step(self, step: dict[str, Any]) -> Answered:
        cwd = (self.machine.root / self._filled(str(step.get("cwd", "")))).resolve()
        for name in (
            "write",
            "edit",
            "bash",
            "tool",
            "raw",
            "shell",
            "lay",
            "git",
            "vetgate",
            "prompt",
            "stop",
            "start",
            "sql",
            "person",
            "forge",
        ):
            if name in step:
                return getattr(self, f"_{name}")(step, cwd)
        raise AssertionError(f"no such step: {step}")

    def _write(self, step: dict[str, Any], cwd: Path) -> Answered:
        path, content = cwd / self._filled(step["write"]), self._filled(step["content"])
        return self._tool_call("Write", {"file_path": str(path), "content": content}, cwd, lambda: _put(path, content))

    def _edit(self, step: dict[str, Any], cwd: Path) -> Answered:
        path, old, new = (self._filled(step[key]) for key in ("edit", "old", "new"))
        given = {"file_path": str(cwd / path), "old_string": old, "new_string": new}
        return self._tool_call("Edit", given, cwd, lambda: _put(cwd / path, (cwd / path).read_text().replace(old, new)))

    def _bash(self, step: dict[str, Any], cwd: Path) -> Answered:
        command = self._filled(step["bash"])
        act = (lambda: self._process(command, cwd)) if step.get("run") else None
        return self._tool_call("Bash", {"command": command}, cwd, act)

    def _tool(self, step: dict[str, Any], cwd: Path) -> Answered:
        given = json.loads(self._filled(json.dumps(step.get("input", {}))))
        return self._tool_call(step["tool"], given, cwd, None)

    def _forge(self, step: dict[str, Any], cwd: Path) -> Answered:
        forged = json.loads(self._filled(json.dumps(step["forge"])))
        self._event("PreToolUse", forged, cwd, {FORGED: "yes"})
        return Answered()

    def _raw(self, step: dict[str, Any], cwd: Path) -> Answered:
        raw = json.loads(self._filled(json.dumps(step["raw"])))
        return self._event("PreToolUse", raw, cwd)

    def _shell(self, step: dict[str, Any], cwd: Path) -> Answered:
        self._process(self._filled(step["shell"]), cwd)
        return Answered()

    def _lay(self, step: dict[str, Any], cwd: Path) -> Answered:
        path = cwd / self._filled(step["lay"])
        data = bytes.fromhex(step["hex"]) if "hex" in step else self._filled(step.get("content", "")).encode()
        if "text" in step:
            text = self._filled(step["text"]).encode(step.get("encoding", "utf-8"))
            data = bytes.fromhex(step.get("before", "")) + text + bytes.fromhex(step.get("after", ""))
        _put(path, data)
        return Answered()

    def _git(self, step: dict[str, Any], cwd: Path) -> Answered:
        done = self.machine.run(*(self._filled(word) for word in step["git"]), cwd=cwd)
        return Answered(done.returncode != 0, bool(done.stderr.strip()), done.stdout + done.stderr)

    def _vetgate(self, step: dict[str, Any], cwd: Path) -> Answered:
        done = self.machine.vetgate(*(self._filled(word) for word in step["vetgate"]))
        return Answered(done.returncode != 0, bool(done.stdout.strip()), done.stdout + done.stderr)

    def _sql(self, step: dict[str, Any], cwd: Path) -> Answered:
        (file,) = self.machine.state.glob("projects/*/store.db")
        with contextlib.closing(sqlite3.connect(file)) as connection:
            connection.executescript(self._filled(step["sql"]))
        return Answered()

    def _person(self, step: dict[str, Any], cwd: Path) -> Answered:
        """What a person accepts, as the commands write it down once they know that it is one."""
        with contextlib.closing(open_project_store(self.machine.state, store_key(self.machine.root))) as store:
            waiver = Waiver(step.get("rule", ""), step.get("path", "**"), "an old friend", "ann", today())
            acts: dict[str, Callable[[], object]] = {
                "waives": lambda: store.waive(waiver, PERSON),
                "takes back": lambda: store.unwaive((waiver,), PERSON),
                "allows": lambda: store.grant(self._code(step["command"]), time.time() + 600, PERSON),
                "trusts": lambda: store.set_trusted(*self._accepted(), PERSON),
            }
            acts[step["person"]]()
        return Answered()

    def _code(self, command: str) -> str:
        return self.machine.code(self._filled(command))

    def _accepted(self) -> tuple[str, str]:
        file = project_file(self.machine.root)
        assert file is not None
        return file.sha256, plain_text(file.config)

    def _prompt(self, step: dict[str, Any], cwd: Path) -> Answered:
        return self._event("UserPromptSubmit", {"prompt": self._filled(step["prompt"])}, cwd)

    def _start(self, step: dict[str, Any], cwd: Path) -> Answered:
        return self._event("SessionStart", {"source": "startup"}, cwd)

    def _stop(self, step: object = None, cwd: Path | None = None) -> Answered:
        return self._event("Stop", {"stop_hook_active": False}, cwd or self.machine.root)

    def _tool_call(self, tool: str, given: dict[str, Any], cwd: Path, act: Callable[[], object] | None) -> Answered:
        self._calls += 1
        call = {"tool_name": tool, "tool_input": given, "tool_use_id": f"toolu_{self._calls:04}"}
        before = self._event("PreToolUse", call, cwd)
        if before.refused or act is None:
            return before
        act()
        after = self._event("PostToolUse", call | {"tool_response": {}}, cwd)
        return Answered(after.refused, before.told or after.told, before.text + after.text)

    def _event(self, name: str, more: dict[str, Any], cwd: Path, how: dict[str, str] | None = None) -> Answered:
        event = {"session_id": SESSION, "cwd": str(cwd), "hook_event_name": name, "permission_mode": "default", **more}
        # Only once the session has begun: what the client says of itself later must not matter.
        more = self.row.get("environment", {}) if self._begun or not self.row.get("start", True) else {}
        self._begun = True
        given = {name: self._filled(value) for name, value in more.items()}
        status, out, error = self.ask(event, cwd, given | (how or {}))
        self.after_answer()
        said = json.loads(out) if out.strip() else {}
        output = said.get("hookSpecificOutput", {})
        refused = status == 2 or said.get("decision") == "block" or output.get("permissionDecision") in {"deny", "ask"}
        # What lands after the call cannot be refused any more; being told is all there is.
        told = bool(output.get("additionalContext") or said.get("systemMessage"))
        return Answered(refused, told, out.decode() and json.dumps(said, ensure_ascii=False) + error.decode())

    def _process(self, command: str, cwd: Path) -> None:
        environment = {"HOME": str(self.machine.home), "PATH": "/usr/bin:/bin", "CLAUDECODE": "1"}
        subprocess.run(
            ["bash", "-c", command],
            cwd=cwd,
            env=environment,
            capture_output=True,
            check=False,
            timeout=SECONDS,
            stdin=subprocess.DEVNULL,
        )

    def _filled(self, text: str) -> str:
        words = self.machine.words
        if "{{CODE}}" in text:
            words["CODE"] = self.machine.code("rm -rf ~")

        def word(found: re.Match[str]) -> str:
            name, form, first, last = found.groups()
            value = words[name] if name in words else found[0]
            return FORMS[form](value) if form else value[int(first or 0) : int(last) if last else None]

        return _PLACEHOLDER.sub(word, text)


def in_process(machine: Machine) -> tuple[Ask, Callable[[], None]]:
    app = App(machine.state)

    def ask(event: dict[str, Any], cwd: Path, more: dict[str, str]) -> Answer:
        environment = {"CLAUDE_PROJECT_DIR": str(machine.root), "HOME": str(machine.home)} | more
        with _script() if environment.pop(FORGED, "") else contextlib.nullcontext(0) as caller:
            reply = app.answer(
                "claude-code",
                json.dumps(event).encode(),
                str(cwd),
                only_set_up=True,
                environment=environment,
                caller=caller,
            )
        return reply.status, reply.stdout, reply.stderr

    return ask, app.flush


def through_the_hook(machine: Machine) -> Ask:
    settings = json.loads(machine.user.read_text())

    def ask(event: dict[str, Any], cwd: Path, more: dict[str, str]) -> Answer:
        command = settings["hooks"][event["hook_event_name"]][0]["hooks"][0]["command"]
        # A client that is called like one starts it, unless it is a script that imitates it.
        as_client = ["claude", "-c", f"sh -c {shlex.quote(command)}; exit $?"]
        more = dict(more)
        done = subprocess.run(
            ["sh", "-c", command] if more.pop(FORGED, "") else as_client,
            executable="/bin/sh",
            cwd=cwd if cwd.is_dir() else machine.root,
            env=machine.env | {"CLAUDE_PROJECT_DIR": str(machine.root)} | more,
            input=json.dumps(event).encode(),
            capture_output=True,
            check=False,
            timeout=SECONDS,
        )
        return done.returncode, done.stdout, done.stderr

    return ask


@contextlib.contextmanager
def _script() -> Iterator[int]:
    """A process of whoever runs this, which is no client of an agent."""
    process = subprocess.Popen(["sleep", "60"])
    try:
        yield process.pid
    finally:
        process.kill()
        process.wait()


def _put(path: Path, content: str | bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode("utf-8", "surrogatepass") if isinstance(content, str) else content)


def _listed(value: object) -> list[str]:
    return [] if value is None else [value] if isinstance(value, str) else list(value)  # type: ignore[call-overload]


def environment_of(machine: Machine) -> dict[str, str]:
    """For code in this process that asks the environment where things are."""
    return {"HOME": str(machine.home), "XDG_CONFIG_HOME": "", "PATH": os.environ["PATH"]}
