"""A project's tests, run by the command that a person accepted or by the framework found there, and read."""

from __future__ import annotations

import os
import re
import shlex
import sys
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

from vetgate.checks.secrets.text_redaction import without_secrets
from vetgate.gates.affected_tests import expand_script
from vetgate.gates.command import run_command
from vetgate.gates.content import tree_of
from vetgate.gates.evidence import command_words, note_gate, test_gate
from vetgate.gates.output import readable
from vetgate.gates.parse import READERS
from vetgate.model import Gate, UserError
from vetgate.service.check import app
from vetgate.source.tasks import package_programs
from vetgate.suite_results import TestFailure, TestResults

if TYPE_CHECKING:
    from collections.abc import Mapping

    from vetgate.project import Project

FRAMEWORKS = ("jest", "vitest", "pytest", "mocha")
LONGEST = 3600
_SECONDS = 300
_MOST_FILES = 500
_MOST_FAILURES = 50
_MOST_OUTPUT = 5_000
# How each is started where nobody wrote a command down. Nothing is fetched for it.
_STARTS: Mapping[str, tuple[str, ...]] = {
    "pytest": ("python", "-m", "pytest"),
    "jest": ("npx", "--no-install", "jest"),
    "vitest": ("npx", "--no-install", "vitest", "run"),
    "mocha": ("npx", "--no-install", "mocha"),
}
# The option that takes a part of a test's name, and whether it reads a regular expression.
_BY_NAME: Mapping[str, tuple[str, bool]] = {
    "pytest": ("-k", False),
    "jest": ("-t", True),
    "vitest": ("-t", True),
    "mocha": ("--fgrep", False),
}
_PYTEST_FILES = ("pytest.ini", "conftest.py", "tests/conftest.py", "pyproject.toml", "setup.cfg", "tox.ini")


@dataclass(frozen=True, slots=True)
class TestRequest:
    __test__ = False

    root: Path
    framework: str = ""
    pattern: str = ""
    timeout: float | None = None


@dataclass(frozen=True, slots=True)
class TestRun:
    """`results` are None where nobody could read them; then `output` is what there is."""

    __test__ = False

    command: str
    exit_status: int | None
    seconds: float
    results: TestResults | None
    cause: str
    output: str

    def plain(self) -> dict[str, Any]:
        """By the keys of the judge hook's TestResults, and what else is known of the run."""
        results = self.results or TestResults("unknown")
        took = results.duration if results.duration is not None else self.seconds
        return {
            "framework": results.framework,
            "passed": results.passed,
            "failed": results.failed,
            "skipped": results.skipped,
            "duration": round(took, 3),
            "failures": [_failure(each) for each in results.failures[:_MOST_FAILURES]],
            "command": self.command,
            "exit_status": self.exit_status,
            "ok": self.exit_status == 0,
            "error": self.cause,
            "output": "" if self.results is not None and not self.cause else self.output[-_MOST_OUTPUT:],
        }


def _failure(failure: TestFailure) -> dict[str, Any]:
    return {
        "testFile": failure.file,
        "testName": failure.name,
        "line": failure.line,
        "error": failure.error,
        "stack": failure.stack,
    }


def run_tests(request: TestRequest) -> TestRun:
    """Only where a person accepted the project's configuration: tests are code of the repository."""
    project = app().project(request.root)
    gate = _gate(project, request)
    framework = request.framework or framework_of(gate.command, request.root)
    whole = not request.pattern
    command, files = (gate.command, ()) if whole else _narrowed(request, gate.command)
    gate = replace(gate, command=command)
    tree = tree_of(project) if whole else ""
    ran = run_command(gate, request.root, os.environ, files, gate.timeout)
    if whole and ran.status is not None and tree and tree_of(project) == tree:
        note_gate(project.store, tree, gate, None, ran.status)
    text = readable(ran.output)
    reader = READERS.get(framework)
    found = reader[1](text).results if reader else None
    if found is not None and not (found.passed or found.failed or found.skipped or ran.status == 0):
        found = None  # it ended before any test did
    return TestRun(without_secrets(gate.command), ran.status, round(ran.seconds, 3), found, ran.cause, text)


def _gate(project: Project, request: TestRequest) -> Gate:
    if request.framework and request.framework not in FRAMEWORKS:
        raise UserError(f"the framework {request.framework!r} is not known", hint=f"one of: {', '.join(FRAMEWORKS)}")
    if request.timeout is not None and not 0 < request.timeout <= LONGEST:
        raise UserError(
            f"a timeout of {request.timeout} seconds is not possible",
            hint=f"it must be above 0 and at most {LONGEST} seconds",
        )
    if project.store.trusted() is None:
        raise UserError(
            f"nobody accepted the configuration of {request.root}, so its tests do not run",
            hint="a person runs `vetgate init` or `vetgate trust`",
        )
    accepted = test_gate(project.effective().config.gates)
    if accepted is not None and request.framework in {"", framework_of(accepted.command, request.root)}:
        gate = accepted
    else:
        framework = request.framework or detected(request.root)
        if not framework:
            hint = "a person adds a gate with the test command to vetgate.yaml, then `vetgate trust`"
            raise UserError("no accepted gate runs tests here, and none of the known frameworks was found", hint=hint)
        gate = Gate(framework, (), command=shlex.join(_start(framework, request.root)), timeout=_SECONDS)
    return replace(gate, timeout=int(request.timeout) or 1) if request.timeout is not None else gate


def _start(framework: str, root: Path) -> tuple[str, ...]:
    if framework != "pytest":
        return _STARTS[framework]
    own = next((root / place for place in (".venv/bin/python", "venv/bin/python") if (root / place).exists()), None)
    return (os.fspath(own) if own else sys.executable, "-m", "pytest")


def detected(root: Path) -> str:
    """The framework of the project, by what its files say; "" where none of the four is."""
    programs = package_programs(root)
    for name in ("vitest", "jest", "mocha"):
        if name in programs:
            return name
    tells = any(
        _mentions(root / name, "pytest") or name.endswith("conftest.py")
        for name in _PYTEST_FILES
        if (root / name).exists()
    )
    return "pytest" if tells or any(root.glob("tests/test_*.py")) or any(root.glob("test_*.py")) else ""


def _mentions(file: Path, word: str) -> bool:
    try:
        return word in file.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return False


def framework_of(command: str, root: Path) -> str:
    """Which of the four a command runs, as far as its words, or the script it names, tell."""
    words = expand_script(command_words(command), root)
    names = {word.rpartition("/")[2] for word in words}
    return next((name for name in FRAMEWORKS if name in names), "")


def _narrowed(request: TestRequest, command: str) -> tuple[str, tuple[str, ...]]:
    """The command kept to a pattern, and what it stands for: files, or a word of the framework's own.

    It is passed as an argument and never as an option; nothing outside of the project can be meant.
    """
    pattern, framework = request.pattern, framework_of(command, request.root)
    if pattern.startswith("-") or "\0" in pattern:
        raise UserError(f"the pattern {pattern!r} cannot be used", hint="a file, a glob, or a part of a test's name")
    if pattern.startswith(("/", "~")) or ".." in PurePosixPath(pattern).parts:
        raise UserError(f"the pattern {pattern!r} leads out of the project", hint="paths start at its root")
    if not framework:
        hint = f"leave `pattern` out, or name the framework: {', '.join(FRAMEWORKS)}"
        raise UserError(f"vetgate does not know how to pass a pattern to `{command}`", hint=hint)
    # npm alone wants a word between its own options and those of the script.
    words = command_words(command)
    start = f"{command} --" if words[:1] == ("npm",) and "--" not in words else command
    files = _matching(request.root, pattern.partition("::")[0])
    if not files:
        option, is_expression = _BY_NAME[framework]
        return f"{start} {option} {{files}}", (re.escape(pattern) if is_expression else pattern,)
    return f"{start} {{files}}", (pattern,) if "::" in pattern else files


def _matching(root: Path, pattern: str) -> tuple[str, ...]:
    try:
        found = sorted(path for path in root.glob(pattern) if path.resolve().is_relative_to(root))
    except (ValueError, NotImplementedError, OSError):
        return ()
    return tuple(os.path.relpath(path, root) for path in found[:_MOST_FILES])
