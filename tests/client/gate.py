"""A person's machine with vetgate set up in its project, and the daemon in one of three states."""

from __future__ import annotations

import contextlib
import enum
import fcntl
import json
import os
import re
import shlex
import signal
import subprocess
import sys
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fixtures import wait_for
from hook_path import end_daemons_of
from warm_program import RUN, run_vetgate

from .session import ClientSession, Machine, Options, run

if TYPE_CHECKING:
    from .model_server import Model, ToolResult

VETGATE = Path(sys.executable).with_name("vetgate")
# What a person does in a terminal of their own, whoever runs the tests.
PERSON = (sys.executable, "-c", RUN)
SECONDS = 60


class Daemon(enum.StrEnum):
    """Names of one length, so that texts which hold them in a path wrap alike."""

    WARM = "warm"
    NONE = "none"
    HUNG = "hung"


@dataclass(frozen=True)
class Gate:
    home: Machine
    runtime: Path
    daemon: Daemon
    place: str = "user"
    _daemons: list[int] = field(default_factory=list)

    @property
    def project(self) -> Path:
        return self.home.project

    @property
    def environment(self) -> dict[str, str]:
        """Of a person at a terminal on this machine."""
        return {
            **self.home.environment,
            "VETGATE_STATE_DIR": str(self.home.path / "state"),
            "VETGATE_RUNTIME_DIR": str(self.runtime),
            "VETGATE_DAEMON": "off" if self.daemon is Daemon.NONE else "auto",
        }

    def set_up(self) -> None:
        self._init()
        if self.daemon is not Daemon.NONE:
            self._daemons.append(self._wake_daemon())
        if self.daemon is Daemon.HUNG:
            os.kill(self._daemons[0], signal.SIGSTOP)

    def tear_down(self) -> None:
        self.kill_daemon()
        # A hook may have started another one just now.
        wait_for(self._no_daemon_is_left, SECONDS, "a daemon is left")

    def vetgate(
        self, *arguments: str, through: tuple[str, ...] = (), program: tuple[str, ...] = (str(VETGATE),)
    ) -> subprocess.CompletedProcess[str]:
        if program == PERSON:
            return run_vetgate(*arguments, cwd=self.project, env=self.environment, seconds=SECONDS)
        return subprocess.run(
            [*through, *program, *arguments],
            cwd=self.project,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=False,
        )

    def session(self, model: Model, options: Options | None = None, prompt: str = "") -> ClientSession:
        options = options or Options()
        # Only this one variable: an installed hook finds its folders without the environment's help.
        passed = {"VETGATE_DAEMON": self.environment["VETGATE_DAEMON"], **options.environment}
        session = run(self.home, model, replace(options, environment=passed), prompt)
        assert session.status == 0, session.stderr
        return session

    def registered(self, event: str) -> str:
        """The command line that the client runs on this event."""
        assert self.place == "user"
        settings = json.loads(self.home.user_settings.read_text())
        return settings["hooks"][event][0]["hooks"][0]["command"]

    def daemon_told(self) -> dict[str, Any]:
        return json.loads(self.vetgate("daemon", "status", "--format", "json", program=PERSON).stdout)

    def kill_daemon(self) -> None:
        """As `kill -9` does, whatever state it is in; there is none to kill where none may run."""
        while self._daemons:
            with contextlib.suppress(ProcessLookupError):  # it went by itself
                os.kill(self._daemons.pop(), signal.SIGKILL)

    def assert_daemon_is_still_as_wanted(self) -> None:
        """Else the three states would quietly be one. Not after it was killed: then a new one may be starting."""
        if self.daemon is Daemon.NONE:
            assert not [each for each in self.runtime.iterdir() if not each.name.startswith("slot")]
        elif self.daemon is Daemon.WARM and self._daemons:
            told = self._answer_of_daemon()
            assert told["pid"] == self._daemons[0]
            assert told["requests"] > 0
        elif self._daemons:
            os.kill(self._daemons[0], 0)
            assert not self.daemon_told()["running"]

    def without_particulars(self, result: ToolResult) -> ToolResult:
        """What differs between two machines and two moments is taken out."""
        text = result.text.replace(str(self.home.path), "~").replace(str(self.runtime), "~run")
        return replace(result, text=re.sub(r"\bd[0-9a-f]{10}\b", "DECISION", text))

    def _init(self) -> None:
        # Every session would wait for its start; the tests of the server register it.
        told = self.vetgate("init", "--yes", "--no-mcp", "--settings", self.place, program=PERSON)
        assert told.returncode == 0, told.stdout + told.stderr

    def _wake_daemon(self) -> int:
        event = {"hook_event_name": "PreToolUse", "tool_name": "Read", "cwd": str(self.project)}
        event["tool_input"] = {"file_path": str(self.project / "any.txt")}
        subprocess.run(
            shlex.split(self.registered("PreToolUse")),
            cwd=self.project,
            env=self.home.environment,
            input=json.dumps(event).encode(),
            timeout=SECONDS,
            check=True,
        )
        return self._answer_of_daemon()["pid"]

    def _answer_of_daemon(self) -> dict[str, Any]:
        """Asked again when it is late: on a busy machine it may be."""
        told: list[dict[str, Any]] = []

        def answers() -> bool:
            told.append(self.daemon_told())
            return told[-1]["running"]

        wait_for(answers, SECONDS, "the daemon does not answer")
        return told[-1]

    def _no_daemon_is_left(self) -> bool:
        """A daemon holds its lock from before it can be asked until it is gone."""
        if all(map(_is_free, self.runtime.glob("*.lock"))):
            return True
        end_daemons_of(self.runtime)
        return False


def _is_free(lock: Path) -> bool:
    with lock.open("rb") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
        return True
