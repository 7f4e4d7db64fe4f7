"""Everyday work in eight kinds of project: what a person and an agent do all day, and what is said to it.

A row of tests/everyday/*.yaml:

    - id: restore-clean                  # unique in its file
      project: python                    # a key of projects.yaml; its files are committed, then vetgate is set up
      before: echo x >> notes.txt        # a shell runs it before the session begins: the state of the repository
      config: "retries: {max: 1}"        # added to vetgate.yaml (or all of it, from `version:` on), and accepted
      during: echo y > new.txt           # a shell runs it behind the gate's back once the session has begun
      prompt: Delete the old report.     # what the person asks for first
      bash: git restore .                # the action: bash | write + content | edit + old + new | read | stop
      unattended: true                   # nobody can be asked (headless)
      mode: acceptEdits                  # the client's permission mode; "default" unless said
      expect: passes                     # passes (no word), told (passes, something is said), asks, denied, held
      says: nowhere else                 # text (or a list) that the answer holds; `never` for what it does not
      hook: true                         # also through the real hook; else every tenth row

`steps: [...]` has several actions; each may have an `expect` of its own, the row's is that of the last one. A step that
is denied or asked about did not happen; any other is carried out: files are written, commands run where `run: true`,
and the client reports it. `{allow: true}` is the person who types the code that they were shown last.
"""

from __future__ import annotations

import json
import re
import subprocess
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

from fixtures import wait_for_tick
from route_runner import LOADER
from vetgate.checks import known_names
from vetgate.config.trust import project_file

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from route_runner import Ask, Machine

FOLDER = Path(__file__).with_name("everyday")
SECONDS = 60
SESSION = "5e551011-0000-4000-8000-00000000eda1"
_CODE = re.compile(r"terminal of your own: vetgate allow ([a-z2-7]{8})")
_ACTIONS = ("bash", "write", "edit", "read", "prompt", "stop", "allow", "during")
REFUSED = frozenset({"asks", "denied", "held"})


def projects() -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = yaml.load((FOLDER / "projects.yaml").read_text("utf-8"), LOADER)
    return found


def rows() -> Iterator[tuple[str, dict[str, Any]]]:
    for file in sorted(FOLDER.glob("*.yaml")):
        if file.name != "projects.yaml":
            for row in yaml.load(file.read_text("utf-8"), LOADER) or ():
                yield f"{file.stem}:{row['id']}", row


@dataclass
class Said:
    verdict: str = "passes"
    text: str = ""


@dataclass
class Day:
    """One row, in a machine that has just been reset."""

    machine: Machine
    row: dict[str, Any]
    ask: Ask
    after_answer: Callable[[], None] = lambda: None
    said: list[Said] = field(default_factory=list)
    _calls: int = 0
    _code: str = ""

    def run(self) -> None:
        self._lay_ground()
        self._event("SessionStart", {"source": "startup"})
        wait_for_tick()
        if text := self.row.get("prompt"):
            self._event("UserPromptSubmit", {"prompt": text})
        if script := self.row.get("during"):
            self._shell(script)
        steps = self.row.get("steps") or [self.row]
        for step in steps[:-1]:
            said = self._step(step)
            assert said.verdict == step.get("expect", said.verdict), f"{step}: {said}"
        said = self._step(steps[-1])
        assert said.verdict == self.row["expect"], f"{said.verdict} instead of {self.row['expect']}: {said.text}"
        for words in _listed(self.row.get("says")):
            assert words in said.text, said.text
        for words in _listed(self.row.get("never")):
            assert words not in said.text, said.text

    def _lay_ground(self) -> None:
        if config := self.row.get("config"):
            file = self.machine.root / "vetgate.yaml"
            text = file.read_text()
            text = re.sub(r"(?m)^extends:.*\n", "", text) if config.startswith("extends") else text
            file.write_text(f"{config}\n" if config.startswith("version") else f"{text}\n{config}\n")
            found = project_file(self.machine.root, known_names())
            assert found is not None
            done = self.machine.vetgate("trust", "--digest", found.sha256)
            assert done.returncode == 0, done.stderr
            self._shell("git commit -qam configuration")
        if script := self.row.get("before"):
            self._shell(script)

    def _step(self, step: dict[str, Any]) -> Said:
        action = next(name for name in _ACTIONS if name in step)
        said = getattr(self, f"_{action}")(step)
        self.said.append(said)
        return said

    def _bash(self, step: dict[str, Any]) -> Said:
        act = (lambda: self._shell(step["bash"])) if step.get("run") else None
        return self._tool("Bash", {"command": step["bash"]}, act)

    def _write(self, step: dict[str, Any]) -> Said:
        path = self.machine.root / step["write"]
        given = {"file_path": str(path), "content": step["content"]}
        return self._tool("Write", given, lambda: _put(path, step["content"]))

    def _edit(self, step: dict[str, Any]) -> Said:
        path = self.machine.root / step["edit"]
        text = path.read_text()
        assert step["old"] in text, f"{step['old']!r} is not in {path.name}"
        given = {"file_path": str(path), "old_string": step["old"], "new_string": step["new"]}
        return self._tool("Edit", given, lambda: _put(path, text.replace(step["old"], step["new"], 1)))

    def _read(self, step: dict[str, Any]) -> Said:
        return self._tool("Read", {"file_path": str(self.machine.root / step["read"])}, None)

    def _prompt(self, step: dict[str, Any]) -> Said:
        return self._event("UserPromptSubmit", {"prompt": step["prompt"]})

    def _allow(self, step: dict[str, Any]) -> Said:
        return self._event("UserPromptSubmit", {"prompt": f"allow {self._code}"})

    def _stop(self, step: dict[str, Any]) -> Said:
        return self._event("Stop", {"stop_hook_active": False})

    def _during(self, step: dict[str, Any]) -> Said:
        self._shell(step["during"])
        return Said()

    def _tool(self, tool: str, given: dict[str, Any], act: Callable[[], object] | None) -> Said:
        self._calls += 1
        call = {"tool_name": tool, "tool_input": given, "tool_use_id": f"toolu_{self._calls:04}"}
        before = self._event("PreToolUse", call)
        if before.verdict in REFUSED or act is None:
            return before
        act()
        after = self._event("PostToolUse", call | {"tool_response": {}})
        told = "told" if "told" in (before.verdict, after.verdict) else "passes"
        return Said(told, before.text + after.text)

    def _event(self, name: str, more: dict[str, Any]) -> Said:
        mode = self.row.get("mode", "default")
        root = self.machine.root
        event = {"session_id": SESSION, "cwd": str(root), "hook_event_name": name, "permission_mode": mode, **more}
        attended = "0" if self.row.get("unattended") else "1"
        status, out, error = self.ask(event, root, {"CLAUDE_CODE_SESSION_ATTENDED": attended})
        self.after_answer()
        said = json.loads(out) if out.strip() else {}
        code = _CODE.search(said.get("systemMessage", ""))
        self._code = code[1] if code else self._code
        for_agent = json.dumps({key: value for key, value in said.items() if key != "systemMessage"}) + error.decode()
        assert not self._code or self._code not in for_agent, f"the agent is shown a code: {for_agent}"
        return Said(_verdict(status, said), json.dumps(said, ensure_ascii=False) if said else "")

    def _shell(self, script: str) -> None:
        environment = {"HOME": str(self.machine.home), "PATH": "/usr/bin:/bin", "GIT_EDITOR": "true"}
        subprocess.run(
            ["bash", "-ec", script],
            cwd=self.machine.root,
            env=environment,
            check=True,
            timeout=SECONDS,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )


def _verdict(status: int, said: dict[str, Any]) -> str:
    decision = said.get("hookSpecificOutput", {}).get("permissionDecision")
    if decision == "ask":
        return "asks"
    if status == 2 or decision == "deny":
        return "denied"
    if said.get("decision") == "block":
        return "held"
    return "told" if said else "passes"


def _put(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def _listed(value: object) -> list[str]:
    return [] if value is None else [value] if isinstance(value, str) else list(value)  # type: ignore[call-overload]
