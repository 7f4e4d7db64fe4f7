"""A gate's command for one project: not at all where evidence is fresh, joined where it runs already.

It is run by `sh`, with names of files as arguments and never as text of the script. Where it names a script or target
that its runner does not know, nothing ran, so nothing failed. Whatever runs may print such words: they count only where
the command itself starts that runner, where they name a word of the command, and where little else was printed.
"""

from __future__ import annotations

import json
import re
import shutil
import sys
import time
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar

from vetgate.gates.affected_tests import scripts_of, select_tests
from vetgate.gates.command_kinds import digest
from vetgate.gates.content import changes_of, content_mark, content_of, tree_of
from vetgate.gates.evidence import command_words, fresh, note_gate
from vetgate.gates.isolation import FILES_VARIABLE, environment, file_arguments, find_account, find_sandbox, sandboxed
from vetgate.gates.jobs import RUNS
from vetgate.gates.locks import hold_run
from vetgate.gates.output import plain_text, readable
from vetgate.gates.parse import parsed
from vetgate.gates.process import CommandResult, run
from vetgate.gates.quota import Quota
from vetgate.gates.reviewing import review_outcome
from vetgate.model import Outcome, SkipKind, Status
from vetgate.source.git_tree import Content, TreeDifference
from vetgate.store import Job

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from vetgate.model import Gate
    from vetgate.project import Project
    from vetgate.store import Evidence


_Q = r"[\"'`\u2018]?"
_NAME = rf"{_Q}(?P<name>[\w:.@/+-]*\w){_Q}"
_SCRIPTS = (
    rf"missing script: {_NAME}$",
    rf"\bcommand {_NAME} not found\b",
    rf"couldn't find a script named {_NAME}[.\s]*$",
    rf"script not found {_NAME}$",
)
_NO_PACKAGE = r"no package\.json|package\.json'?(?: was)? not found|ENOENT.*package\.json"
_SAYS = {
    "make": (rf"no rule to make target {_NAME}[,.\u2019]", r"no targets specified and no makefile found"),
    "just": (rf"justfile does not contain recipes? {_NAME}", r"no justfile found"),
    "task": (rf"task {_NAME} does not exist", r"no taskfile found"),
    "mise": (rf"no tasks? (?:named )?{_NAME} found", r"no tasks defined"),
    "tox": (rf"(?:environments? not found in configuration file: |unknown environment ){_NAME}",),
    "nox": (rf"sessions? not found: {_NAME}", r"no such file exists"),
    "cargo": (rf"no such (?:sub)?command: {_NAME}",),
    "poetry": (rf"command not found: {_NAME}",),
    "uv": (rf"failed to spawn: {_NAME}",),
    "pdm": (rf"(?:command|script) {_NAME} is not found",),
    "composer": (rf"command {_NAME} is not defined",),
    "rake": (rf"don't know how to build task {_NAME}",),
    "python": (rf"no module named {_NAME}$",),
}
_PACKAGE_RUNNERS = frozenset({"npm", "pnpm", "yarn", "bun"})
_MOST_LINES = 30


_SHELL_SAYS = re.compile(
    r"(?:^|: )(?P<name>[^\s:]+): (?P<how>(?:command )?not found|permission denied)\s*$", re.IGNORECASE
)


# A word that starts a command and means nothing else to a shell.
_PLAIN = re.compile(r"[\w.+-]+(?=\s|\Z)")
_BUILTINS = frozenset(
    ("cd", "test", "true", "false", "echo", "exit", "exec", "eval", "export", "set", "if", "for", "while")
)
_NOT_STARTED = re.compile(
    r"not found|permission denied|no such file or directory|is a directory|exec format error|cannot execute",
    re.IGNORECASE,
)


def absent_program(command: str, path: str | None) -> str:
    """The program that it begins with, where none of that name is on the PATH."""
    program = _PLAIN.match(command)
    if program is None or program[0] in _BUILTINS or shutil.which(program[0], path=path):
        return ""
    return program[0]


def was_not_started(command: str, output: bytes, path: str | None) -> bool:
    """Of a command that ended as if it was not found: it may as well have run, and have ended so itself.

    A shell says one line when it finds no program, in its own language; whoever printed more has run.
    """
    lines = output.strip().splitlines()
    if len(lines) > 1:
        return False
    return any(_NOT_STARTED.search(plain_text(line)) for line in lines) or bool(absent_program(command, path))


def missing_program(command: str, ran: CommandResult) -> str:
    """Which one it is, by what the shell says, or else by how the command begins."""
    said = _SHELL_SAYS.search(plain_text(ran.output).strip())
    words = command_words(command)
    name = said["name"] if said else (words[0].split() or [""])[0] if words else ""
    how = "cannot be run: permission denied" if said and "denied" in said["how"].lower() else "was not found"
    return readable(f"{name or command} {how}".encode())


def missing_task(command: str, ran: CommandResult, root: Path) -> str:
    """What its runner says is not there; "" where it ran something."""
    if not ran.status:
        return ""
    words = command_words(command)
    words = tuple(words[0].split()) if len(words) == 1 else words
    runner = re.sub(r"[\d.]+$", "", words[0].rpartition("/")[2]) if words else ""
    text = plain_text(ran.output).strip()
    if text.count("\n") >= _MOST_LINES:
        return ""
    if runner in _PACKAGE_RUNNERS:
        return _missing_script(runner, words, text, root)
    for pattern in _SAYS.get(runner, ()):
        found = re.search(pattern, text, re.IGNORECASE | re.MULTILINE)
        name = found.groupdict().get("name") if found else None
        if found and (name is None or name in words or name in _values(words)):
            return f"{runner} knows no {name}" if name else f"{runner} finds no file that says what to run"
    return ""


def _missing_script(runner: str, words: tuple[str, ...], text: str, root: Path) -> str:
    known = scripts_of(root)
    for pattern in _SCRIPTS:
        found = re.search(pattern, text, re.IGNORECASE | re.MULTILINE)
        if found and found["name"] in words and found["name"] not in known:
            return f"{runner} knows no script {found['name']}"
    if not (root / "package.json").exists() and re.search(_NO_PACKAGE, text, re.IGNORECASE):
        return f"{runner} finds no package.json"
    return ""


def _values(words: tuple[str, ...]) -> set[str]:
    """What stands behind `-e=` and the like, and the parts of lists."""
    return {part for word in words for part in re.split(r"[=,]", word)}


_RESERVE = 1.0
_NEEDS_DAEMON = "it may take longer only with the daemon"


@dataclass
class CommandRunner:
    """For one event. `given` is the environment of the agent; `files` what it changed.

    Without those it is all that differs from how the `session` found it, or from the last commit.

    A process that `stays` lets a command run on when nobody can wait any longer. A review (`skips_missing`) goes on
    without programs and scripts that are not there; elsewhere that is an error, or else an agent that removes a script
    would be rid of its gate. Where something else than the daemon sets the `seconds`, `limit` says what has run out,
    and a command that takes longer has failed. `anew` runs what passed before on the same content as well.
    """

    is_cheap: ClassVar[bool] = False

    project: Project
    given: Mapping[str, str]
    seconds: float
    stays: bool = False
    files: Sequence[str] | None = None
    session: str = ""
    skips_missing: bool = False
    limit: str = ""
    anew: bool = False
    started: float = field(default_factory=time.monotonic)

    @cached_property
    def _content(self) -> tuple[Content | None, int]:
        """What lies there, and when that was known, in nanoseconds."""
        return content_of(self.project), time.time_ns()

    @property
    def tree(self) -> str:
        found, _ = self._content
        return found.id if found else ""

    @cached_property
    def changes(self) -> TreeDifference:
        if self.files is not None:
            return TreeDifference(tuple(self.files))
        return changes_of(self.project, self.session, self.tree)

    def run(self, gate: Gate) -> Outcome:
        over = self._over(gate)
        if proof := self._proof(gate, over):
            age = max(0.0, time.time() - proof.time)
            return Outcome.proven(gate.id, f"{proof.who} ran it {age:.0f} s ago on the same content")
        if takes_files(gate) and not over:
            return Outcome.skipped(gate.id, "no file has changed")
        left = self.left()
        if left <= 0:
            return Outcome.errored(gate.id, "no time was left to run it")
        # Who does not stay ends the command in time, and waits until it has.
        wait = left if self.stays else None
        key = self._key(gate, over)
        found, at = self._content
        mark = content_mark(found, at) if found else ""
        job = Job(digest(key), str(self.project.root), "", gate.id, "", mark, "")
        outcome = RUNS.join(self.project.store, job, lambda: self._run_locked(gate, over, key), wait)
        if outcome is None:
            error = f"it is still running after {left:.0f} s; its result follows later"
            return Outcome.errored(gate.id, error, pending=True)
        return outcome

    def _proof(self, gate: Gate, over: Sequence[str] | None) -> Evidence | None:
        """Of a command that reviews there is none: how it ended does not say what it found."""
        return None if gate.reviews or self.anew else fresh(self.project.store, self.tree, gate, over)

    def _over(self, gate: Gate) -> tuple[str, ...] | None:
        """The files that a run is about; None for all there are."""
        return self.changes.files if takes_files(gate) or gate.scope == "changed" else None

    def _key(self, gate: Gate, over: Sequence[str] | None) -> tuple[str, ...]:
        """Without a name for the content nobody can say that two runs are the same."""
        return (str(self.project.root), gate.id, gate.command, self.tree or str(time.monotonic_ns()), *(over or ()))

    def left(self) -> float:
        return self.seconds - _RESERVE - (time.monotonic() - self.started)

    def _seconds(self, gate: Gate) -> float:
        return gate.timeout if self.stays else min(gate.timeout, self.left())

    def _run_locked(self, gate: Gate, over: Sequence[str] | None, key: Sequence[str]) -> Outcome:
        tree, store = self.tree, self.project.store
        with hold_run(store.folder, key, time.monotonic() + self._seconds(gate), gate.id) as turn:
            # Somebody may have run it since we looked, whether or not we had to wait for them.
            if proof := self._proof(gate, over):
                return Outcome.proven(gate.id, f"{proof.who} just ran it")
            if known := _handed_on(turn.left):
                turn.leave(turn.left)  # others may wait behind us
                return outcome_of(gate, known, str(self.project.root))
            selected = self._selected(gate)
            if selected is not None and not selected[1]:
                return Outcome.skipped(gate.id, "nothing that changed affects it")
            command, files = selected or (gate.command, self.changes.files)
            seconds = self._seconds(gate)
            if seconds <= 0:
                return Outcome.errored(gate.id, "it was already running, and there was no time left to wait for it")
            ran = self._metered(gate, command, files, seconds)
            if isinstance(ran, Outcome):
                return ran
            if ran.status is not None and tree and tree_of(self.project) == tree:
                note_gate(store, tree, gate, over if selected or takes_files(gate) else None, ran.status)
                turn.leave(_to_hand_on(ran))
        return outcome_of(gate, self._with_limit(ran, gate, seconds), str(self.project.root))

    def _with_limit(self, ran: CommandResult, gate: Gate, seconds: float) -> CommandResult:
        """One that had less time than its gate gives it: who set the limit says what that means."""
        if not ran.was_ended or seconds >= gate.timeout or ran.seconds < seconds:
            return ran
        if self.limit:
            return replace(ran, cause=f"{self.limit}; it was ended with all its children")
        return replace(ran, was_ended=False, cause=f"{ran.cause}; {_NEEDS_DAEMON}")

    def _metered(self, gate: Gate, command: str, files: Sequence[str], seconds: float) -> Outcome | CommandResult:
        """Runs it, where its quota has room; of one that reviews, or is missing, there is an outcome at once."""
        quota = Quota.of_gate(gate, self.project.state_dir) if gate.quota or gate.reviews else None
        if quota is not None and (refusal := quota.take()):
            return Outcome.skipped(gate.id, refusal, SkipKind.LIMITED)
        ran = run_command(replace(gate, command=command), self.project.root, self.given, files, seconds)
        lacking = self._lacking(gate, ran)
        if quota is not None and lacking is not None:
            quota.give_back()
        if quota is not None and lacking is None and gate.reviews:
            return review_outcome(gate, ran, str(self.project.root), quota)
        return lacking or ran

    def _lacking(self, gate: Gate, ran: CommandResult) -> Outcome | None:
        """Where the program or the script that it names is not there, and the gate is one to go on without."""
        if not self.skips_missing and not gate.reviews:
            return None
        program = missing_program(gate.command, ran) if ran.is_missing else ""
        reason = program or missing_task(gate.command, ran, self.project.root)
        return Outcome.skipped(gate.id, f"missing: {reason}", SkipKind.MISSING) if reason else None

    def _selected(self, gate: Gate) -> tuple[str, tuple[str, ...]] | None:
        if gate.scope != "changed" or takes_files(gate):
            return None
        found = content_of(self.project)
        return select_tests(gate.command, self.changes, found.names, self.project.root) if found else None


def _to_hand_on(ran: CommandResult) -> bytes:
    """How a run failed, without its secrets: that one passed is on record."""
    shown = readable(ran.output)
    return json.dumps({"status": ran.status, "output": shown, "seconds": ran.seconds}).encode() if ran.status else b""


def _handed_on(left: bytes) -> CommandResult | None:
    try:
        known = json.loads(left)
        return CommandResult(int(known["status"]), str(known["output"]).encode(), float(known["seconds"]))
    except (ValueError, TypeError, KeyError):
        return None


def outcome_of(gate: Gate, ran: CommandResult, root: str) -> Outcome:
    text, elapsed = readable(ran.output), ran.seconds * 1000
    read = parsed(gate, text, root)
    if ran.status == 0:
        return Outcome(gate.id, Status.PASSED, elapsed_ms=elapsed, output=text, exit_status=0, results=read.results)
    # One that was ended has failed; one that never ran says nothing about the code.
    status = Status.FAILED if ran.status is not None or ran.was_ended else Status.ERRORED
    return Outcome(
        gate.id,
        status,
        read.findings,
        error=ran.cause,
        elapsed_ms=elapsed,
        output=text,
        exit_status=ran.status,
        results=read.results,
    )


_FILES = re.compile(r"\"\{files\}\"|'\{files\}'|\{files\}")
# With limits of its own; the shell that sets them becomes the one that runs the command.
_LIMITED = 'ulimit -v {kilobytes} 2>/dev/null; exec /bin/sh -c "$0" "$@"'
_SHELL = "/bin/sh"
_NOT_FOUND, _NOT_EXECUTABLE = 127, 126
_IS_MISSING = "the command was not found, or is not a program"


def takes_files(gate: Gate) -> bool:
    """Whether a run of it is about some files alone."""
    return "{files}" in gate.command or FILES_VARIABLE in gate.command


def run_command(
    gate: Gate, root: Path, given: Mapping[str, str], files: Sequence[str], seconds: float
) -> CommandResult:
    """`given` is the environment it is taken from, `files` are what changed."""
    arguments = file_arguments(files)
    argv = argv_of(gate.command, arguments, gate.memory)
    if gate.sandbox != "off":
        program = find_sandbox()
        if program:
            argv = sandboxed(argv, root, program)
        elif gate.sandbox == "required":
            return CommandResult(None, cause="it requires a sandbox, and bubblewrap cannot be used here")
    other = find_account(gate.user) if gate.user else None
    if isinstance(other, str):
        return CommandResult(None, cause=other)
    env = environment(gate, given, root, arguments) | (other.environment() if other else {})
    ran = run(argv, cwd=root, env=env, seconds=min(gate.timeout, seconds), account=other)
    if ran.status in {_NOT_FOUND, _NOT_EXECUTABLE} and was_not_started(gate.command, ran.output, env.get("PATH")):
        return CommandResult(None, ran.output, ran.seconds, _IS_MISSING, is_missing=True)
    return ran


def argv_of(command: str, files: Sequence[str], memory: int) -> list[str]:
    script = _FILES.sub(lambda _: '"$@"', command)
    if memory and sys.platform == "linux":
        return [_SHELL, "-c", _LIMITED.format(kilobytes=memory << 10), script, "vetgate", *files]
    return [_SHELL, "-c", script, "vetgate", *files]
